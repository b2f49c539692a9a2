/** Recordings of live Companies, and one of the sandbox that keeps the means tested. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import { Corrigo } from '../../nodes/Corrigo/Corrigo.node';
import { readRecording } from '../../scripts/live/recording';
import type { Exchange, Json } from '../../scripts/live/scrub';
import { compareShapes } from '../live/shapes';
import { Client } from '../sandbox/client';
import { createEngine } from './engine';

const root = join(__dirname, '..', 'recordings');
const folders = readdirSync(root);

/** Login and discovery are the same whoever logs in. */
const toKey = (method: string, path: string, body: string) =>
	[method, path, path.includes('/query/') ? body : ''].join(' ');

const HOST = /https?:\/\/[a-zéł]+\.example/g;

/** Answers each recorded request as it was answered, and notes the others. */
async function startReplay(exchanges: readonly Exchange[]) {
	const unknown: string[] = [];
	const answers = new Map(
		exchanges.map((exchange) => {
			const { pathname, search } = new URL(exchange.url);
			return [toKey(exchange.method, pathname + search, JSON.stringify(exchange.body)), exchange];
		}),
	);
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			const key = toKey(request.method ?? '', request.url ?? '', body);
			const exchange = answers.get(key);
			if (exchange?.status === undefined) {
				if (exchange === undefined) unknown.push(key);
				response.destroy();
				return;
			}
			const { answer, headers, status } = exchange;
			const sent = typeof answer === 'string' ? answer : JSON.stringify(answer);
			response.writeHead(status, headers).end(sent.replace(HOST, origin));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { origin, unknown, close };
}

it.each(folders)(
	'the node sends the reads of the recording %s and understands the answers',
	async (folder) => {
		const replay = await startReplay(readRecording(join(root, folder)));
		const { origin: locatorUrl } = replay;
		const secrets = { companyName: 'any', clientId: 'any', clientSecret: 'any' };
		const data = { region: 'custom', locatorUrl, tokenUrl: locatorUrl, ...secrets };
		const engine = createEngine({
			nodes: { corrigo: Corrigo },
			credentialTypes: [CorrigoApi],
			credentials: { corrigoApi: { id: '1', data } },
		});
		try {
			const parameters = { resource: 'company', operation: 'checkAccess' };
			const { items, error } = await engine.run({ parameters });
			expect(error).toBeUndefined();
			expect(replay.unknown).toEqual([]);
			expect(items.map(({ json }) => json).filter(({ status }) => status === 'failed')).toEqual([]);
			expect(items.length).toBeGreaterThan(30);
		} finally {
			await replay.close();
		}
	},
);

/** Differences that are known, one a line; jest shows all others. */
function readKnown(folder: string): string[] {
	const file = join(root, folder, 'differences.txt');
	return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

it.each(folders)(
	'the sandbox answers as the recording %s does, or the difference is known',
	async (folder) => {
		const client = await Client.start({ workOrders: 30, strict: false });
		try {
			const differences: string[] = [];
			for (const { method, url, body, status, answer } of readRecording(join(root, folder))) {
				const { pathname } = new URL(url);
				if (!pathname.includes('/query/')) continue;
				const own = await client.call(method, pathname.slice('/api/v1/'.length), { body });
				if (own.status !== status)
					differences.push(`${pathname}: recorded ${status}, sandbox ${own.status}`);
				differences.push(
					...compareShapes(answer, own.data as unknown as Json).map((one) => `${pathname} ${one}`),
				);
			}
			expect([...new Set(differences)].sort()).toEqual(readKnown(folder));
		} finally {
			await client.close();
		}
	},
);
