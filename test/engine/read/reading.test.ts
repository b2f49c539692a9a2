import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { getMemberLabel } from '../../../nodes/Corrigo/catalogue/enumerations/labels';
import type { Row } from '../../../sandbox';
import {
	byId,
	byName,
	byNumber,
	eachId,
	errorsOf,
	hintsOf,
	idsOf,
	itemsOf,
	jsonOf,
	quoteRefusal,
	rejection,
	shareCompany,
	some,
	where,
} from '../../support/company';

const company = shareCompany({ workOrders: 520 });
const { n8n, records, requests } = company;

const orders = () => records.rows('WorkOrder');
const assigned = () => orders().find(({ Employee }) => Employee !== undefined) as Row;
const eachNumber = byNumber('={{ $json.x }}');

it('the number of a work order remains a text with all its zeros', async () => {
	records.change('WorkOrder', orders()[0].Id, { Number: '0010001' });
	const run = await n8n.run('workOrder:get', { id: byNumber('0010001') });
	expect(run.items[0].json.Id).toBe(orders()[0].Id);
	expect(JSON.stringify(requests.lookUps()[0].body)).toContain('"Values":["0010001"]');
});

describe('a work order by a part of its number', () => {
	const getNumber = (index: number) => String(orders()[index].Number);
	const only = (index: number, Number: string) =>
		records.change('WorkOrder', orders()[index].Id, { Number });
	const get = async (value: unknown) => await n8n.run('workOrder:get', { id: byNumber(value) });

	it('is found without prefix and zeros, or without zeros, where one order matches', async () => {
		only(20, 'MTM0090020');
		for (const given of ['90020', 90020, '0090020', 'MTM90020', 'mtm090020', ' 90020 ']) {
			const run = await get(given);
			expect([given, run.items[0]?.json.Id]).toEqual([given, orders()[20].Id]);
		}
	});

	it('is not guessed where several orders match', async () => {
		only(22, 'MTM0090022');
		only(23, 'CHL0090022');
		const { error } = await get('90022');
		expect(error?.message).toBe(
			`'Work Order': more than one work order has the number "90022": "MTM0090022" (ID ${orders()[22].Id}); "CHL0090022" (ID ${orders()[23].Id})`,
		);
	});

	it('takes two more queries for all items together, however many', async () => {
		const wanted = Array.from({ length: 30 }, (_, index) => 30 + index);
		wanted.forEach((index) => only(index, `DTC00910${index}`));
		const given = wanted.map((index) => (index % 3 === 0 ? getNumber(index) : `910${index}`));
		const run = await n8n.run(
			'workOrder:get',
			{ id: eachNumber, properties: 'Id' },
			{ items: itemsOf(...given) },
		);
		expect(idsOf(jsonOf(run.items))).toEqual(wanted.map((index) => orders()[index].Id));
		expect(requests.queries()).toEqual(['WorkOrder', 'WorkZone', 'WorkOrder', 'WorkOrder']);
	});

	it('is not found by a service user who may not read the work zones', async () => {
		only(26, 'MTM0090026');
		company.sandbox.set({ unreadable: ['WorkZone'] });
		const { error } = await get('90026');
		expect(error?.message).toBe('\'Work Order\': no work order has the number "90026"');
	});
});

describe('a work order by its ID', () => {
	it('may be its number, unless that consists of digits', async () => {
		const { Id, Number: number } = orders()[30];
		const { items } = await n8n.run('workOrder:get', { id: byId(String(number).toLowerCase()) });
		expect(items[0].json.Id).toBe(Id);
	});

	it.each(['0100001', '1e3'])('is not mistaken for its number: %s', async (value) => {
		const { message, description } = await n8n.refuse('workOrder:get', { id: byId(value) });
		expect(message).toBe(`'Work Order' must be a positive whole number, but it is "${value}"`);
		expect(description).toMatch(/choose 'By Number'/);
	});
});

