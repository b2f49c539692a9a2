/** An answer has a limit, also while it is unpacked: whoever takes over Corrigo must not stop n8n. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { MAX_ANSWER_BYTES } from '../../../nodes/Corrigo/transport/send';
import { byId, shareCompany } from '../../support/company';

const { n8n } = shareCompany();

const MEGABYTE = 1024 * 1024;
const BEYOND = MAX_ANSWER_BYTES + MEGABYTE;
const [BEGIN, END] = ['{"Entities":[{"Data":{"Id":1,"Number":"', '"}}]}'];

let server: Server;
let asked = 0;

/** Answers in place of the Company, whose session goes on. */
async function answer(listener: RequestListener) {
	asked = 0;
	server = createServer((request, response) => {
		asked++;
		listener(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	n8n.store({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

beforeEach(async () => {
	await n8n.succeed('company:discover', {});
});

afterEach(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

const READ = ['workOrder:getMany', { output: 'raw' }] as const;
const WRITE = ['workOrder:pickUp', { id: byId(1) }] as const;

const expectTooLarge = async ([operation, parameters]: typeof READ | typeof WRITE) => {
	const { error } = await n8n.run(operation, parameters);
	expect(error?.message).toBe('The answer of Corrigo is too large to be read');
	expect(asked).toBe(1);
	return String(error?.description);
};

it('that is compressed is refused as soon as it is too large, with advice', async () => {
	const packed = gzipSync(BEGIN + 'a'.repeat(BEYOND) + END, { level: 1 });
	await answer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
		response.end(packed);
	});
	expect(await expectTooLarge(READ)).toMatch(
		/^Ask for fewer fields, or search for less\. Or set a smaller 'Page Size'/,
	);
});

it('of few bytes and millions of values is refused before it fills the memory', async () => {
	const packed = gzipSync(`{"Entities":[${'{},'.repeat(5_000_000)}{}]}`, { level: 1 });
	await answer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
		response.end(packed);
	});
	await expectTooLarge(READ);
});

it('that does not end is cut off, and a write with such an answer may have run', async () => {
	let written = 0;
	await answer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const chunk = Buffer.alloc(MEGABYTE, 'a');
		const write = () => {
			while (!response.destroyed && written < 4 * MAX_ANSWER_BYTES) {
				written += chunk.length;
				if (!response.write(chunk)) return;
			}
		};
		response.on('drain', write);
		write();
	});
	expect(await expectTooLarge(WRITE)).toMatch(/may have been carried out anyway/);
	expect(written).toBeLessThan(2 * MAX_ANSWER_BYTES);
});

it('that breaks off amid its content, or is packed and cut, is read again', async () => {
	const packed = gzipSync(`${BEGIN}WO1${END}`);
	const answers = [
		() => ({ 'content-encoding': 'gzip', body: packed.subarray(0, packed.length / 2) }),
		() => ({ 'content-length': '900', body: BEGIN }),
		() => ({ body: `\uFEFF${BEGIN}WO1${END}` }),
	];
	await answer((_, response) => {
		const { body, ...headers } = answers[asked - 1]();
		response.writeHead(200, { 'content-type': 'application/json', ...headers });
		response.write(body, () => (asked === 2 ? response.destroy() : response.end()));
	});
	const { items } = await n8n.succeed('workOrder:getMany', { output: 'raw', limit: 1 });
	expect(items.map(({ json }) => json)).toEqual([{ Id: 1, Number: 'WO1' }]);
	expect(asked).toBe(3);
});
