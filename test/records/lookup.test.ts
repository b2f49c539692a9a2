import { equalsIgnoringAccents, valuesAt } from '../../nodes/Corrigo/records/lookup';

it('valuesAt finds values through references and collections, and none if the path ends early', () => {
	const record = {
		Id: 1,
		Zero: 0,
		No: false,
		Empty: '',
		Customer: { Id: 2, WorkZone: null },
		ContactAddresses: [{ Address: 'a' }, { Address: null }, {}, 'x', { Address: 'b' }],
	};
	expect(valuesAt(record, 'Id')).toEqual([1]);
	expect(['Zero', 'No', 'Empty'].flatMap((name) => valuesAt(record, name))).toEqual([0, false, '']);
	expect(valuesAt(record, 'Customer.Id')).toEqual([2]);
	expect(valuesAt(record, 'ContactAddresses.Address')).toEqual(['a', 'b']);
	for (const path of ['Customer.WorkZone', 'Customer.WorkZone.Id', 'Nothing', 'Id.Id']) {
		expect(valuesAt(record, path)).toEqual([]);
	}
	expect(valuesAt(undefined, 'Id')).toEqual([]);
});

it('equalsIgnoringAccents ignores case and accents', () => {
	expect(equalsIgnoringAccents('Köln', 'KOLN')).toBe(true);
	expect(equalsIgnoringAccents('Kiln', 'Koln')).toBe(false);
});
