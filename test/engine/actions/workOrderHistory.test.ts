import type { INodeExecutionData } from 'n8n-workflow';

import { readPath } from '../../../nodes/Corrigo/values/objects';
import { runCommand } from '../../../sandbox/commands';
import {
	byId,
	eachId,
	hintsOf,
	idsOf,
	itemsOf,
	jsonOf,
	rejection,
	shareCompany,
	some,
} from '../../support/company';

const company = shareCompany({ workOrders: 600 });
const { n8n, records, requests } = company;

const orders = () => records.rows('WorkOrder');
const listLog = (order: number) => records.children('WoActionLog', 'WorkOrderId', order);
/** The entities that were read, in alphabetical order. */
const read = () => requests.queries().sort();
const history = async (parameters: object, ids: unknown[], more = {}) =>
	await n8n.run(
		'workOrder:getHistory',
		{ id: eachId, ...parameters },
		{ items: itemsOf(...ids), ...more },
	);

it('the history of an order is every action in order: when, by whom and why', async () => {
	const { Id: id } = records.orderIn('OnHold');
	const { items } = await history({}, [id]);
	const log = listLog(id);
	expect(jsonOf(items).map(({ Id, TypeId }) => [Id, TypeId])).toEqual(
		log.map(({ Id, TypeId }) => [Id, TypeId]),
	);
	const last = log[log.length - 1];
	const reason = records.get('WoActionReasonLookup', Number(last.ActionReasonId));
	expect(items[items.length - 1].json).toMatchObject({
		WorkOrderId: id,
		TypeId: 'OnHold',
		ActionDate: last.ActionDate,
		SystemDateUtc: `${String(last.SystemDateUtc)}Z`,
		Actor: { TypeId: 'Employee', DisplayAs: 'Dispatcher' },
		Reason: { Id: reason.Id, DisplayAs: reason.DisplayAs },
	});
	expect(items[0].json).toMatchObject({ Reason: null, Comment: null, StatusBefore: null });
});

it('an action begins with its order, what happened and why, who, when and where, without empty IDs', async () => {
	const { world } = company.sandbox;
	const order = records.orderIn('New');
	runCommand(world, 'WoPickUpCommand', { WorkOrderId: order.Id });
	const { items } = await history({}, [order.Id]);
	const last = items[items.length - 1].json;
	expect(last).toMatchObject({
		WorkOrderNumber: order.Number,
		Action: 'Pick Up',
		StatusBefore: 'New',
		StatusAfter: 'Open',
		TimeZone: expect.stringContaining('/') as unknown,
		Customer: {
			DisplayAs: records.get('Customer', Number(readPath(order, 'Customer.Id'))).DisplayAs,
		},
		ShortLocation: order.ShortLocation,
	});
	for (const { json } of items) {
		expect(Object.keys(json).slice(0, 14)).toEqual([
			...['WorkOrderNumber', 'Action', 'StatusBefore', 'StatusAfter', 'HoursInStatusBefore'],
			...['PlannedUtc', 'HoursLate', 'Reason', 'Comment'],
			...['Actor', 'ActionDate', 'TimeZone', 'Customer', 'ShortLocation'],
		]);
	}
	expect(last).not.toHaveProperty('ActionReasonId');
	expect(last).not.toHaveProperty('ObjectId');
});

it('an action says how long the status before lasted, and how late it was against the plan', async () => {
	const { world } = company.sandbox;
	const order = records.orderIn('New');
	const act = (command: string) =>
		runCommand(world, command, { WorkOrderId: order.Id, ActionReasonId: 41 });
	['WoPickUpCommand', 'WoStartCommand', 'WoPauseCommand', 'WoStartCommand'].forEach(act);
	act('WoCompleteCommand');
	const utc = (minutes: number) => new Date(minutes * 60_000).toISOString().slice(0, 19);
	const log = listLog(order.Id);
	[0, 20, 120, 150, 300, 545].forEach((minutes, index) =>
		records.change('WoActionLog', Number(log[index].Id), { SystemDateUtc: utc(minutes) }),
	);
	records.change('WorkOrder', order.Id, {
		...{ CreatedDateUtc: utc(0), AcknowledgeByUtc: utc(30), DtUtcOnSiteBy: utc(60) },
		DueDateUtc: utc(480),
	});

	const show = (items: INodeExecutionData[]) =>
		jsonOf(items).map(({ Action, HoursInStatusBefore, PlannedUtc, HoursLate }) => [
			...[Action, HoursInStatusBefore, PlannedUtc, HoursLate],
		]);
	const { items } = await history({}, [order.Id]);

	expect(show(items)).toEqual([
		['Create', null, null, null],
		['Pick Up', 0.33, `${utc(30)}Z`, -0.17],
		['Start', 1.67, `${utc(60)}Z`, 1],
		['Stop', 0.5, null, null],
		['Start', 2.5, null, null],
		['Complete', 4.08, `${utc(480)}Z`, 1.08],
	]);
	const later = await history({ after: `${utc(200)}Z` }, [order.Id]);
	expect(show(later.items)).toEqual([
		['Start', null, null, null],
		['Complete', 4.08, `${utc(480)}Z`, 1.08],
	]);
	const details = await n8n.succeed('workOrder:getDetails', { id: order.Id });
	expect(details.items[0].json.History).toEqual(
		jsonOf(items).map(({ HoursInStatusBefore, HoursLate }) =>
			expect.objectContaining({
				...(HoursInStatusBefore !== null && { HoursInStatusBefore }),
				...(HoursLate !== null && { HoursLate }),
			}),
		),
	);
});

