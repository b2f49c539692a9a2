/**
 * Many faults: whatever fails in the service or on the way to it, no write is sent twice, every write
 * that ran is reported, and every reported write ran. A seed draws the cases; variables set their
 * number or select a single one (see CONTRIBUTING.md).
 */
import { openCompany, type Company } from '../../support/company';
import {
	complaintsAbout,
	draw,
	isSilent,
	meets,
	subjects,
	type Case,
} from '../../support/faultMatrix';
import { cases } from '../../cases';

const { FAULTS = String(cases(150, 2_000)), FAULT_SEED = '1', FAULT_CASE } = process.env;
/** Cases run concurrently because some of them wait. */
const CONCURRENCY = 6;

const drawnCases =
	FAULT_CASE === undefined
		? draw(Number(FAULTS), Number(FAULT_SEED))
		: [JSON.parse(FAULT_CASE) as Case];

jest.setTimeout(60_000 + drawnCases.length * 1000);

const companies: Company[] = [];
const complaints = new Map<string, string[]>();
let met = 0;
const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap');

const openSmall = async () => await openCompany({ workOrders: 6, customers: 6 });

async function lane(shared: Company, left: Iterator<Case>): Promise<void> {
	for (let next = left.next(); !next.done; next = left.next()) {
		const given = next.value;
		const company = isSilent(given) ? await openSmall() : shared;
		for (const complaint of await complaintsAbout(company, given)) {
			const all = complaints.get(given.operation) ?? [];
			complaints.set(given.operation, all);
			all.push(`${complaint}\n  FAULT_CASE='${JSON.stringify(given)}'`);
		}
		if (meets(company)) met += 1;
		if (company !== shared) await company.close();
	}
}

beforeAll(async () => {
	companies.push(...(await Promise.all(Array.from({ length: CONCURRENCY }, openSmall))));
	// Sessions are opened first; the faults then end some of them.
	for (const company of companies) await company.n8n.run('company:discover');
	const left = drawnCases.values();
	await Promise.all(companies.map(async (company) => await lane(company, left)));
});

afterAll(async () => {
	await Promise.all(companies.map(async (company) => await company.close()));
});

const drawn = new Set(drawnCases.map(({ operation }) => operation));
const operations = Object.keys(subjects).filter((name) => drawn.has(name as never));

// Promise: This holds for every operation
it.each(operations)('%s keeps its promises whatever happens', (operation) => {
	expect(complaints.get(operation)?.slice(0, 5).join('\n') ?? '').toBe('');
});

it('most cases meet their fault', () => {
	expect(met / drawnCases.length).toBeGreaterThan(0.7);
});

it('no connection stays open after the cases', async () => {
	for (const company of companies) await company.close();
	const deadline = performance.now() + 5000;
	while (sockets().length > 0 && performance.now() < deadline) await new Promise(setImmediate);
	expect(sockets()).toEqual([]);
});
