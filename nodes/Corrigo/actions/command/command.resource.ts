import {
	buildField,
	defineField,
	fieldsModeField,
	buildMapperFields,
	buildLocator,
	buildTextMode,
} from '../../form/fields';
import { createEmptyError, ValidationError } from '../../values/errors';
import { parseId } from '../../values/references';
import {
	type JsonObject,
	filterMembers,
	isObject,
	mapMembers,
	readPath,
	toRows,
} from '../../values/objects';
import { findCarriedOwner, spellPath } from '../../values/members';
import { parseCommandClass, isBlank } from '../../values/input';
import { suggestCommands } from '../../values/spellings';
import { buildOptions, WRITE_OPTIONS } from '../../form/options';
import { getCommand, type CommandMember } from '../../catalogue/commands';
import { getEntity, isCollection, isReadOnlyMember, isReference } from '../../catalogue/entities';
import { findMemberType, isIdentity } from '../../catalogue/members';
import { getUtcMembers } from '../../catalogue/times';
import { buildMembers, listCommandColumns } from '../../columns/columns';
import {
	toItem,
	oncePerRun,
	createFormReader,
	type ItemContext,
	type ResolvingForm,
} from '../../run/context';
import type { Resource } from '../../run/operation';
import { findChangedRecord } from '../../run/preview/plannedChanges';
import { sendCommand } from '../../operations/write/command';
import {
	createZoneLoader,
	splitUtcMembers,
	translateNewTimes,
	translateRecordTimes,
	translateTimes,
	writeAsLocal,
} from '../../operations/write/zones';
import { createRecordLoader } from '../../operations/write/stored';
import { getRecordKey } from '../../wire/answers';
import { createNothingError, listWrittenPaths } from '../../wire/requests';
import { readJson } from '../../operations/json';
import { createValueReader } from '../../operations/write/settling';
import { isPasted, type MappedColumns, readInputCells } from '../../operations/write/record';
import { isEmpty, type Form } from '../../form/form';

const VALUES = 'Values to Send';

