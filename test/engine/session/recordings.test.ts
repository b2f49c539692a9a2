/** Recordings of live Companies, and one of the sandbox that keeps the means tested. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { tryJson } from '../../../nodes/Corrigo/values/json';
import type { Answer, Send } from '../../../scripts/live/company';
import { askQuestions } from '../../../scripts/live/questions';
import { readRecording } from '../../../scripts/live/recording';
import type { Exchange, Json } from '../../../scripts/live/scrub';
import { isPropertyPath, isPublished } from '../../../scripts/live/vocabulary';
import { watchNetwork } from '../../acceptance/network';
import { compareShapes } from '../../live/shapes';
import { Client } from '../../sandbox/client';
import { connectEngine, jsonOf } from '../../support/company';

const root = join(__dirname, '..', '..', 'recordings');
const folders = readdirSync(root);

/** Login and discovery are the same whoever logs in. */
const toKey = (method: string, path: string, body: string) =>
	[method, path, /OAuth|Wsdk/.test(path) ? '' : body].join(' ');

/** Texts of scripts became stand-ins, so they cannot be compared. */
const toPattern = (key: string) =>
	key.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => {
		const text = JSON.parse(quoted) as string;
		return isPublished(text) || isPropertyPath(text) ? quoted : '""';
	});

/** A recording comes from outside, so no address in it leads anywhere but to this server. */
function moveAddresses(value: Json, origin: string): Json {
	if (typeof value === 'string') {
		return /^\s*[a-z][a-z0-9+.-]*:/i.test(value) ? origin + readPath(value) : value;
	}
	if (Array.isArray(value)) return value.map((one) => moveAddresses(one, origin));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [name, moveAddresses(one, origin)]),
	);
}

const readPath = (url: string) => (URL.canParse(url) ? new URL(url).pathname : '/');

/** Answers each recorded request as it was answered, and notes the others, and what nobody has asked. */
async function startReplay(exchanges: readonly Exchange[]) {
	const unknown: string[] = [];
	const answers = new Map(
		exchanges.map((exchange) => {
			const { pathname, search } = new URL(exchange.url);
			const body = exchange.body === null ? '' : JSON.stringify(exchange.body);
			return [toKey(exchange.method, pathname + search, body), exchange];
		}),
	);
	const unasked = new Set(answers.keys());
	/** Like requests were sent in this order. */
	const findKey = (key: string) =>
		answers.has(key) ? key : [...unasked].find((one) => toPattern(one) === toPattern(key));
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			const asked = toKey(request.method ?? '', request.url ?? '', body);
			const key = findKey(asked) ?? asked;
			const exchange = answers.get(key);
			unasked.delete(key);
			if (exchange?.status === undefined) {
				if (exchange === undefined) unknown.push(key);
				response.destroy();
				return;
			}
			const { answer, headers, status } = exchange;
			// A text may be JSON, too, in which an address may be escaped.
			const read = typeof answer === 'string' ? tryJson(answer) : { value: answer };
			const sent =
				'value' in read ? JSON.stringify(moveAddresses(read.value as Json, origin)) : answer;
			response.writeHead(status, headers).end(String(sent));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { origin, unknown, unasked, close };
}

/** Runs *Check Access* on such a server. */
async function checkAccess(locatorUrl: string) {
	const secrets = { companyName: 'any', clientId: 'any', clientSecret: 'any' };
	const credentials = { region: 'custom', locatorUrl, tokenUrl: locatorUrl, ...secrets };
	const engine = connectEngine({ credentials }, { corrigo: Corrigo });
	return await engine.run({ parameters: { resource: 'company', operation: 'checkAccess' } });
}

it.each(folders)(
	'the node sends the requests of the recording %s and understands the answers',
	async (folder) => {
		const exchanges = readRecording(join(root, folder));
		const replay = await startReplay(exchanges);
		try {
			const { items, error } = await checkAccess(replay.origin);
			expect(error).toBeUndefined();
			expect(replay.unknown).toEqual([]);
			expect(jsonOf(items).filter(({ status }) => status === 'failed')).toEqual([]);
			expect(items.length).toBeGreaterThan(30);

			const send: Send = async (method, path, body) => {
				const sent = { method, body: body && JSON.stringify(body) };
				const answer = await fetch(`${replay.origin}/api/v1/${path}`, sent).catch(() => undefined);
				return { status: answer?.status, body: ((await answer?.json()) ?? null) as Json };
			};
			await askQuestions(send);
			expect(replay.unknown).toEqual([]);
			expect([...replay.unasked]).toEqual([]);
		} finally {
			await replay.close();
		}
	},
);

it.each<[string, (url: string) => Json]>([
	['an address', (Url) => ({ CommandResult: { Url } })],
	['an address after a blank', (Url) => ({ CommandResult: { Url: ` ${Url}` } })],
	['a text with an escaped address', (url) => `{"CommandResult":{"Url":"\\u0068${url.slice(1)}"}}`],
])('a recording that names another host sends nothing to it: %s', async (_, toAnswer) => {
	const strange: string[] = [];
	const stranger = createServer((request, response) => {
		strange.push(`${request.method} ${request.url} ${request.headers.authorization}`);
		response.end('{}');
	});
	await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
	const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
	const exchanges = readRecording(join(root, 'sandbox')).map((exchange) =>
		exchange.url.includes('Wsdk') ? { ...exchange, answer: toAnswer(elsewhere) } : exchange,
	);
	const replay = await startReplay(exchanges);
	const network = watchNetwork();
	try {
		await checkAccess(replay.origin);
	} finally {
		network.stop();
		await replay.close();
		await new Promise((resolve) => stranger.close(resolve));
	}
	expect(strange).toEqual([]);
	expect([...network.hosts]).toEqual([new URL(replay.origin).host]);
});

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
			const compare = (path: string, recorded: Answer, own: Answer) => {
				if (own.status !== recorded.status)
					differences.push(`${path}: recorded ${recorded.status}, sandbox ${own.status}`);
				differences.push(...compareShapes(recorded.body, own.body).map((one) => `${path} ${one}`));
			};
			const send: Send = async (method, path, body) => {
				const { status, data } = await client.call(method, path, { body });
				return { status, body: data as unknown as Json };
			};
			const exchanges = readRecording(join(root, folder));
			for (const { method, url, body, status, answer } of exchanges) {
				const { pathname } = new URL(url);
				const recorded = { status, body: answer };
				if (!pathname.includes('/query/')) continue;
				const path = pathname.slice('/api/v1/'.length);
				compare(pathname, recorded, await send(method as 'POST', path, body as object));
			}

			expect([...new Set(differences)].sort()).toEqual(readKnown(folder));
		} finally {
			await client.close();
		}
	},
);
