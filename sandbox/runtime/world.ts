import { randomBytes } from 'node:crypto';
import { z } from 'zod';

import { Projector } from '../query/projection';
import { seed } from '../seed';
import type { Store } from '../store/store';
import { downloadUrl } from '../servers/links';
import { Clock } from './clock';
import { Faults } from './faults';
import { Journal } from './journal';
import { Tokens } from './tokens';

export const settingsShape = z
	.object({
		company: z.string().min(1),
		tokenLifeSeconds: z.number(),
		/** Whether the token server says how long a token lives. */
		expiresIn: z.boolean(),
		latencyMs: z.number().min(0),
		/** Under which of its two spellings this host knows the command. */
		sendWorkOrderPath: z.enum(['SendWorkOrderCommand', 'SendWorkOrder']),
		/** Kinds of work order actions that are written to the log; all when left out. */
		recordedActions: z.array(z.string()).nullable(),
		/** Answers with empty texts, empty collections and the two record flags, as some versions do. */
		showEmpty: z.boolean(),
		/** Refuses keys around an entity or a query that the service ignores: what we never mean to send. */
		strict: z.boolean(),
		/** No query gives more rows than this, whatever it asks for. */
		mostRows: z.number().int().positive(),
		/** What a query with `Count: 0`, or none, gets: as many as any other, all there are, or none. */
		countZero: z.enum(['mostRows', 'all', 'none']),
		/** Of a collection that conditions go through, answers with the rows that fit, and no others. */
		onlyFitting: z.boolean(),
		/** Entities that the role of the service user may not read, by GET or query. */
		unreadable: z.array(z.string()),
		/** Refuses an update that names another version of the record, as hosts do that impose it. */
		imposeConcurrencyId: z.boolean(),
		/** Moves the clock of the service ahead. */
		clockOffsetSeconds: z.number(),
	})
	.partial()
	.strict();

export type Settings = Required<z.output<typeof settingsShape>>;

export interface SandboxOptions extends Partial<Settings> {
	workOrders?: number;
	customers?: number;
	now?: () => number;
	seed?: number;
	/** Fixed ports counted from here; free ones when left out. */
	portBase?: number;
}

const DEFAULTS: Settings = {
	company: 'Sandbox Facilities',
	tokenLifeSeconds: 1200,
	expiresIn: true,
	latencyMs: 0,
	sendWorkOrderPath: 'SendWorkOrderCommand',
	recordedActions: null,
	showEmpty: false,
	strict: false,
	mostRows: 4000,
	countZero: 'mostRows',
	onlyFitting: false,
	unreadable: [],
	imposeConcurrencyId: false,
	clockOffsetSeconds: 0,
};

/** What all servers of one sandbox share. */
export class World {
	readonly settings: Settings;
	readonly clock: Clock;
	readonly tokens: Tokens;
	readonly faults = new Faults();
	readonly journal = new Journal();
	readonly projector: Projector;
	readonly clientId = 'sandbox-client';
	readonly clientSecret = 'sandbox-secret';
	/** Signs the links to stored files. */
	readonly linkKey = randomBytes(16);
	/** Addresses of the servers, known once they listen. */
	readonly urls = { token: '', locator: '', api: '', storage: '', control: '' };
	store!: Store;

	constructor(private readonly options: SandboxOptions) {
		this.settings = { ...DEFAULTS, ...settingsShape.strip().parse(options) };
		this.clock = new Clock(options.now ?? Date.now);
		this.clock.offset = this.settings.clockOffsetSeconds * 1000;
		this.tokens = new Tokens(this.clock);
		this.reset();
		this.projector = new Projector(this);
	}

	/** Data as on the first day; tokens, faults and records stay. */
	reset(): void {
		this.store = seed(this.options);
		this.linkFiles();
	}

	/** Stored files have an address as soon as the server for them has one. */
	linkFiles(): void {
		if (this.urls.storage === '') return;
		for (const { Id } of this.store.rows('Document')) {
			this.store.existing('Document', Id).DocUrl = downloadUrl(this, Id);
		}
	}

	set(changes: Partial<Settings>): void {
		Object.assign(this.settings, settingsShape.parse(changes));
		this.clock.offset = this.settings.clockOffsetSeconds * 1000;
	}
}
