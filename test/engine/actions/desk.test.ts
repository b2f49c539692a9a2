/** One tool of an agent with several operations: a model describes them, and calls those that are allowed. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { CorrigoDesk } from '../../../nodes/Corrigo/CorrigoDesk.node';
import { byName, connectEngine, mappedByName, shareCompany } from '../../support/company';
import { TYPE, typeOfNode } from '../../support/nodes';
import type { Engine } from '../../support/engine';
import { startCpuTime } from '../../support/cpu';

const company = shareCompany();
const { requests } = company;
let engine: Engine;

beforeAll(() => {
	engine = connectEngine(company.sandbox, { corrigo: Corrigo, corrigoDesk: CorrigoDesk });
});

const WRITES = ['note:create', 'workOrder:create', 'workOrder:hold'];

interface CallOptions {
	parameters?: INodeParameters;
	isRequested?: true;
}

/** Returns what the model reads. */
async function call(operation: string, fields: IDataObject = {}, options: CallOptions = {}) {
	const said = { operation, fields: JSON.stringify(fields) };
	const run = await engine.runTool({ node: 'corrigoDesk', ...options, arguments: said });
	return String(run.items[0]?.json.response ?? run.items[0]?.json.error ?? run.error?.message);
}

const read = async (...given: Parameters<typeof call>) =>
	JSON.parse(await call(...given)) as IDataObject[];

it.each(['describe', '', 'null'])(
	'lists the allowed operations to a model that says %j',
	async (said) => {
		expect(await read(said, {}, { parameters: { writes: ['note:create'] } })).toEqual([
			{ operation: 'customer:getMany', does: 'Get many customers' },
			{ operation: 'workOrder:getDetails', does: 'Get details of work order' },
			{ operation: 'workOrder:getMany', does: 'Get many work orders' },
			{ operation: 'note:create', does: 'Create work order note' },
		]);
		expect(requests.sent()).toEqual([]);
	},
);

it('describes the fields of an operation, those for people left out', async () => {
	const [{ filters, limit, ...more }] = await read('describe workOrder:getMany');
	expect(filters).toMatchObject({ customer: expect.stringContaining('Customer; name or ID') });
	expect(limit).toMatch(/^Limit; number; only with .*; Max number of results to return/);
	expect(more).not.toHaveProperty('options');
	const [created] = await read('describe workOrder:create', {}, { parameters: { writes: WRITES } });
	expect(created).toMatchObject({
		subType: expect.stringContaining('Sub Type; required; name or ID'),
		items: [{ comment: expect.any(String) }],
	});
	expect(created).not.toHaveProperty('customFields');
	expect(created.additionalFields).toHaveProperty('externalNumber');
	const [written] = await read(
		'describe workOrder:upsert',
		{},
		{ parameters: { writes: ['workOrder:upsert'] } },
	);
	expect(written).toHaveProperty('externalNumber');
	expect(written.additionalFields).not.toHaveProperty('externalNumber');
});

it.each([
	['the agent', {}],
	['n8n', { isRequested: true as const }],
])('reads in few characters when %s runs the tool', async (_, options) => {
	const filters = { open: true };
	const [found] = await read('workOrder:getMany', { filters, limit: 2 }, options);
	expect(found).toMatchObject({ records: [{}, {}], total: 2, complete: false });
});

const order = (site: string) => ({
	...{ subType: 'Service Request', customer: site, typeCategory: 'Request' },
	items: [{ asset: 'Roof', task: 'Leak > 1 gallon/hour', comment: 'It drips' }],
});

it('writes what is ticked, by names, with the fields that are fixed', async () => {
	const fixed = { 'workOrder:create': { additionalFields: { poNumber: 'PO-1' } } };
	const parameters = { writes: WRITES, fixed: JSON.stringify(fixed) };
	const said = { ...order('Pine Street Dental'), additionalFields: { poNumber: 'PO-1' } };
	const [{ Number: number }] = await read('workOrder:create', said, { parameters });
	const [{ Command }] = requests.bodies();
	expect(Command?.WorkOrder).toMatchObject({ PoNumber: 'PO-1' });
	await read(
		'note:create',
		{ workOrder: number, body: 'A bucket', type: 'Private' },
		{ parameters },
	);
	expect(requests.bodies()).toHaveLength(2);
});

