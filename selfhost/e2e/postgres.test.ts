/** The example with n8n's own Postgres node and a real PostgreSQL. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../sandbox/store/store';
import { readExample } from '../examples';
import type { Credential, Workflow } from '../n8n/api';
import { cleanUp, cleanups } from '../process/program';
import { findPrograms, startPostgres, type Database } from '../queue/stores';
import { withCredential } from '../workflows/credentials';
import { ownerApi, testEnvironment } from './environment';
import { SandboxClient } from './sandboxClient';

const { controlUrl, credential } = testEnvironment();
const sandbox = new SandboxClient(controlUrl);
const api = ownerApi(testEnvironment());

const ENTITIES = {
	actions: 'WoActionLog',
	costs: 'FinancialItem',
	customers: 'Customer',
	documents: 'Document',
	notes: 'WoNote',
	work_orders: 'WorkOrder',
};

let database: Database;
let account: Credential;
let example: Workflow;

beforeAll(async () => {
	const folder = await mkdtemp(join(tmpdir(), 'corrigo-postgres-'));
	cleanups.push(async () => await rm(folder, { recursive: true, maxRetries: 5 }));
	// PostgreSQL runs as another user if the tests run as root.
	await chmod(folder, 0o755);
	database = await startPostgres(findPrograms(), join(folder, 'postgres'));
	const { env } = database;
	account = await api.createCredential('Copy', 'postgres', {
		host: env.DB_POSTGRESDB_HOST,
		port: Number(env.DB_POSTGRESDB_PORT),
		database: env.DB_POSTGRESDB_DATABASE,
		user: env.DB_POSTGRESDB_USER,
		password: env.DB_POSTGRESDB_PASSWORD,
		ssl: 'disable',
	});
	const file = readExample('corrigo-in-postgresql.json');
	const workflow = withCredential(withCredential(file, credential), account, '.postgres');
	example = await api.createWorkflow({ ...workflow, name: `${workflow.name} (run)` });
});

afterAll(async () => {
	if (account) await api.deleteCredential(account);
	await cleanUp();
});

const run = async (from: string) => await api.run(example, undefined, from);

const succeed = async (from: string) => {
	const execution = await run(from);
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	return execution;
};

const isKept = ({ IsRemoved }: Row) => IsRemoved !== true;

/** The IDs that the copy has, and those of Corrigo. */
const copied = async (kind: string) =>
	(await database.query(`SELECT id FROM corrigo.${kind} ORDER BY id`)).map(([id]) => Number(id));
const held = async (kind: keyof typeof ENTITIES) =>
	(await sandbox.rows(ENTITIES[kind]))
		.filter(isKept)
		.map(({ Id }) => Id)
		.sort((one, other) => one - other);

async function expectCopy() {
	for (const kind of Object.keys(ENTITIES) as Array<keyof typeof ENTITIES>) {
		expect([kind, await copied(kind)]).toEqual([kind, await held(kind)]);
	}
}

const place = async () => await database.query('SELECT * FROM corrigo.kinds ORDER BY kind');

const messages = ({ runData }: Awaited<ReturnType<typeof run>>) =>
	(runData['Message to team'] ?? []).flatMap(
		({ data }) => data?.main[0]?.map(({ json }: { json: IDataObject }) => json.text) ?? [],
	);

// Promise: The examples run as they are
it('copies Corrigo into tables, goes on after a stop, and says what differs', async () => {
	// A run loads 5,000 rows of each table; the second one stops while it saves.
	await succeed('Every five minutes');
	const before = await place();
	await database.query(
		"ALTER TABLE corrigo.records ADD CONSTRAINT stop CHECK (kind <> 'actions' OR id < 6000) NOT VALID",
	);
	expect((await run('Every five minutes')).status).toBe('error');
	expect(await place()).toEqual(before);
	await database.query('ALTER TABLE corrigo.records DROP CONSTRAINT stop');
	await succeed('Every five minutes');
	await succeed('Every five minutes');
	await expectCopy();

	// A change, and something new.
	const [{ Id: changed }] = (await sandbox.rows('WorkOrder')).filter(
		(row) => row.StatusId === 'New',
	);
	await sandbox.actInDesktop({ id: changed, command: 'WoPickUpCommand' });
	const { Id: created } = await sandbox.actInDesktop({ note: 'Bring a ladder' });
	await succeed('Every five minutes');
	await expectCopy();
	const [[status], [body]] = await database.query(
		`SELECT status FROM corrigo.work_orders WHERE id = ${changed} UNION ALL
			SELECT body FROM corrigo.notes WHERE work_order_id = ${created}`,
	);
	expect([status, body]).toEqual(['Open', 'Bring a ladder']);
	expect(messages(await succeed('Every night'))).toEqual([]);

	// Rows that are missing, extra and of another version; the copy also has a note that is deleted.
	await database.query(
		`DELETE FROM corrigo.records WHERE kind = 'work_orders' AND id = ${changed};
			UPDATE corrigo.records SET version = version - 1, data = data || '{"StatusId": "Wrong"}'
				WHERE kind = 'work_orders' AND id = ${changed + 1};
			INSERT INTO corrigo.records VALUES ('notes', 0, NULL, '{"Id": 0}'), ('customers', 1, 1, '{"Id": 1}')`,
	);
	expect(messages(await succeed('Every night'))).toEqual([
		'The copy of Corrigo differed. customers: 0 missing, 1 extra, 0 changed; notes: 0 missing, 1 extra, 0 changed; work_orders: 1 missing, 0 extra, 1 changed.',
	]);
	await expectCopy();
	expect(messages(await succeed('Every night'))).toEqual([]);

	const edited = await succeed('Customer added, edited or deleted');
	expect(edited.runData['Save customers']).toHaveLength(1);
	await expectCopy();
});
