/**
 * The table of all ways in: a value means the same by columns, in *Fields (JSON)* under its name or its
 * dotted path, mapped by its ID or by its label, by columns or JSON of *Create or Update* and of *Create*,
 * in a command that updates or creates a record, and said by a model in Corrigo Desk. All ways refuse it,
 * or leave the member as it is, or send the same; a dry run says what the run sends; what was written is
 * no difference by the next way; and *Restore Values* puts it back.
 *
 * Held constant: one member of each kind, next to a text that is always written; custom fields of
 * contacts, and attributes of a few types (all with FULL=1); and no value that other items have planned.
 * Columns try all values, every other way some of them, each value in turn, and two ways of each member
 * write and restore (all with FULL=1). Keys and conditions are in test/values/members.test.ts, without n8n.
 */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { CorrigoDesk } from '../../../nodes/Corrigo/CorrigoDesk.node';
import { filterMembers, isObject } from '../../../nodes/Corrigo/values/objects';
import {
	byId,
	byName,
	connectEngine,
	filledIn,
	jsonOf,
	mappedByName,
	PUMP,
	shareCompany,
} from '../../support/company';
import { readContent } from '../../support/content';
import type { Engine } from '../../support/engine';
import { SPELLED } from '../../values/spelled';

const company = shareCompany({ workOrders: 60 });
const { n8n, records, requests } = company;

const MISSING = Symbol('missing');

const TEXTS = ['a', ' a ', '', ' ', '12.50', 'true', '2026-01-31'];
const NUMBERS = [7, 7.5, 0, ' 7 ', '7.0', '1e21', 2 ** 53 + 2, '9007199254740993'];
const OTHERS = [true, false, 'True', null, MISSING, [], {}, ['a'], { Id: 7 }];
const TIMES = ['2026-01-31T17:30:00', '2026-01-31T17:30:00Z', '2026-02-30'];
const VALUES = [...TEXTS, ...NUMBERS, ...OTHERS, ...TIMES];

interface Member {
	entity: string;
	/** Path of the member, as columns name it. */
	id: string;
	label: string;
	/** Text that is written next to it. */
	next: string;
	/** Member that identifies the record. */
	key: string;
	/** A column that only the Company has. */
	column?: { type: string; options?: Array<{ name: string; value: string }> };
	/** Values for which the member is meant. */
	own?: readonly unknown[];
	/** What is stored before: none of the values. */
	stored?: Record<string, unknown>;
	/** Written with it: an amount has a currency. */
	with?: Record<string, unknown>;
}

const order = { entity: 'WorkOrder', next: 'ContactName', key: 'PoNumber' };
const customer = { entity: 'Customer', next: 'Dba', key: 'TenantCode' };
const MEMBERS: Member[] = [
	{ ...customer, id: 'Instructions', label: 'Instructions', stored: { Instructions: 'stored' } },
	{ ...order, id: 'Duration', label: 'Duration', stored: { Duration: 99 } },
	{
		...order,
		id: 'DtDue',
		label: 'Due',
		own: ['2026-01-31', '2026-03-01T17:30:00'],
		stored: { DtDue: '2020-01-01T00:00:00' },
	},
	{
		...order,
		id: 'Priority.Id',
		label: 'Priority',
		stored: { Priority: { Id: 1 } },
		own: [
			2,
			'2',
			'High',
			' high ',
			{ Id: 2 },
			{ Id: '', DisplayAs: 'High' },
			{ DisplayAs: 'High' },
			3,
		],
	},
	{
		...order,
		...{ id: 'VendorNte.Value', label: 'Vendor NTE' },
		stored: { VendorNte: { Value: 99, CurrencyTypeId: 'USD' } },
		with: { 'VendorNte.CurrencyTypeId': 'EUR' },
	},
	{
		entity: 'WorkOrderCost',
		next: 'AuthorizationCode',
		key: 'JobCode',
		id: 'CheckCutDate',
		label: 'Check Cut Date',
	},
	{ ...customer, id: 'TaxExempt', label: 'Tax Exempt', stored: { TaxExempt: false } },
];

const COLUMN_TYPES: Record<string, string> = {
	...{
		Boolean: 'boolean',
		Date: 'dateTime',
		Decimal: 'number',
		Integer: 'number',
		Money: 'number',
	},
};

