import type {
	IHookFunctions,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { lookUp } from '../records/query';
import { buildAdvice, toNodeError, type TriggerContext } from '../trigger/advice';
import { advance, compareKeys, toKeyText, type Overlap } from '../trigger/changes/cursor';
import { narrowFeed, pollChanges, type Change } from '../trigger/changes/feed';
import { buildItems, type Result } from '../trigger/items';
import { getForm, loadPlan, readFeedEntity, requirePushed, type Plan } from '../trigger/plan/plan';
import {
	createDeadline,
	createService,
	fetchFirstCursor,
	fetchRecentCursor,
	fetchRecentItems,
	type Service,
} from '../trigger/service';
import { openStore } from '../trigger/state';
import { ValidationError } from '../values/errors';
import { tryJson } from '../values/json';
import { normalize } from '../values/scalars';
import {
	buildNoticeCriteria,
	filterRelevant,
	parseChangeNotices,
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

const ADVICE = buildAdvice('What was pushed is read with the next push.');

const MAX_BODY_BYTES = 1024 * 1024;

/** Corrigo pushes one change at a time, so a body with more records is not from Corrigo. */
const MAX_NOTICES = 1000;

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
	const notices = filterRelevant(readFeedEntity(getForm(caller)), readNotices(message));
	const queue = getQueue(caller.getWorkflow().id, caller.getNode().id);
	if (isShuttingDown(caller)) throw new RefusedPush(503, 'n8n is shutting down');
	// The sender gets an answer before the records are read. Even a refused push lets this call read
	// the waiting ones.
	if (isTest || queue.add(notices)) respond(caller, 200, 'Received');
	else respond(caller, 503, 'Too many records are waiting');
	if (notices.length === 0) return NO_EXECUTION;
	const read = async (pushed: PushBatch) => await fetchNewItems(caller, queue, pushed);
	const found = isTest ? await fetchTestItems(caller, notices) : await queue.run(read);
	const items = isTest || found?.length ? found : await queue.runAgain(read);
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

function readNotices({ raw }: Message): ChangeNotice[] {
	const body = tryJson(raw.toString('utf8').replace(/^\uFEFF/, ''));
	if (!('value' in body)) throw new RefusedPush(400, 'The body is not valid JSON');
	const notices = parseChangeNotices(body.value);
	if (notices.length <= MAX_NOTICES) return notices;
	throw new RefusedPush(413, `The body names more than ${MAX_NOTICES} records`);
}

const UNREAD =
	'n8n is shutting down, so what was pushed last starts no execution. It does when its record is pushed again.';

/**
 * Pushes may arrive in any order and, if Corrigo repeats them after an outage, days after their
 * change. The edge must not pass changes that were not read, so more keys are kept than can wait.
 */
const OVERLAP: Overlap = { seconds: 10 * 24 * 3600, ids: 20_000, keys: 20_000 };

const BUDGET_MS = 5 * 60_000;

/** Every item gets a ChangeKey, which is the same as from the polling trigger. */
async function loadPlanAndService(caller: TriggerContext, owner?: object) {
	requirePushed(getForm(caller));
	const deadline = createDeadline(BUDGET_MS);
	const credentials = await caller.getCredentials('corrigoApi');
	const own = await loadPlan(caller, credentials, deadline.at);
	const plan: Plan = { ...own, addChangeKey: true, limit: Infinity };
	const service = createService(caller, plan, { deadline, advice: ADVICE, owner });
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

/** Reads the pushed records and returns the changes that were not returned before. */
async function fetchNewItems(
	caller: IWebhookFunctions,
	queue: CoalescingQueue,
	{ notices, keep, readAgain }: PushBatch,
): Promise<INodeExecutionData[]> {
	const { plan, service, credentials } = await loadPlanAndService(caller, queue);
	const store = openStore(caller, credentials, plan);
	const { feed } = store;
	const cursor =
		store.readCursor((message) => caller.logger.warn(message)) ??
		(await fetchRecentCursor(plan, service));
	const known = await resolveNumbers(service, notices);
	const found = new Map<string, Change<Result>>();
	let hasMore = false;
	for (const criteria of buildNoticeCriteria(plan.feed.entity, known)) {
		const part = narrowFeed(plan.feed, criteria);
		const { changes, reached } = await pollChanges(part, cursor, service, plan);
		for (const change of changes) found.set(toKeyText(change.key), change);
		hasMore ||= reached !== undefined;
	}
	// Nothing is awaited from here on, so a later call sees all of the new state.
	if (hasMore) keep();
	if (!plan.atLeastOnce && isShuttingDown(caller)) {
		caller.logger.warn(UNREAD);
		return [];
	}
	const changes = [...found.values()].sort((a, b) => compareKeys(a.key, b.key));
	const current = store.readCursor() ?? cursor;
	const progress = { clock: service.clock(), newestBefore: current.newest, changes };
	const { claimed, cursor: next } = advance(current, progress, OVERLAP);
	readAgain(listUnanswered(plan.feed.entity, { notices, known }, claimed));
	const items = buildItems(plan, claimed, service.now());
	const mayRepeat = plan.atLeastOnce && items.length > 0;
	const before = mayRepeat ? queue.getCursorInDoubt(feed, current) : undefined;
	if (claimed.length > 0 || !store.isOwn()) store.saveCursor(next, before);
	store.remember(next);
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
		this.logger.warn(error.message);
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
	const store = openStore(caller, credentials, plan);
	if (store.readCursor() !== undefined) return;
	store.saveCursor(await fetchFirstCursor(plan, service));
}
