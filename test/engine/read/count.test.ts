import {
	byId,
	byName,
	eachId,
	getId,
	itemsOf,
	jsonOf,
	shareCompany,
	where,
} from '../../support/company';

const { n8n, records, requests } = shareCompany({ workOrders: 520 });

const orders = () => records.rows('WorkOrder');
const count = async (operation: string, parameters: object = {}) => {
	const form = { return: 'groupBy' in parameters ? 'groups' : 'count', ...parameters };
	const run = await n8n.succeed(`${operation}:getMany`, form);
	return jsonOf(run.items);
};
const ofEach = (values: unknown[]) => {
	const counts = new Map<unknown, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
};

it.each([1, 3])('the count is exact, in %d streams', async (parallelRequests) => {
	expect(await count('workOrder', { options: { advanced: { parallelRequests } } })).toEqual([
		{ Count: 520 },
	]);
	expect(requests.sent().map(({ body }) => body)).toMatchObject([
		{ QueryExpression: { PropertySet: { Properties: ['Id'] } } },
	]);
});

it('the count takes the conditions of Get Many, also through a collection, and returns zero', async () => {
	const open = orders().filter(({ StatusId }) => StatusId === 'Open');
	expect(await count('workOrder', where('StatusId', 'Open'))).toEqual([{ Count: open.length }]);
	const [order] = open;
	const note = { WorkOrderId: order.Id, Body: 'the same' };
	for (const one of [note, note, note]) records.insert('WoNote', { ...one });
	expect(await count('workOrder', where('Notes.Body', 'the same'))).toEqual([{ Count: 1 }]);
	expect(await count('workOrder', where('PoNumber', 'none such'))).toEqual([{ Count: 0 }]);
	const groups = { ...where('PoNumber', 'none such'), groupBy: 'StatusId' };
	expect(await count('workOrder', groups)).toEqual([]);
});

it('the count returns a row for each customer, by Id and with the name', async () => {
	const [first, second] = records.rows('Customer');
	records.change('Customer', second.Id, { DisplayAs: first.DisplayAs });
	const rows = await count('workOrder', { groupBy: 'Customer' });
	const getCustomerId = ({ Customer }: Record<string, unknown>) => getId(Customer);
	const customers = ofEach(orders().map(getCustomerId));
	expect(new Map(rows.map((row) => [getCustomerId(row), row.Count]))).toEqual(customers);
	expect(rows).toContainEqual({
		Customer: { Id: second.Id, DisplayAs: first.DisplayAs },
		Count: customers.get(second.Id),
	});
});

it('groups show the label of a status in place of its code', async () => {
	const [{ Id }, ...others] = orders();
	for (const other of others) records.change('WorkOrder', other.Id, { StatusId: 'New' });
	records.change('WorkOrder', Id, { StatusId: 'OnHold' });
	expect(await count('workOrder', { groupBy: 'StatusId' })).toEqual([
		{ Status: 'New', Count: others.length },
		{ Status: 'On Hold', Count: 1 },
	]);
});

it('groups of a status have one field, also for records without it', async () => {
	const rows = await count('workOrder', { groupBy: 'Quote.StatusId' });
	expect(rows.map((row) => Object.keys(row))).toEqual(rows.map(() => ['Quote.Status', 'Count']));
	expect(rows).toContainEqual({ 'Quote.Status': null, Count: expect.any(Number) as number });
});

it('records without a value are one group, whether their text is empty or missing', async () => {
	const gaps = ['', undefined, null];
	for (const [index, { Id }] of orders().entries()) {
		records.change('WorkOrder', Id, { PoNumber: index % 4 === 3 ? 'A' : gaps[index % 4] });
	}
	expect(await count('workOrder', { groupBy: 'PoNumber' })).toEqual([
		{ PoNumber: null, Count: 390 },
		{ PoNumber: 'A', Count: 130 },
	]);
});

