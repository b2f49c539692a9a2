import { deciding, forCustomer, onlyForCustomers } from '../../protocol/audience';
import type { JsonObject } from '../../protocol/checks';
import { and, type Criteria } from '../../protocol/criteria';
import { unselected } from '../../protocol/paging';
import { oneOf } from '../../protocol/values';
import type { ItemContext } from '../../run/context';

/** Whether customers see the output. */
export const isForCustomers = ({ options: { audience = 'internal' } }: ItemContext): boolean =>
	oneOf('Audience', audience, ['customer', 'internal']) === 'customer';

/** Reduces a record to the members that the audience may see; undefined for a record that it may not see. */
export const shownIn = (
	context: ItemContext,
	entity: string,
): ((record: JsonObject) => JsonObject | undefined) =>
	isForCustomers(context) ? (record) => forCustomer(entity, record) : (record) => record;

/** The records that the audience may see; undefined for all. */
export function onlyShownIn(context: ItemContext, entity: string): Criteria | undefined {
	const only = isForCustomers(context) ? onlyForCustomers(entity) : undefined;
	return only && and(only);
}

/** The properties with the one that tells whether the audience may see a record. */
export const withDeciding = (
	context: ItemContext,
	entity: string,
	properties: string[],
): string[] =>
	isForCustomers(context)
		? [...unselected(deciding(entity), properties), ...properties]
		: properties;
