import { byId, eachId, idsOf, itemsOf, jsonOf, shareCompany } from '../../support/company';

const company = shareCompany();
const { n8n, records, requests } = company;

const orderId = () => records.rows('WorkOrder')[1].Id;
const listNotes = (order: number) => records.children('WoNote', 'WorkOrderId', order);
const create = async (form: object) =>
	await n8n.run('note:create', { workOrder: byId(orderId()), body: 'text', ...form });

it('a note is public by default', async () => {
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

it.each([[{ body: '={{ "  " }}' }, "'Body' is empty"]])(
	'a note is checked before anything is sent: %j',
	async (form, message) => {
		expect(await n8n.refusal(create(form))).toMatch(message);
	},
);

it('a second completion note is rejected, with the message of the service', async () => {
	await create({ type: 'Completion' });
	const { error } = await create({ type: 'Completion' });
	expect(error?.message).toBe('Work Order already has a completion note');
});

describe('the notes of a work order', () => {
	const getMany = async (form: object, items = itemsOf(1)) =>
		await n8n.run('note:getMany', form, { items });

	it('are filtered by the conditions of the user as well', async () => {
		await create({ body: 'first' });
		await create({ body: 'second', type: 'Private' });
		await create({ body: 'third', type: 'Private' });
		company.sandbox.forgetRequests();
		const { items } = await getMany({
			workOrder: byId(orderId()),
			match: 'any',
			conditions: {
				values: [
					{ property: 'Body', operator: 'Equal', value: 'first' },
					{ property: 'Body', operator: 'Like', value: 'th%' },
				],
			},
		});
		expect(idsOf(jsonOf(items), 'Body')).toEqual(['first', 'third']);
		expect(requests.sent()[0].body).toMatchObject({
			QueryExpression: {
				Criteria: {
					FilterOperator: 'And',
					Filters: [
						{ FilterOperator: 'Or' },
						{
							Conditions: [{ PropertyName: 'WorkOrderId', Operator: 'Equal', Values: [orderId()] }],
						},
					],
				},
			},
		});
	});

	it.each([
		['with the ID of their order if it is selected', ['Body', 'WorkOrderId']],
		['without the ID of their order if it is not selected', ['Body']],
	])('of several orders are returned %s', async (_, properties) => {
		const orders = records.ids('WorkOrder', 2);
		for (const id of orders) await create({ workOrder: byId(id) });
		const { items } = await getMany({ workOrder: eachId, properties }, itemsOf(...orders));
		const notes = orders.flatMap(listNotes);
		expect(jsonOf(items).map((note) => Object.keys(note).sort())).toEqual(
			notes.map(() => properties),
		);
	});

	it('are not those of all orders when the chosen one is invalid', async () => {
		const { message } = await n8n.refuse('note:getMany', { workOrder: byId('-1') });
		expect(message).toBe('\'Work Order\' must be a positive whole number, but it is "-1"');
	});
});
