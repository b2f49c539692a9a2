import { join } from 'node:path';

import { nodeForN8n } from '../install';
import { run } from '../process/command';

const SCRIPT = `
const { DatabaseSync } = require('node:sqlite');
const [, file, sql] = process.argv;
const database = new DatabaseSync(file, { timeout: 10000 });
database.exec(sql);
database.close();
`;

/** Runs SQL in the database of an n8n, whether that is running or not. */
export async function inDatabase(userFolder: string, sql: string) {
	const file = join(userFolder, '.n8n', 'database.sqlite');
	await run(nodeForN8n(), ['-e', SCRIPT, file, sql], { cwd: userFolder });
}

/** Makes inserts into a table last for ever: what would come after them does not come. */
export const stalled = (table: string) => ({
	begin: `
		CREATE VIEW endless AS
			WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted) SELECT n FROM counted;
		CREATE TRIGGER stall BEFORE INSERT ON ${table} BEGIN SELECT max(n) FROM endless; END;`,
	end: 'DROP TRIGGER stall; DROP VIEW endless;',
});
