/**
 * Values are read and compared in the same way, whichever way they come in. These tests hold constant:
 * every name is that of one record; times have no zone that a work zone would translate, which
 * test/engine/names/times.test.ts tries; a value stands alone in its record, except the type next to
 * the ID of an actor, and amounts, which are tried with their currencies; what is stored is what was sent. Collections are in rows.test.ts, and the ways
 * through n8n in test/engine/write/ways.test.ts.
 */
import fc from 'fast-check';
import { DateTime } from 'luxon';

import type { INodeProperties } from 'n8n-workflow';

import { commands, getCommand } from '../../nodes/Corrigo/catalogue/commands';
import {
	belongsToOne,
	entities,
	getEntity,
	getMemberTypes,
	isCollection,
	isReference,
	toRowType,
	isReadOnlyMember,
} from '../../nodes/Corrigo/catalogue/entities';
import { enumerations, isEnumerationName } from '../../nodes/Corrigo/catalogue/enumerations';
import { getMemberLabel } from '../../nodes/Corrigo/catalogue/enumerations/labels';
import {
	findMemberTarget,
	getEntityTarget,
	type Target,
} from '../../nodes/Corrigo/catalogue/targets';
import { isTimeZone, timeZones } from '../../nodes/Corrigo/catalogue/times';
import {
	buildMembers,
	listColumns,
	listCommandColumns,
	readCells,
} from '../../nodes/Corrigo/columns/columns';
import {
	findDescriptorEntity,
	getSiblingName,
	getWrittenType,
	isIdentity,
} from '../../nodes/Corrigo/catalogue/members';
import {
	buildKeyConditions,
	parseKeyColumn,
	readKeys,
	requireKeyValue,
	toComparableKey,
	trimKeys,
} from '../../nodes/Corrigo/operations/upsert/match';
import { isBlank } from '../../nodes/Corrigo/values/input';
import { startCpuTime } from '../support/cpu';
import { findKind, type KindName } from '../../nodes/Corrigo/values/kinds';
import { spellPath } from '../../nodes/Corrigo/values/memberNames';
import { type JsonObject, readPath } from '../../nodes/Corrigo/values/objects';
import { isEmpty } from '../../nodes/Corrigo/form/form';
import { buildReferenceField } from '../../nodes/Corrigo/form/subjects';
import { createFieldBuilder, parseField } from '../../nodes/Corrigo/operations/members';
import { cases } from '../cases';
import { isSame } from '../../nodes/Corrigo/compare/differences';
import {
	agree,
	caught,
	comparisons,
	NONE,
	read,
	reader,
	resolveId,
	type Way,
	writes,
} from './ways';

interface Single {
	owner: string;
	member: string;
	type: string;
	kind: KindName;
	target?: Target;
}

const listMembers = (owner: string, types: Readonly<Record<string, string>>) =>
	Object.entries(types).flatMap(([member, type]): Single[] => {
		const kind = findKind(owner, member, type);
		const target = findMemberTarget(owner, member);
		return kind === undefined ? [] : [{ owner, member, type, kind, target }];
	});

/** A custom field or an attribute has its currency next to its value. */
const isOfAmount = ({ owner, member }: Single) =>
	findDescriptorEntity(owner) !== undefined && member === 'CurrencyTypeId';

/** PerformDeletion is a member of rows, and is refused elsewhere. */
const isOfRow = ({ member }: Single) => member === 'PerformDeletion';

const ofEntities = entities
	.flatMap(({ name }) => listMembers(name, getMemberTypes(name)))
	.filter((one) => !isOfAmount(one) && !isOfRow(one));
const ofCommands = commands.flatMap(({ name, fields }) => listMembers(name, fields));

const owners = [
	...entities.map(({ name }) => ({ owner: name, types: getMemberTypes(name) })),
	...commands.map(({ name, fields }) => ({ owner: name, types: fields })),
];

type Carrier = [of: string, carry: (members: JsonObject) => JsonObject];

const isKnownOwner = (type: string) => Object.keys(getMemberTypes(type)).length > 0;

/** A record or command by itself, carried by a command, and as a row. */
function listCarriers(owner: string): Carrier[] {
	const $type = owner;
	const byCommand: Carrier =
		getEntity(owner) === undefined
			? ['CompositeCommand', (members) => ({ Commands: [{ $type, ...members }] })]
			: ['UpdateCommand', (members) => ({ Entity: { $type, ...members } })];
	const rows = owners.flatMap(({ owner: of, types }) =>
		Object.keys(types)
			.filter((list) => types[list] === `${owner}[]`)
			.map((list): Carrier => [of, (members) => ({ [list]: [members] })]),
	);
	return [[owner, (members) => members], byCommand, ...rows.slice(0, 1)];
}

