import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';

import { errorCodes } from '../catalogue/errorCodes';
import type { ServiceFault } from '../protocol/answers';
import { redact } from '../protocol/redaction';
import type { ServiceRequest } from '../protocol/requests';
import type { Reason, Reply, Verdict } from '../protocol/verdict';

export type Failure = Extract<Verdict, { do: 'fail' }>;

/** n8n recognizes a stopped run by the word "canceled". */
const CANCELLED = 'The execution was canceled';

/** Texts for failures without a message from the service. */
const MESSAGES: Record<Reason, { message: string; hint: string }> = {
	refused: { message: 'Corrigo refused the request', hint: 'Check the values of this node.' },
	session: {
		message: 'Corrigo did not accept the session, not even a new one',
		hint: "Check the Corrigo credential: 'Company Name', 'Region' and whether the client is still active.",
	},
	busy: {
		message: 'Corrigo is not available right now',
		hint: 'Try again later, or send fewer requests at a time.',
	},
	unreadable: {
		message: 'Corrigo gave an answer that cannot be read',
		hint: 'Something between n8n and Corrigo, such as a proxy, may have answered in its place.',
	},
	redirected: {
		message: 'Corrigo pointed to another address, which is not followed',
		hint: 'Something between n8n and Corrigo, such as a proxy or a login page, may have answered in its place.',
	},
	unreachable: {
		message: 'Corrigo cannot be reached',
		hint: 'Check the network of n8n and whether Corrigo is available. Nothing was sent.',
	},
	timeout: {
		message: 'Corrigo did not answer in time',
		hint: "Raise 'Timeout' in 'Options', or ask for less at a time.",
	},
	lost: { message: 'The connection to Corrigo broke', hint: 'Check the network of n8n.' },
	cancelled: { message: CANCELLED, hint: 'The request was given up.' },
	failed: {
		message: 'Corrigo could not carry out the request',
		hint: 'Try again later. If it happens every time, look at the values of this node.',
	},
};

interface FailureDetails {
	/** Advice for each reason that replaces the default, in the words of the calling node. */
	hints?: Readonly<Record<Reason, string>>;
	secrets: readonly string[];
}

export function failureError(
	node: INode,
	request: ServiceRequest<unknown>,
	failure: Failure,
	reply: Reply,
	{ hints, secrets }: FailureDetails,
): NodeApiError {
	const { reason, mayHaveRun } = failure;
	const fault = failure.fault && redactedFault(failure.fault, secrets);
	const words = MESSAGES[reason];
	const message = fault?.message || words.message;
	const status = reply.kind === 'answer' ? reply.status : undefined;
	const description = [
		hints?.[reason] ?? (fault && errorCodes[fault.code]?.hint) ?? words.hint,
		mayHaveRun &&
			'The request may have been carried out all the same: look in Corrigo before you run it again.',
		supportReference(fault, status, request.requestId),
	];
	return apiError(node, message, sentences(...description), {
		reason,
		mayHaveRun,
		httpCode: reply.kind === 'lost' ? reply.code : status?.toString(),
		// The data has only the documented members of an error, never the rest of an answer.
		...(fault && { data: { ErrorCode: fault.code, ErrorMessage: fault.message } }),
	});
}

export const sentences = (...parts: Array<string | false | null | undefined>): string =>
	parts.filter(Boolean).join(' ');

const redactedFault = ({ code, message, requestId }: ServiceFault, secrets: readonly string[]) => ({
	code: redact(code, secrets),
	message: redact(message, secrets),
	requestId: requestId && redact(requestId, secrets),
});

/** The service refused the request, but may accept another form of it. */
export const wasRefused = (error: unknown) =>
	error instanceof NodeApiError && error.context.reason === 'refused';

/** Rows that the service user may not read count as empty. Any other failure is thrown. */
export function emptyIfForbidden(failure: unknown): [] {
	if (wasRefused(failure)) return [];
	throw failure;
}

/** A missing permission has no code of its own. Other known codes mean a wrong request. */
export function wasForbidden(error: unknown): boolean {
	const known = errorCodes[codeOf(error) ?? ''];
	return wasRefused(error) && (known === undefined || known.rights === true);
}

export function codeOf(error: unknown): string | undefined {
	if (!(error instanceof NodeApiError)) return undefined;
	const code = (error.context.data as JsonObject | undefined)?.ErrorCode;
	return code === undefined ? undefined : String(code);
}

/** Corrigo's support finds the call by this reference. */
function supportReference(
	fault: ServiceFault | undefined,
	status: number | undefined,
	id?: string,
): string {
	const parts = [
		fault?.code && `code ${fault.code}`,
		status !== undefined && `status ${status}`,
		(fault?.requestId ?? id) && `RequestId ${fault?.requestId ?? id}`,
	].filter(Boolean);
	return parts.length > 0 ? `(${parts.join(', ')})` : '';
}

interface ErrorDetails {
	/** `unavailable` and `credential` mean that no session could be opened. */
	reason?: Reason | 'unavailable' | 'credential' | 'readOnly';
	mayHaveRun?: boolean;
	httpCode?: string;
	data?: JsonObject;
}

/** The error is always new, because n8n would keep its own message for an existing NodeApiError. */
export function apiError(
	node: INode,
	message: string,
	description: string,
	{ reason, mayHaveRun, httpCode, data }: ErrorDetails = {},
): NodeApiError {
	const error = new NodeApiError(node, { message }, { message, description, httpCode });
	error.message = message === CANCELLED ? message : avoidReservedWords(message);
	if (reason !== undefined) error.context.reason = reason;
	if (mayHaveRun !== undefined) error.context.mayHaveRun = mayHaveRun;
	if (data !== undefined) error.context.data = data;
	return error;
}

/** If only a part fails, the advice depends on what was written before it. */
export const partError = (
	node: INode,
	message: string,
	failure: Error & { description?: string | null },
	advice: string,
): NodeApiError =>
	apiError(node, `${message}: ${failure.message}`, sentences(failure.description, advice));

/** The run was stopped while a file was read. */
export const cancelledError = (node: INode) => apiError(node, CANCELLED, MESSAGES.cancelled.hint);

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

export const notFound = (node: INode, noun: string, id: unknown) =>
	apiError(
		node,
		`There is no ${noun} with the ID ${String(id)}`,
		'Check the ID, and that the service user of the credential may see the record.',
		{ httpCode: '404' },
	);

export const isMissing = (error: unknown) =>
	error instanceof NodeApiError &&
	(error.httpCode === '404' || errorCodes[codeOf(error) ?? '']?.missing === true);

/** The host does not have the command, so nothing was carried out. */
export const isUnknownCommand = (error: unknown) =>
	error instanceof NodeApiError &&
	(error.httpCode === '404' || codeOf(error) === 'COMMAND_NOT_FOUND');
