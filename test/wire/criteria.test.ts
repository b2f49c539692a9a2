import fc from 'fast-check';
import { DateTime } from 'luxon';

import { operators } from '../../nodes/Corrigo/catalogue/operators';
import { ValidationError } from '../../nodes/Corrigo/values/errors';
import { type JsonObject, isObject } from '../../nodes/Corrigo/values/objects';
import {
	joinCriteria,
	and,
	atLeast,
	atMost,
	parseCriteria,
	buildFormCriteria,
	equal,
	greaterThan,
	isIn,
	excludeRemoved,
	like,
	or,
	type ConditionInput,
	type ConditionNames,
	type Criteria,
} from '../../nodes/Corrigo/wire/criteria';
import { plainId } from '../values/plainId';
import { validationError, validationMessage } from '../values/validationErrors';
import { cases } from '../cases';

const FIELD = 'Criteria (JSON)';

const names: ConditionNames = {
	resolveId: plainId,
	getTextType: () => ({ type: undefined, isChoice: false }),
	listValues: () => [],
};

const fromRows = (...rows: ConditionInput[]) => buildFormCriteria('WorkOrder', 'all', rows, names);
const fromJson = (value: unknown) => parseCriteria('WorkOrder', FIELD, value, names);

const readValues = (property: string, operator: string, value?: unknown) =>
	fromRows({ property, operator, value })?.Conditions?.[0].Values;

const readJsonValues = (PropertyName: string, Operator: string, Values: unknown[]) =>
	fromJson({ Conditions: [{ PropertyName, Operator, Values }] })?.Conditions?.[0].Values;

/** The conditions of a search by one property. */
const search = (entity: string, property: string, value: unknown) =>
	buildFormCriteria(entity, 'all', [{ property, operator: 'Equal', value }], names)?.Conditions;

describe('criteria from rows', () => {
	it('search a custom field by descriptor and value of the same row', () => {
		const row = { property: 'CustomFields.17', operator: 'Equal', value: 'x' };
		expect(fromRows(row)).toEqual({
			FilterOperator: 'And',
			Filters: [
				{
					FilterOperator: 'And',
					Conditions: [
						{ PropertyName: 'CustomFields.Descriptor.Id', Operator: 'Equal', Values: [17] },
						{ PropertyName: 'CustomFields.Value', Operator: 'Equal', Values: ['x'] },
					],
				},
			],
		});
	});

	it('ask whether a custom field is empty only where records have custom fields', () => {
		const row = { property: 'CustomFields.17', operator: 'Null' };
		expect(fromRows(row)).toBeUndefined();
		expect(() => buildFormCriteria('WoNote', 'all', [row], names)).toThrow(
			"'Conditions' asks whether CustomFields.17 is empty, but work order note records have no custom fields",
		);
	});

	it('search a member that is called almost like a custom field', () => {
		const condition = { PropertyName: 'CustomFields.x', Operator: 'Equal', Values: ['x'] };
		expect(search('WorkOrder', 'CustomFields.x', 'x')).toEqual([condition]);
	});

	it.each([
		['all', 'And'],
		['any', 'Or'],
	] as const)('match %s by %s', (match, FilterOperator) => {
		const rows = [
			{ property: 'Number', operator: 'Equal', value: 'A1' },
			{ property: 'Customer.DisplayAs', operator: 'Like', value: 'Ac%' },
		];
		expect(buildFormCriteria('WorkOrder', match, rows, names)).toEqual({
			FilterOperator,
			Conditions: [
				{ PropertyName: 'Number', Operator: 'Equal', Values: ['A1'] },
				{ PropertyName: 'Customer.DisplayAs', Operator: 'Like', Values: ['Ac%'] },
			],
		});
	});

	it.each<[string, string, unknown]>([
		['Employee', 'DtPwdChange', '2026-01-31T17:30:00Z'],
		['WorkOrder', 'Items.Comment', 'x'],
		['WorkOrder', 'LastActionDateUtc', '2026-01-31T17:30:00Z'],
		['WorkOrder', 'Notes.CreatedDate', '2026-01-31T17:30:00Z'],
		['WorkOrderCost', 'ApStateId', 'None'],
	])('of %s name %s in any case, as those in JSON do', (entity, property, value) => {
		const wanted = [{ PropertyName: property, Operator: 'Equal', Values: [value] }];
		for (const name of [property, property.toLowerCase(), ` ${property.toUpperCase()} `]) {
			const json = { Conditions: [{ ...wanted[0], PropertyName: name }] };
			expect(search(entity, name, value)).toEqual(wanted);
			expect(parseCriteria(entity, FIELD, json, names)?.Conditions).toEqual(wanted);
		}
	});

	it('read the type of a record in any case, so that its name can be looked up', () => {
		const [type, name] = [
			{ property: 'ActorTypeId'.toLowerCase(), operator: 'Equal', value: 'Property' },
			{ property: 'ActorId'.toUpperCase(), operator: 'Equal', value: 'Downtown' },
		];
		const find = { ...names, resolveId: () => 7 };
		expect(buildFormCriteria('Document', 'all', [type, name], find)?.Conditions).toMatchObject([
			{ PropertyName: 'ActorTypeId' },
			{ PropertyName: 'ActorId', Values: [7] },
		]);
	});

	it('are undefined without rows', () => {
		expect(fromRows()).toBeUndefined();
	});

	it.each<[ConditionInput, string]>([
		[{}, "'Conditions > Field'"],
		[{ property: '*', operator: 'Equal', value: 'x' }, "'Conditions > Field'"],
		[{ property: 'Items.*', operator: 'Equal', value: 'x' }, '"Items.*"'],
		[{ property: 'a b', operator: 'Equal', value: 'x' }, '"a b"'],
		[{ property: 'CustomFields.17.Value', operator: 'Equal', value: 'x' }, '17.Value"'],
		[{ property: 'Other.CustomFields.17', operator: 'Equal', value: 'x' }, '"Other.Custom'],
		[{ property: 'Number' }, "'Conditions > Operator'"],
		[{ property: 'Number', operator: 'Contains', value: 'x' }, '"Contains"'],
		[{ property: 'Number', operator: 'equal', value: 'x' }, '"equal"'],
		[{ property: 'Number', operator: 'constructor', value: 'x' }, '"constructor"'],
	])('%j is refused', (row, said) => {
		expect(validationMessage(() => fromRows(row))).toContain(said);
	});
});

