import { createHmac } from 'node:crypto';
import { z } from 'zod';

import { toAnswer } from './base/operations';
import type { World } from './runtime/world';
import { Random } from './seed/random';
import type { Row } from './store/store';

const signedShape = z
	.object({
		key: z.string().min(1).max(64),
		header: z.string().min(1),
		algorithm: z.enum(['sha1', 'sha256', 'sha512']),
		encoding: z.enum(['hex', 'base64']),
		prefix: z.string().default(''),
	})
	.strict();

export const pushShape = z
	.object({
		/** The address that an administrator would enter. */
		url: z.string().url(),
		/** What the body looks like. */
		form: z.enum(['wrapper', 'notification', 'bare', 'together']).default('wrapper'),
		signed: signedShape.optional(),
		/** What was pushed the last time, in place of what has happened since. */
		again: z.boolean().default(false),
		/** How often each push comes. */
		times: z.number().int().positive().default(1),
		/** In any order. */
		shuffled: z.boolean().default(false),
		/** Changed by somebody after it was signed. */
		forged: z.boolean().default(false),
		/** How many are on their way at once. */
		atOnce: z.number().int().positive().default(1),
	})
	.strict();

type Push = z.output<typeof pushShape>;

interface PushEvent {
	entity: string;
	row: Row;
	action: string;
}

/** What the receiver answered, and how long that took. */
export interface Delivery {
	status: number;
	text: string;
	milliseconds: number;
}

const PUSHED_ENTITIES = ['WoActionLog', 'WoNote', 'Document'];

/** What a Company that bought pushes sends: everything that happened since the last time. */
export class PushSender {
	private readonly lastSentIds = new Map<string, number>();
	private lastEvents: PushEvent[] = [];

	constructor(private readonly world: World) {
		this.skipExisting();
	}

	/** What is there already is not pushed. */
	skipExisting(): void {
		for (const entity of PUSHED_ENTITIES)
			this.lastSentIds.set(entity, this.world.store.ids(entity).at(-1) ?? 0);
	}

	async send(given: z.input<typeof pushShape>): Promise<Delivery[]> {
		const push = pushShape.parse(given);
		if (!push.again) {
			this.lastEvents = this.events();
			this.skipExisting();
		}
		const all = pushBodies(this.world, push, this.lastEvents).flatMap((body) =>
			Array.from({ length: push.times }, () => body),
		);
		return await sendAll(push, push.shuffled ? shuffle(all) : all);
	}

	private events(): PushEvent[] {
		const { store } = this.world;
		return PUSHED_ENTITIES.flatMap((entity) =>
			store
				.ids(entity)
				.filter((id) => id > (this.lastSentIds.get(entity) ?? 0))
				.map((id) => eventOf(this.world, entity, store.existing(entity, id))),
		);
	}
}

/** Of an action the order is pushed, as it is by then. */
function eventOf({ store }: World, entity: string, row: Row): PushEvent {
	if (entity !== 'WoActionLog') return { entity, row, action: `${entity} added` };
	const order = store.existing('WorkOrder', Number(row.WorkOrderId));
	return { entity: 'WorkOrder', row: order, action: String(row.TypeId) };
}

function pushBodies(world: World, { form }: Push, events: PushEvent[]): object[] {
	const recordOf = ({ entity, row }: PushEvent) => toAnswer(world, entity, row);
	switch (form) {
		case 'bare':
			return events.map(recordOf);
		case 'notification':
			return events.map(({ entity, row, action: what }) => ({
				EventNotification: { EventType: what, EntityType: entity, EntityId: row.Id },
			}));
		case 'together':
			return [{ Entities: events.map((event) => ({ Data: recordOf(event) })) }];
		case 'wrapper':
			return events.map((event) => ({ Entities: [{ Data: recordOf(event) }] }));
	}
}

function shuffle<T>(all: readonly T[]): T[] {
	const random = new Random(all.length);
	return all
		.map((one) => ({ one, place: random.next() }))
		.sort((a, b) => a.place - b.place)
		.map(({ one }) => one);
}

async function sendAll(push: Push, bodies: object[]): Promise<Delivery[]> {
	const answers: Delivery[] = [];
	let next = 0;
	const sender = async () => {
		for (let index = next++; index < bodies.length; index = next++) {
			answers[index] = await sendOne(push, JSON.stringify(bodies[index]));
		}
	};
	await Promise.all(Array.from({ length: push.atOnce }, sender));
	return answers;
}

async function sendOne({ url, signed, forged }: Push, body: string): Promise<Delivery> {
	const headers = { 'content-type': 'application/json', ...(signed && signature(signed, body)) };
	const start = performance.now();
	const response = await fetch(url, {
		method: 'POST',
		headers,
		body: forged ? `${body.slice(0, -1)},"Forged":true}` : body,
	});
	const text = await response.text();
	return { status: response.status, text, milliseconds: performance.now() - start };
}

const signature = (
	{ key, header, algorithm, encoding, prefix }: z.output<typeof signedShape>,
	body: string,
) => ({ [header]: prefix + createHmac(algorithm, key).update(body).digest(encoding) });
