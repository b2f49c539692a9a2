import fc from 'fast-check';

import {
	buildCustomColumns,
	buildCustomFieldRequest,
	buildDescriptorCriteria,
	buildCustomCriteria,
	flattenCustomFields,
	getCustomFields,
	hasCustomValue,
	listHiddenValues,
	buildValueRow,
	createRowNamer,
	requireDefinition,
	nameDefinition,
} from '../../nodes/Corrigo/compare/customFields';
import { readCells } from '../../nodes/Corrigo/columns/columns';
import { carriesCustomFields } from '../../nodes/Corrigo/catalogue/entities';
import { buildRows } from '../../nodes/Corrigo/compare/differences';
import { startCpuTime } from '../support/cpu';

const row = (Id: number, descriptor: number, Value: string, more: object = {}) => ({
	Id,
	Descriptor: { Id: descriptor },
	ObjectId: 5,
	ObjectTypeId: 'WO',
	Value,
	...more,
});

describe('a record with its custom fields as names and values', () => {
	const flat = (...rows: Array<[unknown, unknown]>) =>
		flattenCustomFields({
			Id: 1,
			CustomFields: rows.map(([Name, Value], index) => ({
				Descriptor: { Id: index, Name },
				Value,
			})),
		});

	it('has the values by name, and the rest of the record unchanged', () => {
		expect(flat(['Floor', '3'], ['Cost Center', 'CC-1'])).toEqual({
			Id: 1,
			CustomFields: { Floor: '3', 'Cost Center': 'CC-1' },
		});
	});

	it.each([
		['a record without them', { Id: 1 }],
		['a record that was read flat', { Id: 1, CustomFields: { Floor: '3' } }],
		['nothing', { CustomFields: null }],
	])('is unchanged for %s', (_, record) => {
		expect(flattenCustomFields(record)).toEqual(record);
	});

	it('has values by their types, and amounts with their currency', () => {
		const typed = (Type: string, Value: string, CurrencyTypeId?: string) =>
			flattenCustomFields({
				CustomFields: [{ Descriptor: { Id: 1, Name: 'A', Type }, Value, CurrencyTypeId }],
			}).CustomFields;
		expect(typed('Integer', ' 7.0 ')).toEqual({ A: 7 });
		expect(typed('Boolean', 'True')).toEqual({ A: true });
		expect(typed('Date', '2026-01-31T00:00:00')).toEqual({ A: '2026-01-31' });
		expect(typed('Money', '5.50', 'EUR')).toEqual({ A: { Value: 5.5, CurrencyTypeId: 'EUR' } });
		expect(typed('Money', 'open')).toEqual({ A: 'open' });
	});

	it.each([
		['<a href="https://example.org/t/1">https://example.org/t/1</a>', 'https://example.org/t/1'],
		[`<A class="x" target='_blank' HREF='https://example.org'>a</A>`, 'https://example.org'],
		[
			'<a href="https://example.org/?a=1&amp;b=&quot;2&quot;">x</a>',
			'https://example.org/?a=1&b="2"',
		],
		['<a name="no address">x</a>', '<a name="no address">x</a>'],
		['<abbr href="x">', '<abbr href="x">'],
		['See <a href="x">there</a>', 'See <a href="x">there</a>'],
		['https://example.org', 'https://example.org'],
		['', ''],
	])('returns %j as %j', (value, shown) => {
		expect(flat(['Link', value]).CustomFields).toEqual({ Link: shown });
	});

	it('leaves out rows without a name, and returns missing values as null', () => {
		const record = {
			CustomFields: [{ Value: '1' }, { Descriptor: {}, Value: '2' }, { Descriptor: { Name: 'A' } }],
		};
		expect(flattenCustomFields(record)).toEqual({ CustomFields: { A: null } });
	});
});

