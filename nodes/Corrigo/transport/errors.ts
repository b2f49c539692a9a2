import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';

import { enumerations } from '../catalogue/enumerations';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import { errorCodes, recordAdvice } from '../catalogue/errorCodes';
import type { SessionFailure } from '../session/credential';
import { chooseAdvice, quoteText, quoteUnlessPlain } from '../values/errors';
import { cutText, toMessage } from '../values/lines';
import { createRedactor } from '../values/redaction';
import { suggestCommands, suggestEntities } from '../values/spellings';
import type { Failure, ServiceFault, Reason, Reply } from '../wire/answers';
import type { ServiceRequest } from '../wire/requests';

/** n8n recognizes a stopped run by the word "canceled". */
const CANCELLED = 'The execution was canceled';

/** Texts for failures, after which the message of the service is quoted. */
const MESSAGES: Record<Reason, { message: string; advice: string; forAuthor?: string }> = {
	refused: { message: 'Corrigo refused the request', advice: 'Check the values of this node.' },
	session: {
		message: 'Corrigo did not accept the session, not even a new one',
		advice:
			"Check the Corrigo credential: 'Company Name', 'Region' and whether the client is still active.",
	},
	busy: {
		message: 'Corrigo is not available right now',
		advice: 'Try again later, or send fewer requests at a time.',
	},
	unreadable: {
		message: 'Corrigo gave an answer that cannot be read',
		advice: 'Something between n8n and Corrigo, such as a proxy, may have answered instead.',
	},
	redirected: {
		message: 'Corrigo pointed to another address, which is not followed',
		advice:
			'Something between n8n and Corrigo, such as a proxy or a login page, may have answered instead.',
	},
	unreachable: {
		message: 'Corrigo cannot be reached',
		advice: 'Check the network of n8n and whether Corrigo is available. Nothing was sent.',
	},
	timeout: {
		message: 'Corrigo did not answer in time',
		advice: 'Ask for less at a time.',
		forAuthor: "Or raise 'Timeout' in 'Options > Advanced'.",
	},
	tooLarge: {
		message: 'The answer of Corrigo is too large to be read',
		advice: 'Ask for fewer fields, or search for less.',
		forAuthor: "Or set a smaller 'Page Size' in 'Options > Advanced'.",
	},
	lost: { message: 'The connection to Corrigo broke', advice: 'Check the network of n8n.' },
	cancelled: { message: CANCELLED, advice: 'The request was stopped.' },
	failed: {
		message: 'Corrigo could not carry out the request',
		advice: 'Try again later. If it happens every time, look at the values of this node.',
	},
};

const RIGHTS_ADVICE =
	"The service user of the credential may lack a right: run 'Company: Check Access' to see what it may do.";

export interface FailureWords {
	/** Advice for each reason that replaces the default, in the words of the calling node. */
	advice?: Readonly<Record<Reason, string>>;
	/** Corrigo's words may name people and records, which not everybody who reads the output may see. */
	hidesWords?: () => boolean;
}

export function createFailureError(
	node: INode,
	request: ServiceRequest<unknown>,
	failure: Failure,
	reply: Reply,
	secrets: readonly string[],
	{ advice, hidesWords }: FailureWords = {},
): NodeApiError {
	const { reason, mayHaveRun } = failure;
	const told = failure.fault && redactFault(failure.fault, secrets);
	const fault = told && hidesWords?.() === true ? { ...told, message: '' } : told;
	const words = MESSAGES[reason];
	const message = fault?.message
		? `${words.message}: ${quoteText(fault.message, MAX_LENGTH)}`
		: words.message;
	const status = reply.kind === 'answer' ? reply.status : undefined;
	const isForbidden = reason === 'refused' && status === 403;
	const requestId = fault?.requestId ?? request.requestId;
	// Corrigo's support finds the call by this reference.
	const reference = [
		fault?.code && `code ${quoteUnlessPlain(fault.code)}`,
		status !== undefined && `status ${status}`,
		requestId && `RequestId ${quoteUnlessPlain(requestId)}`,
	].filter(Boolean);
	const description = joinSentences(
		fault && suggestKnown(request, fault),
		advice?.[reason] ??
			(fault && errorCodes[fault.code]?.advice) ??
			(isForbidden ? RIGHTS_ADVICE : chooseAdvice(node, words.advice, words.forAuthor)),
		mayHaveRun &&
			'The request may have been carried out anyway: look in Corrigo before you run it again.',
		reference.length > 0 && `(${reference.join(', ')})`,
	);
	return createApiError(node, message, description, {
		reason,
		mayHaveRun,
		httpCode: reply.kind === 'lost' ? reply.code : status?.toString(),
		// The data has only the documented members of an error, never the rest of an answer.
		...(fault && {
			data: { ErrorCode: fault.code, ...(fault.message && { ErrorMessage: fault.message }) },
		}),
	});
}

