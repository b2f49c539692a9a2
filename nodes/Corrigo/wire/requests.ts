import { getCommand, isReadOnlyCommand } from '../catalogue/commands';
import { isRemovablePart } from '../catalogue/entities';
import { omitAttributes } from '../catalogue/summaries';
import { ValidationError, quote } from '../values/errors';
import { requireName } from '../values/json';
import { type JsonObject, isObject, toRows } from '../values/objects';
import {
	unwrapCommandAnswer,
	unwrapRecord,
	unwrapRows,
	unwrapSpecifier,
	type CommandAnswer,
	type Specifier,
	type Unwrap,
} from './answers';
import type { Criteria } from './criteria';
import { isIdentity } from '../catalogue/members';

interface Exchange<T> {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	path: string;
	query?: Record<string, string>;
	headers?: Record<string, string>;
	body?: object;
	requestId?: string;
	unwrap: Unwrap<T>;
}

export interface WriteRequest<T> extends Exchange<T> {
	reads: false;
	/** The request has several commands that are not one transaction. */
	hasParts?: boolean;
	dryRun: DryRun<T>;
}

/** Reads change nothing, so they may be repeated freely. */
export type ServiceRequest<T> = ReadRequest<T> | WriteRequest<T>;

export interface ReadRequest<T> extends Exchange<T> {
	reads: true;
	/** Replaces the request where the service user has no right to all that it asks for. */
	lesser?: ReadRequest<T>;
	/** Set if it is a command. */
	run?: CommandRun;
}

/** Describes a write that a dry run does not send. */
interface DryRun<T> {
	/** Replaces the answer of the service. */
	answer: T;
	Outcome: 'wouldCreate' | 'wouldUpdate' | 'wouldDelete' | 'wouldRun';
	plannedWrite: PlannedWrite;
}

/** Content of a write, which a dry run summarizes. */
export type PlannedWrite =
	| { does: 'create'; entity: string; fields: JsonObject }
	| {
			does: 'update';
			entity: string;
			changes: Changes;
			/** The current record, if it has already been read. */
			record?: JsonObject;
	  }
	| { does: 'delete'; entity: string; id: number }
	| CommandRun;

interface CommandRun {
	does: 'run';
	command: string;
	body: JsonObject;
	/** The work order that the command changes, if its body does not name it. */
	order?: number;
}

/** Replaces the Id of a record that a dry run does not create. */
export const NOT_CREATED = 0;

export interface SortOrder {
	PropertyName: string;
	OrderType: 'Ascending' | 'Descending';
}

export const NEWEST_FIRST: SortOrder[] = [{ PropertyName: 'Id', OrderType: 'Descending' }];

/**
 * Sent as, for example, { "PropertySet": { "Properties": ["Id", "Number"] }, "Count": 4000,
 * "Criteria": { "FilterOperator": "And", "Conditions": [{ "PropertyName": "Id",
 * "Operator": "GreaterThan", "Values": [12] }] }, "FirstResultIndex": 0 }
 */
export interface QueryExpression {
	PropertySet: { Properties: string[] };
	Criteria?: Criteria;
	Orders?: SortOrder[];
	Distinct?: boolean;
	Count: number;
	FirstResultIndex?: number;
}

const buildRequestId = (requestId?: string) => (requestId ? { RequestId: requestId } : {});

export function buildGetRequest(
	entity: string,
	id: number,
	properties: readonly string[],
): ReadRequest<JsonObject | null> {
	const fewer = omitAttributes(properties);
	return {
		lesser: fewer && buildGetRequest(entity, id, fewer),
		method: 'GET',
		path: `/api/v1/base/${entity}`,
		query: { ID: String(id), properties: properties.join(',') },
		reads: true,
		unwrap: unwrapRecord(id),
	};
}

export function buildQueryRequest(
	entity: string,
	expression: QueryExpression,
	isolationLevel?: string,
): ReadRequest<JsonObject[]> {
	const fewer = omitAttributes(expression.PropertySet.Properties);
	const lesser = fewer && { ...expression, PropertySet: { Properties: fewer } };
	return {
		lesser: lesser && buildQueryRequest(entity, lesser, isolationLevel),
		method: 'POST',
		path: `/api/v1/query/${entity}`,
		headers: isolationLevel ? { DataRetrievalIsolationLevel: isolationLevel } : {},
		body: { QueryExpression: expression },
		reads: true,
		unwrap: unwrapRows(expression.Count),
	};
}

/** The writes of one record differ only in what they send, and in what a dry run says of them. */
const buildRecordWrite = (
	entity: string,
	id: number | undefined,
	sent: Pick<Exchange<Specifier>, 'method' | 'query' | 'headers' | 'body' | 'requestId'>,
	planned: Omit<DryRun<Specifier>, 'answer'>,
): WriteRequest<Specifier> => ({
	...sent,
	path: `/api/v1/base/${entity}`,
	reads: false,
	unwrap: unwrapSpecifier(id),
	dryRun: { answer: { EntityType: entity, Id: id ?? NOT_CREATED }, ...planned },
});

