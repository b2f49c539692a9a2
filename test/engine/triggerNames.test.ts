/** Records that the form of a trigger takes by name. */
import type { INodeParameters } from 'n8n-workflow';

import { CorrigoWebhookTrigger } from '../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import type { Row } from '../../sandbox';
import { activate, type Active } from './activeTrigger';
import { CREDENTIAL, byName, idsOf, isLimitProbe, where } from './desk';
import { listen } from './webhook';

let active: Active;

afterEach(async () => await active.sandbox.close());

const start = async (parameters: object) => {
	active = await activate({ event: 'workOrderCreated', ...parameters } as INodeParameters);
	return active;
};

const customers = () => active.sandbox.store.rows('Customer');
const nameOf = (row: Row) => String(row.DisplayAs);
const paths = () =>
	active.sandbox
		.requestsTo('api')
		.filter((one) => !isLimitProbe(one))
		.map(({ path }) => path.replace('/api/v1/query/', ''));
const made = ({ Id }: Row, members: object = {}) =>
	active.person({ members: { Customer: { Id }, ...members } }).Id;
const rename = ({ Id }: Row, DisplayAs: string) =>
	active.sandbox.store.change('Customer', Id, { DisplayAs, Name: DisplayAs });

const ways: Record<string, (name: string) => object> = {
	'a filter': (name) => ({ filters: { customer: byName(name) } }),
	'a condition': (name) => where('Customer.Id', name),
	'nested conditions': (name) => ({
		searchBy: 'json',
		criteriaJson: {
			Conditions: [{ PropertyName: 'Customer.Id', Operator: 'In', Values: [name] }],
		},
	}),
};

describe.each(Object.entries(ways))('a name in %s of a trigger', (_, filterBy) => {
	it('is looked up once, and keeps its record afterwards', async () => {
		await start({});
		const [mine, other] = customers();
		const and = filterBy(` ${nameOf(mine).toUpperCase()} `) as INodeParameters;
		expect(await active.poll(and)).toEqual([]);
		// The second page shows that the number of all orders is not the page limit.
		expect(paths()).toEqual(['Customer', 'WorkOrder', 'WorkOrder']);

		const first = made(mine);
		made(other);
		expect(idsOf(await active.poll(and))).toEqual([first]);
		expect(paths()).toEqual(['WorkOrder']);

		rename(mine, 'Renamed');
		const second = made(mine);
		expect(idsOf(await active.poll(and))).toEqual([second]);
		expect(paths()).toEqual(['WorkOrder']);
	});
});

it('names of a trigger are forgotten when 1,000 others were polled since', async () => {
	await start({});
	const { engine, sandbox, tryPoll } = active;
	const and = ways['a filter'](nameOf(customers()[0])) as INodeParameters;
	await active.poll(and);
	for (let index = 0; index < 1000; index++) {
		// Without a client, these polls end before their first request.
		const credential = { ...sandbox.credentials, companyName: `Company ${index}`, clientId: '' };
		engine.store.put(CREDENTIAL, credential);
		expect((await tryPoll()).error?.message).toContain("'Client ID' is empty");
	}
	engine.store.put(CREDENTIAL, sandbox.credentials);
	await active.poll(and);
	expect(paths()).toEqual(['Customer', 'WorkOrder']);
});

it('a form of a trigger takes names of several entities', async () => {
	await start({});
	const { store } = active.sandbox;
	const [mine] = customers();
	const zone = store.existing('WorkZone', (mine.WorkZone as Row).Id);
	const and = {
		filters: { customer: byName(mine.TenantCode), workZone: byName(zone.DisplayAs) },
		...where('Priority.Id', 'high, Emergency', 'In'),
	} as unknown as INodeParameters;
	const priorityOf = (name: string) =>
		store.rows('WoPriority').find(({ DisplayAs }) => DisplayAs === name)?.Id;
	expect(await active.poll(and)).toEqual([]);
	const of = (name: string) => {
		const Id = Number(made(mine, { WorkZone: { Id: zone.Id } }));
		store.change('WorkOrder', Id, { Priority: { Id: priorityOf(name) } });
		return Id;
	};
	const Id = of('High');
	of('Standard');
	expect(idsOf(await active.poll(and))).toEqual([Id]);
	expect(paths()).toEqual(['WorkOrder']);
});

