import { entityNamed, fieldType, type EntityName, type Path } from './entities';
import { enumerations, isEnumerationName } from './enumerations';

const paths = <Entity extends EntityName>(entity: Entity, ...paths: Array<Path<Entity>>) => ({
	[entity]: paths,
});

/** Properties for the example of an update: every record can have them, and they are easily set back. */
const UPDATED_PATHS: Readonly<Record<string, readonly string[]>> = {
	...paths('Contact', 'Comment', 'NoAlertEmails'),
	...paths('Customer', 'Instructions', 'TaxExempt'),
	...paths('Document', 'Description', 'IsPublic'),
	...paths('Employee', 'JobTitle', 'Instructions'),
	...paths('FinancialItem', 'Comment', 'NonBillable'),
	...paths('Location', 'Info.SerialNumber', 'IsOffline'),
	...paths('Note', 'NoteText', 'IsResolved'),
	...paths('Space', 'Instructions'),
	...paths('WoNote', 'Body'),
	...paths('WorkOrder', 'PoNumber', 'TaskRefinement'),
	...paths('WorkOrderCost', 'AuthorizationCode', 'GlAccount'),
	...paths('WorkZone', 'SchedulingWindow'),
};

/** Ids of the sandbox; users replace them with their own. */
const SANDBOX_IDS: Readonly<Record<string, number>> = {
	ModelId: 401,
	ParentId: 10_001,
	Role: 3,
	WorkZone: 11,
};

const TEXT = 'Example';

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
	switch (type) {
		case 'boolean':
			return false;
		case 'integer':
			return 7;
		default:
			return TEXT;
	}
}