it('the history of an order starts after a time, in UTC, in whatever zone it is given', async () => {
	const { Id: id } = records.orderIn('Completed');
	const [first, ...rest] = listLog(id);
	const utc = `${String(first.SystemDateUtc)}Z`;
	for (const after of [
		first.SystemDateUtc,
		utc,
		`={{ DateTime.fromISO('${utc}').setZone('America/New_York') }}`,
	]) {
		const { items } = await history({ after }, [id]);
		expect(idsOf(jsonOf(items))).toEqual(rest.map(({ Id }) => Id));
	}
});

it('the histories of many items take few requests, and each item has its own', async () => {
	const all = records.ids('WorkOrder', 600);
	const ids = [...all, all[0]];
	const { items } = await history({}, ids);
	expect(items.map(({ json, pairedItem }) => ({ Id: json.Id, ...(pairedItem as object) }))).toEqual(
		ids.flatMap((id, item) => listLog(id).map(({ Id }) => ({ Id, item }))),
	);
	// Two batches, of 500 orders and of 100: a page, the orders, the names of employees and of reasons.
	const once = ['Employee', 'WoActionLog', 'WoActionReasonLookup', 'WorkOrder'];
	const twice = once.flatMap((one) => [one, one]);
	expect(read().filter((entity) => entity !== 'WoActionLogProp')).toEqual(twice);
});

it('the history says what each action changed, in words', async () => {
	const { store, world } = company.sandbox;
	const order = records.orderIn('New');
	const [one, other] = store.rows('Employee');
	const [flag] = store.children('WoActionReasonLookup', 'ActionId', 'Attention');
	const act = (command: string, members: object) =>
		runCommand(world, command, { WorkOrderId: order.Id, ...members });
	act('WoAssignCommand', { Assignees: [one.Id, other.Id], Mode: 'Snapshot' });
	act('WoPickUpCommand', {});
	act('WoFlagCommand', { ActionReasonId: flag.Id });
	act('CostStatusChangeCommand', { CostStatusId: 2 });
	act('ApStatusChangeCommand', { VendorInvoiceStatusId: 2 });
	const { items } = await history({}, [order.Id]);
	const detail = (TypeId: string, Type: string, Value: unknown, more = {}) => ({
		...{ TypeId, Type, Value },
		...more,
	});
	expect(jsonOf(items).map(({ TypeId, Details }) => [TypeId, Details])).toEqual([
		['Create', []],
		[
			'Assign',
			[one, other].map(({ Id, DisplayAs }) =>
				detail('AssignmentAdded', 'Assignment Added', DisplayAs, { Id }),
			),
		],
		['PickUp', [detail('PrevWoStatus', 'Previous Work Order Status', 'New')]],
		['Attention', [detail('FlagId', 'Flag', flag.DisplayAs, { Id: flag.Id })]],
		['CostStatus', [detail('CostStatusId', 'Cost Status', 'Submitted', { Id: 2 })]],
		['APInvStatus', [detail('ApInvoiceName', 'AP Invoice Name', 'Received')]],
	]);
	// The log and its details, and the names of each kind once.
	expect(read()).toEqual([
		...['Employee', 'InternalCostStatus', 'WoActionLog', 'WoActionLogProp'],
		...['WoActionReasonLookup', 'WorkOrder'],
	]);
});

it('the history omits what actions changed, and says so, where that may not be read', async () => {
	company.sandbox.set({ unreadable: ['WoActionLogProp'] });
	const run = await history({}, [records.orderIn('Cancelled').Id]);
	const { items, error } = run;
	expect(error).toBeUndefined();
	expect(hintsOf(run)).toEqual([
		'Details are left out: the service user of the credential may not read WoActionLogProp.',
	]);
	expect(jsonOf(items).map(({ TypeId }) => TypeId)).toEqual(['Create', 'Cancel']);
	expect(items[1].json).toMatchObject({ Reason: { DisplayAs: expect.any(String) as string } });
	expect(items[1].json).not.toHaveProperty('Details');
});

it('the history fails where what actions changed cannot be read at the moment', async () => {
	requests.fault(rejection('WoActionLogProp', undefined, { status: 500, times: 99 }));
	const { error } = await history({}, [orders()[0].Id]);
	expect(error?.httpCode).toBe('500');
});

it('the history is empty for an order without actions, and fails for a missing order', async () => {
	const id = orders()[0].Id;
	const run = await history({ after: '2999-01-01' }, [id, 999_999], {
		onError: 'continueErrorOutput',
	});
	expect(run.error).toBeUndefined();
	expect(run.items).toEqual([]);
	expect(jsonOf(run.errorItems)).toEqual([
		some({ error: 'There is no work order with the ID 999999' }),
	]);
	expect(requests.sent()).toHaveLength(2);
});

it.each(['getHistory', 'getEstimates', 'getQuotes'])(
	'%s does not know an order that Get Details does not know',
	async (operation) => {
		const { Id } = orders()[0];
		records.insert('WoEstimate', { WorkOrderId: Id });
		records.insert('WoQuote', { WoId: Id });
		company.sandbox.store.remove('WorkOrder', Id);
		for (const name of [operation, 'getDetails']) {
			const { error } = await n8n.run(`workOrder:${name}`, { id: byId(Id) });
			expect(error?.message).toBe(`There is no work order with the ID ${Id}`);
		}
	},
);
