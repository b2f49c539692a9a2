import type { EntityRows } from './entity';

/** The service accepts these names but publishes no model for them. */
export const unpublishedEntities = {
	PmItem: { label: 'PM Item' },
	PmSchedule: { label: 'PM Schedule' },
} as const satisfies EntityRows;
