/** Create or Update of work orders by external number. */
import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import { byId, errorsOf, filledIn, jsonOf, shareCompany } from '../../support/company';
import type { RunOptions } from '../../support/engine';
import type { Run } from '../../support/run';

const company = shareCompany({ workOrders: 30 });
const { n8n, records, requests } = company;

/** The fields of *Create*, with what a ticket changes. */
const form = (more: IDataObject = {}) =>
	records.newOrder({
		externalNumber: '={{ $json.ticket }}',
		additionalFields: { poNumber: '={{ $json.po }}' },
		...more,
	});

const upsert = async (jsons: IDataObject[], more: IDataObject = {}, options: RunOptions = {}) =>
	await n8n.run('workOrder:upsert', form(more), {
		items: jsons.map((json) => ({ json })),
		onError: 'continueErrorOutput',
		...options,
	});

const ticket = (number: unknown, po = 'PO-1') => ({ ticket: number, po }) as IDataObject;
const outcomes = ({ items }: Run) => items.map(({ json: { Outcome } }) => Outcome);
const listMessages = ({ errorItems }: Run) => errorItems.map(({ json: { message } }) => message);

const CREATE = { pathIncludes: '/cmd/WoCreateCommand' };
const creates = () => requests.writes().filter(({ path }) => path.includes(CREATE.pathIncludes));
const puts = () => requests.bodies().filter((body) => 'Properties' in body);

const mark = (index: number, XNumber: string) => {
	const order = records.rows('WorkOrder')[index];
	records.change('WoLastAction', order.Id, { XNumber });
	return order;
};
const withNumber = (number: string) => records.children('WoLastAction', 'XNumber', number);

it('creates an order with its number, then changes what differs, and nothing if nothing does', async () => {
	const first = await upsert([ticket('T-1')]);
	const [{ Id }] = withNumber('T-1');
	const { Number: number, Priority } = records.get('WorkOrder', Id);
	expect(jsonOf(first.items)).toEqual([
		{
			Number: number,
			Id,
			Url: records.pageOf(Id),
			PoNumber: 'PO-1',
			LastAction: { XNumber: 'T-1' },
			Outcome: 'created',
		},
	]);
	expect(creates()).toHaveLength(1);
	expect(puts()).toEqual([]);

	company.sandbox.forgetRequests();
	const [priority] = records.idsWhere('WoPriority', (row) => row.Id !== (Priority as Row).Id);
	const second = await upsert([ticket('t-1 ', 'PO-2')], {
		priority: byId(priority),
	});
	expect(jsonOf(second.items)).toMatchObject([
		{ Id, Number: number, Outcome: 'updated', Changed: ['Priority', 'PoNumber'] },
	]);
	expect(requests.paths()).toEqual(['POST query/WorkOrder', 'PUT base/WorkOrder']);
	expect(puts()).toMatchObject([
		{
			Properties: ['Priority.Id', 'PoNumber'],
			Entity: { Id, Priority: { Id: priority }, PoNumber: 'PO-2' },
		},
	]);

	const third = await upsert([ticket('T-1', 'PO-2')]);
	expect(jsonOf(third.items)).toMatchObject([{ Id, Number: number, Outcome: 'unchanged' }]);
	expect(puts()).toHaveLength(1);
});

// Promise: *Skip if External Number Exists* creates no order twice
it.each([
	['is answered', []],
	['is not answered', [{ match: CREATE, kind: 'resetAfter' as const }]],
])(
	'makes one order of two items with one number where the create %s: the second changes it',
	async (_, faults) => {
		faults.forEach(requests.fault);
		const run = await upsert([ticket('T-1'), ticket('t-1', 'PO-2')], {
			options: { advanced: { parallelRequests: 2 } },
		});
		expect(outcomes(run)).toEqual(['created', 'updated']);
		const [{ Id }, ...others] = withNumber('T-1');
		expect(others).toEqual([]);
		const { Number: number, PoNumber } = records.get('WorkOrder', Id);
		expect(PoNumber).toBe('PO-2');
		expect(run.items[0].json.Number).toBe(number);
		expect(creates()).toHaveLength(1);
	},
);

it('updates what the form of a new order says of an order that is there, except what only a new one gets', async () => {
	const order = mark(2, 'T-1');
	records.change('WorkOrder', order.Id, { StatusId: 'Completed', TimeZone: 35 });
	const [contact] = records.ids('Contact');
	const field = records.find('CustomFieldDescriptor', { ActorTypeId: 'WO' });
	const run = await upsert([ticket('T-1')], {
		typeCategory: 'Basic',
		subType: byId(21),
		customer: byId(''),
		contact: byId(contact),
		notes: { values: [{ body: 'Key at the desk', type: 'Public' }] },
		items: { values: [{ asset: byId(records.rows('Location')[3].Id), task: byId(1) }] },
		customFields: filledIn({ [`CustomFields.${field.Id}`]: 'CC-1' }),
		additionalFields: {
			comment: 'for the log of a new order',
			contactAddress: '+1 555 0100',
			due: '2026-01-31T22:30:00Z',
			otherProperties: {
				StatusId: 'New',
				Customer: { Id: 1 },
				Items: [],
				TaskRefinement: 'north side',
			},
			vendorNte: { money: { value: 333, currency: 'USD' } },
		},
	});
	expect(run.errorItems).toEqual([]);
	expect(puts()).toMatchObject([
		{
			Properties: [
				'RequestorContact.Id',
				'DtDue',
				'VendorNte',
				'ContactAddress.Address',
				'ContactAddress.AddrTypeId',
				'CustomFields.*',
				'TaskRefinement',
			],
			Entity: {
				Id: order.Id,
				RequestorContact: { Id: contact },
				DtDue: '2026-01-31T17:30:00',
				VendorNte: { Value: 333, CurrencyTypeId: 'USD' },
				ContactAddress: { Address: '+1 555 0100', AddrTypeId: 'Contact' },
				TaskRefinement: 'north side',
				CustomFields: [{ Descriptor: { Id: field.Id }, Value: 'CC-1' }],
			},
		},
	]);
	expect(requests.sent()).toHaveLength(3);
});

