import type {
	IHookFunctions,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { lookUp } from '../records/query';
import {
	addMs,
	advance,
	compareTimes,
	getOverlapStart,
	startCursor,
	toKeyText,
	type Cursor,
	type Overlap,
} from '../feed/cursor';
import {
	buildNewestQuery,
	getBeginning,
	narrowFeed,
	pollChanges,
	readKey,
	type Change,
	type Feed,
} from '../feed/feed';
import { writeLast } from '../feed/cursorText';
import { buildPolled, trustClock } from '../feed/lead';
import { fetchFirstCursor } from '../feed/present';
import { findLowerPlace } from '../trigger/changes/changes';
import { openCursorStore } from '../trigger/changes/cursors';
import type { Plan, Result, Service, TriggerContext } from '../trigger/plan';
import { getForm, loadPlan, readFeedEntity, requirePushed } from '../trigger/triggerForm';
import {
	buildAdvice,
	toNodeError,
	fetchRecords,
	toItems,
	toResults,
	createDeadline,
	createService,
	createSource,
	fetchRecentItems,
} from '../trigger/service';
import { recallFeed } from '../trigger/state';
import { ValidationError, quoteText } from '../values/errors';
import { hasTooManyValues, tryJson } from '../values/json';
import { normalize } from '../values/input';
import { and, isIn } from '../wire/criteria';
import {
	buildNoticeCriteria,
	filterRelevant,
	getNoticeKey,
	parseChangeNotices,
	serializeNotices,
	type ChangeNotice,
	type RecordNotice,
} from './changeNotices';
import { getQueue, type CoalescingQueue, type PushBatch } from './coalescingQueue';
import { signatureField } from './description';
import {
	buildSignatureReport,
	getSigningKeys,
	isSigned,
	readSignatureCheck,
	type Message,
} from './signature';
import { logWarning } from '../transport/log';

const ADVICE = buildAdvice('What was pushed is read with the next push.');

const MAX_BODY_BYTES = 1024 * 1024;

/** Corrigo pushes one change at a time, so a body with more records is not from Corrigo. */
const MAX_NOTICES = 1000;

/** A push is read in one go, and tells of one change, or of a few. */
const MAX_VALUES = 20_000;

/** Some senders label JSON as plain text, or not at all. */
const JSON_TYPE = /^(application\/([\w.-]+\+)?json|text\/(json|plain))\s*(;|$)/i;

/** Starts no execution and sends no response, because the push was answered already. */
const NO_EXECUTION: IWebhookResponseData = { noWebhookResponse: true };

/** Refuses a push with an answer to its sender. */
class RefusedPush extends Error {
	constructor(
		readonly status: number,
		line: string,
	) {
		super(line);
	}
}

export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await processPush(this).catch((failure: unknown) => {
		if (!(failure instanceof RefusedPush)) throw toNodeError(this, failure, ADVICE);
		respond(this, failure.status, failure.message);
		return NO_EXECUTION;
	});
}

async function processPush(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	const message = await readMessage(caller);
	const isTest = caller.getMode() === 'manual';
	const check = readSignatureCheck(caller);
	if (check !== 'off') {
		const keys = getSigningKeys(await caller.getCredentials('corrigoApi'));
		if (check === 'learn' && isTest) {
			respond(caller, 200, 'Received');
			return { ...NO_EXECUTION, workflowData: [[buildSignatureReport(message, keys)]] };
		}
		if (check === 'learn' || !isSigned(message, check, [...keys.values()])) {
			throw new RefusedPush(401, 'The signature is missing or wrong');
		}
	}
	const notices = filterRelevant(readFeedEntity(getForm(caller)), parseNotices(message));
	const queue = getQueue(caller.getWorkflow().id, caller.getNode().id);
	if (isShuttingDown(caller)) throw new RefusedPush(503, 'n8n is shutting down');
	// The sender gets an answer before the records are read. Even a refused push lets this call read
	// the waiting ones.
	if (isTest || queue.add(notices)) respond(caller, 200, 'Received');
	else respond(caller, 503, 'Too many records are waiting');
	if (notices.length === 0) return NO_EXECUTION;
	if (!isTest) queue.waitingSince ??= performance.now();
	const load = async (pushed: PushBatch) => await fetchNewItems(caller, queue, pushed);
	const found = isTest ? await fetchTestItems(caller, notices) : await queue.run(load);
	const items = isTest || found?.length ? found : await queue.runAgain(load);
	return items === undefined || items.length === 0
		? NO_EXECUTION
		: { ...NO_EXECUTION, workflowData: [items] };
}

