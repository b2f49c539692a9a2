export type JsonObject = Record<string, unknown>;

/** Expressions pass dates as Date or luxon objects, which count as single values. */
export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value) && !isDateObject(value);

export const isDateObject = (value: unknown): boolean => value instanceof Date || isLuxon(value);

const isLuxon = (value: unknown): value is { toISO: () => string | null } =>
	typeof (value as { toISO?: unknown } | null | undefined)?.toISO === 'function';

/** The time of such an object in ISO 8601; empty if it has none, as after a calculation with nothing. */
export const formatDateObject = (value: unknown): string => {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	return isLuxon(value) ? (value.toISO() ?? '') : '';
};

/** Returns an object that always has the same time. */
export function copyDateObject(value: unknown): unknown {
	if (value instanceof Date) return new Date(Date.prototype.getTime.call(value));
	const text = formatDateObject(value);
	return { toISO: () => text };
}

export const isAbsent = (value: unknown): boolean =>
	value === undefined || value === null || value === '';

/** A value that is not a list has no rows. */
export const toRows = (value: unknown): JsonObject[] =>
	Array.isArray(value) ? value.filter(isObject) : [];

/** Follows a path through references. Names match in any case, as in the service. */
export function readPath(row: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>((value, name) => getMember(value, name), row);
}

export function getMember(row: unknown, name: string): unknown {
	if (!isObject(row)) return undefined;
	if (Object.hasOwn(row, name)) return row[name];
	const found = Object.keys(row).find((one) => one.toLowerCase() === name.toLowerCase());
	return found === undefined ? undefined : row[found];
}

/** Reads many members of one row, which may have thousands. */
export function createMemberReader(row: JsonObject): (name: string) => unknown {
	let names: ReadonlyMap<string, string> | undefined;
	return (name) => {
		if (Object.hasOwn(row, name)) return row[name];
		// The first of several spellings counts.
		names ??= new Map(
			Object.keys(row)
				.reverse()
				.map((one) => [one.toLowerCase(), one]),
		);
		const found = names.get(name.toLowerCase());
		return found === undefined ? undefined : row[found];
	};
}

/** Records have many members, and there may be many records, so no lists are made of them. */
export function mapMembers(
	members: JsonObject,
	map: (name: string, value: unknown) => unknown,
): JsonObject {
	const mapped: JsonObject = {};
	for (const name in members) setMember(mapped, name, map(name, members[name]));
	return mapped;
}

export function filterMembers(
	members: JsonObject,
	keep: (name: string, value: unknown) => boolean,
): JsonObject {
	const kept: JsonObject = {};
	for (const name in members) {
		if (keep(name, members[name])) setMember(kept, name, members[name]);
	}
	return kept;
}

/** JSON may have a member `__proto__`, which an assignment would take for the prototype. */
function setMember(members: JsonObject, name: string, value: unknown): void {
	if (name !== '__proto__') members[name] = value;
	else Object.defineProperty(members, name, { ...ORDINARY, value });
}

const ORDINARY = { configurable: true, enumerable: true, writable: true };

/** Returns a copy; the value `undefined` removes the member. */
export const replaceMember = (members: JsonObject, name: string, value: unknown): JsonObject =>
	Object.fromEntries(
		Object.entries(members)
			.map(([one, old]) => [one, one.toLowerCase() === name.toLowerCase() ? value : old] as const)
			.filter(([, one]) => one !== undefined),
	);

/** Equal values give equal texts, whatever the order of their members. */
export const stableStringify = (value: unknown): string =>
	JSON.stringify(value, (_, one: unknown) =>
		isObject(one)
			? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
			: one,
	);

export interface LocatorValue {
	mode: string;
	value: unknown;
	/** Text that the list showed for the chosen value. */
	cachedResultName?: string;
}

/** n8n leaves out its mark `__rl` in a new field that a language model fills in. */
export const isLocator = (input: unknown): input is LocatorValue =>
	isObject(input) && typeof input.mode === 'string' && 'value' in input;

/** Fields other than resource locators hold their value directly. */
export const unwrapLocator = (input: unknown): unknown => (isLocator(input) ? input.value : input);

/** Stores a value as the newest of a cache, which forgets its oldest values beyond `max`. */
export function remember<K, V>(cache: Map<K, V>, key: K, value: V, max: number): void {
	cache.delete(key);
	cache.set(key, value);
	const [oldest] = cache.keys();
	if (cache.size > max) cache.delete(oldest);
}

/** A path through a collection leads to several values. */
export function collectValues(record: unknown, path: string): unknown[] {
	let values: unknown[] = [record];
	for (const name of path.split('.')) {
		values = values.flatMap((one) => (isObject(one) ? one[name] : undefined));
	}
	return values.filter((value) => value !== undefined && value !== null);
}

/** Adds a value to those of its group. */
export function append<K, T>(groups: Map<K, T[]>, key: K, one: T): void {
	const group = groups.get(key);
	if (group === undefined) groups.set(key, [one]);
	else group.push(one);
}
