/**
 * The table of all ways in: a value means the same by columns, in *Fields (JSON)* under its name or its
 * dotted path, mapped by its ID or by its label, and by columns or JSON of *Create or Update*. All ways
 * refuse it, or leave the member as it is, or send the same; a dry run says what the run sends; what was
 * written is no difference by the next way; and *Restore Values* puts it back.
 *
 * Held constant: one member of each kind, next to a text that is always written; records that exist;
 * custom fields of contacts, and attributes of a few types (all with FULL=1); no model, which
 * test/engine/form/foreignText.test.ts tries; and no value that other items have planned. Commands, new
 * records, keys and conditions are in test/values/members.test.ts, without n8n.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../../../nodes/Corrigo/values/objects';
import { byId, byName, filledIn, jsonOf, mappedByName, shareCompany } from '../../support/company';
import { readContent } from '../../support/content';
import { SPELLED } from '../../values/spelled';

const { n8n, records, requests } = shareCompany({ workOrders: 60 });

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

const TABLE: Array<[string, () => Member]> = [
	...MEMBERS.map((one): [string, () => Member] => [`${one.entity}.${one.id}`, () => one]),
	...TYPES.map((type): [string, () => Member] => [`a custom field: ${type}`, defineField(type)]),
	...ATTRIBUTES.map((type): [string, () => Member] => [
		`an attribute: ${type}`,
		defineAttribute(type),
	]),
	['a custom field with choices', defineChoice],
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
	operation: 'update' | 'upsert';
	form: object;
	toItem: (value: unknown, key: string) => IDataObject;
}

function listWays(member: Member): Record<string, Way> {
	const { id, label, next, key, column, with: added = {} } = member;
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
	const inJson = (all: IDataObject) => (value: unknown) => ({
		members: value === MISSING ? all : merge(all, nest(member, value)),
	});
	const columns = filledIn({ ...flat, [id]: '={{ $json.value }}' }, schema);
	const keyed = { [key]: '={{ $json.key }}' };
	const asValue = (value: unknown, keyValue: string) =>
		({ key: keyValue, ...(value === MISSING ? {} : { value }) }) as IDataObject;
	const isByName = /^(CustomFields|Attributes)\./.test(id);
	return {
		columns: { operation: 'update', form: { fields: columns }, toItem: asValue },
		JSON: {
			operation: 'update',
			form: { fieldsJson: '={{ $json.members }}' },
			toItem: inJson(plain),
		},
		...(isByName
			? {}
			: {
					'JSON with paths': {
						...{ operation: 'update', form: { fieldsJson: '={{ $json }}' }, toItem: give(id) },
					},
				}),
		'mapped by ID': { operation: 'update', form: mappedByName([], schema), toItem: give(id) },
		'mapped by label': { operation: 'update', form: mappedByName([], schema), toItem: give(label) },
		'Create or Update': {
			operation: 'upsert',
			form: {
				fields: {
					...filledIn({ ...flat, ...keyed, [id]: '={{ $json.value }}' }, schema),
					matchingColumns: [key],
				},
			},
			toItem: asValue,
		},
		'Create or Update in JSON': {
			operation: 'upsert',
			form: { fieldsJson: '={{ $json.members }}', matchOn: key },
			toItem: (value, keyValue) =>
				inJson(merge(plain, nest({ id: key, label: key }, keyValue)))(value),
		},
	} as Record<string, Way>;
}

interface Sent {
	body: { Entity: IDataObject };
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
	const sent = (json.WouldSend as Sent | undefined)?.body.Entity;
	if (sent === undefined) return 'nothing';
	expect(Object.keys(sent)).toContain(next.split('.')[0]);
	return sort(sent[head] ?? null);
};

/** The first and the last value that are written: sent as the dry run says, the same afterwards, and put back. */
async function writeAndRestore(
	member: Member,
	ways: Record<string, Way>,
	values: readonly unknown[],
	planned: readonly string[],
) {
	const { entity, id, own = values } = member;
	const [head] = id.split('.');
	const written = own.filter((one) => !['null', REFUSED].includes(planned[values.indexOf(one)]));
	expect(written.length).toBeGreaterThan(1);
	const chosen = [written[0], written.at(-1)];
	const tables = [entity, 'AssetAttribute', 'AssetInfo', 'CustomField2'];
	const readAll = () => tables.map((name) => records.rows(name).map(readContent).map(sort).sort());
	const stored = readAll();
	for (const [index, [name, way]] of Object.entries(ways).entries()) {
		const before = requests.bodies().length;
		const done = await tryWay(member, way, chosen, { returnBefore: true });
		const sent = requests
			.bodies()
			.slice(before)
			.map(({ Entity }) => sort(Entity[head]));
		expect([name, sent]).toEqual([name, chosen.map((one) => planned[values.indexOf(one)])]);
		const others = Object.values(ways);
		const next = others[(index + 1) % others.length];
		const again = (await tryWay(member, next, chosen, { dryRun: 'always' })).results;
		for (const json of again) expect([name, json.WouldChange ?? {}]).toEqual([name, {}]);
		const form = { entity: byName(entity), before: '={{ $json.Before }}' };
		const restored = await n8n.succeed('record:restoreValues', form, { items: done.items });
		for (const { NotRestored } of jsonOf(restored.items)) {
			expect([name, NotRestored]).toEqual([name, []]);
		}
		expect([name, readAll()]).toEqual([name, stored]);
	}
}