type Type = keyof typeof SPELLED;

const describeType = (type: Type) => ({
	label: `Own ${type}`,
	own: [SPELLED[type].input, ...SPELLED[type].texts, SPELLED[type].other],
	column: { type: COLUMN_TYPES[type] ?? 'string' },
});

const contact = { entity: 'Contact', next: 'Comment', key: 'Number' };

/** A custom field as the form shows it. */
const defineField = (type: Type) => (): Member => {
	const id = records.addField('LeaseUser', `Own ${type}`, { Type: type });
	return { ...contact, ...describeType(type), id: `CustomFields.${id}` };
};

const defineAttribute = (type: Type) => (): Member => {
	const { Id } = records.insert('AttributeDescriptor', {
		...{ Name: `Own ${type}`, Type: type, IsHistory: false },
	});
	for (const { Id: ModelId } of records.rows('Model')) {
		records.insert('LinkModelAndAttribute', { ModelId, AttributeDescriptorId: Id });
	}
	const asset = { entity: 'Location', next: 'Info.SerialNumber', key: 'Name' };
	return { ...asset, ...describeType(type), id: `Attributes.${Id}` };
};

const CHOICES = ['> 5 t', '< 5 t', 'A', 'A-'];

function defineChoice(): Member {
	const id = records.addField('LeaseUser', 'Own choice');
	for (const [Idx, Value] of CHOICES.entries()) {
		records.insert('CustomFieldOption', { ParentId: id, Idx, Value });
	}
	return {
		...{ ...contact, id: `CustomFields.${id}`, label: 'Own choice' },
		own: [...CHOICES, '>5 t', '> 5  T', ' a- ', 'B'],
		column: { type: 'options', options: CHOICES.map((value) => ({ name: value, value })) },
	};
}

const TYPES = Object.keys(SPELLED) as Type[];

/** Attributes are read as custom fields are, so some of their types stand for all. */
const ATTRIBUTES = TYPES.filter((type) => process.env.FULL || /^(Decimal|Money|Url)$/.test(type));

/** A field that is named by the ID of another one, or as another one of two with one name is shown. */
const defineNamesake = (name: string, toName: (id: number) => string) => (): Member => {
	const other = records.addField('LeaseUser', name);
	const label = toName(other);
	const id = records.addField('LeaseUser', label);
	const shown = label === String(other) ? label : `${label} (ID ${id})`;
	return {
		...{ ...contact, id: `CustomFields.${id}`, label: shown },
		...{ own: ['7', 'a'], column: { type: 'string' } },
	};
};

const TABLE: Array<[string, () => Member]> = [
	...MEMBERS.map((one): [string, () => Member] => [`${one.entity}.${one.id}`, () => one]),
	...TYPES.map((type): [string, () => Member] => [`a custom field: ${type}`, defineField(type)]),
	...ATTRIBUTES.map((type): [string, () => Member] => [
		`an attribute: ${type}`,
		defineAttribute(type),
	]),
	['a custom field with choices', defineChoice],
	['a custom field named as the ID of another', defineNamesake('Other', String)],
	['a custom field named as another is shown', defineNamesake('Bay', (id) => `Bay (ID ${id})`)],
];

/** Nests a dotted path, as a record has it; a value of the Company stands under its name. */
function nest({ id, label }: Pick<Member, 'id' | 'label'>, value: unknown): IDataObject {
	const [head, part] = id.split('.');
	if (part === undefined) return { [head]: value } as IDataObject;
	return { [head]: { [/^\d+$/.test(part) ? label : part]: value } } as IDataObject;
}

const merge = (a: IDataObject, b: IDataObject): IDataObject =>
	Object.fromEntries(
		[...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => [
			name,
			typeof a[name] === 'object' && typeof b[name] === 'object' && a[name] && b[name]
				? { ...a[name], ...b[name] }
				: (b[name] ?? a[name]),
		]),
	) as IDataObject;

interface Way {
	operation: 'update' | 'upsert' | 'create' | 'execute' | 'desk';
	form: object;
	toItem: (value: unknown, key: string, id: number) => IDataObject;
}

type Entity = Member['entity'];

/** New records need these members. Other entities are not created by themselves. */
const NEEDED: Record<Entity, () => object> = {
	Contact: () => ({ LastName: 'L' }),
	Customer: () => records.newCustomer('New'),
	Location: () => PUMP,
};

