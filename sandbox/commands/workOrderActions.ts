import { toAnswer } from '../base/operations';
import { failBusinessLogic, conflict, term } from '../errors';
import type { World } from '../runtime/world';
import type { Json } from '../shapes';
import type { Row, Values } from '../store/store';
import { previousStatus, type ActionDetails } from '../base/actionDetails';
import type { Arguments, Handler } from './command';
import { SERVICE_USER } from '../seed/lookups';
import { logAction } from '../base/actionLog';

interface Transition {
	/** The kind of action in the log. */
	action: string;
	from: readonly string[];
	to: string;
	/** The kind of reason that is required. */
	reason?: string;
}

export const TRANSITIONS: Readonly<Record<string, Transition>> = {
	WoPickUpCommand: { action: 'PickUp', from: ['New'], to: 'Open' },
	WoStartCommand: { action: 'Start', from: ['Open', 'Paused'], to: 'InProgress' },
	WoPauseCommand: { action: 'Stop', from: ['InProgress'], to: 'Paused' },
	WoOnHoldCommand: {
		action: 'OnHold',
		from: ['New', 'Open', 'InProgress'],
		to: 'OnHold',
		reason: 'OnHold',
	},
	WoCompleteCommand: { action: 'Complete', from: ['Open', 'InProgress'], to: 'Completed' },
	WoCancelCommand: {
		action: 'Cancel',
		from: ['New', 'Open', 'InProgress', 'Paused', 'OnHold'],
		to: 'Cancelled',
		reason: 'Cancel',
	},
	WoReopenCommand: {
		action: 'Reopen',
		from: ['Paused', 'OnHold', 'Completed', 'Cancelled'],
		to: 'New',
	},
};

const CLOSED: readonly string[] = ['Completed', 'Cancelled'];

/** Fails if status or version of the order are not those that the caller expects. */
export function requireOrder(world: World, args: Arguments): Row {
	const order = args.id('WorkOrderId', 'WorkOrder', world);
	const status = args.enum('StatusId', 'WorkOrderStatus') ?? 'Unknown';
	if (status !== 'Unknown' && status !== order.StatusId) conflict();
	const version = args.int('ConcurrencyId');
	if (version !== 0 && version !== order.ConcurrencyId) conflict();
	return order;
}

function requireReason(world: World, id: number, kind: string): Row {
	const reason = world.store.get('WoActionReasonLookup', id);
	if (!reason || reason.IsRemoved === true || reason.ActionId !== kind) {
		failBusinessLogic(`Reason with Id ${id} cannot be found`);
	}
	return reason;
}

interface PerformedAction {
	action: string;
	changes?: Values;
	reason?: number;
	object?: number;
	details?: ActionDetails;
}

/** Writes the changes of an action and its log entry. */
export function recordAction(
	world: World,
	order: Row,
	args: Arguments,
	done: PerformedAction,
): Json {
	const before = order.StatusId;
	world.store.change('WorkOrder', order.Id, done.changes ?? {});
	logAction(world, order, {
		TypeId: done.action,
		Comment: args.text('Comment'),
		ActionReasonId: done.reason ?? args.int('ActionReasonId'),
		ObjectId: done.object,
		details: {
			...(done.changes?.StatusId === undefined ? {} : previousStatus(before)),
			...done.details,
		},
		backDate: args.clock('ActionDate'),
	});
	return orderAnswer(world, order);
}

const orderAnswer = (world: World, order: Row): Json => ({
	Wo: toAnswer(world, 'WorkOrder', order),
});

function requireTransition(order: Row, { from, to }: Transition): void {
	if (from.includes(String(order.StatusId))) return;
	failBusinessLogic(
		`${term('Work Order')} that is in state '${String(order.StatusId)}' cannot be placed in the state '${to}'`,
	);
}

function completionChanges(world: World, order: Row, args: Arguments): Values {
	const repairCode = args.optionalId('RepairCodeId', 'RepairCode', world);
	const option = args.enum('CompletionNoteOption', 'CompletionNoteOptions') ?? 'Ignore';
	const comment = args.text('Comment');
	return {
		...(repairCode ? { RepairCode: { Id: repairCode.Id } } : {}),
		...(comment && option !== 'Ignore' ? writeCompletionNote(world, order, comment, option) : {}),
	};
}

