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
		/** Whether the token server returns `expires_in`. */
		expiresIn: z.boolean(),
		latencyMs: z.number().min(0),
		/** The spelling by which this host knows the command. */
		sendWorkOrderPath: z.enum(['SendWorkOrderCommand', 'SendWorkOrder']),
		/** The kinds of work order actions that are logged; `null` logs all. */
		recordedActions: z.array(z.string()).nullable(),
		/** Returns empty texts, empty collections and the two record flags, as some versions of the service do. */
		showEmpty: z.boolean(),
		/** Rejects keys around an entity or a query that the service ignores, so that tests notice stray ones. */
		strict: z.boolean(),
		/** The maximum number of rows per query. */
		mostRows: z.number().int().positive(),
		/** The rows for a query with `Count: 0` or without `Count`: up to the maximum, all, or none. */
		countZero: z.enum(['mostRows', 'all', 'none']),
		/** Returns only the matching rows of a collection that conditions refer to. */
		onlyFitting: z.boolean(),
		/** Looks for one row of a collection that meets all conditions on it, not for one row for each. */
		joinsRows: z.boolean(),
		/** Entities that the role of the service user may not read. */
		unreadable: z.array(z.string()),
		/** Rejects an update that names another version of the record, as some hosts do. */
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
	/** The time at which the seeded data lives; a fixed one by default. */
	until?: number;
	/** The first of five fixed ports; free ports by default. */
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
	joinsRows: true,
	unreadable: [],
	imposeConcurrencyId: false,
	clockOffsetSeconds: 0,
};

/** State that all servers of a sandbox share. */
export class World {
	readonly settings: Settings;
	readonly clock: Clock;
	readonly tokens: Tokens;
	readonly faults = new Faults();
	readonly journal = new Journal();
	readonly projector: Projector;
	readonly clientId = 'sandbox-client';
	readonly clientSecret = 'sandbox-secret';
	/** The key that signs links to stored files. */
	readonly linkKey = randomBytes(16);
	/** Addresses of the servers; empty until they listen. */
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

	/** Restores the initial data; tokens, faults and recorded requests stay. */
	reset(): void {
		this.store = seed(this.options);
		this.linkFiles();
	}

	/** Links to stored files contain the address of the storage server, which is unknown until it listens. */
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
