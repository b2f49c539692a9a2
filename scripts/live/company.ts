/** A Company in the engine of n8n. */
import { createRequire } from 'node:module';
import type { IDataObject } from 'n8n-workflow';

import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import type * as CorrigoNode from '../../nodes/Corrigo/Corrigo.node';
import { DEFAULT_TOKEN_URL } from '../../nodes/Corrigo/catalogue/regions';
import type { Json } from './scrub';

export function readCredential(env: NodeJS.ProcessEnv) {
	const readVariable = (name: string, defaultValue?: string): string => {
		const value = env[name] ?? defaultValue;
		if (value) return value;
		throw new Error(`Set ${name} in the environment (see docs/internals/live.md)`);
	};
	const locatorUrl = env.CORRIGO_LOCATOR_URL;
	return {
		region: locatorUrl ? 'custom' : readVariable('CORRIGO_REGION'),
		locatorUrl: locatorUrl ?? '',
		companyName: readVariable('CORRIGO_COMPANY'),
		clientId: readVariable('CORRIGO_CLIENT_ID'),
		clientSecret: readVariable('CORRIGO_CLIENT_SECRET'),
		tokenUrl: readVariable('CORRIGO_TOKEN_URL', DEFAULT_TOKEN_URL),
		access: 'readOnly',
	};
}

export interface Answer {
	/** Absent if there was no answer. */
	status?: number;
	body: Json;
}

export type Send = (
	method: 'GET' | 'POST' | 'PUT' | 'DELETE',
	path: string,
	body?: object,
) => Promise<Answer>;

export interface Company {
	runChecks: () => Promise<Array<Record<string, unknown>>>;
	/** Sends a request as n8n's HTTP Request node does: never twice, and within the access of the credential. */
	send: Send;
}

export async function openCompany(data: ReturnType<typeof readCredential>): Promise<Company> {
	// n8n takes seconds to load, which a missing variable must not wait for.
	const { createEngine } = await import('../../test/support/engine');
	// Without the extension, the JSON file of the same name would be found first.
	const { Corrigo } = createRequire(__filename)(
		'../../nodes/Corrigo/Corrigo.node.ts',
	) as typeof CorrigoNode;
	const engine = createEngine({
		nodes: { corrigo: Corrigo },
		credentialTypes: [CorrigoApi],
		credentials: { corrigoApi: { id: '1', data } },
	});
	return {
		runChecks: async () => {
			const parameters = { resource: 'company', operation: 'checkAccess' };
			const { items, error } = await engine.run({ parameters });
			if (error) throw new Error(error.message);
			return items.map(({ json }) => json);
		},
		send: async (method, path, body) => {
			const request = { method, url: `/api/v1/${path}`, json: true } as const;
			const whole = { returnFullResponse: true, ignoreHttpStatusErrors: true } as const;
			const own = body && { body: body as IDataObject };
			const sent = engine.httpRequest({ ...request, ...whole, ...own });
			return await sent.then(
				(answer) => {
					const { statusCode, body: answered } = answer as { statusCode: number; body: Json };
					return { status: statusCode, body: answered };
				},
				() => ({ body: null }),
			);
		},
	};
}