function respond(caller: IWebhookFunctions, status: number, line: string): void {
	caller
		.getResponseObject()
		.writeHead(status, {
			'Content-Type': 'text/plain; charset=utf-8',
			// n8n closes the connection if the node fails later, so it must not carry other requests.
			Connection: 'close',
		})
		.end(line);
}

async function readMessage(caller: IWebhookFunctions): Promise<Message> {
	// n8n keeps the body as it arrived in addition to the parsed one.
	const request: { rawBody?: Buffer; readRawBody?: () => Promise<void> } =
		caller.getRequestObject();
	const headers = caller.getHeaderData();
	if (!JSON_TYPE.test(headers['content-type'] ?? 'application/json')) {
		throw new RefusedPush(415, 'The body must be JSON, with the Content-Type application/json');
	}
	checkSize(Number(headers['content-length'] ?? 0));
	if (request.rawBody === undefined) await request.readRawBody?.();
	const raw = request.rawBody ?? Buffer.alloc(0);
	checkSize(raw.length);
	return { raw, headers };
}

function checkSize(bytes: number): void {
	if (bytes > MAX_BODY_BYTES) throw new RefusedPush(413, 'The body is larger than 1 MB');
}

function parseNotices({ raw }: Message): ChangeNotice[] {
	if (hasTooManyValues(raw, MAX_VALUES)) {
		throw new RefusedPush(413, `The body has more than ${MAX_VALUES} values`);
	}
	const body = tryJson(raw.toString('utf8').replace(/^\uFEFF/, ''));
	if (!('value' in body)) throw new RefusedPush(400, 'The body is not valid JSON');
	let refused: string | undefined;
	const notices = parseChangeNotices(body.value, (id) => (refused = id.slice(0, 20)));
	if (notices.length === 0 && refused !== undefined) {
		throw new RefusedPush(400, `No record has the ID ${refused}`);
	}
	if (notices.length <= MAX_NOTICES) return notices;
	throw new RefusedPush(413, `The body names more than ${MAX_NOTICES} records`);
}

const UNREAD =
	'n8n is shutting down: what was pushed last is read with the first push after it has started again.';

/**
 * Pushes may arrive in any order and, if Corrigo repeats them after an outage, days after their
 * change. The edge must not pass changes that were not read, so more keys are kept than can wait.
 */
const OVERLAP: Overlap = { seconds: 10 * 24 * 3600, ids: 10_000, keys: 10_000 };

const BUDGET_MS = 5 * 60_000;

/** Pushes have no batches, and keep all keys ahead. */
async function loadPlanAndService(caller: TriggerContext) {
	requirePushed(getForm(caller));
	const deadline = createDeadline(BUDGET_MS);
	const credentials = await caller.getCredentials('corrigoApi');
	const own = await loadPlan(caller, credentials, deadline.at);
	const plan = { ...own, limit: Infinity, keysAhead: Infinity };
	const service = createService(caller, plan, { credentials, deadline, advice: ADVICE });
	return { plan, service, credentials };
}

/** Returns the newest changes of the pushed records for a test event, delivered before or not. */
async function fetchTestItems(
	caller: IWebhookFunctions,
	notices: ChangeNotice[],
): Promise<INodeExecutionData[]> {
	const { plan, service } = await loadPlanAndService(caller);
	const known = await resolveNumbers(service, notices);
	const [criteria] = buildNoticeCriteria(plan.feed.entity, known);
	if (criteria === undefined) return [];
	return await fetchRecentItems({ ...plan, feed: narrowFeed(plan.feed, criteria) }, service);
}

