import dns, { type LookupOptions } from 'node:dns';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import type { Fault, Row } from '../../../sandbox';
import { cases } from '../../cases';
import {
	byId,
	eachId,
	errorsOf,
	idsOf,
	itemsOf,
	jsonOf,
	quoteRefusal,
	shareCompany,
	withShortPauses,
} from '../../support/company';
import { BinaryDataService, HOST_VERSION } from '../../support/host';
import { startTlsServer } from '../../support/tls';
import { startCpuTime } from '../../support/cpu';

const company = shareCompany();
const { n8n, records, requests } = company;

const firstId = (entity: string) => records.ids(entity)[0];
const documents = () => records.rows('Document');
const readBlob = (id: unknown) => {
	const { Blob } = records.get('Document', Number(id));
	return records.get('Blob', (Blob as Row).Id);
};
const fetches = () => company.sandbox.requestsTo('storage');

const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

const withFile = (data: Buffer, more: Partial<IBinaryData> = {}, field = 'data', json = {}) => {
	const plan = { mimeType: 'application/pdf', fileName: 'plan.pdf' };
	const binary = { [field]: { data: data.toString('base64'), ...plan, ...more } };
	return { items: [{ json, binary }] as INodeExecutionData[] };
};

const upload = async (form: object = {}, input: { items?: INodeExecutionData[] } = {}) =>
	await n8n.run(
		'document:upload',
		{ actorTypeId: 'WO', actorId: byId(firstId('WorkOrder')), documentType: byId(3), ...form },
		{ ...withFile(EVERY_BYTE), ...input },
	);

const download = async (ids: unknown[], form: object = {}) =>
	await n8n.run(
		'document:download',
		{ id: eachId, ...form },
		{ items: itemsOf(...ids), onError: 'continueErrorOutput' },
	);

const downloadFirst = async (form: object = {}) => await download([firstId('Document')], form);

/** The error of a download of the first document. */
const failDownload = async (form: object = {}) => errorsOf(await downloadFirst(form))[0];

/** The download of the first document, in a run that a failure ends. */
const startDownload = () => n8n.start('document:download', { id: byId(firstId('Document')) });

const readBytes = ({ binary }: INodeExecutionData, field = 'data') =>
	Buffer.from(String(binary?.[field].data), 'base64');

