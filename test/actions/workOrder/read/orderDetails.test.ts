import fc from 'fast-check';

import { findEntityMemberType } from '../../../../nodes/Corrigo/catalogue/entities';
import {
	DEEP_PATHS,
	getDetailPaths,
	buildDetails,
	PART_NAMES,
	PARTS,
	DEFAULT_PARTS,
	type Names,
} from '../../../../nodes/Corrigo/actions/workOrder/read/getDetails.operation';

const NO_NAMES: Names = {
	employees: new Map(),
	reasons: new Map(),
	apStatuses: new Map(),
	costStatuses: new Map(),
};
const NOW = Date.parse('2026-03-01T12:00:00Z');

const detailed = (order: object) => buildDetails(order as never, PART_NAMES, NO_NAMES, NOW);

it('the paths of details are in the catalogue and limited to the chosen parts', () => {
	for (const path of [
		...getDetailPaths(PART_NAMES),
		...DEEP_PATHS.items,
		...DEEP_PATHS.procedures,
	]) {
		if (path === '*') continue;
		const type = findEntityMemberType('WorkOrder', path.replace(/\.\*$/, ''));
		expect([path, type]).toEqual([path, expect.any(String)]);
	}
	expect(getDetailPaths(['notes']).filter((path) => path.startsWith('Items'))).toEqual([]);
	expect(getDetailPaths([])).toContain('Priority.DisplayAs');
});

it.each([
	['2026-03-01T14:30:00', 'Open', { IsOpen: true, IsOverdue: false, HoursLeft: 2.5 }],
	['2026-03-01T14:30:00Z', 'New', { IsOpen: true, IsOverdue: false, HoursLeft: 2.5 }],
	['2026-03-01T11:59:24.1234567', 'OnHold', { IsOpen: true, IsOverdue: true, HoursLeft: -0.01 }],
	['2026-03-01T12:00:00', 'Paused', { IsOpen: true, IsOverdue: false, HoursLeft: 0 }],
	['2026-02-01T12:00:00', 'Completed', { IsOpen: false, IsOverdue: false, HoursLeft: null }],
	['2026-02-01T12:00:00', 'Cancelled', { IsOpen: false, IsOverdue: false, HoursLeft: null }],
	['0001-01-01T00:00:00', 'Open', { IsOpen: true, IsOverdue: false, HoursLeft: null }],
	['1753-01-01T00:00:00Z', 'Open', { IsOpen: true, IsOverdue: false, HoursLeft: null }],
	[undefined, 'Open', { IsOpen: true, IsOverdue: false, HoursLeft: null }],
	[null, 'Open', { IsOpen: true, IsOverdue: false, HoursLeft: null }],
	['soon', 'Open', { IsOpen: true, IsOverdue: false, HoursLeft: null }],
])(
	'derives IsOpen, IsOverdue and HoursLeft from due date and status: %s, %s',
	(DueDateUtc, StatusId, expected) => {
		expect(detailed({ DueDateUtc, StatusId })).toMatchObject(expected);
	},
);

it('details begin with whether the order is late, and go on like a simplified order', () => {
	const order = {
		...{ Access: 'x', CreatedDateUtc: '2026-03-01T10:00:00', Number: 'A-1' },
		...{ Customer: { Id: 1 }, ShortLocation: 'x', StatusId: 'Open', Priority: { Id: 1 }, Id: 7 },
	};
	expect(Object.keys(detailed(order)).slice(0, 12)).toEqual([
		...['Number', 'Id', 'Status', 'IsOpen', 'IsOverdue', 'HoursLeft', 'CurrentReason'],
		...['Priority', 'Customer', 'ShortLocation', 'CreatedDateUtc', 'Access'],
	]);
});

it('details have empty parts for missing and null members', () => {
	const plain = { IsOpen: true, IsOverdue: false, HoursLeft: null, CurrentReason: null };
	const empty = {
		...plain,
		Address: null,
		Assignments: [],
		CheckIns: [],
		Contact: null,
		Costs: null,
		CustomFields: {},
		Customer: null,
		Documents: [],
		Estimate: null,
		Flags: [],
		History: [],
		Items: [],
		LinkedOrders: null,
		Notes: [],
		Procedures: [],
		Quote: null,
		Verifications: [],
	};
	expect(detailed({ Id: 7 })).toEqual({ Id: 7, ...empty });
	const nulls = Object.fromEntries(Object.values(PARTS).map(({ member }) => [member, null]));
	expect(detailed({ ...nulls, LastAction: null })).toEqual(empty);
	const nothings = Object.fromEntries(
		Object.values(PARTS).map(({ member }) => [member, { Id: 0 }]),
	);
	expect(detailed({ ...nothings, RequestorContact: null, CustomFields: [] })).toEqual(empty);
	expect(detailed({ Customer: {}, WorkOrderCost: {}, LastAction: { Reason: {} } })).toEqual(empty);
	expect(buildDetails({ Id: 7, Notes: [{ Id: 1 }] }, [], NO_NAMES, NOW)).toEqual({
		Id: 7,
		...plain,
	});
});

