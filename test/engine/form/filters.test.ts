/**
 * Every filter of every entity, through the engine: the rows that it returns are those that a plain
 * comparison finds. The last test fails when a filter of the table has no case here.
 */
import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { getEntity } from '../../../nodes/Corrigo/catalogue/entities';
import { findLocalPath, isDay } from '../../../nodes/Corrigo/catalogue/times';
import { filters } from '../../../nodes/Corrigo/form/filters';
import { subjects } from '../../../nodes/Corrigo/form/subjects';
import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import type { Row } from '../../../sandbox';
import { cases as casesOf } from '../../cases';
import {
	byId,
	byName,
	connectEngine,
	idsOf,
	itemsOf,
	jsonOf,
	shareCompany,
} from '../../support/company';

const company = shareCompany({ workOrders: 60 });
const { n8n, records, requests } = company;

const idIn = (reference: unknown) => (reference as IDataObject | undefined)?.Id;
const findResource = (entity: string) =>
	Object.entries(subjects).find(([, subject]) => 'entity' in subject && subject.entity === entity);

interface Case {
	/** Evaluated for each test, because the data is reset. */
	value: () => unknown;
	fits: (row: Row, value: never) => unknown;
	/** Changes the data so that some rows match and others do not. */
	arrange?: () => void;
}

/** Skips the first record, to which much of the data refers. */
const findOther = (entity: string) => ({ Id: records.idsWhere(entity, ({ Id }) => Id > 1)[0] });

const chosenId = (value: { value: number }) => Number(value.value);

const record = (
	entity: string,
	fits: (row: Row, id: number) => unknown,
	arrange?: () => void,
): Case => ({
	value: () => byId(findOther(entity).Id),
	fits: (row, value) => fits(row, chosenId(value)),
	arrange,
});

const refers = (entity: string, member: string, arrange?: () => void) =>
	record(entity, (row, id) => idIn(row[member]) === id, arrange);

const holds = (entity: string, member: string, arrange?: () => void) =>
	record(entity, (row, id) => row[member] === id, arrange);

/** A text in a member, or in what a function finds. */
const text = (
	value: string,
	place: string | ((row: Row) => unknown),
	arrange?: () => void,
): Case => ({
	value: () => value,
	fits: (row) =>
		String((typeof place === 'string' ? row[place] : place(row)) ?? '').includes(value),
	arrange,
});

/** A part of the text that a row of the entity has. */
const part = (entity: string, member: string, ...place: [start: number, end?: number]): Case => ({
	value: () => String(records.rows(entity)[0][member]).slice(...place),
	fits: (row, value: string) => String(row[member]).includes(value),
});

const members = (member: string, values: string[], arrange?: () => void): Case => ({
	value: () => values,
	fits: (row) => values.includes(String(row[member])),
	arrange,
});

/** The record that the first row of the entity refers to. */
const first = (entity: string, idOf: (row: Row) => unknown, arrange?: () => void): Case => ({
	value: () => byId(idOf(records.rows(entity)[0])),
	fits: (row, value) => idOf(row) === chosenId(value),
	arrange,
});

/** Some orders have an estimate or a quote with another status, most have none. */
const offered = (entity: string, orderMember: string): Case => ({
	value: () => ['Approved', 'Requested'],
	fits: ({ Id }) =>
		records
			.children(entity, orderMember, Id)
			.some(({ StatusId }) => StatusId === 'Approved' || StatusId === 'Requested'),
	arrange: changing(entity, 0, { StatusId: 'Rejected' }),
});

/** Rows in which a switch is on, or which fit. */
const yesNo = (
	place: string | ((row: Row) => unknown),
	arrange?: () => void,
): Record<'yes' | 'no', Case> => {
	const fits = (row: Row) => (typeof place === 'string' ? row[place] === true : place(row));
	return {
		yes: { value: () => true, fits, arrange },
		no: { value: () => false, fits: (row) => !fits(row), arrange },
	};
};

const isInvoiced = ({ ApStateId }: Row) => ApStateId !== 'None';

/** The value of an attribute that was added last; empty if there is none. */
const newest = (asset: unknown, name: string) =>
	String(
		records
			.children('AssetAttribute', 'AssetId', asset)
			.filter(
				({ Descriptor }) =>
					idIn(Descriptor) === records.find('AttributeDescriptor', { Name: name }).Id,
			)
			.at(-1)?.Value ?? '',
	);

