import { isFileLink, isSecret, SECRET_WORD } from '../catalogue/members';
import { isAbsent, isObject, mapMembers } from './objects';

/** Many people may see outputs and errors, so they must not contain a password. */
export const HIDDEN = '(not shown)';

export function hideSecrets(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(hideSecrets);
	if (!isObject(value)) return value;
	return mapMembers(value, (name, one) => (isSecret(name) ? HIDDEN : hideSecrets(one)));
}

/** Lists the values that a request gives secret members, so that they can be taken out of other texts. */
export function listSecrets(value: unknown, isInSecret = false): string[] {
	if (typeof value !== 'object' || value === null)
		return isInSecret && !isAbsent(value) ? [String(value)] : [];
	// A condition names the member next to its values.
	const isAbout = isInSecret || ('PropertyName' in value && isSecret(String(value.PropertyName)));
	return Object.entries(value).flatMap(([name, one]) =>
		name === 'PropertyName' ? [] : listSecrets(one, isAbout || isSecret(name)),
	);
}

/** Lists the links to files in a write: whoever has one can read the file. */
export function listFileLinks(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, one]) =>
		isFileLink(name) && typeof one === 'string' && /^https?:\/\/./i.test(one)
			? [one]
			: listFileLinks(one),
	);
}

/** Takes links out of all texts but the members that hold them, which n8n hides. */
export function hideFileLinks<T>(value: T, links: readonly string[]): T {
	if (links.length === 0) return value;
	const hide = (one: unknown): unknown => {
		if (typeof one === 'string')
			return links.reduce((text, link) => text.split(link).join(HIDDEN), one);
		if (Array.isArray(one)) return one.map(hide);
		if (!isObject(one)) return one;
		return mapMembers(one, (name, inner) => (isFileLink(name) ? inner : hide(inner)));
	};
	return hide(value) as T;
}

/** A secret member or field in a text that may be no valid JSON, with its value, which may be cut. */
const NAMED_SECRET = new RegExp(
	`(${SECRET_WORD}\\\\{0,3}["']?\\s{0,9}[:=]\\s{0,9})(?:\\\\{0,3}"(?:\\\\.|[^"\\\\])*"?|'[^']*'?|[^\\s,;}\\]]+)`,
	'gis',
);

export const hideSecretsInText = (text: string): string =>
	text.replace(NAMED_SECRET, `$1${HIDDEN}`);