/** The catalogue may lack a new name, so names are compared only after Corrigo has refused one. */
function suggestKnown({ path }: ServiceRequest<unknown>, { code, message }: ServiceFault) {
	const [, room, name] = /\/(base|cmd|query)\/(.+)$/.exec(path) ?? [];
	switch (code) {
		case 'COMMAND_NOT_FOUND':
			return suggestCommands(name ?? '');
		case 'ENTITY_NOT_FOUND':
			// The body of a command may name an entity.
			return suggestEntities((room === 'cmd' ? /'(\w+)'/.exec(message)?.[1] : name) ?? '');
		default:
			return undefined;
	}
}

export const joinSentences = (...parts: Array<string | false | null | undefined>): string =>
	parts.filter(Boolean).join(' ');

/** A longer message is an HTML page, or repeats the whole request, and helps nobody. */
const MAX_LENGTH = 1000;

/** The service may repeat secrets in its messages, which are shown and stored. */
function redactFault({ code, message, requestId }: ServiceFault, secrets: readonly string[]) {
	const redact = createRedactor(secrets);
	const clean = (text: string) => {
		// Redacted text is shorter.
		const redacted = redact(text.slice(0, 4 * MAX_LENGTH));
		return cutText(redacted.replace(/\s+/g, ' '), MAX_LENGTH);
	};
	return {
		code: clean(code),
		message: labelStatuses(clean(message)),
		requestId: requestId && clean(requestId),
	};
}

/** Corrigo quotes a status by its code: 'InProgress'. */
const labelStatuses = (text: string): string =>
	text.replace(/'(\w+)'/g, (quoted, name: string) =>
		enumerations.WorkOrderStatus.some((one) => one === name)
			? `'${getMemberLabel('WorkOrderStatus', name)}'`
			: quoted,
	);

/** The service refused the request, but may accept another form of it. */
export const wasRefused = (error: unknown) =>
	error instanceof NodeApiError && error.context.reason === 'refused';

/** Rows that the service user may not read count as empty. Any other failure is thrown. */
export function emptyIfForbidden(failure: unknown): [] {
	if (wasRefused(failure)) return [];
	throw failure;
}

/** A read that Corrigo refuses counts as not made. Any other failure is thrown. */
export function ignoreRefusal(failure: unknown): undefined {
	if (!wasRefused(failure)) throw failure;
}

/** A missing permission has no code of its own. Other known codes mean a wrong request. */
export function wasForbidden(error: unknown): boolean {
	const known = errorCodes[getErrorCode(error) ?? ''];
	return wasRefused(error) && (known === undefined || known.rights === true);
}

export function getErrorCode(error: unknown): string | undefined {
	if (!(error instanceof NodeApiError)) return undefined;
	const code = (error.context.data as JsonObject | undefined)?.ErrorCode;
	return code === undefined ? undefined : String(code);
}

/** The error is always new, because n8n would keep its own message for an existing NodeApiError. */
export function createApiError(
	node: INode,
	message: string,
	description: string,
	{
		forAuthor,
		httpCode,
		...context
	}: {
		/** Advice that only the author of the workflow can follow. */
		forAuthor?: string;
		reason?: Reason | SessionFailure;
		mayHaveRun?: boolean;
		httpCode?: string;
		data?: JsonObject;
	} = {},
): NodeApiError {
	const line = message === CANCELLED ? message : avoidReservedWords(toMessage(message));
	const advice = chooseAdvice(node, description, forAuthor);
	const texts = { message: line, description: toMessage(advice), httpCode };
	const error = new NodeApiError(node, { message: line }, texts);
	error.message = line;
	Object.assign(error.context, context);
	return error;
}

