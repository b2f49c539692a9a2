/** Planned and dependent orders, and the life of work zones, through the strict sandbox. */
import { byName, byNumber, jsonOf, sharedDesk } from './desk';

const desk = sharedDesk({ workOrders: 20 });

it('a planned order is created from its schedule, whose ID must exist', async () => {
	const before = desk.rows('WorkOrder').length;
	await desk.succeed('workOrder:createPlanned', { schedule: 2 });
	expect(desk.commands()).toEqual([{ PmScheduleId: 2 }]);
	expect(desk.rows('WorkOrder')).toHaveLength(before + 1);
	const { error } = await desk.run('workOrder:createPlanned', { schedule: 99 });
	expect(error?.message).toContain('99');
	const refused = await desk.refuse('workOrder:createPlanned', { schedule: '={{ "soon" }}' });
	expect(refused.message).toContain("'Schedule ID' must be a whole number");
});

it('an order depends on another one, and not on itself', async () => {
	const [main, dependent] = desk.rows('WorkOrder');
	const form = (number: unknown) => ({
		id: byNumber(main.Number),
		dependentWorkOrder: byNumber(number),
	});
	await desk.succeed('workOrder:setDependency', form(dependent.Number));
	expect(desk.commands()).toEqual([
		{ MainWorkOrderId: main.Id, DependentWorkOrderId: dependent.Id },
	]);
	const { error } = await desk.run('workOrder:setDependency', form(main.Number));
	expect(error?.message).toBe("'Dependent Work Order' is the work order itself");
	expect(desk.commands()).toHaveLength(1);
});

it('a work zone is created, taken offline and brought online', async () => {
	const [{ Id: template, DisplayAs }] = desk.rows('AssetTemplate');
	const [zone] = jsonOf(
		(
			await desk.succeed('workZone:create', {
				...{ name: 'Harbor', numberPrefix: 'HAR', assetTemplate: byName(DisplayAs) },
				additionalFields: { timeZone: 20, number: '77', skipDefaultSettings: true },
			})
		).items,
	);
	expect(desk.commands()).toEqual([
		{
			AssetTemplateId: template,
			SkipDefaultSettings: true,
			WorkZone: { DisplayAs: 'Harbor', WoNumberPrefix: 'HAR', TimeZone: 20, Number: '77' },
		},
	]);
	expect(zone).toMatchObject({ DisplayAs: 'Harbor', Number: '77' });
	const id = byName('Harbor');
	const offline = await desk.succeed('workZone:takeOffline', { id, deactivateCustomers: true });
	expect(jsonOf(offline.items)).toEqual([{ Id: zone.Id, IsOffline: true }]);
	expect(desk.commands()[1]).toEqual({ WorkZoneId: zone.Id, DeactivateCustomers: true });
	expect(desk.record('WorkZone', Number(zone.Id)).IsOffline).toBe(true);
	const list = await desk.engine.listSearch('searchOfflineWorkZones', {});
	expect(list.results.map(({ name }) => name)).toEqual(['Harbor (77)']);
	const online = await desk.succeed('workZone:bringOnline', { id });
	expect(jsonOf(online.items)).toEqual([{ Id: zone.Id, IsOffline: false }]);
	expect(desk.record('WorkZone', Number(zone.Id)).IsOffline).toBe(false);
});