interface PushedRecord extends RecordNotice {
	notice: ChangeNotice;
}

/** Replaces numbers of work orders in change notices with IDs. Unknown numbers are dropped. */
async function resolveNumbers(
	{ requester }: Service,
	notices: ChangeNotice[],
): Promise<PushedRecord[]> {
	const numbers = notices.flatMap((notice) => ('number' in notice ? [notice.number] : []));
	const orders = { entity: 'WorkOrder', by: ['Number'] };
	const found = await lookUp(requester, orders, numbers);
	return notices.flatMap((notice): PushedRecord[] => {
		if ('id' in notice) return [{ ...notice, notice }];
		const rows = found.get(normalize(notice.number)) ?? [];
		return rows.map(({ Id }) => ({ id: Number(Id), entity: 'WorkOrder', notice }));
	});
}

/** Returns the change notices of which nothing new was found. */
function listUnanswered(
	entity: string,
	{ notices, known }: { notices: readonly ChangeNotice[]; known: readonly PushedRecord[] },
	changes: ReadonlyArray<Change<Result>>,
): ChangeNotice[] {
	const changed = new Set(
		changes.flatMap(({ key, item }) => [`${entity} ${key.id}`, `WorkOrder ${item?.order}`]),
	);
	const isAnswered = ({ entity: own, id }: PushedRecord) => {
		const mayBeOrder = own === undefined || own === 'WorkOrderCost';
		return changed.has(`${own ?? entity} ${id}`) || (mayBeOrder && changed.has(`WorkOrder ${id}`));
	};
	const answered = new Set(known.filter(isAnswered).map(({ notice }) => notice));
	return notices.filter((notice) => !answered.has(notice));
}

interface Read {
	known: PushedRecord[];
	changes: Array<Change<Result>>;
	hasMore: boolean;
}

/** Reads the changes of the pushed records that the cursor does not know. */
async function loadNotices(
	plan: Plan,
	cursor: Cursor,
	service: Service,
	notices: ChangeNotice[],
): Promise<Read> {
	const known = await resolveNumbers(service, notices);
	const all: Read = { known, changes: [], hasMore: false };
	for (const criteria of buildNoticeCriteria(plan.feed.entity, known)) {
		const { changes, reached } = await pollChanges(
			narrowFeed(plan.feed, criteria),
			cursor,
			service,
			plan,
		);
		all.changes.push(...changes);
		all.hasMore ||= reached !== undefined;
	}
	return all;
}

/** Limits the failed requests that find out which records cannot be read. */
const MAX_FAILED_READS = 40;

/**
 * Reads as many of the change notices as possible: anyone may have pushed a record that Corrigo
 * refuses or fails to read, and it must not keep others from being read. `isUp` tells whether reads
 * succeed that concern no record, as otherwise none of them is to blame.
 */
async function loadEach(
	notices: ChangeNotice[],
	load: (some: ChangeNotice[]) => Promise<Read>,
	isUp: () => Promise<boolean>,
	noteFailure: (notice: ChangeNotice, failure: unknown) => void,
): Promise<Read[]> {
	const parts = [notices];
	const found: Read[] = [];
	let failed = 0;
	for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
		const some = part;
		await load(some).then(
			(one) => found.push(one),
			async (failure: unknown) => {
				failed += 1;
				if (failed > MAX_FAILED_READS || (failed === 1 && !(await isUp()))) throw failure;
				const middle = some.length >>> 1;
				if (middle === 0) noteFailure(some[0], failure);
				else parts.push(some.slice(middle), some.slice(0, middle));
			},
		);
	}
	return found;
}

/** Returns whether the queries of a plan succeed at once, as far as no record takes part. */
async function canRead(plan: Plan, { requester }: Service): Promise<boolean> {
	const { caller, sendOptions } = requester;
	const once = { caller, sendOptions: { ...sendOptions, extraRequests: { left: 0 } } };
	const noRecord = narrowFeed(plan.feed, and(isIn('Id', [0])));
	const results = await Promise.allSettled<unknown>([
		createSource(once, plan).load(buildNewestQuery(noRecord, { count: 1 })),
		...plan.related.map(async (feed) => await fetchRecords(once, feed, [0])),
	]);
	return results.every(({ status }) => status === 'fulfilled');
}

