/** The option Return Before: the record as it was before an item changed it. */
import type { IDataObject } from 'n8n-workflow';

import {
	PUMP,
	byId,
	byName,
	errorsOf,
	filledIn,
	hintsOf,
	itemsOf,
	jsonOf,
	quoteRefusal,
	rejection,
	shareCompany,
	some,
} from '../../support/company';

const company = shareCompany({ workOrders: 10 });
const { n8n, records, requests } = company;

const fields = (given: unknown, options: IDataObject = {}) => ({
	fieldsJson: given,
	options: { returnBefore: true, ...options },
});

/** Gives each of the orders its own PO number. */
const updateOrders = async (
	orders: Array<{ id: number; PoNumber: string }>,
	{ options, ...more }: { options?: IDataObject; onError?: 'continueErrorOutput' } = {},
) =>
	await n8n.run(
		'workOrder:update',
		{
			id: byId('={{ $json.x.id }}'),
			...fields('={{ ({ PoNumber: $json.x.PoNumber }) }}', options),
		},
		{ items: itemsOf(...orders), ...more },
	);
const readBefore = (items: Parameters<typeof jsonOf>[0]) =>
	jsonOf(items).map(({ Before }) => Before);

const usd = (Value: number) => ({ Value, CurrencyTypeId: 'USD' });

describe('an update returns', () => {
	it('the members that it writes as they were, and as they are written, with the number of the order', async () => {
		const [{ Id, Number: number }] = records.rows('WorkOrder');
		const { ConcurrencyId, Customer } = records.change('WorkOrder', Id, {
			PoNumber: 'A',
			VendorNte: usd(1),
			TaskRefinement: null,
		});
		const written = {
			PoNumber: 'B',
			VendorNte: usd(2),
			TaskRefinement: 'x',
			Customer: { Id: records.rows('Customer')[1].Id },
		};
		const { items } = await n8n.succeed('workOrder:update', { id: byId(Id), ...fields(written) });
		expect(jsonOf(items)).toEqual([some({ Number: number })]);
		expect(readBefore(items)).toEqual([
			{
				EntityType: 'WorkOrder',
				Id,
				ConcurrencyId,
				PoNumber: 'A',
				VendorNte: usd(1),
				TaskRefinement: null,
				Customer: some({ Id: (Customer as IDataObject).Id }),
				Written: written,
			},
		]);
		expect(requests.paths()).toEqual(['POST query/WorkOrder', 'PUT base/WorkOrder']);
	});

	it('the records of many items by one request, also in parallel', async () => {
		const before = records
			.rows('WorkOrder')
			.map(({ Id, PoNumber }) => some({ Id, PoNumber: PoNumber ?? null }));
		const run = await updateOrders(
			records.ids('WorkOrder').map((id) => ({ id, PoNumber: 'P' })),
			{ options: { advanced: { parallelRequests: 4 } } },
		);
		expect(readBefore(run.items)).toEqual(before);
		expect(requests.paths()).toEqual([
			'POST query/WorkOrder',
			...before.map(() => 'PUT base/WorkOrder'),
		]);
	});

	// Promise: *Return Before* returns what was there when an item had its turn
	it.each([1, 4])('what an earlier item has left, with %i requests at a time', async (count) => {
		const [{ Id: id, PoNumber }] = records.rows('WorkOrder');
		const run = await updateOrders(
			['B', 'C', 'D'].map((number) => ({ id, PoNumber: number })),
			{ options: { advanced: { parallelRequests: count } } },
		);
		expect(readBefore(run.items)).toEqual([
			some({ PoNumber, Written: { PoNumber: 'B' } }),
			some({ PoNumber: 'B', Written: { PoNumber: 'C' } }),
			some({ PoNumber: 'C', Written: { PoNumber: 'D' } }),
		]);
	});

	it('only what was there, where items fail', async () => {
		const [one, other] = records.rows('WorkOrder');
		requests.fault(rejection({ method: 'PUT' }, { ErrorCode: 'X', ErrorMessage: 'Not now' }));
		const run = await updateOrders(
			[999999, one.Id, other.Id].map((id) => ({ id, PoNumber: 'B' })),
			{ onError: 'continueErrorOutput' },
		);
		expect(errorsOf(run)).toEqual([
			'There is no work order with the ID 999999',
			quoteRefusal('Not now'),
		]);
		expect(readBefore(run.items)).toEqual([some({ Id: other.Id, PoNumber: null })]);
	});

	it('no record that may not be read, says so, and writes', async () => {
		const [{ Id }] = records.rows('WorkOrder');
		requests.fault(
			rejection('/query/', { ErrorCode: '', ErrorMessage: 'You may not' }, { times: 10 }),
		);
		const form = { id: byId(Id), ...fields({ PoNumber: 'B' }) };
		const run = await n8n.run('workOrder:update', form);
		expect(jsonOf(run.items)).toEqual([expect.not.objectContaining({ Before: some({}) })]);
		expect(hintsOf(run)).toEqual([
			'What work order records hold now is not known: they may not be read.',
		]);
		expect(records.rows('WorkOrder')[0]).toMatchObject({ PoNumber: 'B' });
	});

	it('the other records where one item names a property that the Company lacks', async () => {
		const [one, other] = records.rows('WorkOrder');
		requests.fault(
			rejection('/query/', { ErrorCode: 'ERROR_CODE_1002', ErrorMessage: 'No property' }),
		);
		const run = await updateOrders([one, other].map(({ Id }) => ({ id: Id, PoNumber: 'B' })));
		expect(readBefore(run.items)).toEqual([some({ Id: one.Id }), some({ Id: other.Id })]);
	});

	it('the record with a confirmation key, and in raw output', async () => {
		const [{ Id, PoNumber }] = records.rows('WorkOrder');
		const form = { id: byId(Id), ...fields({ PoNumber: 'B' }) };
		const dry = await n8n.run('workOrder:update', {
			...form,
			options: { returnBefore: true, dryRun: 'always' },
		});
		expect(readBefore(dry.items)).toEqual([undefined]);
		const confirmationKey = dry.items[0].json.ConfirmationKey as string;
		const options = { returnBefore: true, confirmationKey };
		const run = await n8n.run('workOrder:update', { ...form, options, output: 'raw' });
		expect(jsonOf(run.items)).toEqual([
			some({ EntityType: 'WorkOrder', Id, Before: some({ PoNumber }) }),
		]);
	});
});

