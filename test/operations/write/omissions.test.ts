import { commands } from '../../../nodes/Corrigo/catalogue/commands';
import { entities, getMemberTypes, isCollection } from '../../../nodes/Corrigo/catalogue/entities';
import { listColumns, listCommandColumns, type Verb } from '../../../nodes/Corrigo/columns/columns';
import { createOmissionFinder } from '../../../nodes/Corrigo/operations/write/omissions';
import type { JsonObject } from '../../../nodes/Corrigo/values/objects';

const find = (owner: string, input: JsonObject, verb: Verb = 'update', saved: object[] = []) =>
	createOmissionFinder(owner, verb, [
		...listColumns(owner, verb),
		...(saved as Array<{ id: string; label: string }>),
	])(input).map(({ reason, path }) => `${reason}: ${path}`);

const email = (Address: string, more: object = {}) => ({
	AddrTypeId: 'PrimEmail',
	Address,
	...more,
});

it.each<[string, JsonObject, string[]]>([
	['Customer', { Town: 'T', dba: 'D', 'Tax Exempt ': false, Url: 'x' }, ['name: Town']],
	['Customer', { 'WorkZone.DisplayAs': 'N', 'WorkZone.Nam': 'N' }, ['name: WorkZone.Nam']],
	['WorkOrder', { Address: { street: 'S', NoSuch: 'S' } }, ['name: Address.NoSuch']],
	['WorkOrder', { Customer: { Id: 5, Anything: 1 }, VendorNte: { Value: 5 } }, []],
	['WorkOrder', { Status: 'Completed', PoNumber: '1' }, ['kept: Status']],
	['WorkOrder', { Status: 'Completed', StatusId: 'Completed' }, ['kept: StatusId']],
	[
		'WorkOrderCost',
		{ 'CostsTotal.Value': '5', 'CostsTotal.CurrencyTypeId': 'USD', 'CustomerNte.Value': '5' },
		['kept: CostsTotal.Value'],
	],
	['Contact', { Customer: { Id: 5, DisplayAs: 'C' } }, []],
	['Customer', { addresses: [{ TypeId: 'Alt', City: 'X' }] }, ['row: Addresses > Alt']],
	['Customer', { Addresses: [{ TypeId: 'Primary', City: 'X' }] }, []],
	['Customer', { Addresses: [{ TypeId: 'Alt', Id: 5, Street: ' ' }] }, []],
	['Customer', { 'Addresses.Alt.Street': 'S' }, ['name: Addresses.Alt.Street']],
	[
		'Contact',
		{ ContactAddresses: [{ AddrTypeId: 0, Address: '555' }] },
		['row: ContactAddresses > Unknown'],
	],
	['Contact', { ContactAddresses: [{ Address: '555' }] }, ['row: ContactAddresses']],
	['Contact', { ContactAddresses: [email('a@x.org'), email('A@x.org ')] }, []],
	[
		'Contact',
		{ ContactAddresses: [email('a@x.org'), email('b@x.org')] },
		['secondRow: ContactAddresses > PrimEmail'],
	],
	[
		'Contact',
		{ ContactAddresses: [email('a@x.org', { Id: 1, PerformDeletion: true })] },
		['row: ContactAddresses > PrimEmail'],
	],
	[
		'Contact',
		{ ContactAddresses: { 'Primary Email': 'a@x.org', Mastodon: 'a', Other: '' } },
		['row: ContactAddresses > Mastodon'],
	],
	['Employee', { Teams: ['North'], PayRates: ['5'] }, ['row: PayRates']],
	['WorkOrder', { Notes: [], Items: [{ Id: 5 }, { Id: 6, ConcurrencyId: 1 }] }, []],
	['WorkOrder', { Items: [{ Id: 5 }, { Id: 6, Comment: 'new' }] }, ['row: Items']],
	['WorkOrder', { Notes: [{ Body: 'new' }], Items: [{ Id: 5 }, {}] }, ['row: Notes', 'row: Items']],
	['WorkOrder', { Items: [{ Id: 5, PerformDeletion: true }] }, ['row: Items']],
])('of %s, an item loses what no field takes: %j', (owner, input, expected) => {
	expect(find(owner, input)).toEqual(expected);
});

it('a new record loses the rows of the record that it copies', () => {
	const copied = { Spaces: [{ Id: 5 }] };
	expect(find('Customer', copied, 'create')).toEqual(['row: Spaces']);
	expect(find('Customer', copied, 'upsert')).toEqual([]);
});

it('custom fields are lost that the form does not have', () => {
	const saved = [{ id: 'CustomFields.7', label: 'Floor' }];
	const rows = [
		{ Descriptor: { Id: 7 }, Value: 'a' },
		{ Descriptor: { Id: 8, Name: 'Wing' }, Value: 'b' },
		{ Descriptor: { Id: 9 }, Value: 'c' },
	];
	for (const owner of ['Customer', 'WorkOrder', 'Location']) {
		expect(find(owner, { CustomFields: rows }, 'update', saved)).toEqual([
			'row: CustomFields > Wing',
			'row: CustomFields > 9',
		]);
		const byName = { floor: 'a', Wing: 'b', 7: 'c', 9: 'd', Roof: null };
		expect(find(owner, { customFields: byName }, 'update', saved)).toEqual([
			'row: CustomFields > 9',
			'row: CustomFields > Wing',
		]);
	}
});

it('a name is reported once, and rows with each item', () => {
	const finder = createOmissionFinder('Customer', 'update', listColumns('Customer', 'update'));
	const item = (TypeId: string) => ({ Town: 'T', Addresses: [{ TypeId, Street: 'S' }] });
	expect(['Alt', 'Primary', 'Home'].map((type) => finder(item(type)))).toEqual([
		[
			{ reason: 'name', path: 'Town' },
			{ reason: 'row', path: 'Addresses > Alt' },
		],
		[],
		[{ reason: 'row', path: 'Addresses > Home' }],
	]);
});

it('a record as Corrigo returns it loses nothing', () => {
	const toRead = (types: Readonly<Record<string, string>>) =>
		Object.fromEntries(
			Object.entries(types).map(([name, type]) => {
				const inner = Object.keys(getMemberTypes(type.replace('[]', '')));
				const record = Object.fromEntries(inner.map((one) => [one, 1]));
				return [name, isCollection(type) ? [{ Id: 1 }] : inner.length > 0 ? record : 1];
			}),
		);
	for (const { name } of entities) {
		const found = find(name, toRead(getMemberTypes(name)));
		// What Corrigo keeps itself is named, but not lost.
		expect(found.filter((one) => !one.startsWith('kept: '))).toEqual([]);
	}
	for (const { name, fields } of commands) {
		const finder = createOmissionFinder(name, 'create', listCommandColumns(name));
		expect(finder(toRead(fields)).filter(({ reason }) => reason === 'name')).toEqual([]);
	}
});
