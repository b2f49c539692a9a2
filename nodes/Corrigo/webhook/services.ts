import type { INodePropertyOptions } from 'n8n-workflow';

import type { enumerations } from '../catalogue/enumerations';
import { STATUS_ACTIONS } from '../catalogue/statusActions';
import type { EventType } from '../trigger/events';

type ActionType = (typeof enumerations)['WOActionType'][number];

/** Corrigo publishes what an administrator can choose in *Corrigo Webhook*. */
const PUSHED: readonly ActionType[] = [
	...(['Create', 'PickUp', 'Start', 'Stop', 'OnHold', 'Reopen', 'Cancel', 'Complete'] as const),
	...(['Verified', 'Assign', 'Attention', 'FlagCleared', 'SchedStartChanged', 'Note'] as const),
	...(['EstimateApproved', 'EstimateRejected', 'APInvStatus', 'CostStatus'] as const),
];

/** The older Event Service has these, too. */
const PUSHED_BY_OLDER: readonly ActionType[] = [
	...(['QuoteRequested', 'QuoteSubmitted', 'QuoteApproved', 'QuoteRejected'] as const),
	'OwnerChanged',
];

/** Which service pushes an event: both, the older one, both but for some actions, neither, or it is not known. */
export type Pushing = 'both' | 'older' | 'some' | 'neither' | 'unknown';

const SENTENCES: Readonly<Record<Pushing, string>> = {
	both: 'Pushed by both services',
	older: 'Pushed by the Event Service only',
	some: 'Neither service is known to push changes of priority, NTE and due date: use Corrigo Trigger for these',
	neither: 'Neither service is known to push it: use Corrigo Trigger',
	unknown: 'Corrigo pushes work orders. Which other records it pushes is not published',
};

const judgeActions = (types: readonly string[]): Pushing => {
	const areAll = (...pushed: readonly string[]) => types.every((one) => pushed.includes(one));
	if (areAll(...PUSHED)) return 'both';
	if (areAll(...PUSHED, ...PUSHED_BY_OLDER)) return 'older';
	return 'neither';
};

export function findPushing(event: EventType): Pushing {
	if (event.rows === 'attached') return 'both';
	if (!('actionTypes' in event)) return event.rows === 'records' ? 'unknown' : 'neither';
	const { actionTypes } = event;
	if (actionTypes === 'enteredStatus') return judgeActions(Object.values(STATUS_ACTIONS).flat());
	const isAnyAction = typeof actionTypes === 'string' || actionTypes.length === 0;
	return isAnyAction ? 'some' : judgeActions(actionTypes);
}

/** Adds to the description of an event by which service it is pushed. */
export const describePushing = (description: string, pushing: Pushing): string =>
	`${description.replace(/\.$/, '')}. ${SENTENCES[pushing]}.`;

/** Actions that both services push need no description. */
export function describeAction(option: INodePropertyOptions): INodePropertyOptions {
	const pushing = judgeActions([String(option.value)]);
	return pushing === 'both' ? option : { ...option, description: SENTENCES[pushing] };
}