function change(entity: string, index: number, values: IDataObject) {
	const rows = records.rows(entity);
	if (index >= rows.length) throw new Error(`sandbox/seed needs ${index + 1} records of ${entity}`);
	return records.change(entity, rows[index].Id, values);
}

const changing =
	(...given: Parameters<typeof change>) =>
	() =>
		void change(...given);

/** Switches a member on in one row, and off in the others. */
const switching = (entity: string, member: string, on: number) => () =>
	records.rows(entity).forEach((_, index) => change(entity, index, { [member]: index === on }));

const DAY = 24 * 60 * 60_000;
const utc = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 19);
const readTime = (row: Row, member: string) => String(row[member] ?? '').slice(0, 19);

const ZONE = 'America/New_York';
const ZONE_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE });

/** The first second of a month, or the last one before it; n8n's default zone decides which month it is. */
const monthStart = (offset: number, seconds = 0) => {
	const [year, month] = ZONE_DAY.format().split('-').map(Number);
	const start = Date.UTC(year, month - 1 + offset, 1, 0, 0, seconds);
	return new Date(start).toISOString().slice(0, 19);
};

/** Times whose clock is not known count as UTC. */
const toStored = (entity: string, member: string, local: string) =>
	findLocalPath(entity, member) === undefined && !isDay(entity, member)
		? DateTime.fromISO(local, { zone: ZONE }).toUTC().toFormat("yyyy-MM-dd'T'HH:mm:ss")
		: local;

const dates = (values: IDataObject) => ({ values });

/** Each of these dates is stored in another way and tried with all comparisons, any other date with three. */
const EACH_WAY = ['due', 'invoiced', 'started', 'updated'];

/** The filter of a date, on three rows with known times. Some times have a second member in UTC. */
const dateFilter = (entity: string, date: string, local: string, inUtc = local) => {
	// A local time that has none in UTC is compared with local times only.
	const zone = inUtc === local && findLocalPath(entity, local) !== undefined ? '' : 'Z';
	const store = (time: string) => toStored(entity, local, time);
	const arrange = () =>
		[1, 5, 400].forEach((days, index) =>
			change(entity, index, { [inUtc]: utc(days), [local]: utc(days) }),
		);
	const all: Record<string, Case> = {
		[`dates (${date} after)`]: {
			arrange,
			value: () => dates({ date, when: 'after', time: `${utc(6)}${zone}` }),
			fits: (row: Row) => readTime(row, inUtc) >= utc(6),
		},
		[`dates (${date} after, local)`]: {
			arrange,
			value: () => dates({ date, when: 'after', time: utc(6) }),
			fits: (row: Row) => readTime(row, local) >= utc(6),
		},
		[`dates (${date} before)`]: {
			arrange: () => {
				arrange();
				// The value that the service stores for an unset date.
				change(entity, 3, { [inUtc]: '1753-01-01T00:00:00' });
				change(entity, records.rows(entity).length - 1, { [inUtc]: utc(1) });
			},
			value: () => dates({ date, when: 'before', time: `${utc(6)}${zone}` }),
			fits: (row: Row) => readTime(row, inUtc) < utc(6) && readTime(row, inUtc) > '1900',
		},
		[`dates (${date} between)`]: {
			arrange,
			value: () =>
				dates({ date, when: 'between', time: `${utc(6)}${zone}`, until: `${utc(2)}${zone}` }),
			fits: (row: Row) => readTime(row, inUtc) >= utc(6) && readTime(row, inUtc) < utc(2),
		},
		[`dates (${date} in the last days)`]: {
			arrange,
			value: () => dates({ date, when: 'lastDays', days: 3 }),
			fits: (row: Row) => readTime(row, inUtc) >= utc(3) && readTime(row, inUtc) <= utc(0),
		},
		[`dates (${date} in the next days)`]: {
			arrange: () =>
				// Two days ago is no "today" in any zone.
				[2, -1, -5].forEach((days, index) => change(entity, index, { [inUtc]: utc(days) })),
			value: () => dates({ date, when: 'nextDays', days: 3 }),
			fits: (row: Row) => readTime(row, inUtc) >= utc(0) && readTime(row, inUtc) <= utc(-3),
		},
		...Object.fromEntries(
			['lastMonth', 'thisMonth'].map((when, index): [string, Case] => [
				`dates (${date} ${when})`,
				{
					arrange: () =>
						[monthStart(-1, -1), monthStart(0, -1), monthStart(0), monthStart(1)].forEach(
							(time, row) => change(entity, row, { [local]: store(time) }),
						),
					value: () => dates({ date, when }),
					fits: (row: Row) =>
						readTime(row, local) >= store(monthStart(index - 1)) &&
						readTime(row, local) < store(monthStart(index)),
				},
			]),
		),
	};
	const count = EACH_WAY.includes(date) ? 8 : 3;
	return Object.fromEntries(Object.entries(all).slice(0, casesOf(count, 8)));
};