function listWays(member: Member): Record<string, Way> {
	const { entity, id, label, next, key, column, with: added = {} } = member;
	const schema = [
		{ id: next, displayName: next, type: 'string' },
		{ id: key, displayName: key, type: 'string' },
		...Object.keys(added).map((one) => ({ id: one, displayName: one, type: 'string' })),
		...(column ? [{ id, displayName: label, ...column }] : []),
	];
	const plain = Object.entries(added).reduce<IDataObject>(
		(all, [name, value]) => merge(all, nest({ id: name, label: '' }, value)),
		nest({ id: next, label: '' }, 'next'),
	);
	const flat = { [next]: 'next', ...added } as IDataObject;
	const give = (name: string) => (value: unknown) =>
		(value === MISSING ? flat : { ...flat, [name]: value }) as IDataObject;
	const build = (all: IDataObject, value: unknown) =>
		value === MISSING ? all : merge(all, nest(member, value));
	const inJson = (all: IDataObject) => (value: unknown) => ({ members: build(all, value) });
	const map = (all: IDataObject) => filledIn({ ...all, [id]: '={{ $json.value }}' }, schema);
	const asValue = (value: unknown, keyValue: string) =>
		({ key: keyValue, ...(value === MISSING ? {} : { value }) }) as IDataObject;
	const all = NEEDED[entity]?.();
	const needed = all && (filterMembers({ ...all }, (name) => name !== id) as IDataObject);
	const execute = (
		commandName: string,
		toBody: (members: IDataObject, at: number) => object,
	): Way => ({
		operation: 'execute',
		form: { commandName: byName(commandName), commandBody: '={{ $json.body }}' },
		toItem: (value, _, at) => ({ body: toBody(build(plain, value), at) }) as IDataObject,
	});
	const ways: Record<string, Way | false | undefined> = {
		columns: { operation: 'update', form: { fields: map(flat) }, toItem: asValue },
		JSON: {
			operation: 'update',
			form: { fieldsJson: '={{ $json.members }}' },
			toItem: inJson(plain),
		},
		'JSON with paths': {
			...{ operation: 'update', form: { fieldsJson: '={{ $json }}' }, toItem: give(id) },
		},
		'mapped by ID': { operation: 'update', form: mappedByName([], schema), toItem: give(id) },
		'mapped by label': { operation: 'update', form: mappedByName([], schema), toItem: give(label) },
		'Create or Update': {
			operation: 'upsert',
			form: { fields: { ...map({ ...flat, [key]: '={{ $json.key }}' }), matchingColumns: [key] } },
			toItem: asValue,
		},
		'Create or Update in JSON': {
			operation: 'upsert',
			form: { fieldsJson: '={{ $json.members }}', matchOn: key },
			toItem: (value, keyValue) =>
				inJson(merge(plain, nest({ id: key, label: key }, keyValue)))(value),
		},
		UpdateCommand: execute('UpdateCommand', (members, Id) => ({
			Entity: { $type: entity, Id, ...members },
			PropertySet: { Properties: ['*'] },
		})),
		'UpdateCommand with paths': {
			...execute('UpdateCommand', () => ({})),
			toItem: (value, _, Id) =>
				({
					body: {
						Entity: { $type: entity, Id, ...give(id)(value) },
						PropertySet: { Properties: ['*'] },
					},
				}) as IDataObject,
		},
		Create: needed && {
			operation: 'create',
			form: { fields: map({ ...flatten(needed), ...flat }) },
			toItem: asValue,
		},
		'Create in JSON': needed && {
			operation: 'create',
			form: { fieldsJson: '={{ $json.members }}' },
			toItem: inJson({ ...needed, ...plain }),
		},
		CreateCommand:
			needed &&
			execute('CreateCommand', (members) => ({
				Entity: { $type: entity, ...needed, ...members },
			})),
		'Corrigo Desk': {
			operation: 'desk',
			form: {},
			toItem: (value, _, at) =>
				({ entity, id: at, fieldsJson: build(plain, value) }) as IDataObject,
		},
	};
	return Object.fromEntries(
		Object.entries(ways).filter((one): one is [string, Way] => Boolean(one[1])),
	);
}