export const buildCreateRequest = (entity: string, fields: JsonObject, requestId: string) =>
	buildRecordWrite(
		entity,
		undefined,
		{ method: 'POST', body: { ...buildRequestId(requestId), Entity: fields }, requestId },
		{ Outcome: 'wouldCreate', plannedWrite: { does: 'create', entity, fields } },
	);

/** The Id belongs in the body; in the path, the service answers 405. */
export const buildUpdateRequest = (
	entity: string,
	{ Properties, Entity }: Changes,
	requestId: string,
	record?: JsonObject,
) => {
	const isRemoved = (path: string) => isRemovablePart(entity, path) && Entity[path] === null;
	const paths = Properties.map((path) => (isRemoved(path) ? `${path}.*` : path));
	const changes = { Properties: paths, Entity };
	return buildRecordWrite(
		entity,
		Entity.Id as number,
		{ method: 'PUT', body: { ...buildRequestId(requestId), ...changes }, requestId },
		{ Outcome: 'wouldUpdate', plannedWrite: { does: 'update', entity, changes, record } },
	);
};

export const buildDeleteRequest = (entity: string, id: number, { ignoresMissing = false } = {}) =>
	buildRecordWrite(
		entity,
		id,
		{
			method: 'DELETE',
			query: { ID: String(id) },
			headers: ignoresMissing ? { IgnoreMissingEntityOnDelete: 'true' } : {},
		},
		{ Outcome: 'wouldDelete', plannedWrite: { does: 'delete', entity, id } },
	);

export function buildCommandRequest(
	name: string,
	command: JsonObject,
	requestId: string,
	order?: number,
): ServiceRequest<CommandAnswer> {
	const { creates = false, answer } = getCommand(name) ?? {};
	const exchange = {
		method: 'POST' as const,
		path: `/api/v1/cmd/${name}`,
		body: { Command: command, ...buildRequestId(requestId) },
		requestId,
		unwrap: unwrapCommandAnswer(requestId),
	};
	const run: CommandRun = { does: 'run', command: name, body: command, order };
	if (isReadOnlyCommand(name, command)) return { ...exchange, reads: true, run };
	const dryRun: DryRun<CommandAnswer> = {
		answer: { CommandResult: creates && answer ? { [answer]: { Id: NOT_CREATED } } : {} },
		Outcome: creates ? 'wouldCreate' : 'wouldRun',
		plannedWrite: run,
	};
	const hasParts = toRows(command.Commands).length > 1 && command.IsTransactional !== true;
	return { ...exchange, reads: false, ...(hasParts && { hasParts }), dryRun };
}

/** The locator answers it, not the host of the Company. */
export const buildDiscoveryRequest = (companyName: string): ServiceRequest<CommandAnswer> => {
	const command = { ApiType: 'REST', CompanyName: companyName, Protocol: 'HTTPS' };
	return buildCommandRequest('GetCompanyWsdkUrlCommand', command, '');
};

export interface Changes {
	Properties: string[];
	Entity: JsonObject;
}

/** These members identify the record and are not written themselves. The service ignores case. */
const isId = (name: string) => /^id$/i.test(name);

const NOTHING_TO_CHANGE =
	'Set at least one field. Empty lists, and what Corrigo keeps itself, are left out.';

export const createNothingError = (field: string): ValidationError =>
	new ValidationError(`'${field}' has nothing to change`, NOTHING_TO_CHANGE);

/**
 * The body of an update. `Properties` names exactly the properties that the user set: the service
 * writes every property listed, and may reset one that is listed but missing (`*` lists all).
 */
export function buildChanges(field: string, id: number, fields: JsonObject): Changes {
	const members = Object.entries(fields).filter(([, value]) => value !== undefined);
	const other = members.find(([name, value]) => isId(name) && Number(value) !== id);
	if (other !== undefined) {
		throw new ValidationError(
			`'${field}' has the Id ${quote(other[1])}, but the record chosen is ${id}`,
		);
	}
	const properties = listWrittenPaths(field, fields);
	if (properties.length === 0) throw createNothingError(field);
	const entity = Object.fromEntries(members.filter(([name]) => !isId(name)));
	return { Properties: properties, Entity: { ...entity, Id: id } };
}

/** The service writes every property that is listed, and resets one that the record does not have. */
export const listWrittenPaths = (field: string, members: JsonObject): string[] =>
	Object.entries(members)
		.filter(([name, value]) => value !== undefined && !isIdentity(name))
		.flatMap(([name, value]) => listPaths(field, name, value));

const isMoney = (value: JsonObject) =>
	Object.keys(value).every((name) => name === 'Value' || name === 'CurrencyTypeId');

function listPaths(field: string, path: string, value: unknown): string[] {
	requireName(field, path);
	if (Array.isArray(value)) return [`${path}.*`];
	if (!isObject(value) || (Object.keys(value).length > 0 && isMoney(value))) return [path];
	if (Object.keys(value).length === 0) {
		throw new ValidationError(`'${field}' has an empty object for ${quote(path)}`);
	}
	return Object.entries(value).flatMap(([name, inner]) =>
		listPaths(field, `${path}.${name}`, inner),
	);
}
