import fc from 'fast-check';

import { type JsonObject, isObject } from '../../nodes/Corrigo/values/objects';
import { findRowType } from '../../nodes/Corrigo/catalogue/members';
import {
	applyMembers,
	buildRows,
	findDifferences,
	getStoredMembers,
	isMatch,
	isSame,
	listComparedPaths,
	RowIndex,
} from '../../nodes/Corrigo/compare/differences';
import { requireOwnParts } from '../../nodes/Corrigo/operations/write/ownParts';
import { KnownNames } from '../../nodes/Corrigo/records/names';
import { startCpuTime } from '../support/cpu';

const changed = (entity: string, stored: JsonObject, given: JsonObject) =>
	findDifferences(entity, stored, given).changed;

const nte = (Value: unknown, CurrencyTypeId = 'USD') => ({ CurrencyTypeId, Value });

describe('a given member', () => {
	it.each<[string, string, JsonObject, JsonObject]>([
		['a text, exactly', 'Contact', { Comment: ' x' }, { Comment: ' x' }],
		['a number given as a text', 'Contact', { SupervisorId: 7 }, { SupervisorId: '7' }],
		['a decimal', 'Location', { Address: { Latitude: 12.1 } }, { Address: { Latitude: '12.10' } }],
		['a switch', 'Contact', { NoAlertEmails: true }, { NoAlertEmails: 'True' }],
		['an enumeration', 'Contact', { TypeId: 'Primary' }, { TypeId: 'primary' }],
		['nothing as an empty text', 'Contact', {}, { Comment: '' }],
		['nothing as null', 'Contact', { Comment: '' }, { Comment: null }],
		['a name in another case', 'Contact', { Comment: 'x' }, { comment: 'x' }],
		[
			'a reference by its Id',
			'Customer',
			{ WorkZone: { Id: 11, DisplayAs: 'North' } },
			{ WorkZone: { Id: '11' } },
		],
		['money with its currency', 'WorkOrder', { VendorNte: nte(1.5) }, { VendorNte: nte('1.50') }],
		['a day', 'TimeOff', { StartDate: '2026-01-31T00:00:00' }, { StartDate: '2026-01-31' }],
		[
			'an instant, as the service rounds it',
			'TimeOff',
			{ StartDate: '2026-01-31T00:00:00.12' },
			{ StartDate: '2026-01-31T00:00:00.1234567' },
		],
		['what says which record it is', 'Contact', {}, { Id: 7, ConcurrencyId: 3, IsNew: true }],
		['a password, which is never shown', 'Employee', { Password: '' }, { Password: 'secret' }],
		[
			'the parent of an asset, which only AssetTree has',
			'Location',
			{ ParentId: 0 },
			{ ParentId: 9 },
		],
		['a member that is unknown', 'PmItem', { Day: { x: [1] } }, { Day: { x: [1] } }],
		['undefined', 'Contact', { Comment: 'x' }, { Comment: undefined }],
		['a text given as a number', 'Contact', { Number: '42' }, { Number: 42 }],
		['a date that nobody can read', 'TimeOff', { StartDate: 'soon' }, { StartDate: 'soon' }],
	])('is unchanged: %s', (_, entity, stored, given) => {
		expect(findDifferences(entity, stored, given)).toEqual({ members: {}, changed: [] });
	});

	it.each<[string, string, JsonObject, JsonObject]>([
		['a text in another case', 'Contact', { Comment: 'x' }, { Comment: 'X' }],
		['another enumeration', 'Contact', { TypeId: 'Primary' }, { TypeId: 'Billing' }],
		['a member that is unknown', 'PmItem', { Day: 1 }, { Day: 2 }],
		['a member that is called almost like an Id', 'PmItem', {}, { IdCard: 1 }],
		['a text in place of nothing', 'Contact', {}, { Comment: 'x' }],
		['a text with a blank', 'Contact', { Comment: 'x' }, { Comment: 'x ' }],
		['zeros in front', 'Contact', { Number: '7' }, { Number: '007' }],
		['a text that is emptied', 'Contact', { Comment: 'x' }, { Comment: '' }],
		['zero in place of nothing', 'Contact', {}, { SupervisorId: 0 }],
		['zero for null', 'Contact', { SupervisorId: null }, { SupervisorId: 0 }],
		['a switch', 'Contact', { NoAlertEmails: true }, { NoAlertEmails: false }],
		['a list of values', 'PmItem', { Tags: [1] }, { Tags: [1, 2] }],
		['another currency', 'WorkOrder', { VendorNte: nte(1) }, { VendorNte: nte(1, 'EUR') }],
		['another reference', 'Customer', { WorkZone: { Id: 1 } }, { WorkZone: { Id: 2 } }],
		[
			'another actor of the same Id',
			'WoNote',
			{ CreatedBy: { Id: 11, TypeId: 'Employee' } },
			{ CreatedBy: { Id: 11, TypeId: 'LeaseUser' } },
		],
		['a removed reference', 'Customer', { WorkZone: { Id: 11 } }, { WorkZone: null }],
		['no date', 'TimeOff', { StartDate: '2026-01-31' }, { StartDate: 'soon' }],
	])('is written: %s', (_, entity, stored, given) => {
		const changed = Object.keys(given);
		expect(findDifferences(entity, stored, given)).toEqual({ members: given, changed });
	});

	it('is written without the rest of its embedded object', () => {
		const stored = { Address: { Id: 5, Street: 'Main St', City: 'Springfield' } };
		const given = { Address: { Street: 'Main St', City: 'Shelbyville' }, Name: 'Pump' };
		expect(findDifferences('Location', { ...stored, Name: 'Pump' }, given)).toEqual({
			members: { Address: { City: 'Shelbyville' } },
			changed: ['Address.City'],
		});
	});

	it('is written with the stored currency if it is an amount', () => {
		const stored = { VendorNte: { Value: 1, CurrencyTypeId: 'EUR' } };
		expect(findDifferences('WorkOrder', stored, { VendorNte: { Value: 2 } }).members).toEqual({
			VendorNte: { Value: 2, CurrencyTypeId: 'EUR' },
		});
	});
});

