import { entityNamed, fieldType, type EntityName, type Path } from './entities';
import { enumerations, isEnumerationName } from './enumerations';

const changed = <Entity extends EntityName>(entity: Entity, ...paths: Array<Path<Entity>>) => ({
	[entity]: paths,
});

/** What an example changes: what can be set in every record, and is easily set back. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
	...changed('Contact', 'Comment', 'NoAlertEmails'),
	...changed('Customer', 'Instructions', 'TaxExempt'),
	...changed('Document', 'Description', 'IsPublic'),
	...changed('Employee', 'JobTitle', 'Instructions'),
	...changed('FinancialItem', 'Comment', 'NonBillable'),
	...changed('Location', 'Info.SerialNumber', 'IsOffline'),
	...changed('Note', 'NoteText', 'IsResolved'),
	...changed('Space', 'Instructions'),
	...changed('WoNote', 'Body'),
	...changed('WorkOrder', 'PoNumber', 'TaskRefinement'),
	...changed('WorkOrderCost', 'AuthorizationCode', 'GlAccount'),
	...changed('WorkZone', 'SchedulingWindow'),
};

/** Ids as the local Corrigo has them: everybody puts their own in their place. */
const IDS: Readonly<Record<string, number>> = {
	ModelId: 401,
	ParentId: 10_001,
	Role: 3,
	WorkZone: 11,
};

const TEXT = 'Example';

/** What the service cannot do without when it makes a record, or a few things that can be changed. */
export function exampleOf(entity: EntityName, verb: 'create' | 'update'): Record<string, unknown> {
	const paths = verb === 'create' ? (entityNamed(entity)?.required ?? []) : CHANGES[entity];
	return Object.fromEntries(paths.map((path) => [path, valueFor(entity, path)]));
}

function valueFor(entity: EntityName, path: string): unknown {
	const type = fieldType(entity, path) ?? '';
	if (path in IDS) return type === 'integer' ? IDS[path] : { Id: IDS[path] };
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
