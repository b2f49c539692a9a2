import fc from 'fast-check';

import contract from '../../contract/contract.json';
import { getEntity } from '../../nodes/Corrigo/catalogue/entities';
import { buildChanges } from '../../nodes/Corrigo/wire/requests';
import { type JsonObject, isObject } from '../../nodes/Corrigo/values/objects';
import { toWritable } from '../../nodes/Corrigo/columns/writable';
import { FOREIGN_KEYS } from '../../sandbox/schema/relations';
import { cases } from '../cases';
import { sharedClient } from '../sandbox/client';

function write(...of: Parameters<typeof toWritable>) {
	const { incomplete, ...written } = toWritable(...of);
	expect(incomplete).toEqual([]);
	return written;
}

const update = (entity: string, fields: JsonObject) => write(entity, 'update', fields);

describe('the members that can be written', () => {
	const similar = { IdCard: 1, IsNewHire: false, IsRemovedBy: false, PerformDeletionBy: false };

	it.each<[string, string, JsonObject]>([
		['a text', 'Contact', { Comment: 'x' }],
		['null and zero', 'Contact', { Comment: null, SupervisorId: 0 }],
		['the Id, to be compared', 'Contact', { Id: 5, Comment: 'x' }],
		['a reference that is nothing', 'Customer', { WorkZone: null }],
		['an empty object, to be refused', 'Customer', { WorkZone: {} }],
		[
			'the flag of a removed reference',
			'Customer',
			{ WorkZone: { Id: 11, PerformDeletion: true } },
		],
		['the flag of a deletion, to be refused', 'Customer', { PerformDeletion: true }],
		['a deleted row', 'WorkOrder', { Notes: [{ Id: 7, PerformDeletion: true }] }],
		['a new row', 'Contact', { ContactAddresses: [{ AddrTypeId: 'PrimEmail', Address: 'a@b.c' }] }],
		['a password that is set', 'Employee', { Password: 's' }],
		['a given parent of an asset', 'Location', { ParentId: 9 }],
		['a choice with the number 0', 'Document', { StorageTypeId: 0 }],
		['money', 'WorkOrder', { VendorNte: { CurrencyTypeId: 'USD', Value: 5 } }],
		['an embedded object without an Id', 'WorkOrder', { WorkOrderCost: { JobCode: 'x' } }],
		['a file', 'Document', { Blob: { FileName: 'a', Body: 'b' } }],
		['members of an unknown entity', 'Extra', { Owner: { Id: 1, Name: 'x' }, Rows: [{ A: 1 }] }],
		['members with similar names', 'Extra', { ...similar, WasIsRemoved: false }],
	])('include %s', (_, entity, fields) => {
		expect(update(entity, structuredClone(fields))).toEqual({ members: fields, omitted: [] });
	});

	it.each<[string, string, JsonObject]>([
		[
			'explanations that Simplified adds',
			'WorkOrderCost',
			{ ApState: 'Paid', ApStatus: { Id: 3 } },
		],
		[
			'the work order of a simplified cost',
			'FinancialItem',
			{ WorkOrder: { Id: 7, Number: 'A1' } },
		],
		['more of a simplified invoice', 'WorkOrderCost', { WorkOrderNumber: 'A1', VendorNte: null }],
		[
			'what items say more',
			'WorkOrder',
			{ Url: 'https://x.test/1', Outcome: 'x', Changed: ['Dba'], ConfirmationKey: 'x' },
		],
		[
			'what items of triggers say more',
			'Contact',
			{ Event: 'Note Added', Change: 'edited', ChangedFields: ['Comment'], ChangeKey: 'x' },
		],
		[
			'what says that a record was left as it is',
			'Contact',
			{
				Now: { Comment: 'x' },
				ChangedSince: { Comment: 'y' },
				NotRestored: [{ Field: 'Comment' }],
			},
		],
		['the place of an asset in a tree', 'Location', { Depth: 1 }],
		['a reference without an Id or a name', 'Customer', { WorkZone: { Id: '', Entity: 'North' } }],
		['a reference with another Id', 'Customer', { WorkZone: { PaidId: 4, IdCard: 5 } }],
		['read-only members', 'WorkOrder', { Number: 'A1', StatusId: 'New', DueDateUtc: 'x' }],
		['authors', 'WoNote', { CreatedBy: { Id: 1, TypeId: 'Employee' } }],
		['a sum that Corrigo computes', 'WorkOrderCost', { VendorInvoiceTotal: { Value: 5 } }],
		['a read-only object that was read', 'WorkOrder', { WorkOrderCost: { Id: 5, JobCode: 'x' } }],
	])('lack, and it is said, %s', (_, entity, fields) => {
		const omitted = Object.keys(fields);
		expect(update(entity, { ...fields, Extra: 'x' })).toEqual({ members: { Extra: 'x' }, omitted });
	});

	it('lack a part that has no more than its Id and version', () => {
		for (const part of [{ Id: 7 }, { ConcurrencyId: 1 }, { ID: 7, ConcurrencyId: 1 }]) {
			expect(update('WorkOrder', { Address: part, Extra: 'x' })).toEqual({
				...{ members: { Extra: 'x' }, omitted: [] },
			});
		}
	});

	it.each<[string, string, JsonObject]>([
		['empty lists', 'Customer', { Spaces: [] }],
		['unset flags', 'Customer', { IsNew: false, PerformDeletion: false, IsRemoved: false }],
		['no password', 'Employee', { Password: '' }],
		['an unset parent', 'Location', { ParentId: 0 }],
		['an unset parent of a sheet, whose cells are texts', 'Location', { ParentId: ' 0 ' }],
		['an unknown type if the service requires one', 'Location', { TypeId: 'Unknown' }],
		['its number', 'Location', { TypeId: 0 }],
	])('lack %s', (_, entity, fields) => {
		const written = { members: { Name: 'Unknown' }, omitted: [] };
		expect(update(entity, { ...fields, Name: 'Unknown' })).toEqual(written);
	});

	it.each<[string, string, JsonObject, JsonObject, string[]?]>([
		[
			'a reference is reduced to its Id',
			'Customer',
			{ WorkZone: { Id: 11, DisplayAs: 'North', IsNew: false } },
			{ WorkZone: { Id: 11 } },
		],
		[
			'a reference in lower case is reduced to its Id',
			'Customer',
			{ workzone: { id: 11, displayas: 'North' } },
			{ workzone: { id: 11 } },
		],
		[
			'a reference to an actor keeps its type',
			'InvoiceLog',
			{ Actor: { Id: 1, TypeId: 'Employee', DisplayAs: 'A' } },
			{ Actor: { Id: 1, TypeId: 'Employee' } },
		],
		[
			'an embedded object keeps its members',
			'Location',
			{ Address: { Id: 3, ConcurrencyId: 2, Street: 'x', IsNew: false } },
			{ Address: { Id: 3, Street: 'x' } },
		],
		[
			'rows are reduced as well',
			'WorkOrder',
			{
				Items: [{ Id: 1, ConcurrencyId: 2, IsNew: false, Asset: { Id: 4, Name: 'Roof' } }],
				Notes: [{ Id: 2, Body: 'y', CreatedDate: 'z', PerformDeletion: false }],
			},
			{ Items: [{ Id: 1, ConcurrencyId: 2, Asset: { Id: 4 } }], Notes: [{ Id: 2, Body: 'y' }] },
			['Notes.CreatedDate'],
		],
		[
			'what says that a record was deleted is left out',
			'Customer',
			{ Dba: 'x', IsRemoved: true, isRemoved: 'true' },
			{ Dba: 'x' },
			['IsRemoved', 'isRemoved'],
		],
		[
			'custom fields keep their descriptor',
			'Customer',
			{ CustomFields: [{ Id: 1, Descriptor: { Id: 2, Name: 'Area' }, Value: 'x' }] },
			{ CustomFields: [{ Id: 1, Descriptor: { Id: 2 }, Value: 'x' }] },
		],
		[
			'unknown members stay',
			'Customer',
			{ Extra: { Id: 1, Name: 'x', IsNew: false } },
			{ Extra: { Id: 1, Name: 'x' } },
		],
		[
			'a reference keeps no member with a name similar to Id',
			'Customer',
			{ WorkZone: { ...similar, Id: 11, PaidId: 4, PerformDeletion: false, NoPerformDeletion: 4 } },
			{ WorkZone: { Id: 11 } },
		],
		[
			'members with names similar to read-only ones stay, at any depth',
			'WorkOrder',
			{ WasIsNew: true, Address: { ConcurrencyId: 1, ConcurrencyIds: 2, OldConcurrencyId: 3 } },
			{ WasIsNew: true, Address: { ConcurrencyIds: 2, OldConcurrencyId: 3 } },
		],
	])('%s', (_, entity, fields, members, omitted = []) => {
		const before = structuredClone(fields);
		expect(update(entity, fields)).toEqual({ members, omitted });
		expect(fields).toEqual(before);
	});

	it('a new record loses its Id and version', () => {
		const fields = { Id: 5, ConcurrencyId: 3, LastName: 'M', Currencies: [], SupervisorId: 0 };
		expect(write('Contact', 'create', fields)).toEqual({
			members: { LastName: 'M', SupervisorId: 0 },
			omitted: [],
		});
	});

	it('a new record keeps names similar to Id, and unset members, to be refused', () => {
		const fields = { Id: 5, IdCard: 'x', ConcurrencyIds: 3, ParentId: 0, TypeId: 'Unknown' };
		expect(write('Location', 'create', fields).members).toEqual({
			IdCard: 'x',
			ConcurrencyIds: 3,
			ParentId: 0,
			TypeId: 'Unknown',
		});
	});

	it.each([{}, { Id: null }, { Id: '' }])('keep a reference by its name: %j', (more) => {
		const fields = { WorkZone: { ...more, DisplayAs: 'North' } };
		expect(update('Customer', fields)).toEqual({ members: fields, omitted: [] });
		expect(write('Customer', 'create', fields)).toEqual({ members: fields, omitted: [] });
	});

	it('applying it twice leaves out nothing more', () => {
		const written = fc.constantFrom(...Object.keys(contract.entities)).chain((name) => {
			const member = fc.constantFrom('Id', 'IsNew', ...Object.keys(getEntity(name)?.fields ?? {}));
			const fields = fc.dictionary(member, fc.jsonValue({ maxDepth: 3 }));
			return fc.record({ name: fc.constant(name), fields });
		});
		fc.assert(
			fc.property(written, fc.constantFrom('create', 'update'), ({ name, fields }, verb) => {
				const once = write(name, verb, fields);
				expect(write(name, verb, once.members)).toEqual({ ...once, omitted: [] });
			}),
		);
	});
});

