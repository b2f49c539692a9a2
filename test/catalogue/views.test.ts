import { typeMemberOf } from '../../nodes/Corrigo/catalogue/actors';
import { entities, entityNamed, fieldType } from '../../nodes/Corrigo/catalogue/entities';
import { pickerOf, pickerOfKind } from '../../nodes/Corrigo/catalogue/pickers';
import {
	isLink,
	isShort,
	targetOf,
	targetOfKind,
	targetOn,
} from '../../nodes/Corrigo/catalogue/targets';
import { isKind, kinds, rowOf, rows } from '../../nodes/Corrigo/catalogue/views';

const duplicates = (all: readonly string[]) => all.filter((one, index) => all.indexOf(one) < index);

describe('the table of entities as people see them', () => {
	it('has each kind in one row', () => {
		const all = rows.flatMap(({ kind }) => kind ?? []);
		expect(duplicates(all)).toEqual([]);
		expect(all).toEqual(kinds);
	});

	it('has each field with Ids in one row', () => {
		const all = rows.flatMap(({ idFields = [] }) => idFields.map((field) => field.toLowerCase()));
		expect(duplicates(all)).toEqual([]);
	});

	it('gives an example of a name only where records have names', () => {
		const nameless = kinds.filter((kind) => targetOfKind(kind).by.length === 0);
		expect(nameless.sort()).toEqual(['cost', 'customerNote', 'note', 'timeCardEntry']);
		for (const kind of nameless) expect(rowOf(kind).example).toBeUndefined();
	});

	it('leads from the ends of records to others that have a name to show', () => {
		const ends = rows.flatMap(({ entity, kind, ends: own = [] }) =>
			kind === undefined ? own.map((end) => [entity, end] as const) : [],
		);
		expect(ends).toHaveLength(37);
		for (const [entity, end] of [...ends, ['RepairCode', 'ParentId'], ['Space', 'CustomerId']]) {
			const names = targetOf(entity, end)?.by.length ?? 0;
			expect([entity, end, names > 0 || typeMemberOf(entity, end)]).not.toContain(undefined);
		}
	});

	it('shows the names of both records that a link is about', () => {
		const links = entities.filter(({ name }) => isLink(name)).map(({ name }) => name);
		expect(links).toHaveLength(15);
		const withoutEntity = ['CustomerGroupId', 'ServiceId'];
		for (const link of links) {
			const ids = Object.keys(entityNamed(link)?.fields ?? {}).filter((one) => /Id$/.test(one));
			const known = ids.filter((one) => !withoutEntity.includes(one));
			expect({ link, ends: pickerOf(link)?.ends }).toEqual({ link, ends: known });
		}
	});

	it('tells apart the records of every entity with a model, by a name, other records or values', () => {
		const indistinct = entities
			.map(({ name }) => ({ name, picker: pickerOf(name) }))
			.filter(({ picker }) => picker?.title === 'Id')
			.filter(({ picker }) => [...(picker?.ends ?? []), ...(picker?.details ?? [])].length === 0)
			.map(({ name }) => name);
		expect(indistinct).toEqual(['PmItem', 'PmSchedule']);
	});

	it('compares a list with properties that the chosen record has', () => {
		const compared = kinds.map(pickerOfKind).flatMap(({ narrowedBy }) => {
			const { parameter = '', of } = narrowedBy ?? {};
			return of !== undefined && isKind(parameter) ? [fieldType(rowOf(parameter).entity, of)] : [];
		});
		expect(compared).toEqual(['integer']);
	});
});

it('searches a list by every name that a look-up takes', () => {
	for (const kind of kinds) {
		const { title, search } = pickerOfKind(kind);
		expect([title, ...search]).toEqual(expect.arrayContaining([...targetOfKind(kind).by]));
	}
});

it.each([
	['Customer', 'CustomerId', targetOn('Customer')],
	['WorkOrder', 'customer.id', targetOn('Customer')],
	['RepairCode', 'ParentId', targetOn('RepairCode')],
	['Location', 'ParentId', targetOn('Location')],
	['WoCancelCommand', 'ActionReasonId', targetOfKind('cancelReason')],
	['WoPauseCommand', 'ActionReasonId', targetOn('WoActionReasonLookup')],
	['WorkOrder', 'FlagId', targetOfKind('flag')],
	['WorkZone', 'ParentId', undefined],
	['WorkOrder', 'Number', undefined],
])('knows what %s refers to by %s', (owner, path, target) => {
	expect(targetOf(owner, path)).toEqual(target);
});

it('narrows the records down for narrower uses of an entity', () => {
	expect(targetOfKind('cancelReason').where).toEqual({ ActionId: 'Cancel', Hide: false });
	expect(pickerOfKind('unit')).toEqual({ ...pickerOfKind('asset'), inSpacesOf: undefined });
});

it('leaves templates of assets and hidden reasons out, whatever refers to them', () => {
	expect(targetOn('Location').where).toEqual({ IsTemplate: false });
	expect(targetOn('WoActionReasonLookup').where).toEqual({ Hide: false });
	expect(targetOf('WorkOrder', 'Flag.Id')?.where).toEqual({ Hide: false });
});

it('sorts records by name, and by age where they have none', () => {
	expect(pickerOf('Space')).toMatchObject({ title: 'Asset.Name', newestFirst: false });
	expect(pickerOf('WoNote')).toMatchObject({ title: 'Body', newestFirst: true });
	expect(pickerOf('WoAssignment')).toMatchObject({ title: 'Id', newestFirst: true });
	expect(pickerOf('No such entity')).toBeUndefined();
});

it.each([
	['Team', true],
	['WorkZone', true],
	['Customer', false],
	['WorkOrder', false],
])('knows whether columns offer all records of %s: %s', (entity, expected) => {
	expect(isShort(targetOn(entity))).toBe(expected);
});

it('columns offer all records of 34 entities', () => {
	const names = entities.map(({ name }) => name);
	expect(names.filter((name) => isShort(targetOn(name)))).toHaveLength(34);
});
