import { fieldType } from '../../nodes/Corrigo/catalogue/entities';
import { pickerOf, pickerOfKind } from '../../nodes/Corrigo/catalogue/pickers';
import { isShort, targetOf, targetOfKind, targetOn } from '../../nodes/Corrigo/catalogue/targets';
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
		expect(nameless.sort()).toEqual(['cost', 'customerNote', 'note']);
		for (const kind of nameless) expect(rowOf(kind).example).toBeUndefined();
	});

	it.each(kinds)(
		'leads from %s to owners that can be shown, and to what narrows its list',
		(kind) => {
			const { entity, owner, narrowedBy } = pickerOfKind(kind);
			const owners = owner && pickerOf(targetOf(entity, owner)?.entity ?? '');
			if (owner) expect(owners).toMatchObject({ title: 'DisplayAs' });
			if (narrowedBy?.of && isKind(narrowedBy.parameter)) {
				expect(fieldType(rowOf(narrowedBy.parameter).entity, narrowedBy.of)).toBe('integer');
			}
		},
	);
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
	expect(pickerOf('location')).toMatchObject({ entity: 'Location', title: 'Name' });
	expect(isShort(targetOn('Team'))).toBe(true);
	expect(isShort(targetOn('Customer'))).toBe(false);
});
