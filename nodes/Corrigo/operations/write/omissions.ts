import {
	belongsToOne,
	isCollection,
	parts,
	REQUEST_ONLY,
	toRowType,
} from '../../catalogue/entities';
import { isUnset } from '../../catalogue/enumerations';
import {
	findDescriptorEntity,
	findRowKinds,
	getWrittenType,
	isIdentity,
	splitPath,
} from '../../catalogue/members';
import { getUtcMembers } from '../../catalogue/times';
import { createColumnFinder, listNamePaths, type Column, type Verb } from '../../columns/columns';
import { findExplained, isExplanation } from '../../columns/writable';
import { getId } from '../../compare/differences';
import { isBlank, normalize } from '../../values/input';
import { findRowKind, getKind, isDeletion } from '../../values/rows';
import { spellPath } from '../../values/memberNames';
import { getMember, isObject, type JsonObject, readPath } from '../../values/objects';

/** Values of an item that no field takes, and the reason in the words of the notice. */
export const OMISSIONS = {
	name: 'Left out, as no field has this name',
	row: 'Left out, as no field takes these rows',
	secondRow: 'Left out, as a field takes one row of a kind',
	shape: 'Left out, as a field takes it by its parts or as rows only',
	amount: 'Left out, as an amount without a value or a currency changes nothing',
	kept: 'Left out, as Corrigo keeps it itself or no field takes it',
	namesake:
		'Not written to the custom field or attribute of the same name, as a field of the record has it',
} as const;

interface Omission {
	reason: keyof typeof OMISSIONS;
	path: string;
}

type NamedColumn = Pick<Column, 'id' | 'label'>;

/**
 * Finds what an item that is mapped by name would lose. Names that Corrigo has for more than its
 * forms show are no news: items often are records that were read.
 */
