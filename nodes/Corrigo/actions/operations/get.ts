import { optionsOn } from '../../form/options';
import { propertyFields } from '../../form/properties';
import { type JsonObject } from '../../protocol/checks';
import { batches } from '../../protocol/batches';
import { getRequest, valuesQuery } from '../../protocol/requests';
import { isMissing, notFound, wasRefused } from '../../transport/errors';
import { itemOf, DEFAULT_READS, type ItemContext } from '../../run/context';
import { forEachLimit } from '../../run/mapLimit';
import { Outcomes, type Outcome } from '../../run/outcome';
import type { Operation } from '../../run/operation';
import { propertyPaths, shaperOf } from './properties';
import type { Subject } from '../../form/subjects';
import { entityFields, entityOf, idFields, idOf } from './subject';

interface Wanted {
	context: ItemContext;
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
		...propertyFields(subject.entity),
		optionsOn(subject.entity, 'combineItems', 'flattenCustomFields', 'parallelRequests', 'timeout'),
	],
	all: async (contexts) => await getAll(subject, contexts),
});

/**
 * Every request costs a connection of its own, so the records of many items are read by few queries.
 * Each item still gets its own record, or its own complaint.
 */
async function getAll(subject: Subject, contexts: ItemContext[]): Promise<Outcome[]> {
	const [{ caller }] = contexts;
	const concurrency = contexts[0].concurrency(DEFAULT_READS);
	const outcomes = new Outcomes(caller);
	const wanted: Wanted[] = [];
	for (const context of contexts) {
		await outcomes.run(context, async () => {
			wanted.push(await wantedBy(subject, context));
			return [];
		});
		if (outcomes.isOver) return outcomes.list;
	}

	const groups = batchesOf(wanted);
	const read = new Map<Wanted, Records>();
	await forEachLimit(
		groups.length,
		concurrency,
		async (group) => {
			const records = await recordsOf(groups[group]);
			for (const one of groups[group]) read.set(one, records);
		},
		() => outcomes.isOver,
	);
	await forEachLimit(
		wanted.length,
		concurrency,
		async (index) => {
			const one = wanted[index];
			await outcomes.run(one.context, async () => [
				itemOf(await pick(subject, one, read.get(one))),
			]);
		},
		() => outcomes.isOver,
	);
	hintOfMissing(contexts[0], outcomes);
	return outcomes.list;
}

async function wantedBy(subject: Subject, context: ItemContext): Promise<Wanted> {
	const entity = entityOf(subject, context);
	const properties = propertyPaths(subject, entity, context);
	return { context, entity, properties, id: await idOf(subject, context) };
}

/** One query reads the same properties of many records of one entity. */
const batchesOf = (wanted: Wanted[]) =>
	batches(wanted, {
		values: ({ id }) => [id],
		key: ({ context, entity, properties }) =>
			context.isOn('combineItems', true) ? `${entity}?${properties.join()}` : undefined,
	});

/** Nothing when each needs a request of its own: it is the only one, or the query was refused. */
type Records = Map<number, JsonObject> | { failure: unknown } | undefined;

async function recordsOf(group: Wanted[]): Promise<Records> {
	const [{ context, entity, properties }] = group;
	const ids = [...new Set(group.map(({ id }) => id))];
	if (group.length === 1) return undefined;
	if (ids.length === 1) {
		return await context.send(getRequest(entity, ids[0], properties)).then(
			(record) => new Map(record ? [[ids[0], record]] : []),
			(failure: unknown) => ({ failure }),
		);
	}
	const withId = properties.some((path) => path === '*' || path === 'Id')
		? properties
		: ['Id', ...properties];
	return await context.send(valuesQuery(entity, 'Id', ids, withId)).then(
		(rows) => new Map(rows.map((row) => [Number(row.Id), row])),
		(failure: unknown) => (wasRefused(failure) ? undefined : { failure }),
	);
}

async function pick(
	subject: Subject,
	{ context, entity, id, properties }: Wanted,
	records: Records,
): Promise<JsonObject> {
	if (records !== undefined && 'failure' in records) throw records.failure;
	const record =
		records === undefined
			? await context.send(getRequest(entity, id, properties))
			: records.get(id);
	if (record) return { ...shaperOf(entity, context)(record) };
	throw notFound(context.caller.getNode(), subject.label, id);
}

/** Said once for a run. */
export function hintOfMissing({ run }: ItemContext, { list }: Outcomes): void {
	const missing = list.filter((one) => 'failure' in one && isMissing(one.failure)).length;
	if (missing > 0) run.hint(`${missing} of ${run.contexts.length} records were not found.`);
}
