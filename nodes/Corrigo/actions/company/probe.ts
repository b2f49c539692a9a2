import { commandAnswerOf, type CommandAnswer } from '../../protocol/answers';
import type { JsonObject } from '../../protocol/checks';
import {
	DISCOVERY_PATH,
	discoveryBody,
	queryRequest,
	type QueryExpression,
} from '../../protocol/requests';
import { send, type SendOptions } from '../../transport/send';
import { locatorOf } from '../../transport/settings';
import type { Call } from '../call';

/** Asks the locator where the Company is. */
export async function discover(
	call: Call,
	more: Pick<SendOptions, 'heard'> = {},
): Promise<CommandAnswer['CommandResult']> {
	const credentials = await call.caller.getCredentials('corrigoApi');
	const { CommandResult } = await send(
		call.caller,
		{
			method: 'POST',
			path: DISCOVERY_PATH,
			body: discoveryBody(String(credentials.companyName).trim()),
			reads: true,
			unwrap: commandAnswerOf(),
		},
		{ ...call.sendOptions, ...more, baseUrl: locatorOf(credentials) },
	);
	return CommandResult;
}

interface Found {
	company: JsonObject;
	/** By how many milliseconds the clock of the service is ahead, as far as it says. */
	ahead?: number;
}

/** What the checks of one run ask the service. They share answers: what was asked is not asked again. */
export class Probe {
	private readonly asked = new Map<string, Promise<unknown>>();

	constructor(private readonly call: Call) {}

	private async once<T>(question: string, ask: () => Promise<T>): Promise<T> {
		if (!this.asked.has(question)) this.asked.set(question, ask());
		return await (this.asked.get(question) as Promise<T>);
	}

	async discovery(): Promise<Found> {
		return await this.once('discovery', async () => {
			let ahead: number | undefined;
			const heard = (date: string) => {
				ahead = Date.parse(date) - Date.now();
			};
			const company = await discover(this.call, { heard });
			return { company, ahead };
		});
	}

	async rows(entity: string, expression: Partial<QueryExpression>): Promise<JsonObject[]> {
		const whole = {
			PropertySet: { Properties: ['Id'] },
			Count: 1,
			FirstResultIndex: 0,
			...expression,
		};
		return await this.once(JSON.stringify([entity, whole]), async () => {
			return await this.call.send(queryRequest(entity, whole));
		});
	}

	/** How long one small read takes, in milliseconds. */
	async duration(entity: string): Promise<number> {
		const start = performance.now();
		const small = { PropertySet: { Properties: ['Id'] }, Count: 1, FirstResultIndex: 0 };
		await this.call.send(queryRequest(entity, small));
		return performance.now() - start;
	}
}
