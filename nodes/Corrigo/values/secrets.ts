import { isFileLink, isSecret } from '../catalogue/members';
import { HIDDEN } from './errors';
import { tryJson } from './json';
import { isAbsent, isLocator, isObject, mapMembers, unwrapLocator } from './objects';

const readText = (value: unknown): string => {
	const text = unwrapLocator(value);
	return typeof text === 'string' ? text : '';
};

const HOLDS_VALUE = /value(?:s|To)?$/i;

/** A condition, a custom field or a setting names a member next to its value, which may be any text. */
const namesSecret = (row: object): boolean =>
	!isLocator(row) &&
	Object.entries(row).some(([name, one]) => !HOLDS_VALUE.test(name) && isSecretName(readText(one)));

/** A longer text is no name. */
const isSecretName = (text: string): boolean => text.length < 60 && isSecret(text);

const createSecretTest = (owner: object): ((name: string) => boolean) =>
	namesSecret(owner) ? (name) => isSecret(name) || HOLDS_VALUE.test(name) : isSecret;

export function hideSecrets(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(hideSecrets);
	if (!isObject(value)) return value;
	const isSecretHere = createSecretTest(value);
	return mapMembers(value, (name, one) => (isSecretHere(name) ? HIDDEN : hideSecrets(one)));
}

/**
 * Lists the texts that a form or a request gives secret members, also inside JSON text, and the links
 * to files: whoever has one can read the file. They are taken out of all other texts.
 */
export function listSecrets(value: unknown): string[] {
	const found = new Set<string>();
	// No recursion: a value may be nested to any depth.
	const parts = [{ value, isOwn: false }];
	for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
		const { isOwn } = part;
		const inner =
			typeof part.value === 'string' ? (parseText(part.value) ?? part.value) : part.value;
		if (typeof inner !== 'object' || inner === null) {
			if (isOwn && !isAbsent(inner) && typeof inner !== 'boolean') {
				for (const secret of [String(inner), ...listLinkParts(String(inner))]) found.add(secret);
			}
			continue;
		}
		if (isOwn && typeof part.value === 'string') found.add(part.value);
		const isSecretHere = createSecretTest(inner);
		for (const [name, one] of Object.entries(inner)) {
			const isLink = isFileLink(name) && /^https?:\/\/./i.test(readText(one));
			parts.push({ value: one, isOwn: isOwn || isLink || isSecretHere(name) });
		}
	}
	found.delete(HIDDEN);
	return [...found];
}

/** Shorter parts of a link may be words. */
const MIN_PART_LENGTH = 8;

const IS_SIGNATURE = /auth|code|cred|hash|key|mac|pass|policy|secret|sig|token/i;

/** Lists what opens a file also without the beginning of its link: the path with the query, and signatures. */
function listLinkParts(text: string): string[] {
	const url = /^https?:\/\/./i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined) return [];
	const signatures = [...url.searchParams].filter(([name]) => IS_SIGNATURE.test(name));
	return [url.pathname + url.search, url.password, url.hash.slice(1)]
		.concat(signatures.map(([, value]) => value))
		.filter(({ length }) => length >= MIN_PART_LENGTH);
}

/** Returns the object or list that a text holds as JSON. */
function parseText(text: string): object | undefined {
	const parsed = /^\s*["[{]/.test(text) ? tryJson(text) : {};
	if (!('value' in parsed)) return undefined;
	const { value } = parsed;
	if (typeof value === 'string') return parseText(value);
	return typeof value === 'object' && value !== null ? value : undefined;
}
