/**
 * A row of a collection with one row of each kind means the same, whichever way it comes in. These
 * tests hold constant: a row has one value, except addresses; custom fields are texts, as JSON does
 * not know their types (test/compare/customFields.test.ts has the others); a kind of a custom field is
 * the ID of its descriptor. Attributes need the Company's descriptors: test/engine/write/ways.test.ts.
 */
import { entities, getMemberTypes, parts } from '../../nodes/Corrigo/catalogue/entities';
import { type EnumerationName, enumerations } from '../../nodes/Corrigo/catalogue/enumerations';
import { getMemberLabel } from '../../nodes/Corrigo/catalogue/enumerations/labels';
import {
	findDescriptorEntity,
	findMemberType,
	findRowKinds,
	findRowType,
} from '../../nodes/Corrigo/catalogue/members';
import { buildMembers, listColumns, readCells } from '../../nodes/Corrigo/columns/columns';
import {
	buildValueRow,
	getDescriptor,
	parseDescribed,
} from '../../nodes/Corrigo/compare/customFields';
import { isDescribed } from '../../nodes/Corrigo/operations/write/described';
import {
	buildKeyConditions,
	parseKeyColumn,
	readKeys,
	requireKeyValue,
	toComparableKey,
	trimKeys,
} from '../../nodes/Corrigo/operations/upsert/match';
import { isBlank } from '../../nodes/Corrigo/values/input';
import { addsNothing } from '../../nodes/Corrigo/values/rows';
import { type JsonObject, mapMembers } from '../../nodes/Corrigo/values/objects';
import { and, buildFormCriteria, equal } from '../../nodes/Corrigo/wire/criteria';
import { cases } from '../cases';
import { agree, caught, comparisons, names, NONE, read, reader } from './ways';

const collections = entities.flatMap(({ name: owner }) =>
	Object.keys({ ...getMemberTypes(owner), CustomFields: '' }).flatMap((list) => {
		const type = findRowType(owner, list) ?? '';
		const kinds = findRowKinds(type);
		return kinds === undefined ? [] : [{ owner, list, type, by: kinds.by, main: kinds.value }];
	}),
);

const named = collections.filter(({ type }) => findDescriptorEntity(type) === undefined);
const custom = collections.filter(({ type }) => type === 'CustomField2');

const BLANK = ['', ' ', null, undefined];
const VALUES: unknown[] = ['a@b.org', ' A ', 'A\t', 12, '12', true, 'x, y', '[1]', '{"a":1}'];
const LISTS: unknown[] = [[7], ['a']];

type Work = () => JsonObject;

/** Returns the rows that all ways send; fails if one differs. */
function send(list: string, of: unknown, ways: readonly Work[]): unknown {
	const results = ways.map((way) => caught(() => way()[list]));
	const texts = new Set(results.map((one) => JSON.stringify(one) ?? String(one)));
	if (texts.size > 1) expect([of, ...texts]).toBe('one result');
	return results[0];
}

const raiseNames = (row: JsonObject): JsonObject =>
	Object.fromEntries(Object.entries(row).map(([name, one]) => [name.toUpperCase(), one]));

const paste = (owner: string, list: string, row: JsonObject): Work[] => [
	() => read(owner, { [list]: [row] }),
	() => read(owner, { [list.toLowerCase()]: [raiseNames(row)] }),
	() => read(owner, { [list]: JSON.stringify([row]) }),
	() => read('UpdateCommand', { Entity: { $type: owner, [list]: [row] } }).Entity as JsonObject,
];

const DESCRIPTOR = 12;

const schema = [{ id: `CustomFields.${DESCRIPTOR}`, displayName: 'Own', type: 'string' }];

/** Other columns find nothing in these items. */
const columnsByOwner = new Map(
	collections.map(({ owner }) => {
		const columns = listColumns(owner, 'update').filter(({ id }) => id.includes('Addresses.'));
		return [owner, columns] as const;
	}),
);

function map(owner: string, mapping: JsonObject, item: JsonObject = {}): JsonObject {
	const columns = columnsByOwner.get(owner) ?? [];
	const cells = readCells(owner, columns, { ...mapping, schema }, item);
	const own = cells.filter((cell) => !isDescribed(cell));
	const members = buildMembers(owner, own, reader);
	const rows = cells
		.filter(isDescribed)
		.map(({ id, label, value }) =>
			buildValueRow(getDescriptor(id), parseDescribed(label, { Type: 'String' }, value)),
		);
	return rows.length === 0 ? members : { ...members, CustomFields: rows };
}

const fill =
	(owner: string, id: string, value: unknown): Work =>
	() =>
		map(owner, { mappingMode: 'defineBelow', value: { [id]: value } });

