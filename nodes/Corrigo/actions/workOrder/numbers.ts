import { chosen, isObject, ValidationError, type JsonObject } from '../../protocol/checks';
import { isName } from '../../protocol/names';
import { normalize, positiveId } from '../../protocol/values';
import { numberForms, numbering, type Numbering } from '../../protocol/workOrderNumbers';
import { emptyIfForbidden } from '../../transport/errors';
import { lookUp, type RowsByValue } from '../../records/lookup';
import { allRows } from '../../records/query';
import { oncePerRun, type ItemContext } from '../../run/context';

const BY_NUMBER = "For the number of a work order, such as ABC0010001, choose 'By Number'.";
const AS_WRITTEN = 'Numbers are texts: the prefix of the work zone and all zeros belong to them.';

/** The work order that a field names: by its id, or by its number, which takes a query for all items. */
export async function workOrderId(
	context: ItemContext,
	label = 'Work Order',
	name = 'id',
): Promise<number> {
	const number = numberOf(context, name);
	if (number === undefined) return positiveId(label, context.param(name, ''), BY_NUMBER);
	if (number === '')
		throw new ValidationError(`'${label}' is empty: give the number of a work order`);
	const { exact, alike } = await foundBy(context, name);
	const same = exact.get(normalize(number));
	if (same !== undefined)
		return onlyOne(same, `with the number ${number}`, ({ Id }) => `${String(Id)}`);
	const found = alike.get(normalize(number));
	if (found === undefined) {
		throw new ValidationError(`There is no work order with the number ${number}`, AS_WRITTEN);
	}
	return onlyOne(
		found,
		`that ${number} may mean`,
		({ Id, Number: one }) => `${String(one)} (ID ${String(Id)})`,
	);
}

const byId = (a: JsonObject, b: JsonObject) => Number(a.Id) - Number(b.Id);

const MAX_SHOWN = 10;

function onlyOne(
	orders: JsonObject[],
	which: string,
	shown: (order: JsonObject) => string,
): number {
	if (orders.length === 1) return Number(orders[0].Id);
	const more = orders.length > MAX_SHOWN ? ', …' : '';
	throw new ValidationError(
		`There are several work orders ${which}: ${orders.slice(0, MAX_SHOWN).map(shown).join(', ')}${more}`,
		AS_WRITTEN,
	);
}

/** A number is a text, even where an expression makes it look like one for counting; digits alone are an ID elsewhere. */
function numberOf(context: ItemContext, name: string): string | undefined {
	const field = context.field(name, '');
	if (isObject(field) && field.mode === 'number') return String(field.value ?? '').trim();
	const value = chosen(field);
	return isName(value) ? value.trim() : undefined;
}

/** All items together: those that are numbers as they stand, then what the others may be short for. */
const foundBy = oncePerRun(async (context, name: string) => {
	const given = new Set(context.run.contexts.flatMap((one) => numberOf(one, name) || []));
	const exact = await ordersOf(context, given);
	const missing = [...given].filter((number) => !exact.has(normalize(number)) && /\d/.test(number));
	const alike = missing.length === 0 ? exact : await ordersLike(context, missing);
	return { exact, alike };
});

const ordersOf = async (context: ItemContext, numbers: Iterable<string>) =>
	await lookUp(context, { entity: 'WorkOrder', by: ['Number'] }, numbers);

/** By the number that was given, the orders that it may mean. */
async function ordersLike(context: ItemContext, given: string[]): Promise<RowsByValue> {
	const forms = fewEnough(given, await numberingsOf(context));
	const orders = await ordersOf(context, new Set([...forms.values()].flat()));
	const found: RowsByValue = new Map();
	for (const [number, possible] of forms) {
		const fitting = possible.flatMap((one) => orders.get(normalize(one)) ?? []);
		if (fitting.length > 0) found.set(normalize(number), fitting.sort(byId));
	}
	return found;
}

/** Twenty queries' worth. */
const MAX_FORMS = 10_000;

/** All forms of a number or none: of several orders that it may mean, none may be overlooked. */
function fewEnough(given: string[], numberings: Numbering[]): Map<string, string[]> {
	const forms = new Map<string, string[]>();
	let room = MAX_FORMS;
	for (const number of given) {
		const possible = numberForms(number, numberings);
		room -= possible.length;
		if (room >= 0) forms.set(number, possible);
	}
	return forms;
}

/** Whoever may not read the work zones has to write numbers as they are. */
async function numberingsOf(context: ItemContext): Promise<Numbering[]> {
	const properties = ['Id', 'WoNumberPrefix', 'WoNumberDigits'];
	const zones = allRows(context.caller, 'WorkZone', undefined, properties, context.sendOptions);
	return numbering(await zones.catch(emptyIfForbidden));
}
