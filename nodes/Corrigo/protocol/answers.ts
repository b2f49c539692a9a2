import { isObject, type JsonObject } from './checks';

/**
 * What an answer carries, or `undefined` when it has another shape than the service documents.
 * Next to the documented wrappers a bare object and a bare array are accepted, and every member
 * is optional: Companies of different versions leave out different ones.
 */
export type Unwrap<T> = (body: unknown) => T | undefined;

/** `null` where the service answers with an empty wrapper: there is no such record. */
export function recordOf(body: unknown): JsonObject | null | undefined {
	if (!isObject(body)) return undefined;
	if (!('Data' in body)) return Object.keys(body).length > 0 ? body : null;
	return body.Data === null || isObject(body.Data) ? body.Data : undefined;
}

export function rowsOf(body: unknown): JsonObject[] | undefined {
	const rows: unknown = isObject(body) ? body.Entities : body;
	if (!Array.isArray(rows) || !rows.every(isObject)) return undefined;
	return rows.map((row) => (isObject(row.Data) ? row.Data : row));
}

export interface Specifier extends JsonObject {
	Id: number;
	EntityType?: string;
	ConcurrencyId?: number;
}

export function specifierOf(body: unknown): Specifier | undefined {
	const inner: unknown = isObject(body) && 'EntitySpecifier' in body ? body.EntitySpecifier : body;
	return isObject(inner) && typeof inner.Id === 'number' ? (inner as Specifier) : undefined;
}

export interface CommandAnswer {
	CommandResult: JsonObject;
	RequestId?: unknown;
}

/** Commands without a result of their own answer with none, or with `null`. */
export function commandAnswerOf(body: unknown): CommandAnswer | undefined {
	if (!isObject(body)) return undefined;
	const { RequestId, ...bare } = body;
	const result: unknown = 'CommandResult' in body ? (body.CommandResult ?? {}) : bare;
	if (!isObject(result)) return undefined;
	return { CommandResult: result, ...(RequestId === undefined ? {} : { RequestId }) };
}

/** What a command says went wrong, at the place where errors are documented, or inside its result. */
export interface ServiceFault {
	code: string;
	message: string;
	requestId?: string;
}

export function faultOf(body: unknown): ServiceFault | undefined {
	if (!isObject(body)) return undefined;
	if (saysSomething(body.ErrorCode) || saysSomething(body.ErrorMessage)) {
		return {
			code: shown(body.ErrorCode),
			message: withoutTokens(shown(body.ErrorMessage)),
			...(body.RequestId === undefined ? {} : { requestId: shown(body.RequestId) }),
		};
	}
	const info: unknown = isObject(body.CommandResult) ? body.CommandResult.ErrorInfo : undefined;
	if (!isObject(info) || !(info.Description || info.Number)) return undefined;
	return {
		code: shown(info.Type || info.Number),
		message: withoutTokens(shown(info.Description)),
	};
}

/** Unset texts come back as empty ones. */
const saysSomething = (value: unknown) => typeof value === 'string' && value.trim() !== '';

const shown = (value: unknown) =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** `{!{Work Order}!}` is a term the service left for its own screens to translate. */
export const withoutTokens = (text: string) => text.replace(/\{!\{|\}!\}/g, '').trim();