/** A column is a path. */
const flatten = (members: object): IDataObject =>
	Object.fromEntries(
		Object.entries(members).map(([name, one]) =>
			isObject(one) ? [`${name}.Id`, one.Id] : [name, one],
		),
	) as IDataObject;

interface Sent {
	body: { Entity?: IDataObject; Command?: { Entity: IDataObject } };
}

const REFUSED = 'refused';

const isNone = (value: unknown) =>
	value === null || value === MISSING || (typeof value === 'string' && value.trim() === '');

/** The parts of an amount come in any order. */
const sort = (value: unknown): string =>
	JSON.stringify(value, (_, one: unknown) =>
		isObject(one)
			? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
			: one,
	);

/** What would be written of the member, or why nothing is. */
const summarize = (json: IDataObject, [head]: string[], next: string): string => {
	if (typeof json.error === 'string') return REFUSED;
	const { Entity, Command } = (json.WouldSend as Sent | undefined)?.body ?? {};
	const sent = Entity ?? Command?.Entity;
	if (sent === undefined) return 'nothing';
	expect(Object.keys(sent)).toContain(next.split('.')[0]);
	// A command keeps a list of which every row is there already.
	const isEmpty = Array.isArray(sent[head]) && sent[head].length === 0;
	return sort(isEmpty ? null : (sent[head] ?? null));
};

/** The first and the last value that are written: sent as the dry run says, the same afterwards, and put back. */
async function writeAndRestore(
	member: Member,
	ways: Record<string, Way>,
	values: readonly unknown[],
	planned: readonly string[],
	row: number,
) {
	const { entity, id, own = values } = member;
	const [head] = id.split('.');
	const written = own.filter((one) => !['null', REFUSED].includes(planned[values.indexOf(one)]));
	expect(written.length).toBeGreaterThan(1);
	const chosen = [written[0], written.at(-1)];
	const tables = [entity, 'AssetAttribute', 'AssetInfo', 'CustomField2'];
	const readAll = () => tables.map((name) => records.rows(name).map(readContent).map(sort).sort());
	const stored = readAll();
	const restorable = Object.entries(ways).filter(([, way]) => /^up/.test(way.operation));
	for (const [index, [name, way]] of restorable.entries()) {
		if (!hasTurn(index + row, 4)) continue;
		const before = requests.bodies().length;
		const given = new Map(chosen.entries());
		const done = await tryWay(member, way, given, { returnBefore: true });
		const sent = requests
			.bodies()
			.slice(before)
			.map(({ Entity }) => sort(Entity[head]));
		expect([name, sent]).toEqual([name, chosen.map((one) => planned[values.indexOf(one)])]);
		const [, next] = restorable[(index + 1) % restorable.length];
		const { results } = await tryWay(member, next, given, { dryRun: 'always' });
		for (const json of results.values()) expect([name, json.WouldChange ?? {}]).toEqual([name, {}]);
		const form = { entity: byName(entity), before: '={{ $json.Before }}' };
		const restored = await n8n.succeed('record:restoreValues', form, { items: done.items });
		for (const { NotRestored } of jsonOf(restored.items)) {
			expect([name, NotRestored]).toEqual([name, []]);
		}
		expect([name, readAll()]).toEqual([name, stored]);
	}
}

/** Values by the number of the record that gets them. */
type Given = ReadonlyMap<number, unknown>;

async function tryWay(member: Member, way: Way, given: Given, options: object) {
	const { entity } = member;
	const ids = listIds(entity);
	const items = [...given].map(
		([one, value]): INodeExecutionData => ({ json: way.toItem(value, `K-${one}`, ids[one]) }),
	);
	const results = new Map<number, IDataObject>();
	if (way.operation === 'desk') {
		for (const [at, one] of [...given.keys()].entries()) {
			results.set(one, await callDesk(items[at].json, options));
		}
		return { results, items: [] };
	}
	const updated = [...given.keys()].map((one) => ids[one]);
	const isUpsert = way.operation === 'upsert';
	const run = await n8n.run(
		way.operation === 'execute' ? 'command:execute' : `record:${way.operation}`,
		{
			...(way.operation === 'execute' ? {} : { entity: byName(entity) }),
			...(way.operation === 'update' ? { id: byId(`={{ [${updated.join()}][$itemIndex] }}`) } : {}),
			...way.form,
			options: isUpsert ? { ...options, updateOnly: 'error' } : options,
		},
		{ items, onError: 'continueErrorOutput' },
	);
	expect(run.error?.message).toBeUndefined();
	for (const { json, pairedItem } of [...run.items, ...run.errorItems]) {
		results.set([...given.keys()][(pairedItem as { item: number }).item], json);
	}
	return { results, items: run.items };
}

