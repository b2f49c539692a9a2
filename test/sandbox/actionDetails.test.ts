import type { Row } from '../../sandbox';
import { deleteEntity } from '../../sandbox/base/operations';
import { createRecord } from '../../sandbox/base/write';
import { runCommand } from '../../sandbox/commands';
import { actAsColleague } from '../../sandbox/desktop';
import { enumeration, typeOf } from '../../sandbox/schema';
import { sharedClient } from './client';

const client = sharedClient({ workOrders: 60 });

beforeEach(() => client.sandbox.world.reset());

const rows = (entity: string) => client.store.rows(entity);
const inStatus = (status: string) => client.store.children('WorkOrder', 'StatusId', status)[0];
const run = (command: string, { Id }: Row, members: object = {}) =>
	runCommand(client.sandbox.world, command, { WorkOrderId: Id, ...members });
const listDetails = ({ Id }: Row) =>
	client.store
		.children('WoActionLogProp', 'WoActionLogId', Id)
		.map(({ TypeId, ValueInt, ValueStr }) => [TypeId, ValueInt ?? ValueStr]);
const lastDetails = () => listDetails(rows('WoActionLog').at(-1) as Row);
const getNumber = (type: string, member: string) => enumeration(type).indexOf(member);

describe('details of actions', () => {
	it.each([
		['PickUp', 'New'],
		['Start', 'Paused'],
		['Pause', 'InProgress'],
		['Complete', 'InProgress'],
		['Reopen', 'Completed'],
	])('%s records that the order was %s', (command, status) => {
		run(`Wo${command}Command`, inStatus(status));
		expect(lastDetails()).toEqual([['PrevWoStatus', getNumber('WorkOrderStatus', status)]]);
	});

	it('an assignment records who was added and who was removed', () => {
		const order = inStatus('New');
		const [one, other] = rows('Employee').map(({ Id }) => Id);
		run('WoAssignCommand', order, { Assignees: [one] });
		expect(lastDetails()).toEqual([['AssignmentAdded', one]]);
		run('WoAssignCommand', order, { Assignees: [other] });
		expect(lastDetails()).toEqual([
			['AssignmentAdded', other],
			['AssignmentRemoved', one],
		]);
	});

	it('flags, costs, vendor invoices and verifications record what they set', () => {
		const order = inStatus('Completed');
		const reasons = client.store.children('WoActionReasonLookup', 'ActionId', 'Attention');
		const flags = reasons.map(({ Id }) => Id);
		run('WoSetFlagsCommand', order, { FlagsToSet: flags });
		expect(lastDetails()).toEqual(flags.map((id) => ['FlagId', id]));
		run('WoClearFlagsCommand', order, { FlagsToClear: flags.slice(1) });
		expect(lastDetails()).toEqual(flags.slice(1).map((id) => ['FlagId', id]));
		run('CostStatusChangeCommand', order, { CostStatusId: 2 });
		expect(lastDetails()).toEqual([['CostStatusId', 2]]);
		run('ApStatusChangeCommand', order, { VendorInvoiceStatusId: 3 });
		expect(lastDetails()).toEqual([['ApInvoiceName', 'Paid']]);
		run('VerifyWorkCommand', order, { WoRatingId: 'Positive' });
		expect(lastDetails()).toEqual([['Rating', 'Positive']]);
	});

	it('every seeded change of status and assignment has its details', () => {
		for (const { Id, StatusId, Employee } of rows('WorkOrder')) {
			const actions = client.store.children('WoActionLog', 'WorkOrderId', Id);
			const details = new Map(actions.map((action) => [action.TypeId, listDetails(action)]));
			expect(details.get('Create')).toEqual([]);
			const assigned = details.get('Assign') ?? [['AssignmentAdded', undefined]];
			expect(assigned).toEqual([['AssignmentAdded', (Employee as Row | undefined)?.Id]]);
			if (StatusId !== 'Completed') continue;
			expect(details.get('Complete')).toEqual([
				['PrevWoStatus', getNumber('WorkOrderStatus', 'InProgress')],
			]);
		}
	});
});

describe('visits', () => {
	const visits = ({ Id }: Row) => client.store.children('WoOnSite', 'WorkOrderId', Id);

	it('nobody checks in who starts work at the desktop or through the API', () => {
		const order = inStatus('Open');
		actAsColleague(client.sandbox.world, { id: order.Id, command: 'WoStartCommand', members: {} });
		run('WoPauseCommand', order);
		run('WoStartCommand', order);
		expect(visits(order)).toEqual([]);
	});

	it('seeded visits belong to the assignee, and are over where the work is', () => {
		for (const order of rows('WorkOrder').filter((one) => visits(one).length > 0)) {
			const [{ EmployeeId, DtCheckOut }] = visits(order);
			expect({ Id: EmployeeId }).toEqual(order.Employee);
			expect(DtCheckOut === undefined).toBe(order.StatusId === 'InProgress');
		}
		expect(rows('WoOnSite').length).toBeGreaterThan(10);
	});
});

it('an item that is added or removed is logged with the name of its task', () => {
	const { world } = client.sandbox;
	const order = inStatus('New');
	const [{ Asset, Task }] = client.store.children('WoItem', 'WorkOrderId', order.Id);
	const name = client.store.existing('Task', (Task as Row).Id).DisplayAs;
	const item = { WorkOrderId: order.Id, SortOrderIdx: 2, Asset, Task };
	const { Id } = createRecord(world, typeOf('WoItem'), item);
	expect(lastDetails()).toEqual([['ItemAdded', name]]);
	deleteEntity(world, 'WoItem', Id, false);
	expect(lastDetails()).toEqual([['ItemRemoved', name]]);
	expect(rows('WoActionLog').at(-1)).toMatchObject({ TypeId: 'ItemAddRemove' });
});
