import type { INodeProperties } from 'n8n-workflow';

import { criteriaFromJson, criteriaFromRows, type Criteria } from '../protocol/criteria';
import type { IdOf } from '../protocol/names';
import { oneOf } from '../protocol/values';
import { conditionFields, searchByField } from './fields';
import { filterFields } from './filters';
import type { Form } from './form';

/** Filters depend on the entity, so there are none if the user names it. */
export function searchFields(entity: string | undefined): INodeProperties[] {
	const filters = filterFields(entity);
	return [...filters, searchByField(filters.length > 0), ...conditionFields];
}

/** Filters are read elsewhere. Values left over in hidden fields have no effect. */
export function criteriaIn(form: Form, entity: string, idOf: IdOf): Criteria | undefined {
	const ways = ['filters', 'conditions', 'json'] as const;
	switch (oneOf('Search By', form.param('searchBy', 'filters'), ways)) {
		case 'filters':
			return undefined;
		case 'conditions': {
			const match = oneOf('Match', form.param('match', 'all'), ['all', 'any']);
			return criteriaFromRows(entity, match, form.choices('conditions'), idOf);
		}
		case 'json':
			return criteriaFromJson(entity, 'Criteria (JSON)', form.param('criteriaJson', ''), idOf);
	}
}
