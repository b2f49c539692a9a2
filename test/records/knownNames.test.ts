import { Readable } from 'node:stream';

import { KnownNames, loadNames } from '../../nodes/Corrigo/records/names';
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
