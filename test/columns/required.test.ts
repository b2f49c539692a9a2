import { entities, findEntityMemberType } from '../../nodes/Corrigo/catalogue/entities';
import {
	getColumnLabel,
	createEmptyFieldsError,
	getMissingMembers,
} from '../../nodes/Corrigo/columns/columns';
import { requireMembers } from '../../sandbox/base/requirements';

const CUSTOMER = { DisplayAs: 'N', Name: 'N', WorkZone: { Id: 11 }, Dba: 'N', TenantCode: 'N-1' };

describe('the check for required values', () => {
	it.each<[string, object, string[]]>([
		['a complete record lacks nothing: a yes/no member counts as off', CUSTOMER, []],
		['names are compared in any case', { ...CUSTOMER, Dba: undefined, dba: 'N' }, []],
		['blanks are no text', { ...CUSTOMER, Name: ' ' }, ['Name']],
		['null is no value', { ...CUSTOMER, TenantCode: null }, ['TenantCode']],
		['a reference without an ID is none', { ...CUSTOMER, WorkZone: { Id: 0 } }, ['WorkZone']],
		['an object without members is none', { ...CUSTOMER, WorkZone: {} }, ['WorkZone']],
		['an empty list is none', { ...CUSTOMER, Name: [] }, ['Name']],
		['all are named', {}, ['DisplayAs', 'Name', 'WorkZone', 'Dba', 'TenantCode']],
	])('%s', (_, record, missing) => {
		expect(getMissingMembers('Customer', { ...record })).toEqual(missing);
	});

	it('knows of none where the catalogue names none', () => {
		expect(getMissingMembers('WorkOrder', {})).toEqual([]);
		expect(getMissingMembers('NewEntity', {})).toEqual([]);
	});

	const required = entities.flatMap(({ name, required: members = [] }) =>
		members
			.filter((member) => findEntityMemberType(name, member) !== 'boolean')
			.map((member): [string, string] => [name, member]),
	);

	it.each(required)(
		'refuses no %s that Corrigo takes: %s is required in sandbox/base/requirements, too',
		(name, member) => {
			const others = entities.find((entity) => entity.name === name)?.required ?? [];
			const record = Object.fromEntries(
				others.filter((other) => other !== member).map((other) => [other, 'given']),
			);
			expect(() => requireMembers(name, record)).toThrow(`${member} is a required field`);
		},
	);
});

it('labels are those of the columns', () => {
	const labels = getMissingMembers('Customer', {}).map((name) => getColumnLabel('Customer', name));
	expect(labels).toEqual([
		'Display Name',
		'Name',
		'Work Zone',
		'DBA (Doing Business As)',
		'Tenant Code',
	]);
	expect(getColumnLabel('Location', 'ModelId')).toBe('Model');
});

it.each([
	[['Name'], "'Name' is empty", 'A new customer needs a value for it.'],
	[['Name', 'DBA'], "'Name' and 'DBA' are empty", 'A new customer needs a value for each of them.'],
	[
		['Name', 'DBA', 'Work Zone'],
		"'Name', 'DBA', and 'Work Zone' are empty",
		'A new customer needs a value for each of them.',
	],
])('one message names the empty fields %j', (labels, message, advice) => {
	expect(createEmptyFieldsError(labels, 'customer')).toMatchObject({ message, advice });
});
