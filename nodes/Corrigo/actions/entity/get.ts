import { propertiesField, reference } from '../../descriptions/fields';
import { optionsField } from '../../descriptions/options';
import { propertyList, type JsonObject } from '../../protocol/checks';
import { getRequest, queryRequest } from '../../protocol/requests';
import { apiError, wasRefused } from '../../transport/errors';
import { itemOf, type Call } from '../call';
import { settle, type Outcome } from '../outcome';
import type { Operation } from '../types';
import { entityFields, entityOf, type Subject } from './subject';

/** So many fit into one condition. */
const MOST_IDS = 500;

interface Wish {
	call: Call;
	entity: string;
	id: number;
	properties: string[];
}

export const getOperation = (subject: Subject): Operation => ({
	name: 'Get',
	value: 'get',
	action: `Get ${subject.one}`,
	description: `Read ${subject.one} by its ID (GET /base)`,
	fields: [
		...entityFields(subject),
		reference(subject.label, 'id', { required: true }),
		propertiesField,
		optionsField('combineItems', 'timeout'),
	],
	all: async (calls) => await getAll(subject, calls),
});

/**
 * Every request costs a connection of its own, so the records of many items are read by few queries.
 * Each item still gets its own record, or its own complaint.
 */
async function getAll(subject: Subject, calls: Call[]): Promise<Outcome[]> {
	const wishes: Wish[] = [];
	const outcomes: Outcome[] = [];
	for (const call of calls) {
		outcomes[call.item] = await settle(async () => {
			wishes.push(wishOf(subject, call));
			return [];
		});
		if (mustStop(outcomes[call.item], call)) return outcomes;
	}
	for (const group of groupsOf(wishes)) {
		const records = await recordsOf(group);
		for (const wish of group) {
			const { call } = wish;
			outcomes[call.item] = await settle(async () => [itemOf(await pick(subject, wish, records))]);
			if (mustStop(outcomes[call.item], call)) return outcomes;
		}
	}
	return outcomes;
}

const mustStop = (outcome: Outcome, { caller }: Call) =>
	'failure' in outcome && !caller.continueOnFail();

const wishOf = (subject: Subject, call: Call): Wish => ({
	call,
	entity: entityOf(subject, call),
	id: call.id(subject.label),
	properties: propertyList('Properties', call.param('properties', '*')),
});

/** Wishes that one query can fulfil: the same properties of the same entity, and not too many ids. */
function groupsOf(wishes: Wish[]): Wish[][] {
	const open = new Map<string, { ids: Set<number>; wishes: Wish[] }>();
	const groups: Wish[][] = [];
	for (const wish of wishes) {
		const { call, entity, id, properties } = wish;
		if (call.options.combineItems === false) {
			groups.push([wish]);
			continue;
		}
		const key = `${entity}?${properties.join()}`;
		let group = open.get(key);
		if (group === undefined || (group.ids.size === MOST_IDS && !group.ids.has(id))) {
			group = { ids: new Set(), wishes: [] };
			open.set(key, group);
			groups.push(group.wishes);
		}
		group.ids.add(id);
		group.wishes.push(wish);
	}
	return groups;
}

type Records = Map<number, JsonObject>;

/** Nothing when each wish needs a request of its own: it is the only one, or the query was refused. */
async function recordsOf(group: Wish[]): Promise<Records | { failure: unknown } | undefined> {
	const [{ call, entity, properties }] = group;
	const ids = [...new Set(group.map(({ id }) => id))];
	if (ids.length === 1) return undefined;
	const request = queryRequest(entity, {
		PropertySet: {
			Properties: properties.some((path) => path === '*' || path === 'Id')
				? properties
				: ['Id', ...properties],
		},
		Criteria: {
			FilterOperator: 'And',
			Conditions: [{ PropertyName: 'Id', Operator: 'In', Values: ids }],
		},
		Count: ids.length,
		FirstResultIndex: 0,
	});
	return await call.send(request).then(
		(rows) => new Map(rows.map((row) => [Number(row.Id), row])),
		(failure: unknown) => (wasRefused(failure) ? undefined : { failure }),
	);
}

async function pick(
	subject: Subject,
	{ call, entity, id, properties }: Wish,
	records: Awaited<ReturnType<typeof recordsOf>>,
): Promise<JsonObject> {
	if (records !== undefined && 'failure' in records) throw records.failure;
	const record =
		records === undefined ? await call.send(getRequest(entity, id, properties)) : records.get(id);
	if (record) return { ...record };
	throw apiError(
		call.caller.getNode(),
		`There is no ${subject.label} with the ID ${id}`,
		'Check the ID, and that the service user of the credential may see the record.',
		{ itemIndex: call.item, httpCode: '404' },
	);
}
