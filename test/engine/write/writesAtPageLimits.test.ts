/**
 * What an operation writes does not depend on the page limit of the Company. The forms are the cases of
 * test/compat, which fill in each field; test/engine/read/pageLimits has writes whose rows take many pages.
 */
import { resources } from '../../../nodes/Corrigo/actions/resources';
import { seed } from '../../../sandbox/seed';
import { classes } from '../../compat/classes';
import { createRecorder } from '../../compat/recorder';
import { openCompany, type Company } from '../../compat/saved';
import { cases } from '../../cases';
import { errorsOf, jsonOf } from '../../support/company';

const known = createRecorder(classes, 'the operations').completeCases(seed({ workOrders: 40 }));

const writes = resources.flatMap(({ value, operations }) =>
	operations.flatMap(({ value: operation, reads }) => {
		const name = `${value}:${operation}`;
		const found = reads === true ? undefined : known.get(name);
		return found ? [{ name, found }] : [];
	}),
);

let company: Company;

beforeAll(async () => {
	company = await openCompany(classes);
});

afterAll(async () => {
	await company.sandbox.close();
});

/** Runs an operation with its case, and returns what it says and sends, without what is random. */
async function write({ found }: (typeof writes)[number], mostRows?: number) {
	const { sandbox, engine } = company;
	company.begin(found.before);
	sandbox.set({ mostRows: mostRows ?? 4000 });
	const run = await engine.run({
		parameters: structuredClone(found.node.parameters),
		items: structuredClone(found.input),
		onError: 'continueErrorOutput',
	});
	const sent = sandbox
		.requestsTo('api')
		.filter(({ method, path }) => method !== 'GET' && !path.includes('/query/'))
		.map(({ method, path, body }) => {
			const { RequestId, ...members } = Object(body) as Record<string, unknown>;
			return { method, path, members, isNumbered: RequestId !== undefined };
		});
	const done = { items: jsonOf(run.items), errors: errorsOf(run), sent };
	// No time of the sandbox has the fraction of another.
	return JSON.parse(JSON.stringify(done).replace(/(:\d\d)\.\d{7}/g, '$1')) as typeof done;
}

const limits = Array.from({ length: 60 }, (_, index) => index + 1);

it.each(writes)('$name writes the same with every page limit', async (operation) => {
	const expected = await write(operation);
	expect(expected.items.length + expected.errors.length).toBeGreaterThan(0);
	const [least, ...others] = limits;
	const another = others[writes.indexOf(operation) % others.length];
	for (const mostRows of cases([least, another], limits)) {
		expect([mostRows, await write(operation, mostRows)]).toEqual([mostRows, expected]);
	}
});
