import { enumerations, isUnset } from '../catalogue/enumerations';
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

const WITH_THOUSANDTHS: readonly unknown[] = ['BHD', 'JOD', 'KWD', 'OMR', 'TND'] satisfies Array<
	(typeof enumerations)['CurrencyType'][number]
>;

/** Nobody pays a smaller part than this many digits can say. */
export const getFractionDigits = (currency: unknown): number =>
	WITH_THOUSANDTHS.includes(currency) ? 3 : 2;

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