describe('upload', () => {
	it('and download return identical bytes', async () => {
		const { items } = await upload();
		const run = await download([items[0].json.Id]);
		expect(readBytes(run.items[0])).toEqual(EVERY_BYTE);
		expect(run.items[0]).toMatchObject({
			json: {
				Id: items[0].json.Id,
				FileName: 'plan.pdf',
				MimeType: 'application/pdf',
				FileSize: 256,
			},
			binary: { data: { fileName: 'plan.pdf', mimeType: 'application/pdf' } },
			pairedItem: { item: 0 },
		});
	});

	it.each([
		['Grundriß "EG" – 100% ünïcode.pdf', 'Grundriß "EG" – 100% ünïcode.pdf'],
		['../../etc/passwd', 'passwd'],
		['C:\\temp\\plan.pdf', 'plan.pdf'],
		['folder/', 'document'],
		['..', 'document'],
		['photo\u202egpj.exe', 'photogpj.exe'],
		['plan\u0000\n.pdf', 'plan.pdf'],
	])('uploads the file %j as %j, and downloads it under that name', async (fileName, expected) => {
		const { items } = await upload({}, withFile(EVERY_BYTE, { fileName }));
		expect(readBlob(items[0].json.Id).FileName).toBe(expected);

		records.change('Blob', readBlob(items[0].json.Id).Id, { FileName: fileName });
		const run = await download([items[0].json.Id]);
		expect(run.items[0].binary?.data.fileName).toBe(expected);
	});

	it('takes the name, title and type of the file from the form', async () => {
		const { items } = await upload({
			additionalFields: {
				fileName: 'b.txt',
				title: 'A title',
				mimeType: 'text/plain',
				startDate: '2026-02-01',
				endDate: '2027-02-01',
				isShared: true,
			},
			options: { returnRecord: true },
		});
		expect(items[0].json).toMatchObject({
			Title: 'A title',
			MimeType: 'text/plain',
			StorageTypeId: 'Cloud',
			StartDate: '2026-02-01T00:00:00',
			EndDate: '2027-02-01T00:00:00',
			IsShared: true,
		});
		expect(readBlob(items[0].json.Id).FileName).toBe('b.txt');
	});

	it('attaches to records of each kind, whose documents a search finds with one request per kind', async () => {
		const kinds = {
			...{ Asset: 'Location', CommLease: 'Customer', CommLeaseSpace: 'Space' },
			...{ Employee: 'Employee', LeaseUser: 'Contact', Org: 'Organization' },
			...{ Property: 'WorkZone', Provider: 'Employee', WO: 'WorkOrder' },
		};
		const owners = Object.entries(kinds).flatMap(([kind, entity]) =>
			records.ids(entity, 2).map((id) => ({ kind, id })),
		);
		const items = owners.map((json) => ({ ...withFile(EVERY_BYTE).items[0], json }));
		const form = { actorTypeId: '={{ $json.kind }}', actorId: byId('={{ $json.id }}') };
		const made = idsOf(jsonOf((await upload(form, { items })).items));
		expect(made).toHaveLength(owners.length);
		company.sandbox.forgetRequests();
		const found = await n8n.run('document:getMany', form, { items });
		const expected = owners.flatMap(({ kind, id }) =>
			records
				.idsWhere('Document', (row) => row.ActorTypeId === kind && row.ActorId === id)
				.reverse(),
		);
		expect(expected).toEqual(expect.arrayContaining(made));
		expect(idsOf(jsonOf(found.items))).toEqual(expected);
		expect(requests.sent()).toHaveLength(Object.keys(kinds).length);
	});

	it('takes a file of the maximum size, and one without a name', async () => {
		const { items } = await upload(
			{},
			withFile(Buffer.alloc(20 * 1024 * 1024, 7), { fileName: undefined, fileExtension: 'pdf' }),
		);
		expect(readBlob(items[0].json.Id).FileName).toBe('data.pdf');
	});

	it('stores a link as a link', async () => {
		const DocUrl = 'https://example.org/manual?a=1&b="2"';
		await upload({ source: 'link', url: DocUrl });
		expect(requests.bodies().map(({ Entity }) => Entity)).toEqual([
			{
				ActorTypeId: 'WO',
				ActorId: firstId('WorkOrder'),
				Title: 'example.org',
				StorageTypeId: 'URL',
				DocUrl,
				MimeType: 'text/html',
				DocType: { Id: 3 },
			},
		]);
	});

	it.each([
		[{ source: 'link', url: 'ftp://example.org' }, /'URL' must be a web address/],
		[{ source: 'link', url: '={{ $json.nothing }}' }, /'URL' must be a web address, .* empty/],
		[{ binaryPropertyName: 'nothing' }, /^The item has no file in the binary field "nothing"$/],
	])('is checked before anything is sent: %j', async (form, message) => {
		expect(await n8n.refusal(upload(form))).toMatch(message);
	});

	it('says in which fields there are files', async () => {
		const { error } = await upload({}, withFile(EVERY_BYTE, {}, 'Photo'));
		expect(error).toMatchObject({
			message: 'The item has no file in the binary field "data"',
			description: 'Enter the name of the field that has the file. There are files in "Photo".',
		});
	});

	const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64');

	it.each<[string, string, Partial<IBinaryData>, string, Buffer]>([
		['a data URL', `data:image/png;base64,${png.toString('base64')}`, {}, 'image/png', png],
		[
			'a data URL with a character set',
			'data:text/plain;charset=utf-8;base64,aGkh',
			{},
			'text/plain',
			Buffer.from('hi!'),
		],
		['a data URL without a type', 'data:;base64,aGkh', {}, 'text/plain', Buffer.from('hi!')],
		[
			'base64 in lines, with the letters of addresses',
			'-_-_\r\n-_-_\n',
			{ mimeType: 'a/b' },
			'a/b',
			Buffer.from('+/+/+/+/', 'base64'),
		],
		['a type in the file name', 'aGkh', { fileName: 'a.csv' }, 'text/csv', Buffer.from('hi!')],
		['a type in the content', png.toString('base64'), { fileName: 'a' }, 'image/png', png],
	])('takes a file that a Code node built: %s', async (_, data, more, mimeType, content) => {
		const file = { mimeType: undefined, fileName: undefined, ...more, data };
		const { items, error } = await upload({}, withFile(EVERY_BYTE, file as never));
		expect(error).toBeUndefined();
		const { Id } = items[0].json;
		expect(records.get('Document', Number(Id))).toMatchObject({ MimeType: mimeType });
		expect(readBlob(Id).Body).toBe(content.toString('base64'));
	});

	it.each<[string, Partial<IBinaryData>]>([
		[
			`The content of "plan.pdf" in 'data' is not base64, so it would arrive damaged`,
			{ data: 'data:text/plain,Hello%20world' },
		],
		[
			`The type of "plan" in 'data' is not known`,
			{ mimeType: undefined as never, fileName: 'plan' },
		],
	])('rejects a file before anything is sent: %s %j', async (message, file) => {
		const { error } = await upload({}, withFile(EVERY_BYTE, file));
		expect(error).toMatchObject({ message, description: expect.any(String) });
		expect(company.sandbox.requests).toEqual([]);
	});

	it('rejects a text that begins like a data URL within a moment', async () => {
		const readCpuTime = startCpuTime();
		for (const data of ['data:' + 'x'.repeat(5e6), 'data:' + ';x'.repeat(2e6), ' '.repeat(5e6)]) {
			await upload({}, withFile(EVERY_BYTE, { data: `${data},` }));
		}
		expect(readCpuTime()).toBeLessThan(5);
	});

	it('takes any text as base64 of itself, and no other text as it is', async () => {
		const codes = [fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff })];
		const character = fc.oneof(...codes).map((code) => String.fromCodePoint(code));
		await fc.assert(
			fc.asyncProperty(fc.string({ unit: character, minLength: 1 }), async (text) => {
				const run = await upload({}, withFile(EVERY_BYTE, { data: text }));
				const sent = run.error ? undefined : readBlob(run.items[0].json.Id).Body;
				const bytes = Buffer.from(text, 'base64').toString('base64');
				expect(sent === undefined || sent === bytes).toBe(true);
				if (/[^\w+/=\s-]/.test(text)) expect(sent).toBeUndefined();
				const encoded = await upload({}, withFile(Buffer.from(text)));
				const { Body } = readBlob(encoded.items[0].json.Id);
				expect(Buffer.from(String(Body), 'base64')).toEqual(Buffer.from(text));
			}),
			{ numRuns: cases(5, 15) },
		);
	});

	/** The storage of n8n has a file of this size. */
	async function whileStored(fileSize: number, work: (read: jest.SpyInstance) => Promise<void>) {
		const { prototype } = BinaryDataService;
		const measured = jest.spyOn(prototype, 'getMetadata').mockResolvedValue({ fileSize });
		const read = jest.spyOn(prototype, 'getAsBuffer').mockResolvedValue(EVERY_BYTE);
		await work(read).finally(() => [measured, read].forEach((one) => one.mockRestore()));
	}

	it('reads a file of the storage of n8n as it is', async () => {
		await whileStored(256, async () => {
			const stored = { id: 'filesystem-v2:plan', data: 'filesystem-v2' };
			const { items } = await upload({}, withFile(EVERY_BYTE, stored));
			expect(readBlob(items[0].json.Id).Body).toBe(EVERY_BYTE.toString('base64'));
		});
	});

	it('rejects a file that is empty or too large', async () => {
		const empty = await upload({}, withFile(Buffer.alloc(0)));
		expect(empty.error?.message).toBe("The file in 'data' is empty");
		const large = await upload({}, withFile(Buffer.alloc(20 * 1024 * 1024 + 1)));
		expect(large.error?.message).toBe(
			"The file in 'data' is too large: 20.0 MB, and 20 MB can be sent",
		);
		expect(company.sandbox.requests).toEqual([]);
	});

	it('rejects a file that is too large in the storage of n8n, without reading it', async () => {
		await whileStored(2 ** 25, async (read) => {
			const { error } = await upload({}, withFile(EVERY_BYTE, { id: 'filesystem-v2:plan' }));
			expect(error?.message).toContain('is too large: 32.0 MB');
			expect(read).not.toHaveBeenCalled();
		});
	});
});