describe('operators', () => {
	// The numbers of values are written out by hand, not derived from the catalogue.
	const counts: Record<string, 'none' | 'one' | 'two' | 'many'> = {
		Between: 'two',
		Equal: 'one',
		GreaterOrEqual: 'one',
		GreaterThan: 'one',
		In: 'many',
		LessOrEqual: 'one',
		LessThan: 'one',
		Like: 'one',
		NotBetween: 'two',
		NotEqual: 'one',
		NotIn: 'many',
		NotLike: 'one',
		NotNull: 'none',
		Null: 'none',
	};
	const right = { none: [0], one: [1], two: [2], many: [1, 2, 3] };
	const table = Object.entries(counts);

	it('are all in the table of this test', () => {
		expect(operators.map(({ name }) => name).sort()).toEqual(Object.keys(counts).sort());
	});

	it.each(table)('%s takes %s of values, in JSON and in an array of a row', (operator, takes) => {
		for (const count of [0, 1, 2, 3]) {
			const values = Array<string>(count).fill('x');
			const inJson = () => readJsonValues('Number', operator, values);
			const inRow = () => readValues('Number', operator, values);
			if (right[takes].includes(count)) {
				expect(inJson()).toEqual(values);
				expect(inRow()).toEqual(values);
				continue;
			}
			const text = validationMessage(inJson);
			for (const part of [operator, 'Value of Number', `${count} given`]) {
				expect(text).toContain(part);
			}
			if (takes === 'none') expect(inRow()).toEqual([]);
			else validationMessage(inRow);
		}
	});

	const letters = ['Like', 'NotLike'];
	const whole = ['Equal', 'In', 'NotEqual', 'NotIn', 'NotNull', 'Null'];
	const all = Object.keys(counts);
	const ordered = all.filter((name) => !letters.includes(name));

	/** Members of each kind, and what the texts of custom fields and attributes take whatever their type. */
	it.each<[string, string, string, readonly string[]]>([
		['WorkOrder', 'StatusId', 'Open', whole],
		['WorkOrder', 'statusId', 'Open', whole],
		['WorkOrder', 'IsWarranty', 'true', whole],
		['WorkZone', 'TimeZone', 'America/New_York', whole],
		['WorkOrder', 'DtDue', '2026-01-31', ordered],
		['WorkOrder', 'Customer.Id', '12', ordered],
		['WorkOrder', 'VendorNte.Value', '12.5', ordered],
		['WorkOrderCost', 'CheckCutDate', '2026-01-31', ordered],
		['WorkOrder', 'Number', 'A', all],
		['WorkOrder', 'Customer.DisplayAs', 'A', all],
		['WorkOrder', 'UnknownMember', 'A', all],
		['WorkOrder', 'CustomFields.Value', 'A', [...letters, 'NotNull', 'Null']],
		['WorkOrder', 'customFields.value', 'A', [...letters, 'NotNull', 'Null']],
		['Location', 'Attributes.Value', 'A', [...letters, 'NotNull', 'Null']],
		['CustomField2', 'Value', 'A', [...letters, ...whole]],
		['AssetAttribute', 'Value', 'A', [...letters, ...whole]],
	])(
		'that are meant for %s.%s are taken, and all others refused',
		(entity, property, text, meant) => {
			for (const [operator, takes] of table) {
				const values = Array<string>(right[takes][0]).fill(text);
				const Conditions = [{ PropertyName: property, Operator: operator, Values: values }];
				const ways = [
					() => parseCriteria(entity, FIELD, { Conditions }, names),
					() => parseCriteria(entity, FIELD, { Filters: [{ Conditions }] }, names),
					() => buildFormCriteria(entity, 'any', [{ property, operator, value: values }], names),
				];
				for (const read of ways) {
					if (meant.includes(operator)) expect(JSON.stringify(read())).toContain(operator);
					else {
						const { message, advice } = validationError(read);
						expect(message).toContain(`(${operator}) cannot compare`);
						expect(advice).toMatch(/^Use Is |^Compare one custom field by its type/);
					}
				}
			}
		},
	);

	it('without values send none that is left in the form', () => {
		expect(readValues('Number', 'Null', 'left over')).toEqual([]);
		expect(readValues('Number', 'NotNull')).toEqual([]);
	});
});

