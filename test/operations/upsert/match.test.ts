import fc from 'fast-check';

import type { JsonObject } from '../../../nodes/Corrigo/values/objects';
import {
	toComparableKey,
	parseKeyColumn,
	buildKeyConditions,
	readKeys,
	requireKeyValue,
	omitKeys,
} from '../../../nodes/Corrigo/operations/upsert/match';
import { readMembers } from '../../../nodes/Corrigo/values/members';
import { plainReader } from '../../values/plainId';

const columns = (entity: string, ...ids: string[]) =>
	ids.map((id) => parseKeyColumn('Match On', entity, id));

const buildKey = (entity: string, ids: string[], members: JsonObject) => {
	const all = columns(entity, ...ids);
	return toComparableKey(
		all,
		all.map((column) => requireKeyValue('Fields', column, members)),
	);
};

describe('a column to match on', () => {
	it.each<[string, string, object]>([
		['Customer', 'TenantCode', { id: 'TenantCode', type: 'string' }],
		['Customer', ' WorkZone.Id ', { id: 'WorkZone.Id', type: 'integer' }],
		['Customer', 'WorkZone', { id: 'WorkZone.Id', type: 'integer' }],
		['Location', 'Info.TagId', { id: 'Info.TagId', type: 'string' }],
		['PmItem', 'Day', { id: 'Day', type: '' }],
		[
			'Contact',
			'ContactAddresses.PrimEmail',
			{ row: { collection: 'ContactAddresses', type: 'ContactInfo', kind: 'PrimEmail' } },
		],
		['Customer', 'IdCard', { id: 'IdCard', type: '' }],
		['Location', 'CustomFields.17', { row: { type: 'CustomField2', kind: '17' } }],
	])('of %s: %s', (entity, id, column) => {
		expect(parseKeyColumn('Match On', entity, id)).toMatchObject(column);
	});

	it.each([
		['Contact', 'Id'],
		['Contact', 'concurrencyid'],
		['WorkOrder', 'number'],
		['Note', 'CreatedAt'],
		['Contact', 'ContactAddresses'],
		['Contact', 'ContactAddresses.Address'],
		['Contact', 'ContactAddresses.PrimEmail.x'],
		['Contact', 'CustomFields.Name'],
		['Contact', 'CustomFields.0'],
		['Contact', 'CustomFields.x17'],
		['PmItem', 'CustomFields.5'],
		['Customer', 'Notes.NoteText'],
		['Customer', 'Notes.PrimEmail'],
		['Contact', 'a b'],
		['Contact', ''],
	])('is refused for %s: %j', (entity, id) => {
		expect(() => parseKeyColumn('Match On', entity, id)).toThrow(/^'Match On' /);
	});
});

