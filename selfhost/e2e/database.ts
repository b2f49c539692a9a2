import { join } from 'node:path';

import { nodeForN8n } from '../install';
import { runCommand } from '../process/command';

const SCRIPT = `
const { DatabaseSync } = require('node:sqlite');
const [, file, sql] = process.argv;
const database = new DatabaseSync(file, { timeout: 10000 });
database.exec(sql);
database.close();
`;

/** Runs SQL in the database of an n8n that may be running or not. */
export async function runSql(userFolder: string, sql: string) {
	const file = join(userFolder, '.n8n', 'database.sqlite');
	await runCommand(nodeForN8n(), ['-e', SCRIPT, file, sql], { cwd: userFolder });
}

/** SQL that makes inserts into a table hang. */
export const blockInserts = (table: string) => ({
	begin: `
		CREATE VIEW endless AS
			WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted) SELECT n FROM counted;
		CREATE TRIGGER stall BEFORE INSERT ON ${table} BEGIN SELECT max(n) FROM endless; END;`,
	end: 'DROP TRIGGER stall; DROP VIEW endless;',
});
