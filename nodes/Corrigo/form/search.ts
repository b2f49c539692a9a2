import type { INodeProperties } from 'n8n-workflow';

import { parseCriteria, buildFormCriteria, type Criteria } from '../wire/criteria';
import type { IdResolver } from '../values/names';
import { parseChoice } from '../values/values';
import { conditionFields, buildSearchByField } from './fields';
import { buildFilterFields } from './filters';
import type { Form } from './form';

/** Filters depend on the entity, so there are none if the user names it. */
export function buildSearchFields(entity: string | undefined): INodeProperties[] {
	const filters = buildFilterFields(entity);
	return [...filters, buildSearchByField(filters.length > 0), ...conditionFields];
}

/** Filters are read elsewhere. Values left over in hidden fields have no effect. */
export function readConditions(
	form: Form,
	entity: string,
	resolveId: IdResolver,
): Criteria | undefined {
	const ways = ['filters', 'conditions', 'json'] as const;
	switch (parseChoice('Search By', form.param('searchBy', 'filters'), ways)) {
		case 'filters':
			return undefined;
		case 'conditions': {
			const match = parseChoice('Match', form.param('match', 'all'), ['all', 'any']);
			return buildFormCriteria(entity, match, form.choices('conditions'), resolveId);
		}
		case 'json':
			return parseCriteria(entity, 'Criteria (JSON)', form.param('criteriaJson', ''), resolveId);
	}
}
