import * as fc from 'fast-check';

import { entities } from '../../nodes/Corrigo/catalogue/entities';
import type { Row } from '../../sandbox';
import type { Answer, Send } from '../../scripts/live/company';
import { MAX_WRITES, runWriteTest } from '../../scripts/live/writeTest';
import type { Json } from '../../scripts/live/scrub';
import { cases } from '../cases';
import { Client } from '../sandbox/client';

let client: Client;

beforeEach(async () => {
	client = await Client.start({ workOrders: 30 });
});

afterEach(async () => await client.close());

const isWrite = (method: string, path: string) =>
	method !== 'GET' && !path.startsWith('query/') && !path.startsWith('batch/');

/** Sends to the sandbox, and counts the writes; the answer to the write with the number `lost` is `instead`. */
function connect(lost = Infinity, instead: Answer = { body: null }) {
	const writes: string[] = [];
	const send: Send = async (method, path, body): Promise<Answer> => {
		if (isWrite(method, path)) writes.push(`${method} ${path} ${JSON.stringify(body)}`);
		const answer = await client.call(method, path, { body });
		if (isWrite(method, path) && writes.length === lost) return instead;
		return { status: answer.status, body: answer.data as unknown as Json };
	};
	return { send, writes };
}

const typing = (answers: (index: number) => string) => {
	const printed: string[] = [];
	let asked = 0;
	return {
		printed,
		person: {
			ask: async (question: string) => {
				printed.push(question);
				return await Promise.resolve(answers(asked++));
			},
			print: (text: string) => void printed.push(text),
		},
	};
};

/** A new order, and its number. */
const findOrder = () => {
	const { store } = client.sandbox;
	const { Id, PoNumber, Number } = store
		.rows('WorkOrder')
		.find((row) => row.StatusId === 'New' && !row.Estimate) as Row;
	return { Id, PoNumber, number: String(Number) };
};

/** How many records of each kind there are that the test adds. */
const countRecords = () =>
	['WoNote', 'Document', 'WoFlag'].map((entity) => client.sandbox.store.rows(entity).length);

/** Everything but the order and what belongs to it. */
function others(id: unknown): string {
	const { store } = client.sandbox;
	const isOwn = (entity: string, row: Record<string, unknown>) =>
		(entity === 'WorkOrder' && row.Id === id) ||
		(['WorkOrderCost', 'WoLastAction'].includes(entity) && row.Id === id) ||
		[row.WorkOrderId, row.WoId, row.ActorId].includes(id) ||
		['Blob', 'WoActionLogProp'].includes(entity);
	return JSON.stringify(
		entities.map(({ name }) => store.rows(name).filter((row) => !isOwn(name, row))),
	);
}

// Promise: Recordings contain no secret
it('writes to the order that is named, learns from it, and undoes what it wrote', async () => {
	const { PoNumber = '', number, Id } = findOrder();
	const rest = others(Id);
	const { store } = client.sandbox;
	const before = countRecords();
	const { send, writes } = connect();
	const { person, printed } = typing(() => number);

	const answers = await runWriteTest(send, person, number);

	expect(Object.fromEntries(answers)).toEqual({
		'Does an update take a current ConcurrencyId?': 'yes',
		'Does an update take an old ConcurrencyId?': expect.stringMatching(/^(yes|refused)/) as string,
		'Can a note be added?': 'yes',
		'Does a note keep é ł 漢?': expect.stringMatching(/^(yes|not )/) as string,
		'What does a row without an Id do?': 'it is added to the others',
		'Can a photo be uploaded?': 'yes',
		'Can an estimate be set through its order?': 'yes',
		'Can an estimate be written and decided through its order?': 'yes',
		'Can flags be set and cleared?': 'yes',
		'Does batch/Get read two records?': expect.stringMatching(/^refused/) as string,
		'Can an order be put on hold and reopened?': 'yes',
	});
	expect(writes.length).toBeLessThanOrEqual(MAX_WRITES);
	expect(writes.length).toBeGreaterThan(12);
	expect(others(Id)).toBe(rest);
	expect(countRecords()).toEqual(before);
	expect(store.existing('WorkOrder', Id)).toMatchObject({ PoNumber, StatusId: 'New' });
	expect(store.existing('WorkOrder', Id).Estimate).toBeUndefined();
	expect(printed.join('\n')).not.toContain('Left to you');
	for (const write of writes)
		expect(printed.join('\n')).toContain(write.split(' ')[1].split('?')[0]);
});