describe.each(['get', 'getMany'])('the output of %s', (operation) => {
	const read = async (form: INodeParameters) => {
		const order = assigned();
		const number = String(order.Number);
		const which = operation === 'get' ? { id: byId(order.Id) } : { filters: { number } };
		const { items } = await n8n.succeed(`workOrder:${operation}`, { ...which, ...form });
		const definitions = 'options' in form ? ['POST query/CustomFieldDescriptor'] : [];
		expect(requests.paths().slice(1)).toEqual(definitions);
		return { order, item: items[0].json };
	};

	it('is simplified: names for IDs, the assignee, and times with their zone, in one request', async () => {
		const { order, item } = await read({ output: 'simplified' });
		const name = { DisplayAs: expect.any(String) as string };
		const assignee = records.get('Employee', (order.Employee as IDataObject).Id as number);
		expect(item).toMatchObject({
			Number: order.Number,
			Status: getMemberLabel('WorkOrderStatus', String(order.StatusId)),
			Url: records.pageOf(order.Id),
			Customer: name,
			Priority: name,
			Employee: { DisplayAs: assignee.DisplayAs },
			DueDateUtc: expect.stringMatching(/Z$/) as string,
		});
		expect(item).not.toHaveProperty('DtDue');
	});

	it('is raw: all properties, references with their IDs only, in one request', async () => {
		const { order, item } = await read({ output: 'raw', properties: 'Number' });
		expect(item).toMatchObject({ DtDue: order.DtDue, Customer: order.Customer });
		expect(item.Customer).not.toHaveProperty('DisplayAs');
		expect(item.DueDateUtc).not.toMatch(/Z$/);
	});

	it('has the selected fields alone, in one request', async () => {
		const { order, item } = await read({ output: 'selected', properties: 'Number' });
		expect(item).toEqual({ Number: order.Number });
	});

	it.each([', ', ' ,'])(
		'has its members in the order of the fields, parted by %j',
		async (comma) => {
			const chosen = ['Number', 'Url', 'Customer.DisplayAs', 'Id', 'Customer.Id', 'ContactName'];
			const { item } = await read({ output: 'selected', properties: chosen.join(comma) });
			expect(Object.keys(item)).toEqual(['Number', 'Url', 'Customer', 'Id', 'ContactName']);
		},
	);

	it('has all properties and flat custom fields, with one more request for their names, with * selected', async () => {
		const { order, item } = await read({
			output: 'selected',
			properties: '*',
			options: { flattenCustomFields: true },
		});
		expect(item).toMatchObject({
			DtDue: order.DtDue,
			CustomFields: { 'Cost Center': expect.any(String) as string },
		});
	});
});

describe('custom fields', () => {
	const flat = { properties: 'Number', options: { flattenCustomFields: true } };
	const ofFirst = expect.objectContaining({
		'Cost Center': expect.any(String) as string,
	}) as object;

	it('are returned as names with values on request, with one more request for their names', async () => {
		const one = await n8n.run('workOrder:get', { id: byId(orders()[0].Id), ...flat });
		const filters = { number: orders()[0].Number };
		const many = await n8n.run('workOrder:getMany', { filters, ...flat });
		expect(jsonOf([...one.items, ...many.items]).map(({ CustomFields }) => CustomFields)).toEqual([
			ofFirst,
			ofFirst,
		]);
		const [order, ...others] = requests.sent();
		expect(others.map(({ path }) => path.split('/').at(-1))).toEqual([
			...['CustomFieldDescriptor', 'WorkOrder', 'CustomFieldDescriptor'],
		]);
		const paths = [
			'Id',
			'Value',
			'CurrencyTypeId',
			'Descriptor.Id',
			'Descriptor.Name',
			'Descriptor.Type',
		];
		expect(order.query.properties).toBe(
			['Number', ...paths.map((path) => `CustomFields.${path}`)].join(),
		);
	});

	it('are rejected before anything is sent for records that have none', async () => {
		const { message } = await n8n.refuse('record:getMany', {
			entity: byName('Location'),
			...flat,
		});
		expect(message).toMatch(/asset records carry no custom fields/);
	});
});

describe('all rows', () => {
	const readAll = async (advanced: object) =>
		await n8n.run('workOrder:getMany', {
			...{ returnAll: true, properties: 'Id' },
			options: { advanced },
		});

	it.each([2, 5])('request nothing more once request %i of them has failed', async (after) => {
		requests.fault(
			rejection('/query/', { ErrorCode: 'X', ErrorMessage: 'Not this one' }, { after }),
		);
		const { error } = await readAll({ parallelRequests: 4, pageSize: 10 });
		expect(error?.message).toBe(quoteRefusal('Not this one'));
		// The first page, the newest ID, the first page of each of four parts, and what is under way by then.
		expect(requests.sent().length).toBeLessThanOrEqual(2 + 4 + 2 * 3);
	});
});