const take =
	(owner: string, item: JsonObject): Work =>
	() =>
		map(owner, { mappingMode: 'autoMapInputData' }, item);

/** A key is looked up by what is sent, and found in the record that has it. */
function checkKey(owner: string, id: string, rows: JsonObject[], list: string, main: string): void {
	const column = parseKeyColumn('Match On', owner, id);
	const members = trimKeys([column], { [list]: rows });
	const [{ [main]: sent }] = members[list] as JsonObject[];
	const given = requireKeyValue('Match On', column, members);
	expect(buildKeyConditions([column], [[given]])[0].Values).toEqual([sent]);
	expect(readKeys([column], { [list]: rows })).toEqual([toComparableKey([column], [given])]);
}

it.each(named)('of $owner: $list, by each kind that has a field', (collection) => {
	const { owner, list, type, by, main } = collection;
	const enumeration = findMemberType(type, by) as EnumerationName;
	const all: readonly string[] = enumerations[enumeration];
	const columns = (columnsByOwner.get(owner) ?? []).filter(({ id }) => id.startsWith(`${list}.`));
	const kinds = new Set(columns.map(({ id }) => id.split('.')[1]));
	for (const [index, kind] of [...kinds].entries()) {
		const names = [kind, kind.toUpperCase(), getMemberLabel(enumeration, kind), all.indexOf(kind)];
		const isColumn = (id: string) => [`${list}.${kind}`, `${list}.${kind}.${main}`].includes(id);
		const { id, label } = columns.find((one) => isColumn(one.id)) ?? { id: '', label: '' };
		// One kind and one owner are as good as another, so each gets some of the values.
		const turn = index + named.indexOf(collection);
		const step = cases(12, 4);
		const values = [...BLANK, ...VALUES, ...LISTS].filter((_, at) => (at + turn) % step === 0);
		for (const value of kinds.size === 1 ? [...BLANK, ...VALUES, ...LISTS] : values) {
			const flat = typeof value === 'object' ? [] : [` ${label}`, id.toLowerCase()];
			const sent = send(
				list,
				[owner, list, kind, value],
				[
					fill(owner, id, value),
					take(owner, { [id]: value }),
					...flat.map((name) => take(owner, { [name]: value })),
					...names.flatMap((name) => {
						const row = { [by]: name, [main]: value };
						const another = { [by]: 'Unknown', [main]: 'not this' };
						return [
							...paste(owner, list, row),
							take(owner, { [list]: [...(by === 'TypeId' ? [] : [another]), row] }),
							take(owner, { [list.toLowerCase()]: [raiseNames(row)] }),
							...[value, { [main]: value }].flatMap((content) => [
								() => read(owner, { [list]: { [name]: content } }),
								take(owner, { [list]: { [name]: content } }),
							]),
						];
					}),
				],
			);
			// An empty text clears a part of an address.
			const isClearing = type === 'Address2' && typeof value === 'string';
			if (isBlank(value)) {
				expect(sent).toEqual(isClearing ? [{ [by]: kind, [main]: value }] : NONE);
			} else if (Array.isArray(value)) expect(sent).toMatch(/^refused: must be a text/);
			else {
				expect(sent).toEqual([{ [by]: kind, [main]: String(value) }]);
				const condition = { owner, member: `${list}.${main}` };
				expect(agree(comparisons, condition, value)).toBe(String(value));
				for (const name of names) {
					expect(agree(comparisons, { owner, member: `${list}.${by}` }, name)).toBe(kind);
					if (type !== 'ContactInfo') continue;
					checkKey(owner, `${list}.${name}`, sent as JsonObject[], list, main);
				}
			}
		}
	}
	expect(kinds.size).toBe(type === 'ContactInfo' ? all.length - 1 : 1);
});

it.each(named.filter(({ type }) => type === 'Address2'))(
	'of $owner: all parts of the primary address, with or without its kind',
	({ owner, list }) => {
		const names = parts.Address2.filter((part) => part !== 'TypeId');
		const address = Object.fromEntries(names.map((part) => [part, `${part} 7`]));
		const sent = { TypeId: 'Primary', ...address };
		const cells = mapMembers(address, (_, value) => value);
		const flat = Object.fromEntries(
			Object.entries(cells).map(([part, value]) => [`${list}.Primary.${part}`, value]),
		);
		for (const row of [sent, { ...address, TypeId: 'primary' }, address]) {
			const ways = [...paste(owner, list, row), take(owner, { [list]: [row] })];
			for (const way of ways) expect((way()[list] as JsonObject[])[0]).toEqual(sent);
		}
		for (const way of [
			take(owner, flat),
			() => map(owner, { mappingMode: 'defineBelow', value: flat }),
			() => read(owner, { [list]: { primary: address } }),
			take(owner, { [list]: { primary: address } }),
		]) {
			expect(way()[list]).toEqual([sent]);
		}
		expect(read(owner, { [list]: [{ Id: 5, Street: 'S' }] })[list]).toEqual([
			{ Id: 5, Street: 'S' },
		]);
	},
);

