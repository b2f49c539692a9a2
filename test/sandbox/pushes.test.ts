import { createHmac } from 'node:crypto';
import http from 'node:http';

import { startSandbox, type Sandbox } from '../../sandbox';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import { openServer } from '../session/servers';

let receiver: Awaited<ReturnType<typeof openServer>>;
let sandbox: Sandbox;
let url: string;

beforeAll(async () => {
	receiver = await openServer(() => ({
		status: 202,
		body: 'fine',
		headers: { Connection: 'keep-alive' },
	}));
	url = `${receiver.url}/`;
	sandbox = await startSandbox({ workOrders: 20 });
});
beforeEach(() => {
	sandbox.reset();
	receiver.received.length = 0;
});
afterAll(async () => {
	await sandbox.close();
	await receiver.close();
});

const person = (work: object) => actAsColleague(sandbox.world, workOrderShape.parse(work));
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body) as unknown);

it('a push sends the events since the last push, in every form', async () => {
	expect(await sandbox.push({ url })).toEqual([]);
	const { Id } = person({});
	expect(await sandbox.push({ url })).toMatchObject([{ status: 202, text: 'fine' }]);
	expect(await sandbox.push({ url })).toEqual([]);
	person({ id: Id, command: 'WoPickUpCommand' });
	await sandbox.push({ url, form: 'notification' });
	person({ id: Id, command: 'WoStartCommand' });
	await sandbox.push({ url, form: 'bare' });
	person({ id: Id, note: 'x' });
	await sandbox.push({ url, form: 'together' });
	expect(bodies()).toMatchObject([
		{ Entities: [{ Data: { Id, StatusId: 'New' } }] },
		{ EventNotification: { EventType: 'PickUp', EntityType: 'WorkOrder', EntityId: Id } },
		{ Id, StatusId: 'InProgress' },
		{ Entities: [{ Data: { Id } }, { Data: { WorkOrderId: Id, Body: 'x' } }] },
	]);
});

it('a push signs the body, or forges it after signing', async () => {
	const signed = { key: 'k', header: 'X-S', algorithm: 'sha512', encoding: 'base64', prefix: 'p=' };
	person({});
	await sandbox.push({ url, signed: signed as never });
	person({});
	await sandbox.push({ url, signed: signed as never, forged: true });
	const right = receiver.received.map(
		({ headers, body }) =>
			headers['x-s'] === `p=${createHmac('sha512', 'k').update(body).digest('base64')}`,
	);
	expect(right).toEqual([true, false]);
	expect(bodies()[1]).toMatchObject({ Forged: true });
});

it('pushes are repeated, shuffled and sent concurrently', async () => {
	const made = Array.from({ length: 20 }, () => person({}).Id);
	const options = { times: 2, shuffled: true, atOnce: 7 };
	const request = jest.spyOn(http, 'request');
	const pushed = sandbox.push({ url, form: 'bare', ...options });
	expect(request).toHaveBeenCalledTimes(7);
	request.mockRestore();
	expect(await pushed).toHaveLength(40);
	const ids = (bodies() as Array<{ Id: number }>).map(({ Id }) => Id);
	expect(ids).not.toEqual(made.flatMap((id) => [id, id]));
	expect(ids.sort()).toEqual(made.flatMap((id) => [id, id]).sort());
});

it('a push does not reuse a connection, which the receiver may be closing', async () => {
	const before = receiver.connections();
	for (let pushes = 0; pushes < 2; pushes += 1) {
		person({});
		await sandbox.push({ url });
	}
	expect(receiver.connections() - before).toBe(2);
});

it('a push with again repeats the last one', async () => {
	const { Id } = person({});
	await sandbox.push({ url, form: 'notification' });
	person({});
	await sandbox.push({ url, form: 'notification', again: true });
	const [first, second, ...more] = bodies();
	expect(first).toMatchObject({ EventNotification: { EntityId: Id } });
	expect([second, more]).toEqual([first, []]);
	expect(await sandbox.push({ url })).toHaveLength(1);
});

it('the control server triggers a push', async () => {
	person({});
	const ask = async (body: object) => {
		const init = { method: 'POST', body: JSON.stringify(body) };
		const response = await fetch(`${sandbox.controlUrl}/push`, init);
		return { status: response.status, data: (await response.json()) as unknown };
	};
	expect(await ask({ url })).toMatchObject({ status: 200, data: [{ status: 202 }] });
	expect(await ask({ url: 'nowhere' })).toMatchObject({ status: 400 });
});
