import fc from 'fast-check';

import { listEnumerationOptions } from '../../nodes/Corrigo/catalogue/enumerations';
import { buildMembers, listColumns } from '../../nodes/Corrigo/columns/columns';
import type { JsonObject } from '../../nodes/Corrigo/values/objects';
import { buildRows } from '../../nodes/Corrigo/compare/differences';
import { plainReader } from '../values/plainId';

const mapRows = (entity: string, values: Record<string, unknown>) =>
	buildMembers(
		entity,
		Object.entries(values).map(([id, value]) => ({ id, label: id, value })),
		plainReader,
	) as Record<string, JsonObject[]>;

/** The record after an update: rows with an Id replace the stored ones. */
function updated(record: JsonObject, entity: string, values: Record<string, unknown>): JsonObject {
	const after = { ...record };
	for (const [name, rows] of Object.entries(buildRows(entity, record, mapRows(entity, values)))) {
		const stored = [...((after[name] as JsonObject[] | undefined) ?? [])];
		for (const row of rows) {
			const index = stored.findIndex(({ Id }) => Id === row.Id);
			if (index < 0) stored.push({ ...row, Id: stored.length + 1 });
			else stored[index] = row;
		}
		after[name] = stored;
	}
	return after;
}

const kinds = listEnumerationOptions('ContactAddrType').map(({ value }) => value);

it('repeated updates leave one address of each kind, the last one, and all others', () => {
	const update = fc.dictionary(
		fc.constantFrom(...kinds).map((kind) => `ContactAddresses.${kind}`),
		fc.oneof(fc.emailAddress(), fc.string(), fc.integer()),
		{ maxKeys: 4 },
	);
	fc.assert(
		fc.property(fc.array(update, { maxLength: 6 }), (updates) => {
			const other = { Id: 1, AddrTypeId: 'Unknown', Address: 'kept', IsAlert: true };
			let record: JsonObject = { ContactAddresses: [other] };
			const last = new Map<string, string>();
			for (const values of updates) {
				record = updated(record, 'Contact', values);
				for (const [id, value] of Object.entries(values)) {
					if (String(value).trim() !== '') last.set(id.split('.')[1], String(value));
				}
			}
			const [first, ...rows] = record.ContactAddresses as JsonObject[];
			expect(first).toEqual(other);
			expect(rows).toHaveLength(last.size);
			expect(
				new Map(rows.map(({ AddrTypeId, Address }) => [AddrTypeId, Address] as const)),
			).toEqual(last);
		}),
	);
});

it('links are added once, whatever exists', () => {
	const ids = fc.uniqueArray(fc.integer({ min: 1, max: 9 }));
	fc.assert(
		fc.property(ids, fc.array(fc.integer({ min: 1, max: 9 })), (before, wanted) => {
			const Teams = before.map((TeamId, index) => ({ Id: index + 1, UserId: 5, TeamId }));
			const after = updated({ Teams }, 'Employee', { Teams: wanted.join() });
			const teams = (after.Teams as JsonObject[]).map(({ TeamId }) => TeamId);
			expect(teams.slice(0, before.length)).toEqual(before);
			expect(new Set(teams)).toEqual(new Set([...before, ...wanted]));
			expect(teams).toHaveLength(new Set(teams).size);
		}),
	);
});

it('existing links are not written', () => {
	const record = { Teams: [{ Id: 1, UserId: 5, TeamId: 7 }] };
	const rows = mapRows('Employee', { Teams: '7' });
	expect(buildRows('Employee', record, rows)).toEqual({});
});

it('an empty text clears a part of an address', () => {
	const address = (Street: string, Street2: string) =>
		mapRows('Customer', {
			'Addresses.Primary.Street': Street,
			'Addresses.Primary.Street2': Street2,
		});
	expect(address('', '')).toEqual({
		Addresses: [{ TypeId: 'Primary', Street: '', Street2: '' }],
	});
	expect(address('1 Main St', '')).toEqual({
		Addresses: [{ TypeId: 'Primary', Street: '1 Main St', Street2: '' }],
	});
});

it.each(['ContactAddresses.Nothing', 'CustomerId.Id', 'Teams.TeamId.Id'])(
	'%s is no column',
	(id) => {
		expect(() => mapRows('Contact', { LastName: 'x', [id]: 'y' })).toThrow(
			`Contact has no field "${id}"`,
		);
	},
);

it('labels of columns that add to existing rows say so', () => {
	const getLabel = (verb: 'create' | 'update') =>
		listColumns('Employee', verb).find(({ id }) => id === 'Specialties')?.label;
	expect([getLabel('create'), getLabel('update')]).toEqual(['Specialties', 'Add Specialties']);
});