const FIXED_GROUP = { additionalFields: { poNumber: 'PO-1' } };
const add = (member: IDataObject) => ({ additionalFields: member });

it.each<[string, string, IDataObject, IDataObject]>([
	[
		'Additional Fields > Contact Name',
		'workOrder:create',
		FIXED_GROUP,
		add({ contactName: 'Ava' }),
	],
	['Additional Fields > PO Number', 'workOrder:create', FIXED_GROUP, add({ poNumber: 'mine' })],
	['Note Type', 'note:create', { type: 'Private' }, { type: 'Public' }],
	['Limit', 'workOrder:getMany', { limit: 2 }, { limit: 50 }],
	['Return All', 'workOrder:getMany', { limit: 2 }, { returnAll: true }],
])(
	'refuses what a model says for %s next to a fixed field',
	async (label, operation, fixed, said) => {
		const parameters = { writes: WRITES, fixed: JSON.stringify({ [operation]: fixed }) };
		expect(await call(operation, said, { parameters })).toBe(
			`'${label}' has no effect next to a fixed field\n\nnextAction: Leave out '${label}'.`,
		);
		expect(requests.sent()).toEqual([]);
	},
);

it('takes a JSON number for the ID of a work order that it has returned', async () => {
	const [{ records }] = await read('workOrder:getMany', { limit: 1 });
	const [{ Id, Number: number }] = records as IDataObject[];
	const other = company.records.insert('WorkOrder', {
		Number: `DTC${String(Id).padStart(7, '0')}`,
	});
	for (const id of [Id, { mode: 'id', value: Id }, { Id, Number: 'other' }, number]) {
		const [found] = await read('workOrder:getDetails', { id });
		expect([found.Id, other === Id]).toEqual([Id, false]);
	}
});

it('names choices that are numbers, and takes their names and the numbers', async () => {
	const parameters = { writes: ['workZone:create'] };
	const [{ additionalFields }] = await read('describe workZone:create', {}, { parameters });
	expect(additionalFields).toHaveProperty(
		'timeZone',
		expect.stringContaining('one of Africa/Cairo,'),
	);
	for (const timeZone of ['africa/cairo', 120, '120']) {
		const zone = { name: 'Harbor', numberPrefix: 'HAR', assetTemplate: 'Standard Unit' };
		const said = { ...zone, additionalFields: { timeZone } };
		const [{ TimeZone }] = await read('workZone:create', said, { parameters });
		expect([timeZone, TimeZone]).toEqual([timeZone, 'Africa/Cairo']);
		company.fresh();
	}
	const wrong = { additionalFields: { timeZone: 'US/Eastern' } };
	expect(await call('workZone:create', wrong, { parameters })).toMatch(
		/must be one of Africa\/Cairo,/,
	);
});

it('says what was left out of a write', async () => {
	const { Id, Number: number } = company.records.rows('WorkOrder')[0];
	const fieldsJson = { PoNumber: 'P', VendorNte: { Value: null, CurrencyTypeId: 'USD' } };
	const parameters = { writes: ['workOrder:update'] };
	const [answer] = await read(
		'workOrder:update',
		{ id: String(number), fieldsJson },
		{ parameters },
	);
	expect(answer).toMatchObject({ Id, Hints: [expect.stringMatching(/^Left out .*: VendorNte$/)] });
	expect(requests.bodies().at(-1)?.Entity).toEqual({ Id, PoNumber: 'P' });
});

it('says what was left out of a read', async () => {
	const parameters = { reads: ['invoice:getMany', 'workOrder:getMany'] };
	const [answer] = await read('invoice:getMany', { filters: {}, limit: 2 }, { parameters });
	// A model cannot set the options that a person is told of.
	expect(answer.Hints).toContain('Orders without a vendor invoice are left out.');
	const [found] = await read('workOrder:getMany', { limit: 2 }, { parameters });
	expect(found.Hints).toEqual(["Stopped at 'Limit': there may be more."]);
});

