/** n8n hides the named fields of an output: they must be where the node puts secrets. */
import { inspect } from 'node:util';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CorrigoDesk } from '../../../nodes/Corrigo/CorrigoDesk.node';
import { sensitiveOutputFields } from '../../../nodes/Corrigo/form/fields';
import type { Row } from '../../../sandbox';
import { cases } from '../../cases';
import {
	byId,
	byName,
	connectEngine,
	filledIn,
	jsonOf,
	mappedByName,
	rejection,
	shareCompany,
} from '../../support/company';
import type { Engine } from '../../support/engine';
import type { Run } from '../../support/run';

const company = shareCompany();
const { n8n, records, requests } = company;

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

// Promise: No form shows a secret. Nothing that n8n stores contains a secret or token
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

// Promise: No form shows a secret. Nothing that n8n stores contains a secret or token
describe('the value of a secret member is in no message and no output', () => {
	const SECRET = 'hunter-2 "\\&\'s';
	const NUMBER = 770_011_223_344;
	/** Beginnings of both, in any case, and of numbers that lose digits. */
	const ANY_PART = /hunt|7700112|7\.7001/i;

	const MEMBERS = ['Password', 'newPassword', 'OLD_PASSWORD', 'ClientSecret'].concat(
		...['PIN', 'Pwd', 'ApiKey'],
	);

	/** Each is refused somewhere: by the form, by the node, or by the service. */
	const PLACES: Record<string, (member: string) => unknown> = {
		text: (member) => ({ [member]: SECRET }),
		// Fails before anything is sent, in the words of the other fields.
		repeated: (member) => ({ [member]: [SECRET, NUMBER], Role: SECRET, LanguageId: `x${NUMBER}` }),
		list: (member) => ({ [member]: [SECRET] }),
		object: (member) => ({ [member]: { Value: SECRET } }),
		numbers: (member) => ({ [member]: [NUMBER, { Other: NUMBER }] }),
		row: (member) => [{ [member]: SECRET }],
		namedRow: (member) => ({ Rows: [{ Name: member, Value: SECRET }] }),
		condition: (member) => ({
			Conditions: [{ PropertyName: member, Operator: 'Like', Values: [SECRET, NUMBER] }],
		}),
		textOfMember: (member) => ({ JobTitle: JSON.stringify({ [member]: SECRET }) }),
		jsonInJson: (member) => JSON.stringify(JSON.stringify({ [member]: [SECRET] })),
		inexactNumber: (member) => `{"${member}": 77001122334455667788}`,
		inexactRow: (member) => `[{"Name": "${member}", "Value": 77001122334455667788}]`,
		cutJson: (member) => JSON.stringify({ [member]: SECRET }).slice(0, -1),
		blanks: (member) => `{"${member}"${' '.repeat(20)}: "${SECRET}`,
		noComma: (member) => `${JSON.stringify({ [member]: SECRET }).slice(0, -1)} "Id": 1}`,
		noQuotes: (member) => `{"${member}": ${SECRET}}`,
		twice: (member) => `{"${member}": "x", "${member}": ${JSON.stringify(SECRET)}}`,
		xml: (member) => `<${member}>${SECRET}</${member}>`,
		sentence: (member) => `${member}: ${SECRET}, and more`,
	};

	const employee = () => byId(records.ids('Employee')[0]);
	const run = (operation: string, form: object, given?: unknown) =>
		n8n.run(operation, form, given ? { items: [{ json: given as IDataObject }] } : {});
	const isJson = (given: unknown): given is IDataObject => isRecord(given);
	const callDesk = async (operation: string, fields: object, options: object) => {
		const said = { operation, fields: JSON.stringify(fields) };
		const parameters = {
			writes: ['command:execute', 'employee:update'],
			options,
		} as INodeParameters;
		return await desk.runTool({ node: 'corrigoDesk', parameters, arguments: said });
	};

	/** Gives a value to a field of the node; undefined where the field takes no such value. */
	const WAYS: Record<string, (given: unknown, options: object) => Promise<Run> | undefined> = {
		update: (given, options) =>
			run('employee:update', { id: employee(), fieldsJson: given, options }),
		create: (given, options) => run('employee:create', { fieldsJson: given, options }),
		key: (given, options) =>
			run('employee:upsert', { fieldsJson: given, matchOn: 'Password', options }),
		command: (given, options) =>
			run('command:execute', {
				...{ commandName: byName('PasswordChangeCommand'), commandBody: given, options },
			}),
		unknownCommand: (given, options) =>
			run('command:execute', {
				...{ commandName: byName('NobodyKnowsThis'), commandBody: given, options },
			}),
		restore: (given, options) => {
			const before = { EntityType: 'Employee', Id: 1, Written: given };
			return run('record:restoreValues', { entity: byName('Employee'), before, options });
		},
		columns: (given, options) =>
			isJson(given)
				? run('employee:update', { id: employee(), fields: filledIn(given), options })
				: undefined,
		mapped: (given, options) =>
			isJson(given)
				? run('employee:update', { ...mappedByName([]), id: employee(), options }, given)
				: undefined,
		criteria: (given, options) =>
			run('record:getMany', { entity: byName('Employee'), criteriaJson: given, options }),
		conditions: (given) => {
			const values = isJson(given)
				? Object.entries(given).map(([property, value]) => ({
						...{ property: byId(property), operator: 'Equal', value },
					}))
				: [{ property: byId('Id'), operator: 'Equal', value: given }];
			return run('record:getMany', { entity: byName('Employee'), conditions: { values } });
		},
		desk: (given, options) =>
			callDesk(
				...['command:execute', { commandName: 'NobodyKnowsThis', commandBody: given }, options],
			),
		fieldOfDesk: (given, options) =>
			callDesk('employee:update', { id: given, fieldsJson: given }, options),
	};

	/** How Corrigo may repeat in its refusal what it got. */
	const REPETITIONS: Record<string, (text: string) => string> = {
		asItIs: (text) => text,
		upperCase: (text) => text.toUpperCase(),
		json: (text) => JSON.stringify(text),
		codes: (text) => text.replace(/'/g, '\\u0027').replace(/"/g, '&quot;'),
		address: (text) => encodeURIComponent(text),
		dots: (text) => `${text.slice(0, 5)}...`,
		cut: (text) => text.slice(0, 6),
	};

	const repeatsRequest = (text: string) => ({
		...{ match: { server: 'api' as const }, kind: 'status' as const, status: 400 },
		body: { ErrorCode: 'BUSINESS_LOGIC_ERROR', ErrorMessage: `Not accepted: ${text}` },
	});

	const holds = (given: unknown, secret: string) =>
		JSON.stringify(given).includes(secret.slice(0, 8));

	const getShown = ({ items, hints, error }: Run): string => {
		const stored = { ...error, node: undefined };
		const { message, stack } = (error ?? {}) as Partial<Error>;
		return inspect([jsonOf(items ?? []), hints, stored, message, stack], {
			...{ depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity },
		});
	};

	let desk: Engine;
	beforeAll(() => {
		desk = connectEngine(company.sandbox, { corrigoDesk: CorrigoDesk });
	});
	afterEach(() => company.sandbox.clearFaults());

	it.each(Object.keys(WAYS))('%s', async (way) => {
		let turn = way.length;
		for (const [place, build] of Object.entries(PLACES)) {
			const members = cases([MEMBERS[++turn % MEMBERS.length]], MEMBERS);
			for (const member of members) {
				const given = build(member);
				const expectHidden = async (out: string, options: object) => {
					const ran = await WAYS[way](given, options);
					if (ran === undefined) return;
					expect([way, place, member, out, getShown(ran)]).toEqual([
						...[way, place, member, out, expect.not.stringMatching(ANY_PART)],
					]);
				};
				await expectHidden('dry run', { dryRun: 'always' });
				const all = Object.keys(REPETITIONS);
				for (const out of cases([all[turn % all.length], all[(turn + 3) % all.length]], all)) {
					const secrets = [SECRET, String(NUMBER)].filter((secret) => holds(given, secret));
					for (const secret of secrets) {
						const text = REPETITIONS[out](secret);
						company.sandbox.clearFaults();
						company.sandbox.fault({ ...repeatsRequest(text), times: 9 });
						await expectHidden(out, {});
					}
					company.sandbox.clearFaults();
				}
			}
		}
	});
});

it.each<[string, string, object]>([
	['flag', 'WoFlagCommand', { Comment: 'x', Pin: 'flag work order', ApiKey: 'wouldRun' }],
	['comment', 'WoFlagCommand', { Comment: 'delete everything', Token: 'delete everything' }],
])(
	'a secret hides no word of the package, and a field that repeats it gets no key: %s',
	async (kind, name, more) => {
		const commandBody = { WorkOrderId: records.ids('WorkOrder')[0], ...more };
		const command = { commandName: byName(name), commandBody, options: { dryRun: 'always' } };
		const [{ json }] = (await n8n.succeed('command:execute', command)).items;
		expect(json).toMatchObject({
			Outcome: 'wouldRun',
			Summary: expect.stringMatching(/^Would flag work order/),
		});
		expect('ConfirmationKey' in json).toBe(kind === 'flag');
		if (kind === 'comment') expect(json.Summary).toContain('a field repeats a secret');
	},
);

it.each<[string, () => object]>([
	[
		'note:create',
		() => ({
			workOrder: byId(records.ids('WorkOrder')[0]),
			type: 'Public',
			body: '={{ $json.text }}',
		}),
	],
	[
		'employee:update',
		() => ({ id: byId(records.ids('Employee')[0]), fieldsJson: '={{ { LastName: $json.text } }}' }),
	],
])(
	'a dry run shows no secret of its item that another field repeats: %s',
	async (operation, build) => {
		const items = [{ json: { Password: 'hunter2secret', text: 'hunter2secret' } }];
		const parameters = { ...build(), options: { dryRun: 'always' } };
		const [{ json }] = (await n8n.succeed(operation, parameters, { items })).items;
		expect(json.Outcome).toMatch(/^would/);
		expect(inspect(json)).not.toContain('hunter2secret');
		expect(json).not.toHaveProperty('ConfirmationKey');
		expect(json.Summary).toContain('a field repeats a secret');
	},
);

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

	it('a refusal of an upload', async () => {
		const upload = { actorTypeId: 'WO', actorId: byId(document.ActorId), documentType: byId(3) };
		const link = { ...upload, source: 'link', url: LINK };
		for (const ErrorMessage of [`Not a link: ${LINK}`, LINK.toUpperCase(), `'${LINK}`]) {
			const body = { ErrorCode: 'BUSINESS_LOGIC_ERROR', ErrorMessage };
			company.sandbox.fault({ match: { server: 'api' }, kind: 'status', status: 400, body });
			const run = await n8n.run('document:upload', link);
			expect(run.error?.message).toContain('***');
			expect(inspect(run.error?.message)).not.toMatch(/secret-link/i);
		}
		const wrong = await n8n.refuse('document:upload', { ...link, url: 'ftp://x/?sig=secret-link' });
		expect(wrong.message).toBe("'URL' must be a web address, but it is (not shown)");
	});

	it('the command that makes one', async () => {
		const commandName = byName('GetDocDownloadUrlCommand');
		const commandBody = { DocumentIds: [document.Id] };
		await expectHidden('http', 'command:execute', { commandName, commandBody });
	});
});

it('the name of another item in an error is not shown if it is a secret of that item', async () => {
	const [first, second] = records.ids('Employee');
	const given = { Password: 'hunter2secret', FirstName: 'Ava' };
	const items = [
		{ json: { Id: first, ...given, DisplayAs: 'hunter2secret' } },
		{ json: { Id: second, ...given, DisplayAs: 'Other' } },
	];
	requests.fault(rejection('/base/Employee', { ErrorMessage: 'No' }, { after: 1 }));
	const fieldsJson = "={{ JSON.stringify({ Password: $json.Password, FirstName: 'Ava' }) }}";
	const form = { id: byId('={{ $json.Id }}'), fieldsMode: 'json', fieldsJson };
	const { error } = await n8n.run('employee:update', form, { items });
	expect(error?.description).toContain('1 of 2 items had been carried out before (***)');
});
