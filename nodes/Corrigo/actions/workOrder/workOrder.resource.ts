import { subjects } from '../../form/subjects';
import { buildOperations } from '../../operations';
import type { Resource } from '../../run/operation';
import { actions, verify } from './actions';
import { create } from './create/create.operation';
import { getChanges } from './read/getChanges.operation';
import { getDetails } from './read/getDetails.operation';
import { getHistory } from './read/getHistory.operation';
import { money } from './read/money.operations';
import { previewSchedule } from './previewSchedule.operation';
import { print } from './print.operation';
import { send } from './send.operation';
import { setNte } from './setNte.operation';
import { suggestAssignees } from './suggestAssignees.operation';
import { upsert } from './create/upsert.operation';

export const workOrder: Resource = {
	name: 'Work Order',
	value: 'workOrder',
	operations: [
		...actions,
		create,
		...buildOperations(subjects.workOrder, 'count', 'get', 'getMany', 'update'),
		getChanges,
		getDetails,
		getHistory,
		...money,
		previewSchedule,
		print,
		send,
		setNte,
		suggestAssignees,
		upsert,
		verify,
	],
};
