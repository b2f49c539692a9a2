import { isObject, type JsonObject } from '../values/checks';

/**
 * Returns the content of an answer, or `undefined` if nothing proves that the service sent it for
 * this very request, because login pages and proxies also return JSON. The documented wrapper must
 * be there, or an Id in its place; everything else is optional, because Companies with different
 * versions of Corrigo leave out different members.
 */
export type Unwrap<T> = (body: unknown) => T | undefined;

/**
 * A record is `{"Data": {"Id": 7, "Number": "CHL0000271"}}`, or without the wrapper.
 * `{"Data": null}` means that the record does not exist.
 */
export const unwrapRecord =
	(id: number): Unwrap<JsonObject | null> =>
	(body) => {
		if (!isObject(body)) return undefined;
		if (!('Data' in body)) return body.Id === id ? body : undefined;
		if (body.Data === null) return null;
		return isObject(body.Data) && hasId(id, body.Data) ? body.Data : undefined;
	};

/** The Id may be missing, because an answer contains only the properties that were requested. */
const hasId = (id: number, { Id }: JsonObject) => typeof Id !== 'number' || Id === id;

/**
 * Rows are `{"Entities": [{"Data": {"Id": 7}}, {"Data": {"Id": 8}}]}`, or without either wrapper.
 */
export function unwrapRows(body: unknown): JsonObject[] | undefined {
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

/**
 * A write answers `{"EntitySpecifier": {"EntityType": "Contact", "Id": 7, "ConcurrencyId": 1}}`.
 * With `id`, no other record is accepted.
 */
export const unwrapSpecifier =
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
 * A command answers `{"CommandResult": {"Wo": {"Id": 7}}, "RequestId": "…"}`. The result may be
 * missing; then the RequestId shows that the service received the command.
 */
export const unwrapCommandAnswer =
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

/**
 * An error is `{"ErrorCode": "EXPIRED_TOKEN", "ErrorMessage": "…", "RequestId": "…"}`, or is inside
 * the result of a command: `{"CommandResult": {"ErrorInfo": {"Type": "…", "Description": "…"}}}`.
 */
export interface ServiceFault {
	code: string;
	message: string;
	requestId?: string;
}

export function findFault(body: unknown): ServiceFault | undefined {
	if (!isObject(body)) return undefined;
	if (isNonEmptyText(body.ErrorCode) || isNonEmptyText(body.ErrorMessage)) {
		return {
			code: toText(body.ErrorCode),
			message: stripTermMarkup(toText(body.ErrorMessage)),
			...(body.RequestId === undefined ? {} : { requestId: toText(body.RequestId) }),
		};
	}
	const info: unknown = isObject(body.CommandResult) ? body.CommandResult.ErrorInfo : undefined;
	if (!isObject(info) || !(info.Description || info.Number)) return undefined;
	return {
		code: toText(info.Type || info.Number),
		message: stripTermMarkup(toText(info.Description)),
	};
}

/** The service returns unset texts as empty texts. */
const isNonEmptyText = (value: unknown) => typeof value === 'string' && value.trim() !== '';

const toText = (value: unknown) =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** The service marks terms that its own user interface translates, such as `{!{Work Order}!}`. */
export const stripTermMarkup = (text: string) => text.replace(/\{!\{|\}!\}/g, '').trim();
