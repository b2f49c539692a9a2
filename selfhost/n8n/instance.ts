import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { N8nApi, type Credential, type Owner, type Workflow, type WorkflowFile } from './api';
import { startN8n, type N8n } from './server';
import { installPackage, packageEnvironment, packPackage } from './communityPackage';
import { step } from '../console/progress';

export const owner: Owner = {
	email: 'owner@example.com',
	password: 'Corrigo-2026',
	firstName: 'Corrigo',
	lastName: 'Sandbox',
};

const CREDENTIAL_TYPE = 'corrigoApi';
const CREDENTIAL_NAME = 'Corrigo sandbox';
const OWN_NODES = 'n8n-nodes-corrigo.';

export interface SessionOptions {
	/** The repository, built. */
	root: string;
	userFolder: string;
	/** What a user would enter into the credential's form. */
	credentialData: ICredentialDataDecryptedObject;
	port?: number;
}

/** A running n8n with this package installed, its owner logged in and a credential to work with. */
export interface Session {
	n8n: N8n;
	api: N8nApi;
	credential: Credential;
}

/** The sandbox may have other addresses in each session, so the stored credential follows it. */
async function credentialFor(api: N8nApi, data: ICredentialDataDecryptedObject) {
	const stored = (await api.credentials()).find(({ name }) => name === CREDENTIAL_NAME);
	if (stored) return await api.updateCredential(stored, data);
	return await api.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
}

export async function openSession(options: SessionOptions): Promise<Session> {
	const { root, userFolder, credentialData, port } = options;
	const packed = await step('Packing this package', async () => {
		return await packPackage(root, join(userFolder, 'packed'));
	});
	const n8n = await step('Starting n8n', async () => {
		return await startN8n({ userFolder, port, env: packageEnvironment(packed) });
	});
	try {
		const api = new N8nApi(n8n.url);
		await api.enter(owner);
		await step('Installing this package into n8n', async () => {
			await installPackage(api, packed, userFolder);
		});
		return { n8n, api, credential: await credentialFor(api, credentialData) };
	} catch (error) {
		await n8n.stop();
		throw error;
	}
}

async function readExamples(folder: string): Promise<WorkflowFile[]> {
	const files = existsSync(folder) ? (await readdir(folder)).sort() : [];
	const workflows = files.filter((file) => file.endsWith('.json'));
	return await Promise.all(
		workflows.map(async (file) => {
			return JSON.parse(await readFile(join(folder, file), 'utf8')) as WorkflowFile;
		}),
	);
}

/** The examples name no credential; here the nodes of this package, or of a type, get one. */
export const withCredential = (
	file: WorkflowFile,
	{ id, name, type }: Credential,
	of = OWN_NODES,
) => ({
	...file,
	nodes: file.nodes.map((node) =>
		node.type.includes(of)
			? { ...node, credentials: { ...node.credentials, [type]: { id, name } } }
			: node,
	),
});

/** Imports the example workflows; one that is there already, perhaps edited, is left as it is. */
export async function importExamples(
	{ api, credential }: Pick<Session, 'api' | 'credential'>,
	folder: string,
) {
	const present = new Map((await api.workflows()).map(({ name, id }) => [name, id]));
	const imported: Workflow[] = [];
	for (const example of await readExamples(folder)) {
		const id = present.get(example.name);
		imported.push(
			id ? await api.workflow(id) : await api.createWorkflow(withCredential(example, credential)),
		);
	}
	return imported;
}
