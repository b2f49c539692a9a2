import { costEnumerations } from './cost';
import { generalEnumerations } from './general';
import { getMemberLabel } from './labels';
import { peopleAndPlacesEnumerations } from './peopleAndPlaces';
import { workOrderEnumerations } from './workOrder';

/**
 * Members in the order in which the service declares them. They are sent by name, because the
 * integer is known for only a few of them.
 */
export const enumerations = {
	...workOrderEnumerations,
	...costEnumerations,
	...peopleAndPlacesEnumerations,
	...generalEnumerations,
	// Commands use this name for the status of a work order.
	WOStatus: workOrderEnumerations.WorkOrderStatus,
} as const;

export type EnumerationName = keyof typeof enumerations;

export const isEnumerationName = (name: string): name is EnumerationName =>
	Object.hasOwn(enumerations, name);

// The service itself misspells the first member of TimeCardType and TimeCardAction as 'Uknown'.
const UNSET: readonly string[] = ['Unknown', 'Uknown'];

/** The member that means "nothing chosen" is not an option. */
export const listEnumerationOptions = (
	enumeration: EnumerationName,
): Array<{ name: string; value: string }> =>
	enumerations[enumeration]
		.filter((member) => !UNSET.includes(member))
		.map((value) => ({ name: getMemberLabel(enumeration, value), value }));
