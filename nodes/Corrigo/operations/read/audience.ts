import { listDecidingProperties, toCustomerView, buildCustomerCondition } from './audienceRules';
import { type JsonObject, parseChoice } from '../../values/checks';
import { and, type Criteria } from '../../wire/criteria';
import { omitSelected } from '../../wire/paging';
import type { ItemContext } from '../../run/context';

/** Customers see fewer records, and fewer members of each. */
export const isForCustomers = ({ options: { audience = 'internal' } }: ItemContext): boolean =>
	parseChoice('Audience', audience, ['customer', 'internal']) === 'customer';

/** Keeps the members that the audience may see; a hidden record becomes undefined. */
export const buildAudienceFilter = (
	context: ItemContext,
	entity: string,
): ((record: JsonObject) => JsonObject | undefined) =>
	isForCustomers(context) ? (record) => toCustomerView(entity, record) : (record) => record;

/** Limits a search to the records that the audience may see; undefined means all of them. */
export function buildAudienceCriteria(context: ItemContext, entity: string): Criteria | undefined {
	const only = isForCustomers(context) ? buildCustomerCondition(entity) : undefined;
	return only && and(only);
}

/** Adds the properties that decide whether the audience may see a record. */
export const addDecidingProperties = (
	context: ItemContext,
	entity: string,
	properties: string[],
): string[] =>
	isForCustomers(context)
		? [...omitSelected(listDecidingProperties(entity), properties), ...properties]
		: properties;
