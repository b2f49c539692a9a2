import { isObject, type JsonObject } from './checks';

/**
 * What an answer carries, or `undefined` when it does not show that the service gave it to this very
 * request: login pages and proxies speak JSON, too. So the documented wrapper has to be there, or an
 * Id in its place; all else is optional, as Companies of different versions leave out different members.
 */
export type Unwrap<T> = (body: unknown) => T | undefined;

/** `null` where the service answers with an empty wrapper: there is no such record. */
export const recordOf =
	(id: number): Unwrap<JsonObject | null> =>
	(body) => {
		if (!isObject(body)) return undefined;
		if (!('Data' in body)) return body.Id === id ? body : undefined;
		if (body.Data === null) return null;
		return isObject(body.Data) && hasId(id, body.Data) ? body.Data : undefined;
	};

/** Ids may be left out where they were not asked for. */
const hasId = (id: number, { Id }: JsonObject) => typeof Id !== 'number' || Id === id;

export function rowsOf(body: unknown): JsonObject[] | undefined {
	const rows: unknown = isObject(body) ? body.Entities : body;
	if (!Array.isArray(rows) || !rows.every(isObject)) return undefined;
	const isWrapped = isObject(body) || (rows.length > 0 && rows.every(isRow));
	return isWrapped ? rows.map((row) => (isObject(row.Data) ? row.Data : row)) : undefined;
}

const isRow = ({ Data, Id }: JsonObject) => isObject(Data) || typeof Id === 'number';

export interface Specifier extends JsonObject {
	Id: number;
	EntityType?: string;
	ConcurrencyId?: number;
}

/** Which record was written: the one asked for, if it was there before. */
export const specifierOf =
	(id?: number): Unwrap<Specifier> =>
	(body) => {
		const inner: unknown =
			isObject(body) && 'EntitySpecifier' in body ? body.EntitySpecifier : body;
		if (!isObject(inner) || typeof inner.Id !== 'number') return undefined;
		return id === undefined || inner.Id === id ? (inner as Specifier) : undefined;
	};

export interface CommandAnswer {
	CommandResult: JsonObject;
	RequestId?: unknown;
}

/**
 * Commands without a result of their own answer with `null`, or leave the member out: then it is the
 * RequestId by which the service shows that it had the command.
 */
export const commandAnswerOf =
	(requestId?: string): Unwrap<CommandAnswer> =>
	(body) => {
		if (!isObject(body)) return undefined;
		const { CommandResult, RequestId } = body;
		const isOurs = Boolean(requestId) && RequestId === requestId;
		if (!('CommandResult' in body) && !isOurs) return undefined;
		const result: unknown = CommandResult ?? {};
		if (!isObject(result)) return undefined;
		return { CommandResult: result, ...(RequestId === undefined ? {} : { RequestId }) };
	};

/** What a command says went wrong, at the place where errors are documented, or inside its result. */
export interface ServiceFault {
	code: string;
	message: string;
	requestId?: string;
}

export function faultOf(body: unknown): ServiceFault | undefined {
	if (!isObject(body)) return undefined;
	if (isNonEmptyText(body.ErrorCode) || isNonEmptyText(body.ErrorMessage)) {
		return {
			code: textOf(body.ErrorCode),
			message: stripTermMarkup(textOf(body.ErrorMessage)),
			...(body.RequestId === undefined ? {} : { requestId: textOf(body.RequestId) }),
		};
	}
	const info: unknown = isObject(body.CommandResult) ? body.CommandResult.ErrorInfo : undefined;
	if (!isObject(info) || !(info.Description || info.Number)) return undefined;
	return {
		code: textOf(info.Type || info.Number),
		message: stripTermMarkup(textOf(info.Description)),
	};
}

/** Unset texts come back as empty ones. */
const isNonEmptyText = (value: unknown) => typeof value === 'string' && value.trim() !== '';

const textOf = (value: unknown) =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** `{!{Work Order}!}` is a term the service left for its own screens to translate. */
export const stripTermMarkup = (text: string) => text.replace(/\{!\{|\}!\}/g, '').trim();
