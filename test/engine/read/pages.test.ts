/** The address of a work order, in outputs and in fields. */
import { byId, byNumber, jsonOf, shareCompany, some } from '../../support/company';

const company = shareCompany();
const { n8n, records, requests } = company;

const order = () => records.rows('WorkOrder')[0];
const HOST = 'https://acme.corrigo.com';

it.each<[string, () => object]>([
	['workOrder:get', () => ({ id: byId(order().Id), output: 'simplified' })],
	['workOrder:get', () => ({ id: byId(order().Id), properties: ['Number', 'Url'] })],
	['workOrder:update', () => ({ id: byId(order().Id), fieldsJson: { PoNumber: 'P' } })],
	[
		'workOrder:update',
		() => ({
			id: byId(order().Id),
			fieldsJson: { PoNumber: 'P' },
			options: { returnRecord: true },
		}),
	],
])('%s returns the address of a work order', async (operation, parameters) => {
	const { items } = await n8n.succeed(operation, parameters());
	expect(jsonOf(items)).toEqual([some({ Id: order().Id, Url: records.pageOf(order().Id) })]);
});

it.each([{ output: 'raw' }, { properties: ['Number'] }])(
	'a work order has no address in the output %j',
	async (output) => {
		const { items } = await n8n.succeed('workOrder:get', { id: byId(order().Id), ...output });
		expect(items[0].json).not.toHaveProperty('Url');
	},
);

describe("with a 'Web Address'", () => {
	afterEach(() => n8n.store({ webAddress: '' }));

	it('work orders have addresses there, and are found by them', async () => {
		n8n.store({ webAddress: 'acme.corrigo.com' });
		const { items } = await n8n.succeed('workOrder:get', {
			id: byId(order().Id),
			output: 'simplified',
		});
		const Url = `${HOST}/corpnet/workorder/workorderdetails.aspx/${order().Id}`;
		expect(items[0].json.Url).toBe(Url);
		const again = await n8n.succeed('workOrder:get', { id: byNumber(Url), properties: ['Id'] });
		expect(again.items[0].json).toEqual({ Id: order().Id });
		const { error } = await n8n.run('workOrder:get', { id: byNumber(records.pageOf(order().Id)) });
		expect(error?.description).toContain(
			"the 'Web Address' of the credential or, if that is empty, with the host of your Company",
		);
	});
});

it.each<[string, (url: string) => object]>([
	['workOrder:start', (url) => ({ id: byId(url) })],
	['note:create', (url) => ({ workOrder: byNumber(url), body: 'x', type: 'Public' })],
	['note:getMany', (url) => ({ workOrder: byId(url) })],
])('%s takes the address of a work order', async (operation, parameters) => {
	const { Id } = records.orderIn('Open');
	await n8n.succeed('workOrder:get', { id: byId(Id) });
	records.insert('WoNote', { WorkOrderId: Id, Body: 'y', NoteTypeId: 'Public' });
	company.sandbox.forgetRequests();
	const { items } = await n8n.succeed(operation, parameters(records.pageOf(Id)));
	expect(JSON.stringify(jsonOf(items))).toContain(String(Id));
	expect(requests.queries()[0]).toBe('WorkOrder');
});

it.each([
	['another host', () => `${HOST}/corpnet/workorder/workorderdetails.aspx/${order().Id}`],
	['an order that does not exist', () => records.pageOf(4_000_000)],
])('the address of %s is refused, and nothing is written', async (_, url) => {
	await n8n.succeed('workOrder:get', { id: byId(order().Id) });
	const { error } = await n8n.run('workOrder:start', { id: byId(url()) });
	expect(error?.message).toBe(`'Work Order': no work order has the address "${url()}"`);
	expect(error?.description).toContain("'Web Address' of the credential");
	expect(requests.writes()).toEqual([]);
});
