import { enumerations } from '../../catalogue/enumerations';
import {
	isObject,
	oneOf,
	positiveId,
	Refusal,
	show,
	wholeNumber,
	type JsonObject,
} from '../../protocol/checks';
import { chosen } from '../call';

/** Nothing was filled in, in whatever way a form can be left so. */
export const isEmpty = (given: unknown): boolean => {
	const value = chosen(given);
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
};

const must = (label: string, value: unknown, what: string): never => {
	throw new Refusal(`'${label}' must be ${what}, but it is ${show(value)}`);
};

/** Objects and lists would travel as "[object Object]". */
export function textOf(label: string, value: unknown): string {
	if (isEmpty(value)) return '';
	if (typeof value === 'object') return must(label, value, 'a text');
	return String(value);
}

export function trueOrFalse(label: string, value: unknown): boolean {
	if (typeof value === 'boolean') return value;
	const text = String(value).trim().toLowerCase();
	return text === 'true' || (text !== 'false' && must(label, value, 'true or false'));
}

export function decimal(label: string, value: unknown): number {
	const number = typeof value === 'string' && value.trim() ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number)
		? number
		: must(label, value, 'a number');
}

/** Zero is what the service takes for "not given". */
export const filledInteger = (label: string, value: unknown): number =>
	wholeNumber(label, value, 1, Number.MAX_SAFE_INTEGER);

/** Ids out of a repeatable group of references; an expression may give a whole list in one of them. */
export function idsOf(label: string, group: unknown): number[] {
	const rows = isObject(group) ? rowsOf(group.values) : rowsOf(group);
	const given = rows.flatMap((row) => listed(isObject(row) ? Object.values(row)[0] : row));
	if (given.length === 0) throw new Refusal(`'${label}' is empty`);
	return [...new Set(given.map((id) => positiveId(label, id)))];
}

const rowsOf = (value: unknown): unknown[] =>
	Array.isArray(value) ? (value as unknown[]) : isEmpty(value) ? [] : [value];

function listed(reference: unknown): unknown[] {
	const value = chosen(reference);
	if (Array.isArray(value)) return value as unknown[];
	return typeof value === 'string' ? value.split(',') : [value];
}

/** `{ money: { value, currency } }` */
export function moneyOf(label: string, group: unknown): JsonObject {
	const money: unknown = isObject(group) ? group.money : undefined;
	if (!isObject(money)) return must(label, group, 'an amount with a currency');
	return {
		Value: decimal(`${label} > Value`, money.value),
		CurrencyTypeId: oneOf(`${label} > Currency`, money.currency, enumerations.CurrencyType),
	};
}
