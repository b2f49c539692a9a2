import { summaries } from '../../catalogue/summaries';
import { isEmpty } from '../../form/form';
import { reference } from '../../form/references';
import { isBlank, isObject, ValidationError, type JsonObject } from '../../protocol/checks';
import { valueAt } from '../../protocol/kinds';
import { withNames } from '../../protocol/withNames';
import { recordsById } from '../../records/lookup';
import { notFound } from '../../transport/errors';
import { itemOf, oncePerRun, type ItemContext } from '../../run/context';
import { knownNamesIn } from '../../run/resolve';
import { commandOperation, sendCommand } from '../operations/command';
import { inputsFor } from '../operations/members';
import { orderChosen } from './chosenOrder';
import { namesOf } from './names';

const COMMAND = 'GetPreferredAssigneesRoutine';

const search = inputsFor(COMMAND);

const members = [
	search.reference('SpecialtyId', 'specialty', 'specialty', {
		description: 'Specialty that the work needs',
	}),
	search.reference('WorkZoneId', 'workZone', 'workZone', {
		description: 'Work zone of the place of work',
	}),
	search.reference('CustomerId', 'customer', 'customer', {
		description: 'Customer who needs the work',
	}),
	search.field('PostalCode', 'postalCode', 'Postal code of the place of work'),
	search.field('RecordCount', 'maxSuggestions', 'Number of people to return', {
		typeOptions: { minValue: 1 },
		default: 10,
	}),
];

/** Properties of the work order replace members that are left empty. */
const OF_WORK_ORDER: Readonly<Record<string, string>> = {
	SpecialtyId: 'Specialty.Id',
	WorkZoneId: 'WorkZone.Id',
	CustomerId: 'Customer.Id',
	PostalCode: 'Address.Zip',
	Country: 'Address.Country',
};

export const suggestAssignees = commandOperation({
	value: 'suggestAssignees',
	action: 'Suggest assignees for a work order',
	description:
		'List the employees and service providers that Corrigo prefers for a work order, or for one that is only planned',
	command: COMMAND,
	fields: [
		reference('workOrder', 'workOrder', {
			description: 'Order whose values count for the fields below that are empty',
		}),
	],
	members,
	body: (context) => {
		needCriterion(context);
		// If this were true, Corrigo would count a suggestion as an assignment.
		return { UpdateRoundRobin: false };
	},
	send: async (context, command) => {
		const order = hasOrder(context) ? await orderOf(context) : {};
		const own = Object.entries(OF_WORK_ORDER)
			.map(([member, path]) => [member, valueAt(order, path)])
			.filter(([, value]) => !isBlank(value));
		return await sendCommand(context, COMMAND, { ...Object.fromEntries(own), ...command });
	},
	output: async (context, { CommandResult: { Employees } }) =>
		Array.isArray(Employees)
			? (await suggestionsIn(context, Employees.filter(isObject))).map(itemOf)
			: undefined,
});

const hasOrder = (context: ItemContext) => !isEmpty(context.field('workOrder', ''));

function needCriterion(context: ItemContext): void {
	const names = ['workOrder', 'specialty', 'workZone', 'customer'];
	if (names.some((name) => !isEmpty(context.field(name, '')))) return;
	throw new ValidationError(
		"'Work Order', 'Specialty', 'Work Zone' and 'Customer' are empty",
		'Fill in at least one of them.',
	);
}

/** The orders of all items of a run are read together. */
const ordersOf = oncePerRun(async (context) => {
	// An item with an invalid order fails in its own turn.
	const chosen = context.run.contexts.filter(hasOrder).map(orderChosen);
	const ids = (await Promise.allSettled(chosen)).flatMap((one) =>
		one.status === 'fulfilled' ? [one.value] : [],
	);
	const properties = ['Number', ...Object.values(OF_WORK_ORDER)];
	return await recordsById(context, 'WorkOrder', ids, { properties });
});

async function orderOf(context: ItemContext): Promise<JsonObject> {
	const id = await orderChosen(context);
	const order = (await ordersOf(context)).get(id);
	if (order === undefined) throw notFound(context.caller.getNode(), 'Work Order', id);
	return order;
}

const isShown = (member: string) => summaries.Employee?.includes(member) === true;

/** Corrigo returns the assignee that it prefers most first. */
async function suggestionsIn(context: ItemContext, employees: JsonObject[]): Promise<JsonObject[]> {
	const { Id, Number: number } = hasOrder(context) ? await orderOf(context) : {};
	const WorkOrder = Id === undefined ? {} : { WorkOrder: { Id, Number: number } };
	const names = await namesOf(
		context,
		'Employee',
		employees.map((one) => one.Id),
		employees,
	);
	return employees.map((employee, index) => {
		const shown = Object.entries(employee).filter(([member]) => isShown(member));
		const own = { ...names.get(Number(employee.Id)), ...Object.fromEntries(shown) };
		return {
			Rank: index + 1,
			...withNames('Employee', own, knownNamesIn(context).nameOf),
			...WorkOrder,
		};
	});
}