/** Returns those that differ in more than their owner; all of them with `FULL=1`. */
const pickDistinct = <T extends { owner: string }>(all: T[], listTraits: (one: T) => unknown[]) => [
	...new Map(
		all.map((one) => {
			const traits = [...listTraits(one), getEntity(one.owner) === undefined];
			return [process.env.FULL ? one : traits.join(), one] as const;
		}),
	).values(),
];

const distinct = pickDistinct([...ofEntities, ...ofCommands], (one) => {
	const { member, type, kind, target } = one;
	return [member, type, kind, target?.entity];
});

/** Members that hold a reference to a record, rather than its ID. Those of commands hold new records. */
const references = entities.flatMap(({ name: owner }) =>
	Object.entries(getMemberTypes(owner))
		.filter(([, type]) => getEntity(type) !== undefined && !belongsToOne(type))
		.map(([member, type]) => ({ owner, member, type, target: getEntityTarget(type) })),
);

/** What a person may choose for a record, and what an expression may give in its place. */
const RECORDS: unknown[] = [
	7,
	'7',
	' 7 ',
	'7.0',
	'007',
	'1e3',
	'Pump seal',
	{ Id: 7 },
	{ Id: '7' },
	{ Id: 'Pump seal' },
	{ DisplayAs: 'Pump seal' },
	{ Id: { Id: 7 } },
	[7],
	['7', '8'],
	'7, 8',
	true,
	{},
	{ valueOf: 1 },
];

const EMPTY = ['', ' ', null, undefined];

const EMPTY_RECORDS = [
	{ Id: null, DisplayAs: null },
	{ Id: '', DisplayAs: ' ' },
];

/** Records that were read have these where they refer to no other. */
const NO_RECORD: unknown[] = [0, '0', -1];

const STRANGE = [...EMPTY, 'yes', 'x', '1.5', -1, 1.5, true, [], {}, '2026-02-30'];

/** Inputs that a person may mean something by, and others, for each kind. */
const inputs: Record<KindName, (type: string) => unknown[]> = {
	choice: (type) =>
		isEnumerationName(type)
			? enumerations[type].flatMap((name, index) => [
					...[name, name.toUpperCase(), getMemberLabel(type, name), index, String(index)],
				])
			: [],
	day: () => ['2026-04-01', '2026-04-01T00:00:00-04:00', '2026-04-01T23:30:00Z'],
	entity: () => ['WorkOrder', 'work order', 'workorder', 'NoSuchEntity'],
	number: () => [0, 12.5, '12.50', '1e3', 'Infinity'],
	switch: () => [true, false, 'TRUE', ' false ', 1, 0, 'yes', 'no'],
	text: () => ['A', ' A ', 12, 'true'],
	time: () => ['2026-04-01', '2026-04-01T10:30:00', '2026-04-01 10:30'],
	timeOfDay: () => ['7:30', '07:30:15', '7:30 PM', '25:99'],
	timeZone: () => [35, '35', 'America/New_York', 'america/new_york', 'Nowhere/Land'],
	wholeNumber: () => [0, 12, '12', '12.0', '9007199254740993', '0x10', '12.0000000000000000001'],
};

const generateInput = (members: Single[]) =>
	fc.constantFrom(...members).chain((member) =>
		fc.record({
			member: fc.constant(member),
			value: fc.oneof(
				fc.constantFrom(...STRANGE, ...inputs[member.kind](member.type)),
				fc.string({ maxLength: 4 }),
				fc.integer({ min: -3, max: 120 }),
			),
		}),
	);