const items = (order: Row) => records.children('WoItem', 'WorkOrderId', order.Id);

const isInside = ({ Asset }: Row, order: Row) => {
	const inside = records
		.children('AssetTree', 'ParentId', Number(idIn(Asset)))
		.map(({ ChildId }) => ChildId);
	return items(order).some((item) => inside.includes(Number(idIn(item.Asset))));
};
const holdsThird = (space: Row) => isInside(space, records.rows('WorkOrder')[3]);

const isOpen = ({ StatusId }: Row) => !['Completed', 'Cancelled'].includes(String(StatusId));

const findAddress = (kind: string, row: Row) =>
	records
		.rows('ContactInfo')
		.filter(({ ActorTypeId, ActorId }) => ActorTypeId === kind && ActorId === row.Id)
		.map(({ Address }) => Address)
		.join();

const linked = (link: string, owner: string, other: string, entity: string) =>
	record(
		entity,
		(row, id) => records.rows(link).some((one) => one[owner] === row.Id && one[other] === id),
		() => {
			const [{ Id }] = records.rows('Employee');
			records.insert(link, { [owner]: Id, [other]: findOther(entity).Id });
		},
	);

const cases: Record<string, Record<string, Case | Record<'yes' | 'no', Case>>> = {
	Contact: {
		address: text(
			'@',
			(row) => findAddress('LeaseUser', row),
			() => {
				for (const { Id, ActorId } of records.rows('ContactInfo')) {
					if (Number(ActorId) % 2 === 1) records.change('ContactInfo', Id, { Address: '555' });
				}
				// A contact with two addresses must not be returned twice.
				const [{ Id: ActorId }] = records.rows('Contact');
				for (const AddrTypeId of ['EMail1', 'EMail2']) {
					const Address = `${AddrTypeId}@example.com`;
					records.insert('ContactInfo', { ActorTypeId: 'LeaseUser', ActorId, AddrTypeId, Address });
				}
			},
		),
		customer: holds('Customer', 'CustomerId'),
		name: text('ar', 'DisplayAs'),
		number: text('77', 'Number', changing('Contact', 1, { Number: 'C-4771' })),
		type: members(
			'TypeId',
			['Alternate', 'Primary'],
			changing('Contact', 2, { TypeId: 'Unknown' }),
		),
	},
	Customer: {
		name: text('er', 'DisplayAs'),
		tenantCode: text('T100', 'TenantCode', changing('Customer', 0, { TenantCode: 'X' })),
		workZone: refers('WorkZone', 'WorkZone'),
	},
	Document: {
		public: yesNo('IsPublic', addDocuments),
		title: text('[1]', 'Title', addDocuments),
		type: refers('DocumentType', 'DocType', addDocuments),
		...withArranged(dateFilter('Document', 'updated', 'UpdatedDate'), addDocuments),
	},
	Employee: {
		active: yesNo(
			({ IsRemoved }) => IsRemoved !== true,
			changing('Employee', 3, { IsRemoved: true }),
		),
		address: text(
			'@',
			(row) => findAddress(String(row.ActorTypeId), row),
			() => {
				const { ActorTypeId, Id: ActorId } = records.rows('Employee')[2];
				const address = { AddrTypeId: 'EMail1', Address: 'one@example.com' };
				records.insert('ContactInfo', { ActorTypeId, ActorId, ...address });
			},
		),
		kind: members('ActorTypeId', ['Provider']),
		name: text('an', 'DisplayAs'),
		number: text('88', 'Number', changing('Employee', 1, { Number: 'E-4881' })),
		role: refers('Role', 'Role'),
		specialty: linked('LinkUserAndSpecialty', 'UserId', 'SpecialtyId', 'Specialty'),
		team: linked('LinkUserAndTeam', 'UserId', 'TeamId', 'Team'),
		workZone: linked('LinkUserAndWorkZone', 'UserId', 'WorkZoneId', 'WorkZone'),
	},
	FinancialItem: {
		category: members('CostCategoryId', ['Material', 'Services']),
		comment: text('site', 'Comment'),
		employee: refers('Employee', 'Employee', () =>
			change('FinancialItem', 1, { Employee: findOther('Employee') }),
		),
		type: members('TypeId', ['Vendor'], changing('FinancialItem', 2, { TypeId: 'Vendor' })),
		...dateFilter('FinancialItem', 'started', 'StartDate'),
	},
	Location: {
		...Object.fromEntries(
			(
				[
					['Manufacturer', 'is', 'maker 3', (value) => value === 'Maker 3'],
					['Manufacturer', 'contains', 'er 2', (value) => value.includes('er 2')],
					['Installed', 'atMost', '2014-05-01', (value) => value !== '' && value <= '2014-05-01'],
					['Criticality', 'is', 'high', (value) => value === 'High'],
					['Replacement Cost', 'atLeast', '1500.5', (value) => Number(value) >= 1500.5],
					// Texts have another order: 99 comes after 130.
					['Run Hours', 'atLeast', '130', (value) => Number(value) >= 130],
				] satisfies Array<[string, string, string, (value: string) => boolean]>
			).map(([name, comparison, attributeValue, fits]): [string, Case] => [
				`attributes (${name} ${comparison})`,
				{
					value: () => ({ values: [{ attribute: byName(name), comparison, attributeValue }] }),
					fits: ({ Id }) => fits(newest(Id, name)),
				},
			]),
		),
		name: text('Suite', 'Name'),
		offline: yesNo('IsOffline', switching('Location', 'IsOffline', 4)),
		serialNumber: text(
			'SN-9',
			(row) => getInfo(row)?.SerialNumber,
			changing('AssetInfo', 0, { SerialNumber: 'SN-9' }),
		),
		tag: text('TAG-9', (row) => getInfo(row)?.TagId, changing('AssetInfo', 0, { TagId: 'TAG-9' })),
		type: members('TypeId', ['Unit', 'Building']),
	},
	Note: {
		resolved: yesNo('IsResolved', switching('Note', 'IsResolved', 2)),
		text: text('late', 'NoteText', changing('Note', 0, { NoteText: 'Pays late' })),
		type: refers('CustomerNoteType', 'NoteTypeLookup', () =>
			change('Note', 0, { NoteTypeLookup: findOther('CustomerNoteType') }),
		),
		...dateFilter('Note', 'created', 'CreatedAt'),
	},
	ProviderCoi: {
		...dateFilter('ProviderCoi', 'expires', 'EndDate'),
		provider: first('ProviderCoi', ({ EmployeeId }) => EmployeeId),
	},
	ReplenishmentOrder: {
		exported: yesNo('IsExported'),
		status: members('StatusId', ['Pending', 'Partial']),
		supplier: first('ReplenishmentOrder', ({ Supplier }) => idIn(Supplier)),
	},
	Space: {
		customer: holds('Customer', 'CustomerId'),
		name: text('Suite 10', ({ Asset }) => records.get('Location', Number(idIn(Asset))).Name),
		status: members(
			'StatusId',
			['Current', 'Pending'],
			changing('Space', 0, { StatusId: 'Historical' }),
		),
		workZone: refers('WorkZone', 'WorkZone'),
	},
	TimeCardItem: {
		employee: first(
			'TimeCardItem',
			({ Employee }) => idIn(Employee),
			() => change('TimeCardItem', 1, { Employee: findOther('Employee') }),
		),
		...Object.fromEntries(
			['2026-01-04', '2026-01-10T23:00:00', '2026-01-11'].map((value, day): [string, Case] => [
				`week (${value})`,
				{
					arrange: () =>
						['2025-12-28', '2026-01-04', '2026-01-11'].forEach((start, index) =>
							change('TimeCardItem', index, { WeekStartDate: `${start}T05:00:00` }),
						),
					value: () => value,
					fits: ({ WeekStartDate }) =>
						String(WeekStartDate).startsWith(day < 2 ? '2026-01-04' : '2026-01-11'),
				},
			]),
		),
	},
	WoNote: {
		body: text('ladder', 'Body', addNotes),
		type: members('NoteTypeId', ['Private', 'Completion'], addNotes),
		...withArranged(dateFilter('WoNote', 'created', 'CreatedDate'), addNotes),
	},
	WorkOrder: {
		asset: {
			value: () => byId(idIn(items(records.rows('WorkOrder')[3])[0].Asset)),
			fits: (order, value) => items(order).some(({ Asset }) => idIn(Asset) === chosenId(value)),
			arrange: addItem,
		},
		assignee: record(
			'Employee',
			(order, id) =>
				records
					.children('WoAssignment', 'WorkOrderId', order.Id)
					.some(({ EmployeeId }) => EmployeeId === id),
			() =>
				records.insert('WoAssignment', {
					WorkOrderId: records.rows('WorkOrder')[5].Id,
					EmployeeId: findOther('Employee').Id,
					IsPrimary: false,
				}),
		),
		comment: {
			value: () => String(items(records.rows('WorkOrder')[2])[0].Comment).slice(2, 9),
			fits: (order, value: string) =>
				items(order).some(({ Comment }) => String(Comment).includes(value)),
			arrange: addItem,
		},
		contact: part('WorkOrder', 'ContactName', 1, 6),
		customer: refers('Customer', 'Customer'),
		estimateStatus: offered('WoEstimate', 'WorkOrderId'),
		externalNumber: {
			value: () => ' ext-10, EXT-30,none ',
			fits: ({ Id }) =>
				['EXT-10', 'EXT-30'].includes(
					String(company.sandbox.store.get('WoLastAction', Id)?.XNumber),
				),
		},
		emergency: yesNo(({ Priority }) =>
			records
				.rows('WoPriority')
				.some(({ Id, IsEmergency }) => IsEmergency === true && Id === idIn(Priority)),
		),
		flagged: yesNo(
			({ FlagId }) => Number(FlagId ?? 0) > 0,
			() => {
				change('WorkOrder', 0, { FlagId: 0 });
				change('WorkOrder', 1, { FlagId: 5 });
			},
		),
		location: part('WorkOrder', 'ShortLocation', 0),
		number: part('WorkOrder', 'Number', 2),
		open: yesNo(isOpen),
		overdue: yesNo(
			(order) =>
				isOpen(order) &&
				readTime(order, 'DueDateUtc') < utc(0) &&
				readTime(order, 'DueDateUtc') > '1900',
			() => {
				const open = records.rows('WorkOrder').filter(isOpen);
				const due = [utc(1), utc(-1), '1753-01-01T00:00:00', undefined];
				due.forEach((DueDateUtc, index) =>
					records.change('WorkOrder', open[index].Id, { DueDateUtc }),
				);
			},
		),
		poNumber: text('O-1', 'PoNumber'),
		priority: refers('WoPriority', 'Priority'),
		quoteStatus: offered('WoQuote', 'WoId'),
		space: {
			value: () => byId((records.rows('Space').find(holdsThird) as Row).Id),
			fits: (order, value) => isInside(records.get('Space', chosenId(value)), order),
			arrange: addItem,
		},
		specialty: refers('Specialty', 'Specialty'),
		status: members('StatusId', ['New', 'OnHold']),
		subType: refers('WorkOrderType', 'SubType', () =>
			change('WorkOrder', 4, { SubType: findOther('WorkOrderType') }),
		),
		workZone: refers('WorkZone', 'WorkZone'),
		...dateFilter('WorkOrder', 'changed', 'LastActionDate', 'LastActionDateUtc'),
		...dateFilter('WorkOrder', 'created', 'DtCreated', 'CreatedDateUtc'),
		...dateFilter('WorkOrder', 'onSiteBy', 'DtOnSiteBy', 'DtUtcOnSiteBy'),
		...dateFilter('WorkOrder', 'due', 'DtDue', 'DueDateUtc'),
		...dateFilter('WorkOrder', 'scheduled', 'DtScheduledStart', 'ScheduledStartUtc'),
	},
	WorkOrderCost: {
		apState: members('ApStateId', ['Received', 'Paid']),
		apStatus: holds('ApInvoiceStatus', 'ApStatusId', () =>
			change('WorkOrderCost', 1, { ApStatusId: findOther('ApInvoiceStatus').Id }),
		),
		costState: members(
			'CostState',
			['Approved', 'Exported'],
			changing('WorkOrderCost', 2, { CostState: 'Approved' }),
		),
		costStatus: holds('InternalCostStatus', 'CostStatusId', () =>
			change('WorkOrderCost', 1, { CostStatusId: findOther('InternalCostStatus').Id }),
		),
		hasInvoice: {
			yes: { value: () => 'yes', fits: isInvoiced },
			no: { value: () => 'no', fits: (row) => !isInvoiced(row) },
		},
		number: text('INV-77', 'Number', changing('WorkOrderCost', 0, { Number: 'INV-77' })),
		vendor: {
			value: () => byId(assignProvider()),
			fits: ({ Id }, value) =>
				records
					.children('WoAssignment', 'WorkOrderId', Id)
					.some(({ EmployeeId }) => EmployeeId === chosenId(value)),
		},
		workOrder: record('WorkOrder', ({ Id }, id) => Id === id),
		...dateFilter('WorkOrderCost', 'invoiced', 'VendorInvoiceDate'),
		...dateFilter('WorkOrderCost', 'received', 'VendorInvoiceReceivedDate'),
		...dateFilter('WorkOrderCost', 'checkCut', 'CheckCutDate'),
	},
	WorkZone: {
		name: part('WorkZone', 'DisplayAs', 1),
		number: text('101', 'Number'),
		offline: yesNo('IsOffline', changing('WorkZone', 1, { IsOffline: true })),
	},
};

