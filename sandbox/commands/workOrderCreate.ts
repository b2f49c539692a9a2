import { toAnswer } from '../base/operations';
import { createRecord } from '../base/write';
import { failBusinessLogic, term } from '../errors';
import { withUtcDates } from '../base/entityRules';
import type { Stamp } from '../runtime/clock';
import { toLocalTime } from '../runtime/times';
import type { World } from '../runtime/world';
import { typeOf } from '../schema';
import type { Row, Values } from '../store/store';
import type { Arguments, Handler } from './command';
import { logAction } from '../base/actionLog';
import { recordAction, replaceAssignments, requireOrder } from './workOrderActions';

const MINUTE = 60_000;
/** Dates that a caller may set; a date that was sent overrides the computed one. */
const LOCAL_DATES = ['DtScheduledStart', 'DtDue', 'DtAcknowledgeBy', 'DtOnSiteBy'];
/** Members that are stored as they are sent. */
const KEPT = ['Duration', 'IsWarranty', 'VendorNte'];
const UNKNOWN = 'Unknown';

const failRequired = (words: string): never =>
	failBusinessLogic(`${term(words)} is a required field`);

interface Item {
	asset: Row;
	task: Row;
	comment?: string;
}

function readItems(world: World, order: Arguments): Item[] {
	const items = order.objects('Items').map((item) => ({
		asset: item.reference('Asset', 'Location', world) ?? failRequired('Asset'),
		task: item.reference('Task', 'Task', world) ?? failRequired('Task'),
		comment: item.text('Comment', 3096),
	}));
	return items.length > 0 ? items : failRequired('Item');
}

/** Order numbers are the prefix of the work zone and a running number with leading zeros. */
function nextNumber(world: World, zone: Row): string {
	const next = Number(zone.$lastNumber ?? 0) + 1;
	zone.$lastNumber = next;
	return `${String(zone.WoNumberPrefix)}${String(next).padStart(Number(zone.WoNumberDigits), '0')}`;
}

function chooseZone(world: World, order: Arguments, customer: Row | undefined): Row {
	const own = order.reference('WorkZone', 'WorkZone', world);
	const inherited = world.store.get('WorkZone', Number((customer?.WorkZone as Row)?.Id ?? 0));
	return own ?? inherited ?? failRequired('Work Zone');
}

const toReference = (row: Row | undefined): { Id: number } | undefined => row && { Id: row.Id };

function orderMembers(world: World, args: Arguments, items: Item[], stamp: Stamp): Values {
	const category = args.enum('TypeCategory', 'WOType') ?? UNKNOWN;
	if (category === UNKNOWN) failBusinessLogic('TypeCategory is a required field');
	const subType = args.reference('SubType', 'WorkOrderType', world) ?? failRequired('Sub Type');
	const customer = args.reference('Customer', 'Customer', world);
	if (!customer && category === 'Request') failRequired('Customer');
	const zone = chooseZone(world, args, customer);
	const contact = args.reference('RequestorContact', 'Contact', world);
	const [{ asset, task }] = items;
	const requested = args.reference('Priority', 'WoPriority', world);
	const priority = (task.Priority as Row | undefined) ?? requested;
	const TimeZone = Number(zone.TimeZone ?? 0);
	return {
		TypeCategory: category,
		StatusId: 'New',
		SubType: toReference(subType),
		Customer: toReference(customer),
		RequestorContact: toReference(contact),
		ContactName: args.text('ContactName', 256) ?? contact?.DisplayAs,
		Priority: toReference(priority),
		Specialty: toReference(
			args.reference('Specialty', 'Specialty', world) ?? (task.Specialty as Row | undefined),
		),
		WorkZone: { Id: zone.Id },
		MainAsset: { Id: asset.Id },
		ShortLocation: asset.Name,
		TaskRefinement: task.DisplayAs,
		PoNumber: args.text('PoNumber'),
		Access: args.enum('Access', 'PTEType') ?? 'NotApplicable',
		CurrencyTypeId: zone.CurrencyTypeId ?? 'USD',
		InductionAndSafetyStatusID: 'NotRequired',
		Duration: task.CompletionTime ?? 0,
		TimeZone,
		DtCreated: stamp.local(TimeZone),
		CreatedDateUtc: stamp.utc,
		...Object.fromEntries(
			KEPT.filter((name) => args.has(name)).map((name) => [name, args.get(name)]),
		),
	};
}

