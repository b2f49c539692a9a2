/** Steps of procedures, such as those of an inspection, through the strict sandbox. */
import { filterMembers } from '../../../nodes/Corrigo/values/objects';
import type { Row } from '../../../sandbox';
import {
	DENIED,
	eachId,
	errorsOf,
	hintsOf,
	idsOf,
	itemsOf,
	jsonOf,
	rejection,
	shareCompany,
	byId,
} from '../../support/company';

const { n8n, records, requests } = shareCompany({ workOrders: 1000 });

/** Members of an item that its order and procedure have in Get Details. */
const OF_ALL = ['WorkOrder', 'Procedure', 'Asset'];

const inspected = () => records.rows('WoProcedure').map(({ WorkOrderId }) => Number(WorkOrderId));

const procedures = async (ids: unknown[], options: object = {}) =>
	await n8n.run(
		'workOrder:getProcedures',
		{ id: eachId, options },
		{ items: itemsOf(...ids), settings: { onError: 'continueErrorOutput' } },
	);

/** A step that was deleted. */
const removeStep = (WorkOrderId: number, WoProcedureId: number) =>
	records.insert('WoProcedureStep', {
		...{ WorkOrderId, WoProcedureId, Index: 0, Description: 'Deleted' },
		IsRemoved: true,
	});

it('each step becomes an item with its procedure, answer, flag and asset', async () => {
	const [order] = inspected();
	const { Number: number } = records.get('WorkOrder', order);
	const [{ Id, Asset, DisplayAs }] = records.children('WoProcedure', 'WorkOrderId', order);
	const { Name } = records.get('Location', (Asset as Row).Id);
	const removed = removeStep(order, Id);
	const [, meter] = records.children('WoProcedureStep', 'WorkOrderId', order);
	records.change('WoProcedureStep', meter.Id, { IsNotApplicable: true });
	const earlier = records.insert('WoProcedure', {
		...{ WorkOrderId: order, Index: 0, DisplayAs: 'Arrival', Asset: undefined },
	});
	records.insert('WoProcedureStep', {
		...{ WorkOrderId: order, WoProcedureId: earlier.Id, Index: 1, Description: 'Cost of parts' },
		...{ TypeId: 'Field', FieldDescriptor: { Id: records.rows('CustomFieldDescriptor')[0].Id } },
		...{ DataTypeId: 'Money', DataValue: '12.50', MoneyId: 'USD' },
	});
	const steps = jsonOf((await procedures([order])).items);
	expect(steps.map(({ Description }) => Description)).not.toContain(removed.Description);
	expect(steps).toMatchObject([
		{
			WorkOrder: { Id: order, Number: number },
			Procedure: { Id: earlier.Id, DisplayAs: 'Arrival', Flag: null },
			Description: 'Cost of parts',
			Field: records.rows('CustomFieldDescriptor')[0].Name,
			Answer: { Value: 12.5, CurrencyTypeId: 'USD' },
			Asset: null,
		},
		{
			Procedure: { Id, DisplayAs },
			...{ Index: 1, Answer: null, Flag: null, IsRequired: false, Asset: { Name } },
			IsNotApplicable: false,
		},
		{
			...{ Index: 2, TypeId: 'Attribute', Field: 'Run Hours', Answer: 100.5 },
			IsNotApplicable: true,
		},
		{
			...{ Index: 3, IsRequired: true, Comment: 'The seal is torn' },
			Flag: { Id: 2, DisplayAs: 'Parts Missing' },
		},
	]);
	records.change('WoProcedureStep', Number(steps[2].Id), { DataLabel: '100 h' });
	expect(jsonOf((await procedures([order])).items)[2].Answer).toBe('100 h');
});

it('the steps of many orders take three requests, and a missing order fails alone', async () => {
	const ids = records.ids('WorkOrder').slice(-400);
	const run = await procedures([...ids, 999_999]);
	const steps = records
		.rows('WoProcedureStep')
		.filter(({ WorkOrderId }) => ids.includes(Number(WorkOrderId)));
	expect(steps.length).toBeGreaterThan(0);
	expect(run.items).toHaveLength(steps.length);
	expect(errorsOf(run)).toEqual(['There is no work order with the ID 999999']);
	expect(requests.queries().sort()).toEqual(['WoProcedure', 'WoProcedureStep', 'WorkOrder']);
});

it('documents come with the steps that they belong to, one request for each order with steps', async () => {
	const [order, other] = inspected();
	const [, , photo] = records.children('WoProcedureStep', 'WorkOrderId', order);
	const { items } = await procedures([order, other, records.orderIn('New').Id], {
		stepDocuments: true,
	});
	expect(idsOf(requests.commands(), 'WorkOrderId').sort()).toEqual([order, other].sort());
	const titles = items.map(({ json }) => (json.Documents as Row[]).map(({ Title }) => Title));
	expect(titles).toEqual([[], [], ['Seal.jpg'], [], [], ['Seal.jpg']]);

	// A document whose step is not known is not lost.
	const Documents = [
		{ Id: 5, ActorId: 77, Title: 'Plan' },
		{ Id: 6, ActorId: photo.Id, Title: 'Seal' },
	];
	requests.fault({
		match: { pathIncludes: 'GetProcedureStepsDocumentsRoutine' },
		kind: 'status',
		status: 200,
		body: { CommandResult: { Documents } },
	});
	const found = jsonOf((await procedures([order], { stepDocuments: true })).items);
	expect(found.map((step) => step.Documents)).toEqual([[Documents[0]], [], [Documents[1]]]);
});

it('Get Details has the procedures with their steps, and says if they may not be read', async () => {
	const [order] = inspected();
	const [{ Id }] = records.children('WoProcedure', 'WorkOrderId', order);
	removeStep(order, Id);
	const details = async (options: object = {}) =>
		await n8n.succeed('workOrder:getDetails', { id: byId(order), options });
	const steps = jsonOf((await procedures([order])).items);
	const [{ json }] = (await details()).items;
	expect(json.Procedures).toEqual([
		{
			...(steps[0].Procedure as object),
			Asset: steps[0].Asset,
			Steps: steps.map((step) => filterMembers(step, (name) => !OF_ALL.includes(name))),
		},
	]);
	const [{ json: without }] = (await details({ include: ['notes'] })).items;
	expect(without).not.toHaveProperty('Procedures');
	const [{ json: shared }] = (await details({ audience: 'customer' })).items;
	expect(shared).not.toHaveProperty('Procedures');

	requests.fault(rejection('/query/WorkOrder', DENIED, { status: 403, times: 1 }));
	requests.fault(rejection('/query/WoProcedure', DENIED, { status: 403 }));
	const run = await details();
	expect(run.items[0].json.Procedures).toEqual([]);
	expect(hintsOf(run).join()).toContain('Procedures are left out');
});
