import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { faultShape, type Fault } from '../runtime/faults';
import type { RecordedRequest } from '../runtime/journal';
import { settingsShape, type Settings, type World } from '../runtime/world';
import { actAsColleague, workOrderShape } from '../desktop';
import { pushShape, type Delivery } from '../pushes';
import type { Retirement } from './api';
import { plainServer } from './server';

const moveShape = z
	.object({ old: z.enum(['503', 'DATABASE_VERSION_MISMATCH']) })
	.partial()
	.strict();

const bodyOf = (request: FastifyRequest): unknown =>
	typeof request.body === 'string' && request.body !== '' ? JSON.parse(request.body) : {};

/** The part of a sandbox that the control server exposes. */
export interface Controllable {
	readonly world: World;
	readonly requests: RecordedRequest[];
	state(): object;
	forgetRequests(): void;
	fault(fault: Fault): void;
	clearFaults(): void;
	set(changes: Partial<Settings>): void;
	moveHost(old?: Retirement): Promise<string>;
	revokeTokens(): void;
	reset(): void;
	push(push: z.output<typeof pushShape>): Promise<Delivery[]>;
}

/** Controls a sandbox over HTTP, for programs in another process. */
export function createControl(sandbox: Controllable): FastifyInstance {
	const app = plainServer();
	app.setErrorHandler((error, _request, reply) =>
		reply.code(400).send({ error: (error as Error).message }),
	);
	app.get('/state', async () => sandbox.state());
	app.get('/requests', async () => sandbox.requests);
	app.get<{ Params: { entity: string } }>('/rows/:entity', async ({ params }) =>
		sandbox.world.store.rows(params.entity),
	);
	/** Answers with the state that follows. */
	const addAction = (method: 'DELETE' | 'POST', url: string, act: (body: unknown) => unknown) =>
		app.route({
			method,
			url,
			handler: async (request) => {
				await act(bodyOf(request));
				return sandbox.state();
			},
		});
	addAction('DELETE', '/requests', () => sandbox.forgetRequests());
	addAction('POST', '/fault', (body) => sandbox.fault(faultShape.parse(body)));
	addAction('DELETE', '/fault', () => sandbox.clearFaults());
	addAction('POST', '/set', (body) => sandbox.set(settingsShape.parse(body)));
	addAction('POST', '/move-host', (body) => sandbox.moveHost(moveShape.parse(body).old));
	addAction('POST', '/revoke-tokens', () => sandbox.revokeTokens());
	addAction('POST', '/reset', () => sandbox.reset());
	app.post('/work-orders', async (request) =>
		actAsColleague(sandbox.world, workOrderShape.parse(bodyOf(request))),
	);
	app.post('/push', async (request) => await sandbox.push(pushShape.parse(bodyOf(request))));
	return app;
}
