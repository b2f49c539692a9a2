/** The forms of all items are read before the first write, and values that a new record needs are looked for. */
import type { IDataObject } from 'n8n-workflow';

import type { RunOptions } from '../../support/engine';
import {
	byId,
	errorsOf,
	idsOf,
	jsonOf,
	mappedByName,
	quoteRefusal,
	rejection,
	shareCompany,
	some,
} from '../../support/company';

const { n8n, records, requests } = shareCompany({ workOrders: 5 });

const customer = (TenantCode: string, more: IDataObject = {}): IDataObject => ({
	TenantCode,
	DisplayAs: TenantCode,
	Name: TenantCode,
	Dba: TenantCode,
	'WorkZone.Id': 11,
	...more,
});

const mapped = (options: object = {}) => ({ ...mappedByName(['TenantCode']), options });

const run = async (
	operation: string,
	parameters: object,
	jsons: IDataObject[],
	more: RunOptions = {},
) => await n8n.run(operation, parameters, { items: jsons.map((json) => ({ json })), ...more });

const ON: RunOptions = { onError: 'continueErrorOutput' };

const wrongInSecond = (right: unknown, wrong: unknown) =>
	`={{ ${JSON.stringify([right, wrong])}[$itemIndex] }}`;
const EACH_ID = byId(wrongInSecond(101, 'x'));
const UPDATE = { id: byId(101), fieldsJson: { Dba: 'a' } };

// Promise: Wrong input fails before anything is sent
it.each<[string, object]>([
	['customer:update', { id: byId(101), fieldsJson: wrongInSecond({ Dba: 'a' }, 'Dba') }],
	['customer:delete', { id: EACH_ID }],
	['customer:restore', { id: EACH_ID }],
	['employee:suspend', { id: EACH_ID }],
	['workOrder:cancel', { id: EACH_ID, reason: byId(1) }],
	['workOrder:setNte', { id: EACH_ID, vendorNte: { money: { value: 5, currency: 'USD' } } }],
	['note:create', { workOrder: EACH_ID, body: 'text', type: 'Public' }],
	['customerNote:create', { actorTypeId: 'CommLease', actorId: EACH_ID, text: 'text' }],
	[
		'document:upload',
		{
			actorTypeId: 'WO',
			actorId: byId(1),
			documentType: byId(1),
			source: 'link',
			url: wrongInSecond('https://x.org', 'x'),
		},
	],
	[
		'command:execute',
		{
			commandName: { __rl: true, mode: 'name', value: 'WoPickUpCommand' },
			commandBody: wrongInSecond({}, 'x'),
		},
	],
	['purchaseOrder:markExported', { id: EACH_ID }],
	['customer:update', { ...UPDATE, output: wrongInSecond('raw', 'short') }],
	['customer:update', { ...UPDATE, options: { returnRecord: wrongInSecond(true, 'maybe') } }],
	[
		'customer:delete',
		{ ...UPDATE, options: { advanced: { timeout: wrongInSecond(60_000, 'x') } } },
	],
])('%s writes no item where another one has wrong input', async (operation, parameters) => {
	const { error } = await run(operation, parameters, [{}, {}]);
	expect(error?.message).toMatch(/ \[item 1\]$/);
	expect(requests.writes()).toEqual([]);
});

describe('a new customer without required values', () => {
	const three = () => [
		customer('N-1'),
		customer('N-2'),
		customer('N-3', { DisplayAs: null, Dba: null }),
	];

	describe.each(['customer:create', 'customer:upsert'])('in %s', (operation) => {
		// Promise: Wrong input fails before anything is sent
		it.each([{}, { dryRun: 'always' }])(
			'stops the run before anything is written: %j',
			async (options) => {
				const { error } = await run(operation, mapped(options), three());
				expect(error).toMatchObject({
					message: "'Display Name' and 'DBA (Doing Business As)' are empty [item 2]",
					description:
						'A new customer needs a value for each of them. Counted from 1, this is item 3 of 3.',
					context: { itemIndex: 2 },
				});
				expect(requests.writes()).toEqual([]);
			},
		);

		it('leaves by the error output with Continue On Fail, and the others are written', async () => {
			const { items, errorItems } = await run(operation, mapped(), three(), ON);
			expect(jsonOf(errorItems)).toEqual([
				some({ error: "'Display Name' and 'DBA (Doing Business As)' are empty" }),
			]);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
			expect(requests.bodies().map(({ Entity }) => Entity.TenantCode)).toEqual(['N-1', 'N-2']);
		});

		it('is reported under the names of Corrigo where JSON was pasted', async () => {
			const pasted = { matchOn: 'TenantCode', fieldsJson: '={{ $json }}' };
			const { error } = await run(operation, pasted, three());
			expect(error?.message).toBe("'DisplayAs' and 'Dba' are empty [item 2]");
			expect(requests.writes()).toEqual([]);
		});
	});

	it('is reported together with the other items that fail without a look-up', async () => {
		const { error } = await run('customer:create', mapped(), [
			customer('N-1'),
			customer('N-2', { Name: null }),
			customer('N-3', { 'WorkZone.Id': 'Nowhere' }),
			customer('N-4', { Dba: null }),
		]);
		expect(error).toMatchObject({
			message: "'Name' is empty [item 1]",
			description:
				'A new customer needs a value for it. Counted from 1, this is item 2 of 4. 1 other item failed, too (item 4, counted from 1).',
		});
		expect(requests.sent()).toEqual([]);
	});
});

