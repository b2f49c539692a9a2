/** A strategy is given this where a test is its service. The compiler tells when a member is missing. */
import type { IPollFunctions } from 'n8n-workflow';

import { changes } from '../../nodes/Corrigo/trigger/changes/changes';
import type { Plan, Service } from '../../nodes/Corrigo/trigger/plan';
import { readClocks } from '../../nodes/Corrigo/feed/lead';
import { ServiceClock } from '../../nodes/Corrigo/values/times';

/** A plan with the defaults of the form. */
export const createPlan = (own: Partial<Plan> & Pick<Plan, 'feed'>): Plan => ({
	...{ selection: '', strategy: changes, related: [], latestOnly: false },
	sequence: { entity: own.feed.entity, order: own.feed.time ?? 'Id' },
	...{ atLeastOnce: false, limit: 5000, since: undefined },
	...{ addLag: false, addUrl: false, isSimplified: false },
	complete: async () => [],
	...own,
});

type Answers = Pick<Service, 'complete' | 'hasTime' | 'isLastPage' | 'load'>;

/** A service that answers without sending anything. */
export const createAnswers = (caller: IPollFunctions, own: Answers & Partial<Service>): Service => {
	const service: Service = {
		requester: { caller },
		...readClocks(new ServiceClock()),
		keep: async (rows) => rows,
		find: async () => new Map(),
		open: () => service,
		...own,
	};
	return service;
};
