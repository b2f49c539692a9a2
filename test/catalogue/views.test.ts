import { findTypeMember } from '../../nodes/Corrigo/catalogue/members';
import { entities, getEntity, findEntityMemberType } from '../../nodes/Corrigo/catalogue/entities';
import {
	findPicker,
	getRecordPicker,
	isLink,
	hasShortList,
	findMemberTarget,
	getRecordTarget,
	getEntityTarget,
} from '../../nodes/Corrigo/catalogue/targets';
import {
	isRecordType,
	recordTypes,
	getRecordView,
	recordViews,
} from '../../nodes/Corrigo/catalogue/views';

const duplicates = (all: readonly string[]) => all.filter((one, index) => all.indexOf(one) < index);

describe('the table of entities as people see them', () => {
	it('has each type of record in one row', () => {
		const all = recordViews.flatMap(({ recordType }) => recordType ?? []);
		expect(duplicates(all)).toEqual([]);
		expect(all).toEqual(recordTypes);
	});

	it('has each field with Ids in one row', () => {
		const all = recordViews.flatMap(({ idFields = [] }) =>
			idFields.map((field) => field.toLowerCase()),
		);
		expect(duplicates(all)).toEqual([]);
	});

	it('gives an example of a name only where records have names', () => {
		const nameless = recordTypes.filter((kind) => getRecordTarget(kind).ways.length === 0);
		expect(nameless).toContain('note');
		for (const kind of nameless) expect(getRecordView(kind).example).toBeUndefined();
	});

	it('leads from the ends of records to others that have a name to show', () => {
		const ends = recordViews.flatMap(({ entity, recordType, ends: own = [] }) =>
			recordType === undefined ? own.map((end) => [entity, end] as const) : [],
		);
		expect(ends).not.toHaveLength(0);
		for (const [entity, end] of [...ends, ['RepairCode', 'ParentId'], ['Space', 'CustomerId']]) {
			const names = findMemberTarget(entity, end)?.ways.length ?? 0;
			expect([entity, end, names > 0 || findTypeMember(entity, end)]).not.toContain(undefined);
		}
	});

	it('shows the names of both records that a link is about', () => {
		const links = entities.filter(({ name }) => isLink(name)).map(({ name }) => name);
		expect(links).not.toHaveLength(0);
		const withoutEntity = ['CustomerGroupId', 'ServiceId'];
		for (const link of links) {
			const ids = Object.keys(getEntity(link)?.fields ?? {}).filter((one) => /Id$/.test(one));
			const { ends = [] } = findPicker(link) ?? {};
			const nameless = ids.filter((one) => ![...ends, ...withoutEntity].includes(one));
			expect({ link, nameless }).toEqual({ link, nameless: [] });
		}
	});

	// Promise: Records can be chosen without their ID
	it('tells apart the records of every entity with a model, by a name, other records or values', () => {
		const indistinct = entities
			.map(({ name }) => ({ name, picker: findPicker(name) }))
			.filter(({ picker }) => picker?.title === 'Id')
			.filter(({ picker }) => [...(picker?.ends ?? []), ...(picker?.details ?? [])].length === 0)
			.map(({ name }) => name);
		expect(indistinct).toEqual(['PmItem', 'PmSchedule']);
	});

	it('compares a list with properties that the chosen record has', () => {
		const compared = recordTypes
			.flatMap((type) => getRecordPicker(type).narrowedBy ?? [])
			.flatMap(({ parameter, of }) =>
				of !== undefined && isRecordType(parameter)
					? [findEntityMemberType(getRecordView(parameter).entity, of)]
					: [],
			);
		expect(new Set(compared)).toEqual(new Set(['integer']));
	});
});

it('searches a list by every name that a look-up takes', () => {
	for (const kind of recordTypes) {
		const { title, search } = getRecordPicker(kind);
		// Not every Company can search by the external number, so the list does without it.
		const names = (getRecordTarget(kind).ways[0]?.by ?? []).filter(
			(one) => one !== 'LastAction.XNumber',
		);
		expect([title, ...search]).toEqual(expect.arrayContaining(names));
	}
});

it.each([
	['Customer', 'CustomerId', getEntityTarget('Customer')],
	['WorkOrder', 'customer.id', getEntityTarget('Customer')],
	['RepairCode', 'ParentId', getEntityTarget('RepairCode')],
	['Location', 'ParentId', getEntityTarget('Location')],
	['WoCancelCommand', 'ActionReasonId', getRecordTarget('cancelReason')],
	['WoPauseCommand', 'ActionReasonId', getEntityTarget('WoActionReasonLookup')],
	['WorkOrder', 'FlagId', getRecordTarget('flag')],
	['WorkZone', 'ParentId', undefined],
	['WorkOrder', 'Number', undefined],
])('knows what %s refers to by %s', (owner, path, target) => {
	expect(findMemberTarget(owner, path)).toEqual(target);
});

it('narrows the records down for narrower uses of an entity', () => {
	expect(getRecordTarget('cancelReason').where).toEqual({ ActionId: 'Cancel', Hide: false });
	expect(getRecordPicker('unit')).toEqual({ ...getRecordPicker('asset'), inSpacesOf: undefined });
});

it('leaves templates of assets and hidden reasons out, whatever refers to them', () => {
	expect(getEntityTarget('Location').where).toEqual({ IsTemplate: false });
	expect(getEntityTarget('WoActionReasonLookup').where).toEqual({ Hide: false });
	expect(findMemberTarget('WorkOrder', 'Flag.Id')?.where).toEqual({ Hide: false });
});

it('sorts records by name, and by age where they have none', () => {
	expect(findPicker('Space')).toMatchObject({ title: 'Asset.Name', newestFirst: false });
	expect(findPicker('WoNote')).toMatchObject({ title: 'Body', newestFirst: true });
	expect(findPicker('WoAssignment')).toMatchObject({ title: 'Id', newestFirst: true });
	expect(findPicker('No such entity')).toBeUndefined();
});

it.each([
	['Team', true],
	['WorkZone', true],
	['Customer', false],
	['WorkOrder', false],
])('knows whether columns offer all records of %s: %s', (entity, expected) => {
	expect(hasShortList(getEntityTarget(entity))).toBe(expected);
});