describe('one input means the same', () => {
	it('for each member of entities and commands, whichever way it is written', () => {
		for (const member of distinct) {
			const field = createFieldBuilder(member.owner as 'WorkOrder').field(
				member.member as 'Duration',
				member.member,
			);
			const fill: Way = (_, __, value) => caught(() => parseField(field, value, resolveId));
			for (const value of [...STRANGE, ...inputs[member.kind](member.type).slice(0, 20)]) {
				agree(isEmpty(value) ? writes : { ...writes, 'a field of a form': fill }, member, value);
			}
		}
		expect(distinct.length).toBeGreaterThan(500);
	});

	it('in a list of a form, by each of its modes', () => {
		const all = [...ofEntities, ...ofCommands, ...references].flatMap(({ target, ...one }) =>
			target === undefined || one.type === 'string' ? [] : [{ ...one, target }],
		);
		const lists = pickDistinct(all, ({ member, type, target }) => [member, type, target.entity]);
		const property: INodeProperties = buildReferenceField('record', 'a');
		for (const { owner, member, type, target } of lists) {
			const field = { owner, member, type, property, target };
			const choose: Way = (_, __, value) => caught(() => parseField(field, value, resolveId));
			for (const value of [...EMPTY, ...NO_RECORD, ...RECORDS]) {
				if (isEmpty(value) || NO_RECORD.includes(value)) {
					expect(choose(owner, member, value)).toMatch(/^refused:/);
					continue;
				}
				const ofMode = (mode: string): Way => {
					return () => choose(owner, member, { __rl: true, mode, value });
				};
				const modes = ['id', 'name'].map((mode) => [mode, ofMode(mode)]);
				const ways = { ...writes, ...Object.fromEntries(modes), choose };
				const sent = agree(ways as Record<string, Way>, { owner, member }, value);
				const isCompared = getEntity(owner) !== undefined && type === 'integer';
				// A condition takes a list of values.
				if (isCompared && !Array.isArray(value)) {
					expect(agree(comparisons, { owner, member }, value)).toEqual(sent);
				}
			}
		}
		expect(all.length).toBeGreaterThan(250);
	});

	it('in each field of a record that names another one, filled in or mapped by name', () => {
		const owners = [
			...entities.map(({ name }) => ({ owner: name, columns: listColumns(name, 'upsert') })),
			...commands.map(({ name }) => ({ owner: name, columns: listCommandColumns(name) })),
		];
		const all = owners.flatMap(({ owner, columns }) =>
			columns.flatMap((column) => (column.isReference ? [{ owner, column }] : [])),
		);
		const fields = pickDistinct(all, ({ owner, column: { id, label, type } }) => [
			...[id, label, type, getWrittenType(owner, id)],
		]);
		const nest = (path: string, value: unknown) =>
			path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value as JsonObject);
		for (const { owner, column } of fields) {
			const { id, label } = column;
			const short = id.replace(/\.Id$/, '');
			const map = (mapping: JsonObject, item: JsonObject) =>
				buildMembers(owner, readCells(owner, [column], mapping, item), reader);
			const auto = (item: JsonObject) => map({ mappingMode: 'autoMapInputData' }, item);
			for (const value of [...EMPTY, ...EMPTY_RECORDS, ...NO_RECORD, ...RECORDS]) {
				const isSingle = typeof value !== 'object';
				const results = [
					() => read(owner, nest(short, value)),
					() => read(owner, nest(id, value)),
					() => map({ mappingMode: 'defineBelow', value: { [id]: value } }, {}),
					() => auto({ [id]: value }),
					() => auto(nest(id, value)),
					() => auto(nest(short, value)),
					() => auto(nest(id.toLowerCase(), value)),
					() => auto({ [isSingle ? ` ${label}` : id]: value }),
				].map((way) => caught(() => readPath(way(), id)));
				const texts = new Set(results.map((one) => JSON.stringify(one) ?? String(one)));
				if (texts.size > 1) expect([owner, id, value, ...results]).toBe('one result');
			}
		}
		expect(all.length).toBeGreaterThan(250);
	});

	it('and no record is only what a record that was read has', () => {
		for (const value of NO_RECORD) {
			expect(read('Contact', { SupervisorId: value })).toEqual({ SupervisorId: Number(value) });
			expect(() => read('WorkOrder', { Customer: value })).toThrow(
				'must be a positive whole number',
			);
		}
	});

	it('whether it is written or compared', () => {
		fc.assert(
			fc.property(generateInput(ofEntities), ({ member, value }) => {
				// A comparison needs a value, and takes single ones alone.
				if (typeof value === 'object') return;
				const compared = agree(comparisons, member, value);
				const sent = agree(writes, member, value);
				if (sent !== NONE) expect(compared).toEqual(sent);
			}),
			{ numRuns: cases(1000, 50_000) },
		);
	});

	it('whether it is a key or in the record that has the key', () => {
		let keys = 0;
		fc.assert(
			fc.property(generateInput(ofEntities), ({ member, value }) => {
				const { owner, member: id } = member;
				const sent = agree(writes, member, value);
				const isNoKey = isIdentity(id) || isReadOnlyMember(owner, id);
				if (sent === NONE || String(sent).startsWith('refused:') || isNoKey) return;
				const column = parseKeyColumn('Match On', owner, id);
				const members = trimKeys([column], { [id]: sent });
				if (isBlank(members[id])) return;
				const given = requireKeyValue('Match On', column, members);
				const [{ Values }] = buildKeyConditions([column], [[given]]);
				keys += 1;
				expect(Values).toEqual([members[id]]);
				expect(readKeys([column], { [id]: sent })).toEqual([toComparableKey([column], [given])]);
			}),
			{ numRuns: cases(1000, 20_000) },
		);
		expect(keys).toBeGreaterThan(100);
	});

	it('and what is sent means itself', () => {
		fc.assert(
			fc.property(generateInput([...ofEntities, ...ofCommands]), ({ member, value }) => {
				const sent = agree(writes, member, value);
				if (sent === NONE || String(sent).startsWith('refused:')) return;
				expect(agree(writes, member, sent)).toEqual(sent);
				expect(isSame(member.type, sent, sent)).toBe(true);
			}),
			{ numRuns: cases(1000, 20_000) },
		);
	});
});

