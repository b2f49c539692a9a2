import { equalsIgnoringAccents, collectValues } from '../../nodes/Corrigo/records/lookup';

it('a path finds values through references and collections, and none if it ends early', () => {
	const record = {
		Id: 1,
		Zero: 0,
		No: false,
		Empty: '',
		Customer: { Id: 2, WorkZone: null },
		ContactAddresses: [{ Address: 'a' }, { Address: null }, {}, 'x', { Address: 'b' }],
	};
	expect(collectValues(record, 'Id')).toEqual([1]);
	expect(['Zero', 'No', 'Empty'].flatMap((name) => collectValues(record, name))).toEqual([
		0,
		false,
		'',
	]);
	expect(collectValues(record, 'Customer.Id')).toEqual([2]);
	expect(collectValues(record, 'ContactAddresses.Address')).toEqual(['a', 'b']);
	for (const path of ['Customer.WorkZone', 'Customer.WorkZone.Id', 'Nothing', 'Id.Id']) {
		expect(collectValues(record, path)).toEqual([]);
	}
	expect(collectValues(undefined, 'Id')).toEqual([]);
});

it('names are compared without case and accents', () => {
	expect(equalsIgnoringAccents('Köln', 'KOLN')).toBe(true);
	expect(equalsIgnoringAccents('Kiln', 'Koln')).toBe(false);
});
