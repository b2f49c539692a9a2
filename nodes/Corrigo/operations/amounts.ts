import { isUnset } from '../catalogue/enumerations';
import { defineRows } from '../catalogue/targets';
import { buildField, listChoices, sortByName } from '../form/fields';
import type { ResolvingRun } from '../run/context';
import { createEmptyError, formatNames, quote, ValidationError } from '../values/errors';
import { isBlank, parseMember } from '../values/input';

export const COMPANY_DEFAULT = 'company';

export const currencyField = buildField(
	'currency',
	'options',
	'Currency of the amount. Company Default is the one that all work zones use.',
	{
		options: sortByName([
			{ name: 'Company Default', value: COMPANY_DEFAULT },
			...listChoices('CurrencyType'),
		]),
		default: COMPANY_DEFAULT,
	},
);

const CHOOSE = 'Choose the one that is meant.';

/** Corrigo has a word for no currency. */
export const isNoCurrency = (value: unknown): boolean => isBlank(value) || isUnset(value);

export function readCurrency(run: ResolvingRun, label: string, input: unknown): unknown {
	if (input === COMPANY_DEFAULT) return requireCompanyCurrency(run, label);
	if (isBlank(input)) throw createEmptyError(label, CHOOSE);
	return requireCurrency(label, parseMember(label, input, 'CurrencyType'));
}

function requireCurrency(label: string, currency: unknown): unknown {
	if (!isNoCurrency(currency)) return currency;
	throw new ValidationError(`'${label}' is ${quote(currency)}, which is no currency`, CHOOSE);
}

/** Amounts have cents, or more digits in currencies such as that of Kuwait; nobody pays smaller parts. */
export const getFractionDigits = (currency: unknown): number => {
	const format = new Intl.NumberFormat('en', { style: 'currency', currency: String(currency) });
	return Math.max(2, format.resolvedOptions().maximumFractionDigits ?? 2);
};

const ZONES = defineRows('WorkZone', 'IsOffline', ['CurrencyTypeId']);

/** Each work zone has a currency; the Company has a default if all of them agree. */
export function requireCompanyCurrency(run: ResolvingRun, label: string): unknown {
	const zones = run.resolver.findRows(ZONES, false);
	const all = [...new Set(zones.map(({ CurrencyTypeId }) => CurrencyTypeId))];
	if (all.length === 1 && !isNoCurrency(all[0])) return all[0];
	throw new ValidationError(
		`'${label}' is that of the Company, whose work zones have ${all.every(isNoCurrency) ? 'none' : formatNames(all)}`,
		CHOOSE,
	);
}
