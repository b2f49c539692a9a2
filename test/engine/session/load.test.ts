import { join } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';

import { n8n } from '../../../package.json';
import { builtFile } from '../../package/built';

const nameClass = (file: string) => /([^/]+)\.(node|credentials)\.js$/.exec(file)?.[1] ?? file;
const lowerFirst = (name: string) => name[0].toLowerCase() + name.slice(1);

it('the built package loads into n8n: nodes, credentials, icons, search words', async () => {
	n8n.nodes.forEach(builtFile);
	const loader = new PackageDirectoryLoader(join(__dirname, '..', '..', '..'));
	await loader.loadAll();

	const nodes = n8n.nodes.map((file) => lowerFirst(nameClass(file)));
	expect(loader.packageName).toBe('n8n-nodes-corrigo');
	expect(loader.types.nodes.map(({ name }) => name).sort()).toEqual(nodes.sort());
	expect(loader.types.credentials.map(({ name }) => name)).toEqual(['corrigoApi']);

	for (const { name, codex, iconUrl } of loader.types.nodes) {
		expect({ name, alias: codex?.alias }).toEqual({
			name,
			alias: expect.arrayContaining(['work order', 'CMMS', 'emergency']) as unknown,
		});
		expect(iconUrl).toEqual({
			light: 'icons/n8n-nodes-corrigo/dist/icons/corrigo.svg',
			dark: 'icons/n8n-nodes-corrigo/dist/icons/corrigo.dark.svg',
		});
	}
	// The node panel merges the trigger into the action: it searches the words of the action alone.
	const [action, trigger] = ['corrigo', 'corrigoTrigger'].map((name) =>
		loader.types.nodes.find((node) => node.name === name),
	);
	expect(action?.codex?.alias).toEqual(
		expect.arrayContaining([
			...['create or update customer', 'equipment', 'repair', 'property', 'service request'],
			...['invoice', 'asset', 'vendor', ...(trigger?.codex?.alias ?? [])],
		]),
	);
	expect(trigger?.description).toBe(action?.description);
	expect(loader.known.credentials.corrigoApi.supportedNodes?.sort()).toEqual(nodes.sort());
});