function scheduleDates(
	world: World,
	order: Row,
	args: Arguments,
	compute: boolean,
	now: number,
): Values {
	const zone = Number(order.TimeZone);
	const sent = withUtcDates(
		Object.fromEntries(
			LOCAL_DATES.flatMap((name) => {
				const clock = args.clock(name);
				return clock === undefined ? [] : [[name, clock]];
			}),
		),
		zone,
	);
	if (!compute) return sent;
	const priority = world.store.get('WoPriority', Number((order.Priority as Row)?.Id ?? 0));
	const after = (minutes: unknown): number => now + Number(minutes ?? 0) * MINUTE;
	const acknowledge = after(priority?.AcknowledgeInMinutes);
	const due = after(priority?.DueInMinutes);
	return {
		DtAcknowledgeBy: toLocalTime(acknowledge, zone),
		AcknowledgeByUtc: new Date(acknowledge).toISOString(),
		DtDue: toLocalTime(due, zone),
		DueDateUtc: new Date(due).toISOString(),
		...sent,
	};
}

/** Prefers an employee of the work zone who has the specialty. */
function autoAssignee(world: World, order: Row): number | undefined {
	const zone = Number((order.WorkZone as Row).Id);
	const people = world.store
		.children('LinkUserAndWorkZone', 'WorkZoneId', zone)
		.map(({ UserId }) => Number(UserId));
	const skilled = world.store
		.children('LinkUserAndSpecialty', 'SpecialtyId', (order.Specialty as Row | undefined)?.Id)
		.map(({ UserId }) => Number(UserId));
	return people.find((id) => skilled.includes(id)) ?? people[0];
}

function wantedAssignee(world: World, order: Row, args: Arguments): number | undefined {
	if (args.bool('KeepUnassigned')) return undefined;
	if (args.bool('ComputeAssignment')) return autoAssignee(world, order);
	return args.optionalId('EmployeeId', 'Employee', world)?.Id;
}

function insertOrder(world: World, members: Values, externalNumber?: string): Row {
	const order = world.store.insert('WorkOrder', members);
	world.store.insert('WorkOrderCost', {
		Id: order.Id,
		CurrencyTypeId: members.CurrencyTypeId,
		ApStatusId: 1,
		ApStateId: 'None',
		CostStatusId: 1,
		CostState: 'Pending',
		ChargeCode: { Id: 1 },
	});
	world.store.insert('WoLastAction', {
		Id: order.Id,
		WorkOrderId: order.Id,
		BillStatus: 'NotBilled',
		XNumber: externalNumber,
	});
	return order;
}

function insertItems(world: World, order: Row, items: readonly Item[]): void {
	for (const [index, { asset, task, comment }] of items.entries()) {
		world.store.insert('WoItem', {
			WorkOrderId: order.Id,
			SortOrderIdx: index + 1,
			Asset: { Id: asset.Id },
			Task: { Id: task.Id },
			Comment: comment,
		});
	}
}

/** Notes, documents, custom fields and the contact address are sent inside the order. */
function insertParts(world: World, order: Row, args: Arguments): void {
	for (const note of args.objects('Notes')) {
		createRecord(world, typeOf('WoNote'), note.members, { WorkOrderId: order.Id });
	}
	for (const document of args.objects('Documents')) {
		const owner = { ActorId: order.Id, ActorTypeId: 'WO' };
		createRecord(world, typeOf('Document'), document.members, owner);
	}
	for (const value of args.objects('CustomFields')) {
		createRecord(world, typeOf('CustomField2'), value.members, {
			ObjectId: order.Id,
			ObjectTypeId: 'WO',
		});
	}
	const address = args.object('ContactAddress');
	if (!address) return;
	const owner = { ActorId: order.Id, ActorTypeId: 'WO' };
	const { Id } = createRecord(world, typeOf('ContactInfo'), address.members, owner);
	world.store.change('WorkOrder', order.Id, { ContactAddress: { Id } });
}