it('compares items of one number with the order that a dry run would create, as the run does', async () => {
	const id = `CustomFields.${records.find('CustomFieldDescriptor', { ActorTypeId: 'WO' }).Id}`;
	const schema = [{ id, displayName: 'Cost Center', type: 'string' }];
	const customFields = filledIn({ [id]: '={{ $json.text }}' }, schema);
	const jsons = ['', '', 'a', 'b', ''].map((text) => ({ ...ticket('T-1'), text }));
	const dry = await upsert(jsons, { customFields, options: { dryRun: 'always' } });
	const [update, change] = ['wouldUpdate', 'updated'];
	expect(outcomes(dry)).toEqual(['wouldCreate', 'unchanged', update, update, update]);
	const real = await upsert(jsons, { customFields });
	expect(outcomes(real)).toEqual(['created', 'unchanged', change, change, change]);
});

describe('a field, like a column,', () => {
	const NEW = {
		poNumber: 'new',
		contactName: 'new',
		contactAddress: 'new',
		priority: 2,
		contact: 2002,
		due: '2026-03-01T10:00:00',
		isWarranty: true,
	};
	const ORDER = {
		poNumber: 'PO-9',
		contactName: 'Ann',
		contactAddress: 'ann@example.org',
		priority: 1,
		contact: 2001,
		due: '2026-02-01T10:00:00',
		isWarranty: false,
	};
	const isText = (name: string) => /^(po|contact)[A-Z]/.test(name);
	/** Blanks are given to texts only. */
	const giveAll = (value?: string | null): IDataObject =>
		Object.fromEntries(
			Object.keys(NEW).map((name) => [name, value === ' ' && !isText(name) ? '' : value]),
		);
	const inputs = ['new', '', ' ', null, undefined].flatMap((given) => {
		const values: IDataObject = given === 'new' ? NEW : giveAll(given);
		return [true, false].map((isTyped) => ({ given, values, isTyped }));
	});
	const give = async (values: IDataObject, isTyped: boolean) => {
		const given = Object.entries(values).map(([name, value]) => {
			const input = isTyped && value ? value : `={{ $json.${name} }}`;
			return [name, isTyped && value === '' && isText(name) ? '' : input];
		});
		const { priority, contact, ...additionalFields } = Object.fromEntries(given) as IDataObject;
		return await upsert([{ ticket: 'T-1', ...values }], {
			priority: byId(priority),
			contact: byId(contact),
			additionalFields,
		});
	};
	const show = () => {
		const [{ Id }] = withNumber('T-1');
		const order = records.get('WorkOrder', Id);
		const address = records.get('ContactInfo', (order.ContactAddress as Row).Id);
		return {
			poNumber: order.PoNumber ?? '',
			contactName: order.ContactName ?? '',
			contactAddress: address.Address ?? '',
			priority: (order.Priority as IDataObject).Id,
			contact: (order.RequestorContact as IDataObject).Id,
			due: String(order.DtDue).slice(0, 19),
			isWarranty: order.IsWarranty ?? false,
		};
	};

	it.each(inputs)(
		'changes what it gives; an empty text clears, and nothing else that is empty changes anything: $given, typed $isTyped',
		async ({ values, isTyped }) => {
			await give(ORDER, true);
			expect(show()).toEqual(ORDER);
			expect(errorsOf(await give(values, isTyped))).toEqual([]);
			const after = Object.entries(values).map(([name, value]) => {
				if (isText(name) && typeof value === 'string') return [name, value.trim()];
				return [name, value || ORDER[name as keyof typeof ORDER]];
			});
			expect(show()).toEqual(Object.fromEntries(after));
			expect(outcomes(await give(values, isTyped))).toEqual(['unchanged']);
		},
	);

	it.each(inputs)(
		'makes a new order without it where it is empty: $given, typed $isTyped',
		async ({ values, isTyped }) => {
			expect(errorsOf(await give(values, isTyped))).toEqual([]);
			const [{ body }] = creates();
			expect(JSON.stringify(body)).not.toMatch(/:(""|null)/);
		},
	);
});

it('needs the fields of a new order only for a new one', async () => {
	mark(2, 'T-1');
	const none = byId('={{ $json.none }}');
	const nothing = {
		subType: none,
		customer: none,
		items: { values: [{ asset: none, task: none }] },
	};
	const known = await upsert([ticket('T-1'), ticket('T-2')], nothing);
	expect(outcomes(known)).toEqual(['updated']);
	expect(errorsOf(known)).toEqual([
		"'Sub Type', 'Customer', 'Asset', and 'Task' are empty: their expressions give nothing",
	]);
	expect(creates()).toEqual([]);
});

it('refuses an empty number, and one that several orders have, with these orders', async () => {
	const first = mark(2, 'T-1');
	const second = mark(5, 't-1');
	const run = await upsert([ticket('T-1'), ticket(' '), ticket(4711)]);
	expect(errorsOf(run)).toEqual([
		`There are 2 work order records with External Number "T-1": "${String(first.Number)}" (ID ${first.Id}), "${String(second.Number)}" (ID ${second.Id})`,
		"'External Number' is empty: its expression gives nothing",
	]);
	expect(listMessages(run)[0]).toContain('Nothing was written.');
	expect(outcomes(run)).toEqual(['created']);
	expect(withNumber('4711')).toHaveLength(1);
});
