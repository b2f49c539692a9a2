import { loadRecordsById, lookUp } from '../../../records/query';
import type { ItemContext } from '../../../run/context';
import { TEXT } from '../../../operations/specimens';
import { ignoreRefusal } from '../../../transport/errors';
import { normalize } from '../../../values/input';
import { isObject, type JsonObject } from '../../../values/objects';

const SHOWN = ['Id', 'Number', 'StatusId'];

const buildPaths = (member: string) => SHOWN.map((one) => `${member}.${one}`);

/** A row links a work order with the one above it, with one that it waits for, or with both. */
const ROWS = {
	entity: 'WpTree',
	by: ['ChildWoId', 'ParentWorkOrder.Id'],
	properties: [...buildPaths('ParentWorkOrder'), ...buildPaths('DependOnWorkOrder')],
};

const ORDER = { Id: 1, Number: TEXT, StatusId: TEXT };

export const LINKED_ORDERS = { Parent: ORDER, Children: [ORDER], WaitsFor: [ORDER] };

/**
 * Loads the orders that work orders belong to, consist of and wait for, by the Ids of the work orders.
 * Undefined if the service user may not read the links.
 */
export async function loadLinkedOrders(
	context: ItemContext,
	orders: readonly JsonObject[],
): Promise<ReadonlyMap<string, JsonObject> | undefined> {
	const ids = orders.map(({ Id }) => Number(Id));
	const found = await lookUp(context, ROWS, ids).catch(ignoreRefusal);
	if (found === undefined) {
		context.run.addNotice(
			'Linked orders are left out: the service user of the credential may not read WpTree.',
		);
		return undefined;
	}
	const getRows = (id: number) => found.get(normalize(id)) ?? [];
	const listChildren = (id: number) =>
		getRows(id).flatMap(({ ChildWoId }) => (Number(ChildWoId) === id ? [] : [Number(ChildWoId)]));
	const known = { properties: SHOWN, isOptional: true };
	const children = await loadRecordsById(context, 'WorkOrder', ids.flatMap(listChildren), known);
	return new Map(
		ids.map((id) => {
			const own = getRows(id).filter(({ ChildWoId }) => Number(ChildWoId) === id);
			const list = (member: string) => own.map((row) => row[member]).filter(isOrder);
			const [Parent = null] = list('ParentWorkOrder');
			const Children = listChildren(id).map((one) => children.get(one) ?? { Id: one });
			return [normalize(id), { Parent, Children, WaitsFor: list('DependOnWorkOrder') }];
		}),
	);
}

const isOrder = (value: unknown): value is JsonObject => isObject(value) && Number(value.Id) > 0;
