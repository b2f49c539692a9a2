import type { INodeProperties } from 'n8n-workflow';

import { rowOf, type KnownKind } from '../catalogue/views';
import { locator, textLike } from './fields';

export { targetOfKind } from '../catalogue/targets';
export type { KnownKind } from '../catalogue/views';

/** A record of the entity that the form names has no row of its own. */
export type ReferenceKind = KnownKind | 'record';

const RECORD = { label: 'Record', example: 'Contoso Pharmacy' };

/** The list search for records of a kind: searchCustomers, searchCostStatuses, searchPriorities. */
export const listOf = (kind: ReferenceKind): string =>
	`search${kind[0].toUpperCase()}${kind.slice(1).replace(/y$/, 'ie').replace(/s$/, 'se')}s`;

/** Numbers are texts: the prefix of the work zone and all zeros belong to them. */
const byNumber = [
	{ displayName: 'By Number', name: 'number', ...textLike('ABC0010001') },
	{ displayName: 'By External Number', name: 'externalNumber', ...textLike('TICKET-4711') },
];

const BY_NAME_HINT = {
	propertyHint: 'Mode name takes the name itself.',
};

const descriptionOf = (kind: ReferenceKind, example?: string): string =>
	kind === 'workOrder'
		? 'Choose from the list, or enter a number such as ABC0010001, an external number or an ID'
		: example === undefined
			? 'Choose from the list, or enter an ID'
			: `Choose from the list, or enter a name such as ${example}, or an ID`;

/** A reference to one record, chosen from a list, by its ID, or by what people call it. */
export function reference(
	kind: ReferenceKind,
	name: string,
	more: Partial<INodeProperties> = {},
): INodeProperties {
	const { label, example }: { label: string; example?: string } =
		kind === 'record' ? RECORD : rowOf(kind);
	return {
		displayName: label,
		name,
		...locator(
			listOf(kind),
			{ displayName: 'By ID', name: 'id', ...textLike('1234') },
			...(kind === 'workOrder' ? byNumber : []),
			...(example === undefined
				? []
				: [{ displayName: 'By Name', name: 'name', ...textLike(example) }]),
		),
		description: descriptionOf(kind, example),
		...(example === undefined ? {} : { builderHint: BY_NAME_HINT }),
		...more,
	};
}
