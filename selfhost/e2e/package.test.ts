import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../build';
import { ownerApi, testEnvironment } from './environment';

interface Manifest {
	name: string;
	version: string;
	n8n: { nodes: string[] };
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** Converts `dist/nodes/Corrigo/CorrigoTrigger.node.js` to the type `corrigoTrigger`. */
function nodeTypeOf(file: string) {
	const className = file.replace(/^.*\//, '').replace('.node.js', '');
	return `${manifest.name}.${className[0].toLowerCase()}${className.slice(1)}`;
}

describe('the package in n8n', () => {
	const { credential, credentialData } = testEnvironment();
	const api = ownerApi(testEnvironment());

	// Promise: The package installs as a community package
	it('is installed as a community package with every node of the manifest', async () => {
		const installed = await api.communityPackages();

		expect(installed).toHaveLength(1);
		expect(installed[0]).toMatchObject({
			packageName: manifest.name,
			installedVersion: manifest.version,
			failedLoading: false,
		});
		expect(installed[0].installedNodes.map(({ type }) => type).sort()).toEqual(
			manifest.n8n.nodes.map(nodeTypeOf).sort(),
		);
	});

	it('passes the credential test with the credential of the sandbox', async () => {
		expect(await api.testCredential(credential.id)).toMatchObject({ status: 'OK' });
	});

	it('fails the credential test with a wrong secret and does not show the secret', async () => {
		const clientSecret = 'not-the-secret-of-this-company';
		const wrong = await api.createCredential('Wrong secret', credential.type, {
			...credentialData,
			clientSecret,
		});

		const { status, message } = await api.testCredential(wrong.id);

		await api.deleteCredential(wrong);
		expect(status).toBe('Error');
		expect(message).not.toContain(clientSecret);
	});
});
