import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

it('test files that one worker runs do not influence each other, and are measured in real time', () => {
	const options = ['--runInBand', '--ci', '--json', '--selectProjects', 'units'];
	const { stdout } = spawnSync(
		process.execPath,
		['node_modules/jest/bin/jest.js', ...options, '--testPathPatterns', '/traces/'],
		{ cwd: root, encoding: 'utf8' },
	);
	const { testResults, ...report } = JSON.parse(stdout) as {
		testResults: Array<Record<'startTime' | 'endTime', number>>;
	};
	expect(report).toMatchObject({ numPassedTests: 2, numTotalTests: 2 });
	expect(testResults.filter(({ startTime, endTime }) => endTime < startTime)).toEqual([]);
});