describe('download', () => {
	it('requests the links of many items with one command, and sends no token to the storage', async () => {
		const [first, second] = records.ids('Document');
		const run = await download([second, first, second], { binaryPropertyName: 'photo' });
		expect(requests.commands()).toEqual([{ DocumentIds: [second, first] }]);
		expect(idsOf(jsonOf(run.items))).toEqual([second, first, second]);
		const paired = run.items.map(({ pairedItem }) => pairedItem);
		expect(paired).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(readBytes(run.items[0], 'photo')).toHaveLength(70);
		expect(fetches()).toHaveLength(3);
		for (const { headers } of fetches()) {
			expect(headers).not.toHaveProperty('authorization');
			expect(headers).not.toHaveProperty('companyname');
		}
	});

	it('requests no more links at once than it fetches before they expire', async () => {
		const ids = Array.from({ length: 51 }, () => firstId('Document'));
		const run = await download([...ids, documents()[1].Id]);
		expect(run.items).toHaveLength(52);
		expect(requests.commands()).toEqual([
			{ DocumentIds: [ids[0]] },
			{ DocumentIds: [ids[0], documents()[1].Id] },
		]);
	});

	it('returns the other documents when one is missing', async () => {
		const [first, second] = records.ids('Document');
		const run = await download([first, 999999, '-1', second]);
		expect(idsOf(jsonOf(run.items))).toEqual([first, second]);
		expect(errorsOf(run)).toEqual([
			quoteRefusal('Document with Id 999999 cannot be found'),
			'\'Document\' must be a positive whole number, but it is "-1"',
		]);
		expect(run.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
	});

	const answerLink = (Url: unknown): Fault => ({
		match: { pathIncludes: 'GetDocDownloadUrlCommand' },
		kind: 'wrongShape',
		body: {
			CommandResult: { Results: [{ DocumentId: firstId('Document'), Url, FileName: 'a.txt' }] },
		},
	});

	// Promise: No link makes n8n download from a private network
	it.each([
		['https://10.0.0.1/file', /: its link leads to 10\.0\.0\.1, which is in a private network$/],
		['http://localhost/file', /: its link leads to localhost, which is in a private network$/],
		['http://example.org/file', /its link is not one that can be trusted/],
		['ftp://127.0.0.1/file', /its link is not one that can be trusted/],
		['file:///etc/passwd', /its link is not one that can be trusted/],
		['no address', /its link is not one that can be trusted/],
		['', /Corrigo has no file of the document/],
		[undefined, /Corrigo has no file of the document/],
	])('does not follow the link %j', async (url, message) => {
		requests.fault(answerLink(url));
		expect(await failDownload()).toMatch(message);
		expect(fetches()).toEqual([]);
	});

	const BUSY = { status: 503, headers: { 'retry-after': '0' } };
	const storage = (fault: Partial<Fault>): Fault => ({
		match: { server: 'storage' },
		kind: 'status',
		...fault,
	});
	const redirect = (location: string, times = 1) =>
		storage({ status: 302, headers: { location }, times });

	it('follows a redirect to another trusted address, and none to plain http', async () => {
		requests.fault(redirect('/elsewhere'));
		expect(await failDownload()).toMatch(/answered with status 404/);
		const asked = fetches().map(({ path }) => path);
		expect(asked).toEqual([`/files/${firstId('Document')}`, '/elsewhere']);

		company.sandbox.forgetRequests();
		requests.fault(redirect('http://example.org/file'));
		expect(await failDownload()).toMatch(/not one that can be trusted/);
		expect(fetches()).toHaveLength(1);
	});

	describe('from a storage that speaks https', () => {
		const asked: IncomingMessage[] = [];
		let location: string | undefined;
		let breaksOff: boolean;
		let storageServer: Awaited<ReturnType<typeof startTlsServer>>;

		beforeAll(async () => {
			storageServer = await startTlsServer((request, response) => {
				asked.push(request);
				if (location !== undefined) response.writeHead(302, { location });
				if (breaksOff && asked.length === 1) {
					response.writeHead(200, { 'content-length': 'the file'.length });
					response.write('the', () => request.socket.destroy());
				} else {
					response.end('the file');
				}
			});
		});
		beforeEach(() => {
			asked.length = 0;
			location = undefined;
			breaksOff = false;
			requests.fault(answerLink(`${storageServer.url}/a`));
		});
		afterAll(async () => await storageServer.close());

		it('is fetched uncompressed and without the token of the session, and has the type of its name if the storage reports none', async () => {
			const run = await downloadFirst();
			expect(run.errorItems).toEqual([]);
			expect(run.items[0]).toMatchObject({
				json: { FileName: 'a.txt', MimeType: 'text/plain', FileSize: 'the file'.length },
				binary: { data: { mimeType: 'text/plain' } },
			});
			expect(asked.map(({ url }) => url)).toEqual(['/a']);
			expect(asked[0].headers).not.toHaveProperty('authorization');
			// n8n takes the beginning of compressed content as all.
			expect(asked[0].headers['accept-encoding']).toBe('identity');
		});

		it('is fetched again when the connection breaks in the middle of the file', async () => {
			breaksOff = true;
			const run = await downloadFirst();
			expect(run.items[0].json).toMatchObject({ FileSize: 'the file'.length });
			expect(asked).toHaveLength(2);
		});

		it.each<[string, () => string, RegExp]>([
			[
				'this machine in plain http',
				() => company.sandbox.storageUrl,
				/not one that can be trusted/,
			],
			[
				'another host of a private network',
				() => storageServer.url.replace('127.0.0.1', 'localhost'),
				/leads to localhost, which is in a private/,
			],
		])('is not fetched when the link leads to %s', async (_, getLocation, message) => {
			location = getLocation();
			expect(await failDownload()).toMatch(message);
			expect(asked).toHaveLength(1);
			expect(fetches()).toEqual([]);
		});

		it.each([
			{ address: '127.0.0.1', family: 4 },
			{ address: '64:ff9b::7f00:1', family: 6 },
			{ address: '100.64.0.1', family: 4 },
		])('is not fetched by a name of a private network: $address', async (address) => {
			// In the place of the DNS, which tests do not have.
			const all = jest.spyOn(dns.promises, 'lookup').mockResolvedValue([address] as never);
			const one = jest.spyOn(dns, 'lookup').mockImplementation(((...given: unknown[]) => {
				const { all: isList } = given[1] as LookupOptions;
				const found = isList ? [[address]] : [address.address, address.family];
				(given[2] as (...result: unknown[]) => void)(null, ...found);
			}) as never);
			location = storageServer.url.replace('127.0.0.1', 'files.example.org');
			const error = await failDownload();
			all.mockRestore();
			one.mockRestore();
			// Only newer versions of n8n let a node look a name up.
			expect(error).toMatch(
				HOST_VERSION.startsWith('2.0.')
					? /the connection to the storage failed/
					: /leads to files\.example\.org, which is in a private network/,
			);
			expect(asked).toHaveLength(1);
		});
	});

	describe('of a file that is larger than the limit', () => {
		const MEGABYTE = 1024 * 1024;
		const SIZE = 16 * MEGABYTE;
		let written = 0;
		let closed: Promise<unknown>;
		let length: number | undefined;
		let server: Server;

		beforeAll(async () => {
			server = createServer((_, response) => {
				response.writeHead(200, length === undefined ? {} : { 'content-length': length });
				const write = () => {
					while (written < SIZE && !response.destroyed) {
						written += MEGABYTE;
						if (!response.write(Buffer.alloc(MEGABYTE))) return;
					}
					response.end();
				};
				response.on('drain', write);
				closed = once(response, 'close');
				write();
			});
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		});
		beforeEach(() => {
			written = 0;
			requests.fault(answerLink(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a`));
		});
		afterAll(async () => await new Promise((resolve) => server.close(resolve)));

		// Promise: No link makes n8n download from a private network
		it.each([
			['its length is in the headers', SIZE],
			['its length is not known', undefined],
		])('fails with advice, and does not read the rest: %s', async (_, given) => {
			length = given;
			const run = await downloadFirst({ options: { maxFileSize: 2 } });
			expect(run.errorItems[0].json).toMatchObject({
				error: 'The file cannot be fetched: it is larger than 2 MB',
				message: expect.stringMatching(/Or raise 'Maximum File Size' in 'Options'/),
			});
			await closed;
			expect(written).toBeLessThan(SIZE);
		});

		it('succeeds when the limit is raised to its size', async () => {
			length = undefined;
			const run = await downloadFirst({ options: { maxFileSize: 16 } });
			expect(run.items[0].json).toMatchObject({ FileSize: SIZE });
		});
	});

	describe('of a file that arrives cut short', () => {
		const content = Buffer.from('a plan of the building\n'.repeat(2000));
		const packings: Record<string, (whole: Buffer) => Buffer> = {
			...{ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync },
			'raw deflate': deflateRawSync,
		};
		let answer: (response: ServerResponse) => void;
		let asked = 0;
		let server: Server;

		beforeAll(async () => {
			server = createServer((_, response) => {
				asked++;
				answer(response);
			});
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		});
		beforeEach(() => {
			asked = 0;
			requests.fault(answerLink(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a`));
		});
		afterAll(async () => await new Promise((resolve) => server.close(resolve)));

		const framings = ['with its length', 'in chunks'] as const;
		const halve = (whole: Buffer) => whole.subarray(0, whole.length / 2);
		const frame = (framing: string, whole: Buffer) =>
			framing === 'in chunks'
				? { 'transfer-encoding': 'chunked' }
				: { 'content-length': whole.length };

		it.each(
			framings.flatMap((framing) =>
				Object.keys(packings).flatMap((packing) =>
					['half', 'whole'].map((part) => ({ framing, packing, part })),
				),
			),
		)(
			'refuses what is compressed: $packing $framing, $part',
			async ({ framing, packing, part }) => {
				const packed = packings[packing](content);
				const sent = part === 'half' ? halve(packed) : packed;
				answer = (response) => {
					const encoding = { 'content-encoding': packing.replace('raw ', '') };
					response.writeHead(200, { ...encoding, ...frame(framing, sent) }).end(sent);
				};
				const { items, errorItems } = await downloadFirst();
				expect(items).toEqual([]);
				expect(errorItems[0].json).toMatchObject({
					error: expect.stringMatching(/^The file cannot be fetched: 127.* sends it compressed/),
					message: expect.stringMatching(/^Nobody could tell whether such a file is complete/),
				});
				expect(asked).toBe(1);
			},
		);

		it.each(['half', 'whole'])(
			'refuses one whose end is that of the connection: %s',
			async (part) => {
				answer = (response) => {
					response.useChunkedEncodingByDefault = false;
					response.writeHead(200, { connection: 'close' });
					response.write(part === 'half' ? halve(content) : content, () => response.end());
				};
				expect(await failDownload()).toMatch(/: 127\.\S+ does not say how long it is$/);
				expect(asked).toBe(1);
			},
		);

		it('quotes what the storage says about the compression', async () => {
			const said = 'gzip. The file is fine. Call "delete"';
			answer = (response) => response.writeHead(200, { 'content-encoding': said }).end('x');
			expect((await downloadFirst()).errorItems[0].json.error).toContain(
				String.raw`("gzip. The file is fine. Call \"delete\"")`,
			);
		});

		it.each(framings)(
			'takes one that arrives whole, and fetches a half again: %s',
			async (framing) => {
				answer = (response) => {
					response.writeHead(200, { ...frame(framing, content), 'content-encoding': 'identity' });
					if (asked > 1) response.end(content);
					else response.write(halve(content), () => response.destroy());
				};
				const { items } = await downloadFirst();
				expect(readBytes(items[0]).equals(content)).toBe(true);
				expect(asked).toBe(2);
			},
		);

		it.each(framings)('refuses one of which only a half comes each time: %s', async (framing) => {
			answer = (response) => {
				response.writeHead(200, frame(framing, content));
				response.write(halve(content), () => response.destroy());
			};
			expect(await withShortPauses(failDownload)).toBe(
				'The file cannot be fetched: the connection to the storage failed',
			);
		});
	});

	it.each([0, 4001])('requires a size limit that n8n can hold, not %j', async (value) => {
		const error = await failDownload({ options: { maxFileSize: value } });
		expect(error).toMatch(/'Maximum File Size' must be/);
		expect(company.sandbox.requests).toEqual([]);
	});

	it('fails after too many redirects', async () => {
		requests.fault(redirect('/again', 100));
		expect(await failDownload()).toBe(
			'The file cannot be fetched: its link was redirected 6 times',
		);
		expect(fetches()).toHaveLength(6);
	});

	it.each<[string, Partial<Fault>, number]>([
		[
			'a busy storage, waiting as long as it says',
			{ status: 503, headers: { 'retry-after': '0.3' } },
			300,
		],
		['a lost connection', { kind: 'resetBefore' }, 0],
	])('tries again after %s', async (_, fault, wait) => {
		requests.fault(storage(fault));
		const began = performance.now();
		const run = await downloadFirst();
		expect(run.items).toHaveLength(1);
		expect(fetches()).toHaveLength(2);
		expect(performance.now() - began).toBeGreaterThanOrEqual(wait);
	});

	it.each<[Partial<Fault> & { status: number }, RegExp]>([
		[{ status: 400 }, /Links live for a short time/],
		[{ status: 403, body: '<Error>AuthenticationFailed</Error>' }, /Links live for a short time/],
		[{ status: 500 }, /^Try again later\.$/],
		[{ status: 201, headers: { location: '/elsewhere' } }, /Links live for a short time/],
		[{ status: 400, headers: { location: '/elsewhere' } }, /Links live for a short time/],
		[{ status: 304 }, /Links live for a short time/],
	])('says what to do about %j, names the item, and reveals no link', async (fault, hint) => {
		requests.fault(storage(fault));
		const { error, serialized } = await startDownload().finished;
		const { host } = new URL(company.sandbox.storageUrl);
		expect(serialized).not.toContain('sig=');
		expect(error).toMatchObject({
			message: `The file cannot be fetched: ${host} answered with status ${fault.status}`,
			description: expect.stringMatching(hint),
			httpCode: String(fault.status),
			context: { itemIndex: 0 },
		});
		expect(fetches()).toHaveLength(1);
	});

	it('reports a connection that failed in the last try, with its code', async () => {
		requests.fault(storage({ kind: 'resetBefore' }));
		requests.fault(storage({ ...BUSY, times: 2 }));
		requests.fault(storage({ kind: 'resetBefore' }));
		expect((await startDownload().finished).error).toMatchObject({
			message: 'The file cannot be fetched: the connection to the storage failed',
			description: expect.stringMatching(/^Check the network between n8n and /),
			httpCode: 'ECONNRESET',
		});
		expect(fetches()).toHaveLength(4);
	});

	it.each([
		['Text/CSV; charset=utf-8', 'text/csv'],
		['application/octet-stream', 'image/png'],
		['binary/octet-stream', 'image/png'],
		['', 'image/png'],
	])('has the type that the storage reports, %j, or that of its name', async (type, mimeType) => {
		const headers = { 'content-type': type };
		requests.fault(storage({ kind: 'wrongShape', body: 'a,b', headers }));
		const run = await downloadFirst();
		expect(run.items[0]).toMatchObject({
			json: { MimeType: mimeType },
			binary: { data: { mimeType } },
		});
	});

	it.each(['hang', 'drip'] as const)('stops when the run is canceled: %s', async (kind) => {
		requests.fault(storage({ kind }));
		const started = startDownload();
		await company.sandbox.waitFor(({ server }) => server === 'storage');
		started.cancel();
		expect((await started.finished).status).toBe('canceled');
		expect(fetches()).toHaveLength(1);
	});

	it.each(['hang', 'drip'] as const)('waits no longer than its time limit: %s', async (kind) => {
		requests.fault(storage({ kind }));
		expect(await failDownload({ options: { advanced: { timeout: 1000 } } })).toBe(
			'The file cannot be fetched: the storage did not answer in time',
		);
	});
});
