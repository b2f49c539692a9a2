import type { EntityName } from '../../catalogue/entities';
import { timeZones } from '../../catalogue/times';
import { type JsonObject, isObject, mapMembers } from '../../values/objects';
import { isBlank } from '../../values/input';
import { toItem, type ItemContext } from '../../run/context';
import { buildCommandOperation } from '../../operations/write/command';
import { getFormFields } from '../../operations/members';
import { loadAllNames } from './read/orderRead';
import {
	orderMembers,
	readOrder,
	findOrderZone,
	OTHER_PROPERTIES,
	mainFields,
} from './create/order';
import { NAMED, TEXT } from '../../operations/specimens';

export const previewSchedule = buildCommandOperation({
	value: 'previewSchedule',
	action: 'Preview schedule of work order',
	description: 'Calculate the times that a new work order would get, without creating it',
	command: 'WoScheduleRoutine',
	output: () => ({
		...mapMembers(TIMES, () => TEXT),
		...{ TimeZone: TEXT, Duration: 1, Priority: NAMED, Specialty: NAMED, WorkZone: NAMED },
	}),
	shown: mainFields,
	added: [
		// The times depend mostly on these members; others can be entered as JSON.
		...getFormFields(
			orderMembers.filter(({ member }) => ['DtScheduledStart', 'WorkZone'].includes(member)),
		),
		OTHER_PROPERTIES,
	],
	findZone: findOrderZone,
	buildBody: (context) => ({ WorkOrder: readOrder(context) }),
	buildOutput: async (context, { CommandResult: { Wo } }) =>
		isObject(Wo) ? toItem(await buildSchedule(context, Wo)) : undefined,
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

async function buildSchedule(context: ItemContext, order: JsonObject): Promise<JsonObject> {
	const [Priority, Specialty, WorkZone] = await Promise.all([
		addName(context, 'WoPriority', order.Priority),
		addName(context, 'Specialty', order.Specialty),
		addName(context, 'WorkZone', order.WorkZone),
	]);
	return {
		...mapMembers(TIMES, (_, member) => order[String(member)] || null),
		TimeZone: timeZones[String(order.TimeZone)] ?? null,
		Duration: order.Duration ?? null,
		Priority,
		Specialty,
		WorkZone,
	};
}

/** Answers of commands refer to records only by Id, so the names are read. */
async function addName(
	context: ItemContext,
	entity: EntityName,
	reference: unknown,
): Promise<unknown> {
	if (!isObject(reference)) return null;
	if (!isBlank(reference.DisplayAs)) return reference;
	const names = await loadAllNames(context, entity);
	return names.get(Number(reference.Id)) ?? reference;
}