describe('hints', () => {
	it('say once that limits shortened lists, whatever the limits of the items are', async () => {
		const run = await n8n.run(
			'workOrder:getMany',
			{ limit: '={{ $json.limit }}' },
			{ items: [{ json: { limit: 2 } }, { json: { limit: 3 } }] },
		);
		expect(run.items).toHaveLength(5);
		expect(hintsOf(run)).toEqual([expect.stringContaining("Stopped at 'Limit'")]);
		const one = { limit: 5, ...where('Id', orders()[0].Id) };
		expect((await n8n.run('workOrder:getMany', one)).hints).toEqual([]);
	});

	it('do not count items that failed for another reason as not found', async () => {
		for (const path of ['/query/', '/base/']) {
			requests.fault(rejection(path, { ErrorCode: 'X', ErrorMessage: 'No' }));
		}
		const run = await n8n.run(
			'workOrder:get',
			{ id: eachId, options: { advanced: { parallelRequests: 1 } } },
			{ items: itemsOf(orders()[0].Id, 1, 2), onError: 'continueErrorOutput' },
		);
		expect(errorsOf(run)).toEqual([
			quoteRefusal('No'),
			expect.stringContaining('1'),
			expect.stringContaining('2'),
		]);
		expect(hintsOf(run)).toEqual(['2 of 3 records were not found.']);
	});

	it('say that deleted records are left out', async () => {
		const run = await n8n.run('record:getMany', {
			entity: byName('Contact'),
			returnAll: true,
		});
		expect(hintsOf(run)).toEqual([expect.stringContaining("'Include Removed'")]);
	});
});

it.each([0, 17, 1.5, 'many'])('Parallel Requests cannot be %p', async (parallelRequests) => {
	const options = { advanced: { parallelRequests } };
	const { message } = await n8n.refuse('workOrder:get', { id: byId(1), options });
	expect(message).toMatch(/'Parallel Requests' must be a whole number, 1 to 16/);
});

interface Output extends IDataObject {
	records: IDataObject[];
	total: number;
	complete: boolean;
	order?: string;
	note?: string;
}

async function compact(form: object = {}, options: object = {}) {
	const run = await n8n.run('workOrder:getMany', {
		output: 'simplified',
		...form,
		options: { compactOutput: true, ...options },
	});
	return { run, output: run.items[0]?.json as Output };
}

it('compact output returns one item for a search, with names along with IDs', async () => {
	const [{ Number: number }] = records.rows('WorkOrder');
	const { run, output } = await compact({ filters: { number } });
	expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
	expect(output).toEqual({
		records: [some({ Number: number, Customer: expect.anything() as object })],
		total: 1,
		order: 'newest first',
		complete: true,
	});
	expect(requests.sent()).toHaveLength(1);
});

it('compact output begins with the newest records, or says in which order they come', async () => {
	const newest = records.ids('WorkOrder').reverse();
	const limited = await compact({ limit: 3 });
	expect(limited.output).toMatchObject({ order: 'newest first', complete: false });
	expect(idsOf(limited.output.records)).toEqual(newest.slice(0, 3));
	expect(requests.sent()).toHaveLength(1);
	const all = await compact({ returnAll: true });
	expect(all.output.order).toBe('oldest first');
	const sort = { values: [{ property: byName('Id'), direction: 'Ascending' }] };
	const sorted = await compact({ limit: 3, sort });
	expect(sorted.output).not.toHaveProperty('order');
	expect(idsOf(sorted.output.records)).toEqual(records.ids('WorkOrder', 3));
	const byPage = await compact({ limit: 3 }, { advanced: { pagingMethod: 'byId' } });
	expect(byPage.output.order).toBe('oldest first');
});

it('compact output is cut at 20,000 characters, after a whole record, and says so', async () => {
	const { output } = await compact({ returnAll: true });
	const length = JSON.stringify(output.records).length;
	expect(length).toBeLessThanOrEqual(20_001);
	expect(length).toBeGreaterThan(18_000);
	expect(output).toMatchObject({ total: 520, complete: false });
	expect(output.note).toBe(
		`Only the first ${output.records.length} of 520 records are here: more would be over 20000 characters. Ask for fewer fields, or narrow the search.`,
	);
	expect(idsOf(output.records)).toEqual(records.ids('WorkOrder', output.records.length));
});

it('compact output has the chosen maximum length, and omits what is too long for it', async () => {
	const long = await compact({ returnAll: true }, { compactLimit: 1_000_000 });
	expect(long.output).toMatchObject({ total: 520, complete: true });
	const short = await compact({ returnAll: true }, { compactLimit: 100 });
	expect(short.output).toMatchObject({ records: [], total: 520, complete: false });
	const { run } = await compact({}, { compactLimit: 5 });
	expect(run.error?.message).toBe(
		'\'Compact Limit\' must be a whole number, 100 or more, but it is "5"',
	);
});