describe('null', () => {
	it('changes nothing in any member, and neither does an empty text that is not cleared', () => {
		for (const { owner, member, kind } of distinct) {
			expect(read(owner, { [member]: null })).toEqual({});
			if (kind !== 'text') expect(read(owner, { [member]: ' ' })).toEqual({});
		}
	});

	it.each<[string, JsonObject, JsonObject]>([
		['WorkOrder', { Customer: { Id: '', DisplayAs: ' ' }, SubType: { Id: { Id: null } } }, {}],
		['WorkOrder', { RepairCode: null, Customer: { Id: null }, PoNumber: 'P' }, { PoNumber: 'P' }],
		['WorkOrder', { VendorNte: { Value: null, CurrencyTypeId: null } }, {}],
		['WorkOrder', { Address: { Street: null, City: 'X' } }, { Address: { City: 'X' } }],
		['WorkOrder', { Items: [{ Id: 1, Comment: null }] }, { Items: [{ Id: 1 }] }],
		['WoCancelCommand', { WorkOrderId: 5, Comment: null }, { WorkOrderId: 5 }],
	])('at any depth of %s: %j', (owner, given, sent) => {
		expect(read(owner, given)).toEqual(sent);
	});
});

describe('the number of a member of an enumeration', () => {
	it('is its name, and any other is refused with the members', () => {
		const choices = new Map(ofEntities.map((member) => [member.type, member]));
		for (const { owner, member, type } of choices.values()) {
			if (!isEnumerationName(type)) continue;
			const { length, 0: first, [length - 1]: last } = enumerations[type];
			const offered = enumerations[type].filter((one) => !/^Un?known$/.test(one));
			expect(read(owner, { [member]: 0 })).toEqual({ [member]: first });
			expect(read(owner, { [member]: String(length - 1) })).toEqual({ [member]: last });
			for (const number of [-1, length, 9999, 1.5]) {
				expect(() => read(owner, { [member]: number })).toThrow(
					`'Fields (JSON) > ${member}' must be one of ${offered.join(', ')}, but it is `,
				);
			}
		}
	});

	it('may be the sum of several members', () => {
		expect(read('WoLastAction', { BillStatus: 6 })).toEqual({
			BillStatus: 'Billed_BilledAndModified',
		});
		for (const sum of [3, '3', ' 3.0 ']) {
			expect(read('WoScheduleRoutine', { Options: sum })).toEqual({ Options: 3 });
		}
	});

	it('equals its name and its label', () => {
		for (const one of [3, '3', 'Primary', 'primary']) {
			for (const other of [3, 'Primary']) expect(isSame('LeaseContactType', one, other)).toBe(true);
			expect(isSame('LeaseContactType', one, 2)).toBe(false);
		}
	});
});

describe('a day', () => {
	const newYork = DateTime.fromISO('2026-04-01', { zone: 'America/New_York' });

	it.each<[unknown, string]>([
		['2026-04-01', '2026-04-01T00:00:00'],
		['2026-04-01T10:30:00', '2026-04-01T00:00:00'],
		[DateTime.fromISO('2026-04-01T00:30:00', { zone: 'Pacific/Auckland' }), '2026-04-01T00:00:00'],
		['2026-04-01T23:30:00-04:00', '2026-04-01T00:00:00'],
		['2026-04-01T00:00:00+02:00', '2026-04-01T00:00:00'],
		['2026-04-01T23:30:00Z', '2026-04-01T00:00:00'],
		[newYork, '2026-04-01T00:00:00'],
		[newYork.endOf('month'), '2026-04-30T00:00:00'],
	])('is that of the given zone: %s', (value, sent) => {
		for (const way of [...Object.values(writes), ...Object.values(comparisons)]) {
			expect(way('WorkOrderCost', 'VendorInvoiceDate', value)).toBe(sent);
		}
	});

	it('has no time in any member that is one, and is none of a JavaScript date', () => {
		const days = distinct.filter(({ kind }) => kind === 'day');
		expect(days.length).toBeGreaterThan(5);
		for (const member of days) {
			const ways = getEntity(member.owner) === undefined ? writes : { ...writes, ...comparisons };
			for (const time of ['2026-04-01T17:30:00', '2026-04-01T23:30:00+13:00', '2026-04-01']) {
				expect(agree(ways, member, time)).toBe('2026-04-01T00:00:00');
			}
			const moment = new Date('2026-04-01T11:30:00Z');
			expect(agree(ways, member, moment)).toMatch(/^refused: must be a day/);
		}
	});
});