const ORDER = 'WorkOrder';

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
		// A server may take it for the command, and the address for a mere hint.
		if (Object.keys(body).some((member) => /^\$type$/i.test(member))) {
			throw new ValidationError(
				`'${commandBody.displayName}' has the member $type, which could name another command`,
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

/** Members that determine the time zone of a body; the first one with a value counts. */
const ZONES = Object.entries({
	WorkOrderId: 'WorkOrder',
	'WorkOrder.WorkZone.Id': 'WorkZone',
	'WorkOrder.Customer.Id': 'Customer',
	CustomerId: 'Customer',
} as const).map(([path, entity]) => ({
	path,
	loadZone: createZoneLoader(entity, (context) => parseId(path, readPath(readBody(context), path))),
}));

const findZone = (body: JsonObject) =>
	ZONES.find(({ path }) => readPath(body, path) !== undefined)?.loadZone;

const readForm = createFormReader((context) => {
	const body = readBody(context);
	const name = readCommandName(context);
	for (const one of [{ ...body, $type: name }, ...toRows(body.Commands)]) requireAmount(one);
	toRows(body.Commands).forEach(refuseUtc);
	return { name, body };
});

const PAYMENT = 'ApSubmitPaymentCommand';

/** Corrigo takes a payment without its amount, which an expression may fail to give. */
function requireAmount(inner: JsonObject): void {
	const member: CommandMember<typeof PAYMENT> = 'PaymentAmount';
	if (getCommand(String(inner.$type))?.name !== PAYMENT || !isBlank(inner[member])) return;
	throw createEmptyError(member, 'A payment needs its amount and currency.');
}

/** Corrigo ignores times in UTC, and the work zones of the records of several commands are not read. */
function refuseUtc(inner: JsonObject): void {
	for (const order of [findCarried(inner)?.record, inner[ORDER]]) {
		if (!isObject(order)) continue;
		const { utc, others } = splitUtcMembers(ORDER, order);
		const lone = Object.keys(utc).find((name) =>
			isBlank(others[getUtcMembers(ORDER).get(name) ?? '']),
		);
		if (lone === undefined) continue;
		throw new ValidationError(
			`'Commands' has ${lone}, which Corrigo does not write`,
			`Give '${getUtcMembers(ORDER).get(lone)}' as the clock of the work zone shows it.`,
		);
	}
}

const CARRIED = 'Entity';

/** Reads the record that a command for any entity carries; undefined for other commands. */
function findCarried(body: JsonObject) {
	const record = body[CARRIED];
	if (!isObject(record)) return undefined;
	const entity = findCarriedOwner('CorrigoEntity', record);
	const { utc, others: members } = splitUtcMembers(entity, record);
	return { field: CARRIED, entity, id: Number(record.Id ?? 0), members, utc, record };
}

const { load: loadCarried } = createRecordLoader(
	(form) => findCarried(readBody(form)) ?? { entity: '', id: 0, members: {} },
	() => false,
);

/** Local times are on the clock of the record, or of the work zone that the command names. */
async function translateBody(
	context: ItemContext,
	name: string,
	body: JsonObject,
): Promise<JsonObject> {
	const carried = findCarried(body);
	const loadZone = findZone(body);
	const loadIndex = async () => await loadZone?.(context);
	const isNew = getCommand(name)?.creates === true || carried?.id === 0;
	const translated =
		carried === undefined
			? await writeOrderAsLocal(body, loadIndex)
			: isNew
				? { [CARRIED]: await translateNewTimes(context, carried.entity, carried.record) }
				: {
						[CARRIED]: await translateRecordTimes(
							context,
							carried.entity,
							carried,
							await loadCarried(context),
						),
					};
	const translatedBody = await translateTimes(name, { ...body, ...translated }, loadIndex);
	const { Commands } = translatedBody;
	const inner = Array.isArray(Commands) && {
		Commands: Commands.map((one: unknown) => (isObject(one) ? nameGiven(one) : one)),
	};
	return { ...nameGiven(translatedBody), ...inner };
}

async function writeOrderAsLocal(
	body: JsonObject,
	loadZone: () => Promise<unknown>,
): Promise<JsonObject> {
	const members = body[ORDER];
	if (!isObject(members) || isEmpty(splitUtcMembers(ORDER, members).utc)) return {};
	const place = { field: ORDER, entity: ORDER, zone: await loadZone() };
	return { [ORDER]: writeAsLocal(place, members) };
}

const isType = (name: string): boolean => /^(\$type|EntityType)$/i.test(name);

const getHead = (path: string): string => path.split('.')[0];

const toStart = (path: string): string => `${path.replace(/\.\*$/, '')}.`.toLowerCase();

/** Corrigo resets what the set names and the record lacks, so both have what is named and given. */
function nameGiven(command: JsonObject): JsonObject {
	const { PropertySet } = command;
	const given: unknown = readPath(PropertySet, 'Properties');
	const carried = findCarried(command);
	if (carried === undefined || !Array.isArray(given)) return command;
	const { entity, record } = carried;
	if (getEntity(entity) === undefined) return command;
	const names = given.map(String);
	const isKnown = (path: string) => findMemberType(entity, getHead(path)) !== undefined;
	const locals = getUtcMembers(entity);
	const starts = names
		.flatMap((name) => [name, locals.get(spellPath(entity, name)) ?? name])
		.map(toStart);
	const isNamed = (path: string) =>
		starts.some((start) => toStart(path).startsWith(start) || start.startsWith(toStart(path))) ||
		(names.includes('*') && isKnown(path) && !isReadOnlyMember(entity, getHead(path)));
	const paths = listWrittenPaths(
		CARRIED,
		mapMembers(
			filterMembers(record, (name) => !isType(name)),
			(name, value) => omitNames(findMemberType(entity, name) ?? '', value),
		),
	);
	// Corrigo judges the names that the contract does not have.
	const others = names.filter((name) => name !== '*' && !isKnown(name));
	const Properties = [...new Set([...paths.filter(isNamed), ...others])];
	if (Properties.length === 0) throw createNothingError(CARRIED);
	const heads = new Set(Properties.map(getHead));
	return {
		...command,
		[CARRIED]: filterMembers(record, (name) => isType(name) || isIdentity(name) || heads.has(name)),
		PropertySet: { ...(PropertySet as JsonObject), Properties },
	};
}

/** Of what a record that was read refers to, only the Id counts. */
const omitNames = (type: string, value: unknown): unknown =>
	isReference(type) && isObject(value) && !isBlank(value.Id) ? { Id: value.Id } : value;

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
			check: readForm,
			changes: async (context) => {
				const { name, body } = await readForm(context);
				const changed = findChangedRecord({ does: 'run', command: name, body });
				return changed === undefined ? [] : getRecordKey(changed.entity, changed.id);
			},
			each: async (context) => {
				const { name, body } = await readForm(context);
				const command = await translateBody(context, name, body);
				return [toItem({ ...(await sendCommand(context, name, command)) })];
			},
		},
	],
};