it('writes nothing in a dry run', async () => {
	const parameters = { writes: WRITES, options: { dryRun: 'always' } };
	expect(await call('workOrder:create', order('Pine Street Dental'), { parameters })).toContain(
		'wouldCreate',
	);
	expect(requests.writes()).toEqual([]);
});

it('names each field once to a model that says another one', async () => {
	const answer = await call('workOrder:create', { site: 'x' }, { parameters: { writes: WRITES } });
	const names = /The fields are: (.*)\./.exec(answer)?.[1].split(', ') ?? [];
	expect(names).toContain('customer');
	expect(names).toEqual([...new Set(names)]);
});

it.each([
	[
		'an operation that is not ticked',
		'workOrder:create',
		{},
		/"workOrder:create", which is not allowed here.*Allowed are: customer:getMany/s,
	],
	[
		'an unknown field',
		'workOrder:getMany',
		{ site: 'x' },
		/"site" is not a field of this operation.*The fields are: return, /s,
	],
	[
		'an unknown field of a group',
		'workOrder:getMany',
		{ filters: { site: 'x' } },
		/"Filters > site" is not a field/,
	],
	[
		'options, which are for people',
		'workOrder:getMany',
		{ options: { dryRun: 'never' } },
		/"options" is not a field/,
	],
	[
		'filters that are no object',
		'workOrder:getMany',
		{ filters: ['open'] },
		/^'Filters' must be an object, as describe shows filters, but it is/,
	],
	[
		'rows that are no objects',
		'workOrder:getMany',
		{ searchBy: 'conditions', conditions: 'StatusId = New' },
		/^'Conditions' must be an object, as describe shows conditions, but it is "StatusId = New"/,
	],
	[
		'digits that may be the ID or the number of a work order',
		'workOrder:getDetails',
		{ id: '50001' },
		/^'Work Order' is "50001", which may be an ID or a number.*"mode": "id".*"mode": "number"/s,
	],
	[
		'such digits for one of several kinds of records',
		'document:upload',
		{ actorId: '50001', actorTypeId: 'WO', documentType: 5, source: 'link', url: 'https://x.org' },
		/^'Work Order' is "50001", which may be an ID or a number/,
	],
	[
		'such digits where work orders are searched, as nothing else is said',
		'document:getMany',
		{ actorId: '50001' },
		/^'Work Order' is "50001", which may be an ID or a number/,
	],
	[
		'a mode that there is not',
		'workOrder:getDetails',
		{ id: { mode: 'weird', value: 50001 } },
		/^'Work Order > mode' must be one of .*number.*, but it is "weird"/,
	],
	[
		'a record without an Id',
		'workOrder:getMany',
		{ filters: { customer: { DisplayAs: 'Pine Street Dental' } } },
		/^'Filters > Customer > mode' must be one of .*, but it is empty/,
	],
	[
		'a record that there is not',
		'workOrder:getMany',
		{ filters: { customer: 'Pine Street' } },
		/no customer is named .*Pine Street Dental/s,
	],
	[
		'a field that is left out, whatever a new node has there',
		'record:restoreValues',
		{ entity: 'WorkOrder' },
		/^'Before' is empty/,
	],
	[
		'a name that no unit has, without advice for people',
		'space:create',
		{
			...{ customer: { Id: 101 }, unit: 'new', additionalFields: { unitInfo: { Zzz: 1 } } },
			startDate: '2026-01-31',
		},
		/"Zzz", which is not a field of a unit\s+nextAction: Leave it out\.$/,
	],
])('refuses %s, and says what there is', async (_, operation, fields, message) => {
	const allowed = operation.endsWith('Many') ? { reads: [operation] } : { writes: [operation] };
	const parameters = operation.startsWith('workOrder:') ? {} : allowed;
	expect(await call(operation, fields, { parameters })).toMatch(message);
	expect(requests.writes()).toEqual([]);
});

