import {
	buildField,
	defineField,
	fieldsModeField,
	buildMapperFields,
	buildLocator,
	buildTextMode,
} from '../../form/fields';
import { createEmptyError, ValidationError } from '../../values/errors';
import { type JsonObject, toRows } from '../../values/objects';
import { parseCommandClass, isBlank } from '../../values/input';
import { suggestCommands } from '../../values/spellings';
import { buildOptions, WRITE_OPTIONS } from '../../form/options';
import { getCommand, isTypeName, type CommandMember } from '../../catalogue/commands';
import { isCollection } from '../../catalogue/entities';
import { findMemberType } from '../../catalogue/members';
import { buildMembers, listCommandColumns } from '../../columns/columns';
import { toItem, oncePerRun, createFormResolver, type ResolvingForm } from '../../run/context';
import type { Resource } from '../../run/operation';
import { findChangedRecord } from '../../run/preview/plannedChanges';
import { sendCommand } from '../../operations/write/command';
import { createBodyCompleter, refuseUtc } from '../../operations/write/carried';
import { getRecordKey } from '../../wire/answers';
import { readJson } from '../../operations/json';
import { createValueReader } from '../../operations/write/settling';
import { isPasted, type MappedColumns, readInputCells } from '../../operations/write/record';
import type { Form } from '../../form/form';

const VALUES = 'Values to Send';

const commandName = defineField({
	displayName: 'Command Name',
	name: 'commandName',
	...buildLocator(
		'searchCommands',
		buildTextMode({ displayName: 'By Name', name: 'name' }, 'WoCancelCommand'),
	),
	required: true,
	description: 'Command to run, by its class name',
});

const commandBody = buildField(
	'commandBody',
	'json',
	'Fields of the command as a JSON object. Corrigo ignores unknown names.',
	{
		displayName: 'Body (JSON)',
		displayOptions: { show: { fieldsMode: ['json'] } },
		placeholder: 'e.g. { "WorkOrderId": 1234, "Comment": "text" }',
	},
);

function readCommandName(form: Form): string {
	const input = parseCommandClass(commandName.displayName, form.read(commandName));
	return getCommand(input)?.name ?? input;
}

const loadColumns = oncePerRun(
	(_, owner: string): MappedColumns => ({
		owner,
		verb: 'create',
		columns: listCommandColumns(owner),
	}),
);

function readBody(form: ResolvingForm): JsonObject {
	const name = readCommandName(form);
	if (isPasted(form)) {
		const body = form.read(commandBody);
		const naming = Object.keys(body).find(isTypeName);
		if (naming !== undefined) {
			throw new ValidationError(
				`'${commandBody.displayName}' has the member ${naming}, which could name another command`,
				`Give the command in '${commandName.displayName}'.`,
			);
		}
		return readJson(createValueReader(form), commandBody.displayName, name, body);
	}
	const known = getCommand(name);
	if (known === undefined) {
		throw new ValidationError(
			`The fields of ${name} are not known`,
			suggestCommands(name) ?? "Check 'Command Name', or set 'Input Mode' to JSON.",
		);
	}
	// An expression may return an empty list, which sets nothing.
	const cells = readInputCells(form, loadColumns(form, name)).filter(
		({ id, value }) => !(isCollection(findMemberType(name, id)) && isBlank(value)),
	);
	const missing = known.required.find(
		(member) => !cells.some(({ id }) => id === member || id.startsWith(`${member}.`)),
	);
	if (missing !== undefined) {
		throw new ValidationError(
			`'${VALUES}' has no value for ${missing}, which ${name} needs`,
			'Give each item a value there, or leave out items without one.',
		);
	}
	return buildMembers(name, cells, createValueReader(form));
}

const resolveCommand = createFormResolver((context) => {
	const body = readBody(context);
	const name = readCommandName(context);
	const inner = toRows(body.Commands);
	[{ ...body, $type: name }, ...inner].forEach(requireAmount);
	inner.forEach(refuseUtc);
	return { name, body };
});

const PAYMENT = 'ApSubmitPaymentCommand';

/** Corrigo takes a payment without its amount, which an expression may fail to give. */
function requireAmount(inner: JsonObject): void {
	const member: CommandMember<typeof PAYMENT> = 'PaymentAmount';
	if (getCommand(String(inner.$type))?.name !== PAYMENT || !isBlank(inner[member])) return;
	throw createEmptyError(member, 'A payment needs its amount and currency.');
}

const completeBody = createBodyCompleter(readBody);

export const command: Resource = {
	value: 'command',
	description: 'Any command of the service',
	operations: [
		{
			value: 'execute',
			action: 'Execute command',
			description: 'Run any command of Corrigo by its class name',
			address: 'POST /cmd',
			output: undefined,
			fields: [
				commandName,
				fieldsModeField,
				...buildMapperFields(
					{ valuesLabel: VALUES, description: 'Fields of the command' },
					`${commandName.name}.value`,
				),
				commandBody,
				buildOptions([...WRITE_OPTIONS, 'requestId']),
			],
			check: resolveCommand,
			changes: async (context) => {
				const { name, body } = await resolveCommand(context);
				const changed = findChangedRecord({ does: 'run', command: name, body });
				return changed === undefined ? [] : getRecordKey(changed.entity, changed.id);
			},
			each: async (context) => {
				const { name, body } = await resolveCommand(context);
				const command = await completeBody(context, name, body);
				return [toItem({ ...(await sendCommand(context, name, command)) })];
			},
		},
	],
};
