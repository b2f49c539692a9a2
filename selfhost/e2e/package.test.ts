import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ownerAt, world } from './environment';

interface Manifest {
	name: string;
	version: string;
	n8n: { nodes: string[] };
}

const manifest = JSON.parse(
	readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8'),
) as Manifest;

/** `dist/nodes/Corrigo/CorrigoTrigger.node.js` is the node type `corrigoTrigger`. */
function nodeTypeOf(file: string) {
	const className = file.replace(/^.*\//, '').replace('.node.js', '');
	return `${manifest.name}.${className[0].toLowerCase()}${className.slice(1)}`;
}

describe('the package in n8n', () => {
	const { credential, credentialData } = world();
	const api = ownerAt(world());

	it('is installed as a community package with every node of its manifest', async () => {
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

	it('passes the test of a credential for the sandbox', async () => {
		expect(await api.testCredential(credential.id)).toMatchObject({ status: 'OK' });
	});

	it('fails the test of a credential with a wrong secret, without telling the secret', async () => {
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
