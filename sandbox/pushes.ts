import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
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
		/** The format of the body. */
		form: z.enum(['wrapper', 'sample', 'notification', 'bare', 'together']).default('wrapper'),
		signed: signedShape.optional(),
		/** Repeats the last push instead of sending the events since then. */
		again: z.boolean().default(false),
		/** The number of times each push is sent. */
		times: z.number().int().positive().default(1),
		/** Sends the pushes in random order. */
		shuffled: z.boolean().default(false),
		/** Changes the body after signing, as an attacker would. */
		forged: z.boolean().default(false),
		/** The number of pushes sent concurrently. */
		atOnce: z.number().int().positive().default(1),
	})
	.strict();

type Push = z.output<typeof pushShape>;

interface PushEvent {
	entity: string;
	row: Row;
	action: string;
}

/** The receiver's answer to one push, and how long it took. */
export interface Delivery {
	status: number;
	text: string;
	milliseconds: number;
}

const PUSHED_ENTITIES = ['WoActionLog', 'WoNote', 'Document'];

/** Sends the events since the last push, as the service does for a Company that bought pushes. */
export class PushSender {
	private readonly lastSentIds = new Map<string, number>();
	private lastEvents: PushEvent[] = [];

	constructor(private readonly world: World) {
		this.skipExisting();
	}

	/** Existing records are not pushed. */
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
				.map((id) => createEvent(this.world, entity, store.existing(entity, id))),
		);
	}
}

/** An action is pushed as its work order, in the state at the time of the push. */
function createEvent({ store }: World, entity: string, row: Row): PushEvent {
	if (entity !== 'WoActionLog') return { entity, row, action: `${entity} added` };
	const order = store.existing('WorkOrder', Number(row.WorkOrderId));
	return { entity: 'WorkOrder', row: order, action: String(row.TypeId) };
}

function pushBodies(world: World, { form }: Push, events: PushEvent[]): object[] {
	const toRecord = ({ entity, row }: PushEvent) => toAnswer(world, entity, row);
	switch (form) {
		case 'bare':
			return events.map(toRecord);
		case 'notification':
			return events.map(({ entity, row, action: what }) => ({
				EventNotification: { EventType: what, EntityType: entity, EntityId: row.Id },
			}));
		case 'together':
			return [{ Entities: events.map((event) => ({ Data: toRecord(event) })) }];
		case 'sample':
			return events.flatMap((event) => buildSample(world, event));
		case 'wrapper':
			return events.map((event) => ({ Entities: [{ Data: toRecord(event) }] }));
	}
}

/** The part of a push that the vendor has published: how the one for a work order begins. */
function buildSample(world: World, { entity, row }: PushEvent): object[] {
	const id = { WorkOrder: row.Id, WoNote: row.WorkOrderId, Document: row.ActorId }[entity];
	const order = world.store.get('WorkOrder', Number(id));
	if (order === undefined) return [];
	const { Number: number, TypeCategory } = toAnswer(world, 'WorkOrder', order);
	return [{ Entities: [{ Data: { Number: number, TypeCategory, WorkOrderCost: {} } }] }];
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
	const headers = {
		'content-type': 'application/json',
		...(signed && signature(signed, body)),
	};
	const start = performance.now();
	const answer = await post(url, headers, forged ? `${body.slice(0, -1)},"Forged":true}` : body);
	return { ...answer, milliseconds: performance.now() - start };
}

/** Tests send thousands of pushes, for which `fetch` would take a tenth of their time. */
export async function post(url: string, headers: OutgoingHttpHeaders, body: string) {
	const { request } = url.startsWith('https:') ? https : http;
	// A connection that is kept may be one that the receiver is just closing.
	const sent = request(url, { method: 'POST', headers, agent: false });
	sent.end(body);
	const [answer] = (await once(sent, 'response')) as [IncomingMessage];
	return { status: Number(answer.statusCode), text: await text(answer) };
}

const signature = (
	{ key, header, algorithm, encoding, prefix }: z.output<typeof signedShape>,
	body: string,
) => ({ [header]: prefix + createHmac(algorithm, key).update(body).digest(encoding) });