function withArranged(some: Record<string, Case>, first: () => void): Record<string, Case> {
	return Object.fromEntries(
		Object.entries(some).map(([name, one]) => [
			name,
			{
				...one,
				arrange: () => {
					first();
					one.arrange?.();
				},
			},
		]),
	);
}

const getInfo = ({ Id }: Row) => company.sandbox.store.get('AssetInfo', Id);

/** Assigns a provider to some orders, next to others. */
function assignProvider() {
	const { Id } = records.find('Employee', { ActorTypeId: 'Provider' });
	for (const order of records.rows('WorkOrder').slice(2, 5)) {
		records.insert('WoAssignment', { WorkOrderId: order.Id, EmployeeId: Id, IsPrimary: false });
	}
	return Id;
}

/** Orders without an invoice are left out unless the filter is about them. */
function receiveInvoices() {
	for (const { Id, ApStateId } of records.rows('WorkOrderCost')) {
		if (ApStateId === 'None') records.change('WorkOrderCost', Id, { ApStateId: 'Received' });
	}
}

/** Adds a second item with the same asset and words, which must not return the order twice. */
function addItem() {
	const [{ WorkOrderId, Asset, Task, Comment }] = items(records.rows('WorkOrder')[3]);
	records.insert('WoItem', { WorkOrderId, Asset, Task, Comment, SortOrderIdx: 2 });
}

