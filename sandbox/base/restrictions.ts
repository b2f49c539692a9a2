import { fail } from '../errors';

export type Operation = 'create' | 'update' | 'delete';

interface Restriction {
	entities: readonly string[];
	operations: readonly Operation[];
	/** The endpoint to use instead; without one the operation does not exist. */
	endpoint?: string;
}

const ALL: readonly Operation[] = ['create', 'update', 'delete'];

/** Operations that `/base` rejects. */
const RESTRICTIONS: readonly Restriction[] = [
	{ entities: ['WorkOrder'], operations: ['create'], endpoint: '/cmd/WorkOrder/Create' },
	{ entities: ['WorkOrder'], operations: ['delete'] },
	{ entities: ['WorkZone'], operations: ['create'], endpoint: '/cmd/WorkZone/Create' },
	{ entities: ['WorkZone'], operations: ['delete'], endpoint: '/cmd/WorkZoneDeleteCommand' },
	{ entities: ['Portfolio'], operations: ['delete'], endpoint: '/cmd/Portfolio/Delete' },
	{ entities: ['Space'], operations: ['create'], endpoint: '/cmd/SpaceCreateCommand' },
	{ entities: ['TimeCard'], operations: ['create'] },
	{ entities: ['MaterialTransaction', 'WoVerification', 'AssetTree'], operations: ['delete'] },
	{ entities: ['WorkOrderCost'], operations: ['create', 'delete'] },
	{
		entities: ['WoActionLog', 'Actor', 'WoLastAction', 'WoPriority', 'ApInvoiceStatus'],
		operations: ALL,
	},
	{ entities: ['Contract', 'Invoice'], operations: ALL },
];

/** `Delete operation is not supported by WorkOrder entity.` */
export function failUnsupported(entity: string, operation: string): never {
	const name = operation[0].toUpperCase() + operation.slice(1);
	return fail('ERROR_CODE_1000', `${name} operation is not supported by ${entity} entity.`);
}

export function requireSupported(entity: string, operation: Operation): void {
	const refusal = RESTRICTIONS.find(
		({ entities, operations }) => entities.includes(entity) && operations.includes(operation),
	);
	if (!refusal) return;
	if (!refusal.endpoint) failUnsupported(entity, operation);
	fail(
		'CUSTOM_COMMAND_ERROR',
		`There are some custom command for '${entity}' for that action. Use '${refusal.endpoint}' endpoint for that please.`,
	);
}
