/** n8n hides the named fields of an output: they must be where the node puts secrets. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sensitiveOutputFields } from '../../nodes/Corrigo/form/fields';
import { byId, byName, jsonOf, sharedDesk } from './desk';

const desk = sharedDesk();

const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Empties a field as n8n does: `a.b[*].c` goes through the list b. */
function hide(json: IDataObject, path: string): void {
	const [first, ...rest] = path.split('.');
	const name = first.replace('[*]', '');
	if (rest.length === 0) {
		if (name in json) json[name] = null;
		return;
	}
	for (const one of [json[name]].flat()) if (isRecord(one)) hide(one, rest.join('.'));
}

async function outputOf(operation: string, parameters: INodeParameters): Promise<string[]> {
	const run = await desk.succeed(operation, parameters);
	return jsonOf(run.items).map((json) => {
		const shown = structuredClone(json);
		for (const path of sensitiveOutputFields) hide(shown, path);
		return [json, shown].map((one) => JSON.stringify(one)).join('\n');
	});
}

const expectHidden = (outputs: string[], secret: string) => {
	expect(outputs).not.toEqual([]);
	for (const output of outputs) {
		const [whole, shown] = output.split('\n');
		expect(whole).toContain(secret);
		expect(shown).not.toContain(secret);
	}
};

it('a dry run shows no password', async () => {
	const [{ Id }] = desk.rows('Employee');
	const options = { dryRun: 'always' };
	const fieldsJson = JSON.stringify({ Password: 'hunter-2' });
	const update = { id: byId(Id), fieldsJson, options };
	expectHidden(await outputOf('employee:update', update), 'hunter-2');
});

describe('the link to a file is not shown by', () => {
	const LINK = 'https://example.org/secret-link';
	const document = () => {
		const [{ Id, ActorId }] = desk.rows('Document');
		desk.change('Document', Id, { StorageTypeId: 'URL', DocUrl: LINK });
		return { id: byId(Id), order: byId(ActorId), Id };
	};

	it('Get', async () => {
		const { id } = document();
		expectHidden(await outputOf('document:get', { id }), LINK);
	});

	it('Get Many with Compact Output', async () => {
		document();
		const options = { compactOutput: true };
		expectHidden(await outputOf('record:getMany', { entity: byName('Document'), options }), LINK);
	});

	it('Get Details', async () => {
		const { order } = document();
		expectHidden(await outputOf('workOrder:getDetails', { id: order }), LINK);
	});

	it('the command that makes one', async () => {
		const { Id } = document();
		const commandBody = JSON.stringify({ DocumentIds: [Id] });
		const commandName = byName('GetDocDownloadUrlCommand');
		expectHidden(await outputOf('command:execute', { commandName, commandBody }), 'http');
	});
});
