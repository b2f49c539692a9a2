import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { itemsOf, jsonOf, sharedDesk, rejection, eachId } from './desk';

const desk = sharedDesk({ workOrders: 1200 });

const one = { advanced: { parallelRequests: 1 } };
const ids = (entity: string) => desk.rows(entity).map(({ Id }) => Id);
const failing = (pathIncludes: string, more: Partial<Fault> = {}): Fault =>
	rejection(
		{ pathIncludes },
		{ ErrorCode: 'X', ErrorMessage: 'Bakery is broken' },
		{ status: 500, ...more },
	);

/** Operations that read the records of many items together; each of these runs takes three batches. */
const READS: Array<[string, INodeParameters, string, () => unknown[]]> = [
	['workOrder:get', { id: eachId, properties: 'Number' }, '/query/', () => ids('WorkOrder')],
	['workOrder:getDetails', { id: eachId }, '/query/', () => ids('WorkOrder')],
	['cost:getMany', { workOrder: eachId }, '/query/', () => ids('WorkOrder')],
	[
		'document:download',
		{ id: eachId },
		'/cmd/GetDocDownloadUrlCommand',
		() => Array.from({ length: 120 }, (_, index) => ids('Document')[index % 2]),
	],
	[
		'workOrder:update',
		{
			id: eachId,
			fieldsJson: { PoNumber: 'x' },
			options: { dryRun: 'always' },
		},
		'/query/',
		() => ids('WorkOrder'),
	],
];

describe.each(READS)('%s', (operation, form, path, wanted) => {
	const parameters = (id: unknown = eachId, options: object = one) => ({
		...form,
		...('id' in form ? { id } : { workOrder: id }),
		options: { ...(form.options as object), ...options },
	});
	const run = async (items: unknown[], more = {}) =>
		await desk.run(operation, parameters(), {
			items: itemsOf(...items),
			...more,
		});
	const asked = () => desk.sent().filter((request) => request.path.includes(path));

	it('sends no more requests once an item has ended the run', async () => {
		desk.fault(failing(path));
		const { error } = await run(wanted());
		expect(error?.message).toBe('Bakery is broken [item 0]');
		expect(asked()).toHaveLength(1);
		expect(desk.sandbox.requestsTo('storage')).toEqual([]);
	});

	it('continues with the other batches where the workflow continues on failures', async () => {
		desk.fault(failing(path));
		const all = wanted();
		const { errorItems, items } = await run(all, { onError: 'continueErrorOutput' });
		const most = operation === 'document:download' ? 50 : 500;
		expect(errorItems).toHaveLength(most);
		const others = new Set(items.map(({ pairedItem }) => (pairedItem as { item: number }).item));
		expect([...others].every((item) => item >= most)).toBe(true);
		expect(asked().length).toBeGreaterThanOrEqual(3);
	});

	it('sends no more requests once the run is canceled', async () => {
		desk.fault({ match: { pathIncludes: path }, kind: 'hang' });
		const started = desk.start(operation, parameters(), {
			items: itemsOf(...wanted()),
		});
		await desk.sandbox.waitFor((request) => request.path.includes(path));
		started.cancel();
		expect((await started.finished).status).toBe('canceled');
		expect(desk.sent()).toHaveLength(1);
	});

	it('looks up nothing more once the run is canceled during a look-up of names', async () => {
		desk.fault({ match: { pathIncludes: '/query/' }, kind: 'hang' });
		const started = desk.start(operation, parameters(), {
			items: itemsOf('NO-SUCH-1', 'NO-SUCH-2', wanted()[0]),
		});
		await desk.sandbox.waitFor((request) => request.path.includes('/query/'));
		started.cancel();
		expect((await started.finished).status).toBe('canceled');
		expect(desk.sent()).toHaveLength(1);
	});

	it('looks up no name once an item has ended the run', async () => {
		const { error } = await run([-1, 'NO-SUCH-1', wanted()[0]]);
		expect(error?.message).toContain('"-1"');
		expect(desk.sandbox.requests).toEqual([]);
	});
});

describe('a batch that the service rejects', () => {
	const refusal = (times: number): Fault => failing('/query/', { status: 400, times });

	it('is read one by one, and the first failure ends the run', async () => {
		desk.fault(refusal(1));
		const [first, , third] = ids('WorkOrder');
		const { error } = await desk.run(
			'workOrder:get',
			{ id: eachId, options: one },
			{ items: itemsOf(first, 999_999, third) },
		);
		expect(error?.message).toBe('WorkOrder with Id 999999 is not found. [item 1]');
		expect(desk.sent().map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
	});

	it('is read one by one for rows of many work orders, too', async () => {
		desk.fault(refusal(1));
		const orders = ids('WorkOrder').slice(0, 3);
		const { items } = await desk.succeed(
			'cost:getMany',
			{ workOrder: eachId },
			{ items: itemsOf(...orders) },
		);
		expect(jsonOf(items).map(({ WoId }) => WoId)).toEqual(
			orders.flatMap((id) => desk.children('FinancialItem', 'WoId', id).map(({ WoId }) => WoId)),
		);
		expect(desk.sent()).toHaveLength(1 + orders.length);
	});

	it('requests a record once if several of its items name it', async () => {
		desk.fault(refusal(1));
		const [first, second] = ids('WorkOrder');
		const { items } = await desk.run(
			'workOrder:get',
			{ id: eachId },
			{ items: itemsOf(first, second, first) },
		);
		expect(jsonOf(items).map(({ Id }) => Id)).toEqual([first, second, first]);
		expect(desk.sent()).toHaveLength(3);
	});
});