describe('a key', () => {
	it.each<[string, string[], JsonObject, JsonObject]>([
		['case', ['TenantCode'], { TenantCode: 'aB' }, { TenantCode: 'Ab' }],
		['blanks at the end', ['TenantCode'], { TenantCode: 'a \t' }, { TenantCode: 'a' }],
		['names in another case', ['TenantCode'], { tenantcode: 'a' }, { TenantCode: 'a' }],
		[
			'leading zeros of a number',
			['WorkZone.Id'],
			{ WorkZone: { Id: '011' } },
			{ WorkZone: { Id: 11 } },
		],
		['numbers as texts', ['WorkZone.Id'], { WorkZone: { Id: '11' } }, { WorkZone: { Id: 11 } }],
	])('ignores %s', (_, ids, one, other) => {
		expect(buildKey('Customer', ids, one)).toBe(buildKey('Customer', ids, other));
	});

	it.each<[string, string[], JsonObject, JsonObject]>([
		['zeros in front', ['TenantCode'], { TenantCode: '01' }, { TenantCode: '1' }],
		['blanks in front', ['TenantCode'], { TenantCode: ' a' }, { TenantCode: 'a' }],
		['the order of values', ['Name', 'Dba'], { Name: 'a', Dba: 'b' }, { Name: 'b', Dba: 'a' }],
		['where a column ends', ['Name', 'Dba'], { Name: 'a,b', Dba: 'c' }, { Name: 'a', Dba: 'b,c' }],
	])('depends on %s', (_, ids, one, other) => {
		expect(buildKey('Customer', ids, one)).not.toBe(buildKey('Customer', ids, other));
	});

	it('is an instant in any format', () => {
		const read = (given: JsonObject) =>
			readMembers('TimeOff', given, { getLabel: String, ...plainReader });
		const at = (StartDate: unknown) => buildKey('TimeOff', ['StartDate'], read({ StartDate }));
		expect(at('2026-01-31T17:30:00+01:00')).toBe(at(new Date('2026-01-31T16:30:00Z')));
		expect(at('2026-01-31')).not.toBe(at('2026-02-01'));
	});

	it.each([undefined, null, '', '  '])('must not be empty: %j', (TenantCode) => {
		expect(() => buildKey('Customer', ['TenantCode'], { TenantCode })).toThrow(
			`'Fields' has no value for "TenantCode", which identifies the record`,
		);
	});

	it.each([[{}], [['a']], [{ Id: 1 }]])('must be a single value, not %j', (TenantCode) => {
		expect(() => buildKey('Customer', ['TenantCode'], { TenantCode })).toThrow(
			/which is not a single value/,
		);
	});

	it('is found in the record that it was written to', () => {
		const text = fc.string({ minLength: 1 }).filter((one) => one.trim() !== '');
		const given = fc.record({
			Number: text,
			SupervisorId: fc.integer({ min: 1 }),
			ContactAddresses: fc.tuple(
				fc.record({ AddrTypeId: fc.constant('PrimEmail'), Address: text }),
				fc.record({ AddrTypeId: fc.constant('Fax'), Address: text }),
			),
		});
		const ids = ['Number', 'SupervisorId', 'ContactAddresses.PrimEmail'];
		fc.assert(
			fc.property(given, fc.subarray(ids, { minLength: 1 }), (members, some) => {
				const stored = { ...members, Number: `${members.Number.toUpperCase()} ` };
				const isStable =
					members.Number.toUpperCase().toLowerCase() === members.Number.toLowerCase();
				fc.pre(isStable);
				expect(readKeys(columns('Contact', ...some), stored)).toEqual([
					buildKey('Contact', some, members),
				]);
			}),
		);
	});

	it('can be any of several addresses of one kind', () => {
		const rows = ['a', 'b'].map((Address) => ({ AddrTypeId: 'PrimEmail', Address }));
		const [column] = columns('Contact', 'ContactAddresses.PrimEmail');
		expect(readKeys([column], { ContactAddresses: rows })).toEqual(['["a"]', '["b"]']);
		expect(readKeys([column], {})).toEqual([]);
	});
});

it('conditions on a key ask for the values of each column, and for one kind of a collection', () => {
	const all = columns('Contact', 'Number', 'ContactAddresses.PrimEmail', 'CustomFields.17');
	expect(
		buildKeyConditions(all, [
			['n1 ', 'a', 'x'],
			['N1', 'b', 'x'],
		]),
	).toEqual([
		{ PropertyName: 'Number', Operator: 'In', Values: ['N1'] },
		{ PropertyName: 'ContactAddresses.Address', Operator: 'In', Values: ['a', 'b'] },
		{ PropertyName: 'ContactAddresses.AddrTypeId', Operator: 'Equal', Values: ['PrimEmail'] },
		{ PropertyName: 'CustomFields.Value', Operator: 'In', Values: ['x'] },
		{ PropertyName: 'CustomFields.Descriptor.Id', Operator: 'Equal', Values: [17] },
	]);
});

it.each<[string, string, JsonObject]>([
	['TimeOff', 'StartDate', { StartDate: new Date(0) }],
	['Customer', 'WorkZone.Id', { WorkZone: 'Boston' }],
	['Contact', 'ContactAddresses.PrimEmail', {}],
])('an update leaves out the key of %s in %s, whatever its format', (entity, id, members) => {
	expect(omitKeys(columns(entity, id), { ...members, Comment: 'y' })).toEqual({ Comment: 'y' });
});

it('an update leaves out nothing but keys', () => {
	const fax = { AddrTypeId: 'Fax', Address: '1' };
	const members = {
		number: 'x',
		Comment: 'y',
		Info: { TagId: '1', SerialNumber: '2' },
		CustomerId: 5,
		ContactAddresses: [fax, { AddrTypeId: 'PrimEmail', Address: 'a' }],
		CustomFields: [{ Descriptor: { Id: 17 }, Value: 'x' }],
	};
	const ids = ['Number', 'Info.TagId', 'Customer.Id', 'ContactAddresses.PrimEmail'];
	expect(omitKeys(columns('Contact', ...ids, 'CustomFields.17', 'LastName'), members)).toEqual({
		Comment: 'y',
		Info: { SerialNumber: '2' },
		ContactAddresses: [fax],
	});
	expect(members.ContactAddresses).toHaveLength(2);
});
