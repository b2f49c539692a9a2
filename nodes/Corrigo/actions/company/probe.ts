import { commandAnswerOf, type CommandAnswer } from '../../protocol/answers';
import type { JsonObject } from '../../protocol/checks';
import {
	DISCOVERY_PATH,
	discoveryBody,
	queryRequest,
	type QueryExpression,
} from '../../protocol/requests';
import { send } from '../../transport/send';
import { isReadOnly, locatorOf } from '../../session/settings';
import type { ItemContext } from '../../run/context';
import { LOGIN, sendWithin } from './budget';

export async function discover(
	context: ItemContext,
	sendOne = send,
): Promise<CommandAnswer['CommandResult']> {
	const credentials = await context.caller.getCredentials('corrigoApi');
	const { CommandResult } = await sendOne(
		context.caller,
		{
			method: 'POST',
			path: DISCOVERY_PATH,
			body: discoveryBody(String(credentials.companyName).trim()),
			reads: true,
			unwrap: commandAnswerOf(),
		},
		{ ...context.sendOptions, baseUrl: locatorOf(credentials) },
	);
	return CommandResult;
}

/** The checks need 38 requests with a login, and the form promises at most 40. */
const SPARE = 2;

/** The checks of a run share their answers, so no request is sent twice. */
export class Probe {
	private readonly asked = new Map<string, Promise<unknown>>();

	private constructor(
		private readonly context: ItemContext,
		private readonly sendOne: typeof send,
		readonly isReadOnly: boolean,
	) {}

	static async of(context: ItemContext): Promise<Probe> {
		const credentials = await context.caller.getCredentials('corrigoApi');
		const { accessToken, n8n_expires_at: ends } = credentials;
		const hasSession = Boolean(accessToken) && Date.now() < Number(ends);
		// A limit on repeats keeps the promised number of requests, whatever fails.
		const sendOne = sendWithin(SPARE + (hasSession ? LOGIN : 0));
		return new Probe(context, sendOne, isReadOnly(credentials));
	}

	private async once<T>(question: string, ask: () => Promise<T>): Promise<T> {
		if (!this.asked.has(question)) this.asked.set(question, ask());
		return await (this.asked.get(question) as Promise<T>);
	}

	/** `ahead` is the lead of Corrigo's clock in milliseconds, if the answer has a date. */
	async discovery() {
		return await this.once('discovery', async () => {
			const company = await discover(this.context, this.sendOne);
			const { latest } = this.context.run.clock;
			return { company, ahead: latest === undefined ? undefined : latest - Date.now() };
		});
	}

	async rows(entity: string, expression: Partial<QueryExpression>): Promise<JsonObject[]> {
		return await this.once(
			JSON.stringify([entity, expression]),
			async () => await this.query(entity, expression),
		);
	}

	private async query(entity: string, expression: Partial<QueryExpression> = {}) {
		const small = { PropertySet: { Properties: ['Id'] }, Count: 1, FirstResultIndex: 0 };
		const request = queryRequest(entity, { ...small, ...expression });
		return await this.sendOne(this.context.caller, request, this.context.sendOptions);
	}

	async duration(entity: string): Promise<number> {
		const start = performance.now();
		await this.query(entity);
		return performance.now() - start;
	}
}
