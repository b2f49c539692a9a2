import {
	findEntityMemberType,
	getEntity,
	getMemberTypes,
	isReadOnlyMember,
	type EntityName,
	type PathsByEntity,
} from './entities';
import { isEnumerationName, listMembers } from './enumerations';
import { createTable } from './table';

/** An example of an update needs properties that every record has and that are easy to set back. */
const UPDATED_PATHS = createTable<readonly string[] | undefined>({
	Contact: ['Comment', 'NoAlertEmails'],
	Customer: ['Instructions', 'TaxExempt'],
	Document: ['Description', 'IsPublic'],
	Employee: ['JobTitle', 'Instructions'],
	FinancialItem: ['Comment', 'NonBillable'],
	Location: ['Info.SerialNumber', 'IsOffline'],
	Note: ['NoteText', 'IsResolved'],
	ProviderCoi: ['Comment'],
	ReplenishmentOrder: ['PoNumber', 'SupplierInstructions'],
	Space: ['Instructions'],
	TimeCardItem: ['Comment'],
	WoNote: ['Body'],
	WorkOrder: ['PoNumber', 'TaskRefinement'],
	WorkOrderCost: ['AuthorizationCode', 'GlAccount'],
	WorkZone: ['SchedulingWindow'],
} satisfies PathsByEntity);

/** Ids that exist in the sandbox. Users replace them with their own. */
const SANDBOX_IDS = createTable<number>({
	ModelId: 401,
	ParentId: 10_001,
	Role: 3,
	WorkZone: 11,
});

/**
 * A create needs its required properties. If they are unknown, and in an update, the example shows a few
 * others, or the first text.
 */
export function buildExample(
	entity: EntityName,
	verb: 'create' | 'update',
): Record<string, unknown> {
	const required = verb === 'create' ? getEntity(entity)?.required : undefined;
	const paths = required ?? UPDATED_PATHS[entity] ?? listTexts(entity).slice(0, 1);
	return Object.fromEntries(paths.map((path) => [path, buildExampleValue(entity, path)]));
}

const listTexts = (entity: EntityName): string[] =>
	Object.entries(getMemberTypes(entity)).flatMap(([name, type]) =>
		type === 'string' && !isReadOnlyMember(entity, name) ? [name] : [],
	);

function buildExampleValue(entity: EntityName, path: string): unknown {
	const type = findEntityMemberType(entity, path) ?? '';
	if (path in SANDBOX_IDS)
		return type === 'integer' ? SANDBOX_IDS[path] : { Id: SANDBOX_IDS[path] };
	if (isEnumerationName(type)) return listMembers(type)[0];
	if (type === 'boolean') return false;
	return type === 'integer' ? 7 : 'Example';
}