it('finds a record of several kinds by the field of the kind, which is described', async () => {
	const parameters = { writes: ['document:upload'] };
	const [described] = await read('describe document:upload', {}, { parameters });
	expect(described.actorId).toMatch(/^Asset; .* OR Work Order; required; number with its letters/);
	const [{ Number: value, Id }] = company.records.rows('WorkOrder');
	const link = { documentType: 5, source: 'link', url: 'https://example.org/manual.pdf' };
	const fixed = JSON.stringify({ 'document:upload': { actorTypeId: 'WO' } });
	for (const [said, more] of [
		[{ ...link, actorId: { mode: 'number', value }, actorTypeId: 'Work Order' }, {}],
		[{ ...link, actorId: { mode: 'number', value } }, { fixed }],
	] as const) {
		company.sandbox.forgetRequests();
		await read('document:upload', said, { parameters: { ...parameters, ...more } });
		expect(requests.bodies()).toMatchObject([{ Entity: { ActorTypeId: 'WO', ActorId: Id } }]);
	}
});

it('takes a name with a comma for one name, and splits IDs', async () => {
	const parameters = { writes: ['workOrder:assign'] };
	const { records } = company;
	const { Id: id } = records.orderIn('New');
	const [named, ...others] = records.rows('Employee').map(({ Id }) => Id);
	['Brown, Ava', 'Brown', 'Ava'].forEach((DisplayAs, index) =>
		records.change('Employee', [named, ...others][index], { DisplayAs }),
	);
	for (const [employee, ids] of [
		['Brown, Ava', [named]],
		[`${others[0]}, ${others[1]}`, others.slice(0, 2)],
		[
			['Brown, Ava', 'Ava'],
			[named, others[1]],
		],
	] as const) {
		company.sandbox.forgetRequests();
		await read('workOrder:assign', { id, assignees: [{ employee }] } as IDataObject, {
			parameters,
		});
		expect(requests.commands()).toMatchObject([{ Assignees: ids }]);
	}
});

it('sends what fields have in a new node where a model says nothing', async () => {
	const parameters = { writes: ['space:create', 'workZone:takeOffline'] };
	const [{ Id: customer }] = company.records.rows('Customer');
	await read('space:create', { customer: { Id: customer }, unitName: 'Suite 900' }, { parameters });
	await read('workZone:takeOffline', { id: { Id: 11 } }, { parameters });
	expect(requests.commands()).toMatchObject([
		{ IfUnitAlreadyExists: 'Reuse' },
		{ DeactivateCustomers: false },
	]);
	const [{ Number: value }] = company.records.rows('WorkOrder');
	const conditions = [{ property: 'Number', value }];
	const [{ records }] = await read('workOrder:getMany', { conditions });
	expect(records).toMatchObject([{ Number: value }]);
});

it('shows what a dry run would do next to thousands of passwords', async () => {
	const [id] = company.records.ids('Employee');
	const passwords = Array.from({ length: 2_000 }, (_, at) => [`Password${at}`, `pw-${at}-abcdef`]);
	const fieldsJson = { ...Object.fromEntries(passwords), JobTitle: 'Chief of pw-7-abcdef' };
	const parameters = { writes: ['employee:update'], options: { dryRun: 'always' } };
	const readCpuTime = startCpuTime();
	const answer = await call('employee:update', { id: { Id: id }, fieldsJson }, { parameters });
	expect(answer).toContain('Chief of ***');
	expect(answer).not.toContain('-abcdef');
	expect(readCpuTime()).toBeLessThan(5);
});

it('refuses two rows of a field that takes one', async () => {
	const amount = [5, 9].map((value) => ({ value, currency: 'USD' }));
	const parameters = { writes: ['cost:create'] };
	expect(await call('cost:create', { amount }, { parameters })).toContain(
		"'Amount' must be a single row, but it is",
	);
});