let desk: Engine;

beforeAll(() => {
	desk = connectEngine(company.sandbox, { corrigo: Corrigo, corrigoDesk: CorrigoDesk });
});

async function callDesk(fields: IDataObject, options: object): Promise<IDataObject> {
	const run = await desk.runTool({
		node: 'corrigoDesk',
		parameters: { writes: ['record:update'], options } as INodeParameters,
		arguments: { operation: 'record:update', fields: JSON.stringify(fields) },
	});
	const text = String(run.items[0]?.json.response);
	return text.startsWith('[') ? (JSON.parse(text) as IDataObject[])[0] : { error: text };
}

const listIds = (entity: string) => records.ids(entity).slice(entity === 'Location' ? -60 : 0);

/** Each of several has its turn. */
const hasTurn = (turn: number, of: number) => process.env.FULL !== undefined || turn % of === 0;

it('no way deletes the record that it writes', async () => {
	const member = { ...MEMBERS[0], id: 'PerformDeletion', label: 'Perform Deletion' };
	const ids = listIds(member.entity);
	ids
		.slice(0, 3)
		.forEach((id, one) => records.change(member.entity, id, { [member.key]: `K-${one}` }));
	for (const [name, way] of Object.entries(listWays(member))) {
		const given = new Map(([true, 'true', false] as unknown[]).entries());
		const { results } = await tryWay(member, way, given, { dryRun: 'always' });
		const [whole, text, none] = [0, 1, 2].map((one) =>
			summarize(results.get(one) ?? {}, [member.id], member.next),
		);
		// No field takes the member, so a mapping leaves it out.
		const refused = name.startsWith('mapped') ? 'null' : REFUSED;
		expect([name, whole, text]).toEqual([name, refused, refused]);
		expect(['null', 'false', REFUSED]).toContain(none);
	}
});

const indexed = TABLE.map(([title, define], row) => ({ title, define, row }));

it.each(indexed)('$title', async ({ define, row }) => {
	const member = define();
	const { entity, next, key, own = [], stored = {} } = member;
	const values = [...own, ...VALUES];
	const ids = listIds(entity);
	expect(ids.length).toBeGreaterThanOrEqual(values.length);
	values.forEach((_, one) => records.change(entity, ids[one], { [key]: `K-${one}`, ...stored }));
	const ways = listWays(member);
	const path = member.id.split('.');
	const unchanged = sort(records.get(entity, ids[0])[path[0]] ?? null);
	const table = new Map<string, ReadonlyMap<number, string>>();
	for (const [at, [name, way]] of Object.entries(ways).entries()) {
		const of = name === 'columns' ? 1 : way.operation === 'desk' ? 12 : 3;
		const given = new Map([...values.entries()].filter(([one]) => hasTurn(one + at + row, of)));
		const { results } = await tryWay(member, way, given, { dryRun: 'always' });
		table.set(name, new Map([...results].map(([one, json]) => [one, summarize(json, path, next)])));
	}
	const byColumns = [...(table.get('columns') ?? [])]
		.sort(([a], [b]) => a - b)
		.map(([, sent]) => sent);
	for (const [name, results] of table) {
		for (const [one, sent] of results) {
			const value = values[one];
			const expected = byColumns[one];
			const { operation } = ways[name];
			// A pasted record may have a currency alone, and a model clears nothing.
			const isPasted = /JSON|Desk/.test(name);
			const isLeft = isPasted && expected === REFUSED && isNone(value) && member.with !== undefined;
			const isSame = operation === 'upsert' && expected === unchanged;
			const isOfModel =
				operation === 'desk' && (isNone(value) || /^(\[\]|\{\})$/.test(sort(value)));
			const wanted = isLeft || isSame || isOfModel ? 'null' : expected;
			expect([member.id, value, name, sent]).toEqual([member.id, value, name, wanted]);
		}
	}
	await writeAndRestore(member, ways, values, byColumns, row);
});
