import { isObject, mapMembers } from '../values/objects';

type Method<Context, Given extends unknown[], Result> = (
	this: Context,
	...given: Given
) => Promise<Result>;

/** An expression that gives the text. */
const toLiteral = (text: string): string => {
	const toCode = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return `={{ "${text.replace(/[^a-z\d ]/gi, toCode)}" }}`;
};

/**
 * The editor stores what a list returns in the node, where n8n takes a text that begins with `=` for an
 * expression of the author. A name gets a blank before it; a value must arrive as it is.
 */
export const returnPlainTexts = <Context, Given extends unknown[], Result>(
	method: Method<Context, Given, Result>,
	/** Expressions of this package. */
	isOwn: (item: unknown) => boolean = () => false,
): Method<Context, Given, Result> => {
	const toPlain = (value: unknown, name = ''): unknown => {
		if (Array.isArray(value)) return value.map((one) => toPlain(one));
		if (isObject(value))
			return isOwn(value) ? value : mapMembers(value, (inner, one) => toPlain(one, inner));
		if (typeof value !== 'string' || !value.startsWith('=')) return value;
		return name === 'value' ? toLiteral(value) : ` ${value}`;
	};
	return async function (...given) {
		return toPlain(await method.call(this, ...given)) as Result;
	};
};
