import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { oneOf } from '../protocol/checks';
import { allOf, criteriaFromJson, criteriaFromRows, type Criteria } from '../protocol/criteria';
import { Call } from './call';
import { getManyOperation } from './entity/getMany';
import type { Subject } from './entity/subject';
import type { EachOperation, Operation } from './types';

type Fields = Record<string, () => unknown>;

/** A call that reads some fields of the form in another way. */
class View extends Call {
	constructor(
		call: Call,
		private readonly instead: Fields,
	) {
		super(call.run, call.item);
	}

	override field(name: string, fallback?: unknown): unknown {
		return this.instead[name]?.() ?? super.field(name, fallback);
	}
}

export type EntitySubject = Subject & { entity: string };

/** The conditions that the user has set. */
export function givenCriteria(entity: string, call: Call): Criteria | undefined {
	const nested = criteriaFromJson(entity, 'Criteria (JSON)', call.param('criteriaJson', ''));
	if (nested !== undefined) return nested;
	const match = oneOf('Must Match', call.param('match', 'all'), ['all', 'any']);
	return criteriaFromRows(entity, match, call.rows('conditions'));
}

export const searchOf = (subject: EntitySubject): Operation & EachOperation => {
	const operation = getManyOperation(subject);
	if ('each' in operation) return operation;
	throw new TypeError(`The search of ${subject.many} does not go item by item`);
};

/** Searches under the criteria given, whatever conditions the form has. */
export function searchUnder(
	subject: EntitySubject,
): (call: Call, criteria: Criteria | undefined, instead?: Fields) => Promise<INodeExecutionData[]> {
	const { each } = searchOf(subject);
	return async (call, criteria, instead = {}) =>
		await each(new View(call, { ...instead, criteriaJson: () => criteria }));
}

/** A search with fields of its own, which narrow it down beside the conditions of the user. */
export function narrowedSearch(
	subject: EntitySubject,
	fields: INodeProperties[],
	narrow: (call: Call) => Promise<Criteria | undefined>,
): Operation {
	const operation = searchOf(subject);
	const search = searchUnder(subject);
	return {
		...operation,
		fields: [...fields, ...operation.fields],
		each: async (call) =>
			await search(call, allOf(givenCriteria(subject.entity, call), await narrow(call))),
	};
}

/** Every property has this value. */
export const equals = (properties: Record<string, unknown>): Criteria => ({
	FilterOperator: 'And',
	Conditions: Object.entries(properties).map(([PropertyName, value]) => ({
		PropertyName,
		Operator: 'Equal',
		Values: [value],
	})),
});