/**
 * Creates a cursor that treats the changes since `ms` ago and of the minutes before as new, by
 * Corrigo's clock. If rows have no time, the last IDs are new instead.
 */
async function fetchRecentCursor(plan: Plan, service: Service, ms = 0): Promise<Cursor> {
	const { entity, time, properties } = plan.feed;
	const feed: Feed = { entity, time, properties };
	const [newest] = await service.load(buildNewestQuery(feed, { count: 1, keysOnly: true }));
	const clock = service.clock();
	if (clock !== undefined && (time ?? plan.feed.timestamp) !== undefined) {
		const since = getOverlapStart({ time: addMs(clock, -ms), id: 0 }).time;
		const cursor = await fetchFirstCursor({ ...plan, since }, service);
		if (cursor !== undefined) return cursor;
	}
	return startCursor(newest ? getOverlapStart(readKey(feed, newest)) : getBeginning(feed));
}

/** Reads the pushed records and returns the changes that were not returned before. */
async function fetchNewItems(
	caller: IWebhookFunctions,
	queue: CoalescingQueue,
	{ notices: pushed, keep, readAgain, isAlone }: PushBatch,
): Promise<INodeExecutionData[]> {
	const { plan, service, credentials } = await loadPlanAndService(caller);
	const store = openCursorStore({ caller, credentials }, plan);
	const warn = (message: string) => logWarning(caller, message);
	const { entity } = plan.feed;
	const stored = store.read(warn)?.get(entity);
	const waitedMs = performance.now() - (queue.waitingSince ?? performance.now());
	const start = stored ?? (await fetchRecentCursor(plan, service, waitedMs));
	const unread = tryJson(String(store.state.unread));
	const earlier = 'value' in unread ? parseChangeNotices(unread.value) : [];
	const notices = [...earlier, ...pushed];
	const failed: ChangeNotice[] = [];
	const noteFailure = (notice: ChangeNotice, failure: unknown) => {
		const isGivenUp = queue.noteFailure(notice);
		if (!isGivenUp) failed.push(notice);
		const next = isGivenUp ? 'it is not tried again' : 'the next push tries again';
		const { message } = toNodeError(caller, failure, ADVICE);
		warn(
			`The pushed record ${quoteText(getNoticeKey(notice))} cannot be read, ${next}: ${message}`,
		);
	};
	const loadAll = async (cursor: Cursor) =>
		await loadEach(
			notices.filter((notice) => !failed.includes(notice)),
			async (some) => await loadNotices(plan, cursor, service, some),
			async () => await canRead(plan, service),
			noteFailure,
		);
	const begunAt = performance.now();
	let reads = await loadAll(start);
	const read = { isEmpty: false, begunAt, polled: store.getPolled() };
	const memory = recallFeed(store.memory, entity);
	const lower = await findLowerPlace(plan, start, { service, warn }, memory, read);
	if (lower !== undefined) reads = await loadAll(lower);
	// Nothing is awaited from here on, so a later call sees all of the new state.
	const hasMore = reads.some((one) => one.hasMore);
	if (hasMore) keep();
	else keep(failed);
	const known = reads.flatMap((one) => one.known);
	for (const { notice } of known) queue.noteRead(notice);
	const found = new Map(
		reads.flatMap(({ changes }) => changes.map((change) => [toKeyText(change.key), change])),
	);
	const changes = [...found.values()].sort((a, b) => compareTimes(a.key, b.key));
	const current = lower ?? store.read()?.get(entity) ?? start;
	const isEnding = isShuttingDown(caller) && notices.length > 0;
	const later = isEnding ? { unread: serializeNotices(notices) } : {};
	if (isEnding && !plan.atLeastOnce) {
		warn(UNREAD);
		store.save(new Map([[entity, current]]), later);
		return [];
	}
	const settledAt = trustClock(store.memory, service);
	const progress = { settledAt, newestBefore: current.newest, changes };
	const { claimed, cursor: next } = advance(current, progress, OVERLAP);
	const unanswered = listUnanswered(entity, { notices, known }, claimed).filter(
		(notice) => !failed.includes(notice),
	);
	// A call that starts an execution has ended, and cannot read the others again.
	if (claimed.length > 0 && unanswered.length > 0 && !hasMore && isAlone()) {
		readAgain(notices);
		return [];
	}
	readAgain(unanswered);
	const results = toResults(claimed);
	const items = toItems(plan, results, { clock: service.now() });
	const mayRepeat = plan.atLeastOnce && items.length > 0;
	const delivered = claimed.flatMap(({ key, look, item }) => (item ? [{ key, look }] : []));
	const last = mayRepeat
		? writeLast(next, queue.noteDelivered(store.memory.feed, delivered))
		: undefined;
	queue.waitingSince = undefined;
	const isWhole = failed.length === 0 && !hasMore;
	const polled = isWhole ? buildPolled(store.memory.lead, settledAt) : store.getPolled();
	store.save(new Map([[entity, next]]), { last, polled, ...later });
	return items;
}

