import type { PathsByEntity } from './entities';
import { createTable } from './table';

/**
 * These members are neither documented nor clear from their names, so nobody could fill in a column
 * for them. JSON fields accept them.
 */
const UNDOCUMENTED = createTable<readonly string[]>({
	Contact: ['CustomerNoteAccessId', 'PriorityThreshold'],
	Employee: ['FreeTextAllowed', 'LabelId', 'RadiusUnit', 'TaxWarnOnly', 'WonServiceRadius'],
	Location: ['Info.CheckPhone', 'Orphan'],
	WorkOrderCost: ['IsPreBilled'],
	WorkZone: [
		'AccessOptionsMask',
		'BackupRoutingId',
		'CpThemeId',
		'DefaultBillToLogic',
		'EarliestSlot',
		'Entity',
		'IsPrecalculatedSchedule',
		'IsmSpecGroupId',
		'IsmUrl',
		'LatestSlot',
		'SlotsCount',
		'TurnKickOffAuto',
		'TurnKickOffLagDays',
		'TurnKickOffOnDays',
		'TurnTemplateId',
		'UiShowProvidersFirst',
	],
} satisfies PathsByEntity);

export const isUndocumented = (entity: string, path: string): boolean =>
	UNDOCUMENTED[entity]?.includes(path) === true;
