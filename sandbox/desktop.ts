import { z } from 'zod';

import { toAnswer, existing } from './base/operations';
import { runCommand } from './commands';
import { logAction } from './base/actionLog';
import { toActor, recordVisit } from './commands/visits';
import type { World } from './runtime/world';
import { entityNamed } from './schema';
import type { Json } from './shapes';
import type { Row, Values } from './store/store';

export const workOrderShape = z
	.object({
		/** The order to change; left out, a new order is created. */
		id: z.number().int().optional(),
		/** The command to run on the order, such as `WoPickUpCommand`. */
		command: z.string().optional(),
		members: z.record(z.unknown()).default({}),
		/** Members of the vendor invoice of the order. */
		invoice: z.record(z.unknown()).optional(),
		/** The text of a note to add. */
		note: z.string().optional(),
		/** The employee or service provider who acts, on site. */
		actor: z.number().int().optional(),
	})
	.strict();

const COLLEAGUE = { Id: 2, TypeId: 'Employee', DisplayAs: 'Colleague at the desktop' };

/** Acts on a work order as a colleague at the desktop or on site: the rules are those of the API, the author in the log is not. */
export function actAsColleague(
	world: World,
	{ id, command, members, invoice, note, actor }: z.output<typeof workOrderShape>,
): Values {
	return world.store.atomic(() => {
		const Actor =
			actor === undefined ? COLLEAGUE : toActor(world.store.existing('Employee', actor));
		const before = world.store.ids('WoActionLog').at(-1) ?? 0;
		const order =
			id === undefined ? createOrder(world, members) : changeOrder(world, id, command, members);
		if (invoice !== undefined) world.store.change('WorkOrderCost', order.Id, invoice);
		if (note !== undefined) addNote(world, order, note);
		for (const log of world.store.ids('WoActionLog').filter((known) => known > before)) {
			const action = world.store.change('WoActionLog', log, { Actor, UiTypeId: 'Corp' });
			if (actor !== undefined) recordVisit(world.store, action);
		}
		return toAnswer(world, 'WorkOrder', order);
	});
}

function changeOrder(world: World, id: number, command: string | undefined, members: Json): Row {
	const order = existing(world, entityNamed('WorkOrder'), id);
	if (command) runCommand(world, command, { ...members, WorkOrderId: id });
	else world.store.change('WorkOrder', id, members);
	return order;
}

function createOrder(world: World, members: Json): Row {
	const [space] = world.store.rows('Space');
	const [task] = world.store.rows('Task');
	const order = {
		TypeCategory: 'Request',
		SubType: { Id: world.store.rows('WorkOrderType').find((row) => row.IsDefSR === true)?.Id },
		Customer: { Id: space.CustomerId },
		Items: [{ Asset: space.Asset, Task: { Id: task.Id }, Comment: 'Made at the desktop' }],
		...members,
	};
	const { Wo } = runCommand(world, 'WoCreateCommand', { WorkOrder: order, ComputeSchedule: true });
	return world.store.existing('WorkOrder', (Wo as Row).Id);
}

function addNote(world: World, order: Row, Body: string): void {
	world.store.insert('WoNote', {
		WorkOrderId: order.Id,
		Body,
		NoteTypeId: 'Public',
		CreatedDate: world.clock.stamp().utc,
		CreatedBy: COLLEAGUE,
	});
	logAction(world, order, { TypeId: 'Note', Comment: Body });
}
