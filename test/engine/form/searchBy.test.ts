/** What a search goes by: its filters alone, or conditions or criteria as well. */
import { activate } from '../../support/activeTrigger';
import { byName, idsOf, jsonOf, shareCompany, where } from '../../support/company';

const { n8n, records } = shareCompany();

const orders = () => records.rows('WorkOrder');
const listOrders = (...statuses: unknown[]) =>
	idsOf(orders().filter(({ StatusId }) => statuses.includes(StatusId)));

const status = (value: string) => ({ property: 'StatusId', operator: 'Equal', value });
const isNew = { PropertyName: 'StatusId', Operator: 'Equal', Values: ['New'] };

/** A form in which every field has a value, as some of them were filled in for another way to search. */
const filledIn = {
	filters: { status: ['New', 'Open'] },
	match: 'all',
	conditions: { values: [status('Open')] },
	criteriaJson: { Conditions: [isNew] },
};

const ways: Array<[string, { searchBy?: string }, string[]]> = [
	['filters, unless more is chosen', {}, ['New', 'Open']],
	['conditions', { searchBy: 'conditions' }, ['Open']],
	['JSON', { searchBy: 'json' }, ['New']],
];

describe.each(ways)('a search by %s', (_, way, statuses) => {
	const parameters = { ...filledIn, searchBy: 'filters', ...way };

	// Promise: A search uses only the fields that its form shows
	it('returns the records that match the filters and what is shown, and counts them', async () => {
		const all = await n8n.succeed('workOrder:getMany', { ...parameters, returnAll: true });
		expect(idsOf(jsonOf(all.items))).toEqual(listOrders(...statuses));
		const run = await n8n.run('workOrder:getMany', { return: 'count', ...parameters });
		expect(jsonOf(run.items)).toEqual([{ Count: listOrders(...statuses).length }]);
	});

	it('triggers for the records that match the filters and what is shown', async () => {
		const active = await activate({
			event: 'workOrderCreated',
			startFrom: 'time',
			startTime: '2000-01-01T00:00:00Z',
			...parameters,
		});
		const found = await active.poll();
		const expected = active.orders().filter(({ StatusId }) => statuses.includes(String(StatusId)));
		expect(found.length).toBeGreaterThan(0);
		expect(new Set(idsOf(found))).toEqual(new Set(idsOf(expected)));
	});

	it('ignores mistakes in fields that are not shown', async () => {
		const { searchBy } = parameters;
		await n8n.succeed('workOrder:getMany', {
			...parameters,
			...(searchBy !== 'conditions' && { match: 'none', conditions: { values: [{}] } }),
			...(searchBy !== 'json' && { criteriaJson: 'not JSON' }),
		});
	});
});

it.each([
	['all', 0],
	['any', 2],
])('a search by conditions returns the records that match %s of them', async (match, statuses) => {
	const run = await n8n.run('workOrder:getMany', {
		returnAll: true,
		searchBy: 'conditions',
		match,
		conditions: { values: [status('New'), status('Open')] },
	});
	expect(idsOf(jsonOf(run.items))).toEqual(listOrders(...['New', 'Open'].slice(0, statuses)));
});

it('a search for records of any entity goes by conditions, as it has no filters', async () => {
	const { poll, person } = await activate({
		event: 'record',
		entity: byName('WorkOrder'),
		conditions: where('PoNumber', 'X').conditions,
	});
	await poll();
	person({});
	const wanted = person({ members: { PoNumber: 'X' } });
	expect(idsOf(await poll())).toEqual([wanted.Id]);

	const parameters = { resource: 'record', operation: 'getMany', entity: byName('WorkOrder') };
	const conditions = { values: [status('Open')] };
	const run = await n8n.engine.run({ parameters: { ...parameters, returnAll: true, conditions } });
	expect(idsOf(jsonOf(run.items))).toEqual(listOrders('Open'));
});

it('a way to search that does not exist is rejected before anything is sent', async () => {
	const { message } = await n8n.refuse('workOrder:getMany', { searchBy: 'name' });
	expect(message).toBe('\'Search By\' must be one of filters, conditions, json, but it is "name"');
});