export function createOmissionFinder(owner: string, verb: Verb, columns: readonly NamedColumn[]) {
	const finder = createColumnFinder(owner, columns);
	const ids = columns.map(({ id }) => normalize(id));
	const names = new Set([...ids, ...columns.map(({ label }) => normalize(label))]);
	const namePaths = new Set(
		columns.flatMap(({ id }) => listNamePaths(owner, id).map(({ path }) => normalize(path))),
	);
	/** Most items have the same names, so each is judged once. */
	const judged = new Set<string>();

	function isKnownName(path: string): boolean {
		const { owner: inner, member } = splitPath(owner, path);
		const isMember = getWrittenType(owner, path) !== '';
		const isNamed =
			names.has(normalize(path)) ||
			finder.findNamed(path).length > 0 ||
			finder.findAmountPart(path) !== undefined;
		const isRecordName = namePaths.has(normalize(path));
		return isNamed || isMember || isRecordName || isExplanation(inner, member);
	}

	const locals = getUtcMembers(owner);

	/** A member without a field is no news if its value is nothing, or is written as another member. */
	function isKept(path: string, value: unknown): boolean {
		const type = getWrittenType(owner, path);
		const { names: parents, owner: inner, member } = splitPath(owner, path);
		const isOwn = parents.length === 0 || member === 'Id' || isAmountValue(inner, member);
		const isMember = type !== '' && !isCollection(type) && isOwn;
		const isSaid = names.has(normalize(path)) || hasColumn(path) || locals.has(path);
		const isContent = !isIdentity(path) && !REQUEST_ONLY.includes(path);
		return isMember && isContent && !isSaid && !isNothing(value);
	}

	/** A text or a number where a member has parts or rows, or a list where it has parts. */
	function hasOtherShape(path: string, value: unknown): boolean {
		const type = getWrittenType(owner, path);
		if (names.has(normalize(path)) || isNothing(value) || isObject(value)) return false;
		const isWhole = isCollection(type) || belongsToOne(type);
		// An amount may be its value alone.
		if (Array.isArray(value)) {
			return findRowKinds(toRowType(type)) === undefined
				? isWhole && !isCollection(type)
				: !isCollection(type) || value.some(isSingle);
		}
		return isWhole && type !== 'MoneyValue';
	}

	/** Custom fields and attributes that share their label with a field of the record. */
	function hasNamesake(path: string): boolean {
		const named = columns.filter(({ id, label }) =>
			[id, label].some((one) => normalize(one) === normalize(path)),
		);
		return named.length > finder.findNamed(path).length;
	}

	const hasColumn = (path: string): boolean => {
		const id = normalize(path);
		return ids.some((one) => one === id || one.startsWith(`${id}.`));
	};

	/** Only a record that is embedded has columns other than its Id. */
	const hasInnerColumns = (path: string): boolean => {
		const start = `${normalize(path)}.`;
		return ids.some((id) => id.startsWith(start) && id !== `${start}id`);
	};

	function findInKinds(list: string, type: string, value: JsonObject): Omission[] {
		const isNamed = findDescriptorEntity(type) !== undefined;
		const isTaken = (kind: string) =>
			isNamed
				? finder.findEntry(list, kind).length > 0
				: hasColumn(`${list}.${findRowKind(type, kind) ?? kind}`);
		return Object.entries(value)
			.filter(([kind, content]) => !isBlank(content) && !isTaken(kind))
			.map(([kind]) => ({ reason: 'row', path: `${list} > ${kind}` }));
	}

	function findInRows(list: string, type: string, rows: readonly unknown[]): Omission[] {
		if (findRowKinds(type) === undefined) {
			return rows.some((row) => isLost(verb, row)) ? [{ reason: 'row', path: list }] : [];
		}
		const taken = new Map<string, JsonObject>();
		return rows.filter(isObject).flatMap((row): Omission[] => {
			if (!hasContent(type, row)) return [];
			const kind = getKind(type, row);
			const name = readPath(row, 'Descriptor.Name') ?? kind;
			const path = isBlank(name) ? list : `${list} > ${String(name)}`;
			if (kind === undefined || isDeletion(row) || !hasColumn(`${list}.${kind}`)) {
				return [{ reason: 'row', path }];
			}
			const first = taken.get(kind);
			if (first === undefined) taken.set(kind, row);
			return first === undefined || hasSameContent(type, first, row)
				? []
				: [{ reason: 'secondRow', path }];
		});
	}

	function findInside(path: string, value: object): Omission[] {
		const type = getWrittenType(owner, path);
		if (names.has(normalize(path))) {
			// A field of links adds them only.
			const removes = Array.isArray(value) && isCollection(type) && value.some(isDeletion);
			return removes ? [{ reason: 'row', path }] : [];
		}
		if (isCollection(type)) {
			const rowType = toRowType(type);
			if (Array.isArray(value)) return findInRows(path, rowType, value);
			const isByKind = isObject(value) && findRowKinds(rowType) !== undefined;
			return isByKind ? findInKinds(path, rowType, value) : [];
		}
		return isObject(value) && hasInnerColumns(path) ? find(value, `${path}.`) : [];
	}

	function find(input: JsonObject, prefix = ''): Omission[] {
		const found: Omission[] = [];
		for (const name in input) {
			const given = prefix + name.trim();
			const value = input[name];
			const isObjectOrList = typeof value === 'object' && value !== null;
			if (judged.has(given) && !isObjectOrList) continue;
			const path = spellPath(owner, given);
			if (!judged.has(given) && !isKnownName(path)) found.push({ reason: 'name', path: given });
			// A label is lost as the member is that it explains, which is named once.
			const explained = findExplained(owner, path);
			const isTwice = explained !== undefined && getMember(input, explained) !== undefined;
			if (!judged.has(given) && !isTwice && isKept(explained ?? path, value)) {
				found.push({ reason: 'kept', path: given });
			}
			if (!judged.has(given) && hasNamesake(path)) found.push({ reason: 'namesake', path: given });
			if (hasOtherShape(path, value)) found.push({ reason: 'shape', path: given });
			if (!isNothing(value)) judged.add(given);
			if (isObjectOrList) found.push(...findInside(path, value));
		}
		return found;
	}

	return (input: JsonObject): Omission[] => find(input);
}

/** A sheet has one column for the value of an amount, and another for its currency. */
const isAmountValue = (owner: string, member: string): boolean =>
	owner === 'MoneyValue' && member === 'Value';

const isSingle = (value: unknown): boolean =>
	!isObject(value) && !Array.isArray(value) && !isBlank(value);

/** Answers have these where there is nothing. */
const isNothing = (value: unknown): boolean =>
	isBlank(value) ||
	value === 0 ||
	value === false ||
	isUnset(value) ||
	(isObject(value) && Object.values(value).every(isNothing));

/**
 * An update loses nothing of a row that has only its Id, because Corrigo has that row. Other values of a
 * row may have been changed since it was read.
 */
const isLost = (verb: Verb, row: unknown): boolean =>
	verb === 'create' ||
	isBlank(getId(row)) ||
	(isObject(row) && !Object.keys(row).every(isIdentity));

/** Members of a row that fields write. */
function listContent(type: string): readonly string[] {
	const { by, value, details } = findRowKinds(type) ?? { by: '', value: '', details: [] };
	return parts[type]?.filter((part) => part !== by) ?? [value, ...details];
}

const hasContent = (type: string, row: JsonObject): boolean =>
	isDeletion(row) || listContent(type).some((name) => !isBlank(getMember(row, name)));

const hasSameContent = (type: string, one: JsonObject, other: JsonObject): boolean =>
	listContent(type).every((name) => {
		const [a, b] = [one, other].map((row) => normalize(getMember(row, name) ?? ''));
		return a === b;
	});
