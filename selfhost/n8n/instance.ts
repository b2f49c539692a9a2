import { join } from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { step } from '../console/progress';
import { N8nApi, type Credential, type Owner } from './api';
import { installPackage, packageEnvironment, packPackage } from './communityPackage';
import { startN8n, type N8n } from './server';

export const owner: Owner = {
	email: 'owner@example.com',
	password: 'Corrigo-2026',
	firstName: 'Corrigo',
	lastName: 'Sandbox',
};

const CREDENTIAL_TYPE = 'corrigoApi';
const CREDENTIAL_NAME = 'Corrigo sandbox';

export interface InstanceOptions {
	userFolder: string;
	/** Values of the credential's form. */
	credentialData: ICredentialDataDecryptedObject;
	port?: number;
	/** Additional environment variables of n8n. */
	env?: NodeJS.ProcessEnv;
}

/** A running n8n with this package, a logged-in owner and a credential for the sandbox. */
export interface Instance {
	n8n: N8n;
	api: N8nApi;
	credential: Credential;
}

/** Updates a stored credential, because the sandbox has other addresses each time it starts. */
async function saveCredential(api: N8nApi, data: ICredentialDataDecryptedObject) {
	const stored = (await api.credentials()).find(({ name }) => name === CREDENTIAL_NAME);
	if (stored) return await api.updateCredential(stored, data);
	return await api.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
}

export async function startInstance(options: InstanceOptions): Promise<Instance> {
	const { userFolder, credentialData, port, env } = options;
	const packed = await step('Packing this package', async () => {
		return await packPackage(join(userFolder, 'packed'));
	});
	const n8n = await step('Starting n8n', async () => {
		return await startN8n({ userFolder, port, env: { ...env, ...packageEnvironment(packed) } });
	});
	try {
		const api = new N8nApi(n8n.url);
		await api.setUpOrLogIn(owner);
		await step('Installing this package into n8n', async () => {
			await installPackage(api, packed, userFolder);
		});
		return { n8n, api, credential: await saveCredential(api, credentialData) };
	} catch (error) {
		await n8n.stop();
		throw error;
	}
}

/** Kills n8n, as a crash or a power failure does. */
export async function killN8n({ n8n }: Instance) {
	process.kill(n8n.pid, 'SIGKILL');
	await n8n.ended;
}

/** Starts n8n in the same folder again, without its editor, which takes a third of the time; the owner stays logged in. */
export async function restartN8n(instance: Instance, userFolder: string): Promise<Instance> {
	const n8n = await startN8n({ userFolder, env: { N8N_DISABLE_UI: 'true' } });
	return { ...instance, n8n, api: new N8nApi(n8n.url, instance.api.session) };
}