describe('a row of a collection', () => {
	const email = { Id: 1, AddrTypeId: 'PrimEmail', Address: 'a@x.org', ConcurrencyId: 2 };
	const phone = { Id: 2, AddrTypeId: 'PrimPhone', Address: '1' };
	const stored = { ContactAddresses: [email, phone] };
	const of = (...rows: unknown[]) =>
		findDifferences('Contact', stored, { ContactAddresses: rows as JsonObject[] });

	it('of a kind is compared with the stored row of that kind, and is sent complete', () => {
		expect(of({ AddrTypeId: 'PrimPhone', Address: '1' })).toEqual({ members: {}, changed: [] });
		expect(of({ AddrTypeId: 'PrimEmail', Address: 'b@x.org' })).toEqual({
			members: { ContactAddresses: [{ ...email, Address: 'b@x.org' }] },
			changed: ['ContactAddresses.PrimEmail'],
		});
	});

	it('of a kind that exists twice changes no equal row', () => {
		const twice = { ContactAddresses: [email, { ...email, Id: 3, Address: 'b@x.org' }] };
		const given = [
			{ AddrTypeId: 'PrimEmail', Address: 'c@x.org' },
			{ AddrTypeId: 'PrimEmail', Address: 'a@x.org' },
		];
		expect(findDifferences('Contact', twice, { ContactAddresses: given }).members).toEqual({
			ContactAddresses: [{ ...email, Id: 3, Address: 'c@x.org' }],
		});
	});

	it('with an Id is compared with the row of that Id, and sent as given', () => {
		expect(of({ Id: 2, Address: '1' }).changed).toEqual([]);
		expect(of({ Id: 2, Address: '2' }).members).toEqual({
			ContactAddresses: [{ Id: 2, Address: '2' }],
		});
		const asAnother = { Id: 2, AddrTypeId: 'PrimEmail', Address: 'a@x.org' };
		expect(of(asAnother).members).toEqual({ ContactAddresses: [asAnother] });
	});

	it.each([undefined, null, 'Unknown', 'Primary'])(
		'that is an address of kind %p is the primary one',
		(TypeId) => {
			const primary = { Id: 1, TypeId: 'Primary', Street: 'a' };
			const other = { Id: 2, TypeId: 'Home', Street: 'b' };
			const given = { Addresses: [{ TypeId, Street: 'c' }] };
			const { members } = findDifferences('Customer', { Addresses: [other, primary] }, given);
			expect(members).toMatchObject({ Addresses: [{ Id: 1, Street: 'c' }] });
			const home = { Addresses: [{ TypeId: 'Home', Street: 'c' }] };
			expect(
				findDifferences('Customer', { Addresses: [primary, other] }, home).members,
			).toMatchObject({
				Addresses: [{ Id: 2, Street: 'c' }],
			});
		},
	);

	it('is deleted if it exists', () => {
		expect(of({ Id: 2, PerformDeletion: true }).members).toEqual({
			ContactAddresses: [{ Id: 2, PerformDeletion: true }],
		});
		expect(of({ Id: 9, PerformDeletion: true }).changed).toEqual([]);
	});

	it('without a kind exists if a stored row has all given members', () => {
		const notes = { Notes: [{ Id: 5, NoteText: 'Hello', IsResolved: false }] };
		expect(changed('Customer', notes, { Notes: [{ NoteText: 'Hello' }] })).toEqual([]);
		expect(changed('Customer', notes, { Notes: [{ NoteText: 'Bye' }] })).toEqual(['Notes']);
		expect(findDifferences('Customer', notes, { Notes: [{ NoteText: 'Bye' }] }).members).toEqual({
			Notes: [{ NoteText: 'Bye' }],
		});
		const twice = [{ NoteText: 'Hello' }, { NoteText: 'Hello' }];
		expect(findDifferences('Customer', notes, { Notes: twice }).members.Notes).toHaveLength(1);
	});

	it('that is a custom field is compared by the type of the field', () => {
		const custom = (Type: string, Value: unknown, given: unknown) =>
			changed(
				'Contact',
				{ CustomFields: [{ Id: 1, Descriptor: { Id: 17, Type }, Value }] },
				{ CustomFields: [{ Descriptor: { Id: 17 }, Value: given }] },
			);
		expect(custom('Decimal', '5.00', '5')).toEqual([]);
		expect(custom('String', '5.00', '5')).toEqual(['CustomFields.17']);
		expect(custom('String', null, '')).toEqual([]);
	});

	it('that is a custom field is sent with its Id, and without its descriptor details', () => {
		const row = { Id: 1, Descriptor: { Id: 17, Type: 'String' }, Value: 'a', ObjectId: 5 };
		const given = { CustomFields: [{ Descriptor: { Id: 17 }, Value: 'b' }] };
		expect(findDifferences('Contact', { CustomFields: [row] }, given).members).toEqual({
			CustomFields: [{ Id: 1, Descriptor: { Id: 17 }, Value: 'b', ObjectId: 5 }],
		});
	});
});

