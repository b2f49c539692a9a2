// `npm run record`: records what each published version does, from its tag, for test/compat to replay.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' });
const jest = ['node_modules/jest/bin/jest.js', '-c', 'test/compat/record.config.js'];

const versions = git('tag', '--list', '[0-9]*.[0-9]*.[0-9]*').split('\n').filter(Boolean);
for (const version of versions) {
	if (existsSync(`test/compat/${version}`)) continue;
	const checkout = mkdtempSync(join(tmpdir(), `corrigo-${version}-`));
	git('worktree', 'add', '--quiet', '--detach', checkout, version);
	try {
		const env = { ...process.env, CHECKOUT: checkout };
		execFileSync(process.execPath, jest, { env, stdio: 'inherit' });
	} finally {
		git('worktree', 'remove', '--force', checkout);
	}
}
