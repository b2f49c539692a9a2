import { chosen, isObject, Refusal, type JsonObject } from '../../protocol/checks';
import { isName } from '../../protocol/names';
import { folded, positiveId } from '../../protocol/values';
import { numberForms, numbering, type Numbering } from '../../protocol/workOrderNumbers';
import { noneIfRefused } from '../../transport/errors';
import { lookUp, type RowsByValue } from '../../records/lookup';
import { allRows } from '../../records/query';
import { oncePerRun, type Call } from '../../run/context';

const BY_NUMBER = "For the number of a work order, such as ABC0010001, choose 'By Number'.";
const AS_WRITTEN = 'Numbers are texts: the prefix of the work zone and all zeros belong to them.';

/** The work order that a field names: by its id, or by its number, which takes a query for all items. */
export async function workOrderId(call: Call, label = 'Work Order', name = 'id'): Promise<number> {
	const number = numberOf(call, name);
	if (number === undefined) return positiveId(label, call.param(name, ''), BY_NUMBER);
	if (number === '') throw new Refusal(`'${label}' is empty: give the number of a work order`);
	const { exact, alike } = await foundBy(call, name);
	const same = exact.get(folded(number));
	if (same !== undefined)
		return onlyOne(same, `with the number ${number}`, ({ Id }) => `${String(Id)}`);
	const found = alike.get(folded(number));
	if (found === undefined) {
		throw new Refusal(`There is no work order with the number ${number}`, AS_WRITTEN);
	}
	return onlyOne(
		found,
		`that ${number} may mean`,
		({ Id, Number: one }) => `${String(one)} (ID ${String(Id)})`,
	);
}

const byId = (a: JsonObject, b: JsonObject) => Number(a.Id) - Number(b.Id);

const MOST_SHOWN = 10;

function onlyOne(
	orders: JsonObject[],
	which: string,
	shown: (order: JsonObject) => string,
): number {
	if (orders.length === 1) return Number(orders[0].Id);
	const more = orders.length > MOST_SHOWN ? ', …' : '';
	throw new Refusal(
		`There are several work orders ${which}: ${orders.slice(0, MOST_SHOWN).map(shown).join(', ')}${more}`,
		AS_WRITTEN,
	);
}

/** A number is a text, even where an expression makes it look like one for counting; digits alone are an ID elsewhere. */
function numberOf(call: Call, name: string): string | undefined {
	const field = call.field(name, '');
	if (isObject(field) && field.mode === 'number') return String(field.value ?? '').trim();
	const value = chosen(field);
	return isName(value) ? value.trim() : undefined;
}

/** All items together: those that are numbers as they stand, then what the others may be short for. */
const foundBy = oncePerRun(async (call, name: string) => {
	const given = new Set(call.run.calls.flatMap((one) => numberOf(one, name) || []));
	const exact = await ordersOf(call, given);
	const missing = [...given].filter((number) => !exact.has(folded(number)) && /\d/.test(number));
	const alike = missing.length === 0 ? exact : await ordersLike(call, missing);
	return { exact, alike };
});

const ordersOf = async (call: Call, numbers: Iterable<string>) =>
	await lookUp(call, { entity: 'WorkOrder', by: ['Number'] }, numbers);

/** By the number that was given, the orders that it may mean. */
async function ordersLike(call: Call, given: string[]): Promise<RowsByValue> {
	const forms = fewEnough(given, await numberingsOf(call));
	const orders = await ordersOf(call, new Set([...forms.values()].flat()));
	const found: RowsByValue = new Map();
	for (const [number, possible] of forms) {
		const fitting = possible.flatMap((one) => orders.get(folded(one)) ?? []);
		if (fitting.length > 0) found.set(folded(number), fitting.sort(byId));
	}
	return found;
}

/** Twenty queries' worth. */
const MOST_FORMS = 10_000;

/** All forms of a number or none: of several orders that it may mean, none may be overlooked. */
function fewEnough(given: string[], numberings: Numbering[]): Map<string, string[]> {
	const forms = new Map<string, string[]>();
	let room = MOST_FORMS;
	for (const number of given) {
		const possible = numberForms(number, numberings);
		room -= possible.length;
		if (room >= 0) forms.set(number, possible);
	}
	return forms;
}

/** Whoever may not read the work zones has to write numbers as they are. */
async function numberingsOf(call: Call): Promise<Numbering[]> {
	const properties = ['Id', 'WoNumberPrefix', 'WoNumberDigits'];
	const zones = allRows(call.caller, 'WorkZone', undefined, properties, call.sendOptions);
	return numbering(await zones.catch(noneIfRefused));
}
