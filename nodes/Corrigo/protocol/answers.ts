import { isObject, type JsonObject } from './checks';

/**
 * The content of an answer, or `undefined` when nothing proves that the service gave it to this very
 * request: login pages and proxies speak JSON, too. The documented wrapper must be there, or an Id in
 * its place; all else is optional, because Companies of different versions leave out different members.
 */
export type Unwrap<T> = (body: unknown) => T | undefined;

/** `null` for an empty wrapper, by which the service says that the record does not exist. */
export const recordOf =
	(id: number): Unwrap<JsonObject | null> =>
	(body) => {
		if (!isObject(body)) return undefined;
		if (!('Data' in body)) return body.Id === id ? body : undefined;
		if (body.Data === null) return null;
		return isObject(body.Data) && hasId(id, body.Data) ? body.Data : undefined;
	};

/** An Id that was not requested may be missing. */
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

/** Names the record that was written; with `id`, no other record is accepted. */
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

/** Commands may answer without a result; then the RequestId shows that the service got them. */
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

/** An error in the documented place, or inside the result of a command. */
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

/** The service returns unset texts as empty ones. */
const isNonEmptyText = (value: unknown) => typeof value === 'string' && value.trim() !== '';

const textOf = (value: unknown) =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** `{!{Work Order}!}` is a term that the service leaves to its own screens to translate. */
export const stripTermMarkup = (text: string) => text.replace(/\{!\{|\}!\}/g, '').trim();
