import type { EntityName, Path } from './entities';

const of = <Entity extends EntityName>(entity: Entity, ...paths: Array<Path<Entity>>) => ({
	[entity]: paths,
});

/**
 * Members that are neither documented nor clear from their names: nobody could fill in a column for
 * them. JSON accepts them.
 */
const UNDOCUMENTED: Readonly<Record<string, readonly string[]>> = {
	...of('Contact', 'CustomerNoteAccessId', 'PriorityThreshold'),
	...of('Employee', 'FreeTextAllowed', 'LabelId', 'RadiusUnit', 'TaxWarnOnly', 'WonServiceRadius'),
	...of('Location', 'Info.CheckPhone', 'Orphan'),
	...of('WorkOrderCost', 'IsPreBilled'),
	...of(
		'WorkZone',
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
	),
};

export const isUndocumented = (entity: string, path: string): boolean =>
	UNDOCUMENTED[entity]?.includes(path) === true;
