import { optionsField } from '../../descriptions/options';
import { propertyFields } from '../../descriptions/properties';
import { type JsonObject } from '../../protocol/checks';
import { getRequest, valuesQuery } from '../../protocol/requests';
import { apiError, isMissing, wasRefused } from '../../transport/errors';
import { itemOf, USUAL_READS, type Call } from '../call';
import { inLanes } from '../lanes';
import { MOST_VALUES } from '../workOrder/numbers';
import { Outcomes, type Outcome } from '../outcome';
import type { Operation } from './operation';
import { propertiesOf, shaperOf } from './properties';
import { entityFields, entityOf, idField, idOf, type Subject } from './subject';

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
		idField(subject),
		...propertyFields(subject.entity, 'selected'),
		optionsField('combineItems', 'flattenCustomFields', 'parallelRequests', 'timeout'),
	],
	all: async (calls) => await getAll(subject, calls),
});

/**
 * Every request costs a connection of its own, so the records of many items are read by few queries.
 * Each item still gets its own record, or its own complaint.
 */
async function getAll(subject: Subject, calls: Call[]): Promise<Outcome[]> {
	const [{ caller }] = calls;
	const lanes = calls[0].lanes(USUAL_READS);
	const outcomes = new Outcomes(caller);
	const wishes: Wish[] = [];
	for (const call of calls) {
		await outcomes.settle(call.item, async () => {
			wishes.push(await wishOf(subject, call));
			return [];
		});
		if (outcomes.areFinal) return outcomes.list;
	}

	const groups = groupsOf(wishes);
	const read = new Map<Wish, Records>();
	await inLanes(
		groups.length,
		lanes,
		async (group) => {
			const records = await recordsOf(groups[group]);
			for (const wish of groups[group]) read.set(wish, records);
		},
		() => outcomes.areFinal,
	);
	await inLanes(
		wishes.length,
		lanes,
		async (index) => {
			const wish = wishes[index];
			await outcomes.settle(wish.call.item, async () => [
				itemOf(await pick(subject, wish, read.get(wish))),
			]);
		},
		() => outcomes.areFinal,
	);
	const missing = outcomes.list.filter((one) => 'failure' in one && isMissing(one.failure)).length;
	if (missing > 0) calls[0].run.hint(`${missing} of ${calls.length} records were not found.`);
	return outcomes.list;
}

async function wishOf(subject: Subject, call: Call): Promise<Wish> {
	const entity = entityOf(subject, call);
	const properties = propertiesOf(subject, entity, call);
	return { call, entity, properties, id: await idOf(subject, call) };
}

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
		if (group === undefined || (group.ids.size === MOST_VALUES && !group.ids.has(id))) {
			group = { ids: new Set(), wishes: [] };
			open.set(key, group);
			groups.push(group.wishes);
		}
		group.ids.add(id);
		group.wishes.push(wish);
	}
	return groups;
}

/** Nothing when each wish needs a request of its own: it is the only one, or the query was refused. */
type Records = Map<number, JsonObject> | { failure: unknown } | undefined;

async function recordsOf(group: Wish[]): Promise<Records> {
	const [{ call, entity, properties }] = group;
	const ids = [...new Set(group.map(({ id }) => id))];
	if (group.length === 1) return undefined;
	if (ids.length === 1) {
		return await call.send(getRequest(entity, ids[0], properties)).then(
			(record) => new Map(record ? [[ids[0], record]] : []),
			(failure: unknown) => ({ failure }),
		);
	}
	const withId = properties.some((path) => path === '*' || path === 'Id')
		? properties
		: ['Id', ...properties];
	return await call.send(valuesQuery(entity, 'Id', ids, withId)).then(
		(rows) => new Map(rows.map((row) => [Number(row.Id), row])),
		(failure: unknown) => (wasRefused(failure) ? undefined : { failure }),
	);
}

async function pick(
	subject: Subject,
	{ call, entity, id, properties }: Wish,
	records: Records,
): Promise<JsonObject> {
	if (records !== undefined && 'failure' in records) throw records.failure;
	const record =
		records === undefined ? await call.send(getRequest(entity, id, properties)) : records.get(id);
	if (record) return { ...shaperOf(entity, call)(record) };
	throw apiError(
		call.caller.getNode(),
		`There is no ${subject.label} with the ID ${id}`,
		'Check the ID, and that the service user of the credential may see the record.',
		{ itemIndex: call.item, httpCode: '404' },
	);
}
