import { join } from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { N8nApi, type Credential, type Session, type WorkflowFile } from '../n8n/api';

/** What the specs are told about the one n8n and the one sandbox that serve them all. */
export interface World {
	url: string;
	/** Of the owner. */
	session: Session;
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

export const ownerAt = ({ url, session }: World) => new N8nApi(url, session);

/** Kept beside the instance; those of the README are made anew by `README_PICTURES=1 npm run test:e2e`. */
export const pictureFile = (name: string) =>
	join(
		...(process.env.README_PICTURES
			? [__dirname, '..', '..', 'docs', 'images']
			: [__dirname, '..', '.data', 'pictures']),
		`${name}.png`,
	);

/** New nodes take the latest credential: what a spec has made must not reach the next one. */
export async function keepOnly({ id }: Credential, api: N8nApi) {
	for (const each of await api.credentials()) {
		if (each.id !== id) await api.deleteCredential(each);
	}
}

/** What every new workflow begins with, so that the editor offers actions and not only triggers. */
export const startedByHand = (name: string): WorkflowFile => ({
	name,
	nodes: [
		{
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
	],
	connections: {},
});
