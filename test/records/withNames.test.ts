import {
	addNames,
	arrangeMembers,
	buildWrittenRecord,
	listSummaryMembers,
	simplifyRecord,
} from '../../nodes/Corrigo/records/names';

const getName = (entity: string, id: unknown) =>
	Number(id) < 100 ? `${entity} ${String(id)}` : undefined;

it('names go into references, also those of rows', () => {
	const order = { Customer: { Id: 1 }, Priority: { Id: 100 }, Items: [{ Asset: { Id: 2 } }] };
	expect(addNames('WorkOrder', order, getName)).toEqual({
		Customer: { Id: 1, DisplayAs: 'Customer 1' },
		Priority: { Id: 100 },
		Items: [{ Asset: { Id: 2, Name: 'Location 2' } }],
	});
});

it('names stand next to other IDs', () => {
	const costs = { Id: 7, ApStatusId: 3, CostStatusId: 100 };
	expect(addNames('WorkOrderCost', costs, getName)).toEqual({
		...costs,
		ApStatus: { Id: 3, DisplayAs: 'ApInvoiceStatus 3' },
	});
});

it('labels take the place of the codes of statuses; other codes stay', () => {
	const order = { StatusId: 'InProgress', CurrencyTypeId: 'USD', TypeCategory: 'Request' };
	expect(addNames('WorkOrder', order, getName)).toEqual({
		Status: 'In Progress',
		CurrencyTypeId: 'USD',
		TypeCategory: 'Request',
	});
});

it('names that the service gives itself stay', () => {
	const order = { Customer: { Id: 1, DisplayAs: 'Contoso' }, StatusId: 'New', Status: 'Brand new' };
	expect(addNames('WorkOrder', order, getName)).toEqual(order);
});

describe('arranged members', () => {
	const order = { ConcurrencyId: 5, Status: 'New', Id: 1, PoNumber: 'P', Number: 'N1' };

	it.each<[string, ((member: string) => boolean) | undefined, string[]]>([
		['with all others', undefined, ['Number', 'Id', 'Status', 'ConcurrencyId', 'PoNumber']],
		['without others', () => false, ['Number', 'Id', 'Status']],
		['with one that was set', (one) => one === 'PoNumber', ['Number', 'Id', 'Status', 'PoNumber']],
	])('are those of the summary, in its order, %s', (_, isAskedFor, members) => {
		const summary = listSummaryMembers('WorkOrder');
		expect(Object.keys(arrangeMembers(summary, order, isAskedFor))).toEqual(members);
	});

	it('are all members of an entity without a summary', () => {
		const summary = listSummaryMembers('WoPriority');
		expect(arrangeMembers(summary, order, () => false)).toEqual(order);
	});
});

it('a record with all its members begins with its names, and its version comes last', () => {
	const priority = { ConcurrencyId: 5, IsEmergency: true, DisplayAs: 'High', Id: 1, Abbr: 'H' };
	const shown = simplifyRecord('WoPriority', priority, getName, []);
	expect(Object.keys(shown)).toEqual(['Id', 'DisplayAs', 'IsEmergency', 'Abbr', 'ConcurrencyId']);
});

it('a written record shows what was written, with names, but no rows, password or file', () => {
	const specifier = { EntityType: 'Customer', Id: 5, ConcurrencyId: 2 };
	const written = { Dba: 'D', WorkZone: { Id: 1, Number: 'x' }, Address: [{ Street: 'S' }] };
	expect(buildWrittenRecord('Customer', specifier, written, getName)).toEqual({
		Id: 5,
		DisplayAs: 'Customer 5',
		Dba: 'D',
		WorkZone: { Id: 1, DisplayAs: 'WorkZone 1', Number: 'x' },
	});
	const file = { EntityType: 'Document', Id: 500 };
	expect(buildWrittenRecord('Document', file, { Blob: { Body: 'x' } }, getName)).toEqual({
		Id: 500,
	});
	const person = { EntityType: 'Employee', Id: 500 };
	expect(buildWrittenRecord('Employee', person, { Password: 'x' }, getName)).toEqual({ Id: 500 });
	expect(buildWrittenRecord('Customer', specifier, { DisplayAs: 'New' }, getName)).toEqual({
		Id: 5,
		DisplayAs: 'New',
	});
});