/** When n8n shuts down, it closes its server first and soon starts no more executions. */
function isShuttingDown(caller: IWebhookFunctions): boolean {
	const { socket } = caller.getRequestObject() as { socket: { server?: { listening?: boolean } } };
	return socket.server?.listening === false;
}

/** A person sees errors in these modes. In others, n8n itself starts or repairs an activation. */
const ATTENDED = ['activate', 'create', 'manual'];

/**
 * Mode 'update' is a repair or a person who publishes a change. A node that learns signatures fails
 * in both cases: it refuses all pushes, nobody would see why, and no repair helps.
 */
const isAttended = (caller: IHookFunctions): boolean =>
	ATTENDED.includes(caller.getActivationMode()) ||
	(caller.getActivationMode() === 'update' && getForm(caller).read(signatureField) === 'learn');

/**
 * An administrator enters the address in Corrigo, and the API cannot tell whether that was done. An
 * activation therefore creates nothing. It checks the settings and saves a cursor that treats
 * existing changes as old.
 */
export async function activate(this: IHookFunctions): Promise<boolean> {
	await prepare(this).catch((failure: unknown) => {
		const error = toNodeError(this, failure, ADVICE);
		if (isAttended(this)) throw error;
		getQueue(this.getWorkflow().id, this.getNode().id).waitingSince ??= performance.now();
		logWarning(this, error.message);
	});
	return true;
}

async function prepare(caller: IHookFunctions): Promise<void> {
	const { plan, service, credentials } = await loadPlanAndService(caller);
	const check = readSignatureCheck(caller);
	const keys = getSigningKeys(credentials);
	if (check !== 'off' && check !== 'learn' && keys.size === 0) {
		throw new ValidationError(
			"'Signing Key' is empty in the Corrigo credential",
			"Switch on 'Use Webhook' there and enter the key, or set 'Signature' to Off.",
		);
	}
	if (caller.getMode() === 'manual') return;
	if (check === 'learn') {
		throw new ValidationError(
			"'Signature' is Learn, which is for test events only",
			'Set it to HMAC with what was learned, or to Off.',
		);
	}
	// A node that was active before continues from its cursor.
	const store = openCursorStore({ caller, credentials }, plan);
	const stored = store.read();
	if (stored !== undefined) {
		store.save(stored);
		return;
	}
	const queue = getQueue(caller.getWorkflow().id, caller.getNode().id);
	if (isAttended(caller)) queue.waitingSince = undefined;
	const { waitingSince } = queue;
	// Pushes since a failed activation may wait to be read.
	const first =
		waitingSince === undefined
			? await fetchFirstCursor(plan, service)
			: await fetchRecentCursor(plan, service, performance.now() - waitingSince);
	if (first === undefined) return;
	const clock = trustClock(store.memory, service);
	store.save(new Map([[plan.feed.entity, first]]), {
		polled: buildPolled(store.memory.lead, clock),
	});
	queue.waitingSince = undefined;
}
