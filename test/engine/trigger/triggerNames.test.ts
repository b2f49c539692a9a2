/** Records that the form of a trigger takes by name. */
import type { Row } from '../../../sandbox';
import { activate, away, type Active } from '../../support/activeTrigger';
import { startListener } from '../../support/activeWebhook';
import { CREDENTIAL, byId, byName, idsOf, quoteRefusal, where } from '../../support/company';

let active: Active;

beforeEach(async () => {
	active = await activate({ event: 'workOrderCreated' });
});

const customers = () => active.store.rows('Customer');
const nameOf = (row: Row) => String(row.DisplayAs);
const filterByCustomer = (name: string) => ({ filters: { customer: byName(name) } });
const made = ({ Id }: Row, members: object = {}) =>
	active.person({ members: { Customer: { Id }, ...members } }).Id;
const rename = ({ Id }: Row, DisplayAs: string) =>
	active.change('Customer', Id, { DisplayAs, Name: DisplayAs });

const ways: Record<string, (name: string) => object> = {
	'a filter': filterByCustomer,
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
		const [mine, other] = customers();
		const and = filterBy(` ${nameOf(mine).toUpperCase()} `);
		expect(await active.poll(and)).toEqual([]);
		expect(active.read()).toEqual(['Customer', 'WorkOrder']);

		const first = made(mine);
		made(other);
		expect(idsOf(await active.poll(and))).toEqual([first]);
		expect(active.read()).toEqual(['WorkOrder']);

		rename(mine, 'Renamed');
		const second = made(mine);
		expect(idsOf(await active.poll(and))).toEqual([second]);
		expect(active.read()).toEqual(['WorkOrder']);
	});
});

it('a name keeps its record when a poll fails', async () => {
	const { poll, sandbox, store, read } = active;
	const [mine] = customers();
	const space = store.rows('Space').find(({ CustomerId }) => CustomerId === mine.Id) as Row;
	const and = { filters: { customer: byName(nameOf(mine)), space: byId(space.Id) } };
	await poll(and);
	rename(mine, 'Renamed');
	sandbox.fault(away('api', {}));
	await expect(poll(and)).rejects.toThrow();
	sandbox.clearFaults();
	expect(await poll(and)).toEqual([]);
	expect(read()).not.toContain('Customer');
});

it('names of a trigger are forgotten when 1,000 others were polled since', async () => {
	const { engine, sandbox, tryPoll } = active;
	const and = filterByCustomer(nameOf(customers()[0]));
	await active.poll(and);
	for (let index = 0; index < 1000; index++) {
		// Without a client, these polls end before their first request.
		const credential = { ...sandbox.credentials, companyName: `Company ${index}`, clientId: '' };
		engine.store.put(CREDENTIAL, credential);
		expect((await tryPoll()).error?.message).toContain("'Client ID' is empty");
	}
	engine.store.put(CREDENTIAL, sandbox.credentials);
	await active.poll(and);
	expect(active.read()).toEqual(['Customer', 'WorkOrder']);
});

it('a trigger looks up another name when the form changes', async () => {
	const [mine, other] = customers();
	await active.poll(filterByCustomer(nameOf(mine)));
	await active.poll(filterByCustomer(nameOf(other)));
	expect(active.read()[0]).toBe('Customer');
	made(mine);
	const Id = made(other);
	expect(idsOf(await active.poll(filterByCustomer(nameOf(other))))).toEqual([Id]);
	expect(active.read()).toEqual(['WorkOrder']);
});

describe('what is not a name is read with each poll', () => {
	it('such as the values of a custom field in nested conditions', async () => {
		const field = { ActorTypeId: 'WO', Name: 'Level', Type: 'Integer' };
		const descriptor = active.insert('CustomFieldDescriptor', field);
		const above = (value: number) => ({
			PropertyName: `CustomFields.${descriptor}`,
			Operator: 'GreaterThan',
			Values: [value],
		});
		const and = { searchBy: 'json', criteriaJson: { Conditions: [above(9)] } };
		await active.poll(and);
		for (const Value of ['10', '100']) {
			const Id = made(customers()[0]);
			const owner = { ObjectId: Id, ObjectTypeId: 'WO' };
			active.insert('CustomField2', { ...owner, Descriptor: { Id: descriptor }, Value });
			expect(idsOf(await active.poll(and))).toEqual([Id]);
			expect(active.read()).toEqual(['CustomField2', 'WorkOrder']);
		}
	});

	it('such as the assets of a space', async () => {
		const [space] = active.store.rows('Space');
		const and = { filters: { space: byId(space.Id) } };
		await active.poll(and);
		for (const Name of ['Pump', 'Valve']) {
			const asset = active.insert('Location', { Name, TypeId: 'Equipment' });
			const top = space.Asset as Row;
			active.insert('AssetTree', { ParentId: top.Id, ChildId: asset, Distance: 1 });
			const Id = made(customers()[0]);
			for (const item of active.store.children('WoItem', 'WorkOrderId', Id)) {
				active.change('WoItem', item.Id, { Asset: { Id: asset } });
			}
			expect(idsOf(await active.poll(and))).toEqual([Id]);
			expect(active.read()).toEqual(['AssetTree', 'WorkOrder']);
		}
	});
});

it('a manual test looks names up again, and the workflow keeps its records', async () => {
	const [mine, other] = customers();
	const name = nameOf(mine);
	await active.poll(filterByCustomer(name));
	rename(other, name);
	rename(mine, 'Renamed');
	made(mine);
	made(other);
	const shown = await active.test(filterByCustomer(name));
	expect(active.read()).toEqual(['Customer', 'WorkOrder']);
	expect(new Set(shown.map(({ Customer }) => (Customer as Row).DisplayAs))).toEqual(
		new Set([name]),
	);
	const found = await active.poll(filterByCustomer(name));
	expect(found.map(({ Customer }) => (Customer as Row).Id)).toEqual([mine.Id]);
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
	const name = nameFor();
	for (let count = 0; count < 2; count++) {
		await expect(active.poll(filterByCustomer(name))).rejects.toThrow(message);
		expect(new Set(active.read())).toEqual(new Set(['Customer']));
	}
	// A user corrects the name.
	rename(customers()[1], 'Another');
	rename(customers()[0], name);
	expect(await active.poll(filterByCustomer(name))).toEqual([]);
});

it.each(['record', 'recordEdited'])(
	'a misspelled entity is answered with similar ones: %s',
	async (event) => {
		const { error } = await active.tryPoll({
			and: { event, entity: byName('WorkOrdr'), comparedFields: ['Number'] },
		});
		expect(error).toMatchObject({
			message: quoteRefusal("There are no such entityType as 'WorkOrdr'"),
			description: expect.stringMatching(/^Similar: WorkOrder\./) as unknown,
		});
	},
);

it('the webhook trigger looks a name up once for all pushes', async () => {
	const [mine, other] = customers();
	const parameters = { event: 'workOrderCreated', ...filterByCustomer(nameOf(mine)) };
	const listener = await startListener(active.sandbox, parameters);
	await listener.activate();
	expect(active.queriesOf('Customer')).toHaveLength(1);
	rename(mine, 'Renamed');
	const orders = [mine, other, mine].map((customer) => made(customer));
	const found: unknown[] = [];
	for (const EntityId of orders) {
		found.push(...idsOf(await listener.receive({ EntityType: 'WorkOrder', EntityId })));
	}
	expect(active.queriesOf('Customer')).toHaveLength(1);
	expect(found).toEqual([orders[0], orders[2]]);
});
