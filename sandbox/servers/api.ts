import { createEntity, deleteEntity, readable, readEntity, updateEntity } from '../base/operations';
import { requireCommand, runCommand } from '../commands';
import { fail, ServiceError } from '../errors';
import { Criteria } from '../query/criteria';
import { select } from '../query/projection';
import { runQuery } from '../query/run';
import { queryRequest } from '../query/shape';
import type { RecordedRequest } from '../runtime/journal';
import type { World } from '../runtime/world';
import { entityNamed } from '../schema';
import { member, canonicalName, parseRequest, type Json, type RequestShapes } from '../shapes';
import { Answer } from './http';
import { commandRequest, createRequest, echoRequestId, jsonBody, updateRequest } from './request';
import { commit, ServiceServer } from './server';

/** The answer of a host that no longer serves the Company. */
export type Retirement = '503' | 'DATABASE_VERSION_MISMATCH';

const ISOLATION_LEVELS = ['Default', 'ReadUncommitted', 'ReadCommitted', 'Snapshot'];

export class ApiServer extends ServiceServer {
	private retired: Retirement | undefined;

	constructor(world: World) {
		super(world, 'api');
		this.addBaseRoutes();
		this.addQueryRoute();
		this.addCommandRoutes();
	}

	retire(how: Retirement): void {
		this.retired = how;
	}

	protected authorize({ headers }: RecordedRequest): void {
		if (this.retired === '503') {
			throw new ServiceError(503, 'SERVICE_UNAVAILABLE', 'Service Unavailable');
		}
		this.world.tokens.check(headers.authorization);
		const company = headers.companyname;
		if (this.retired || company !== this.world.settings.company) {
			fail('DATABASE_VERSION_MISMATCH', `Company '${company ?? ''}' is not served by this host.`);
		}
	}

	private read<Output>(shape: RequestShapes<Output>, record: RecordedRequest): Output {
		return parseRequest(shape, jsonBody(record), this.world.settings.strict);
	}

	private commitAtomically<Result>(record: RecordedRequest, operation: () => Result): Result {
		return commit(record, this.world.store.atomic(operation));
	}

	private addBaseRoutes(): void {
		const { world } = this;
		for (const path of ['/api/v1/base/:entity', '/api/v1/base/:entity/:id']) {
			this.add(['GET'], path, (record, { entity, id = member(record.query, 'ID') }) => {
				const paths = String(member(record.query, 'properties') ?? '');
				return commit(record, readEntity(world, entity, id, paths.split(',')));
			});
			this.add(['DELETE'], path, (record, { entity, id = member(record.query, 'ID') }) => {
				const ignore = record.headers.ignoremissingentityondelete;
				const ignored = String(ignore).toLowerCase() === 'true';
				return this.commitAtomically(record, () => deleteEntity(world, entity, id, ignored));
			});
		}
		this.add(['POST'], '/api/v1/base/:entity', (record, { entity }) => {
			entityNamed(entity);
			const { Entity, RequestId } = this.read(createRequest, record);
			return this.commitAtomically(record, () => ({
				...createEntity(world, entity, Entity),
				...echoRequestId(RequestId),
			}));
		});
		this.add(['PUT'], '/api/v1/base/:entity', (record, { entity }) => {
			entityNamed(entity);
			const { Entity, Properties, RequestId } = this.read(updateRequest, record);
			return this.commitAtomically(record, () => ({
				...updateEntity(world, entity, Entity, Properties),
				...echoRequestId(RequestId),
			}));
		});
		this.add(['PUT', 'PATCH'], '/api/v1/base/:entity/:id', ({ method }) => {
			const Message = `The requested resource does not support http method '${method}'.`;
			return new Answer(405, { Message }, { allow: 'GET, DELETE' });
		});
	}

	private addQueryRoute(): void {
		const { world } = this;
		this.add(['POST'], '/api/v1/query/:entity', (record, { entity }) => {
			const level = record.headers.dataretrievalisolationlevel;
			if (level !== undefined && canonicalName(ISOLATION_LEVELS, level) === undefined) {
				fail('INCORRECT_MODEL', `DataRetrievalIsolationLevel '${level}' is unknown.`);
			}
			const type = readable(world, entity);
			const { QueryExpression, RequestId } = this.read(queryRequest, record);
			const paths = QueryExpression.PropertySet?.Properties ?? [];
			const selection = select(type, paths.length > 0 ? paths : ['*']);
			const rows = runQuery(world, type, QueryExpression);
			const criteria = new Criteria(world.store, type, QueryExpression.Criteria, world.settings);
			const Entities = rows.map((row) => {
				const matching = world.settings.onlyFitting ? criteria.matchingChildren(row) : undefined;
				return { Data: world.projector.project(type, row, selection, matching) };
			});
			return commit(record, { Entities, ...echoRequestId(RequestId) });
		});
	}

	private addCommandRoutes(): void {
		const run = (record: RecordedRequest, name: string): Json => {
			requireCommand(this.world, name);
			const { Command, RequestId } = this.read(commandRequest, record);
			return this.commitAtomically(record, () => ({
				CommandResult: runCommand(this.world, name, Command),
				...echoRequestId(RequestId),
			}));
		};
		this.add(['POST'], '/api/v1/cmd/:name', (record, { name }) => run(record, name));
		this.add(['POST'], '/api/v1/cmd/:entity/:name', (record, { entity, name }) =>
			run(record, `${entity}/${name}`),
		);
	}
}
