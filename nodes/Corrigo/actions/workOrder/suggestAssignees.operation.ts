import { getSummary } from '../../catalogue/summaries';
import { buildReferenceField } from '../../form/subjects';
import { ValidationError } from '../../values/errors';
import {
	type JsonObject,
	filterMembers,
	isObject,
	mapMembers,
	readPath,
} from '../../values/objects';
import { isBlank } from '../../values/input';
import { addNames } from '../../records/names';
import { loadRecordsById } from '../../records/query';
import { createNotFoundError } from '../../transport/errors';
import { toItem, type ItemContext, resolveForm } from '../../run/context';
import { createRunLoader } from '../../run/loadTogether';
import { buildCommandOperation, sendCommand } from '../../operations/write/command';
import { createFieldBuilder } from '../../operations/members';
import { readOrderId } from './chosenOrder';
import { loadNamesById } from './read/orderRead';
import { createTable } from '../../catalogue/table';
import { buildRecord, TEXT } from '../../operations/specimens';

const COMMAND = 'GetPreferredAssigneesRoutine';

const searchFields = createFieldBuilder(COMMAND);

const orderField = buildReferenceField('workOrder', 'workOrder', {
	description: 'Order whose values fill in the fields below that you leave empty',
});
const specialty = searchFields.reference('SpecialtyId', 'specialty', 'specialty', {
	description: 'Specialty that the work needs',
});
const workZone = searchFields.reference('WorkZoneId', 'workZone', 'workZone', {
	description: 'Work zone of the place of work',
});
const customer = searchFields.reference('CustomerId', 'customer', 'customer', {
	description: 'Customer who needs the work',
});

const members = [
	specialty,
	workZone,
	customer,
	searchFields.field('PostalCode', 'postalCode', 'Postal code of the place of work'),
	searchFields.field('RecordCount', 'maxSuggestions', 'Number of people to return', {
		typeOptions: { minValue: 1 },
		default: 10,
	}),
];

/** Properties of the work order replace members that are left empty. */
const ORDER_PATHS = createTable<string>({
	SpecialtyId: 'Specialty.Id',
	WorkZoneId: 'WorkZone.Id',
	CustomerId: 'Customer.Id',
	PostalCode: 'Address.Zip',
	Country: 'Address.Country',
});

export const suggestAssignees = buildCommandOperation({
	value: 'suggestAssignees',
	action: 'Suggest assignees for work order',
	description:
		'List the employees and vendors that Corrigo prefers for a work order, or for one that is only planned',
	command: COMMAND,
	output: () => ({
		Rank: 1,
		...addNames('Employee', pickShown(buildRecord('Employee')), () => TEXT),
		WorkOrder: { Id: 1, Number: TEXT },
	}),
	shown: [orderField, ...members],
	buildBody: (context) => {
		const records = [orderField, specialty.property, workZone.property, customer.property];
		if (records.every((field) => context.isEmpty(field))) {
			const labels = records.map(({ displayName }) => `'${displayName}'`);
			throw new ValidationError(
				`${labels.slice(0, -1).join(', ')} and ${labels.at(-1)} are empty`,
				'Fill in at least one of them.',
			);
		}
		// If this were true, Corrigo would count a suggestion as an assignment.
		return { UpdateRoundRobin: false };
	},
	send: async (context, command) => {
		const order = await loadOrder(context);
		const own = mapMembers(ORDER_PATHS, (member) => readPath(order, ORDER_PATHS[member]));
		const known = filterMembers(own, (_, value) => !isBlank(value));
		return await sendCommand(context, COMMAND, { ...known, ...command });
	},
	buildOutput: async (context, { CommandResult: { Employees } }) =>
		Array.isArray(Employees)
			? (await buildSuggestions(context, Employees.filter(isObject))).map(toItem)
			: undefined,
});

const findOrder = createRunLoader(
	async (context) =>
		context.isEmpty(orderField)
			? undefined
			: { context, id: await resolveForm(context, readOrderId) },
	{
		key: () => '',
		loadMany: async (ids, [{ context }]) =>
			await loadRecordsById(context, 'WorkOrder', ids, {
				properties: ['Number', ...Object.values(ORDER_PATHS)],
			}),
	},
);

/** Returns an empty record if the item names no order. */
async function loadOrder(context: ItemContext): Promise<JsonObject> {
	const shared = await findOrder(context);
	if (shared === undefined) return {};
	const order = await shared.load();
	if (order !== undefined) return order;
	throw createNotFoundError(context.caller.getNode(), 'work order', shared.wanted.id);
}

const pickShown = (employee: JsonObject): JsonObject =>
	filterMembers(employee, (member) => getSummary('Employee').includes(member));

/** Corrigo returns the assignee that it prefers most first. */
async function buildSuggestions(
	context: ItemContext,
	employees: JsonObject[],
): Promise<JsonObject[]> {
	const { Id, Number: number } = await loadOrder(context);
	const WorkOrder = Id === undefined ? {} : { WorkOrder: { Id, Number: number } };
	const ids = employees.map((one) => one.Id);
	const names = await loadNamesById(context, 'Employee', ids, employees);
	return employees.map((employee, index) => {
		const own = { ...names.get(Number(employee.Id)), ...pickShown(employee) };
		return {
			Rank: index + 1,
			...addNames('Employee', own, context.run.names.getName),
			...WorkOrder,
		};
	});
}