describe('a time zone', () => {
	it('is accepted by its IANA name in any case, or by its number', () => {
		for (const [index, name = ''] of Object.entries(timeZones)) {
			for (const value of [index, Number(index), name, name.toUpperCase()]) {
				expect(read('WorkZone', { TimeZone: value })).toEqual({ TimeZone: Number(index) });
			}
		}
		expect(() => read('WorkZone', { TimeZone: 'Nowhere/Land' })).toThrow(/must be a time zone/);
	});

	it.each([
		['TimeZone', 'integer', true],
		['TimeZoneId', 'integer', true],
		['WorkZone.TimeZone', 'integer', true],
		['TimeZone', 'string', false],
		['LocalTimeZone', 'integer', false],
		['TimeZones', 'integer', false],
		['TimeZoneIdea', 'integer', false],
	])('is recognized by path and type: %s (%s): %s', (path, type, is) => {
		expect(isTimeZone(path, type)).toBe(is);
	});
});

describe('a record in place of a reference', () => {
	it.each([
		[
			{ Id: 5, DisplayAs: 'Pump seal' },
			{ Id: 5, DisplayAs: 'Pump seal' },
		],
		[{ Id: '5' }, { Id: 5 }],
		[{ DisplayAs: 'Pump seal' }, { Id: 7 }],
		[{ displayas: 'Pump seal', PartNumber: 'P' }, { Id: 7 }],
		['Pump seal', { Id: 7 }],
		[{ Id: 'Pump seal' }, { Id: 7 }],
	])('is found by its Id or name: %j', (value, sent) => {
		expect(read('ReplenishmentOrderItem', { Product: value })).toEqual({ Product: sent });
	});

	it.each([{}, { PartNumber: 'P' }, { DisplayAs: '17' }])(
		'is refused without both: %j',
		(value) => {
			expect(() => read('ReplenishmentOrderItem', { Product: value })).toThrow(
				"'Fields (JSON) > Product' has no Id, so it is not known which product is meant",
			);
		},
	);

	it('is none where it is a part of its owner, or a new record in a command', () => {
		const order = {
			Address: { Street: 'Main Street 1' },
			Estimate: { Amount: { Value: 1, CurrencyTypeId: 'USD' } },
		};
		expect(read('WorkOrder', order)).toEqual(order);
		expect(read('WoCreateCommand', { workorder: { customer: { displayas: 'Contoso' } } })).toEqual({
			WorkOrder: { Customer: { Id: 7 } },
		});
	});
});

describe('rows', () => {
	it.each<[string, JsonObject, JsonObject]>([
		['Employee', { Teams: 'North, 3' }, { Teams: [{ TeamId: 7 }, { TeamId: 3 }] }],
		[
			'Employee',
			{ Teams: ['North', 7, { TeamId: '4' }] },
			{ Teams: [{ TeamId: 7 }, { TeamId: 4 }] },
		],
		[
			'Contact',
			{ ContactAddresses: [{ AddrTypeId: 1, Address: '555' }] },
			{ ContactAddresses: [{ AddrTypeId: 'PrimPhone', Address: '555' }] },
		],
		[
			'Contact',
			{ contactaddresses: { PrimPhone: '555', 'prim email': '' } },
			{ ContactAddresses: [{ AddrTypeId: 'PrimPhone', Address: '555' }] },
		],
		['WoAssignCommand', { Assignees: '301, North' }, { Assignees: [301, 7] }],
		['WorkOrder', { Items: '[{"comment":"x"}]' }, { Items: [{ Comment: 'x' }] }],
	])('of %s may be written as %j', (owner, given, sent) => {
		expect(read(owner, given)).toEqual(sent);
	});
});