async function tryWay(member: Member, way: Way, values: readonly unknown[], options: object) {
	const { entity } = member;
	const items = values.map(
		(value, index): INodeExecutionData => ({
			json: way.toItem(value, `K-${index}`),
		}),
	);
	const chosen =
		way.operation === 'update'
			? { id: byId(`={{ [${listIds(entity).join()}][$itemIndex] }}`) }
			: {};
	const more = way.operation === 'update' ? options : { ...options, updateOnly: 'error' };
	const run = await n8n.run(
		`record:${way.operation}`,
		{ entity: byName(entity), ...chosen, ...way.form, options: more },
		{ items, onError: 'continueErrorOutput' },
	);
	const results: IDataObject[] = [];
	for (const { json, pairedItem } of [...run.items, ...run.errorItems]) {
		results[(pairedItem as { item: number }).item] = json;
	}
	expect(run.error?.message).toBeUndefined();
	return { results, items: run.items };
}

const listIds = (entity: string) => records.ids(entity).slice(entity === 'Location' ? -60 : 0);

it.each(TABLE)('%s', async (_title, define) => {
	const member = define();
	const { entity, next, key, own = [], stored = {} } = member;
	const values = [...own, ...VALUES];
	const ids = listIds(entity);
	expect(ids.length).toBeGreaterThanOrEqual(values.length);
	values.forEach((_, one) => records.change(entity, ids[one], { [key]: `K-${one}`, ...stored }));
	const ways = listWays(member);
	const path = member.id.split('.');
	const unchanged = sort(records.get(entity, ids[0])[path[0]] ?? null);
	const table: Record<string, string[]> = {};
	for (const [name, way] of Object.entries(ways)) {
		const { results } = await tryWay(member, way, values, { dryRun: 'always' });
		table[name] = values.map((_, one) => summarize(results[one], path, next));
	}
	for (const [one, value] of values.entries()) {
		const expected = table.columns[one];
		for (const [other, results] of Object.entries(table)) {
			const isPasted = other.includes('JSON');
			// A pasted record may have a currency alone, and a difference is a difference.
			const isLeft = isPasted && expected === REFUSED && isNone(value) && member.with !== undefined;
			const isSame = other.startsWith('Create') && expected === unchanged;
			const wanted = isLeft || isSame ? 'null' : expected;
			expect([member.id, value, other, results[one]]).toEqual([member.id, value, other, wanted]);
		}
	}
	await writeAndRestore(member, ways, values, table.columns);
});