export const create: Handler = (world, args) => {
	const sent = args.object('WorkOrder') ?? failRequired('Work Order');
	const external = args.text('ExternalNumber', 256);
	const comment = args.text('Comment');
	const backDate = args.clock('ActionDate');
	const items = readItems(world, sent);
	const stamp = world.clock.stamp();
	const members = orderMembers(world, sent, items, stamp);
	const zone = world.store.existing('WorkZone', (members.WorkZone as Row).Id);
	const order = insertOrder(world, { Number: nextNumber(world, zone), ...members }, external);
	insertItems(world, order, items);
	insertParts(world, order, sent);
	const dates = scheduleDates(world, order, sent, args.bool('ComputeSchedule'), stamp.time);
	world.store.change('WorkOrder', order.Id, dates);
	logAction(world, order, { TypeId: 'Create', Comment: comment, backDate }, stamp);
	const assignee = wantedAssignee(world, order, args);
	if (assignee !== undefined) {
		const changes = replaceAssignments(world, order, [assignee], 'Primary');
		world.store.change('WorkOrder', order.Id, changes);
		const details = { AssignmentAdded: assignee };
		logAction(world, order, { TypeId: 'Assign', ObjectId: assignee, details });
	}
	return { Wo: toAnswer(world, 'WorkOrder', order, ['*', 'Items.*']) };
};

/** The order as it would be created; nothing is stored. */
export const schedule: Handler = (world, args) => {
	const sent = args.object('WorkOrder') ?? failRequired('Work Order');
	const stamp = world.clock.stamp();
	const order = { Id: 0, ...orderMembers(world, sent, readItems(world, sent), stamp) };
	const dates = scheduleDates(world, order, sent, true, stamp.time);
	return {
		Wo: toAnswer(world, 'WorkOrder', { ...order, ...dates }),
		UpdatedPropertySet: { Properties: Object.keys(dates) },
	};
};

const NOT_COPIED = ['Id', 'ConcurrencyId', 'CompletionNote', 'RepairCode', 'Employee', '$modified'];

const copyableMembers = (row: Row): Values =>
	Object.fromEntries(Object.entries(row).filter(([name]) => !NOT_COPIED.includes(name)));

/** A new order like another one, without its items. A work zone can assign its new orders itself. */
export function copyOrder(world: World, source: Row, changes: Values): Row {
	const zone = world.store.existing('WorkZone', Number((source.WorkZone as Row).Id));
	const stamp = world.clock.stamp();
	const order = insertOrder(world, {
		...copyableMembers(source),
		Number: nextNumber(world, zone),
		StatusId: 'New',
		FlagId: 0,
		Flag: undefined,
		WonId: 0,
		DtCreated: stamp.local(Number(source.TimeZone)),
		CreatedDateUtc: stamp.utc,
		...changes,
	});
	const assignee = zone.AutoAssignEnabled === true ? autoAssignee(world, order) : undefined;
	if (assignee === undefined) return order;
	const assigned = replaceAssignments(world, order, [assignee], 'Primary');
	return world.store.change('WorkOrder', order.Id, assigned);
}

export const copy: Handler = (world, args) => {
	const source = requireOrder(world, args);
	const order = copyOrder(world, source, {});
	for (const item of world.store.children('WoItem', 'WorkOrderId', source.Id)) {
		world.store.insert('WoItem', { ...copyableMembers(item), WorkOrderId: order.Id });
	}
	return recordAction(world, order, args, { action: 'Create' });
};
