import type { INodeProperties } from 'n8n-workflow';

import { rowOf, type KnownKind } from '../catalogue/views';
import { locator, textLike } from './fields';

export { targetOfKind } from '../catalogue/targets';
export type { KnownKind } from '../catalogue/views';

/** `record` is a record of the entity that the user names, so the catalogue has no entry for it. */
export type ReferenceKind = KnownKind | 'record';

const RECORD = { label: 'Record', example: 'Contoso Pharmacy' };

/** Method names are, for example, searchCustomers, searchCostStatuses and searchPriorities. */
export const listOf = (kind: ReferenceKind): string =>
	`search${kind[0].toUpperCase()}${kind.slice(1).replace(/y$/, 'ie').replace(/s$/, 'se')}s`;

/** Numbers are texts, because they include the prefix of the work zone and leading zeros. */
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

/** Users choose the record from a list, or enter its ID, name or number. */
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
