import { getEntity } from '../../catalogue/entities';
import { getNoun } from '../../catalogue/views';
import type { NameReader, Reference } from '../../records/names';
import { quote, quoteText, quoteUnlessPlain } from '../../values/errors';
import { isObject } from '../../values/objects';
import { NOT_CREATED } from '../../wire/requests';

const MAX_ROWS = 3;

/** Room for an address. Nobody reads a longer value to its end. */
const MAX_JOINED = 1_000;

/** Returns "work order CHL0000271", or "work order ID 271" if its number is not known. */
export function describeReference({ entity, id }: Reference, getName: NameReader): string {
	const noun = getQuotedNoun(entity);
	if (Number(id) === NOT_CREATED) return `the new ${noun}`;
	const name = getName(entity, id);
	return `${noun} ${name === undefined ? `ID ${formatText(String(id))}` : formatText(name)}`;
}

export const getQuotedNoun = (entity: string): string =>
	getEntity(entity) === undefined ? formatText(entity) : getNoun(entity);

/** Different values get different texts, unless they are cut. */
export function toText(value: unknown): string {
	if (value === null || value === undefined) return 'empty';
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (Array.isArray(value)) {
		const rows = value.slice(0, MAX_ROWS).map(toText);
		const more = value.length - rows.length;
		return join([...rows, ...(more > 0 ? [`${more} more`] : [])], '; ') || 'empty';
	}
	if (!isObject(value))
		return typeof value === 'number' ? String(value) : formatText(String(value));
	if ('CurrencyTypeId' in value) return `${toText(value.Value)} ${toText(value.CurrencyTypeId)}`;
	if ('Id' in value)
		return value.Name === undefined ? `ID ${formatText(String(value.Id))}` : toText(value.Name);
	return join(Object.values(value).map(toText), ' / ');
}

/** Quotation marks enclose a value that is cut, so that they end within it. */
function join(texts: readonly string[], separator: string): string {
	const text = texts.join(separator);
	return text.length > MAX_JOINED ? quoteText(text, MAX_JOINED) : text;
}

const WORDS = ['empty', 'yes', 'no'];

export function formatText(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return WORDS.includes(line) ? quote(line) : quoteUnlessPlain(line);
}
