import { Readable } from 'node:stream';

import {
	addNames,
	arrangeMembers,
	buildWrittenRecord,
	KnownNames,
	listSummaryMembers,
	loadNames,
	simplifyRecord,
} from '../../nodes/Corrigo/records/names';
import type { Caller } from '../../nodes/Corrigo/transport/send';
import { startCpuTime } from '../support/cpu';

it.each([
	['where every record has a detail', 'Customer', 'Contoso (T1, East)', 'Contoso'],
	['with brackets of its own', 'Employee', 'Ada (night) (Employee, E1)', 'Ada (night)'],
	['where lists show no details', 'WoPriority', 'High (24 h)', 'High (24 h)'],
	['where no details are shown', 'WorkZone', 'East', 'East'],
	['with brackets within its details', 'WorkOrder', 'CHL1 (Suite 1 (east), New)', 'CHL1'],
	['unless its brackets may be details', 'WorkZone', 'East (E)', undefined],
	['unless it is cut', 'WoPriority', 'High, for al…', undefined],
	['unless it has none', 'Customer', 'ID 5 (T1, East)', undefined],
	['unless the records have no names', 'WoNote', 'Ring twice', undefined],
])('a choice from a list has a name %s: %s, %s', (_, entity, shown, name) => {
	const names = new KnownNames();
	names.noteChoice(entity, 5, shown);
	expect(names.getName(entity, '5')).toBe(name);
	expect(names.getName('Role', 5)).toBeUndefined();
});

it('a record that a dry run did not create has no name', () => {
	const names = new KnownNames();
	names.note('Customer', 0, 'Contoso');
	expect(names.getName('Customer', 0)).toBeUndefined();
});

it('many names are looked up in a time that grows with their number', async () => {
	const body = Buffer.from('{"Entities":[{"Data":{"Id":7,"DisplayAs":"Contoso"}}]}');
	const httpRequestWithAuthentication = async () =>
		await Promise.resolve({ statusCode: 200, headers: {}, body: Readable.from([body]) });
	const caller = { helpers: { httpRequestWithAuthentication } } as unknown as Caller;
	const references = Array.from({ length: 60_000 }, (_, id) => ({ entity: 'Customer', id }));
	const readCpuTime = startCpuTime();
	const getName = await loadNames({ caller }, references, new KnownNames());
	expect(readCpuTime()).toBeLessThan(3);
	expect(getName('Customer', 7)).toBe('Contoso');
});

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

it('time zones have names in place of the numbers that Corrigo uses', () => {
	expect(addNames('WorkZone', { TimeZone: 35 }, getName)).toEqual({ TimeZone: 'America/New_York' });
	expect(addNames('WorkZone', { TimeZone: 999 }, getName)).toEqual({ TimeZone: 999 });
});

it('a simplified record has no ID that refers to nothing', () => {
	const asset = { Id: 5, Name: 'Pump', ModelId: 3, ParentId: 0 };
	const named = simplifyRecord('Location', asset, getName, ['ModelId']);
	expect(named).toEqual({
		Id: 5,
		Name: 'Pump',
		Model: { Id: 3, DisplayAs: 'Model 3' },
		ModelId: 3,
	});
	expect(simplifyRecord('Location', asset, getName, [])).toEqual({
		Id: 5,
		Name: 'Pump',
		ModelId: 3,
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
