/** The example with n8n's own Postgres node and a real PostgreSQL. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Row, type Sandbox } from '../../sandbox';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import { readExample } from '../examples';
import type { Workflow } from '../n8n/api';
import { killN8n, restartN8n, startInstance, type Instance } from '../n8n/instance';
import { cleanUp, cleanups } from '../process/program';
import { findPrograms, startPostgres, type Database } from '../queue/stores';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';

// n8n starts and restarts.
jest.setTimeout(600_000);

const ENTITIES = {
	actions: 'WoActionLog',
	assets: 'Location',
	costs: 'FinancialItem',
	customers: 'Customer',
	documents: 'Document',
	employees: 'Employee',
	invoice_lines: 'InvoiceLine',
	notes: 'WoNote',
	spaces: 'Space',
	work_orders: 'WorkOrder',
};

let folder: string;
let sandbox: Sandbox;
let database: Database;
let instance: Instance;
let example: Workflow;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'corrigo-postgres-'));
	cleanups.push(async () => await rm(folder, { recursive: true, maxRetries: 5 }));
	// PostgreSQL runs as another user if the tests run as root.
	await chmod(folder, 0o755);
	database = await startPostgres(findPrograms(), join(folder, 'postgres'));
	sandbox = await startSandbox({ workOrders: 1200 });
	const [{ Id: order }, { Id: customer }] = [
		sandbox.store.rows('WorkOrder')[0],
		sandbox.store.rows('Customer')[0],
	];
	for (const Descr of ['Labor', 'Parts']) {
		const links = { WorkOrder: { Id: order }, Customer: { Id: customer } };
		sandbox.store.insert('InvoiceLine', { Descr, CurrencyTypeId: 'USD', ...links });
	}
	cleanups.push(async () => await sandbox.close());
	const credentialData = sandbox.credentials;
	instance = await startInstance({ userFolder: join(folder, 'n8n'), credentialData });
	const { env } = database;
	const account = await instance.api.createCredential('Copy', 'postgres', {
		host: env.DB_POSTGRESDB_HOST,
		port: Number(env.DB_POSTGRESDB_PORT),
		database: env.DB_POSTGRESDB_DATABASE,
		user: env.DB_POSTGRESDB_USER,
		password: env.DB_POSTGRESDB_PASSWORD,
		ssl: 'disable',
	});
	const file = withCredential(readExample('corrigo-in-postgresql.json'), instance.credential);
	example = await instance.api.createWorkflow(withCredential(file, account, '.postgres'));
});

afterAll(cleanUp);

const run = async (from: string) => await instance.api.run(example, undefined, from);

const succeed = async (from: string) => {
	const execution = await run(from);
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	return execution;
};

const isKept = ({ IsRemoved }: Row) => IsRemoved !== true;

/** The IDs that the copy has, and those of Corrigo. */
const copied = async (kind: string) =>
	(await database.query(`SELECT id FROM corrigo.${kind} ORDER BY id`)).map(([id]) => Number(id));
const held = (kind: keyof typeof ENTITIES) =>
	sandbox.store
		.rows(ENTITIES[kind])
		.filter(isKept)
		.map(({ Id }) => Id)
		.sort((one, other) => one - other);

const act = (work: object) => actAsColleague(sandbox.world, workOrderShape.parse(work));

async function expectCopy() {
	for (const kind of Object.keys(ENTITIES) as Array<keyof typeof ENTITIES>) {
		expect([kind, await copied(kind)]).toEqual([kind, held(kind)]);
	}
}

const place = async () => await database.query('SELECT * FROM corrigo.kinds ORDER BY kind');

const messages = ({ runData }: Awaited<ReturnType<typeof run>>) =>
	(runData['Message to team'] ?? []).flatMap(
		({ data }) => data?.main[0]?.map(({ json }: { json: IDataObject }) => json.text) ?? [],
	);

/** The messages of a night. A run checks a portion of each table, until all are checked. */
async function check() {
	await database.query('UPDATE corrigo.kinds SET checked_id = 0, checked_on = NULL');
	const texts: unknown[] = [];
	for (;;) {
		const execution = await succeed('Every night');
		const [portions] = execution.runData['List portions'];
		if ((portions.data?.main[0] ?? []).length === 0) return texts;
		texts.push(...messages(execution));
	}
}

/** Stops n8n while it reads, before it has saved anything of the run. */
async function killWhileReading() {
	sandbox.forgetRequests();
	sandbox.fault({ match: { pathIncludes: 'WoActionLog' }, kind: 'hang' });
	const ended = expect(run('Every five minutes')).rejects.toThrow('n8n closed the channel');
	await sandbox.waitFor(({ path }) => path.includes('WoActionLog'));
	await killN8n(instance);
	await ended;
	instance = await restartN8n(instance, join(folder, 'n8n'));
}

