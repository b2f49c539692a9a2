/** Files of the input that travel inside a new work order. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import {
	byId,
	byName,
	DENIED,
	hintsOf,
	idsOf,
	jsonOf,
	rejection,
	shareCompany,
	some,
	withShortPauses,
} from '../../support/company';

const { n8n, records, requests } = shareCompany({ workOrders: 10 });

const PHOTO = Buffer.from('a photo of a leak');
const BODY = PHOTO.toString('base64');
const SIZE = `${PHOTO.length} bytes`;

/** An item with a JPEG in each of these fields. */
const buildItem = (files: Record<string, Buffer | string>): INodeExecutionData => ({
	json: {},
	binary: Object.fromEntries(
		Object.entries(files).map(([name, data]) => [
			name,
			{
				data: typeof data === 'string' ? data : data.toString('base64'),
				mimeType: 'image/jpeg',
				fileName: `${name}.jpg`,
			},
		]),
	),
});

const item = (...names: string[]) =>
	buildItem(Object.fromEntries(names.map((name) => [name, PHOTO])));

const attachment = (more: IDataObject = {}) => ({ documentType: byId(3), ...more });

const form = (attachments: IDataObject[], more: IDataObject = {}) =>
	records.newOrder({ attachments: { values: attachments }, ...more });

const create = async (parameters: INodeParameters, ...items: INodeExecutionData[]) =>
	await n8n.run('workOrder:create', parameters, { items, onError: 'continueErrorOutput' });

const listDocuments = (id: unknown) =>
	records
		.rows('Document')
		.filter(({ ActorId, ActorTypeId }) => ActorTypeId === 'WO' && ActorId === id);

it('a new order is sent with its files in one request', async () => {
	const rows = [attachment({ binaryPropertyNames: 'a, b', title: 'Leak', isShared: true })];
	const { items } = await create(form(rows), item('a', 'b', 'c'));
	expect(idsOf(requests.commands(), 'WorkOrder')).toMatchObject([
		{
			Documents: ['a', 'b'].map((name) => ({
				Title: 'Leak',
				StorageTypeId: 'Cloud',
				MimeType: 'image/jpeg',
				DocType: { Id: 3 },
				IsPublic: false,
				IsShared: true,
				Blob: { FileName: `${name}.jpg`, Body: BODY },
			})),
		},
	]);
	const blobs = listDocuments(items[0].json.Id).map(({ Blob }) => (Blob as Row).Id);
	expect(blobs.map((id) => records.get('Blob', id).Body)).toEqual([BODY, BODY]);
});

it('all files of an item are attached if no field is named, and none if it has none', async () => {
	const parameters = form([{ documentType: byName('Picture') }]);
	const { items } = await create(parameters, item('photo_0', 'photo_1'), item());
	const titles = jsonOf(items).map(({ Id }) => listDocuments(Id).map(({ Title }) => Title));
	expect(titles).toEqual([['photo_0.jpg', 'photo_1.jpg'], []]);
});

it.each<[string, IDataObject, INodeExecutionData]>([
	['photo', { binaryPropertyNames: 'photo' }, item('other')],
	['not base64', {}, buildItem({ photo: 'this is no base64!' })],
	['empty', {}, buildItem({ photo: '' })],
	['too large', {}, buildItem({ a: Buffer.alloc(11 << 20), b: Buffer.alloc(10 << 20) })],
	['Document Type', { documentType: byId('99999x') }, item('photo')],
])('an attachment is refused before anything is written: %s', async (words, row, input) => {
	const { errorItems } = await create(form([attachment(row)]), input);
	expect(jsonOf(errorItems)).toEqual([some({ error: expect.stringContaining(words) as string })]);
	expect(requests.writes()).toEqual([]);
});

it('a dry run shows names and sizes, and its key allows the same files only', async () => {
	const parameters = form([attachment()]);
	const dry = await create({ ...parameters, options: { dryRun: 'always' } }, item('photo'));
	const [json] = jsonOf(dry.items);
	expect(json.WouldChange).toMatchObject({
		Documents: { To: [some({ Blob: { 'File Name': 'photo.jpg', Size: SIZE } })] },
	});
	expect(JSON.stringify(json)).not.toContain(BODY);
	expect(JSON.stringify(json.WouldSend)).toContain(SIZE);
	expect(requests.writes()).toEqual([]);

	const options = { confirmationKey: String(json.ConfirmationKey) };
	const other = buildItem({ photo: Buffer.from('b photo of a leak') });
	const refused = await create({ ...parameters, options }, other);
	expect(String(refused.errorItems[0].json.error)).toContain('Changed since the dry run');
	const approved = await create({ ...parameters, options }, item('photo'));
	expect(listDocuments(approved.items[0].json.Id)).toHaveLength(1);
});