function writeCompletionNote(world: World, order: Row, Body: string, option: string): Values {
	const note = world.store
		.children('WoNote', 'WorkOrderId', order.Id)
		.find(({ NoteTypeId }) => NoteTypeId === 'Completion');
	if (note && option === 'Replace') world.store.change('WoNote', note.Id, { Body });
	const completionNote =
		note ??
		world.store.insert('WoNote', {
			WorkOrderId: order.Id,
			Body,
			NoteTypeId: 'Completion',
			CreatedDate: world.clock.stamp().utc,
			CreatedBy: SERVICE_USER,
		});
	return { CompletionNote: { Id: completionNote.Id } };
}

const transition =
	(name: string, rule: Transition): Handler =>
	(world, args) => {
		const order = requireOrder(world, args);
		requireTransition(order, rule);
		const id = args.int('ActionReasonId');
		if (rule.reason && id === 0) failBusinessLogic(`status ${rule.to} requires reason`);
		const reason = rule.reason ? requireReason(world, id, rule.reason) : undefined;
		const extra = name === 'WoCompleteCommand' ? completionChanges(world, order, args) : {};
		return recordAction(world, order, args, {
			action: rule.action,
			changes: { StatusId: rule.to, ...extra },
			reason: reason?.Id,
		});
	};

const assign: Handler = (world, args) => {
	const order = requireOrder(world, args);
	const mode = args.enum('Mode', 'ChangeAssignmentMode') ?? 'Primary';
	const people = args.ids('Assignees');
	if (CLOSED.includes(String(order.StatusId))) {
		failBusinessLogic(
			`${term('Work Order')} that is in state '${String(order.StatusId)}' cannot be assigned`,
		);
	}
	if (people.length === 0 && mode !== 'Snapshot')
		failBusinessLogic('Assignees is a required field');
	for (const id of people) requireAssignee(world, id);
	const before = listAssignees(world, order);
	const changes = replaceAssignments(world, order, people, mode);
	const after = listAssignees(world, order);
	return recordAction(world, order, args, {
		action: 'Assign',
		changes,
		object: people[0],
		details: {
			AssignmentAdded: after.filter((id) => !before.includes(id)),
			AssignmentRemoved: before.filter((id) => !after.includes(id)),
		},
	});
};

const listAssignees = (world: World, order: Row): number[] =>
	world.store
		.children('WoAssignment', 'WorkOrderId', order.Id)
		.map(({ EmployeeId }) => Number(EmployeeId));

function requireAssignee(world: World, id: number): void {
	const employee = world.store.get('Employee', id);
	if (!employee || employee.IsRemoved === true) {
		failBusinessLogic(`${term('User')} with Id ${id} cannot be found`);
	}
}

/** Writes the assignment rows, and returns the matching member of the order. */
export function replaceAssignments(
	world: World,
	order: Row,
	people: readonly number[],
	mode: string,
): Values {
	const rows = world.store.children('WoAssignment', 'WorkOrderId', order.Id);
	const primary = rows.find(({ IsPrimary }) => IsPrimary === true)?.EmployeeId;
	const secondary = rows.filter(({ IsPrimary }) => IsPrimary !== true).map((row) => row.EmployeeId);
	const plan: Record<string, [unknown, unknown[]]> = {
		Primary: [people[0], secondary],
		AddSecondary: [primary, [...secondary, ...people]],
		RemoveSecondary: [primary, secondary.filter((id) => !people.includes(Number(id)))],
		Snapshot: [people[0], people.slice(1)],
	};
	const [first, others] = plan[mode];
	for (const { Id } of rows) world.store.remove('WoAssignment', Id);
	for (const id of new Set([first, ...others].filter(Boolean))) {
		world.store.insert('WoAssignment', {
			WorkOrderId: order.Id,
			EmployeeId: id,
			IsPrimary: id === first,
		});
	}
	return { Employee: first ? { Id: first } : undefined };
}

