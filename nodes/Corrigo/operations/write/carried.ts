/** Records that a command carries: the times and the names of what is written. */
import { getCommand } from '../../catalogue/commands';
import { getEntity, isReadOnlyMember, isReference } from '../../catalogue/entities';
import { findMemberType, isIdentity } from '../../catalogue/members';
import { getUtcMembers } from '../../catalogue/times';
import { isEmpty } from '../../form/form';
import type { ItemContext, ResolvingForm } from '../../run/context';
import { ValidationError } from '../../values/errors';
import { isBlank } from '../../values/input';
import { findCarriedOwner, spellPath } from '../../values/memberNames';
import {
	filterMembers,
	isObject,
	type JsonObject,
	mapMembers,
	readPath,
} from '../../values/objects';
import { parseId } from '../../values/references';
import { createNothingError, listWrittenPaths } from '../../wire/requests';
import { createRecordLoader } from './stored';
import {
	createZoneLoader,
	splitUtcMembers,
	translateNewTimes,
	translateRecordTimes,
	translateTimes,
	writeAsLocal,
} from './zones';

const CARRIED = 'Entity';
const ORDER = 'WorkOrder';

/** Finds the record that a command for any entity carries, apart from its times in UTC; undefined for other commands. */
function splitCarriedRecord(body: JsonObject) {
	const record = body[CARRIED];
	if (!isObject(record)) return undefined;
	const entity = findCarriedOwner('CorrigoEntity', record);
	const { utc, others: members } = splitUtcMembers(entity, record);
	return { field: CARRIED, entity, id: Number(record.Id ?? 0), members, utc, record };
}

/** Corrigo ignores times in UTC, and the work zones of the records of several commands are not read. */
export function refuseUtc(inner: JsonObject): void {
	for (const order of [splitCarriedRecord(inner)?.record, inner[ORDER]]) {
		if (!isObject(order)) continue;
		const { utc, others } = splitUtcMembers(ORDER, order);
		const locals = getUtcMembers(ORDER);
		for (const name of Object.keys(utc)) {
			const local = locals.get(name) ?? '';
			const isGiven = !isBlank(others[local]);
			// A record that was read has times that nobody writes, too.
			if (isGiven && isReadOnlyMember(ORDER, local)) continue;
			throw new ValidationError(
				`'Commands' has ${name}, which Corrigo does not write`,
				isGiven
					? `Leave it out: '${local}' says when.`
					: `Give '${local}' as the clock of the work zone shows it.`,
			);
		}
	}
}

/** Members that determine the time zone of a body; the first one with a value counts. */
const ZONES = Object.entries({
	WorkOrderId: 'WorkOrder',
	'WorkOrder.WorkZone.Id': 'WorkZone',
	'WorkOrder.Customer.Id': 'Customer',
	CustomerId: 'Customer',
} as const);

type BodyReader = (form: ResolvingForm) => JsonObject;

/** Completes the body of a command before it is sent: its times, and the names of what it updates. */
export function createBodyCompleter(readBody: BodyReader) {
	const translate = createBodyTranslator(readBody);
	return async (context: ItemContext, name: string, body: JsonObject): Promise<JsonObject> => {
		const translated = await translate(context, name, body);
		const { Commands } = translated;
		const inner = Array.isArray(Commands) && {
			Commands: Commands.map((one: unknown) => (isObject(one) ? nameGiven(one) : one)),
		};
		return { ...nameGiven(translated), ...inner };
	};
}

/** Local times are on the clock of the record, or of the work zone that the command names. */
function createBodyTranslator(readBody: BodyReader) {
	const zones = ZONES.map(([path, entity]) => ({
		path,
		load: createZoneLoader(entity, (form) => parseId(path, readPath(readBody(form), path))),
	}));
	const { loadForWrite: loadRecord } = createRecordLoader(
		(form) => splitCarriedRecord(readBody(form)) ?? { entity: '', id: 0, members: {} },
		() => false,
	);
	const translateCarried = async (
		context: ItemContext,
		name: string,
		carried: NonNullable<ReturnType<typeof splitCarriedRecord>>,
	) => {
		const { entity, id, record } = carried;
		return getCommand(name)?.creates === true || id === 0
			? await translateNewTimes(context, entity, record)
			: await translateRecordTimes(context, entity, carried, await loadRecord(context));
	};
	return async (context: ItemContext, name: string, body: JsonObject): Promise<JsonObject> => {
		const carried = splitCarriedRecord(body);
		const zone = zones.find(({ path }) => readPath(body, path) !== undefined);
		const loadZone = async () => await zone?.load(context);
		const translated =
			carried === undefined
				? await writeOrderAsLocal(body, loadZone)
				: { [CARRIED]: await translateCarried(context, name, carried) };
		return await translateTimes(name, { ...body, ...translated }, loadZone);
	};
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
	const carried = splitCarriedRecord(command);
	if (carried === undefined || !Array.isArray(given)) return command;
	const { entity, record } = carried;
	if (getEntity(entity) === undefined) return command;
	const names = given.map((name) => spellPath(entity, String(name)));
	const isKnown = (path: string) => findMemberType(entity, getHead(path)) !== undefined;
	const locals = getUtcMembers(entity);
	const starts = names.flatMap((name) => [name, locals.get(name) ?? name]).map(toStart);
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

/** Keeps only the Id of a record that is referred to. */
const omitNames = (type: string, value: unknown): unknown =>
	isReference(type) && isObject(value) && !isBlank(value.Id) ? { Id: value.Id } : value;