it('an order that already exists gets no files', async () => {
	const preventDuplicates = { skipIfExternalNumberExists: true };
	const additionalFields = { externalNumber: 'P-1' };
	const parameters = form([attachment()], { preventDuplicates, additionalFields });
	const { items } = await create(parameters, item('photo'), item('photo'));
	expect(jsonOf(items).map(({ AlreadyExisted }) => AlreadyExisted)).toEqual([false, true]);
	expect(listDocuments(items[0].json.Id)).toHaveLength(1);

	const again = { ...form([attachment()]), externalNumber: 'P-1' };
	const repeated = await n8n.succeed('workOrder:upsert', again, { items: [item('photo')] });
	expect(listDocuments(items[0].json.Id)).toHaveLength(1);
	expect(hintsOf(repeated)).toEqual([
		`Files were left out, as these orders existed already: store them with 'Upload' of documents: ${String(items[0].json.Number)}`,
	]);
	const more = { ...again, externalNumber: 'P-2' };
	const fresh = await n8n.succeed('workOrder:upsert', more, { items: [item('photo')] });
	expect(hintsOf(fresh)).toEqual([]);
	expect(listDocuments(fresh.items[0].json.Id)).toHaveLength(1);
});

it.each<[string, IDataObject]>([
	['external number', { skipIfExternalNumberExists: true }],
	['open order', { skipIfOpenOrderExists: 'asset' }],
])('a repeated request says that its files were left out, by %s', async (_, preventDuplicates) => {
	const more = { preventDuplicates, additionalFields: { externalNumber: 'T-76' } };
	const parameters = form([attachment()], more as IDataObject);
	const first = await create(parameters, item());
	expect(hintsOf(first)).toEqual([]);
	const again = await create(parameters, item('photo'));
	const [{ Id, Number: number }] = jsonOf(again.items);
	expect(jsonOf(again.items)).toEqual([
		some({ AlreadyExisted: true, FilesLeftOut: ['photo.jpg'] }),
	]);
	expect(listDocuments(Id)).toEqual([]);
	expect(hintsOf(again)).toEqual([
		`Files were left out, as these orders existed already: ${String(number)}. Turn on 'Add Files to Existing Order' to add them.`,
	]);
	// A repeated request without files leaves none out.
	expect(hintsOf(await create(parameters, item()))).toEqual([]);
});

