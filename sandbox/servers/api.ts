import type { FastifyInstance, FastifyRequest } from 'fastify';

import { createEntity, deleteEntity, readable, readEntity, updateEntity } from '../base/operations';
import { requireCommand, runCommand } from '../commands';
import { fail, ServiceError } from '../errors';
import { Criteria } from '../query/criteria';
import { select } from '../query/projection';
import { runQuery } from '../query/run';
import { queryRequest } from '../query/shape';
import type { World } from '../runtime/world';
import { entityNamed } from '../schema';
import { member, canonicalName, parseRequest, type Json, type RequestShapes } from '../shapes';
import { commandRequest, createRequest, echoRequestId, jsonBody, updateRequest } from './request';
import { commit, createServer } from './server';

/** The answer of a host that no longer serves the Company. */
export type Retirement = '503' | 'DATABASE_VERSION_MISMATCH';

const ISOLATION_LEVELS = ['Default', 'ReadUncommitted', 'ReadCommitted', 'Snapshot'];

interface ByName {
	Params: { entity: string };
}
interface ById {
	Params: { entity: string; id?: string };
}

export class ApiServer {
	readonly app: FastifyInstance;
	private retired: Retirement | undefined;

	constructor(private readonly world: World) {
		this.app = createServer(world, 'api');
		this.app.addHook('preHandler', async (request) => this.authorize(request));
		this.addBaseRoutes();
		this.addQueryRoute();
		this.addCommandRoutes();
	}

	retire(how: Retirement): void {
		this.retired = how;
	}

	private authorize({ exchange: { record } }: FastifyRequest): void {
		if (this.retired === '503') {
			throw new ServiceError(503, 'SERVICE_UNAVAILABLE', 'Service Unavailable');
		}
		this.world.tokens.check(record.headers.authorization);
		const company = record.headers.companyname;
		if (this.retired || company !== this.world.settings.company) {
			fail('DATABASE_VERSION_MISMATCH', `Company '${company ?? ''}' is not served by this host.`);
		}
	}

	private read<Output>(shape: RequestShapes<Output>, { exchange }: FastifyRequest): Output {
		return parseRequest(shape, jsonBody(exchange.record), this.world.settings.strict);
	}

	private commitAtomically<Answer>(request: FastifyRequest, operation: () => Answer): Answer {
		return commit(request, this.world.store.atomic(operation));
	}

	private addBaseRoutes(): void {
		const { app, world } = this;
		const idOf = ({ params, exchange }: FastifyRequest): unknown =>
			(params as ById['Params']).id ?? member(exchange.record.query, 'ID');

		for (const url of ['/api/v1/base/:entity', '/api/v1/base/:entity/:id']) {
			app.get<ById>(url, async (request) => {
				const paths = String(member(request.exchange.record.query, 'properties') ?? '');
				const { entity } = request.params;
				return commit(request, readEntity(world, entity, idOf(request), paths.split(',')));
			});
			app.delete<ById>(url, async (request) => {
				const ignore = request.headers.ignoremissingentityondelete;
				const ignored = String(ignore).toLowerCase() === 'true';
				return this.commitAtomically(request, () =>
					deleteEntity(world, request.params.entity, idOf(request), ignored),
				);
			});
		}
		app.post<ByName>('/api/v1/base/:entity', async (request) => {
			entityNamed(request.params.entity);
			const { Entity, RequestId } = this.read(createRequest, request);
			return this.commitAtomically(request, () => ({
				...createEntity(world, request.params.entity, Entity),
				...echoRequestId(RequestId),
			}));
		});
		app.put<ByName>('/api/v1/base/:entity', async (request) => {
			entityNamed(request.params.entity);
			const { Entity, Properties, RequestId } = this.read(updateRequest, request);
			return this.commitAtomically(request, () => ({
				...updateEntity(world, request.params.entity, Entity, Properties),
				...echoRequestId(RequestId),
			}));
		});
		app.route({
			method: ['PUT', 'PATCH'],
			url: '/api/v1/base/:entity/:id',
			handler: async ({ method }, reply) =>
				await reply
					.code(405)
					.header('allow', 'GET, DELETE')
					.send({ Message: `The requested resource does not support http method '${method}'.` }),
		});
	}

	private addQueryRoute(): void {
		const { app, world } = this;
		app.post<ByName>('/api/v1/query/:entity', async (request) => {
			const { record } = request.exchange;
			const level = record.headers.dataretrievalisolationlevel;
			if (level !== undefined && canonicalName(ISOLATION_LEVELS, level) === undefined) {
				fail('INCORRECT_MODEL', `DataRetrievalIsolationLevel '${level}' is unknown.`);
			}
			const type = readable(world, request.params.entity);
			const { QueryExpression, RequestId } = this.read(queryRequest, request);
			const paths = QueryExpression.PropertySet?.Properties ?? [];
			const selection = select(type, paths.length > 0 ? paths : ['*']);
			const rows = runQuery(world, type, QueryExpression);
			const criteria = new Criteria(world.store, type, QueryExpression.Criteria, world.settings);
			const Entities = rows.map((row) => {
				const matching = world.settings.onlyFitting ? criteria.matchingChildren(row) : undefined;
				return { Data: world.projector.project(type, row, selection, matching) };
			});
			return commit(request, { Entities, ...echoRequestId(RequestId) });
		});
	}

	private addCommandRoutes(): void {
		const run = (request: FastifyRequest, name: string): Json => {
			requireCommand(this.world, name);
			const { Command, RequestId } = this.read(commandRequest, request);
			return this.commitAtomically(request, () => ({
				CommandResult: runCommand(this.world, name, Command),
				...echoRequestId(RequestId),
			}));
		};
		this.app.post<{ Params: { name: string } }>('/api/v1/cmd/:name', async (request) =>
			run(request, request.params.name),
		);
		this.app.post<{ Params: { entity: string; name: string } }>(
			'/api/v1/cmd/:entity/:name',
			async (request) => run(request, `${request.params.entity}/${request.params.name}`),
		);
	}
}