describe('names of members', () => {
	it('are those of the contract, in any case', () => {
		expect(spellPath('WorkOrder', 'customer.workzone.TIMEZONE')).toBe('Customer.WorkZone.TimeZone');
		expect(spellPath('WorkOrder', 'NoSuch.Path')).toBe('NoSuch.Path');
		expect(read('ApStatusChangeCommand', { WorkOrderId: '5' })).toEqual({ WorkOrderid: 5 });
	});

	it('of any length and number take little time', () => {
		const dots = 'a.'.repeat(20_000);
		const members = Array.from({ length: 4_000 }, (_, index) => [`Widget.A${index}.B`, index]);
		const readCpuTime = startCpuTime();
		expect(spellPath('WorkOrder', `priority.${dots}`)).toBe(`Priority.${dots}`);
		expect(() => read('WorkOrder', { [`Customer.${dots}a`]: 1 })).toThrow('is not a field name');
		read('WorkOrder', Object.fromEntries(members) as JsonObject);
		expect(readCpuTime()).toBeLessThan(1);
	});

	it('are joined where several lead to one member, and refused where they contradict', () => {
		const joined = { 'X.A.B': 1, 'X.A.C': 2, X: { D: 3, A: { E: 4 } } };
		expect(read('WorkOrder', joined)).toEqual({ X: { A: { B: 1, C: 2, E: 4 }, D: 3 } });
		for (const other of [{ X: 5 }, { 'X.A': 5 }, { X: { A: 5 } }, { 'X.A': { B: 5 } }]) {
			expect(() => read('WorkOrder', { 'X.A.B': 1, ...other })).toThrow(
				/ sets "[XAB]" twice, or both/,
			);
		}
	});

	it('are refused twice', () => {
		expect(() => read('Customer', { Dba: 'x', dba: 'y' })).toThrow(
			'\'Fields (JSON)\' has "Dba" more than once',
		);
	});

	it('may be paths into parts and records, in commands, in records that they carry and in rows', () => {
		const all = owners.flatMap(({ owner, types }) =>
			Object.entries(types).flatMap(([member, type]) =>
				listMembers(type, getMemberTypes(type)).map((inner) => ({ owner, member, inner })),
			),
		);
		const tried = pickDistinct(all, ({ inner }) => [inner.owner, inner.kind]);
		for (const { owner, member, inner } of tried) {
			const [value] = inputs[inner.kind](inner.type);
			const path = `${member}.${inner.member}`;
			for (const [of, carry] of listCarriers(owner)) {
				const nested = caught(() => read(of, carry({ [member]: { [inner.member]: value } })));
				for (const given of [path, path.toUpperCase()]) {
					const sent = caught(() => read(of, carry({ [given]: value })));
					expect([of, given, sent]).toEqual([of, given, nested]);
				}
			}
		}
		expect(tried.length).toBeGreaterThan(200);
		for (const [name, input] of [
			['A..B', { 'A..B': 1 }],
			['Comment.', { 'Comment.': 1 }],
			['Comment', { Comment: 'x', 'Comment.Text': 'y' }],
		] as const) {
			expect(() => read('WoCancelCommand', input)).toThrow(`"${name}"`);
		}
		expect(() => read('WorkOrder', { 'Priority.Id': 2, Priority: { Id: 3 } })).toThrow(
			'\'Fields (JSON) > Priority\' sets "Id" twice',
		);
	});

	it('stay as they are if the contract lacks them', () => {
		const unknown = { newMember: { a: 1, b: null }, other: 1 };
		expect(read('Customer', unknown)).toEqual(unknown);
	});
});

/** Members with the ID of a record that have no reference next to them, and the other way round. */
const twins = owners.flatMap(({ owner, types }) =>
	Object.entries(types).flatMap(([member, type]) => {
		const other = isReference(type) ? `${member}Id` : getSiblingName(member);
		const isIdOnly =
			other !== '' && other !== member && findMemberTarget(owner, member) !== undefined;
		const isTwin = isReference(type) || isIdOnly;
		return isTwin && getWrittenType(owner, other) === '' ? [{ owner, member, other, type }] : [];
	}),
);

it('a record is named by its ID or as a record, whichever of both its owner has', () => {
	const tried = pickDistinct(twins, ({ member, type }) => [member, isReference(type)]);
	expect(tried.length).toBeGreaterThan(100);
	for (const { owner, member, other, type } of tried) {
		const [idName, recordName] = isReference(type) ? [other, member] : [member, other];
		for (const [of, carry] of listCarriers(owner)) {
			const sent = caught(() => read(of, carry({ [member]: isReference(type) ? { Id: 5 } : 5 })));
			const given = [
				{ [idName]: '5' },
				{ [recordName.toUpperCase()]: { Id: 5 } },
				{ [`${recordName}.Id`]: 5 },
				{ [idName]: 5, [recordName]: { Id: '5' } },
				{ [idName]: null, [recordName]: { Id: 5 } },
				{ [idName]: 5, [recordName]: null },
				{ [idName.toLowerCase()]: { id: 5 } },
				{ [recordName.toLowerCase()]: { ID: 5 } },
				{ [`${recordName.toLowerCase()}.ID`]: 5 },
			];
			for (const one of given) {
				expect([of, one, caught(() => read(of, carry(one)))]).toEqual([of, one, sent]);
			}
			for (const twice of [{ Id: 6 }, 6]) {
				const refused = caught(() => read(of, carry({ [idName]: 5, [recordName]: twice })));
				expect(refused).toBe(`refused: has 5 as '${idName}', but 6 as '${recordName}'`);
			}
			for (const another of [6, { Id: 6 }, 'Other']) {
				const refused = caught(() => read(of, carry({ [idName]: 'One', [recordName]: another })));
				const shown = typeof another === 'string' ? another : 6;
				expect(refused).toBe(`refused: has One as '${idName}', but ${shown} as '${recordName}'`);
			}
			const named = caught(() => read(of, carry({ [idName]: 'One' })));
			const same = caught(() => read(of, carry({ [idName]: 'One', [recordName]: ' one' })));
			if (isReference(type)) expect(same).toEqual(named);
			for (const name of [idName, recordName]) {
				const twice = { [name]: 5, [name.toUpperCase()]: 6 };
				expect(caught(() => read(of, carry(twice)))).toBe(`refused: has "${name}" more than once`);
			}
		}
		const path = isReference(type) ? `${recordName}.Id` : idName;
		expect([idName, `${recordName}.id`].map((one) => spellPath(owner, one))).toEqual([path, path]);
	}
	expect(() => read('WorkOrder', { FlagId: 5, Flag: { Id: 6 } })).toThrow(
		"has 5 as 'FlagId', but 6 as 'Flag'",
	);
	expect(() => read('WorkOrder', { PriorityId: 'High', Priority: { DisplayAs: 'Low' } })).toThrow(
		"has High as 'PriorityId', but Low as 'Priority'",
	);
	// A name explains the ID of a record that was read.
	expect(read('Contact', { CustomerId: 5, Customer: 'Contoso' })).toMatchObject({ CustomerId: 5 });
});