/** Definitions that are hard to tell apart, of which a record has some. */
const DEFINITIONS = fc.array(
	fc.record({
		Name: fc.constantFrom(
			...['Zone', 'zone ', 'Zone (ID 2)', 'Zone (ID 2) (ID 2)', '2', '3 (ID 1)', 'PoNumber'],
			...['__proto__', 'constructor'],
		),
		IsRemoved: fc.boolean(),
		isHeld: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 9 },
);

it('a name that is read means one custom field in every record, and is written to that one', () => {
	fc.assert(
		fc.property(DEFINITIONS, (given) => {
			// Nobody names a field by its own ID.
			const all = given.map(({ Name, ...one }, index) => ({
				...{ ...one, Id: index + 1, ActorTypeId: 'WO' },
				Name: Name.includes(`(ID ${index + 1})`) ? 'Zone' : Name,
			}));
			const present = all.filter(({ IsRemoved }) => !IsRemoved);
			const definitions = {
				...{ noun: 'custom field' as const, present },
				findRemoved: () => all.filter(({ IsRemoved }) => IsRemoved),
			};
			const getName = createRowNamer(present);
			const flatten = (held: typeof all): object =>
				flattenCustomFields(
					{
						CustomFields: held.map(({ Id, Name }) =>
							row(Id, Id, `${Id}`, { Descriptor: { Id, Name } }),
						),
					},
					getName,
				).CustomFields as object;
			const held = all.filter(({ isHeld }) => isHeld);
			const flat = flatten(held);
			expect(Object.values(flat).map(Number).sort()).toEqual(held.map(({ Id }) => Id).sort());
			for (const [nameOrId, value] of Object.entries(flat)) {
				const found = requireDefinition('x', { nameOrId }, definitions);
				const { IsRemoved } = all[Number(value) - 1];
				expect([nameOrId, found.IsRemoved]).toEqual([nameOrId, IsRemoved]);
				if (IsRemoved) continue;
				expect([nameOrId, found.Id]).toEqual([nameOrId, Number(value)]);
				expect(Object.keys(flatten(present))).toContain(nameOrId);
			}
			// A mapped record, and a row of a table with these names.
			const columns = buildCustomColumns('WorkOrder', present);
			for (const item of [{ CustomFields: flat }, flat]) {
				const cells = readCells(
					'WorkOrder',
					columns,
					{ mappingMode: 'autoMapInputData' },
					{ ...item },
				);
				expect(cells.map(({ id, value }) => [id, value])).toEqual(
					present.filter(({ isHeld }) => isHeld).map(({ Id }) => [`CustomFields.${Id}`, `${Id}`]),
				);
			}
		}),
		{ numRuns: 500 },
	);
});

describe('changed custom fields', () => {
	it('keep the existing row except for its value', () => {
		const stored = [row(7, 12, 'old', { CurrencyTypeId: 'GBP' }), row(8, 13, 'other')];
		const given = { CustomFields: [buildValueRow(12, 'new')] };
		expect(buildRows('Contact', { CustomFields: stored }, given).CustomFields).toEqual([
			row(7, 12, 'new', { CurrencyTypeId: 'GBP' }),
		]);
		expect(stored[0].Value).toBe('old');
	});

	it('add a row if there is none', () => {
		const given = { CustomFields: [buildValueRow(12, 'new')] };
		const stored = { CustomFields: [row(8, 13, 'other')] };
		expect(buildRows('Contact', stored, given)).toEqual(given);
	});

	it('are written one by one if the record does not carry them', () => {
		const stored = [row(7, 12, 'old')];
		expect(buildCustomFieldRequest('Space', 5, row(7, 12, 'new'), stored, 'r')).toMatchObject({
			method: 'PUT',
			body: { RequestId: 'r', Properties: ['Value'], Entity: { Id: 7, Value: 'new' } },
		});
		expect(
			buildCustomFieldRequest('Space', 5, buildValueRow(13, 'new'), stored, 'r'),
		).toMatchObject({
			method: 'POST',
			body: {
				RequestId: 'r',
				Entity: {
					Descriptor: { Id: 13 },
					Value: 'new',
					ObjectId: 5,
					ObjectTypeId: 'CommLeaseSpace',
				},
			},
		});
	});
});

describe('custom columns', () => {
	const one = (Type: string, more: object = {}) =>
		buildCustomColumns('WorkOrder', [{ Id: 1, Name: 'A', Type, ActorTypeId: 'WO', ...more }])[0];

	it.each([
		['String', 'string'],
		['Url', 'string'],
		['Unknown', 'string'],
		['Integer', 'number'],
		['Money', 'number'],
		['Boolean', 'boolean'],
		['Date', 'dateTime'],
	])('of type %s are %s', (type, shown) => {
		expect(one(type)).toEqual({ id: 'CustomFields.1', label: 'A', required: false, type: shown });
	});

	it('offer their options in order', () => {
		const Options = [
			{ Idx: 2, Value: 'c' },
			{ Idx: 3, Value: 'd' },
			{ Idx: 1, Value: 'b' },
			...[{ Value: 'a' }, { Value: '' }, {}],
		];
		expect(one('String', { Options })).toMatchObject({
			type: 'options',
			options: ['a', 'b', 'c', 'd'].map((value) => ({ name: value, value })),
		});
	});

	it('are read by actor type, if the entity has one', () => {
		const kindsAsked = (entity: string) =>
			JSON.stringify(buildDescriptorCriteria(entity) ?? null).match(/"Values":(\[[^\]]*\])/)?.[1];
		expect(kindsAsked('WorkOrder')).toBe('["WO"]');
		expect(kindsAsked('employee')).toBe('["Employee","Provider"]');
		expect(kindsAsked('Location')).toBe('["Asset"]');
		expect(kindsAsked('WoNote')).toBeUndefined();
	});

	it('are read without removed ones', () => {
		expect(buildDescriptorCriteria('WorkOrder')).toMatchObject({
			Conditions: [
				{ PropertyName: 'ActorTypeId', Operator: 'In', Values: ['WO'] },
				{ PropertyName: 'IsRemoved', Operator: 'Equal', Values: [false] },
			],
		});
	});

	it('are read for one record by its Id, actor type and fields', () => {
		const conditions = [
			{ PropertyName: 'ObjectId', Operator: 'Equal', Values: [7] },
			{ PropertyName: 'ObjectTypeId', Operator: 'In', Values: ['Asset'] },
			{ PropertyName: 'Descriptor.Id', Operator: 'In', Values: [9, 10] },
		];
		const [object, kind] = conditions;
		expect(buildCustomCriteria('Location', object as never)).toEqual({
			FilterOperator: 'And',
			Conditions: [kind, object],
		});
	});

	it('are members of some entities only', () => {
		expect(['WorkOrder', 'contact', 'WorkZone'].every(carriesCustomFields)).toBe(true);
		expect(['Space', 'Location', 'WoNote'].some(carriesCustomFields)).toBe(false);
	});
});