describe('lists of values', () => {
	it.each<[string, string, unknown, unknown[]]>([
		['Number', 'In', 'A1, A2,,A3 ,', ['A1', 'A2', 'A3']],
		['Number', 'In', 'A1', ['A1']],
		['Number', 'In', '["A1, Inc", "A2"]', ['A1, Inc', 'A2']],
		['Number', 'In', ' ["A1"] ', ['A1']],
		['Number', 'NotIn', ['A1', 'A2'], ['A1', 'A2']],
		['Id', 'In', '1, 2', [1, 2]],
		['Id', 'In', [1, '2'], [1, 2]],
		['Id', 'In', '[1, "2"]', [1, 2]],
		['Id', 'In', 7, [7]],
		['Id', 'Between', '1,9', [1, 9]],
		['DtDue', 'Between', '2026-01-01, 2026-01-31', ['2026-01-01T00:00:00', '2026-01-31T00:00:00']],
		['Number', 'Equal', 'A1, A2', ['A1, A2']],
		['Number', 'Equal', '["A1"]', ['["A1"]']],
		['Number', 'Equal', ['A1'], ['A1']],
	])('%s %s %j', (property, operator, value, expected) => {
		expect(readValues(property, operator, value)).toEqual(expected);
	});

	it.each<[string, string, unknown]>([
		['Number', 'In', ''],
		['Number', 'In', ' , '],
		['Number', 'In', []],
		['Number', 'In', null],
		['Number', 'In', '["A1"'],
		['Number', 'In', '[["A1"]]'],
		['Number', 'In', { 0: 'A1' }],
		['Id', 'In', '1, x'],
		['Id', 'In', '1.5'],
		['Id', 'Between', '1'],
		['Id', 'Between', '1,2,3'],
		['Number', 'Equal', ['A1', 'A2']],
	])('%s %s %j is refused', (property, operator, value) => {
		expect(validationMessage(() => readValues(property, operator, value))).toContain("'Conditions");
	});
});