describe('Create or Update', () => {
	const known = () => {
		const [{ TenantCode }] = records.rows('Customer');
		return { TenantCode, Dba: 'changed' } as IDataObject;
	};

	it('asks for no value of a record that exists', async () => {
		const { items } = await run('customer:upsert', mapped(), [known(), customer('N-1')]);
		expect(idsOf(jsonOf(items), 'Outcome')).toEqual(['updated', 'created']);
		expect(requests.paths()).toEqual([
			'POST query/Customer',
			'PUT base/Customer',
			'POST base/Customer',
		]);
	});

	it('asks for no value of a record that an item before creates', async () => {
		const incomplete = { TenantCode: 'n-1', Dba: 'changed' };
		const { items } = await run('customer:upsert', mapped(), [customer('N-1'), incomplete]);
		expect(idsOf(jsonOf(items), 'Outcome')).toEqual(['created', 'updated']);
	});

	it('sends no incomplete record where the item before could not create it', async () => {
		requests.fault(rejection('/base/Customer', { ErrorMessage: 'Not today' }));
		const incomplete = { TenantCode: 'n-1', Dba: 'changed' };
		const jsons = [customer('N-1'), incomplete];
		expect(errorsOf(await run('customer:upsert', mapped(), jsons, ON))).toEqual([
			quoteRefusal('Not today'),
			"'Display Name', 'Name', and 'Work Zone' are empty",
		]);
		expect(requests.writes()).toHaveLength(1);
	});

	it('asks for no value where Update Only is on', async () => {
		const parameters = mapped({ updateOnly: 'skip' });
		const { items } = await run('customer:upsert', parameters, [{ TenantCode: 'N-1', Dba: 'x' }]);
		expect(jsonOf(items)).toMatchObject([{ 'Tenant Code': 'N-1', Outcome: 'missing' }]);
	});

	it('looks for the records of all items before the first write where Update Only fails', async () => {
		const jsons = [known(), { TenantCode: 'N-1', Dba: 'x' }];
		const { error } = await run('customer:upsert', mapped({ updateOnly: 'error' }), jsons);
		expect(error?.message).toBe('There is no customer with Tenant Code "N-1" [item 1]');
		expect(requests.paths()).toEqual(['POST query/Customer']);
	});
});

describe('Create Work Order', () => {
	const order = {
		typeCategory: 'Request',
		subType: byId('={{ $json.subType }}'),
		customer: byId('={{ $json.customer }}'),
		items: {
			values: [{ asset: byId('={{ $json.asset }}'), task: byId('={{ $json.task }}') }],
		},
	};
	const complete = () => ({
		subType: 23,
		customer: records.rows('Customer')[0].Id,
		asset: records.rows('Location')[0].Id,
		task: records.rows('Task')[0].Id,
	});

	it.each([{}, { dryRun: 'always' }])(
		'names all values that expressions left empty, before an order is created: %j',
		async (options) => {
			const { error } = await run('workOrder:create', { ...order, options }, [complete(), {}]);
			expect(error).toMatchObject({
				message:
					"'Sub Type', 'Customer', 'Asset', and 'Task' are empty: their expressions give nothing [item 1]",
				description:
					'A new work order needs a value for each of them. If the expressions are right, check the data that they read. Counted from 1, this is item 2 of 2.',
				context: { itemIndex: 1 },
			});
			expect(requests.sent()).toEqual([]);
		},
	);

	it('is reported where an expression makes the order a request', async () => {
		const parameters = { ...order, typeCategory: "={{ 'Request' }}", customer: byId('') };
		const { error } = await run('workOrder:create', parameters, [complete()]);
		expect(error?.message).toBe("'Customer' is empty");
		expect(requests.writes()).toEqual([]);
	});

	it('creates the orders of the other items with Continue On Fail', async () => {
		const jsons = [{ subType: 23 }, complete()];
		const done = await run('workOrder:create', order, jsons, ON);
		expect(errorsOf(done)).toEqual([
			"'Customer', 'Asset', and 'Task' are empty: their expressions give nothing",
		]);
		expect(done.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	});

	it.each([
		['Request', 'Customer'],
		['Request', 'Sub Type'],
		['Basic', 'Sub Type'],
		['Request', 'Asset'],
		['Request', 'Task'],
	])('is not started by n8n for a %s whose form has no %s', async (typeCategory, label) => {
		const { subType, customer, asset, task } = complete();
		const given = {
			'Sub Type': subType,
			Customer: customer,
			Asset: asset,
			Task: task,
			[label]: '',
		};
		const parameters = {
			typeCategory,
			subType: byId(given['Sub Type']),
			customer: byId(given.Customer),
			items: { values: [{ asset: byId(given.Asset), task: byId(given.Task) }] },
		};
		await expect(run('workOrder:create', parameters, [{}])).rejects.toThrow(
			// Older hosts do not say which.
			new RegExp(`Parameter "${label}" is required|The workflow has issues`),
		);
	});

	it.each(['Basic', "={{ 'Basic' }}"])(
		'needs no customer for the category %s',
		async (typeCategory) => {
			const additionalFields = { workZone: byId(records.rows('WorkZone')[0].Id) };
			const parameters = { ...order, typeCategory, customer: byId(''), additionalFields };
			const { items } = await run('workOrder:create', parameters, [complete()]);
			expect(items).toHaveLength(1);
		},
	);
});