describe('values of custom fields', () => {
	it.each<[string, unknown, unknown, boolean]>([
		['Boolean', 'True', 'true', true],
		['Boolean', 'True', 'false', false],
		['Date', '2026-01-31T00:00:00', '2026-01-31', true],
		['Date', '2026-01-31', '2026-01-31T08:00:00', true],
		['Date', '2026-01-31T00:00:00', '2026-02-01', false],
		['Decimal', '12.50', '12.5', true],
		['Decimal', '12.50', '12.05', false],
		['Integer', '0', '', false],
		['Integer', '', '0', false],
		['Boolean', 'False', '', false],
		['Text', 'a', 'A', false],
		['Text', 'a', 'a', true],
		['Text', null, undefined, true],
		['Nobody knows', '1.0', '1', false],
		['Url', '<a href="https://a.b/?c=1&amp;d=2">x</a>', 'https://a.b/?c=1&d=2', true],
		['Url', "<A class='x' HREF = 'it&#39;s'>x</A>", "it's", true],
	])('of type %s: %j equals %j: %s', (Type, Value, given, same) => {
		expect(hasCustomValue({ Descriptor: { Type }, Value }, given)).toBe(same);
	});
});

it('finds no definition by a name that ends with thousands of IDs, within a moment', () => {
	const present = [{ Id: 1, Name: 'x', ActorTypeId: 'WO' }];
	const definitions = { noun: 'custom field' as const, present, findRemoved: () => [] };
	const readCpuTime = startCpuTime();
	const nameOrId = `y${' (ID 1)'.repeat(20_000)}`;
	expect(() => requireDefinition('x', { nameOrId }, definitions)).toThrow(/^'x'/);
	expect(readCpuTime()).toBeLessThan(2);
});

it('a definition that is named by the path of another one is written with its ID', () => {
	const all = [
		{ Id: 601, Name: 'Manufacturer' },
		{ Id: 5, Name: 'Attributes.601' },
	];
	expect(all.map((one) => nameDefinition(one, all))).toEqual([
		'Manufacturer',
		'Attributes.601 (ID 5)',
	]);
});

it('names rows whose definition has its ID as a number and as a text', () => {
	const rows = [1, '1'].map((Id) => ({ Descriptor: { Id, Name: 'Zone' }, Value: 'x' }));
	expect(flattenCustomFields({ CustomFields: rows })).toEqual({ CustomFields: { Zone: 'x' } });
});

describe('a list of custom fields, each of which is found without a comparison with all others', () => {
	const COUNT = 10_000;
	const build = (describe: (index: number) => object) =>
		Array.from({ length: COUNT }, (_, index) => ({
			Descriptor: describe(index),
			Id: index,
			Value: 'x',
		}));
	const chain = (index: number) => `Zone${' (ID 1)'.repeat(index % 100)}`;

	it.each<[string, ReturnType<typeof build>, number]>([
		['all have one name', build((Id) => ({ Id, Name: 'Zone' })), COUNT],
		['all have their own names', build((Id) => ({ Id, Name: `Zone ${Id}` })), COUNT],
		['all have one ID', build(() => ({ Id: 1, Name: 'Zone' })), 1],
		['all have the name and the ID of one', build((Id) => ({ Id, Name: 'Zone (ID 1)' })), COUNT],
		['their names are the IDs of others', build((Id) => ({ Id, Name: `${COUNT - Id}` })), COUNT],
		['their names are paths', build((Id) => ({ Id, Name: `CustomFields.${Id + 1}` })), COUNT],
		['names have many IDs', build((Id) => ({ Id: Id % 3, Name: chain(Id) })), 3],
	])('if %s', (_, CustomFields, shown) => {
		const definitions = CustomFields.map(({ Descriptor }) => Descriptor as { Id: number });
		const readCpuTime = startCpuTime();
		for (const present of [[], definitions]) {
			const nameRows = createRowNamer(present);
			const flat = flattenCustomFields({ CustomFields }, nameRows).CustomFields;
			expect(Object.keys(flat as object)).toHaveLength(shown);
			expect(listHiddenValues({ CustomFields }, nameRows)).toHaveLength(COUNT - shown);
		}
		expect(buildCustomColumns('WorkOrder', definitions)).toHaveLength(COUNT);
		expect(readCpuTime()).toBeLessThan(4);
	});
});

it('the custom fields of an entity stay the same list, which is indexed once for all values', () => {
	const rows = [{ Id: 1, Name: 'Zone' }];
	expect(getCustomFields('WorkOrder', () => rows).present).toBe(rows);
});
