import type { ItemContext } from '../../run/context';
import { isReadOnly, readLocatorUrl } from '../../session/settings';
import { send, type SendOptions } from '../../transport/send';
import type { JsonObject } from '../../values/checks';
import { LOGIN_REQUESTS } from '../../wire/answers';
import {
	buildDiscoveryRequest,
	buildQueryRequest,
	type QueryExpression,
} from '../../wire/requests';

export async function discover(
	{ caller, sendOptions }: ItemContext,
	options: SendOptions = sendOptions,
): Promise<JsonObject> {
	const credentials = await caller.getCredentials('corrigoApi');
	const request = buildDiscoveryRequest(String(credentials.companyName).trim());
	const baseUrl = readLocatorUrl(credentials);
	return (await send(caller, request, { ...options, baseUrl })).CommandResult;
}

/** The checks need 38 requests with a login, and the form promises at most 40. */
const MAX_REPEATS = 2;

/** The checks of a run share their answers, so no request is sent twice. */
export class Probe {
	private readonly answers = new Map<string, Promise<unknown>>();

	private constructor(
		private readonly context: ItemContext,
		private readonly options: SendOptions,
	) {}

	static async create(context: ItemContext): Promise<Probe> {
		const { accessToken, n8n_expires_at: ends } = await context.caller.getCredentials('corrigoApi');
		const hasSession = Boolean(accessToken) && Date.now() < Number(ends);
		// A limit on repeats keeps the promised number of requests, whatever fails.
		const extraRequests = { left: MAX_REPEATS + (hasSession ? LOGIN_REQUESTS : 0) };
		return new Probe(context, { ...context.sendOptions, extraRequests });
	}

	async isReadOnly(): Promise<boolean> {
		return isReadOnly(await this.context.caller.getCredentials('corrigoApi'));
	}

	private async askOnce<T>(question: string, ask: () => Promise<T>): Promise<T> {
		if (!this.answers.has(question)) this.answers.set(question, ask());
		return await (this.answers.get(question) as Promise<T>);
	}

	/** `ahead` is the lead of Corrigo's clock in milliseconds, if the answer has a date. */
	async loadDiscovery() {
		return await this.askOnce('discovery', async () => {
			const company = await discover(this.context, this.options);
			const { latest } = this.context.run.clock;
			return { company, ahead: latest === undefined ? undefined : latest - Date.now() };
		});
	}

	async loadRows(entity: string, expression: Partial<QueryExpression>): Promise<JsonObject[]> {
		return await this.askOnce(
			JSON.stringify([entity, expression]),
			async () => await this.query(entity, expression),
		);
	}

	private async query(entity: string, expression: Partial<QueryExpression> = {}) {
		const defaults = { PropertySet: { Properties: ['Id'] }, Count: 1, FirstResultIndex: 0 };
		const request = buildQueryRequest(entity, { ...defaults, ...expression });
		return await send(this.context.caller, request, this.options);
	}

	async measureDuration(entity: string): Promise<number> {
		const start = performance.now();
		await this.query(entity);
		return performance.now() - start;
	}
}