describe('any record', () => {
	const text = fc.string({ unit: fc.constantFrom(...'aZ0 é\u0301ßİ字😀\u00a0\t') });
	const day = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
	const contact = fc.record(
		{
			Comment: text,
			Number: text,
			SupervisorId: fc.integer(),
			NoAlertEmails: fc.boolean(),
			TypeId: fc.constantFrom('Primary', 'Alternate', 'Tenant'),
			ContactAddresses: fc.uniqueArray(
				fc.record({ AddrTypeId: fc.constantFrom('PrimEmail', 'Fax', 'WAP'), Address: text }),
				{ selector: ({ AddrTypeId }) => AddrTypeId },
			),
			CustomFields: fc.uniqueArray(
				fc.record({ Descriptor: fc.record({ Id: fc.integer({ min: 1, max: 5 }) }), Value: text }),
				{ selector: ({ Descriptor }) => Descriptor.Id },
			),
		},
		{ requiredKeys: [] },
	);

	const KEYS: Record<string, (row: JsonObject) => unknown> = {
		ContactAddresses: ({ AddrTypeId }) => AddrTypeId,
		CustomFields: ({ Descriptor }) => (Descriptor as JsonObject).Id,
	};

	/** Applies the differences as the service does. */
	const written = (stored: JsonObject, members: JsonObject): JsonObject => {
		const next: JsonObject = { ...stored };
		for (const [name, value] of Object.entries(members)) {
			if (!Array.isArray(value)) {
				next[name] = value;
				continue;
			}
			const rows = [...((next[name] ?? []) as JsonObject[])];
			for (const row of value as JsonObject[]) {
				const at = rows.findIndex((one) => row.Id !== undefined && one.Id === row.Id);
				if (at < 0) rows.push({ Id: rows.length + 1, ...row });
				else rows[at] = { ...rows[at], ...row };
			}
			next[name] = rows.filter(({ PerformDeletion }) => PerformDeletion !== true);
		}
		return next;
	};

	const numbered = (record: JsonObject): JsonObject => written({}, record);

	it('has no differences from itself', () => {
		fc.assert(
			fc.property(contact, (record) => {
				expect(findDifferences('Contact', numbered(record), record).changed).toEqual([]);
				expect(findDifferences('Contact', numbered(record), numbered(record)).changed).toEqual([]);
			}),
		);
	});

	it('has all given members after the differences are written, and keeps the others', () => {
		fc.assert(
			fc.property(contact, contact, (before, given) => {
				const stored = numbered(before);
				const { members, changed: names } = findDifferences('Contact', stored, given);
				const after = written(stored, members);
				expect(findDifferences('Contact', after, given)).toEqual({ members: {}, changed: [] });
				expect(Object.keys(members).length === 0).toBe(names.length === 0);
				for (const name of ['NoAlertEmails', 'SupervisorId', 'TypeId']) {
					if (name in given) expect(after[name]).toBe(given[name as keyof typeof given]);
				}
				for (const name of Object.keys(stored)) {
					if (!(name in given)) expect(after[name]).toEqual(stored[name]);
					const kind = KEYS[name];
					if (kind === undefined) continue;
					const kinds = (after[name] as JsonObject[]).map(kind);
					expect(new Set(kinds).size).toBe(kinds.length);
				}
			}),
		);
	});

	it('has each given row after the differences are written, whatever happens to other rows', () => {
		const line = fc.record({
			Product: fc.record({ Id: fc.constantFrom(1, 2) }),
			QtyOrdered: fc.constantFrom(1, 2),
		});
		const change = fc.record({ Id: fc.nat(3), QtyOrdered: fc.constantFrom(1, 2) });
		const deletion = fc.record({ Id: fc.nat(3), PerformDeletion: fc.constant(true) });
		const rows = fc.uniqueArray(fc.oneof(line, change, deletion), {
			selector: (row) => ('Id' in row ? row.Id : row),
		});
		fc.assert(
			fc.property(fc.array(line), rows, (lines, given) => {
				const stored = { Items: lines.map((one, Id) => ({ Id, ...one })) };
				const known = given.filter((row) => !('Id' in row) || row.Id < lines.length);
				const compare = (record: JsonObject) =>
					findDifferences('ReplenishmentOrder', record, { Items: known });
				const after = written(stored, compare(stored).members);
				expect(compare(after).changed).toEqual([]);
			}),
		);
	});

	it('is written only if something differs', () => {
		fc.assert(
			fc.property(contact, contact, (before, given) => {
				const { members } = findDifferences('Contact', numbered(before), given);
				for (const [name, value] of Object.entries(members)) {
					if (!Array.isArray(value)) expect(value).not.toEqual(numbered(before)[name]);
				}
			}),
		);
	});

	it('has no difference for an instant in another format', () => {
		fc.assert(
			fc.property(day, fc.integer({ min: -14 * 60, max: 14 * 60 }), (moment, minutes) => {
				const clock = new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, -1);
				const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
				const two = (part: number) => String(part).padStart(2, '0');
				const zoned = `${clock}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
				for (const form of [zoned, moment, moment.toISOString().slice(0, -1)]) {
					expect(isSame('datetime', moment.toISOString(), form)).toBe(true);
				}
				const later = new Date(moment.getTime() + 10).toISOString();
				expect(isSame('datetime', later, zoned)).toBe(false);
			}),
		);
	});

	it('accepts any input', () => {
		const anything = fc.dictionary(fc.string(), fc.anything());
		fc.assert(
			fc.property(anything, anything, (stored, given) => {
				const { members } = findDifferences('Contact', stored, given);
				expect(Object.keys(given)).toEqual(expect.arrayContaining(Object.keys(members)));
			}),
		);
	});
});

/** Rows that are known by their kinds, by definitions, by what they link, and by nothing but their content. */
const COLLECTIONS: Array<[string, string, (index: number) => JsonObject]> = [
	['Contact', 'ContactAddresses', (index) => ({ AddrTypeId: `Kind ${index}`, Address: 'x' })],
	['Location', 'Attributes', (index) => ({ Descriptor: { Id: index }, Value: 'x' })],
	['Contact', 'CustomFields', (index) => ({ Descriptor: { Id: index }, Value: 'x' })],
	['Contact', 'GroupsBridge', (index) => ({ CustomerGroupId: index })],
	['WorkOrder', 'Items', (index) => ({ Asset: { Id: index }, Comment: 'x' })],
	['WorkOrder', 'Items', (index) => ({ Comment: `Part ${index}` })],
	['WoQuote', 'Items', (index) => ({ Rate: { Value: index, CurrencyTypeId: 'USD' } })],
];

describe('rows of a record', () => {
	it.each(COLLECTIONS)('%s > %s are sought in one index', (entity, name, build) => {
		const input = Array.from({ length: 2_000 }, (_, index) => build(index + 1));
		const stored = input.map((row, index) => ({ Id: index + 1, ...row }));
		const readCpuTime = startCpuTime();
		const place = { entity, id: 1 };
		requireOwnParts(new KnownNames(), 'Field', place, { [name]: input }, { [name]: stored });
		expect(readCpuTime()).toBeLessThan(4);
	});

	it.each(COLLECTIONS)('%s > %s are not compared each with each', (entity, name, build) => {
		const COUNT = 1_000;
		const list = (first: number, more?: (index: number) => object) =>
			Array.from({ length: COUNT }, (_, index) => ({
				...build(first + index),
				...more?.(first + index),
			}));
		const stored = list(1, (Id) => ({ Id }));
		const readCpuTime = startCpuTime();
		for (const input of [
			list(1),
			list(COUNT),
			list(1, (Id) => ({ Id })),
			list(1, (Id) => ({ Id: 2 * COUNT + Id })),
			list(1, (Id) => ({ Id, PerformDeletion: true })),
		]) {
			const { members } = findDifferences(entity, { [name]: stored }, { [name]: input });
			applyMembers(entity, { [name]: stored }, members);
			buildRows(entity, { [name]: stored }, { [name]: input });
			getStoredMembers(entity, { [name]: stored }, { [name]: input });
		}
		expect(readCpuTime()).toBeLessThan(8);
	});

	it.each<[string, (index: number) => JsonObject]>([
		['CheckInOuts', (index) => ({ DtCheckIn: new Date(index * 60_000).toISOString() })],
		['Procedures', (index) => ({ Steps: [{ Comment: `Step ${index}` }] })],
		['EquipmentWorkedOn', (index) => ({ [`X${index}`]: index })],
	])('are refused if there are too many to compare each with each: %s', (name, build) => {
		const list = (first: number, count: number) =>
			Array.from({ length: count }, (_, index) => build(first + index));
		const compare = (count: number) =>
			findDifferences('WorkOrder', { [name]: list(1, count) }, { [name]: list(10_000, count) })
				.changed;
		expect(compare(150)).not.toEqual([]);
		const readCpuTime = startCpuTime();
		expect(() => compare(2_000)).toThrow('There are too many rows of');
		expect(readCpuTime()).toBeLessThan(4);
	});

	it('that their Ids name are not replaced by others of their kinds', () => {
		const old = { Id: 1, AddrTypeId: 'Fax', Address: 'old' };
		const added = { AddrTypeId: 'Fax', Address: 'new' };
		const moved = { Id: 1, AddrTypeId: 'Pager' };
		for (const ContactAddresses of [
			[added, moved],
			[moved, added],
		]) {
			const stored = { ContactAddresses: [old] };
			expect(buildRows('Contact', stored, { ContactAddresses })).toEqual({
				ContactAddresses: [moved, added],
			});
			expect(applyMembers('Contact', stored, { ContactAddresses })).toEqual({
				ContactAddresses: [{ ...old, ...moved }, added],
			});
		}
	});

	it('are the ones that a comparison with each of them finds', () => {
		const amount = fc.constantFrom(0, 1, '1', '', null);
		const parts = {
			Id: fc.constantFrom(1, 2, '2', '', null),
			AddrTypeId: fc.constantFrom('Contact', 'contact', 1, ''),
			Asset: fc.constantFrom({ Id: 1 }, { Id: '1' }, { Id: 0 }, {}, null, 'x'),
			Comment: fc.constantFrom('x', 'X', '', null),
			Rate: fc.record({ Value: amount, CurrencyTypeId: fc.constantFrom('USD', 'usd', null) }),
			Descriptor: fc.constantFrom({ Id: 1 }, { Id: '1' }, { Id: 2 }),
			IsRemoved: fc.constantFrom(true, 'True', false),
			PerformDeletion: fc.constantFrom(true, 'false'),
			Quantity: amount,
			CreateDate: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.004Z'),
			Value: fc.constantFrom('1', '1.0', ''),
		};
		const rows = fc.array(fc.record(parts, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>);
		const types = fc.constantFrom(
			...COLLECTIONS.map(([entity, name]) => findRowType(entity, name) ?? ''),
		);
		fc.assert(
			fc.property(types, rows, rows, (type, stored, inputs) => {
				const index = new RowIndex(type, stored);
				const left = [...stored];
				for (const input of inputs) {
					const row = left.find((one) => isMatch(type, one, input));
					expect(index.takeMatch(input)).toBe(row);
					if (row !== undefined) left.splice(left.indexOf(row), 1);
				}
			}),
			{ numRuns: 2_000 },
		);
	});
});

describe('the properties that a comparison reads', () => {
	it.each<[string, JsonObject, string[]]>([
		['Employee', { Number: 'x', Id: 5, Password: 'p', Role: undefined }, ['Number']],
		['Customer', { WorkZone: { Id: 1 }, Contract: null }, ['WorkZone.Id', 'Contract.Id']],
		['WoNote', { CreatedBy: { Id: 1, TypeId: 'Employee' } }, ['CreatedBy.Id', 'CreatedBy.TypeId']],
		['WorkOrder', { VendorNte: { Value: 1, CurrencyTypeId: 'USD' } }, ['VendorNte']],
		['Location', { Address: { City: 'x' }, Info: { TagId: '1' } }, ['Address.City', 'Info.TagId']],
		['Contact', { ContactAddresses: [{ Address: 'x' }, { Address: 'y' }] }, ['ContactAddresses.*']],
		[
			'Location',
			{ CustomFields: [{ Descriptor: { Id: 1 }, Value: 'x' }] },
			['CustomFields.*', 'CustomFields.Descriptor.Id', 'CustomFields.Descriptor.Type'],
		],
		['WorkOrder', { Items: [{ Task: { Id: 1 } }] }, ['Items.*', 'Items.Task.Id']],
		['PmItem', { Day: '2026-01-01' }, ['Day']],
	])('of %s %j', (entity, given, paths) => {
		expect(listComparedPaths(entity, given)).toEqual(paths);
		expect(isObject(given)).toBe(true);
	});
});
