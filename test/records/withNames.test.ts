import { addNames, buildWrittenRecord } from '../../nodes/Corrigo/records/names';

const nameOf = (entity: string, id: unknown) =>
	Number(id) < 100 ? `${entity} ${String(id)}` : undefined;

it('names go into references, also those of rows', () => {
	const order = { Customer: { Id: 1 }, Priority: { Id: 100 }, Items: [{ Asset: { Id: 2 } }] };
	expect(addNames('WorkOrder', order, nameOf)).toEqual({
		Customer: { Id: 1, DisplayAs: 'Customer 1' },
		Priority: { Id: 100 },
		Items: [{ Asset: { Id: 2, Name: 'Location 2' } }],
	});
});

it('names stand next to other IDs, and labels next to codes', () => {
	const costs = { Id: 7, ApStatusId: 3, CostStatusId: 100 };
	expect(addNames('WorkOrderCost', costs, nameOf)).toEqual({
		...costs,
		ApStatus: { Id: 3, DisplayAs: 'ApInvoiceStatus 3' },
	});
	expect(addNames('WorkOrder', { StatusId: 'InProgress' }, nameOf)).toEqual({
		StatusId: 'InProgress',
		Status: 'In Progress',
	});
});

it('names that the service gives itself stay', () => {
	const order = { Customer: { Id: 1, DisplayAs: 'Contoso' }, StatusId: 'New', Status: 'Brand new' };
	expect(addNames('WorkOrder', order, nameOf)).toEqual(order);
});

it('a written record shows what was written, with names, but no rows, password or file', () => {
	const specifier = { EntityType: 'Customer', Id: 5, ConcurrencyId: 2 };
	const written = { Dba: 'D', WorkZone: { Id: 1, Number: 'x' }, Address: [{ Street: 'S' }] };
	expect(buildWrittenRecord('Customer', specifier, written, nameOf)).toEqual({
		...specifier,
		DisplayAs: 'Customer 5',
		Dba: 'D',
		WorkZone: { Id: 1, DisplayAs: 'WorkZone 1', Number: 'x' },
	});
	const file = { EntityType: 'Document', Id: 500 };
	expect(buildWrittenRecord('Document', file, { Blob: { Body: 'x' } }, nameOf)).toEqual(file);
	const person = { EntityType: 'Employee', Id: 500 };
	expect(buildWrittenRecord('Employee', person, { Password: 'x' }, nameOf)).toEqual(person);
	expect(buildWrittenRecord('Customer', specifier, { DisplayAs: 'New' }, nameOf)).toEqual({
		...specifier,
		DisplayAs: 'New',
	});
});