it('the count leaves deleted records out, and says so', async () => {
	const [contact] = records.rows('Contact');
	const all = records.rows('Contact').length;
	records.change('Contact', contact.Id, { IsRemoved: true });
	const run = await n8n.run('contact:getMany', { return: 'count' });
	expect(jsonOf(run.items)).toEqual([{ Count: all - 1 }]);
	expect(JSON.stringify(run.hints)).toContain('Deleted records are left out');
	expect(await count('contact', { options: { includeRemoved: true } })).toEqual([{ Count: all }]);
	expect(await count('contact', where('IsRemoved', true))).toEqual([{ Count: 1 }]);
	expect(
		await count('contact', { groupBy: 'IsRemoved', options: { includeRemoved: true } }),
	).toEqual([
		{ IsRemoved: false, Count: all - 1 },
		{ IsRemoved: true, Count: 1 },
	]);
});

it('the count respects other limits of a search: an order, a tree of assets, an entity', async () => {
	const [note] = records.rows('WoNote');
	const notes = records.children('WoNote', 'WorkOrderId', Number(note.WorkOrderId));
	expect(await count('note', { workOrder: byId(note.WorkOrderId) })).toEqual([
		{ Count: notes.length },
	]);

	const root = getId(records.rows('WorkZone')[0].Asset);
	const tree = { treeOf: byId(root), returnAll: true, properties: 'Id,TypeId' };
	const below = jsonOf((await n8n.run('asset:getMany', tree)).items);
	expect(await count('asset', { treeOf: byId(root) })).toEqual([{ Count: below.length }]);
	const kinds = await count('asset', { treeOf: byId(root), groupBy: 'TypeId' });
	expect(new Map(kinds.map(({ TypeId, Count }) => [TypeId, Count]))).toEqual(
		ofEach(below.map(({ TypeId }) => TypeId)),
	);

	const pairs = records.rows('AssetTree').length;
	expect(await count('record', { entity: byName('AssetTree') })).toEqual([{ Count: pairs }]);
});

it.each([
	[{ groupBy: 'Items.Id' }, '\'Group By\' is "Items.Id", but a record may have several Items'],
	[{ groupBy: '={{ "" }}' }, "'Group By' is empty: its expression gives nothing"],
	[{ return: 'sum' }, /'Return' must be one of count, groups, records/],
	[{ return: 'count', options: { advanced: { pageSize: 5000 } } }, /'Page Size' must be/],
	[{ return: 'count', ...where('={{ "" }}', 'x') }, /'Conditions > Field' must be/],
	[
		{ groupBy: 'Estimate.Amount', options: { audience: 'customer' } },
		/'Group By' uses .*, which 'Audience: Customer' hides/,
	],
])('the count is checked before anything is sent: %j', async (form, message) => {
	expect(await n8n.refusal(n8n.run('workOrder:getMany', { return: 'groups', ...form }))).toMatch(
		message,
	);
});

it('counts of the notes of many orders share a request', async () => {
	const ids = [...new Set(records.rows('WoNote').map(({ WorkOrderId }) => WorkOrderId))].slice(
		0,
		9,
	);
	const form = { return: 'count', workOrder: eachId };
	const run = await n8n.run('note:getMany', form, { items: itemsOf(...ids) });
	expect(jsonOf(run.items)).toEqual(
		ids.map((id) => ({ Count: records.children('WoNote', 'WorkOrderId', Number(id)).length })),
	);
	expect(requests.sent()).toHaveLength(1);
});

it('the count for customers covers only the records that they may see', async () => {
	const options = { audience: 'customer' };
	const types = ofEach(records.rows('WoNote').map(({ NoteTypeId }) => NoteTypeId));
	types.delete('Private');
	const rows = await count('note', { groupBy: 'NoteTypeId', options });
	expect(new Map(rows.map(({ NoteTypeId, Count }) => [NoteTypeId, Count]))).toEqual(types);
});

it('the count ignores what was filled in for records, and is not displayed', async () => {
	const hidden = {
		returnAll: true,
		limit: 1,
		sort: { values: [{ property: 'a b' }] },
		output: 'selected',
		properties: 'a b',
		options: { compactOutput: true, advanced: { firstResultIndex: 7, distinct: true } },
	};
	expect(await count('workOrder', hidden)).toEqual([{ Count: 520 }]);
});