/** n8n polls when it activates a workflow, so the test need not wait for the next poll. */
const poll = async () => await instance.api.activate(example);

// Promise: The examples run as they are
it('copies Corrigo into tables, goes on after a stop, and says what differs', async () => {
	// A run loads 5,000 rows of each table. The next one stops while it saves, another while it reads.
	await succeed('Every five minutes');
	const before = await place();
	await database.query(
		"ALTER TABLE corrigo.records ADD CONSTRAINT stop CHECK (kind <> 'actions' OR id < 5500) NOT VALID",
	);
	expect((await run('Every five minutes')).status).toBe('error');
	expect(await place()).toEqual(before);
	await database.query('ALTER TABLE corrigo.records DROP CONSTRAINT stop');
	await killWhileReading();
	expect(await place()).toEqual(before);
	await succeed('Every five minutes');
	await expectCopy();

	// A change, and something new, with characters that PostgreSQL does not take.
	const [{ Id: changed }] = sandbox.store.children('WorkOrder', 'StatusId', 'New');
	act({ id: changed, command: 'WoPickUpCommand' });
	const { Id: created } = act({ note: 'Bring a ladder \ud83d\u0000' });
	await succeed('Every five minutes');
	await expectCopy();
	const [[status], [body]] = await database.query(
		`SELECT status FROM corrigo.work_orders WHERE id = ${changed} UNION ALL
			SELECT body FROM corrigo.notes WHERE work_order_id = ${String(created)}`,
	);
	expect([status, body]).toEqual(['Open', 'Bring a ladder \ufffd']);
	expect(await check()).toEqual([]);

	// A row of the copy is missing, one is extra, and one has another version. Corrigo deletes a note.
	await database.query(
		`DELETE FROM corrigo.records WHERE kind = 'work_orders' AND id = ${changed};
			UPDATE corrigo.records SET version = version - 1, data = data || '{"StatusId": "Wrong"}'
				WHERE kind = 'work_orders' AND id = ${changed + 1};
			INSERT INTO corrigo.records VALUES ('customers', 1, 1, '{"Id": 1}')`,
	);
	sandbox.store.remove('WoNote', sandbox.store.ids('WoNote')[0]);
	expect(await check()).toEqual([
		'The copy of Corrigo differed. customers: 0 missing, 1 extra, 0 changed; notes: 0 missing, 1 extra, 0 changed; work_orders: 1 missing, 0 extra, 1 changed.',
	]);
	await expectCopy();
	expect(await check()).toEqual([]);

	// Corrigo gives no versions to what somebody edits, also not in a table that the user has added.
	await database.query(
		"INSERT INTO corrigo.kinds (kind, entity, fields) VALUES ('asset_details', 'AssetInfo', '[\"*\"]')",
	);
	await succeed('Every five minutes');
	const [note, action] = ['WoNote', 'WoActionLog'].map((entity) =>
		Number(sandbox.store.ids(entity).at(-1)),
	);
	const [{ Id: details }] = sandbox.store.rows('AssetInfo');
	const [, { Id: asset }] = sandbox.store.rows('Location');
	sandbox.store.change('WoNote', note, { Body: 'Bring two ladders' });
	sandbox.store.change('Location', asset, { Name: 'Renamed' });
	sandbox.store.change('AssetInfo', details, { CheckPhone: 'P-2' });
	// The last row of the last portion is gone.
	sandbox.store.remove('WoActionLog', action);
	const changes = ['asset_details', 'assets', 'notes'].map(
		(kind) => `${kind}: 0 missing, 0 extra, 1 changed`,
	);
	expect(await check()).toEqual([
		`The copy of Corrigo differed. ${changes.join('; ')}.`,
		'The copy of Corrigo differed. actions: 0 missing, 1 extra, 0 changed.',
	]);
	expect(
		await database.query(
			`SELECT body FROM corrigo.notes WHERE id = ${note} UNION ALL
				SELECT name FROM corrigo.assets WHERE id = ${asset} UNION ALL
				SELECT data->>'CheckPhone' FROM corrigo.records WHERE kind = 'asset_details' AND id = ${details}`,
		),
	).toEqual([['Bring two ladders'], ['Renamed'], ['P-2']]);
	await expectCopy();
	expect(await check()).toEqual([]);

	// Corrigo deletes a customer between two polls.
	await instance.api.deactivate(await poll());
	const [, removed] = sandbox.store.rows('Customer').filter(isKept);
	sandbox.store.change('Customer', removed.Id, { IsRemoved: true });
	const active = await poll();
	await waitFor(
		'the customer is deleted',
		async () => await copied('customers'),
		(ids) => !ids.includes(removed.Id),
	);
	await instance.api.deactivate(active);
	await expectCopy();
});
