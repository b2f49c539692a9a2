import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { Resolver } from '../../records/resolver';
import { ComparisonTime, ServiceClock } from '../../transport/clock';
import { send } from '../../transport/send';
import { remember } from '../../values/cache';
import { buildQueryRequest } from '../../wire/requests';
import { buildAdvice, type TriggerContext } from '../advice';
import { buildNewestQuery } from '../changes/feed';
import { getForm } from '../description';
import { MAX_NODES } from '../memory';
import { buildPlan, type Plan } from './plan';

const ADVICE = buildAdvice('The names are looked up again the next time.');

/** Keeps the names and the clock of the most recently used nodes while the process runs. */
const knownNodes = new Map<string, { names: Resolver; clock: ServiceClock }>();

/**
 * Looks up the names in the form before `deadline`, a time of `performance.now()`. Later polls and
 * pushes reuse the records found, even renamed ones. A manual test looks the names up again.
 */
export async function loadPlan(
	caller: TriggerContext,
	{ companyName, region, locatorUrl }: ICredentialDataDecryptedObject,
	deadline: number,
): Promise<Plan> {
	const { id } = caller.getWorkflow();
	const key = JSON.stringify([companyName, region, locatorUrl, id, caller.getNode().id]);
	const known = caller.getMode() === 'manual' ? undefined : knownNodes.get(key);
	const { names, clock } = known ?? { names: new Resolver(), clock: new ServiceClock() };
	// A name that was not found may exist the next time.
	knownNodes.delete(key);
	const requester = { caller, sendOptions: { advice: ADVICE, deadline, onDate: clock.onDate } };
	const { resolveId, findRows } = names;
	const timeZone = caller.getTimezone();
	const time = new ComparisonTime(clock);
	const plan = await time.read(async (now) => {
		const build = () => buildPlan(getForm(caller), { resolveId, findRows, now, timeZone });
		const built = await names.read(requester, { build });
		if (time.isGuess) {
			// Every answer carries Corrigo's time, so the smallest possible query is sent.
			const { feed } = built;
			const query = buildNewestQuery(feed, { count: 1, keysOnly: true });
			await send(caller, buildQueryRequest(feed.entity, query), requester.sendOptions);
		}
		return built;
	});
	remember(knownNodes, key, { names, clock }, MAX_NODES);
	return plan;
}
