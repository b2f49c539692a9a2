import { isEmpty } from '../form/form';
import { chosen, isObject } from '../protocol/checks';

/** As n8n writes a parameter that a language model fills in. */
const isFromModel = (raw: unknown): boolean =>
	typeof raw === 'string' && raw.startsWith('=') && /\$fromAI\s*\(/i.test(raw);

/** n8n makes a model fill in whatever it is asked for, so these are its ways to say nothing. */
const isNothing = (value: unknown): boolean =>
	isEmpty(value) ||
	(Array.isArray(value) && value.length === 0) ||
	(typeof value === 'string' && /^\s*(null|undefined)\s*$/i.test(value));

/** Where a field is there only once it is added, which a model can do no less than a person. */
const ADDED: readonly string[] = ['additionalFields', 'filters'];

/** A write that is to depend on something must not go ahead without it. */
const isGuard = (name: string) => name.startsWith('expected');

/**
 * Reads a field that a model may have filled in: empty answers, however they are worded, are `null`,
 * and optional fields with such an answer are left out. Values typed by a person stay as they are.
 */
export function normalizeModelInput(field: string, raw: unknown, value: unknown): unknown {
	if (isFromModel(raw)) return isNothing(value) ? null : value;
	if (Array.isArray(raw) && Array.isArray(value)) {
		return value.map((one, index) => normalizeModelInput('', raw[index], one));
	}
	if (!isObject(raw) || !isObject(value)) return value;
	const members = Object.entries(value).map(
		([name, one]) => [name, normalizeModelInput('', raw[name], one)] as const,
	);
	return Object.fromEntries(
		ADDED.includes(field)
			? members.filter(([name, one]) => isGuard(name) || !isLeftOut(raw[name], one))
			: members,
	);
}

const isLeftOut = (raw: unknown, value: unknown): boolean =>
	isFromModel(chosen(raw)) && isEmpty(value);