describe('with Add Files to Existing Order', () => {
	const RULES = [{ skipIfExternalNumberExists: true }, { skipIfOpenOrderExists: 'asset' }];
	const repeat = (rules: IDataObject, row: IDataObject = {}, more: IDataObject = {}) =>
		form([attachment(row)], {
			preventDuplicates: { ...rules, addFilesToExistingOrder: true },
			additionalFields: { externalNumber: 'T-76' },
			...more,
		});
	const listNames = (id: unknown) =>
		listDocuments(id).map(({ Title, Blob }) => {
			const { FileName, Body } = records.get('Blob', (Blob as Row).Id);
			expect(Body).toBe(BODY);
			return `${String(Title)} ${String(FileName)}`;
		});

	it.each(RULES)('a repeated request stores what the order does not have: %j', async (rules) => {
		const first = await create(repeat(rules), item());
		const [{ Id, Number: number }] = jsonOf(first.items);
		const second = await create(repeat(rules), item('a'));
		expect(jsonOf(second.items)).toEqual([some({ Id, AlreadyExisted: true })]);
		expect(jsonOf(second.items)[0]).not.toHaveProperty('FilesLeftOut');
		expect(hintsOf(second)).toEqual([]);
		expect(listNames(Id)).toEqual(['a.jpg a.jpg']);
		expect(requests.bodies().at(-1)?.Entity).toMatchObject({
			...{ ActorTypeId: 'WO', ActorId: Id, StorageTypeId: 'Cloud', DocType: { Id: 3 } },
			...{ IsPublic: false, IsShared: false, MimeType: 'image/jpeg' },
		});

		const third = await create(repeat(rules), item('a', 'b'));
		expect(listNames(Id)).toEqual(['a.jpg a.jpg', 'b.jpg b.jpg']);
		expect(jsonOf(third.items)).toEqual([some({ FilesLeftOut: ['a.jpg'] })]);
		expect(hintsOf(third)).toEqual([
			`Files were left out, as these orders have files of the same title and name: ${String(number)}`,
		]);

		// One title may belong to several files, and several files of one name to an order.
		const titled = repeat(rules, { title: 'Leak' });
		await create(titled, item('a', 'b'));
		await create(titled, item('a', 'b'));
		expect(listNames(Id).slice(2)).toEqual(['Leak a.jpg', 'Leak b.jpg']);
		const twice = { ...repeat(rules), attachments: { values: [attachment(), attachment()] } };
		await create(twice as INodeParameters, item('a'));
		await create(twice as INodeParameters, item('a'));
		expect(listNames(Id).slice(4)).toEqual(['a.jpg a.jpg']);
	});

	it.each(RULES.flatMap((rules) => [1, 4].map((count) => [count, rules] as const)))(
		'each file of many items is stored once, %d at a time: %j',
		async (count, rules) => {
			const options = { advanced: { parallelRequests: count } };
			const parameters = repeat(rules, {}, { options });
			const names = ['a', 'b', 'a', 'c', 'b', 'a'];
			const run = await create(parameters, ...names.map((name) => item(name)));
			const [{ Id }] = jsonOf(run.items);
			expect(new Set(idsOf(jsonOf(run.items))).size).toBe(1);
			expect(listNames(Id).sort()).toEqual(['a.jpg a.jpg', 'b.jpg b.jpg', 'c.jpg c.jpg']);
			const left = jsonOf(run.items).map(({ FilesLeftOut }) => FilesLeftOut ?? []);
			expect(left.flat().sort()).toEqual(['a.jpg', 'a.jpg', 'b.jpg']);
		},
	);

	it.each(['resetBefore', 'resetAfter'] as const)(
		'a file whose answer is lost is there once: %s',
		async (kind) => {
			const parameters = repeat(RULES[0]);
			const [{ Id }] = jsonOf((await create(parameters, item('a'))).items);
			requests.fault({ match: { pathIncludes: '/base/Document' }, kind });
			const run = await withShortPauses(() => create(parameters, item('a', 'b')));
			const isStored = kind === 'resetAfter';
			expect(listNames(Id)).toEqual(isStored ? ['a.jpg a.jpg', 'b.jpg b.jpg'] : ['a.jpg a.jpg']);
			if (!isStored) {
				const [{ error, message }] = jsonOf(run.errorItems);
				expect(error).toMatch(/^The work order ".*" exists, but its file "b.jpg" failed: /);
				expect(message).toContain('Run the item again to add what is missing.');
			}
			await create(parameters, item('a', 'b'));
			expect(listNames(Id)).toEqual(['a.jpg a.jpg', 'b.jpg b.jpg']);
		},
	);

	it('a dry run says what the run stores, and its key stores that', async () => {
		const parameters = repeat(RULES[0]);
		const dry = { ...parameters, options: { dryRun: 'always' } };
		const planned = await create(dry, item('a'), item('a', 'b'));
		const sent = (json: IDataObject) => [json.WouldSend, ...((json.Then ?? []) as Row[])].length;
		expect(jsonOf(planned.items)).toEqual([
			some({ Outcome: 'wouldCreate', AlreadyExisted: false }),
			some({ Outcome: 'wouldUpdate', AlreadyExisted: true, FilesLeftOut: ['a.jpg'] }),
		]);
		expect(jsonOf(planned.items).map(sent)).toEqual([1, 1]);
		expect(JSON.stringify(planned.items)).not.toContain(BODY);

		const [{ Id }] = jsonOf((await create(parameters, item('a'))).items);
		const again = await create(dry, item('a', 'b'));
		const [json] = jsonOf(again.items);
		expect(json).toMatchObject({ AlreadyExisted: true, FilesLeftOut: ['a.jpg'] });
		expect(json.Summary).toMatch(/^Would create document b.jpg for work order /);
		expect(listNames(Id)).toEqual(['a.jpg a.jpg']);
		const options = { confirmationKey: String(json.ConfirmationKey) };
		const approved = await create({ ...parameters, options }, item('a', 'b'));
		expect(approved.errorItems).toEqual([]);
		expect(listNames(Id)).toEqual(['a.jpg a.jpg', 'b.jpg b.jpg']);
	});

	it('says that the order exists if its documents may not be read', async () => {
		const parameters = repeat(RULES[0]);
		await create(parameters, item());
		requests.fault({ ...rejection('/query/Document', DENIED, { status: 403 }) });
		const [{ error }] = jsonOf((await create(parameters, item('a'))).errorItems);
		expect(error).toMatch(/^The work order ".*" exists, but its documents cannot be read: /);
		expect(requests.commands()).toHaveLength(1);
	});

	it('needs an option by which an order exists', async () => {
		const { message } = await n8n.refuse('workOrder:create', repeat({}));
		expect(message).toContain("'Add Files to Existing Order' is set without");
	});
});
