/** Planned and dependent orders, and the life of work zones, through the strict sandbox. */
import { byId, byName, byNumber, idsOf, jsonOf, shareCompany } from '../../support/company';

const { n8n, records, requests } = shareCompany({ workOrders: 20 });

it('a planned order is created from its schedule, whose ID must exist', async () => {
	const before = records.rows('WorkOrder').length;
	const { items } = await n8n.succeed('workOrder:createPlanned', { schedule: byId(2) });
	expect(jsonOf(items)).toEqual([{ PmScheduleId: 2 }]);
	expect(requests.commands()).toEqual([{ PmScheduleId: 2 }]);
	expect(records.rows('WorkOrder')).toHaveLength(before + 1);
	const { error } = await n8n.run('workOrder:createPlanned', { schedule: byId(99) });
	expect(error?.message).toContain('99');
	const refused = await n8n.refuse('workOrder:createPlanned', { schedule: byId('={{ "soon" }}') });
	expect(refused.message).toContain("'Schedule'");
});

it('an order depends on another one, and not on itself', async () => {
	const [main, dependent] = records.rows('WorkOrder');
	const form = (number: unknown) => ({
		id: byNumber(main.Number),
		dependentWorkOrder: byNumber(number),
	});
	const { items } = await n8n.succeed('workOrder:setDependency', form(dependent.Number));
	expect(jsonOf(items)).toEqual([{ Id: main.Id, DependentWorkOrderId: dependent.Id }]);
	expect(requests.commands()).toEqual([
		{ MainWorkOrderId: main.Id, DependentWorkOrderId: dependent.Id },
	]);
	const { error } = await n8n.run('workOrder:setDependency', form(main.Number));
	expect(error?.message).toBe("'Dependent Work Order' is the work order itself");
	expect(requests.commands()).toHaveLength(1);
});

it('an item that names an asset of another order leaves its assets to the next one', async () => {
	const [order] = records.rows('WorkOrder');
	const asset = { Id: records.insert('Location', { Name: 'Fan 7', TypeId: 'Equipment' }).Id };
	const { Id: other } = records.insert('Location', { Name: 'Fan 8', TypeId: 'Equipment' });
	const { Id: moved } = records.insert('WoItem', { WorkOrderId: order.Id, Asset: asset });
	const values = [asset.Id, '={{ $json.second }}'].map((one) => ({ asset: byId(one) }));
	const form = { id: byNumber(order.Number), childItems: { values } };
	const items = [other, asset.Id].map((second) => ({ json: { second } }));
	const run = await n8n.run('workOrder:createChild', form, {
		items,
		onError: 'continueErrorOutput',
	});
	expect([run.errorItems, run.items].map(({ length }) => length)).toEqual([1, 1]);
	// The second item names one asset twice.
	expect(requests.commands()).toMatchObject([{ WoItemIds: [moved] }]);
});

it('items of an order go into a new one, exactly as its dry run says', async () => {
	const [order] = records.rows('WorkOrder');
	const [{ Id: stays }] = records.children('WoItem', 'WorkOrderId', order.Id);
	const pump = records.insert('Location', { Name: 'Pump 7', TypeId: 'Equipment' });
	const asset = { Id: pump.Id };
	const moved = ['Leaking', 'Too loud'].map(
		(Comment) => records.insert('WoItem', { WorkOrderId: order.Id, Asset: asset, Comment }).Id,
	);
	const form = (options: object = {}) => ({
		id: byNumber(order.Number),
		childItems: { values: [{ asset: byName('pump 7') }] },
		options,
	});
	const dry = await n8n.succeed('workOrder:createChild', form({ dryRun: 'always' }));
	expect(dry.items[0].json.Summary).toBe(
		`Would create a child order of work order ${String(order.Number)}, with Items ${moved.join('; ')}`,
	);
	expect(requests.commands()).toEqual([]);

	const twice = await n8n.run('workOrder:createChild', form(), {
		items: [{ json: {} }, { json: {} }],
	});
	expect(twice.error?.message).toMatch(/^'Items': item 1 moves the item \d+ of the work order/);
	expect(requests.commands()).toEqual([]);

	const run = await n8n.succeed('workOrder:createChild', form());
	expect(requests.commands()).toEqual([{ WoItemIds: moved }]);
	const [{ Id: child }] = jsonOf(run.items);
	expect(jsonOf(run.items)).toMatchObject([
		{ Number: records.get('WorkOrder', Number(child)).Number },
	]);
	expect(idsOf(records.children('WoItem', 'WorkOrderId', Number(child)))).toEqual(moved);
	expect(idsOf(records.children('WoItem', 'WorkOrderId', order.Id))).toEqual([stays]);

	const none = await n8n.run('workOrder:createChild', form());
	expect(none.error?.message).toBe(`'Items': the work order has no item with the asset ${pump.Id}`);
	expect(none.error?.description).toContain('Its assets: "');
	expect(requests.commands()).toHaveLength(1);
});

it('a work zone is created, taken offline and brought online', async () => {
	const [{ Id: template, DisplayAs }] = records.rows('AssetTemplate');
	const [zone] = jsonOf(
		(
			await n8n.succeed('workZone:create', {
				...{ name: 'Harbor', numberPrefix: 'HAR', assetTemplate: byName(DisplayAs) },
				additionalFields: { timeZone: 20, number: '77', skipDefaultSettings: true },
			})
		).items,
	);
	expect(requests.commands()).toEqual([
		{
			AssetTemplateId: template,
			SkipDefaultSettings: true,
			WorkZone: { DisplayAs: 'Harbor', WoNumberPrefix: 'HAR', TimeZone: 20, Number: '77' },
		},
	]);
	expect(zone).toMatchObject({ DisplayAs: 'Harbor', Number: '77' });
	const id = byName('Harbor');
	const offline = await n8n.succeed('workZone:takeOffline', { id, deactivateCustomers: true });
	expect(jsonOf(offline.items)).toEqual([{ Id: zone.Id, DisplayAs: 'Harbor', IsOffline: true }]);
	expect(requests.commands()[1]).toEqual({ WorkZoneId: zone.Id, DeactivateCustomers: true });
	expect(records.get('WorkZone', Number(zone.Id)).IsOffline).toBe(true);
	const list = await n8n.engine.listSearch('searchOfflineWorkZones', {});
	expect(list.results.map(({ name }) => name)).toEqual(['Harbor (77)']);
	const online = await n8n.succeed('workZone:bringOnline', { id });
	expect(jsonOf(online.items)).toEqual([{ Id: zone.Id, DisplayAs: 'Harbor', IsOffline: false }]);
	expect(records.get('WorkZone', Number(zone.Id)).IsOffline).toBe(false);
});
