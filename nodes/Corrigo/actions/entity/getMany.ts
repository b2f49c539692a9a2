import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { entityNamed } from '../../catalogue/entities';
import { conditionFields, returnAllFields, sortField } from '../../descriptions/fields';
import { optionsField } from '../../descriptions/options';
import { oneOf, propertyPath, Refusal, wholeNumber } from '../../protocol/checks';
import { allOf, criteriaFromJson, criteriaFromRows, type Criteria } from '../../protocol/criteria';
import { LARGEST_PAGE, type Query } from '../../protocol/paging';
import type { Order } from '../../protocol/requests';
import { streams } from '../../transport/query';
import type { Call } from '../call';
import type { Operation } from '../types';
import { propertiesOf, propertyFields, shaperOf } from './properties';
import { entityFields, entityOf, type Subject } from './subject';

export const getManyOperation = (subject: Subject): Operation => ({
	name: 'Get Many',
	value: 'getMany',
	action: `Get many ${subject.many}`,
	description: `Search ${subject.many} by conditions (POST /query)`,
	fields: [
		...entityFields(subject),
		...returnAllFields,
		...conditionFields,
		...propertyFields(subject),
		optionsField(
			'distinct',
			'firstResultIndex',
			'flattenCustomFields',
			'includeRemoved',
			'isolationLevel',
			'pageSize',
			'pagingMethod',
			'parallelRequests',
			'timeout',
		),
		sortField,
	],
	reads: true,
	each: async (call) => {
		const entity = entityOf(subject, call);
		const query = queryOf(subject, entity, call);
		const options = { ...call.sendOptions, isolationLevel: isolationLevelOf(call) };
		// Several items are read at the same time already.
		const count = call.run.calls.length === 1 ? call.lanes(1) : 1;
		const shaped = shaperOf(entity, call);
		const items: INodeExecutionData[] = [];
		// Whole from the start: a member that is added to an item later takes twice the room.
		const pairedItem = { item: call.item };
		for await (const rows of streams(call.caller, entity, query, count, options)) {
			for (const row of rows) items.push({ json: shaped(row) as IDataObject, pairedItem });
		}
		if (items.length === query.limit) {
			call.run.hint(
				`Stopped at the limit of ${query.limit}. Raise 'Limit' or switch on 'Return All' for more.`,
			);
		}
		if (leavesOutRemoved(entity, call)) {
			call.run.hint("Deleted records are left out. Switch on 'Include Removed' to see them, too.");
		}
		return items;
	},
});

const ISOLATION_LEVELS = ['Default', 'ReadUncommitted', 'ReadCommitted', 'Snapshot'];

function isolationLevelOf({ options: { isolationLevel } }: Call): string | undefined {
	if (isolationLevel === undefined) return undefined;
	return oneOf('Isolation Level', isolationLevel, ISOLATION_LEVELS);
}

const MOST = Number.MAX_SAFE_INTEGER;

function queryOf(subject: Subject, entity: string, call: Call): Query {
	const { distinct, firstResultIndex, pageSize, pagingMethod } = call.options;
	const query: Query = {
		properties: propertiesOf(subject, entity, call),
		criteria: allOf(criteriaOf(entity, call), keptOnly(entity, call)),
		orders: call.rows('sort').map(orderOf),
		limit: call.flag('returnAll')
			? Infinity
			: wholeNumber('Limit', call.param('limit', 50), 1, MOST),
		...(pageSize === undefined
			? {}
			: { pageSize: wholeNumber('Page Size', pageSize, 1, LARGEST_PAGE) }),
		...(distinct === undefined ? {} : { distinct: distinct === true }),
		...(firstResultIndex === undefined
			? {}
			: { firstResultIndex: wholeNumber('First Result Index', firstResultIndex, 0, MOST) }),
		...(pagingMethod === undefined
			? {}
			: { pagingMethod: oneOf('Paging Method', pagingMethod, ['byId', 'byOffset'] as const) }),
	};
	if (query.pagingMethod === 'byId' && (query.orders?.length || query.firstResultIndex)) {
		throw new Refusal(
			"'Paging Method' is By ID, which cannot go with 'Sort' or 'First Result Index'",
			"Choose By Offset, or remove the option 'Paging Method'.",
		);
	}
	return query;
}

function criteriaOf(entity: string, call: Call): Criteria | undefined {
	const nested = criteriaFromJson(entity, 'Criteria (JSON)', call.param('criteriaJson', ''));
	if (nested !== undefined) return nested;
	const match = oneOf('Must Match', call.param('match', 'all'), ['all', 'any']);
	return criteriaFromRows(entity, match, call.rows('conditions'));
}

const leavesOutRemoved = (entity: string, { options }: Call) =>
	options.includeRemoved !== true && entityNamed(entity)?.softDelete === true;

/** Deleted records stay in the tables of the service; nobody expects them among the others. */
function keptOnly(entity: string, call: Call): Criteria | undefined {
	if (!leavesOutRemoved(entity, call)) return undefined;
	return {
		FilterOperator: 'And',
		Conditions: [{ PropertyName: 'IsRemoved', Operator: 'Equal', Values: [false] }],
	};
}

const orderOf = ({ property, direction = 'Ascending' }: Record<string, unknown>): Order => ({
	PropertyName: propertyPath('Sort > Property', property),
	OrderType: oneOf('Sort > Direction', direction, ['Ascending', 'Descending']),
});