it.each(custom)('of $owner: custom fields', ({ owner, list, main }) => {
	const id = `${list}.${DESCRIPTOR}`;
	for (const value of [...BLANK, ...VALUES, ...LISTS]) {
		const flat = typeof value === 'object' ? [] : ['own ', id.toLowerCase()];
		const sent = send(
			list,
			[owner, value],
			[
				fill(owner, id, value),
				take(owner, { [id]: value }),
				...flat.map((name) => take(owner, { [name]: value })),
				...[DESCRIPTOR, String(DESCRIPTOR)].flatMap((descriptor) => {
					const row = { Descriptor: { Id: descriptor }, Value: value };
					const read = { Descriptor: { Id: descriptor, Name: 'Own' }, Value: value };
					return [
						...paste(owner, list, row),
						take(owner, { [list]: [{ Descriptor: { Id: 11 }, Value: 'not this' }, row] }),
						take(owner, { [list.toLowerCase()]: [raiseNames(read)] }),
					];
				}),
				...['own', DESCRIPTOR].map((name) => take(owner, { [list]: { [name]: value } })),
			],
		);
		if (value === null || value === undefined) expect(sent).toBe(NONE);
		else if (Array.isArray(value)) expect(sent).toMatch(/^refused: must be a text/);
		else if (value === '') {
			expect(sent).toEqual([{ Descriptor: { Id: DESCRIPTOR }, PerformDeletion: true }]);
		} else {
			expect(sent).toEqual([{ Descriptor: { Id: DESCRIPTOR }, Value: String(value) }]);
			if (isBlank(value)) continue;
			for (const property of [id, ` ${id.toLowerCase()} `]) {
				const condition = { property, operator: 'Equal', value };
				const criteria = buildFormCriteria(owner, 'all', [condition], names);
				expect(criteria?.Filters).toEqual([
					and(equal(`${list}.Descriptor.Id`, DESCRIPTOR), equal(`${list}.Value`, String(value))),
				]);
			}
			checkKey(owner, id, sent as JsonObject[], list, main);
		}
	}
});

it('covers every collection with one row of each kind', () => {
	expect(named.length).toBeGreaterThan(8);
	expect(custom.length).toBeGreaterThan(10);
	expect(collections.length - named.length - custom.length).toBe(1);
});

describe('a row that Corrigo does not have adds nothing', () => {
	it.each<[string, JsonObject]>([
		['ContactInfo', { AddrTypeId: 'PrimEmail' }],
		['ContactInfo', { AddrTypeId: 'PrimEmail', Address: null, IsAlert: undefined }],
		['ContactInfo', { AddrTypeId: 'PrimEmail', Address: '', IsAlert: true }],
		['ContactInfo', { AddrTypeId: 'PrimEmail', IsAlert: false }],
		['ContactInfo', { AddrTypeId: 'PrimEmail', ActorId: 5, ActorTypeId: 'LeaseUser' }],
		['Address2', {}],
		['Address2', { TypeId: 'Home', PerformDeletion: 'false', IsNew: true }],
		['Address2', { TypeId: 'Home', Street: '', City: null, ActorId: 5 }],
		['AssetAttribute', { Descriptor: { Id: 5 }, AssetId: 7, CurrencyTypeId: 'EUR' }],
		['CustomField2', { Descriptor: { Id: 5 }, Id: 3, ConcurrencyId: 1 }],
		['WoItem', { Comment: 'x', PerformDeletion: true }],
		['ContactInfo', { AddrTypeId: 'PrimEmail', Address: 'a@b.org', PerformDeletion: 'True' }],
	])('of %s: %j', (type, row) => {
		expect(addsNothing(type, row)).toBe(true);
	});

	it.each<[string, JsonObject]>([
		['ContactInfo', { Address: '' }],
		['ContactInfo', { AddrTypeId: 'PrimEmail', Address: 'a@b.org' }],
		['ContactInfo', { AddrTypeId: 'PrimEmail', Id: 5 }],
		['Address2', { Street: '', City: 'x' }],
		['Address2', { TypeId: 'Home', Id: 5 }],
		['AssetAttribute', { Descriptor: { Id: 5 }, Value: '' }],
		['AssetAttribute', { Descriptor: { Id: 5 }, NewMember: 1 }],
		['CustomField2', { Value: '3' }],
		['WoItem', {}],
	])('unless it has content: %s %j', (type, row) => {
		expect(addsNothing(type, row)).toBe(false);
	});
});