function addNotes() {
	const { Id: WorkOrderId } = records.rows('WorkOrder')[0];
	['Bring a ladder', 'Call first', 'Done', 'Paid'].forEach((Body, index) =>
		records.insert('WoNote', {
			WorkOrderId,
			Body,
			NoteTypeId: index === 0 ? 'Private' : 'Public',
			CreatedDate: utc(9),
		}),
	);
}

function addDocuments() {
	for (let index = 0; index < 4; index += 1) {
		records.insert('Document', {
			Title: `Photo [${index}]`,
			ActorTypeId: 'WO',
			ActorId: records.rows('WorkOrder')[0].Id,
			IsPublic: index === 1,
			DocType: { Id: records.rows('DocumentType')[index % 2].Id },
			UpdatedDate: utc(9),
		});
	}
}

const all = Object.entries(cases).flatMap(([entity, ofEntity]) =>
	Object.entries(ofEntity).flatMap(([name, one]) =>
		'fits' in one
			? [{ entity, name, one: one as Case }]
			: Object.entries(one).map(([answer, own]) => ({
					entity,
					name: `${name} (${answer})`,
					one: own as Case,
				})),
	),
);

const getFilter = (name: string) => name.split(' ')[0];

it.each(all)('$entity: $name', async ({ entity, name, one }) => {
	const filter = getFilter(name);
	const hasInvoice = entity === 'WorkOrderCost' && !['apState', 'hasInvoice'].includes(filter);
	if (hasInvoice) receiveInvoices();
	one.arrange?.();
	const value = one.value();
	const [resource = ''] = findResource(entity) ?? [];
	const present = records
		.rows(entity)
		.filter(({ IsRemoved }) => IsRemoved !== true || filter === 'active');
	const expected = present.filter((row) => one.fits(row, value as never)).map(({ Id }) => Id);
	if ([0, present.length].includes(expected.length)) {
		throw new Error(`${expected.length} of ${present.length} records match: add an \`arrange\``);
	}

	const run = await n8n.succeed(`${resource}:getMany`, {
		returnAll: true,
		output: 'selected',
		properties: 'Id',
		...(['customerNote', 'document'].includes(resource) ? { actorTypeId: 'any' } : {}),
		filters: { [filter]: value } as INodeParameters,
	});
	expect(idsOf(jsonOf(run.items))).toEqual(expected);
	const omitsDeleted = getEntity(entity)?.softDelete && filter !== 'active';
	const omitted = [omitsDeleted && 'Deleted', hasInvoice && 'Orders'].filter(Boolean);
	expect(run.hints.map(({ message }) => message.split(' ')[0])).toEqual(omitted);
});

