import { isEmpty } from '../form/form';
import { unwrapLocator, isObject } from '../values/checks';

/** n8n writes a parameter that a language model fills in as a call to `$fromAI`. */
const isFromModel = (raw: unknown): boolean =>
	typeof raw === 'string' && raw.startsWith('=') && /\$fromAI\s*\(/i.test(raw);

/** n8n makes a model fill in every field, so these values mean that it left one empty. */
const isNothing = (value: unknown): boolean =>
	isEmpty(value) ||
	(Array.isArray(value) && value.length === 0) ||
	(typeof value === 'string' && /^\s*(null|undefined)\s*$/i.test(value));

/** Fields in these collections are optional, so a model may add a field and leave it empty. */
const ADDED: readonly string[] = ['additionalFields', 'filters'];

/** A write that depends on a condition must not run without it. */
const isGuard = (name: string) => name.startsWith('expected');

/**
 * Empty answers of a model become `null`, however they are worded, and optional fields with such an
 * answer are left out. Values that a person typed stay as they are.
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
	isFromModel(unwrapLocator(raw)) && isEmpty(value);