/** If only a part fails, the advice depends on what was written before it. */
export const createPartError = (
	node: INode,
	message: string,
	failure: Error & { description?: string | null },
	advice: string,
	forAuthor?: string,
): NodeApiError =>
	createApiError(
		node,
		`${message}: ${failure.message}`,
		joinSentences(failure.description, advice),
		{ forAuthor },
	);

export const createCancelledError = (node: INode) =>
	createApiError(node, CANCELLED, MESSAGES.cancelled.advice);

/** The run was stopped after a write of an item, or while one had no answer yet. */
export const createStoppedError = (node: INode, request: ServiceRequest<unknown> | undefined) =>
	request === undefined
		? createCancelledError(node)
		: createFailureError(
				node,
				request,
				{ do: 'fail', reason: 'cancelled', mayHaveRun: true },
				{ kind: 'cancelled', sent: true },
				[],
			);

/**
 * n8n assumes that the user stopped a run if its message contains "canceled", as messages about
 * work orders often do.
 */
export const avoidReservedWords = (message: string) =>
	message.replace(
		/(cancel)(ed)/gi,
		(_, stem: string, end: string) => stem + (end === 'ED' ? 'L' : 'l') + end,
	);

const PERMANENT: unknown[] = ['refused', 'session', 'credential', 'readOnly'];

/** A transient failure may not occur again if the same request is sent later. */
export const isTransient = (error: unknown) =>
	error instanceof NodeApiError && !PERMANENT.includes(error.context.reason);

/** A write may have been carried out, unless the error proves that it was not. */
export const mayHaveRun = (error: unknown) =>
	!(error instanceof NodeApiError) || error.context.mayHaveRun !== false;

/** No session could be opened, so no request was sent. */
export const isSessionFailure = (error: unknown) =>
	!(error instanceof NodeApiError) ||
	['unavailable', 'credential'].includes(String(error.context.reason));

const getMissingText = (noun: string, id: unknown) =>
	`There is no ${noun} with the ID ${String(id)}`;

export const createNotFoundError = (node: INode, noun: string, id: unknown) =>
	createApiError(node, getMissingText(noun, id), recordAdvice, { httpCode: '404' });

const hasMissingCode = (error: unknown) => errorCodes[getErrorCode(error) ?? '']?.missing === true;

export const isMissing = (error: unknown) =>
	error instanceof NodeApiError && (error.httpCode === '404' || hasMissingCode(error));

/** Puts clearer words in place of Corrigo's, which stay in the details. */
function rephrase(failure: NodeApiError, message: string): void {
	const said = failure.message.replace(/(?<![.!?]"?)$/, '.');
	failure.description = joinSentences(said, failure.description);
	failure.message = message;
}

/** Explains that a record is missing, if the request or Corrigo's words name only this one. */
export function explainMissing(
	failure: unknown,
	noun: string,
	{ entity, id, isOnly }: Named,
): void {
	// A mere 404 may also mean that the host has no such command.
	if (!(failure instanceof NodeApiError) || !hasMissingCode(failure) || mayHaveRun(failure)) return;
	const [said, ...others] = failure.message.match(/\b[A-Za-z]\w* with Id \d+/g) ?? [];
	const isSaid = others.length === 0 && said === `${entity} with Id ${String(id)}`;
	if (isOnly || isSaid) rephrase(failure, getMissingText(noun, id));
}

interface Named {
	entity: string;
	id: unknown;
	/** The request names no other record. */
	isOnly: boolean;
}

/** The service says of a record in another status that somebody has modified it. */
export function explainUnexpected(failure: unknown, body: object): void {
	if (getErrorCode(failure) !== 'ERROR_CODE_6' || mayHaveRun(failure)) return;
	const expected = [
		('StatusId' in body || 'CurrentStatusId' in body) && "'Expected Status'",
		('ConcurrencyId' in body || 'FinancialConcurrencyId' in body) && "'Expected Concurrency ID'",
	].filter(Boolean);
	if (expected.length === 0) return;
	rephrase(failure as NodeApiError, `The record does not have the ${expected.join(' or the ')}`);
}

/** The host does not have the command, so nothing was carried out. */
export const isUnknownCommand = (error: unknown) =>
	error instanceof NodeApiError &&
	(error.httpCode === '404' || getErrorCode(error) === 'COMMAND_NOT_FOUND');
