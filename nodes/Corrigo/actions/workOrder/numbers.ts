import { chosen } from '../../descriptions/form';
import { isObject, Refusal, type JsonObject } from '../../protocol/checks';
import { positiveId } from '../../protocol/values';
import { batches } from '../../protocol/batches';
import { valuesQuery } from '../../protocol/requests';
import { send } from '../../transport/send';
import { oncePerRun, type Call } from '../call';

type Found = Map<string, number[]>;

/** The work order that a field names: by its id, or by its number, which takes a query for all items. */
export async function workOrderId(call: Call, label = 'Work Order', name = 'id'): Promise<number> {
	const field = call.field(name, '');
	if (!isObject(field) || field.mode !== 'number') return positiveId(label, chosen(field));
	const number = numberOf(call, name);
	if (number === undefined)
		throw new Refusal(`'${label}' is empty: give the number of a work order`);
	const found = await foundBy(call, name);
	const ids = found.get(number.toLowerCase()) ?? [];
	if (ids.length === 1) return ids[0];
	throw new Refusal(
		ids.length === 0
			? `There is no work order with the number ${number}`
			: `There are several work orders with the number ${number}: ${ids.join(', ')}`,
		'Numbers are texts: the prefix of the work zone and all zeros belong to them.',
	);
}

/** A number is a text, even where an expression makes it look like one for counting. */
function numberOf(call: Call, name: string): string | undefined {
	const field = call.field(name, '');
	const number = isObject(field) ? String(field.value ?? '').trim() : '';
	return number === '' ? undefined : number;
}

const foundBy = oncePerRun(async (call, name: string): Promise<Found> => {
	const given = call.run.calls.map((one) => numberOf(one, name)).filter((one) => one !== undefined);
	const found: Found = new Map();
	for (const some of batches(new Set(given))) {
		const rows = await send(
			call.caller,
			valuesQuery('WorkOrder', 'Number', some, ['Id', 'Number'], 2 * some.length),
			call.sendOptions,
		);
		for (const row of rows) remember(found, row);
	}
	return found;
});

function remember(found: Found, { Id, Number: number }: JsonObject): void {
	const key = String(number).toLowerCase();
	found.set(
		key,
		[...(found.get(key) ?? []), Number(Id)].sort((a, b) => a - b),
	);
}
