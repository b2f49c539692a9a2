import type { IDataObject } from 'n8n-workflow';

import { itemsOf, shareCompany, some, idsOf } from '../../support/company';

const { n8n, records, requests } = shareCompany({ workOrders: 300 });

interface Output extends IDataObject {
	records: IDataObject[];
	total: number;
	complete: boolean;
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
		complete: true,
	});
	expect(requests.sent()).toHaveLength(1);
});

it('compact output returns an empty list where nothing matches', async () => {
	const { output } = await compact({ filters: { number: 'NO-SUCH' } });
	expect(output).toEqual({ records: [], total: 0, complete: true });
});

it('compact output is cut at 20,000 characters, after a whole record, and says so', async () => {
	const { output } = await compact({ returnAll: true });
	const length = JSON.stringify(output.records).length;
	expect(length).toBeLessThanOrEqual(20_001);
	expect(length).toBeGreaterThan(18_000);
	expect(output).toMatchObject({ total: 300, complete: false });
	expect(output.note).toBe(
		`Only the first ${output.records.length} of 300 records are here: more would be over 20000 characters. Ask for fewer fields, or narrow the search.`,
	);
	expect(idsOf(output.records)).toEqual(records.ids('WorkOrder', output.records.length));
});

it('compact output has the chosen maximum length, and omits what is too long for it', async () => {
	const long = await compact({ returnAll: true }, { compactLimit: 1_000_000 });
	expect(long.output).toMatchObject({ total: 300, complete: true });
	const short = await compact({ returnAll: true }, { compactLimit: 100 });
	expect(short.output).toMatchObject({ records: [], total: 300, complete: false });
	const { run } = await compact({}, { compactLimit: 5 });
	expect(run.error?.message).toBe(
		'\'Compact Limit\' must be a whole number, 100 or more, but it is "5"',
	);
});

it('compact output is one item for each input item', async () => {
	const run = await n8n.run(
		'workOrder:getMany',
		{ limit: 2, options: { compactOutput: true } },
		{ items: itemsOf(1, 2) },
	);
	expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
});

it('compact output serves an agent', async () => {
	const options = { compactOutput: true };
	const parameters = {
		resource: 'workOrder',
		operation: 'getMany',
		returnAll: true,
		options,
	};
	const run = await n8n.engine.runTool({ parameters });
	const response = String(run.items[0].json.response);
	expect(response).toContain('"complete":false');
	expect(response.length).toBeLessThan(23_000);
});
