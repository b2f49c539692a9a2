import { join } from 'node:path';
import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';

import type { Page } from 'playwright-core';

import type { Editor } from '../browser/editor';
import { N8nApi, type Credential, type Session, type WorkflowFile } from '../n8n/api';

/** The n8n and the sandbox that all tests of a worker share. */
export interface TestEnvironment {
	url: string;
	/** The owner's login. */
	session: Session;
	controlUrl: string;
	/** The credential for the sandbox. */
	credential: Credential;
	credentialData: ICredentialDataDecryptedObject;
}

const VARIABLE = 'SELFHOST_ENVIRONMENT';

/** Hands the data to the workers by an environment variable, that of one to each. */
export function publishEnvironments(environments: TestEnvironment[]) {
	process.env[VARIABLE] = JSON.stringify(environments);
}

/** jest numbers its workers from 1. */
export const testEnvironment = () =>
	(JSON.parse(process.env[VARIABLE] ?? '') as TestEnvironment[])[
		Number(process.env.JEST_WORKER_ID) - 1
	];

export const ownerApi = ({ url, session }: TestEnvironment) => new N8nApi(url, session);

const PICTURES = join(__dirname, '..', '..', 'docs', 'images');

/** Replaces a picture of the documents in `README_PICTURES=1 npm run test:e2e`; otherwise takes none. */
export async function takePicture(editor: Editor, name: string) {
	if (process.env.README_PICTURES) await editor.screenshot(join(PICTURES, `${name}.png`));
}

/** Replaces a picture of a page outside of n8n in the same way. */
export async function takePageView(page: Page, name: string) {
	const path = join(PICTURES, `${name}.png`);
	if (process.env.README_PICTURES) await page.screenshot({ path, fullPage: true });
}

/** Deletes the credentials that a test has created, because new nodes use the latest one. Returns whether there were any. */
export async function deleteOtherCredentials({ id }: Credential, api: N8nApi) {
	const others = (await api.credentials()).filter((each) => each.id !== id);
	for (const each of others) await api.deleteCredential(each);
	return others.length > 0;
}

/** A workflow with a manual trigger, followed by a node; the editor then offers actions as well. */
export const manualWorkflow = (name: string, node?: INode): WorkflowFile => ({
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
		...(node ? [node] : []),
	],
	connections: node ? { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } } : {},
});
