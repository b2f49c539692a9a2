import { failBusinessLogic, notFound } from '../errors';
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
