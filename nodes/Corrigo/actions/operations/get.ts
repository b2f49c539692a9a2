import { optionsOn } from '../../form/options';
import { propertyFields } from '../../form/properties';
import { type JsonObject } from '../../protocol/checks';
import { batches } from '../../protocol/batches';
import { getRequest, valuesQuery } from '../../protocol/requests';
import { isMissing, notFound, wasRefused } from '../../transport/errors';
import { itemOf, USUAL_READS, type Call } from '../../run/context';
import { inLanes } from '../../run/mapLimit';
import { Outcomes, type Outcome } from '../../run/outcome';
import type { Operation } from '../../run/operation';
import { propertyPaths, shaperOf } from './properties';
import type { Subject } from '../../form/subjects';
import { entityFields, entityOf, idFields, idOf } from './subject';

interface Wanted {
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
		...idFields(subject),
		...propertyFields(subject.entity, 'selected'),
		optionsOn(subject.entity, 'combineItems', 'flattenCustomFields', 'parallelRequests', 'timeout'),
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
	const wanted: Wanted[] = [];
	for (const call of calls) {
		await outcomes.settle(call, async () => {
			wanted.push(await wantedBy(subject, call));
			return [];
		});
		if (outcomes.areFinal) return outcomes.list;
	}

	const groups = batchesOf(wanted);
	const read = new Map<Wanted, Records>();
	await inLanes(
		groups.length,
		lanes,
		async (group) => {
			const records = await recordsOf(groups[group]);
			for (const one of groups[group]) read.set(one, records);
		},
		() => outcomes.areFinal,
	);
	await inLanes(
		wanted.length,
		lanes,
		async (index) => {
			const one = wanted[index];
			await outcomes.settle(one.call, async () => [
				itemOf(await pick(subject, one, read.get(one))),
			]);
		},
		() => outcomes.areFinal,
	);
	hintOfMissing(calls[0], outcomes);
	return outcomes.list;
}

async function wantedBy(subject: Subject, call: Call): Promise<Wanted> {
	const entity = entityOf(subject, call);
	const properties = propertyPaths(subject, entity, call);
	return { call, entity, properties, id: await idOf(subject, call) };
}

/** One query reads the same properties of many records of one entity. */
const batchesOf = (wanted: Wanted[]) =>
	batches(wanted, {
		values: ({ id }) => [id],
		key: ({ call, entity, properties }) =>
			call.isOn('combineItems', true) ? `${entity}?${properties.join()}` : undefined,
	});

/** Nothing when each needs a request of its own: it is the only one, or the query was refused. */
type Records = Map<number, JsonObject> | { failure: unknown } | undefined;

async function recordsOf(group: Wanted[]): Promise<Records> {
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
	{ call, entity, id, properties }: Wanted,
	records: Records,
): Promise<JsonObject> {
	if (records !== undefined && 'failure' in records) throw records.failure;
	const record =
		records === undefined ? await call.send(getRequest(entity, id, properties)) : records.get(id);
	if (record) return { ...shaperOf(entity, call)(record) };
	throw notFound(call.caller.getNode(), subject.label, id);
}

/** Said once for a run. */
export function hintOfMissing({ run }: Call, { list }: Outcomes): void {
	const missing = list.filter((one) => 'failure' in one && isMissing(one.failure)).length;
	if (missing > 0) run.hint(`${missing} of ${run.calls.length} records were not found.`);
}