describe('a value', () => {
	const moment = '2026-01-31T17:30:00.000Z';

	it.each<[string, string, unknown, unknown]>([
		['integer', 'Id', '12', 12],
		['integer through a reference', 'Customer.Id', '12', 12],
		['integer in other letters', 'customer.id', '12', 12],
		['number', 'VendorNte.Value', '1.5', 1.5],
		['boolean', 'IsWarranty', 'true', true],
		['datetime', 'DtDue', '2026-01-31', '2026-01-31T00:00:00'],
		['datetime', 'DtDue', new Date(moment), moment],
		['datetime', 'DtDue', DateTime.fromISO(moment, { zone: 'Asia/Tokyo' }), moment],
		['enumeration', 'StatusId', 'New', 'New'],
		['enumeration', 'StatusId', 3, 'Cancelled'],
		['enumeration', 'StatusId', '3', 'Cancelled'],
		['enumeration', 'StatusId', ' in progress', 'InProgress'],
		['enumeration through a collection', 'Items.Asset.TypeId', 'room or AREA', 'RoomArea'],
		['string', 'Number', '0012', '0012'],
		['string', 'Number', '', ''],
		['string', 'Number', ' x ', ' x '],
		['unknown', 'MadeUp', '12', '12'],
		['unknown', 'MadeUp', 12, 12],
		['unknown', 'MadeUp', false, false],
		['unknown', 'MadeUp', new Date(moment), moment],
		['unknown', 'MadeUp', DateTime.fromISO(moment), moment],
	])('of type %s: %s %p', (_, property, given, expected) => {
		expect(readValues(property, 'Equal', given)).toEqual([expected]);
		expect(readJsonValues(property, 'Equal', [given])).toEqual([expected]);
	});

	it.each<[string, string, unknown]>([
		['enumeration', 'StatusId', 'Finished'],
		['integer', 'Id', 'x'],
		['number', 'VendorNte.Value', 'x'],
		['boolean', 'IsWarranty', 'yes'],
		['datetime', 'DtDue', 'today'],
		['datetime', 'DtDue', new Date(NaN)],
		['string', 'Number', null],
		['string', 'Number', { a: 1 }],
		['string', 'Number', { toISO: 1, toString: 1 }],
		['unknown', 'MadeUp', NaN],
		['unknown', 'MadeUp', 12n],
		['unknown', 'MadeUp', null],
		['unknown', 'MadeUp', {}],
		['unknown', 'MadeUp', DateTime.invalid('test')],
	])('of type %s: %s %p is refused', (_, property, given) => {
		const text = validationMessage(() => readValues(property, 'Equal', given));
		expect(text).toContain(`Conditions > Value of ${property}`);
		expect(text).toContain('but it is');
	});

	it.each<[string, unknown, unknown]>([
		['Number', 'A%', 'A%'],
		['Number', 12, '12'],
		['PoNumber', true, 'true'],
		['MadeUp', new Date(moment), moment],
	])('of a pattern is always text: %s like %p', (property, given, expected) => {
		expect(readValues(property, 'Like', given)).toEqual([expected]);
		expect(readValues(property, 'NotLike', given)).toEqual([expected]);
	});

	it('of a pattern is not empty', () => {
		expect(validationMessage(() => readValues('Number', 'Like', ''))).toContain('empty');
	});
});

