import type { PathsByEntity } from './entities';

/** Neither documents nor names tell what these are, so they have no columns. JSON accepts them. */
const UNDOCUMENTED: Readonly<Record<string, readonly string[]>> = {
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
} satisfies PathsByEntity;

export const isUndocumented = (entity: string, path: string): boolean =>
	UNDOCUMENTED[entity]?.includes(path) === true;
