/** The address of a work order, in outputs and in fields. */
import { activate } from './activeTrigger';
import { byId, byNumber, CREDENTIAL, jsonOf, sharedDesk, some } from './desk';

const desk = sharedDesk();

const order = () => desk.rows('WorkOrder')[0];
const HOST = 'https://acme.corrigo.com';

it.each<[string, () => object]>([
	['workOrder:get', () => ({ id: byId(order().Id), output: 'simplified' })],
	['workOrder:getMany', () => ({ output: 'simplified', filters: { number: order().Number } })],
	['workOrder:get', () => ({ id: byId(order().Id), properties: ['Number', 'Url'] })],
	[
		'workOrder:setNte',
		() => ({ id: byId(order().Id), vendorNte: { money: { value: '5', currency: 'USD' } } }),
	],
	['workOrder:update', () => ({ id: byId(order().Id), fieldsJson: { PoNumber: 'P' } })],
	[
		'workOrder:update',
		() => ({
			id: byId(order().Id),
			fieldsJson: { PoNumber: 'P' },
			options: { returnRecord: true },
		}),
	],
	['workOrder:addFlag', () => ({ id: byId(order().Id), flags: { values: [{ flag: byId(50) }] } })],
])('%s returns the address of a work order', async (operation, parameters) => {
	const { items } = await desk.succeed(operation, parameters());
	expect(jsonOf(items)).toEqual([some({ Id: order().Id, Url: desk.pageOf(order().Id) })]);
});

it.each([{ output: 'raw' }, { properties: ['Number'] }])(
	'a work order has no address in the output %j',
	async (output) => {
		const { items } = await desk.succeed('workOrder:get', { id: byId(order().Id), ...output });
		expect(items[0].json).not.toHaveProperty('Url');
	},
);

it('other records have no address, whatever is chosen', async () => {
	const [contact] = desk.rows('Contact');
	const { items } = await desk.succeed('contact:get', {
		id: byId(contact.Id),
		output: 'simplified',
	});
	expect(items[0].json).not.toHaveProperty('Url');
});

it('triggers return the address, of an order and of one in an event', async () => {
	for (const [event, path] of [
		['workOrderCreated', []],
		['noteAdded', ['WorkOrder']],
	] as const) {
		const { poll, person, engine, ordersIn } = await activate({ event });
		await poll();
		const [{ Id: id }] = ordersIn('Open');
		const { Id } = person(event === 'noteAdded' ? { id, note: 'x' } : {});
		const items = await poll();
		const host = String(engine.store.get(CREDENTIAL).baseUrl);
		expect(items).toHaveLength(1);
		const Url = `${host}/corpnet/workorder/workorderdetails.aspx/${Number(Id)}`;
		expect(items[0]).toHaveProperty([...path, 'Url'], Url);
	}
});

describe("with a 'Web Address'", () => {
	afterEach(() => desk.store({ webAddress: '' }));

	it('work orders have addresses there, and are found by them', async () => {
		desk.store({ webAddress: 'acme.corrigo.com/CorpNet/' });
		const { items } = await desk.succeed('workOrder:get', {
			id: byId(order().Id),
			output: 'simplified',
		});
		const Url = `${HOST}/corpnet/workorder/workorderdetails.aspx/${order().Id}`;
		expect(items[0].json.Url).toBe(Url);
		const again = await desk.succeed('workOrder:get', { id: byNumber(Url), properties: ['Id'] });
		expect(again.items[0].json).toEqual({ Id: order().Id });
	});
});

it.each<[string, (url: string) => object]>([
	['workOrder:start', (url) => ({ id: byId(url) })],
	['note:create', (url) => ({ workOrder: byNumber(url), body: 'x' })],
	[
		'record:update',
		(url) => ({ entity: byId('WorkOrder'), id: byId(url), fieldsJson: { PoNumber: 'P' } }),
	],
	['note:getMany', (url) => ({ workOrder: byId(url) })],
])('%s takes the address of a work order', async (operation, parameters) => {
	const { Id } = desk.orderIn('Open');
	await desk.succeed('workOrder:get', { id: byId(Id) });
	desk.insert('WoNote', { WorkOrderId: Id, Body: 'y', NoteTypeId: 'Public' });
	desk.sandbox.forgetRequests();
	const { items } = await desk.succeed(operation, parameters(desk.pageOf(Id)));
	expect(JSON.stringify(jsonOf(items))).toContain(String(Id));
	expect(desk.queries()[0]).toBe('WorkOrder');
});

it.each([
	['another host', () => `${HOST}/corpnet/workorder/workorderdetails.aspx/${order().Id}`],
	['an order that does not exist', () => desk.pageOf(4_000_000)],
])('the address of %s is refused, and nothing is written', async (_, url) => {
	await desk.succeed('workOrder:get', { id: byId(order().Id) });
	const { error } = await desk.run('workOrder:start', { id: byId(url()) });
	expect(error?.message).toBe(`'Work Order': no work order has the address "${url()}"`);
	expect(error?.description).toContain("'Web Address' of the credential");
	expect(desk.writes()).toEqual([]);
});
