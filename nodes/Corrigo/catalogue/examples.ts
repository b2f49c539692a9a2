import { entityNamed, fieldType, type EntityName, type PathsByEntity } from './entities';
import { enumerations, isEnumerationName } from './enumerations';

/** Properties for the example of an update: every record can have them, and they are easily set back. */
const UPDATED_PATHS: Readonly<Record<string, readonly string[]>> = {
	Contact: ['Comment', 'NoAlertEmails'],
	Customer: ['Instructions', 'TaxExempt'],
	Document: ['Description', 'IsPublic'],
	Employee: ['JobTitle', 'Instructions'],
	FinancialItem: ['Comment', 'NonBillable'],
	Location: ['Info.SerialNumber', 'IsOffline'],
	Note: ['NoteText', 'IsResolved'],
	Space: ['Instructions'],
	WoNote: ['Body'],
	WorkOrder: ['PoNumber', 'TaskRefinement'],
	WorkOrderCost: ['AuthorizationCode', 'GlAccount'],
	WorkZone: ['SchedulingWindow'],
} satisfies PathsByEntity;

/** Ids of the sandbox; users replace them with their own. */
const SANDBOX_IDS: Readonly<Record<string, number>> = {
	ModelId: 401,
	ParentId: 10_001,
	Role: 3,
	WorkZone: 11,
};

/** For a create the required properties, for an update a few that can be changed. */
export function exampleOf(entity: EntityName, verb: 'create' | 'update'): Record<string, unknown> {
	const paths = verb === 'create' ? (entityNamed(entity)?.required ?? []) : UPDATED_PATHS[entity];
	return Object.fromEntries(paths.map((path) => [path, valueFor(entity, path)]));
}

function valueFor(entity: EntityName, path: string): unknown {
	const type = fieldType(entity, path) ?? '';
	if (path in SANDBOX_IDS)
		return type === 'integer' ? SANDBOX_IDS[path] : { Id: SANDBOX_IDS[path] };
	if (isEnumerationName(type)) return enumerations[type].find((member) => member !== 'Unknown');
	if (type === 'boolean') return false;
	return type === 'integer' ? 7 : 'Example';
}
