import { subjects } from '../../form/subjects';
import { buildOperations } from '../../operations';
import type { Resource } from '../../run/operation';
import { orderCommands, verify, print, sendToVendors } from './commands';
import { create, upsert } from './create/create.operation';
import { getChanges } from './read/getChanges.operation';
import { getDetails } from './read/getDetails.operation';
import { getHistory } from './read/getHistory.operation';
import { createChild, createPlanned, setDependency } from './linked';
import { getProcedures } from './read/procedures';
import { money } from './read/orderRead';
import { decideEstimate, decideQuote, setEstimate } from './estimates';
import { previewSchedule } from './previewSchedule.operation';
import { getPerformance } from './performance/getPerformance.operation';
import { setNte } from './setNte.operation';
import { suggestAssignees } from './suggestAssignees.operation';

export const workOrder: Resource = {
	value: 'workOrder',
	operations: [
		...orderCommands,
		create,
		createChild,
		createPlanned,
		...buildOperations(subjects.workOrder, 'get', 'getMany', 'update'),
		decideEstimate,
		decideQuote,
		getChanges,
		getDetails,
		getHistory,
		...money,
		getPerformance,
		getProcedures,
		previewSchedule,
		print,
		sendToVendors,
		setDependency,
		setEstimate,
		setNte,
		suggestAssignees,
		upsert,
		verify,
	],
};
