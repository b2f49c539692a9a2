import type { CommandAnswer } from '../../../wire/answers';
import { createEmptyError } from '../../../values/errors';
import { filterMembers, type JsonObject } from '../../../values/objects';
import { isLocalTime } from '../../../catalogue/times';
import { resolveForm, type ItemContext } from '../../../run/context';
import {
	additionalFields,
	buildForm,
	createFieldBuilder,
	getFormFields,
} from '../../../operations/members';
import { readKnownJson } from '../../../operations/json';
import { createValueReader } from '../../../operations/write/settling';
import {
	buildCommandOperation,
	createBodyResolver,
	sendCommand,
	type CommandDefinition,
} from '../../../operations/write/command';
import { loadAttachments, readAttachments } from './attachments';
import { addMissingFiles, noteFiles, noteLeftFiles, type GivenFiles } from './missingFiles';
import {
	createOrFindOwn,
	createWithNumber,
	externalNumber,
	getOrder,
	ordersByNumber,
	readUniqueNumber,
	addNote,
	addsFiles,
	isOncePerFault,
	readOpenOrderNote,
	preventDuplicatesField,
	ordersByFault,
	toAnswer,
	X_NUMBER,
} from './duplicates';
import {
	CONTACT_ADDRESS,
	hideIfUpdateOnly,
	orderFields,
	orderMembers,
	readOrder,
	findOrderZone,
	OTHER_PROPERTIES,
	readOrderChanges,
} from './order';
import { buildField } from '../../../form/fields';
import { type Form, isEmpty } from '../../../form/form';
import { buildFormUpsert } from '../../../operations/upsert/upsert';
import { TEXT } from '../../../operations/specimens';

const COMMAND = 'WoCreateCommand';
const commandFields = createFieldBuilder(COMMAND);

const computeSchedule = buildField(
	'computeSchedule',
	'boolean',
	'Whether Corrigo calculates the due dates by the rules of your Company',
	{ default: true },
);

const workPlan = buildField('workPlan', 'json', 'Position of the order in a work plan', {
	displayName: 'Work Plan (JSON)',
	placeholder: 'e.g. { "Level": 1, "Number": 2 }',
});

/** *Create* and *Create or Update* share this form of a new order. */
const newOrder: CommandDefinition<typeof COMMAND> = {
	value: 'create',
	action: 'Create work order',
	description: 'Create a new work order and get its number',
	command: COMMAND,
	shown: [...orderFields, ...hideIfUpdateOnly(computeSchedule)],
	added: [
		commandFields.field('ActionDate', 'actionDate', 'Time of the request, if not now'),
		commandFields.field(
			'ActionReasonId',
			'actionReasonId',
			'ID of the reason for creating the order, if your Company uses such reasons',
			{ typeOptions: { minValue: 1 } },
		),
		commandFields.field('Comment', 'comment', 'Comment in the log of the order', {
			displayName: 'Log Comment',
			typeOptions: { rows: 2 },
		}),
		commandFields.field(
			'ComputeAssignment',
			'computeAssignment',
			'Whether Corrigo assigns the order by the rules of your Company',
			{ default: true },
		),
		commandFields.field(
			'EmergencyDisabled',
			'emergencyDisabled',
			'Whether the order cannot become an emergency',
			{ default: true },
		),
		commandFields.reference('EmployeeId', 'employee', 'employee', {
			displayName: 'Assign To',
			description: "Employee or vendor to assign. Has no effect with 'Compute Assignment'.",
		}),
		externalNumber,
		commandFields.field(
			'KeepUnassigned',
			'keepUnassigned',
			'Whether to leave the order unassigned, regardless of the rules of your Company',
			{ default: true },
		),
		commandFields.field(
			'SkipBillToLogic',
			'skipBillToLogic',
			'Whether to skip the rules that determine who is billed',
			{ displayName: 'Skip Bill-To Logic', default: true },
		),
		commandFields.field(
			'SkipProcedures',
			'skipProcedures',
			'Whether to omit the procedures of the tasks',
			{ default: true },
		),
		...getFormFields(orderMembers),
		CONTACT_ADDRESS,
		workPlan,
		OTHER_PROPERTIES,
	],
	findZone: findOrderZone,
	buildBody: (context) => {
		const given = context.readAdded(additionalFields, workPlan) ?? {};
		const WpTree = readKnownJson(
			createValueReader(context),
			context.getLabel(workPlan),
			'WpTree',
			given,
			'work plan',
		);
		return {
			WorkOrder: readOrder(context),
			ComputeSchedule: context.read(computeSchedule),
			...(isEmpty(WpTree) ? {} : { WpTree }),
		};
	},
};

