import { resources } from '../../nodes/Corrigo/actions/resources';
import { enumerations } from '../../nodes/Corrigo/catalogue/enumerations';
import {
	entities,
	findEntity,
	getEntity,
	getMemberTypes,
	findEntityMemberType,
	aliases,
	suggestEntity,
	valueObjects,
} from '../../nodes/Corrigo/catalogue/entities';
import { findActorEntity } from '../../nodes/Corrigo/catalogue/members';
import { ACTOR_KINDS } from '../../sandbox/schema/relations';
import { findResourceEntity } from '../../nodes/Corrigo/form/subjects';
import { isKnownType } from './types';

describe('entities', () => {
	it('have no fields only where no model is published', () => {
		const rest = entities.filter(({ fields }) => Object.keys(fields).length === 0);
		expect(rest.map(({ name }) => name)).toEqual(['PmItem', 'PmSchedule']);
		for (const { lock, softDelete } of rest) {
			expect({ lock, softDelete }).toEqual({ lock: false, softDelete: false });
		}
	});

	it.each(entities.map((entity) => [entity.name, entity] as const))(
		'%s has only types that can be looked up, and does not repeat the common fields',
		(_, { fields }) => {
			expect(Object.values(fields).filter((type) => !isKnownType(type))).toEqual([]);
			for (const common of ['Id', 'ConcurrencyId', 'IsRemoved', 'PerformDeletion', 'IsNew']) {
				expect(fields).not.toHaveProperty(common);
			}
		},
	);

	it('have an Id, two flags for a save, and what their lock and soft delete need', () => {
		const own = (name: string) => Object.keys(getEntity(name)?.fields ?? {});
		const common = (name: string) =>
			Object.keys(getMemberTypes(name)).filter((one) => !own(name).includes(one));
		const always = ['Id', 'PerformDeletion', 'IsNew'];
		expect(common('WoNote')).toEqual(always);
		expect(common('Customer')).toEqual([...always, 'ConcurrencyId', 'IsRemoved']);
	});

	it('are named by a text', () => {
		const shown = entities.filter(({ display }) => display !== undefined);
		expect(shown.length).toBeGreaterThan(50);
		for (const { name, display = '' } of shown) {
			expect([name, findEntityMemberType(name, display)]).toEqual([name, 'string']);
		}
	});

	it('require nothing for a create that they refuse', () => {
		const both = entities.filter(({ refuses, required }) => refuses?.create && required);
		expect(both).toEqual([]);
	});

	it('have unique labels in Title Case, sorted', () => {
		const labels = entities.map(({ label }) => label);
		expect(new Set(labels).size).toBe(labels.length);
		expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b, 'en')));
		const titleCase = /^(?:\(?[A-Z][A-Za-z]*(?:-[A-Z][a-z]+)?\)?|and|or|of|in)$/;
		for (const label of labels) {
			expect({ label, odd: label.split(' ').filter((word) => !titleCase.test(word)) }).toEqual({
				label,
				odd: [],
			});
		}
	});

	it('refuse exactly the operations that the service refuses', () => {
		const refused = Object.fromEntries(
			entities.flatMap(({ name, refuses }) =>
				refuses ? [[name, Object.keys(refuses).sort().join(' ')]] : [],
			),
		);
		const all = 'create delete update';
		expect(refused).toEqual({
			Actor: all,
			ApInvoiceStatus: all,
			AssetTree: 'delete',
			Contract: all,
			Invoice: all,
			MaterialTransaction: 'delete',
			Portfolio: 'delete',
			Space: 'create',
			TimeCard: 'create',
			WoActionLog: all,
			WoLastAction: all,
			WoPriority: all,
			WoVerification: 'delete',
			WorkOrder: 'create delete',
			WorkOrderCost: 'create delete',
			WorkZone: 'create delete',
		});
	});
});

it.each(Object.entries(ACTOR_KINDS))('%s has the actor type %s', (entity, type) =>
	expect(findActorEntity(type)).toBe(entity),
);

describe('value objects', () => {
	it.each(Object.entries(valueObjects))(
		'%s is not an entity and has only known types',
		(name, fields) => {
			expect(getEntity(name)).toBeUndefined();
			expect(Object.values(fields).filter((type) => !isKnownType(type))).toEqual([]);
		},
	);
});

