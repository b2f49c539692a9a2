import assert from 'node:assert/strict';

import type { PushReport } from './pushes';
import { EVENT_COUNT, REQUESTS, STORM, TOKEN_LIFE_SECONDS, WORKERS, type Report } from './run';

/** The token server says a second less, and a session is renewed when a quarter of that is left. */
const RENEWED_AFTER_SECONDS = (TOKEN_LIFE_SECONDS - 1) * 0.75;
/** When all sessions end at once, a worker may have used its own and the one another has stored. */
const TOKENS_PER_EVENT = 2;

const SESSION_CODES = ['DATABASE_VERSION_MISMATCH', 'EXPIRED_TOKEN', 'INCORRECT_TOKEN'];

/** What sessions may cost: each worker opens its own, when it starts, at each end, at each event. */
export const mostTokens = (seconds: number) =>
	WORKERS * (1 + Math.floor(seconds / RENEWED_AFTER_SECONDS) + TOKENS_PER_EVENT * EVENT_COUNT);

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

export const checks: Record<string, (report: Report) => void> = {
	'every request was answered with a work order of its own': ({ answers }) => {
		const failed = answers.filter(({ status }) => status !== 200);
		assert.equal(failed.length, 0, `${failed.length} failed, such as ${failed[0]?.body}`);
		const numbers = answers.map(({ body }) => (JSON.parse(body) as { Number?: string }).Number);
		assert.ok(numbers.every((number) => typeof number === 'string' && number !== ''));
		assert.equal(new Set(numbers).size, REQUESTS);
	},
	'every order was created exactly once': ({ answers, made }) => {
		assert.deepEqual([...made].sort(), answers.map(({ number }) => number).sort());
	},
	'every execution succeeded': ({ executions, failures }) => {
		assert.deepEqual(failures, []);
		assert.deepEqual(executions, { success: REQUESTS });
	},
	'every worker carried some': ({ finished }) => {
		assert.equal(finished.length, WORKERS);
		assert.ok(
			finished.every((count) => count > 0),
			`They finished ${finished.join(', ')}`,
		);
	},
	'a create was sent again only where its session had been refused': ({ creates, refusals }) => {
		assert.deepEqual(
			Object.keys(refusals).filter((code) => !SESSION_CODES.includes(code)),
			[],
		);
		assert.equal(creates - sum(Object.values(refusals)), REQUESTS);
	},
	'sessions were opened once for each worker, end and event': ({ seconds, ...report }) => {
		const { tokens, discoveries } = report;
		const most = mostTokens(seconds);
		assert.ok(tokens <= most, `${tokens} tokens in ${seconds} s, more than ${most}`);
		assert.ok(discoveries <= tokens, `${discoveries} discoveries for ${tokens} tokens`);
	},
};

export const pushChecks: Record<string, (report: PushReport) => void> = {
	'pushes were answered before anything was read': ({ answers, answeredFirst }) => {
		const other = answers.filter(({ status, text }) => status !== 200 || text !== 'Received');
		assert.deepEqual(other, []);
		assert.ok(answeredFirst);
	},
	'what was not signed with the key, or changed afterwards, was refused': ({ refused }) => {
		assert.deepEqual(
			refused.map(({ status }) => status),
			[401, 401, 401],
		);
	},
	'each change was told of once, by whatever process, and nothing else': ({ happened, told }) => {
		assert.deepEqual([...told].sort(), [...happened].sort());
	},
	'changes that were pushed together were read together': ({ reads }) => {
		assert.ok(reads < STORM, `${reads} requests for ${STORM} changes`);
	},
	'workers carried all that was started': ({ executions, failures, carried }) => {
		assert.deepEqual(failures, []);
		assert.deepEqual(executions, { success: carried });
	},
};