function raiseFlag(world: World, order: Row, reason: Row, comment: string | undefined): void {
	const flagged = world.store
		.children('WoFlag', 'WoId', order.Id)
		.some(({ FlagId }) => FlagId === reason.Id);
	if (flagged) return;
	world.store.insert('WoFlag', {
		WoId: order.Id,
		FlagId: reason.Id,
		Comment: comment,
		UtcStamp: world.clock.stamp().utc,
	});
}

/** An order shows the flag that was raised last. */
function topFlag(world: World, order: Row): Values {
	const top = world.store.children('WoFlag', 'WoId', order.Id).at(-1)?.FlagId;
	return { FlagId: top ?? 0, Flag: top ? { Id: top } : undefined };
}

const flag: Handler = (world, args) => {
	const order = requireOrder(world, args);
	const id = args.int('ActionReasonId');
	if (id === 0) return orderAnswer(world, order);
	const reason = requireReason(world, id, 'Attention');
	raiseFlag(world, order, reason, args.text('Comment'));
	return recordAction(world, order, args, {
		action: 'Attention',
		changes: topFlag(world, order),
		details: { FlagId: reason.Id },
	});
};

const setFlags: Handler = (world, args) => {
	const order = requireOrder(world, args);
	const reasons = args.ids('FlagsToSet').map((id) => requireReason(world, id, 'Attention'));
	if (reasons.length === 0) return orderAnswer(world, order);
	for (const reason of reasons) raiseFlag(world, order, reason, args.text('Comment'));
	return recordAction(world, order, args, {
		action: 'Attention',
		changes: topFlag(world, order),
		reason: reasons.at(-1)?.Id,
		details: { FlagId: reasons.map(({ Id }) => Id) },
	});
};

const clearFlags: Handler = (world, args) => {
	const order = requireOrder(world, args);
	const wanted = args.ids('FlagsToClear');
	const cleared = world.store
		.children('WoFlag', 'WoId', order.Id)
		.filter(({ FlagId }) => wanted.includes(Number(FlagId)));
	if (cleared.length === 0) return orderAnswer(world, order);
	for (const { Id } of cleared) world.store.remove('WoFlag', Id);
	return recordAction(world, order, args, {
		action: 'FlagCleared',
		changes: topFlag(world, order),
		reason: wanted[0],
		details: { FlagId: cleared.map(({ FlagId }) => Number(FlagId)) },
	});
};

/** The assigned provider that is connected to the provider network, if any. */
export function connectedProvider(world: World, order: Row): Row | undefined {
	return world.store
		.children('WoAssignment', 'WorkOrderId', order.Id)
		.map(({ EmployeeId }) => world.store.get('Employee', Number(EmployeeId)))
		.find((employee) => employee?.ProviderStatusId === 'Connected');
}

const recall: Handler = (world, args) => {
	const order = requireOrder(world, args);
	if (!order.WonId || !connectedProvider(world, order)) {
		failBusinessLogic(`${term('Work Order')} was not sent to a connected Service Pro`);
	}
	return recordAction(world, order, args, { action: 'WonWoRecall', changes: { WonId: 0 } });
};

const message: Handler = (world, args) => {
	const order = requireOrder(world, args);
	const provider = connectedProvider(world, order);
	if (!provider) {
		failBusinessLogic(`${term('Work Order')} is not assigned to a connected Service Pro`);
	}
	const details = { MsgAddressedTo: String(provider.DisplayAs) };
	return recordAction(world, order, args, { action: 'Message', details });
};

export const WORK_ORDER_ACTIONS: Readonly<Record<string, Handler>> = {
	...Object.fromEntries(
		Object.entries(TRANSITIONS).map(([name, rule]) => [name, transition(name, rule)]),
	),
	WoAssignCommand: assign,
	WoFlagCommand: flag,
	WoSetFlagsCommand: setFlags,
	WoClearFlagsCommand: clearFlags,
	WoRecallCommand: recall,
	WoMessageCommand: message,
};