describe('the name of an entity', () => {
	it('is known in any case', () => {
		expect(getEntity('workzone')?.name).toBe('WorkZone');
		expect(getEntity('WORKORDER')?.label).toBe('Work Order');
	});

	it.each(['', ' WorkOrder', 'Asset', 'constructor', '__proto__', 'WorkOrder/..'])(
		'does not know %j',
		(name) => expect(getEntity(name)).toBeUndefined(),
	);

	it.each(entities)('may be its label: $label', ({ name, label }) => {
		const others = entities.filter((one) => one.label === label && one.name !== name);
		expect(others).toEqual([]);
		expect(findEntity(name)?.name).toBe(name);
		// A label that is the name of another entity means that one.
		expect(findEntity(` ${label.toUpperCase()}`)).toBe(getEntity(label) ?? getEntity(name));
	});
});

describe('the type of a field', () => {
	it.each([
		['WorkOrder', 'Number', 'string'],
		['WorkOrder', 'Id', 'integer'],
		['WorkOrder', 'Priority', 'WoPriority'],
		['WorkOrder', 'Priority.IsEmergency', 'boolean'],
		['WorkOrder', 'Items', 'WoItem[]'],
		['WorkOrder', 'Items.Asset.Name', 'string'],
		['WorkOrder', 'VendorNte.Value', 'number'],
		['workorder', 'customer.isremoved', 'boolean'],
		['AssetTree', 'Child.Info.SerialNumber', 'string'],
		['PmItem', 'Id', 'integer'],
	])('%s %s is %s', (entity, path, type) => expect(findEntityMemberType(entity, path)).toBe(type));

	it.each([
		['WorkOrder', ''],
		['WorkOrder', 'Number.'],
		['WorkOrder', 'Number.Length'],
		['WorkOrder', 'Items.*'],
		['WorkOrder', '*'],
		['WorkOrder', 'Nothing'],
		['WorkOrder', 'VendorNte.Id'],
		['WorkOrder', 'constructor'],
		['WorkOrder', '__proto__.Number'],
		['WoNote', 'ConcurrencyId'],
		['Asset', 'Name'],
		['constructor', 'Id'],
	])('%j has no field %j', (entity, path) =>
		expect(findEntityMemberType(entity, path)).toBeUndefined(),
	);
});

describe('the suggestion in place of a wrong entity', () => {
	it('is the right name', () => {
		expect(suggestEntity('WorkOrderNote')).toEqual({ name: 'WoNote' });
		expect(suggestEntity('asset')).toEqual({ name: 'Location' });
		expect(suggestEntity('assignment')).toEqual({ name: 'WoAssignment' });
		expect(suggestEntity('Vendor')).toEqual({
			name: 'Employee',
			where: { ActorTypeId: 'Provider' },
		});
	});

	it.each(['', 'WorkOrder', 'toString'])('is nothing for %j', (name) =>
		expect(suggestEntity(name)).toBeUndefined(),
	);

	it('is never a wrong name, and none for a right one', () => {
		for (const [wrong, { name, where = {} }] of Object.entries(aliases)) {
			expect(getEntity(wrong)).toBeUndefined();
			expect(getEntity(name)?.name).toBe(name);
			for (const [field, value] of Object.entries(where)) {
				const members = Object.entries(enumerations).find(
					([enumeration]) => enumeration === findEntityMemberType(name, field),
				);
				expect(members?.[1]).toContain(value);
			}
		}
	});
});

it('a resource that writes can restore records exactly if Corrigo keeps deleted ones', () => {
	const kept = resources.filter(({ value, operations }) => {
		const isKept = getEntity(findResourceEntity(value) ?? '')?.softDelete === true;
		return value === 'record' || (isKept && operations.some(({ reads }) => reads !== true));
	});
	const restoring = resources.filter(({ operations }) =>
		operations.some(({ value }) => value === 'restore'),
	);
	expect(listValues(restoring)).toEqual(listValues(kept));
});

const listValues = (some: typeof resources) => some.map(({ value }) => value);
