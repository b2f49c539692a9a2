import { byId, eachId, itemsOf, jsonOf, shareCompany } from '../../support/company';

const company = shareCompany();
const { n8n, records } = company;

const orderId = () => records.rows('WorkOrder')[1].Id;
const listNotes = (order: number) => records.children('WoNote', 'WorkOrderId', order);
const create = async (form: object) =>
	await n8n.run('note:create', {
		workOrder: byId(orderId()),
		body: 'text',
		type: 'Public',
		...form,
	});

it('a note has the text as it was entered, and the visibility that was chosen', async () => {
	await create({ body: ' Two lines,\n"quoted" & ünïcode ' });
	await create({ type: 'Private' });
	expect(listNotes(orderId()).map(({ Body, NoteTypeId }) => [Body, NoteTypeId])).toEqual([
		[' Two lines,\n"quoted" & ünïcode ', 'Public'],
		['text', 'Private'],
	]);
});

it('a note starts with the name of its author, if given', async () => {
	await create({ options: { author: ' Nathan Smith ' } });
	await create({ options: { author: '' } });
	expect(listNotes(orderId()).map(({ Body }) => Body)).toEqual(['Nathan Smith: text', 'text']);
});

it('a note is returned as a record on request', async () => {
	const { items } = await create({ options: { returnRecord: true } });
	expect(items[0].json).toMatchObject({ Body: 'text', WorkOrderId: orderId() });
});

it.each([
	['with the ID of their order if it is selected', ['Body', 'WorkOrderId']],
	['without the ID of their order if it is not selected', ['Body']],
])('notes of several orders are returned %s', async (_, properties) => {
	const orders = records.ids('WorkOrder', 2);
	for (const id of orders) await create({ workOrder: byId(id) });
	const form = { workOrder: eachId, properties };
	const { items } = await n8n.run('note:getMany', form, { items: itemsOf(...orders) });
	const notes = orders.flatMap(listNotes);
	expect(jsonOf(items).map((note) => Object.keys(note).sort())).toEqual(
		notes.map(() => properties),
	);
});