it('a row to delete says which, in every collection of entities and commands', () => {
	const lists = owners.flatMap(({ owner, types }) =>
		Object.entries(types)
			.map(([list, type]) => ({ owner, list, type: toRowType(type) }))
			.filter(({ list, type }) => isCollection(types[list]) && isKnownOwner(type)),
	);
	const refused = 'refused: has PerformDeletion, but no Id';
	for (const { owner, list } of pickDistinct(lists, ({ type }) => [type])) {
		for (const PerformDeletion of [true, 'True']) {
			for (const Id of [undefined, null, '', 0]) {
				const sent = caught(() => read(owner, { [list]: [{ Id, PerformDeletion }] }));
				expect([owner, list, sent]).toEqual([owner, list, refused]);
			}
		}
		const known = { [list]: [{ Id: 5, PerformDeletion: true }] };
		expect(read(owner, known)).toEqual(known);
	}
	expect(lists.length).toBeGreaterThan(60);
	const email = { AddrTypeId: 'PrimEmail', PerformDeletion: true };
	expect(read('Contact', { ContactAddresses: [email] })).toEqual({ ContactAddresses: [email] });
	expect(() => read('Customer', { Addresses: [{ City: 'x', PerformDeletion: true }] })).toThrow(
		"'Fields (JSON) > Addresses' has PerformDeletion, but no Id",
	);
});

it('only a row is deleted with what it belongs to, never a record, a part or an amount', () => {
	const objects = owners.flatMap(({ owner, types }) =>
		Object.entries(types)
			.filter(([, type]) => type !== '' && !isCollection(type))
			.filter(([member, type]) => findKind(owner, member, type) === undefined)
			.map(([member]) => ({ owner, member })),
	);
	expect(objects.length).toBeGreaterThan(150);
	for (const { owner, member } of objects) {
		for (const PerformDeletion of [true, 'True']) {
			const sent = caught(() => read(owner, { [member]: { Id: 5, PerformDeletion } }));
			expect([owner, member, sent]).toEqual([
				owner,
				member,
				'refused: has PerformDeletion, which would delete the record itself',
			]);
		}
	}
});

it('several commands are read as the commands that they are', () => {
	const Entity = { $type: 'workorder', dtdue: '2026-05-01', customer: 'Contoso', RepairCode: null };
	const commands = [
		{ $type: 'UpdateCommand', entity: Entity },
		{ $type: 'WoCancelCommand', workorderid: '7', comment: 'x' },
		{ $type: 'NewCommand', anything: 1 },
	];
	expect(read('CompositeCommand', { commands })).toEqual({
		Commands: [
			{
				$type: 'UpdateCommand',
				Entity: { $type: 'workorder', DtDue: '2026-05-01T00:00:00', Customer: { Id: 7 } },
			},
			{ $type: 'WoCancelCommand', WorkOrderId: 7, Comment: 'x' },
			{ $type: 'NewCommand', anything: 1 },
		],
	});
});

it('a kind of a collection is refused twice', () => {
	const ContactAddresses = { PrimEmail: 'a@x.org', 'Primary Email': 'b@x.org' };
	expect(() => read('Contact', { ContactAddresses })).toThrow(
		'is "PrimEmail", which is given more',
	);
});

/** Values with which an amount is empty. */
const NO_VALUE = [null, undefined, '', ' '];

