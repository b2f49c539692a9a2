/** n8n hides the named fields of an output: they must be where the node puts secrets. */
import type { IDataObject } from 'n8n-workflow';

import { sensitiveOutputFields } from '../../../nodes/Corrigo/form/fields';
import type { Row } from '../../../sandbox';
import { byId, byName, jsonOf, shareCompany } from '../../support/company';

const company = shareCompany();
const { n8n, records } = company;

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

// Promise: No form shows a secret, nothing that n8n stores contains a secret or token
describe('the value of a secret member is in no message and no output', () => {
	const SECRET = 'hunter-2 "\\&';
	const MEMBERS = ['Password', 'password', 'NewPassword', 'OldPassword', 'ClientSecret'];
	/** Each is refused somewhere: by the form, by the node, or by the service. */
	const VALUES: Array<[string, (member: string) => unknown]> = [
		['a text', (member) => ({ [member]: SECRET })],
		['a list', (member) => ({ [member]: [SECRET] })],
		['an object', (member) => ({ [member]: { Value: SECRET } })],
		['a number that is not exact', (member) => `{"${member}": 77001122334455667788}`],
		['a row', (member) => [{ [member]: SECRET }]],
		['JSON that is cut', (member) => JSON.stringify({ [member]: SECRET }).slice(0, -1)],
		[
			'JSON without a comma',
			(member) => `${JSON.stringify({ [member]: SECRET }).slice(0, -1)} "Id": 1}`,
		],
		['JSON without quotes', (member) => `{"${member}": ${SECRET}}`],
		['JSON twice', (member) => `{"${member}": "x", "${member}": ${JSON.stringify(SECRET)}}`],
	];
	const WAYS: Array<[string, (given: unknown) => [string, object]]> = [
		[
			'update',
			(given) => ['employee:update', { id: byId(records.ids('Employee')[0]), fieldsJson: given }],
		],
		['create', (given) => ['employee:create', { fieldsJson: given }]],
		['key', (given) => ['employee:upsert', { fieldsJson: given, matchOn: 'Password' }]],
		[
			'command',
			(given) => [
				'command:execute',
				{ commandName: byName('PasswordChangeCommand'), commandBody: given },
			],
		],
		[
			'restore',
			(given) => [
				'record:restoreValues',
				{ entity: byName('Employee'), before: { EntityType: 'Employee', Id: 1, Written: given } },
			],
		],
	];
	const PARTS = ['hunter', '77001122334455667788', '7.7001'];

	const repeatsRequest = (text: string) => ({
		...{ match: { server: 'api' as const }, kind: 'status' as const, status: 400 },
		body: { ErrorCode: 'BUSINESS_LOGIC_ERROR', ErrorMessage: `Not accepted: ${text}` },
	});

	it.each(WAYS)('%s', async (_, fill) => {
		for (const member of MEMBERS) {
			for (const [kind, build] of VALUES) {
				for (const options of [{}, { dryRun: 'always' }]) {
					const value = build(member);
					const [operation, form] = fill(value);
					const text = typeof value === 'string' ? value : JSON.stringify(value);
					for (const repeated of 'dryRun' in options
						? ['']
						: [SECRET, JSON.stringify(SECRET), text]) {
						company.sandbox.clearFaults();
						company.sandbox.fault({ ...repeatsRequest(repeated), times: 9 });
						const run = await n8n.run(operation, { ...form, options });
						const { message, description } = run.error ?? {};
						const shown = JSON.stringify([run.items, message, description, run.hints]);
						for (const part of PARTS)
							expect([kind, member, shown]).toEqual([
								kind,
								member,
								expect.not.stringContaining(part),
							]);
					}
				}
			}
		}
		company.sandbox.clearFaults();
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

	it('a dry run of an upload, whose title repeats it, or of a note with it', async () => {
		const upload = { actorTypeId: 'WO', actorId: byId(document.ActorId), documentType: byId(3) };
		const link = { source: 'link', url: LINK, options: { dryRun: 'always' } };
		const long = `${LINK}?sig=${'x'.repeat(300)}`;
		const summaries = await n8n.succeed('document:upload', {
			...{ ...upload, ...link, url: long, additionalFields: { title: long } },
		});
		expect(summaries.items[0].json.Summary).not.toContain('secret-link');
		for (const additionalFields of [{}, { title: `See ${LINK}` }, { description: LINK }]) {
			await expectHidden(LINK, 'document:upload', { ...upload, ...link, additionalFields });
		}
	});

	it('the command that makes one', async () => {
		const commandName = byName('GetDocDownloadUrlCommand');
		const commandBody = { DocumentIds: [document.Id] };
		await expectHidden('http', 'command:execute', { commandName, commandBody });
	});
});
