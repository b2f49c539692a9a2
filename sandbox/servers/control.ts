import type { HTTPMethod } from 'find-my-way';
import { z } from 'zod';

import { faultShape, type Fault } from '../runtime/faults';
import type { RecordedRequest } from '../runtime/journal';
import { settingsShape, type Settings, type World } from '../runtime/world';
import { actAsColleague, workOrderShape } from '../desktop';
import { pushShape, type Delivery } from '../pushes';
import type { Retirement } from './api';
import { Answer, HttpServer, type ReceivedRequest } from './http';

const moveShape = z
	.object({ old: z.enum(['503', 'DATABASE_VERSION_MISMATCH']) })
	.partial()
	.strict();

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
export class ControlServer extends HttpServer {
	constructor(private readonly sandbox: Controllable) {
		super();
		this.add(['GET'], '/state', () => sandbox.state());
		this.add(['GET'], '/requests', () => sandbox.requests);
		this.add(['GET'], '/rows/:entity', (_, { entity }) => sandbox.world.store.rows(entity));
		this.addAction('DELETE', '/requests', () => sandbox.forgetRequests());
		this.addAction('POST', '/fault', (body) => sandbox.fault(faultShape.parse(body)));
		this.addAction('DELETE', '/fault', () => sandbox.clearFaults());
		this.addAction('POST', '/set', (body) => sandbox.set(settingsShape.parse(body)));
		this.addAction('POST', '/move-host', (body) => sandbox.moveHost(moveShape.parse(body).old));
		this.addAction('POST', '/revoke-tokens', () => sandbox.revokeTokens());
		this.addAction('POST', '/reset', () => sandbox.reset());
		this.add(['POST'], '/work-orders', ({ body }) =>
			actAsColleague(sandbox.world, workOrderShape.parse(body ?? {})),
		);
		this.add(
			['POST'],
			'/push',
			async ({ body }) => await sandbox.push(pushShape.parse(body ?? {})),
		);
	}

	/** Answers with the state that follows. */
	private addAction(method: HTTPMethod, path: string, act: (body: unknown) => unknown): void {
		this.add([method], path, async ({ body = {} }) => {
			await act(body);
			return this.sandbox.state();
		});
	}

	protected async answer(
		received: ReceivedRequest,
		run: ((request: ReceivedRequest) => unknown) | undefined,
	): Promise<Answer> {
		if (!run) return new Answer(404, { error: `There is no ${received.method} ${received.path}` });
		try {
			return new Answer(200, await run(received));
		} catch (error) {
			return new Answer(400, { error: (error as Error).message });
		}
	}
}