it('an amount is written whole or not at all, whichever way its parts come in', () => {
	const amounts = owners.flatMap(({ owner, types }) =>
		Object.entries(types)
			.filter(([, type]) => type === 'MoneyValue')
			.map(([member]) => ({ owner, member })),
	);
	expect(amounts.length).toBeGreaterThan(30);
	const map: Way = (owner, member, value) =>
		caught(() => {
			const parts = Object.entries(value as JsonObject);
			const cells = parts.map(([part, one]) => ({
				id: `${member}.${part}`,
				label: part,
				value: one,
			}));
			return buildMembers(owner, cells, reader)[member];
		});
	const ways = { ...writes, 'columns of its parts': map };
	for (const amount of amounts) {
		const write = (value: JsonObject) => agree(ways, amount, value);
		for (const empty of NO_VALUE) {
			for (const none of NO_VALUE) expect(write({ Value: none, CurrencyTypeId: empty })).toBe(NONE);
			expect(write({ Value: empty, CurrencyTypeId: 'USD' })).toBe('refused: has no amount');
			expect(write({ Value: empty, CurrencyTypeId: 'Unknown' })).toBe(NONE);
			expect(write({ Value: 5, CurrencyTypeId: empty })).toBe('refused: has no currency');
		}
		expect(write({ Value: 5, CurrencyTypeId: 'Unknown' })).toBe('refused: has no currency');
		expect(write({ CurrencyTypeId: 'EUR' })).toBe('refused: has no amount');
		const whole = { Value: 0, CurrencyTypeId: 'EUR' };
		expect(write(whole)).toEqual(whole);
	}
});

it.each([
	['WorkOrder', 'CustomFields', 'ObjectId'],
	['Location', 'Attributes', 'AssetId'],
])('a row of %s: %s without a value writes no currency', (owner, list, link) => {
	const write = (row: JsonObject) => read(owner, { [list]: [{ Descriptor: { Id: 5 }, ...row }] });
	expect(() => write({ CurrencyTypeId: 'EUR' })).toThrow("CurrencyTypeId' has no amount");
	expect(() => write({ Value: null, CurrencyTypeId: 'EUR' })).toThrow('has no amount');
	expect(write({ Id: 7, Value: null, CurrencyTypeId: 'Unknown', [link]: 3 })).toEqual({});
});

it('a number that has lost digits is refused in every text and every key, whichever way it comes in', () => {
	const texts = distinct.filter(({ kind, target }) => kind === 'text' && target === undefined);
	expect(texts.length).toBeGreaterThan(50);
	for (const member of texts) {
		for (const number of [2 ** 53, -(2 ** 53), 1e21]) {
			const compared = getEntity(member.owner) === undefined ? [] : Object.values(comparisons);
			for (const way of [...Object.values(writes), ...compared]) {
				expect(way(member.owner, member.member, number)).toMatch(/^refused: has the number/);
			}
		}
		expect(agree(writes, member, 2 ** 53 - 1)).toBe('9007199254740991');
	}
});

it('an object has names of fields alone, and is what its place says, whatever its depth', () => {
	const places = owners.flatMap(({ owner: root, types }) => [
		{ root, owner: root, wrap: (one: JsonObject): JsonObject => one },
		...Object.entries(types)
			.map(([member, type]) => ({ member, type, owner: toRowType(type) }))
			.filter(({ owner }) => isKnownOwner(owner))
			.map(({ member, type, owner }) => ({
				...{ root, owner },
				wrap: (one: JsonObject): JsonObject => ({ [member]: isCollection(type) ? [one] : one }),
			})),
		// A record may be given where its owner has its ID alone.
		...Object.keys(types).flatMap((member) => {
			const [record, target] = [getSiblingName(member), findMemberTarget(root, member)];
			const isAlone = record !== member && getWrittenType(root, record) === '';
			if (!isAlone || target === undefined) return [];
			return [record, member].map((name) => ({
				...{ root, owner: target.entity },
				wrap: (one: JsonObject): JsonObject => ({ [name]: { Id: 1, ...one } }),
			}));
		}),
	]);
	expect(places.length).toBeGreaterThan(300);
	for (const { root, owner, wrap } of places) {
		const write = (one: JsonObject) => caught(() => read(root, wrap(one)));
		for (const name of ['__type', '$ref', '$id', '$values', 'xsi:type', 'PerformDeletion ']) {
			const refusal = `refused: has "${name}", which is not a field name`;
			expect([root, owner, write({ [name]: 'WorkOrder' })]).toEqual([root, owner, refusal]);
		}
		const isOpen = isEmpty(getMemberTypes(owner)) && isEmpty(getCommand(owner)?.fields ?? {});
		const other = owner === 'Contact' ? 'WorkOrder' : 'Contact';
		for (const name of isOpen || owner === 'EntitySpecifier' ? [] : ['EntityType', 'entityType']) {
			const refusal = `refused: must be ${owner}, but it is "${other}"`;
			expect([root, owner, write({ [name]: other, Id: 1 })]).toEqual([root, owner, refusal]);
			const own = JSON.stringify([write({ [name]: owner, Id: 1 })]);
			expect(own).not.toMatch(/must be|not a field name/);
		}
	}
});
