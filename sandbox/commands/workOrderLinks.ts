import { toAnswer } from '../base/operations';
import { fail, failBusinessLogic, notFound } from '../errors';
import type { Row } from '../store/store';
import type { Handler } from './command';
import { copyOrder } from './workOrderCreate';

/** Schedules have no table, because nothing of them is published: the service knows these Ids. */
const SCHEDULES = [1, 2];

export const generatePlanned: Handler = (world, args) => {
	const id = args.int('PmScheduleId');
	if (!SCHEDULES.includes(id)) notFound('PmSchedule', id);
	copyOrder(world, world.store.rows('WorkOrder')[0], { TypeCategory: 'PMRM' });
	return {};
};

/** The items move into a new order below theirs. */
export const addChild: Handler = (world, args) => {
	const items = args
		.ids('WoItemIds')
		.map((id) => world.store.get('WoItem', id) ?? notFound('WoItem', id));
	const [parent, ...others] = new Set(items.map(({ WorkOrderId }) => Number(WorkOrderId)));
	if (parent === undefined) fail('EMPTY_INPUT_PARAMETER', 'WoItemIds is empty.');
	if (others.length > 0) failBusinessLogic('Work Items belong to several Work Orders');
	const order = copyOrder(world, world.store.existing('WorkOrder', parent), {});
	for (const { Id } of items) world.store.change('WoItem', Id, { WorkOrderId: order.Id });
	const link = { ChildWoId: order.Id, Level: 1, ParentWorkOrder: { Id: parent } };
	return {
		WorkOrder: toAnswer(world, 'WorkOrder', order),
		WorkPlanLink: toAnswer(world, 'WpTree', world.store.insert('WpTree', link)),
	};
};

export const setDependency: Handler = (world, args) => {
	const main = args.id('MainWorkOrderId', 'WorkOrder', world);
	const dependent = args.id('DependentWorkOrderId', 'WorkOrder', world);
	if (main.Id === dependent.Id) failBusinessLogic('A Work Order cannot depend on itself');
	const isLink = ({ ChildWoId }: Row) => ChildWoId === dependent.Id;
	const link =
		world.store.rows('WpTree').find(isLink) ??
		world.store.insert('WpTree', { ChildWoId: dependent.Id, Level: 1 });
	world.store.change('WpTree', link.Id, { DependOnWorkOrder: { Id: main.Id } });
	return {};
};