it('takes the currency that all work zones use for an amount without one', async () => {
	const cost = { workOrder: { Id: company.records.ids('WorkOrder')[0] }, category: 'Labor' };
	const said = { ...cost, type: 'Cost' };
	const fixed = JSON.stringify({ 'cost:create': { amount: { value: 5 } } });
	for (const [own, parameters] of [
		[said, { writes: ['cost:create'], fixed }],
		[{ ...said, amount: { value: 5 } }, { writes: ['cost:create'] }],
	]) {
		await call('cost:create', own as IDataObject, { parameters });
		expect(requests.bodies().at(-1)?.Entity).toMatchObject({
			Amount: { Value: 5, CurrencyTypeId: 'USD' },
		});
	}
	company.records.rows('WorkZone')[0].CurrencyTypeId = 'EUR';
	expect(
		await call('cost:create', said, { parameters: { writes: ['cost:create'], fixed } }),
	).toMatch(
		/^'Amount > Currency' is that of the Company, whose work zones have "\w+", "\w+"\s+nextAction: /,
	);
});

it('takes the currency of an amount from the model where the order may have one in another', async () => {
	const { Id, Number: number } = company.records.rows('WorkOrder')[0];
	company.records.change('WorkOrder', Id, { VendorNte: { Value: 193, CurrencyTypeId: 'EUR' } });
	const writes = ['workOrder:setNte', 'workOrder:upsert'];
	const limit = (vendorNte: IDataObject): Array<[string, IDataObject]> => [
		['workOrder:setNte', { id: String(number), vendorNte }],
		[
			'workOrder:upsert',
			{ ...order('Pine Street Dental'), externalNumber: 'X-1', additionalFields: { vendorNte } },
		],
	];
	for (const vendorNte of [{ value: 5 }, { value: 5, currency: null }]) {
		for (const [operation, said] of limit(vendorNte)) {
			const answer = await call(operation, said, { parameters: { writes } });
			expect(answer).toMatch(/^'Vendor NTE > Currency' is empty\s+nextAction: Choose/);
		}
	}
	expect(requests.writes()).toEqual([]);
	const [[operation, said]] = limit({ value: 5, currency: 'EUR' });
	await call(operation, said, { parameters: { writes } });
	expect(requests.bodies()[0].Entity.VendorNte).toEqual({ Value: 5, CurrencyTypeId: 'EUR' });
});

it('returns no old values to the model, although the node has read them', async () => {
	const parameters = { writes: ['workOrder:upsert'] };
	const said = { ...order('Pine Street Dental'), externalNumber: 'X-9' };
	const update = async (poNumber: string) =>
		await call('workOrder:upsert', { ...said, additionalFields: { poNumber } }, { parameters });
	expect(await update('P-1')).toContain('created');
	const answer = await update('P-2');
	expect(answer).toContain('updated');
	expect(answer).not.toContain('P-1');
});

it.each<[string, object, object]>([
	['workOrder:create', { contact: '2001' }, { additionalFields: { contactName: 'Evil' } }],
	['cost:create', { amount: { value: 1 } }, { additionalFields: { quantity: 100 } }],
	[
		'command:execute',
		{ commandName: 'WoFlagCommand' },
		{ commandBody: { $type: 'WoCancelCommand' } },
	],
])('refuses in %s what would change the meaning of fixed %j', async (operation, fixed, said) => {
	const parameters = { writes: [operation], fixed: JSON.stringify({ [operation]: fixed }) };
	expect(await call(operation, said as IDataObject, { parameters })).toMatch(
		/would change what a fixed field means|which could name/,
	);
	expect(requests.writes()).toEqual([]);
});

it.each<[object, string]>([
	[{ amount: { currency: 'USD' } }, "'Amount > Amount Value' is empty"],
	[{ amount: 5 }, '\'Amount\' must be an object, as describe shows amount, but it is "5"'],
	[{ total: 5 }, '"total" is not a field of this operation'],
])(
	'names the fixed fields that cannot take effect in any call, such as %j',
	async (fixed, reason) => {
		const parameters = { writes: ['cost:create'], fixed: JSON.stringify({ 'cost:create': fixed }) };
		for (const operation of ['describe', 'workOrder:getMany']) {
			const [message, next] = (await call(operation, {}, { parameters })).split('\n\nnextAction: ');
			expect(message).toBe(`'Fixed Fields (JSON) > cost:create' cannot take effect: ${reason}`);
			expect(next).toBe('Only the author of this tool can change that.');
		}
		expect(requests.sent()).toEqual([]);
	},
);

