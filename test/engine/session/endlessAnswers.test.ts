/** Whoever takes over Corrigo can answer every request with one more page, and must not stop n8n. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import type { QueryExpression } from '../../../nodes/Corrigo/wire/requests';
import { activate } from '../../support/activeTrigger';
import { byName, CREDENTIAL, shareCompany } from '../../support/company';

const { n8n } = shareCompany();

/** The lie ends here, so that a read that believes it ends as well. */
const MAX_REQUESTS = 150;

let server: Server;
let asked = 0;

/** Values of the conditions on the Id with an operator. */
const listIds = (criteria: unknown, operator: string) =>
	[
		...JSON.stringify(criteria ?? {}).matchAll(
			/"PropertyName":"Id","Operator":"(\w+)","Values":\[([\d.-]+)/g,
		),
	].flatMap(([, one, id]) => (one === operator ? [Number(id)] : []));

/** Answers each query with as many rows as were asked for, all of one second, and none by its Id. */
function answer({ PropertySet, Criteria, Orders = [], Count }: QueryExpression, second: string) {
	if (asked > MAX_REQUESTS || listIds(Criteria, 'In').length > 0) return [];
	const times = [...Orders.map((one) => one.PropertyName), ...PropertySet.Properties].filter(
		(name) => /Utc$/.test(name),
	);
	const [below] = listIds(Criteria, 'LessThan');
	const from =
		below === undefined ? Math.max(0, ...listIds(Criteria, 'GreaterThan')) : below - Count - 1;
	const isFalling = Orders.some(({ OrderType }) => OrderType === 'Descending');
	const ids = Array.from({ length: Count }, (_, index) => from + index + 1 + (isFalling ? 1e9 : 0));
	const rows = ids.map((Id) => ({
		...Object.fromEntries(times.map((name) => [name, second])),
		...{ Id, DisplayAs: 'Somebody Else', TypeId: 'X' },
	}));
	return isFalling ? rows.reverse() : rows;
}

beforeEach(async () => {
	asked = 0;
	const second = `${new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)}Z`;
	server = createServer((request, response) => {
		asked++;
		void json(request).then((body) => {
			const { QueryExpression: query } = body as { QueryExpression: QueryExpression };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ Entities: answer(query, second).map((Data) => ({ Data })) }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

const getAddress = () => ({
	baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
});

it('ends a look-up that has read more rows than any table of names has', async () => {
	await n8n.succeed('company:discover', {});
	n8n.store(getAddress());
	const { error } = await n8n.run('customer:get', { id: byName('Acme') });
	expect(error?.message).toBe(
		'Corrigo sent more than 400,000 rows of Customer, so reading was stopped',
	);
	expect(asked).toBeLessThan(MAX_REQUESTS);
});

it.each([
	['looks up a name', { filters: { customer: byName('Acme') } }],
	['reads deadlines of orders that it does not find', { event: 'workOrderDeadline' }],
])('ends a poll within its time that %s', async (_, parameters) => {
	const { poll, tryPoll, engine } = await activate({ event: 'workOrderUpdated' });
	await poll();
	engine.store.put(CREDENTIAL, { ...engine.store.get(CREDENTIAL), ...getAddress() });
	// Five minutes have passed after 100 readings of the clock.
	const now = performance.now.bind(performance);
	let looks = 0;
	const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 3000 * looks++);
	await tryPoll({ and: parameters }).finally(() => clock.mockRestore());
	expect(asked).toBeGreaterThan(1);
	expect(asked).toBeLessThan(101);
});

it('begins after the newest changes of a second, however many it has', async () => {
	const { tryPoll, engine } = await activate({ event: 'workOrderUpdated' });
	await tryPoll({ mode: 'manual' });
	engine.store.put(CREDENTIAL, { ...engine.store.get(CREDENTIAL), ...getAddress() });
	const { error } = await tryPoll();
	expect(error).toBeUndefined();
	expect(asked).toBeGreaterThan(1);
	expect(asked).toBeLessThan(10);
});
