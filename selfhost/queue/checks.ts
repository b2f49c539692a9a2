import assert from 'node:assert/strict';

import type { PushReport } from './pushes';
import { EVENT_COUNT, PUSHED_CHANGES, REQUESTS, sum, WORKERS, type LoadReport } from './run';
import type { TestRunReport } from './testRun';

/** When all sessions end, a worker may try its own token and the one that another worker has stored. */
const MAX_TOKENS_PER_EVENT = 2;

const SESSION_CODES = ['DATABASE_VERSION_MISMATCH', 'INCORRECT_TOKEN'];

/** Each worker opens a session when it starts and at each event. */
export const MAX_TOKENS = WORKERS * (1 + MAX_TOKENS_PER_EVENT * EVENT_COUNT);

export const checks: Record<string, (report: LoadReport) => void> = {
	'every request created its own work order': ({ responses }) => {
		const failed = responses.filter(({ status }) => status !== 200);
		assert.equal(failed.length, 0, `${failed.length} failed, such as ${failed[0]?.body}`);
		const numbers = responses.map(({ body }) => (JSON.parse(body) as { Number?: string }).Number);
		assert.ok(numbers.every((number) => typeof number === 'string' && number !== ''));
		assert.equal(new Set(numbers).size, REQUESTS);
	},
	'every work order was created exactly once': ({ responses, created }) => {
		assert.deepEqual([...created].sort(), responses.map(({ number }) => number).sort());
	},
	'every execution succeeded': ({ executions, failures }) => {
		assert.deepEqual(failures, []);
		assert.deepEqual(executions, { success: REQUESTS });
	},
	'every worker ran some executions': ({ finished }) => {
		assert.equal(finished.length, WORKERS);
		assert.ok(
			finished.every((count) => count > 0),
			`The workers finished ${finished.join(', ')}`,
		);
	},
	'creates were sent again only after a refused session': ({ creates, refusals }) => {
		assert.deepEqual(
			Object.keys(refusals).filter((code) => !SESSION_CODES.includes(code)),
			[],
		);
		assert.equal(creates - sum(Object.values(refusals)), REQUESTS);
	},
	'each worker opened a session only at its start and at events': ({ tokens, discoveries }) => {
		assert.ok(tokens <= MAX_TOKENS, `${tokens} tokens, more than ${MAX_TOKENS}`);
		assert.ok(discoveries <= tokens, `${discoveries} discoveries for ${tokens} tokens`);
	},
};

export const pushChecks: Record<string, (report: PushReport) => void> = {
	'n8n responded to pushes before it read the changes': ({ responses, respondedFirst }) => {
		const other = responses.filter(({ status, text }) => status !== 200 || text !== 'Received');
		assert.deepEqual(other, []);
		assert.ok(respondedFirst);
	},
	'pushes without the right signature were refused': ({ refused }) => {
		assert.deepEqual(
			refused.map(({ status }) => status),
			[401, 401, 401],
		);
	},
	'exactly the pushed changes were reported, each once': ({ expected, reported }) => {
		assert.deepEqual([...reported].sort(), [...expected].sort());
	},
	'changes that were pushed together were read together': ({ requests }) => {
		assert.ok(requests < PUSHED_CHANGES, `${requests} requests for ${PUSHED_CHANGES} changes`);
	},
	'workers ran all executions': ({ executions, failures, finished }) => {
		assert.deepEqual(failures, []);
		assert.deepEqual(executions, { success: finished });
	},
};

export const testRunChecks: Record<string, (report: TestRunReport) => void> = {
	'a worker ran the test run': ({ mode, finished }) => {
		assert.deepEqual([mode, finished], ['manual', 1]);
	},
	'*Dry Run: When Testing* created nothing there': ({ dryRun, created }) => {
		assert.equal(typeof dryRun.WouldSend, 'object', JSON.stringify(dryRun));
		assert.equal(created, 0);
	},
	'files passed from node to node through the database': ({ printed, downloaded }) => {
		assert.match(String(printed?.id), /^database/);
		assert.ok(printed?.fileSize);
		assert.equal(downloaded?.fileSize, printed.fileSize);
	},
};
