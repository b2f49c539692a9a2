import type { EntityName } from '../../catalogue/entities';
import { timeZones } from '../../catalogue/timeZones';
import { isBlank, isObject, type JsonObject } from '../../protocol/checks';
import { itemOf, type ItemContext } from '../../run/context';
import { commandOperation } from '../operations/command';
import { formFields } from '../operations/members';
import { allNames } from './names';
import { orderMembers, orderOf, orderZone, OTHER_PROPERTIES, requiredFields } from './order';

/** The times depend mostly on these members; others can be entered as JSON. */
const MEMBERS = ['DtScheduledStart', 'Priority', 'WorkZone'];

export const previewSchedule = commandOperation({
	value: 'previewSchedule',
	action: 'Preview the schedule of a work order',
	description: 'Calculate the times that a new work order would get, without creating it',
	command: 'WoScheduleRoutine',
	fields: requiredFields,
	addedFields: [
		...formFields(orderMembers.filter(({ member }) => MEMBERS.includes(member))),
		OTHER_PROPERTIES,
	],
	zone: orderZone,
	body: (context) => ({ WorkOrder: orderOf(context) }),
	output: async (context, { CommandResult: { Wo } }) =>
		isObject(Wo) ? itemOf(await scheduleIn(context, Wo)) : undefined,
});

/** The output names these members of the order as the form does. */
const TIMES = {
	AcknowledgeBy: 'DtAcknowledgeBy',
	OnSiteBy: 'DtOnSiteBy',
	ScheduledStart: 'DtScheduledStart',
	Due: 'DtDue',
	AcknowledgeByUtc: 'AcknowledgeByUtc',
	OnSiteByUtc: 'DtUtcOnSiteBy',
	ScheduledStartUtc: 'ScheduledStartUtc',
	DueUtc: 'DueDateUtc',
};

async function scheduleIn(context: ItemContext, order: JsonObject): Promise<JsonObject> {
	const [Priority, Specialty, WorkZone] = await Promise.all([
		withName(context, 'WoPriority', order.Priority),
		withName(context, 'Specialty', order.Specialty),
		withName(context, 'WorkZone', order.WorkZone),
	]);
	return {
		...Object.fromEntries(
			Object.entries(TIMES).map(([name, member]) => [name, order[member] || null]),
		),
		TimeZone: timeZones[String(order.TimeZone)] ?? null,
		Duration: order.Duration ?? null,
		...{ Priority, Specialty, WorkZone },
	};
}

/** Answers of commands refer to records only by Id, so the names are read. */
async function withName(
	context: ItemContext,
	entity: EntityName,
	reference: unknown,
): Promise<unknown> {
	if (!isObject(reference)) return null;
	if (!isBlank(reference.DisplayAs)) return reference;
	const names = await allNames(context, entity);
	return names.get(Number(reference.Id)) ?? reference;
}
