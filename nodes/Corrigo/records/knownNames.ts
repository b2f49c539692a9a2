import { getEntity, findEntityMemberType } from '../catalogue/entities';
import { isEnumerationName } from '../catalogue/enumerations';
import { getEndMembers, findMemberTarget, getEntityTarget } from '../catalogue/targets';
import { getEntityView } from '../catalogue/views';
import { isBlank, type JsonObject, readPath } from '../values/checks';
import { getRecordKey } from '../compare/keys';
import { NOT_CREATED } from '../wire/requests';

/** Returns the name of a record, if it is known. */
export type NameLookup = (entity: string, id: unknown) => string | undefined;

/** Remembers the names of records that a run reads anyway, so names need no requests. */
export class KnownNames {
	private readonly names = new Map<string, string>();

	readonly getName: NameLookup = (entity, id) => this.names.get(getRecordKey(entity, id));

	note(entity: string, id: unknown, name: unknown): void {
		if (isBlank(id) || isBlank(name) || Number(id) === NOT_CREATED) return;
		this.names.set(getRecordKey(entity, id), String(name));
	}

	/** The record must have been read with the paths of `getNamePaths`. */
	noteRecord(entity: string, record: JsonObject, properties: readonly string[] = []): void {
		const [own] = getEntityTarget(entity).by;
		if (own !== undefined) this.note(entity, record.Id, readPath(record, own));
		for (const { path, name, entity: other } of getNamedReferences(entity, properties)) {
			this.note(other, readPath(record, path), readPath(record, name));
		}
		for (const row of Array.isArray(record.CustomFields) ? record.CustomFields : []) {
			const { Id, Name } = (readPath(row, 'Descriptor') ?? {}) as JsonObject;
			this.note('CustomFieldDescriptor', Id, Name);
		}
	}

	/** A record that is selected from a list shows its name there. */
	noteChoice(entity: string, id: unknown, shown: string): void {
		if (getEntityTarget(entity).by.length > 0) this.note(entity, id, parseListName(entity, shown));
	}
}

/** Includes the name of the record itself and of each record that a property refers to. */
export const getNamePaths = (entity: string, properties: readonly string[]): string[] => [
	...getEntityTarget(entity).by.slice(0, 1),
	...getNamedReferences(entity, properties).map(({ name }) => name),
	...(properties.includes('CustomFields.*')
		? ['CustomFields.Descriptor.Id', 'CustomFields.Descriptor.Name']
		: []),
];

const getNamedReferences = (entity: string, properties: readonly string[]) =>
	properties.flatMap((path) => {
		const target = /\.Id$/i.test(path) ? findMemberTarget(entity, path) : undefined;
		const [by = '.'] = target?.by ?? [];
		return target === undefined || by.includes('.')
			? []
			: [{ path, name: path.replace(/Id$/i, by), entity: target.entity }];
	});

/**
 * Lists show details in brackets after a name. The name itself may end with brackets, so it is
 * known only if either every record has details or none has.
 */
function parseListName(entity: string, shown: string): string | undefined {
	const { details = [], owner } = getEntityView(entity);
	const isAlone = details.length + getEndMembers(entity).length === 0 && owner === undefined;
	if (!shown.endsWith(')') || isAlone) return parseWholeName(shown);
	return details.some((path) => isAlwaysPresent(entity, path))
		? parseWholeName(shown.slice(0, findOpeningBracket(shown)).trimEnd())
		: undefined;
}

const isAlwaysPresent = (entity: string, path: string) =>
	isEnumerationName(findEntityMemberType(entity, path) ?? '') ||
	getEntity(entity)?.required?.includes(path.split('.')[0]) === true;

/** A list shortens long names and shows the ID of a record without one; neither is a name. */
const parseWholeName = (name: string) => (/…$|^ID \d+$/.test(name) ? undefined : name);

/** Finds the start of the brackets that end the text. */
function findOpeningBracket(text: string): number {
	let open = 0;
	for (let index = text.length - 1; index >= 0; index -= 1) {
		if (text[index] === ')') open += 1;
		if (text[index] === '(') open -= 1;
		if (open === 0) return index;
	}
	return 0;
}