describe('nested criteria', () => {
	const good = { PropertyName: 'Number', Operator: 'Equal', Values: ['x'] };

	it('may be text, and default to And', () => {
		const json =
			'{"Filters": [{"FilterOperator": "Or", "Conditions": [{"PropertyName": "Id", "Operator": "In", "Values": ["1", 2]}]}]}';
		expect(fromJson(json)).toEqual({
			FilterOperator: 'And',
			Filters: [
				{
					FilterOperator: 'Or',
					Conditions: [{ PropertyName: 'Id', Operator: 'In', Values: [1, 2] }],
				},
			],
		});
	});

	it('accept names in any case and write them as the service does', () => {
		for (const { name, values } of operators) {
			const Values = Array<string>({ none: 0, one: 1, two: 2, many: 3 }[values]).fill('x');
			const by = (Operator: string) => [{ PropertyName: 'Number', Operator, Values }];
			for (const one of [name, name.toLowerCase(), name.toUpperCase()]) {
				const criteria = fromJson({ FilterOperator: 'oR', Conditions: by(one) });
				expect(criteria).toEqual({ FilterOperator: 'Or', Conditions: by(name) });
			}
		}
		expect(fromJson({ FilterOperator: 'AND', Filters: [{ Conditions: [good] }] })).toMatchObject({
			FilterOperator: 'And',
		});
	});

	it('have no group without conditions, even if no record has a custom field', () => {
		const Conditions = [{ PropertyName: 'CustomFields.17', Operator: 'Null' }];
		expect(fromJson({ Conditions })?.Filters).toEqual([
			{
				FilterOperator: 'And',
				Conditions: [{ PropertyName: 'Id', Operator: 'NotIn', Values: [0] }],
			},
		]);
	});

	it.each([[''], ['  '], ['{}'], [{}]])('are undefined for %j', (nothing) => {
		expect(fromJson(nothing)).toBeUndefined();
	});

	it.each<[string, unknown, string]>([
		['an array', [good], 'a JSON object'],
		['broken text', '{', 'not valid JSON'],
		['another word of the group', { Criteria: {} }, '"Criteria"'],
		['another word of a condition', { Conditions: [{ ...good, Value: 'x' }] }, '"Value"'],
		['a key of a group in a condition', { Conditions: [{ Conditions: [good] }] }, '"Conditions"'],
		['a condition as a group', good, '"PropertyName"'],
		['another operator', { FilterOperator: 'Xor', Conditions: [good] }, '"Xor"'],
		['no operator', { FilterOperator: null, Conditions: [good] }, 'empty'],
		['an operator of a condition', { Conditions: [{ ...good, Operator: 'is' }] }, '"is"'],
		[
			'an operator that is not text',
			{ Conditions: [{ ...good, Operator: { toString: 1 } }] },
			'toString',
		],
		['an empty group', { FilterOperator: 'And' }, 'group without'],
		['an empty group inside', { Conditions: [good], Filters: [{}] }, 'group without'],
		['empty lists', { Conditions: [], Filters: [] }, 'group without'],
		['conditions that are no list', { Conditions: good }, "'Criteria (JSON).Conditions'"],
		['groups that are no list', { Filters: { Conditions: [good] } }, "'Criteria (JSON).Filters'"],
		['a condition that is no object', { Conditions: ['x'] }, '"x"'],
		['a group that is no object', { Filters: [null] }, 'empty'],
		['values that are no list', { Conditions: [{ ...good, Values: 'x' }] }, 'Values of "Number"'],
		[
			'a property that is not text',
			{ Conditions: [{ ...good, PropertyName: { toString: 1 } }] },
			'toString',
		],
		['no value', { Conditions: [{ PropertyName: 'Number', Operator: 'Equal' }] }, '0 given'],
		['a hidden word', JSON.parse('{"__proto__": {}, "Conditions": []}'), '"__proto__"'],
		['a Date', new Date(0), 'a JSON object'],
	])('refuse %s', (_, value, said) => {
		expect(validationMessage(() => fromJson(value))).toContain(said);
	});
});

it('helpers write conditions as the service expects them', () => {
	const condition = (PropertyName: string, Operator: string, ...Values: unknown[]) => ({
		PropertyName,
		Operator,
		Values,
	});
	const either = or(like('B', 'x%'), greaterThan('C', 2));
	const given = and(equal('A', 1), either, atLeast('D', 3), atMost('E', 4), isIn('F', ['x', 'y']));
	// The order of the keys is that of the documentation.
	expect(JSON.stringify(given)).toBe(
		JSON.stringify({
			FilterOperator: 'And',
			Conditions: [
				condition('A', 'Equal', 1),
				condition('D', 'GreaterOrEqual', 3),
				condition('E', 'LessOrEqual', 4),
				condition('F', 'In', 'x', 'y'),
			],
			Filters: [
				{
					FilterOperator: 'Or',
					Conditions: [condition('B', 'Like', 'x%'), condition('C', 'GreaterThan', 2)],
				},
			],
		}),
	);
});

it('exclude deleted records only if Corrigo keeps them', () => {
	expect(excludeRemoved('Customer')).toEqual(and(equal('IsRemoved', false)));
	for (const entity of ['WorkOrder', 'NoSuchThing']) expect(excludeRemoved(entity)).toBeUndefined();
});

