import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const runner = join(root, 'node_modules', 'jest', 'bin', 'jest.js');

it('test files that one worker runs do not influence each other', () => {
	const { status, stderr } = spawnSync(
		process.execPath,
		[runner, '--runInBand', '--ci', '--selectProjects', 'units', '--testPathPatterns', '/traces/'],
		{ cwd: root, encoding: 'utf8' },
	);
	expect({ status, stderr }).toEqual({
		status: 0,
		stderr: expect.stringContaining('Tests:       2 passed, 2 total') as string,
	});
});