it('details have the primary phone and email of the contact', () => {
	const ways = [
		{ AddrTypeId: 'MobilePhone', Address: '+1 2' },
		{ AddrTypeId: 'AltEmail', Address: 'b@example.org' },
		{ AddrTypeId: 'Fax', Address: '+1 9' },
		{ AddrTypeId: 'PrimEmail', Address: 'a@example.org' },
		{ AddrTypeId: 'PrimPhone', Address: '+1 1' },
	];
	const ann = { Id: 3, DisplayAs: 'Ann' };
	expect(detailed({ RequestorContact: { ...ann, ContactAddresses: ways } }).Contact).toEqual({
		...ann,
		Phone: '+1 1',
		Email: 'a@example.org',
	});
	expect(detailed({ RequestorContact: ann }).Contact).toEqual({ ...ann, Phone: null, Email: null });
	const readContact = (Address: string) =>
		detailed({ ContactAddress: { Id: 1, AddrTypeId: 'Contact', Address } }).Contact;
	expect(readContact('+1 5')).toEqual({ Phone: '+1 5', Email: null });
	expect(readContact('c@example.org')).toEqual({ Phone: null, Email: 'c@example.org' });
});

it.each(['', ' ', null, undefined])(
	'details pass over an address of the contact that is %j',
	(Address) => {
		const ContactAddresses = [
			{ AddrTypeId: 'PrimPhone', Address },
			{ AddrTypeId: 'MobilePhone', Address: '+1 2' },
		];
		expect(detailed({ RequestorContact: { Id: 3, ContactAddresses } }).Contact).toEqual({
			Id: 3,
			Phone: '+1 2',
			Email: null,
		});
		expect(
			detailed({ ContactAddress: { Id: 1, AddrTypeId: 'Contact', Address } }).Contact,
		).toBeNull();
	},
);

it('details name cost statuses only on request, and only those that there are', () => {
	expect(DEFAULT_PARTS).toEqual(PART_NAMES.filter((name) => name !== 'costStatuses'));
	const costs = (WorkOrderCost: object | null) =>
		buildDetails({ WorkOrderCost } as never, ['costStatuses'], NO_NAMES, NOW).Costs;
	expect(costs({ Id: 9, ApStatusId: 0 })).toMatchObject({ ApStatus: null, CostStatus: null });
	for (const nothing of [null, {}, { Id: 0 }]) expect(costs(nothing)).toBeNull();
});

it('details keep the last 20 actions, sorted', () => {
	fc.assert(
		fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 999 })), (ids) => {
			const rows = ids.map((Id) => ({ Id }));
			const { History } = detailed({ ActionLogRecords: rows });
			const sorted = [...ids].sort((a, b) => a - b);
			expect((History as Array<{ Id: number }>).map(({ Id }) => Id)).toEqual(sorted.slice(-20));
			expect(rows.map(({ Id }) => Id)).toEqual(ids);
		}),
	);
});

it('details have the newest value of an attribute, in whatever order its rows come', () => {
	const Descriptor = { Id: 1, Name: 'Hours' };
	const Attributes = [9, 8].map((Id) => ({ Id, Value: `Value ${Id}`, Descriptor }));
	expect(detailed({ Items: [{ Asset: { Id: 4, Attributes } }] }).Items).toMatchObject([
		{ Asset: { Attributes: { Hours: 'Value 9' } } },
	]);
});

it('details have procedures and their steps by index, and equal ones by ID, without removed ones', () => {
	const Procedures = [
		{ Id: 3, Index: 2 },
		{ Id: 1, Index: 1, IsRemoved: true },
		{
			...{ Id: 9, Index: 1 },
			Steps: [
				{ Id: 5, Index: 2 },
				{ Id: 4, Index: 2 },
				{ Id: 8, Index: 1 },
				{ Id: 2, Index: 0, IsRemoved: true },
			],
		},
	];
	expect(detailed({ Procedures }).Procedures).toMatchObject([
		{ Id: 9, Steps: [{ Id: 8 }, { Id: 4 }, { Id: 5 }] },
		{ Id: 3, Steps: [] },
	]);
});