it('refuses fixed fields of an operation that is not ticked, because they may be a check', async () => {
	const parameters = { fixed: '{"workorder:complete": {}}' };
	expect(await call('workOrder:getMany', {}, { parameters })).toMatch(
		/^'Fixed Fields \(JSON\)' has "workorder:complete", which is not allowed here/,
	);
	expect(requests.sent()).toEqual([]);
});

it('refuses several items, because each may call another operation', async () => {
	const parameters = { call: 'describe', fields: '{}' };
	const items = [{ json: {} }, { json: {} }];
	const { error } = await engine.start({ node: 'corrigoDesk', parameters, items }).finished;
	expect(error?.message).toMatch(/^The node makes one call at a time, but several items come in/);
});

// Promise: What is fixed in Corrigo Desk takes effect, whatever the model says
describe('a model that names a field of the item replaces nothing that the author took from there', () => {
	const SITE = { site: 'Pine Street Dental', order: 'DTC0000001' };
	const LIE = { site: 'Northwind Retail', order: 'DTC0000002' };
	const ask = (from: string) => byName(`={{ ${from}.site }}`);
	const fix = (from: string) =>
		`={{ JSON.stringify({ 'workOrder:getMany': { filters: { customer: ${from}.site } } }) }}`;
	const getMany = { resource: 'workOrder', operation: 'getMany', limit: 1 };
	const said = { operation: 'workOrder:getMany', fields: '{"limit":1}' };
	const text = "={{ $fromAI('text', '', 'string') }}";

	const run = async (node: string, parameters: object, says: object, type: string) => {
		const done = await engine.runWorkflow({
			nodes: [
				{ name: 'Chat', type: TYPE.start },
				{
					name: 'Tool',
					type: `${typeOfNode(node)}Tool`,
					parameters: parameters as INodeParameters,
				},
				{
					...{ name: 'Agent', type },
					parameters: { arguments: `={{ JSON.parse(${JSON.stringify(JSON.stringify(says))}) }}` },
				},
			],
			connections: {
				Chat: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
				Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
			},
			items: [{ json: SITE }],
		});
		return JSON.stringify([done.error?.message, done.items]);
	};

	it.each([
		...['$json', '$input.item.json', '$input.first().json', "$('Chat').item.json"],
		"$evaluateExpression('{' + '{ $js' + 'on }' + '}')",
	])('%s', async (from) => {
		const create = {
			...{ resource: 'note', operation: 'create', body: text, type: 'Public' },
			workOrder: { ...ask(from), value: `={{ ${from}.order }}` },
		};
		const options = {
			...{ ...create, workOrder: byName('DTC0000001') },
			options: { advanced: { maxItems: ask(from).value } },
		};
		const columns = { ...mappedByName([]), resource: 'customer', operation: 'create' };
		for (const [node, parameters, says] of [
			['corrigoDesk', { fixed: fix(from) }, said],
			['corrigo', { ...getMany, filters: { customer: ask(from), comment: text } }, { text: '' }],
			['corrigo', create, { text: 'A bucket' }],
			['corrigo', options, { text: 'A bucket' }],
			['corrigo', columns, {}],
		] as const) {
			for (const type of [TYPE.agent, TYPE.requestingAgent]) {
				company.sandbox.forgetRequests();
				const shown = await run(node, parameters, { ...says, ...LIE }, type);
				expect([type, parameters, shown]).toEqual([
					...[type, parameters, expect.not.stringContaining(LIE.site)],
				]);
				const isOther = from.startsWith('$(');
				if (type === TYPE.requestingAgent && !isOther) expect(shown).toMatch(/the model/);
				else if (isOther && parameters !== columns && parameters !== options) {
					expect(shown).toMatch(/Pine Street Dental|DTC0000001|"Id/);
				}
				expect(JSON.stringify(requests.bodies())).not.toMatch(/50002|Northwind/);
			}
		}
	});
});
