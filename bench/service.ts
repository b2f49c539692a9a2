import { startSandbox } from '../sandbox';

/** Data of the sandbox that the contenders need. */
export type Service = Awaited<ReturnType<typeof open>>;

export const CHANGES = 5000;
/** No token expires during a run of the benchmark. */
const TOKEN_LIFE_SECONDS = 24 * 3600;

async function open(workOrders: number, customers: number) {
	const sandbox = await startSandbox({
		workOrders,
		customers,
		tokenLifeSeconds: TOKEN_LIFE_SECONDS,
	});
	const { credentials, apiUrl, controlUrl, store } = sandbox;
	const [space] = store.rows('Space');
	const [task] = store.rows('Task');
	const subType = store.rows('WorkOrderType').find(({ IsDefSR }) => IsDefSR === true);
	const times = store.rows('WoActionLog').map(({ SystemDateUtc }) => String(SystemDateUtc));
	times.sort();
	const changedSince = times[Math.max(0, times.length - CHANGES)];
	return {
		credentials,
		apiUrl,
		controlUrl,
		workOrders: [...store.ids('WorkOrder')],
		order: {
			customer: Number(space.CustomerId),
			asset: (space.Asset as { Id: number }).Id,
			task: task.Id,
			subType: Number(subType?.Id),
		},
		changedSince,
		changes: times.filter((time) => time >= changedSince).length,
	};
}

// The sandbox runs in a separate process, so that its work does not count for a contender.
if (require.main === module) {
	const [workOrders, customers] = process.argv.slice(2).map(Number);
	void open(workOrders, customers).then((service) => process.send?.(service));
	process.once('disconnect', () => process.exit());
}
