import { entities, getMemberTypes } from '../../nodes/Corrigo/catalogue/entities';
import { enumerations, isEnumerationName } from '../../nodes/Corrigo/catalogue/enumerations';
import { resolveIds } from '../../nodes/Corrigo/values/names';

const resolve = (owner: string, member: string, value: unknown) =>
	resolveIds(owner, 'Fields (JSON)', { [member]: value }, () => 7)[member];

describe('the number of a member of an enumeration', () => {
	const members = entities.flatMap(({ name }) =>
		Object.entries(getMemberTypes(name)).flatMap(([member, type]) =>
			isEnumerationName(type) ? [{ owner: name, member, type }] : [],
		),
	);
	const closed = members.filter(({ type }) => type !== 'BillStatus');

	it('is sent as it is, and any other is refused with the members', () => {
		expect(closed.length).toBeGreaterThan(50);
		for (const { owner, member, type } of closed) {
			const { length } = enumerations[type];
			for (const number of [0, length - 1]) expect(resolve(owner, member, number)).toBe(number);
			for (const number of [-1, length, 99, 1.5]) {
				const [first, second] = enumerations[type];
				expect(() => resolve(owner, member, number)).toThrow(
					`'Fields (JSON) > ${member}' must be one of ${first}, ${second}`,
				);
			}
		}
	});

	it('may be the sum of several members', () => {
		expect(resolve('WoLastAction', 'BillStatus', 6)).toBe(6);
	});
});

describe('a record in place of a reference', () => {
	it.each([
		[
			{ Id: 5, DisplayAs: 'Pump seal' },
			{ Id: 5, DisplayAs: 'Pump seal' },
		],
		[{ DisplayAs: 'Pump seal' }, { Id: 7 }],
		[{ displayas: 'Pump seal', PartNumber: 'P' }, { Id: 7 }],
		['Pump seal', { Id: 7 }],
		[null, null],
	])('is found by its Id or name: %j', (value, sent) => {
		expect(resolve('ReplenishmentOrderItem', 'Product', value)).toEqual(sent);
	});

	it.each([{}, { PartNumber: 'P' }, { DisplayAs: '' }, { DisplayAs: '17' }])(
		'is refused without both: %j',
		(value) => {
			expect(() => resolve('ReplenishmentOrderItem', 'Product', value)).toThrow(
				"'Fields (JSON) > Product' has no Id, so it is not known which product is meant",
			);
		},
	);

	it('is none where it is a part of its owner, or a new record in a command', () => {
		const address = { Street: 'Main Street 1' };
		expect(resolve('WorkOrder', 'Address', address)).toEqual(address);
		const estimate = { Amount: { Value: 1, CurrencyTypeId: 'USD' } };
		expect(resolve('WorkOrder', 'Estimate', estimate)).toEqual(estimate);
		const order = { Customer: { DisplayAs: 'Contoso' } };
		expect(resolve('WoCreateCommand', 'WorkOrder', order)).toEqual({ Customer: { Id: 7 } });
	});
});
