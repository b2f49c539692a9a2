import { enumerations } from '../../catalogue/enumerations';
import { isObject, Refusal, type JsonObject } from '../../protocol/checks';
import { oneOf, positiveId, wholeNumber } from '../../protocol/values';
import { decimal, plainText as givenText } from '../../protocol/values';
import { chosen } from '../call';

/** Nothing was filled in, in whatever way a form can be left so. */
export const isEmpty = (given: unknown): boolean => {
	const value = chosen(given);
	if (isObject(value)) return Object.keys(value).length === 0;
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
};

/** Nothing stands for no text. */
export const textOf = (label: string, value: unknown): string =>
	isEmpty(value) ? '' : givenText(label, value);

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
	if (!isObject(money)) throw new Refusal(`'${label}' is empty: add an amount, or remove it`);
	return {
		Value: decimal(`${label} > Value`, money.value),
		CurrencyTypeId: oneOf(`${label} > Currency`, money.currency, enumerations.CurrencyType),
	};
}
