import { refuse } from '../errors';

export type Operation = 'create' | 'update' | 'delete';

interface Refusal {
	entities: readonly string[];
	operations: readonly Operation[];
	/** The command that does it instead; without one the operation does not exist at all. */
	command?: string;
}

const ALL: readonly Operation[] = ['create', 'update', 'delete'];

/** What cannot be done through `/base`. */
const REFUSALS: readonly Refusal[] = [
	{ entities: ['WorkOrder'], operations: ['create'], command: 'WoCreateCommand' },
	{ entities: ['WorkOrder'], operations: ['delete'] },
	{ entities: ['WorkZone'], operations: ['create'], command: 'WorkZoneCreateCommand' },
	{ entities: ['WorkZone'], operations: ['delete'], command: 'WorkZoneDeleteCommand' },
	{ entities: ['Space'], operations: ['create'], command: 'SpaceCreateCommand' },
	{ entities: ['TimeCard'], operations: ['create'] },
	{ entities: ['MaterialTransaction', 'WoVerification', 'AssetTree'], operations: ['delete'] },
	{ entities: ['WorkOrderCost'], operations: ['create', 'delete'] },
	{
		entities: ['WoActionLog', 'Actor', 'WoLastAction', 'WoPriority', 'ApInvoiceStatus'],
		operations: ALL,
	},
	{ entities: ['Contract', 'Invoice'], operations: ALL },
];

export function permit(entity: string, operation: Operation): void {
	const refusal = REFUSALS.find(
		({ entities, operations }) => entities.includes(entity) && operations.includes(operation),
	);
	if (!refusal) return;
	if (refusal.command) {
		refuse(
			'CUSTOM_COMMAND_ERROR',
			`${entity} does not support ${operation}. Use ${refusal.command} instead.`,
		);
	}
	refuse('ERROR_CODE_1000', `Operation '${operation}' is not supported by ${entity} entity.`);
}
