import { ControlServer } from './servers/control';
import { ApiServer, type Retirement } from './servers/api';
import type { HttpServer } from './servers/http';
import { Locator } from './servers/locator';
import { Storage } from './servers/storage';
import { TokenServer } from './servers/token';
import type { Fault } from './runtime/faults';
import type { RecordedRequest, ServerName } from './runtime/journal';
import { PushSender, type Delivery } from './pushes';
import { World, type SandboxOptions, type Settings } from './runtime/world';
import type { Store } from './store/store';

/** A local Corrigo that a test or a demo starts, controls and closes. */
export class Sandbox {
	readonly world: World;
	readonly pushes: PushSender;
	private readonly servers: Array<Pick<HttpServer, 'close'>> = [];
	private api!: ApiServer;

	private constructor(private readonly options: SandboxOptions) {
		this.world = new World(options);
		this.pushes = new PushSender(this.world);
	}

	static async start(options: SandboxOptions = {}): Promise<Sandbox> {
		const sandbox = new Sandbox(options);
		try {
			await sandbox.open();
		} catch (error) {
			await sandbox.close();
			throw error;
		}
		return sandbox;
	}

	private async open(): Promise<void> {
		const { world, options } = this;
		const port = (index: number): number =>
			options.portBase === undefined ? 0 : options.portBase + index;
		const serve = async (
			server: Pick<HttpServer, 'listen' | 'close'>,
			index: number,
		): Promise<string> => {
			this.servers.push(server);
			return await server.listen(port(index));
		};
		this.api = new ApiServer(world);
		const [token, locator, api, storage, control] = await Promise.all([
			serve(new TokenServer(world), 0),
			serve(new Locator(world), 1),
			serve(this.api, 2),
			serve(new Storage(world), 3),
			serve(new ControlServer(this), 4),
		]);
		Object.assign(world.urls, { token, locator, api, storage, control });
		world.linkFiles();
	}

	/** Closes all sockets at once, pending requests included. */
	async close(): Promise<void> {
		this.world.journal.close();
		await Promise.all(this.servers.splice(0).map((server) => server.close()));
	}

	get credentials() {
		const { urls, settings, clientId, clientSecret } = this.world;
		return {
			region: 'custom' as const,
			locatorUrl: urls.locator,
			tokenUrl: urls.token,
			companyName: settings.company,
			clientId,
			clientSecret,
		};
	}

	get apiUrl(): string {
		return this.world.urls.api;
	}

	get locatorUrl(): string {
		return this.world.urls.locator;
	}

	get tokenUrl(): string {
		return this.world.urls.token;
	}

	get storageUrl(): string {
		return this.world.urls.storage;
	}

	get controlUrl(): string {
		return this.world.urls.control;
	}

	get store(): Store {
		return this.world.store;
	}

	get requests(): RecordedRequest[] {
		return this.world.journal.requests;
	}

	requestsTo(server: ServerName): RecordedRequest[] {
		return this.requests.filter((request) => request.server === server);
	}

	/** The number of requests by method and path, for example `POST /OAuth/token`. */
	get counters(): Record<string, number> {
		return this.world.journal.counters();
	}

	forgetRequests(): void {
		this.world.journal.forget();
	}

	/** Resolves with the first matching request, past or future. */
	async waitFor(matches: (request: RecordedRequest) => boolean): Promise<RecordedRequest> {
		return await this.world.journal.waitFor(matches);
	}

	fault(fault: Fault): void {
		this.world.faults.add(fault);
	}

	clearFaults(): void {
		this.world.faults.clear();
	}

	revokeTokens(): void {
		this.world.tokens.revokeAll();
	}

	set(changes: Partial<Settings>): void {
		this.world.set(changes);
	}

	/** Pushes the events since the last push to an address. */
	async push(push: Parameters<PushSender['send']>[0]): Promise<Delivery[]> {
		return await this.pushes.send(push);
	}

	/** Restores the initial data, and clears faults, recorded requests and tokens. */
	reset(): void {
		this.world.reset();
		this.pushes.skipExisting();
		this.clearFaults();
		this.revokeTokens();
		this.forgetRequests();
	}

	/** Moves the Company to another host; the old one stays up and answers that it no longer serves the Company. */
	async moveHost(old: Retirement = '503'): Promise<string> {
		const before = this.api;
		this.api = new ApiServer(this.world);
		this.servers.push(this.api);
		this.world.urls.api = await this.api.listen(0);
		before.retire(old);
		return this.world.urls.api;
	}

	state() {
		const { urls, settings, tokens, faults } = this.world;
		return {
			credentials: this.credentials,
			urls,
			settings,
			liveTokens: tokens.live,
			faultsWaiting: faults.pending,
			requests: this.requests.length,
			counters: this.counters,
			workOrders: this.store.count('WorkOrder'),
		};
	}
}