it('several criteria are joined by And', () => {
	const [one, two] = [and(equal('A', 1)), or(equal('B', 2))];
	expect(joinCriteria()).toBeUndefined();
	expect(joinCriteria(undefined, undefined)).toBeUndefined();
	expect(joinCriteria(undefined, one)).toBe(one);
	expect(joinCriteria(one, undefined, two)).toEqual({ FilterOperator: 'And', Filters: [one, two] });
});

describe('a local time', () => {
	const moment = '2026-01-31T17:30:00Z';
	const clock = '2026-01-31T17:30:00';
	const due = (operator: string, value: unknown, property = 'DtDue') =>
		fromRows({ property, operator, value })?.Conditions?.[0];

	it.each([
		['DtAcknowledgeBy', 'AcknowledgeByUtc'],
		['DtCreated', 'CreatedDateUtc'],
		['DtDue', 'DueDateUtc'],
		['DtOnSiteBy', 'DtUtcOnSiteBy'],
		['DtScheduledStart', 'ScheduledStartUtc'],
		['LastActionDate', 'LastActionDateUtc'],
	])('%s is compared with an instant as %s, and with a local time as itself', (local, utc) => {
		expect(due('Equal', moment, local)).toMatchObject({ PropertyName: utc, Values: [moment] });
		expect(due('Equal', clock, local)).toMatchObject({ PropertyName: local, Values: [clock] });
	});

	it('is compared with instants in any format', () => {
		for (const one of [new Date(moment), '2026-01-31T12:30:00-05:00', DateTime.fromISO(moment)]) {
			expect(due('LessThan', one)).toMatchObject({ PropertyName: 'DueDateUtc' });
		}
		expect(due('Between', [moment, '2026-02-01Z'])).toEqual({
			PropertyName: 'DueDateUtc',
			Operator: 'Between',
			Values: [moment, '2026-02-01T00:00:00Z'],
		});
		expect(due('Null', undefined)).toMatchObject({ PropertyName: 'DtDue' });
	});

	it('is found through a reference and through a collection', () => {
		expect(search('InvoiceLine', 'WorkOrder.DtDue', moment)).toEqual([
			{ PropertyName: 'WorkOrder.DueDateUtc', Operator: 'Equal', Values: [moment] },
		]);
		expect(() => due('Equal', moment, 'ActionLogRecords.ActionDate')).toThrow(ValidationError);
	});

	it.each([
		['Space', 'StartDate'],
		['Invoice', 'DtDue'],
		['FinancialItem', 'StartDate'],
	])('without a member in UTC accepts local times only: %s, %s', (entity, member) => {
		expect(search(entity, member, clock)).toEqual([
			{ PropertyName: member, Operator: 'Equal', Values: [clock] },
		]);
		const { message, advice } = validationError(() => search(entity, member, moment));
		expect(message).toContain(`'Conditions > Value of ${member}' has a time zone`);
		expect(advice).toContain('without a zone');
	});

	it('is refused if only one of two values has a zone', () => {
		const { advice } = validationError(() => due('Between', [moment, clock]));
		expect(advice).toBe('Give all of the times with a zone, or none.');
	});

	it('that the service sets, on a clock that is not known, is compared as it is', () => {
		expect(search('WoNote', 'CreatedDate', moment)).toEqual([
			{ PropertyName: 'CreatedDate', Operator: 'Equal', Values: [moment] },
		]);
	});
});