export const create = buildCommandOperation<typeof COMMAND>({
	...newOrder,
	shown: [...(newOrder.shown ?? []), preventDuplicatesField],
	changes: async (context) =>
		context.isEmpty(preventDuplicatesField)
			? []
			: [...(await ordersByNumber.getKeys(context)), ...(await ordersByFault.getKeys(context))],
	send: createOnce,
});

/** *Create or Update* uses these parts of a new order, too. */
const newOrderBody = createBodyResolver(newOrder);

const sendOrder = async (
	context: ItemContext,
	body: JsonObject,
	requestId = context.getRequestId(),
): Promise<CommandAnswer> =>
	await sendCommand(context, COMMAND, await loadAttachments(context, body), requestId);

/** The options under *Prevent Duplicates* decide whether an existing order takes the place of a new one. */
async function createOnce(context: ItemContext, body: JsonObject): Promise<CommandAnswer> {
	const unique = readUniqueNumber(context);
	const number = unique ?? String(body.ExternalNumber ?? '').trim();
	const note = readOpenOrderNote(context);
	const files = { body, areAdded: addsFiles(context) };
	if (unique === undefined && !isOncePerFault(context)) {
		return await createOrFindOwn(context, number, () => sendOrder(context, body));
	}
	const numbered = await ordersByNumber.findRecord(context);
	if (numbered !== undefined) return await returnExisting(context, numbered, files);
	const open = await ordersByFault.findRecord(context);
	if (open !== undefined) {
		await ordersByNumber.note(context, open);
		if (note !== undefined) await addNote(context, open, note);
		return await returnExisting(context, open, files);
	}
	const RequestId = context.getRequestId();
	const command = unique === undefined ? body : { ...body, ExternalNumber: unique };
	const send = () => sendOrder(context, command, RequestId);
	const createNew = async () => getOrder(await createWithNumber(context, number, send));
	const createForFault = () => ordersByFault.create(context, createNew);
	const order = await ordersByNumber.create(context, createForFault);
	noteFiles(context, order, body);
	return { ...toAnswer({ ...order, AlreadyExisted: false }), RequestId };
}

async function returnExisting(context: ItemContext, order: JsonObject, files: GivenFiles) {
	const FilesLeftOut = await addMissingFiles(context, order, files);
	const left = FilesLeftOut.length > 0 ? { FilesLeftOut } : {};
	return toAnswer({ ...order, AlreadyExisted: true, ...left });
}

const matchedNumber = buildField(
	'externalNumber',
	'string',
	'Number of the order in your own system. If an order has it, in any status, that order is updated. Otherwise, a new one is created.',
	{ required: true, placeholder: 'e.g. TICKET-4711' },
);

function readNumber(form: Form): string {
	const number = form.read(matchedNumber).trim();
	if (number === '') {
		throw createEmptyError(matchedNumber.displayName, 'It identifies the order.');
	}
	return number;
}

export const upsert = buildFormUpsert({
	entity: 'WorkOrder',
	action: 'Create or update work order',
	description:
		'Create a new work order, or update the one with the same external number (upsert). An existing order keeps its type, customer, items, assignee, notes and documents.',
	address: 'WoCreateCommand or PUT /base',
	output: () => ({
		...{ Outcome: TEXT, Changed: [TEXT], Number: TEXT, Id: 1 },
		...{ LastAction: { XNumber: TEXT }, Url: TEXT },
	}),
	fields: buildForm({ ...newOrder, shown: [matchedNumber, ...(newOrder.shown ?? [])] }),
	describe: (context) => ({
		entity: 'WorkOrder',
		columns: [{ id: X_NUMBER, type: 'string', label: matchedNumber.displayName }],
		read: ['Number'],
		input: {
			field: 'Additional Fields',
			isPasted: false,
			members: { ...readOrderChanges(context), LastAction: { XNumber: readNumber(context) } },
			utc: {},
		},
	}),
	checkNew: async ({ context }) => await newOrderBody.resolveBody(context),
	noteExisting: async ({ context }, order) => {
		const files = await resolveForm(context, readAttachments);
		if (files.length > 0) noteLeftFiles(context, order);
	},
	create: async ({ context, wanted: { input } }, once) => {
		const number = readNumber(context);
		const body = await newOrderBody.resolveBody(context);
		const command = { ...body, ExternalNumber: number };
		const order = body.WorkOrder as JsonObject;
		const times = filterMembers(order, (name) => isLocalTime('WorkOrder', name));
		// A later item may give a time with a zone, and a dry run has no order with a time zone to read.
		const place = filterMembers(order, (name) => ['Customer', 'WorkZone'].includes(name));
		const members = { ...input.members, ...times };
		const send = () => sendOrder(context, command);
		const specifier = await once(async () => ({
			...place,
			...members,
			...getOrder(await createWithNumber(context, number, send)),
		}));
		return { specifier, members };
	},
});
