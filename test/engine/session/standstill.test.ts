/** n8n serves its editor, webhooks and other workflows in the thread in which a run works. */
import { activate } from '../../support/activeTrigger';
import { byName, byNumber, idsOf, itemsOf, shareCompany } from '../../support/company';

const ITEMS = 60;

/** A second passes with each reading of the clock, so no item waits for the one before. */
let looks = 0;

const { n8n, records } = shareCompany({ workOrders: ITEMS, customers: ITEMS });

/** Counts the turns of the event loop: in each of them, n8n can do something else. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
	let turns = 0;
	let isOver = false;
	const turn = () => {
		turns += 1;
		if (!isOver) setTimeout(turn, 0);
	};
	setTimeout(turn, 0);
	const now = performance.now.bind(performance);
	const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 1000 * looks++);
	await work().finally(() => {
		isOver = true;
		clock.mockRestore();
	});
	return turns;
}

const update = (options: object) => ({
	operation: 'workOrder:update',
	parameters: { id: byNumber('={{ $json.x }}'), fieldsJson: { PoNumber: 'P' }, options },
	values: () => idsOf(records.rows('WorkOrder'), 'Number'),
});

it.each([
	{
		loops: 'forms, names and records',
		operation: 'customer:get',
		parameters: { id: byName('={{ $json.x }}') },
		values: () => idsOf(records.rows('Customer'), 'DisplayAs'),
		count: 3,
	},
	{
		loops: 'checks, records to find and writes',
		operation: 'customer:upsert',
		parameters: { matchOn: 'TenantCode', fieldsJson: '={{ ({ TenantCode: $json.x }) }}' },
		values: () => idsOf(records.rows('Customer'), 'TenantCode'),
		count: 5,
	},
	{
		loops: 'names, forms, records, writes and outputs',
		...update({ dryRun: 'always' }),
		count: 8,
	},
	{
		loops: 'dry run, keys, items that are refused and their errors',
		...update({ confirmationKey: 'A'.repeat(8) + '.' + 'B'.repeat(12) }),
		count: 10,
	},
])(
	'lets n8n do other work while it goes through the $loops of many items ($operation)',
	async ({ operation, parameters, values, count }) => {
		const items = itemsOf(...values());
		const run = async () =>
			await n8n.run(operation, parameters, { items, onError: 'continueErrorOutput' });
		const turns = await countTurns(run);
		expect(items).toHaveLength(ITEMS);
		expect(turns).toBeGreaterThan(count * ITEMS);
	},
);

it('lets n8n do other work while a trigger compares the properties of many records', async () => {
	const parameters = { event: 'recordEdited', entity: byName('Customer'), compare: ['DisplayAs'] };
	const { poll } = await activate(parameters, { customers: ITEMS });
	const turns = await countTurns(poll);
	expect(turns).toBeGreaterThan(ITEMS);
});