// Promise: Recordings contain no secret
it('sends nothing that is not confirmed with the number of the order', async () => {
	const { number } = findOrder();
	const { send, writes } = connect();
	const { person } = typing((index) => ['', 'yes', 'y', number.slice(1)][index % 4]);
	const answers = await runWriteTest(send, person, number);
	expect(writes).toEqual([]);
	expect(answers.map(([, answer]) => answer)).toContain('skipped');
});

// Promise: Recordings contain no secret
it.each(['NONE-1', '', '%'])('refuses the order %j, which does not exist', async (number) => {
	const { send, writes } = connect();
	const { person, printed } = typing(() => number);
	await expect(runWriteTest(send, person, number)).rejects.toThrow('There is no work order');
	expect([...writes, ...printed]).toEqual([]);
});

it('sends the order to providers only if that is asked for, and then under both names', async () => {
	const { number } = findOrder();
	const { send, writes } = connect();
	await runWriteTest(send, typing(() => number).person, number, { sends: true });
	expect(writes.filter((write) => /cmd\/SendWorkOrder/.test(write))).toHaveLength(2);
	expect(writes.length).toBeLessThanOrEqual(MAX_WRITES);
});

// Promise: Recordings contain no secret
it('stops at a write whose outcome is unknown, undoes the others, and says what is left', async () => {
	const answers = fc.constantFrom<Answer>(
		{ body: null },
		{ status: 502, body: '<html></html>' },
		{ status: 500, body: { ErrorCode: 'UNHANDLED_EXCEPTION' } },
	);
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 1, max: 14 }), answers, async (lost, instead) => {
			await client.close();
			client = await Client.start({ workOrders: 30 });
			const { PoNumber = '', number, Id } = findOrder();
			const { store } = client.sandbox;
			const count = () => countRecords().reduce((all, one) => all + one);
			const [rest, before] = [others(Id), count()];
			const { send, writes } = connect(lost, instead);
			const { person, printed } = typing(() => number);
			const learned = await runWriteTest(send, person, number);
			expect(learned.length).toBeGreaterThan(0);
			expect(writes.length).toBeLessThanOrEqual(MAX_WRITES);
			expect(new Set(writes).size).toBe(writes.length);
			expect(printed.join('\n')).toContain('Left to you, in Corrigo');
			expect(others(Id)).toBe(rest);
			// Nobody knows the record that the write in doubt may have made.
			expect(count() - before).toBeLessThanOrEqual(1);
			const now: Row = { PoNumber: '', ...store.existing('WorkOrder', Id) };
			expect(now).toMatchObject({ PoNumber, StatusId: 'New' });
			expect(now.Estimate).toBeUndefined();
		}),
		{ numRuns: cases(6, 30) },
	);
});

it('understands strange answers, and nothing is left that it does not name', async () => {
	const { number } = findOrder();
	const { send, writes } = connect();
	const strange: Send = async (method, path, body) => {
		const answer = await send(method, path, body);
		return path === 'query/WoNote' ? { status: 200, body: { Entities: [null, {}, 7] } } : answer;
	};
	const { person, printed } = typing(() => number);
	await runWriteTest(strange, person, number);
	expect(writes).toHaveLength(5);
	expect(printed.join('\n')).toMatch(/Left to you, in Corrigo:\n- Add another note/);
});

it('shows no text that stands where a code belongs', async () => {
	const { number } = findOrder();
	const { send } = connect();
	const refuse: Send = async (method, path, body) =>
		isWrite(method, path)
			? { status: 400, body: { ErrorCode: 'Contoso Pharmacy' } }
			: await send(method, path, body);
	const { person, printed } = typing(() => number);
	const answers = await runWriteTest(refuse, person, number);
	expect(answers.map(([, answer]) => answer)).toContain('refused (400)');
	expect([...answers.flat(), ...printed].join()).not.toContain('Contoso');
});