describe('arbitrary input', () => {
	const values = {
		Id: fc.maxSafeInteger(),
		'VendorNte.Value': fc.double({ noNaN: true, min: -1e15, max: 1e15 }),
		IsWarranty: fc.boolean(),
		DtDue: fc.constantFrom('2026-01-31T17:30:00', '2028-02-29T00:00:00.1234567'),
		DueDateUtc: fc.constantFrom('2026-01-31T17:30:00', '2028-02-29T00:00:00.1234567Z'),
		StatusId: fc.constantFrom('New', 'Open'),
		Number: fc.string({ minLength: 1 }),
		'MadeUp.Path': fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.boolean()),
	};
	const properties = Object.keys(values) as Array<keyof typeof values>;
	const lengths = { none: [0, 0], one: [1, 1], two: [2, 2], many: [1, 4] };

	/** Patterns compare texts alone, and an order has no choices. */
	const isMeant = (property: string, operator: string) =>
		/^(Number|MadeUp)/.test(property) ||
		(/^(IsWarranty|StatusId)$/.test(property)
			? /^(Not)?(Equal|In|Null)$/.test(operator)
			: !operator.endsWith('Like'));

	const condition = fc
		.tuple(fc.constantFrom(...properties), fc.constantFrom(...operators))
		.filter(([property, { name }]) => isMeant(property, name))
		.chain(([PropertyName, { name: Operator, values: takes }]) => {
			const [minLength, maxLength] = lengths[takes];
			const value = Operator.endsWith('Like') ? fc.string({ minLength: 1 }) : values[PropertyName];
			return fc.record({
				PropertyName: fc.constant(PropertyName),
				Operator: fc.constant(Operator),
				Values: fc.array<unknown>(value, { minLength, maxLength }),
			});
		});

	const { group } = fc.letrec<{ group: JsonObject }>((tie) => ({
		group: fc
			.record({
				FilterOperator: fc.constantFrom('And', 'Or'),
				Conditions: fc.array(condition, { maxLength: 3 }),
				Filters: fc.oneof(
					{ maxDepth: 3 },
					fc.constant([]),
					fc.array(tie('group'), { maxLength: 2 }),
				),
			})
			.filter(({ Conditions, Filters }) => Conditions.length + Filters.length > 0)
			.map(({ FilterOperator, Conditions, Filters }) => ({
				FilterOperator,
				...(Conditions.length > 0 ? { Conditions } : {}),
				...(Filters.length > 0 ? { Filters } : {}),
			})),
	}));

	it('is sent unchanged if it is valid', () => {
		fc.assert(
			fc.property(group, (criteria) => {
				expect(fromJson(criteria)).toEqual(criteria);
				// JSON has no minus zero.
				const json = JSON.stringify(criteria);
				expect(fromJson(json)).toEqual(JSON.parse(json));
			}),
			{ numRuns: cases(100, 500) },
		);
	});

	const KNOWN = ['FilterOperator', 'Conditions', 'Filters', 'PropertyName', 'Operator', 'Values'];

	function listKeys(value: unknown): string[] {
		if (Array.isArray(value)) return value.flatMap(listKeys);
		if (!isObject(value)) return [];
		return Object.entries(value).flatMap(([key, inner]) => [key, ...listKeys(inner)]);
	}

	it('is refused, or sent with known keys only', () => {
		const key = fc.oneof(fc.constantFrom(...KNOWN, ...KNOWN, '__proto__', 'Value'), fc.string());
		const anyCondition = fc.record(
			{ PropertyName: fc.anything(), Operator: fc.string(), Values: fc.anything() },
			{ requiredKeys: [] },
		);
		const anyValues = fc.record({
			PropertyName: fc.constantFrom(...properties),
			Operator: fc.constantFrom('Equal', 'Like', 'In'),
			Values: fc.array(fc.anything(), { maxLength: 2 }),
		});
		const misspelled = fc.constantFrom('Value', 'conditions', '__proto__', 'Id');
		const withKey = (one: fc.Arbitrary<JsonObject>) =>
			fc
				.tuple(one, misspelled)
				.map(([valid, own]) => Object.fromEntries([...Object.entries(valid), [own, 1]]));
		const junk = fc.oneof(
			withKey(group),
			fc.record({ Conditions: fc.tuple(withKey(condition)) }),
			fc.anything(),
			fc.jsonValue(),
			fc.object({ key, maxDepth: 5 }),
			fc.record({ Conditions: fc.array(fc.oneof(condition, fc.object({ key }), fc.anything())) }),
			fc.record({ Filters: fc.array(fc.oneof(group, fc.object({ key, maxDepth: 4 }))) }),
			fc.record({ Conditions: fc.array(anyCondition) }),
			fc.record({ Conditions: fc.tuple(anyValues) }),
		);
		fc.assert(
			fc.property(junk, (value) => {
				let criteria: Criteria | undefined;
				try {
					criteria = fromJson(value);
				} catch (error) {
					expect(error).toBeInstanceOf(ValidationError);
				}
				expect(listKeys(criteria).filter((one) => !KNOWN.includes(one))).toEqual([]);
			}),
			{ numRuns: cases(300, 3_000) },
		);
	});
});
