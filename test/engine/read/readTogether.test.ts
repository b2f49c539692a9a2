import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import {
	byId,
	eachId,
	idsOf,
	itemsOf,
	jsonOf,
	rejection,
	shareCompany,
} from '../../support/company';

const company = shareCompany({ workOrders: 520 });
const { n8n, records, requests } = company;

const one = { advanced: { parallelRequests: 1 } };
const failing = (pathIncludes: string, more: Partial<Fault> = {}): Fault =>
	rejection(
		pathIncludes,
		{ ErrorCode: 'X', ErrorMessage: 'Bakery is broken' },
		{ status: 500, ...more },
	);

/** Operations that read the records of many items together; each of these runs takes two batches. */
const READS: Array<[string, INodeParameters, string, () => unknown[]]> = [
	[
		'workOrder:get',
		{ id: eachId, properties: 'Number' },
		'/query/',
		() => records.ids('WorkOrder'),
	],
	['workOrder:getDetails', { id: eachId }, '/query/', () => records.ids('WorkOrder')],
	['cost:getMany', { workOrder: eachId }, '/query/', () => records.ids('WorkOrder')],
	[
		'document:download',
		{ id: eachId },
		'/cmd/GetDocDownloadUrlCommand',
		() => Array.from({ length: 52 }, (_, index) => records.ids('Document')[index % 2]),
	],
	[
		'workOrder:update',
		{ id: eachId, fieldsJson: { PoNumber: 'x' }, options: { dryRun: 'always' } },
		'/query/',
		() => records.ids('WorkOrder'),
	],
];

describe.each(READS)('%s', (operation, form, path, wanted) => {
	const parameters = { ...form, options: { ...(form.options as object), ...one } };
	const run = async (items: unknown[], more = {}) =>
		await n8n.run(operation, parameters, { items: itemsOf(...items), ...more });
	/** Cancels the run during its first request to the path. */
	const cancel = async (pathIncludes: string, items: unknown[]) => {
		requests.fault({ match: { pathIncludes }, kind: 'hang' });
		const started = n8n.start(operation, parameters, { items: itemsOf(...items) });
		await company.sandbox.waitFor((request) => request.path.includes(pathIncludes));
		started.cancel();
		expect((await started.finished).status).toBe('canceled');
		expect(requests.sent()).toHaveLength(1);
	};
	const asked = () => requests.sent().filter((request) => request.path.includes(path));

	it('sends no more requests once an item has ended the run', async () => {
		requests.fault(failing(path));
		const { error } = await run(wanted());
		expect(error?.message).toBe(
			'Corrigo could not carry out the request: "Bakery is broken" [item 0]',
		);
		expect(asked()).toHaveLength(1);
		expect(company.sandbox.requestsTo('storage')).toEqual([]);
	});

	it('continues with the other batch where the workflow continues on failures', async () => {
		requests.fault(failing(path));
		const { errorItems, items } = await run(wanted(), { onError: 'continueErrorOutput' });
		const most = operation === 'document:download' ? 50 : 500;
		expect(errorItems).toHaveLength(most);
		const others = items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		expect(others.filter((item) => item < most)).toEqual([]);
		expect(asked().length).toBeGreaterThan(1);
	});

	it('sends no more requests once the run is canceled', async () => {
		await cancel(path, wanted());
	});

	it('looks up nothing more once the run is canceled during a look-up of names', async () => {
		await cancel('/query/', ['NO-SUCH-1', 'NO-SUCH-2', wanted()[0]]);
	});

	it('looks up no name once an item has ended the run', async () => {
		const { error } = await run([-1, 'NO-SUCH-1', wanted()[0]]);
		expect(error?.message).toContain('"-1"');
		expect(company.sandbox.requests).toEqual([]);
	});
});

it('returns of each record the fields that its own item asks for', async () => {
	const ids = records.ids('WorkOrder', 3);
	const fields = ['Number', 'Id,StatusId', 'Number'];
	const { items } = await n8n.succeed(
		'workOrder:get',
		{ id: byId('={{ $json.id }}'), output: 'selected', properties: '={{ $json.fields }}' },
		{ items: ids.map((id, index) => ({ json: { id, fields: fields[index] } })) },
	);
	const [first, second, third] = records.rows('WorkOrder');
	expect(jsonOf(items)).toEqual([
		{ Number: first.Number },
		{ Id: second.Id, StatusId: second.StatusId },
		{ Number: third.Number },
	]);
	expect(requests.sent()).toHaveLength(2);
});

describe('a batch that the service rejects', () => {
	beforeEach(() => requests.fault(failing('/query/', { status: 400 })));

	it('is read one by one, and the first failure ends the run', async () => {
		const [first, , third] = records.ids('WorkOrder');
		const { error } = await n8n.run(
			'workOrder:get',
			{ id: eachId, options: one },
			{ items: itemsOf(first, 999_999, third) },
		);
		expect(error?.message).toBe('There is no work order with the ID 999999 [item 1]');
		expect(requests.sent().map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
	});

	it('requests a record once if several of its items name it', async () => {
		const [first, second] = records.ids('WorkOrder');
		const { items } = await n8n.run(
			'workOrder:get',
			{ id: eachId },
			{ items: itemsOf(first, second, first) },
		);
		expect(idsOf(jsonOf(items))).toEqual([first, second, first]);
		expect(requests.sent()).toHaveLength(3);
	});
});