describe('the trigger', () => {
	/** One case of each filter, and one of each way to compare a date. */
	const ofOrders = all.filter(
		({ entity, name }, index) =>
			entity === 'WorkOrder' &&
			(name.startsWith('dates (due') || getFilter(name) !== getFilter(all[index - 1].name)),
	);

	it.each(ofOrders)('has an equal filter: $name', async ({ name, one }) => {
		one.arrange?.();
		const value = one.value();
		const engine = connectEngine(company.sandbox, { corrigoTrigger: CorrigoTrigger });
		const { items: found, error } = await engine.poll('corrigoTrigger', {
			mode: 'manual',
			parameters: {
				event: 'workOrderCreated',
				output: 'raw',
				filters: { [getFilter(name)]: value } as INodeParameters,
			},
		});
		expect(error).toBeUndefined();
		const shown = idsOf(jsonOf(found ?? []));
		const fitting = records.idsWhere('WorkOrder', (row) => one.fits(row, value as never));
		expect(shown).toHaveLength(Math.min(fitting.length, 10));
		expect(fitting).toEqual(expect.arrayContaining(shown));
		expect(fitting).not.toEqual(expect.arrayContaining(records.ids('WorkOrder').slice(-10)));
	});
});

const getMany = async (parameters: object, more: { items?: INodeExecutionData[] } = {}) =>
	await n8n.run('workOrder:getMany', { returnAll: true, properties: 'Id', ...parameters }, more);

