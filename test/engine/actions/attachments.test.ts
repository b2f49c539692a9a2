/** Files of the input that travel inside a new work order. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import { byId, byName, hintsOf, idsOf, jsonOf, shareCompany, some } from '../../support/company';

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
	const rows = [attachment({ binaryPropertyNames: 'a, b', title: 'Leak', isPublic: false })];
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
	await n8n.succeed('workOrder:upsert', again, { items: [item('photo')] });
	expect(listDocuments(items[0].json.Id)).toHaveLength(1);
	const more = { ...again, externalNumber: 'P-2' };
	const fresh = await n8n.succeed('workOrder:upsert', more, { items: [item('photo')] });
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
	expect(jsonOf(again.items)).toEqual([some({ AlreadyExisted: true })]);
	expect(listDocuments(Id)).toEqual([]);
	expect(hintsOf(again)).toEqual([
		`Files were left out, as these orders existed already: add them with 'Upload' of the Document resource: ${String(number)}`,
	]);
	// A repeated request without files leaves none out.
	expect(hintsOf(await create(parameters, item()))).toEqual([]);
});