it('a trigger takes the name of an AP status', async () => {
	await start({
		event: 'invoiceEnteredApStatus',
		apStatuses: { values: [{ status: byName('authorized') }] },
	});
	await active.poll();
	expect(paths().filter((path) => path === 'ApInvoiceStatus')).toHaveLength(1);
	const { store } = active.sandbox;
	const statuses = store.rows('ApInvoiceStatus');
	const change = (order: Row, name: string) =>
		active.person({
			id: order.Id,
			command: 'ApStatusChangeCommand',
			members: { VendorInvoiceStatusId: statuses.find(({ DisplayAs }) => DisplayAs === name)?.Id },
		});
	const [one, other] = active.orders();
	change(one, 'Authorized');
	change(other, 'Disputed');
	expect(await active.poll()).toMatchObject([{ WorkOrder: { Id: one.Id } }]);
	expect(paths()).not.toContain('ApInvoiceStatus');
});

it('a trigger looks up another name when the form changes', async () => {
	await start({});
	const [mine, other] = customers();
	const by = (row: Row) => ({ filters: { customer: byName(nameOf(row)) } }) as INodeParameters;
	await active.poll(by(mine));
	await active.poll(by(other));
	expect(paths()[0]).toBe('Customer');
	made(mine);
	const Id = made(other);
	expect(idsOf(await active.poll(by(other)))).toEqual([Id]);
	expect(paths()).toEqual(['WorkOrder']);
});

it('a manual test looks names up again', async () => {
	await start({});
	const [mine, other] = customers();
	const name = nameOf(mine);
	const and = { filters: { customer: byName(name) } } as INodeParameters;
	await active.poll(and);
	rename(other, name);
	rename(mine, 'Renamed');
	made(mine);
	made(other);
	const { items, error } = await active.tryPoll({ mode: 'manual', and });
	expect(error?.message).toBeUndefined();
	expect(paths()).toEqual(['Customer', 'WorkOrder']);
	const shown = (items ?? []).map(({ json }) => (json.Customer as Row).DisplayAs);
	expect(new Set(shown)).toEqual(new Set([name]));
});

it.each([
	['that nobody has', () => 'Nobody at all', /no customer is named "Nobody at all"/],
	[
		'that two have',
		() => {
			rename(customers()[1], nameOf(customers()[0]));
			return nameOf(customers()[0]);
		},
		/more than one customer is named .*: .*\(ID \d+\); .*\(ID \d+\)/,
	],
])('a name %s is rejected at every poll before records are read', async (_, nameFor, message) => {
	await start({});
	const name = nameFor();
	const and = { filters: { customer: byName(name) } } as INodeParameters;
	for (let count = 0; count < 2; count++) {
		await expect(active.poll(and)).rejects.toMatchObject({
			message: expect.stringMatching(message) as string,
		});
		expect(new Set(paths())).toEqual(new Set(['Customer']));
	}
	// A user corrects the name.
	rename(customers()[1], 'Another');
	rename(customers()[0], name);
	expect(await active.poll(and)).toEqual([]);
});

it('the webhook trigger looks a name up once for all pushes', async () => {
	await start({});
	const { sandbox } = active;
	const [mine, other] = customers();
	const listener = await listen({
		sandbox,
		node: CorrigoWebhookTrigger,
		parameters: {
			event: 'workOrderCreated',
			filters: { customer: byName(nameOf(mine)) },
		} as INodeParameters,
	});
	await listener.activate();
	expect(paths().filter((path) => path === 'Customer')).toHaveLength(1);
	rename(mine, 'Renamed');
	for (const customer of [mine, other, mine]) {
		await listener.push({ EntityType: 'WorkOrder', EntityId: made(customer) });
		await listener.idle();
	}
	expect(paths().filter((path) => path === 'Customer')).toHaveLength(1);
	expect(listener.executions).toHaveLength(2);
	await listener.close();
});