it.each<[string, IDataObject, 'Before' | 'nothing']>([
	['without the option', {}, 'Before'],
	['with it', { returnBefore: true }, 'Before'],
	['not with the option off', { returnBefore: false }, 'nothing'],
])(
	'an upsert returns the record that it has found, %s, by no further request',
	async (...given) => {
		const [, options, returned] = given;
		const [found, same] = records.rows('Customer').map((row) => ({ ...row }));
		const items = [
			{ TenantCode: found.TenantCode, Dba: 'mine' },
			{ TenantCode: same.TenantCode, DisplayAs: same.DisplayAs },
			records.newCustomer('new'),
		];
		const form = { matchOn: 'TenantCode', fieldsJson: '={{ $json.x }}', options };
		const run = await n8n.run('customer:upsert', form, { items: itemsOf(...items) });
		const outcomes = jsonOf(run.items).map(({ Outcome }) => Outcome);
		expect(outcomes).toEqual(['updated', 'unchanged', 'created']);
		const before = { Id: found.Id, Dba: found.Dba, Written: { Dba: 'mine' } };
		expect(readBefore(run.items)).toEqual([
			returned === 'Before' ? some(before) : undefined,
			...[undefined, undefined],
		]);
		expect(requests.paths()).toEqual([
			'POST query/Customer',
			'PUT base/Customer',
			'POST base/Customer',
		]);
	},
);

it.each([{}, { isRequested: true as const }])(
	'a tool of an agent returns it only with the option: %j',
	async (agent) => {
		const [{ TenantCode }] = records.rows('Customer');
		const parameters = { resource: 'customer', operation: 'upsert', fieldsMode: 'json' };
		for (const options of [{}, { returnBefore: true }]) {
			const fieldsJson = JSON.stringify({ TenantCode, Dba: JSON.stringify(options) });
			const form = { ...parameters, matchOn: 'TenantCode', fieldsJson, options };
			const { items } = await n8n.engine.runTool({ parameters: form, ...agent });
			const { response } = items[0].json;
			expect(response).toContain('"Outcome":"updated"');
			expect(String(response).includes('"Before":')).toBe('returnBefore' in options);
		}
	},
);

const ofItself = ({ Id }: IDataObject) => ({ id: byId(Id), fields: filledIn({ PoNumber: 'B' }) });

it.each<[string, string, (order: IDataObject) => IDataObject, 'Before' | 'nothing']>([
	[
		'Update with If Changed',
		'workOrder:update',
		(order) => ({
			...ofItself(order),
			options: { ifChanged: 'fail', expectedVersion: order.ConcurrencyId },
		}),
		'Before',
	],
	[
		'Restore Values',
		'record:restoreValues',
		({ Id, PoNumber }) => ({
			entity: byName('WorkOrder'),
			before: { EntityType: 'WorkOrder', Id, PoNumber: 'B', Written: { PoNumber } },
		}),
		'Before',
	],
	['Update', 'workOrder:update', ofItself, 'nothing'],
	[
		'Update of rows, which reads the rows alone',
		'workOrder:update',
		({ Id }) => {
			const [item] = records.children('WoItem', 'WorkOrderId', Id as number);
			const Items = [{ Id: item.Id, Comment: 'B' }];
			return { id: byId(Id), fieldsJson: { PoNumber: 'B', Items } };
		},
		'nothing',
	],
])('without the option, %s returns what it reads anyway', async (_, operation, form, returned) => {
	const run = async (more: IDataObject = {}) => {
		company.fresh();
		const [{ Id }] = records.rows('WorkOrder');
		records.change('WorkOrder', Id, { PoNumber: 'A' });
		const order = records.get('WorkOrder', Id) as unknown as IDataObject;
		const { options, ...parameters } = form({ ...order });
		const own = { ...(options as IDataObject), ...more };
		const { items } = await n8n.succeed(operation, { ...parameters, options: own });
		return [readBefore(items), requests.paths()];
	};
	const [before, sent] = await run();
	expect(before).toEqual([returned === 'Before' ? some({ PoNumber: 'A' }) : undefined]);
	expect(await run({ returnBefore: false })).toEqual([[undefined], sent]);
});

it('a new record has none, even if its custom fields are written apart', async () => {
	const own = filledIn({ ...PUMP, [`CustomFields.${records.addField('Asset')}`]: 'x' });
	const { items } = await n8n.run('asset:upsert', {
		fields: { ...own, matchingColumns: ['Name'] },
		options: { returnBefore: true },
	});
	expect(jsonOf(items)).toEqual([some({ Outcome: 'created' })]);
	expect(readBefore(items)).toEqual([undefined]);
});
