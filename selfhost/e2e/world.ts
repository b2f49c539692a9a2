import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { N8nApi, type Credential } from '../api';
import { owner } from '../session';

/** What the specs are told about the one n8n and the one sandbox that serve them all. */
export interface World {
	url: string;
	controlUrl: string;
	/** The credential in n8n that points at the sandbox, and what was entered into it. */
	credential: Credential;
	credentialData: ICredentialDataDecryptedObject;
}

const VARIABLE = 'SELFHOST_WORLD';

/** Specs run in processes of their own: the environment is what reaches them. */
export function publishWorld(world: World) {
	process.env[VARIABLE] = JSON.stringify(world);
}

export const world = (): World => JSON.parse(process.env[VARIABLE] ?? '') as World;

export async function ownerAt({ url }: World): Promise<N8nApi> {
	const api = new N8nApi(url);
	await api.logIn(owner);
	return api;
}
