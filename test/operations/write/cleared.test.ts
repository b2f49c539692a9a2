import { mergeCleared } from '../../../nodes/Corrigo/operations/write/cleared';
import type { JsonObject } from '../../../nodes/Corrigo/values/objects';

const refuse = (path: string): never => {
	throw new Error(path);
};

const email = (more: object) => [{ AddrTypeId: 'PrimEmail', ...more }];
const street = (TypeId: string, more: object) => ({ TypeId, ...more });
const REMOVED = { PerformDeletion: true };

describe('what an update empties joins what it sets', () => {
	it.each<[string, string, JsonObject, JsonObject, JsonObject]>([
		[
			'other members',
			'WorkOrder',
			{ PoNumber: 'a' },
			{ Duration: null },
			{ PoNumber: 'a', Duration: null },
		],
		[
			'a member that is undefined',
			'WorkOrder',
			{ PoNumber: undefined },
			{ PoNumber: '' },
			{ PoNumber: '' },
		],
		[
			'other members of one part',
			'Location',
			{ Info: { TagId: 'a' } },
			{ Info: { SerialNumber: '' } },
			{ Info: { TagId: 'a', SerialNumber: '' } },
		],
		[
			'rows of other kinds',
			'Contact',
			{ ContactAddresses: email({ Address: 'a' }) },
			{ ContactAddresses: [{ AddrTypeId: 'PrimPhone', ...REMOVED }] },
			{ ContactAddresses: [...email({ Address: 'a' }), { AddrTypeId: 'PrimPhone', ...REMOVED }] },
		],
		[
			'other members of one row, between other rows',
			'Customer',
			{
				Addresses: [
					street('Home', { City: 'h' }),
					street('Alternate', { City: 'a' }),
					{ City: 'x' },
				],
			},
			{ Addresses: [street('Alternate', { Zip: '' }), street('Primary', { Zip: '' })] },
			{
				Addresses: [
					street('Home', { City: 'h' }),
					street('Alternate', { City: 'a', Zip: '' }),
					{ City: 'x', Zip: '' },
				],
			},
		],
		[
			'a row that is known by its Id alone, next to another one',
			'Customer',
			{ Addresses: [{ Id: 5, City: 'x' }] },
			{ Addresses: [street('Primary', { Zip: '' })] },
			{ Addresses: [{ Id: 5, City: 'x' }, street('Primary', { Zip: '' })] },
		],
		[
			'custom fields by their definitions',
			'WorkOrder',
			{ CustomFields: [{ Descriptor: { Id: 17 }, Value: 'a' }] },
			{ CustomFields: [{ Descriptor: { Id: 18 }, ...REMOVED }] },
			{
				CustomFields: [
					{ Descriptor: { Id: 17 }, Value: 'a' },
					{ Descriptor: { Id: 18 }, ...REMOVED },
				],
			},
		],
	])('by %s of a %s', (_, owner, given, cleared, expected) => {
		const before = structuredClone(given);
		expect(mergeCleared(owner, given, cleared, refuse)).toEqual(expected);
		// It may belong to an input item.
		expect(given).toEqual(before);
	});
});

describe('what an update both empties and sets is refused by its path', () => {
	it.each<[string, string, JsonObject, JsonObject]>([
		['PoNumber', 'WorkOrder', { PoNumber: 'a' }, { PoNumber: '' }],
		['PoNumber', 'WorkOrder', { PoNumber: null }, { PoNumber: '' }],
		['Customer', 'WorkOrder', { Customer: { Id: 5 } }, { Customer: { Id: null } }],
		[
			'VendorNte',
			'WorkOrder',
			{ VendorNte: { Value: 1, CurrencyTypeId: 'USD' } },
			{ VendorNte: null },
		],
		['Info.TagId', 'Location', { Info: { TagId: 'a' } }, { Info: { TagId: '' } }],
		[
			'ContactAddresses.PrimEmail',
			'Contact',
			{ ContactAddresses: email({ Address: 'a' }) },
			{ ContactAddresses: email(REMOVED) },
		],
		[
			'ContactAddresses.PrimEmail',
			'Contact',
			{ ContactAddresses: email(REMOVED) },
			{ ContactAddresses: email({ Address: '' }) },
		],
		[
			'Addresses.Primary.City',
			'Customer',
			{ Addresses: [street('Home', {}), { City: 'a' }] },
			{ Addresses: [street('Primary', { City: '' })] },
		],
		[
			'CustomFields.17',
			'WorkOrder',
			{ CustomFields: [{ Descriptor: { Id: 17 }, Value: 'a' }] },
			{ CustomFields: [{ Descriptor: { Id: 17 }, ...REMOVED }] },
		],
	])('%s of a %s', (path, owner, given, cleared) => {
		expect(() => mergeCleared(owner, given, cleared, refuse)).toThrow(new Error(path));
	});
});
