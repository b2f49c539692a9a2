import {
	describeDetail,
	getPreviousStatus,
	findSubject,
} from '../../nodes/Corrigo/records/actionDetails';

const inWords = (TypeId: string, ValueInt: unknown, ValueStr?: unknown) =>
	describeDetail({ TypeId, ValueInt, ValueStr }, (entity, id) =>
		id === 7 ? `${entity} seven` : undefined,
	);

it.each([
	['AssignmentAdded', 7, undefined, 'Assignment Added', 'Employee seven'],
	['AssignmentRemoved', 7, '', 'Assignment Removed', 'Employee seven'],
	['ByContactId', 7, null, 'By Contact', 'Contact seven'],
	['CostStatusId', 7, undefined, 'Cost Status', 'InternalCostStatus seven'],
	['CustomerAdded', 7, undefined, 'Customer Added', 'Customer seven'],
	['FlagId', 7, undefined, 'Flag', 'WoActionReasonLookup seven'],
	['InitialReasonID', 7, undefined, 'Initial Reason', 'WoActionReasonLookup seven'],
	['InvoiceId', 7, undefined, 'Invoice', 'Invoice seven'],
	['InvoiceId', 8, undefined, 'Invoice', '8'],
])('a detail names the record that it refers to: %s %s %s', (type, id, text, label, name) => {
	expect(inWords(type, id, text)).toEqual({ TypeId: type, Type: label, Value: name, Id: id });
});

it.each([
	['AssignmentAdded', 7, 'Mary Jones', 'Assignment Added', 'Mary Jones'],
	['ItemAdded', 0, 'Replace the filter', 'Item Added', 'Replace the filter'],
	['ItemAdded', 12, undefined, 'Item Added', '12'],
	['PrevWoStatus', 6, undefined, 'Previous Work Order Status', 'In Progress'],
	['PrevWoStatus', 0, 'InProgress', 'Previous Work Order Status', 'In Progress'],
	['PrevWoStatus', null, 'Awaiting', 'Previous Work Order Status', 'Awaiting'],
	['Rating', 4, undefined, 'Rating', 'Positive'],
	['CostStatusId', 0, undefined, 'Cost Status ID', '0'],
	['RequestorCustomerId', 7, undefined, 'Requestor Customer ID', '7'],
	['ApptWindowStart', 0, '2026-03-01T08:00:00', 'Appointment Window Start', '2026-03-01T08:00:00'],
	['SomethingNew', undefined, undefined, 'Something New', null],
])(
	'a detail without a record to name shows its value: %s %s %s',
	(type, int, text, label, value) => {
		expect(inWords(type, int, text)).toEqual({ TypeId: type, Type: label, Value: value });
	},
);

it.each([
	[
		{ TypeId: 'AssignmentAdded', ValueInt: 7 },
		{ entity: 'Employee', id: 7 },
	],
	[{ TypeId: 'AssignmentAdded', ValueInt: 7, ValueStr: 'Mary Jones' }, undefined],
	[{ TypeId: 'AssignmentAdded', ValueInt: 0 }, undefined],
	[{ TypeId: 'RequestorWorkZoneId', ValueInt: 7 }, undefined],
])(
	'a name is looked up only for a record of this Company that has none: %j',
	(detail, expected) => {
		expect(findSubject(detail)).toEqual(expected);
	},
);

it.each([
	[{ ValueInt: 1 }, 'Open'],
	[{ ValueInt: '6' }, 'InProgress'],
	[{ ValueInt: 0, ValueStr: 'OnHold' }, 'OnHold'],
	[{ ValueInt: 0, ValueStr: ' on hold ' }, 'OnHold'],
	[{ ValueStr: '7' }, 'Completed'],
	[{ ValueInt: 2, ValueStr: 'New' }, 'New'],
	[{ ValueInt: 2, ValueStr: 'of yesterday' }, 'Paused'],
	[{ ValueInt: 0 }, undefined],
	[{ ValueInt: 8 }, undefined],
	[{ ValueStr: 'Unknown' }, undefined],
	[{}, undefined],
])('the previous status is read from its name or its position: %j', (detail, status) => {
	expect(getPreviousStatus({ TypeId: 'PrevWoStatus', ...detail })).toBe(status);
});
