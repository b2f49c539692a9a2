/** Lists of many owners take as many requests in one output as in another. Held constant: each item names one owner. */
import { byId, itemsOf, shareCompany } from '../../support/company';

const { n8n, records, requests } = shareCompany({ workOrders: 60 });

const OUTPUTS: Array<[string, object]> = [
	['raw', { output: 'raw' }],
	['simplified', { output: 'simplified' }],
	['selected', { output: 'selected', properties: '*' }],
];

it.each([
	['cost:getMany', 'WorkOrder', 'workOrder'],
	['note:getMany', 'WorkOrder', 'workOrder'],
])('%s of many owners', async (operation, entity, field) => {
	const items = itemsOf(...records.ids(entity));
	const counts: number[] = [];
	for (const [, output] of OUTPUTS) {
		const before = requests.sent().length;
		const form = { [field]: byId('={{ $json.x }}'), returnAll: true, ...output };
		const run = await n8n.succeed(operation, form, { items });
		expect(run.items.length).toBeGreaterThan(10);
		counts.push(requests.sent().length - before);
	}
	// Names are one request for each entity that the records refer to.
	const [raw] = counts;
	expect(counts.every((count) => count <= raw + 4)).toBe(true);
	expect(Math.max(...counts)).toBeLessThan(10);
});