interface Entity {
	key?: readonly string[];
	fields: Readonly<Record<string, string>>;
}

const enumerations: Readonly<Record<string, readonly string[]>> = contract.enumerations;
const isEntity = (type: string) => type in contract.entities;

/** The entities of the contract that the service updates. */
const updatable = Object.entries<Entity>(contract.entities).filter(
	([name, { fields }]) => Object.keys(fields).length > 0 && !getEntity(name)?.refuses?.update,
);

describe('the record that a get returns', () => {
	const client = sharedClient({ workOrders: 20, customers: 4 });

	const listIds = (entity: string) => client.store.ids(entity);

	/** A value of the type that refers to existing records. */
	function drawValue(name: string, type: string): fc.Arbitrary<unknown> {
		const owner = FOREIGN_KEYS[name];
		if (owner) return fc.constantFrom(...listIds(owner));
		if (type in enumerations) return fc.constantFrom(...enumerations[type]);
		if (isEntity(type) && type !== 'Actor') {
			const ids = listIds(type);
			return ids.length === 0 ? fc.constant(undefined) : fc.record({ Id: fc.constantFrom(...ids) });
		}
		const scalars: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
			string: fc.string({ minLength: 1, maxLength: 20 }),
			integer: fc.integer({ min: 1, max: 1_000 }),
			number: fc.integer().map((number) => number / 4),
			boolean: fc.boolean(),
			datetime: fc
				.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2026, 0, 1) })
				.map((time) => new Date(time).toISOString().slice(0, 19)),
			MoneyValue: fc.record({
				CurrencyTypeId: fc.constantFrom('USD', 'EUR'),
				Value: fc.integer().map((number) => number / 100),
			}),
			Actor: fc.record({
				Id: fc.constantFrom(...listIds('Employee')),
				TypeId: fc.constant('Employee'),
			}),
		};
		return scalars[type] ?? fc.constant(undefined);
	}

	/** An existing record, or arbitrary values if there is none. */
	const drawId = (name: string, { fields, key = ['Id'] }: Entity): fc.Arbitrary<number> => {
		const rows = client.store.rows(name);
		const keyMember = key.includes('Id') ? 'Id' : key[0];
		if (rows.length > 0) return fc.constantFrom(...rows.map((row) => Number(row[keyMember])));
		const values = Object.entries(fields).map(([member, type]) => [
			member,
			drawValue(member, type),
		]);
		return fc
			.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>)
			.map((row) => client.store.insert(name, row).Id);
	};

	/** All own members, and all members of some references and collections. */
	const listPaths = ({ fields }: Entity): string[] =>
		Object.entries(fields)
			.filter(([, type]) => isEntity(type.replace('[]', '')))
			.map(([name]) => `${name}.*`);

	/** Members that every write changes, in the record and its embedded objects. */
	const unstamped = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(unstamped);
		if (!isObject(value)) return value;
		return Object.fromEntries(
			Object.entries(value)
				.filter(([name]) => !/^(ConcurrencyId|Updated(At|By|Date))$/.test(name))
				.map(([name, inner]) => [name, unstamped(inner)]),
		);
	};

	it.each(updatable)('of %s can be written back and changes nothing', async (name, entity) => {
		const everything = ['*', ...listPaths(entity)].join(',');
		const paths = fc.subarray(listPaths(entity));
		await fc.assert(
			fc.asyncProperty(drawId(name, entity), paths, fc.boolean(), async (id, some, showEmpty) => {
				client.sandbox.set({ showEmpty });
				const before = await client.read(name, id, everything);
				const pasted = await client.read(name, id, ['*', ...some].join(','));
				const { members } = toWritable(name, 'update', pasted);
				const { Properties, Entity } = buildChanges('Fields (JSON)', id, members);
				const answer = await client.update(name, Entity, Properties);
				expect([answer.status, answer.data]).toEqual([200, answer.data]);
				expect(unstamped(await client.read(name, id, everything))).toEqual(unstamped(before));
			}),
			{ numRuns: cases(1, 10) },
		);
	});
});
