/** n8n hides the named fields of an output: they must be where the node puts secrets. */
import type { IDataObject } from 'n8n-workflow';

import { sensitiveOutputFields } from '../../../nodes/Corrigo/form/fields';
import type { Row } from '../../../sandbox';
import { byId, byName, jsonOf, shareCompany } from '../../support/company';

const { n8n, records } = shareCompany();

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

async function expectHidden(secret: string, operation: string, parameters: object) {
	const run = await n8n.succeed(operation, parameters);
	expect(run.items).not.toEqual([]);
	for (const json of jsonOf(run.items)) {
		const shown = structuredClone(json);
		for (const path of sensitiveOutputFields) hide(shown, path);
		expect(JSON.stringify(json)).toContain(secret);
		expect(JSON.stringify(shown)).not.toContain(secret);
	}
}

// Promise: No form shows a secret, nothing that n8n stores contains a secret or token
describe('a password is in no output of', () => {
	const [SECRET, dryRun] = ['hunter-2', { options: { dryRun: 'always' } }];
	const before = { options: { returnBefore: true } };
	const spellings = ['Password', 'password', 'PASSWORD'];

	it.each(
		spellings.flatMap((name) => [
			[name, 'a dry run', dryRun],
			[name, 'an update with Return Before', before],
		]),
	)('%s in %s', async (name, _, options) => {
		const [id] = records.ids('Employee');
		const update = { id: byId(id), fieldsJson: { [name]: SECRET, JobTitle: 'Plumber' } };
		const run = await n8n.run('employee:update', { ...update, ...options });
		expect(JSON.stringify([jsonOf(run.items), run.error?.message])).not.toContain(SECRET);
		expect(records.get('Employee', id as number).JobTitle === 'Plumber').toBe(
			'returnBefore' in options.options && run.error === undefined,
		);
	});

	it.each(
		['UpdateCommand', 'NobodyKnowsThis'].flatMap((command) =>
			spellings.map((name) => [command, name]),
		),
	)('the command %s with an entity: %s', async (commandName, name) => {
		const Entity = { $type: 'Employee', Id: records.ids('Employee')[0], [name]: SECRET };
		const command = { commandName: byName(commandName), commandBody: { Entity } };
		const { items } = await n8n.succeed('command:execute', { ...command, ...dryRun });
		expect(items[0].json).toHaveProperty('WouldSend.body.Command.Entity');
		expect(JSON.stringify(items)).not.toContain(SECRET);
	});
});

describe('the link to a file is not shown by', () => {
	const LINK = 'https://example.org/secret-link';
	let document: Row;

	beforeEach(() => {
		[document] = records.rows('Document');
		records.change('Document', document.Id, { StorageTypeId: 'URL', DocUrl: LINK });
	});

	it.each<[string, (document: Row) => object]>([
		['document:get', ({ Id }) => ({ id: byId(Id) })],
		['record:getMany', () => ({ entity: byName('Document'), options: { compactOutput: true } })],
		['workOrder:getDetails', ({ ActorId }) => ({ id: byId(ActorId) })],
		[
			'workOrder:getDetails',
			({ ActorId }) => ({ id: byId(ActorId), options: { compactOutput: true } }),
		],
	])('%s: %s', async (operation, buildForm) => {
		await expectHidden(LINK, operation, buildForm(document));
	});

	it('a dry run, an update with Return Before, and a command', async () => {
		const update = { id: byId(document.Id), fieldsJson: { DocUrl: `${LINK}-2` } };
		await expectHidden(LINK, 'document:update', { ...update, options: { dryRun: 'always' } });
		for (const name of ['DocUrl', 'docUrl', 'DocUrl'.toUpperCase()]) {
			const Entity = { Id: document.Id, [name]: LINK };
			const command = { commandName: byName('UpdateCommand'), commandBody: { Entity } };
			await expectHidden(LINK, 'command:execute', { ...command, options: { dryRun: 'always' } });
		}
		await expectHidden(LINK, 'document:update', { ...update, options: { returnBefore: true } });
	});

	it('the command that makes one', async () => {
		const commandName = byName('GetDocDownloadUrlCommand');
		const commandBody = { DocumentIds: [document.Id] };
		await expectHidden('http', 'command:execute', { commandName, commandBody });
	});
});