describe('filters', () => {
	const listIds = (fits: (row: Row) => boolean) => records.idsWhere('WorkOrder', fits);
	const countOrders = (asset: unknown) =>
		listIds((order) => items(order).some(({ Asset }) => idIn(Asset) === idIn(asset))).length;

	it('are combined with conditions by And, also where one of them is enough', async () => {
		const [{ Customer }] = records.rows('WorkOrder');
		const run = await getMany({
			filters: { open: true, customer: byId(idIn(Customer)) },
			match: 'any',
			conditions: {
				values: [
					{ property: 'StatusId', operator: 'Equal', value: 'New' },
					{ property: 'PoNumber', operator: 'Like', value: 'PO%' },
				],
			},
		});
		expect(idsOf(jsonOf(run.items))).toEqual(
			listIds(
				(row) =>
					isOpen(row) &&
					idIn(row.Customer) === idIn(Customer) &&
					(row.StatusId === 'New' || String(row.PoNumber ?? '').startsWith('PO')),
			),
		);
		expect(requests.sent()).toHaveLength(1);
	});

	it.each([
		['customer', byId(''), "'Customer' is empty"],
		['number', '', "'Number' is empty"],
		['status', [], "'Status' is empty"],
		['status', ['Opened'], /'Status' must be one of .*, but it is "Opened"/],
		['customer', byId('-1'), /'Customer' must be a positive whole number/],
		['dates', dates({ days: 0 }), /'Created In the Last Days' must be a whole number, 1 to/],
		[
			'dates',
			dates({ date: 'due', when: 'before', time: 'soon' }),
			/'Due Before' must be a date and time, but it is "soon"/,
		],
		['dates', dates({ date: 'due', when: 'after' }), "'Due After' is empty"],
		[
			'dates',
			dates({ when: 'between', time: '2026-01-01', until: '' }),
			"'Created Between' is empty",
		],
		[
			'dates',
			dates({ when: 'between', time: '2026-01-02', until: '2026-01-02' }),
			"'Created Between' ends at 2026-01-02T00:00:00, which is not after 2026-01-02T00:00:00",
		],
		['dates', {}, "'Date' is empty"],
		['dates', dates({ date: '={{ "paid" }}' }), /'Date > Which Date' must be one of created, due/],
		['dates', dates({ when: '={{ "near" }}' }), /'Date > When' must be one of after, before/],
		[
			'dates',
			dates({ when: '={{ $json.no }}' }),
			/'Date > When' must be one of .*, but it is empty/,
		],
		['open', 'maybe', /'Open' must be one of true, false/],
	])('are refused before anything is sent: %s is %p', async (name, value, message) => {
		expect(await n8n.refusal(getMany({ filters: { [name]: value } }))).toMatch(message);
	});

	it.each(['[', ' [[ '])(
		'by the text %j alone, which would find every text, are refused',
		async (name) => {
			const { message } = await n8n.refuse('customer:getMany', { filters: { name } });
			expect(message).toBe(
				`'Display Name' is ${JSON.stringify(name)}, which would find every text`,
			);
			expect(requests.sent()).toEqual([]);
		},
	);

	it('by external numbers take a list as well, and ignore blanks around them', async () => {
		const search = async (externalNumber: unknown) =>
			idsOf(jsonOf((await getMany({ filters: { externalNumber } })).items));
		const found = await search('EXT-10, EXT-30');
		expect(found).toHaveLength(2);
		expect(await search([' EXT-10', 'EXT-30 '])).toEqual(found);
		expect(await search('[" EXT-10", "EXT-30 "]')).toEqual(found);
	});

	it('on items give an order once, sorted and without its Id, too', async () => {
		addItem();
		const [item] = items(records.rows('WorkOrder')[3]);
		const run = await getMany({
			filters: { asset: byId(idIn(item.Asset)) },
			properties: 'StatusId',
			sort: { values: [{ property: 'StatusId' }] },
		});
		expect(run.items).toHaveLength(countOrders(item.Asset));
	});

	it('by a space, though deleted, read it once for all items of a run', async () => {
		const { Id } = records.rows('Space').find(holdsThird) as Row;
		records.change('Space', Id, { IsRemoved: true });
		const run = await getMany({ filters: { space: byId(Id) } }, { items: itemsOf(1, 2, 3) });
		expect(run.error).toBeUndefined();
		expect(requests.paths()).toEqual([
			'POST query/Space',
			'POST query/AssetTree',
			...Array<string>(3).fill('POST query/WorkOrder'),
		]);
		const none = await getMany({ filters: { space: byId(99_999) } });
		expect(none.error?.message).toBe("'Space': there is no space with the ID 99999");
	});

	it('by an attribute that no asset has find none', async () => {
		const values = [{ attribute: byName('Manufacturer'), attributeValue: 'Nobody' }];
		const { items } = await n8n.succeed('asset:getMany', { filters: { attributes: { values } } });
		expect(items).toEqual([]);
	});
});

it('the tests have a case for every filter', () => {
	const covered = Object.entries(cases).flatMap(([entity, ofEntity]) =>
		Object.keys(ofEntity).map((name) => `${entity}.${getFilter(name)}`),
	);
	const offered = Object.entries(filters).flatMap(([entity, ofEntity]) =>
		ofEntity.map(({ name }) => `${entity}.${name}`),
	);
	expect([...new Set(covered)].sort()).toEqual(offered.sort());
});
