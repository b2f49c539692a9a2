import { fail } from './errors';
import { parseList } from './json';
import { spellPath } from './members';
import { isBlank } from './scalars';

/** Names become a path segment, and are looked up in objects that inherit names such as `constructor`. */
export function parseIdentifier(field: string, value: unknown): string {
	const name = typeof value === 'string' ? value.trim() : value;
	if (typeof name !== 'string' || !/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || name in {}) {
		fail(field, value, 'a name of Corrigo, made of letters, digits and underscores');
	}
	return name;
}

/** Commands have a full name (WoCreateCommand); some have a short form (WorkZone/Create). */
export function parseCommandClass(field: string, value: unknown): string {
	if (typeof value !== 'string') return parseIdentifier(field, value);
	const segments = value.trim().split('/');
	if (segments.length > 2) {
		fail(field, value, 'the name of a command, such as WoCancelCommand or WorkZone/Create');
	}
	return segments.map((segment) => parseIdentifier(field, segment)).join('/');
}

/** Accepts a path such as `Customer.DisplayAs`, or a wildcard such as `*` or `Items.*`. */
export function parsePropertyPath(field: string, value: unknown, allowWildcard = false): string {
	const path = typeof value === 'string' ? value.trim() : '';
	if (PROPERTY_PATH.test(path) || (allowWildcard && WILDCARD.test(path))) return path;
	const examples = allowWildcard ? 'Number, Customer.DisplayAs, Items.*, *' : 'Number, Customer.Id';
	return fail(field, value, 'a field name or a dotted path', `Examples: ${examples}`);
}

const PROPERTY_PATH = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

const WILDCARD = /^([A-Za-z_]\w*\.)*\*$/;

/**
 * Accepts a comma-separated list or an array, and returns each path once, in the contract's spelling.
 * An empty list means all own properties.
 */
export function parsePropertyList(field: string, entity: string, value: unknown): string[] {
	const entries = isBlank(value) ? [] : parseList(field, value);
	const paths = entries.map((path) => spellPath(entity, parsePropertyPath(field, path, true)));
	return paths.length === 0 ? ['*'] : [...new Set(paths)];
}
