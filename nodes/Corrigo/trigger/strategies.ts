import type { INodeExecutionData } from 'n8n-workflow';

import { watchChanges } from './changes/changes';
import { watchComparison } from './comparison/comparison';
import { narrowToPassed, watchDeadlines } from './deadlines/watch';
import type { Plan } from './plan/plan';
import type { Service } from './service';
import type { Session } from './session';

/** Polls once as the plan says, and returns the items, or null to start no execution. */
export async function watch(plan: Plan, session: Session): Promise<INodeExecutionData[][] | null> {
	switch (plan.type) {
		case 'comparison':
			return await watchComparison(plan, session);
		case 'deadlines':
			return await watchDeadlines(plan, session);
		default:
			return await watchChanges(plan, session);
	}
}

/** Leaves out what could not be delivered yet. */
export const narrowExamples = async (plan: Plan, service: Service): Promise<Plan> =>
	plan.type === 'deadlines' ? await narrowToPassed(plan, service) : plan;
