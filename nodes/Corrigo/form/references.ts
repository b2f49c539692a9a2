import type { INodeProperties } from 'n8n-workflow';

import { getRecordView, type RecordType } from '../catalogue/views';
import { buildLocator, buildTextMode } from './fields';

export { getRecordTarget as targetOfKind } from '../catalogue/targets';
export type { RecordType as KnownKind } from '../catalogue/views';

/** `record` is a record of the entity that the user names, so the catalogue has no entry for it. */
export type ReferenceType = RecordType | 'record';

const RECORD = { label: 'Record', example: 'Contoso Pharmacy' };

/** Method names are, for example, searchCustomers, searchCostStatuses and searchPriorities. */
export const getListMethod = (type: ReferenceType): string =>
	`search${type[0].toUpperCase()}${type.slice(1).replace(/y$/, 'ie').replace(/s$/, 'se')}s`;

/** Numbers are texts, because they include the prefix of the work zone and leading zeros. */
const NUMBER_MODES = [
	{ displayName: 'By Number', name: 'number', ...buildTextMode('ABC0010001') },
	{ displayName: 'By External Number', name: 'externalNumber', ...buildTextMode('TICKET-4711') },
];

const BY_NAME_HINT = {
	propertyHint: 'Mode name takes the name itself.',
};

const buildDescription = (type: ReferenceType, example?: string): string =>
	type === 'workOrder'
		? 'Choose from the list, or enter a number such as ABC0010001, an external number or an ID'
		: example === undefined
			? 'Choose from the list, or enter an ID'
			: `Choose from the list, or enter a name such as ${example}, or an ID`;

/** Users choose the record from a list, or enter its ID, name or number. */
export function buildReferenceField(
	type: ReferenceType,
	name: string,
	more: Partial<INodeProperties> = {},
): INodeProperties {
	const { label, example }: { label: string; example?: string } =
		type === 'record' ? RECORD : getRecordView(type);
	return {
		displayName: label,
		name,
		...buildLocator(
			getListMethod(type),
			{ displayName: 'By ID', name: 'id', ...buildTextMode('1234') },
			...(type === 'workOrder' ? NUMBER_MODES : []),
			...(example === undefined
				? []
				: [{ displayName: 'By Name', name: 'name', ...buildTextMode(example) }]),
		),
		description: buildDescription(type, example),
		...(example === undefined ? {} : { builderHint: BY_NAME_HINT }),
		...more,
	};
}
