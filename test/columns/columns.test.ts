import { entities } from '../../nodes/Corrigo/catalogue/entities';
import { readCells, listColumns, buildMembers } from '../../nodes/Corrigo/columns/columns';
import { plainReader } from '../values/plainId';

const published = entities.filter(({ fields }) => Object.keys(fields).length > 0);

describe.each(published.map(({ name, required = [] }) => ({ name, required })))(
	'the columns of $name',
	({ name, required }) => {
		it('have a type and a unique name each', () => {
			const columns = listColumns(name, 'create');
			const labels = columns.map(({ label }) => label);
			expect(labels.filter((label) => !/^[A-Z]/.test(label))).toEqual([]);
			expect(new Set(labels).size).toBe(labels.length);
			expect(columns.filter(({ type }) => type === undefined)).toEqual([]);
			for (const { type, options } of columns) {
				expect((options ?? []).length > 0).toBe(type === 'options');
			}
		});

		it('are required for a create, but not for an update', () => {
			const marked = listColumns(name, 'create').filter((column) => column.required);
			expect(marked.map(({ id }) => id.split('.')[0]).sort()).toEqual([...required].sort());
			expect(listColumns(name, 'update').some((column) => column.required)).toBe(false);
		});

		it('start with the required ones, and are sorted by name', () => {
			const byName = (columns: ReturnType<typeof listColumns>) => {
				const labels = columns.map(({ label }) => label);
				expect(labels).toEqual([...labels].sort(new Intl.Collator('en').compare));
			};
			const columns = listColumns(name, 'create');
			const first = columns.filter((column) => column.required).length;
			const rest = columns.slice(first);
			byName(columns.slice(0, first));
			byName(rest);
			expect(rest.some((column) => column.required)).toBe(false);
		});
	},
);

it('an unpublished entity has no columns', () => {
	expect(listColumns('PmItem', 'create')).toEqual([]);
	expect(listColumns('NoSuchThing', 'create')).toEqual([]);
});

describe('the reader of columns', () => {
	const columns = listColumns('Contact', 'create');
	const cells = (value: unknown, more: object = {}) =>
		readCells('Contact', columns, { mappingMode: 'defineBelow', value, ...more }, {});
	const listIds = (value: unknown) => cells(value).map(({ id }) => id);

	it('leaves out empty values, but an empty text clears a text', () => {
		expect(
			listIds({ LastName: '', Comment: null, CustomerId: '', CanCreateRequest: false, Number: 0 }),
		).toEqual(['LastName', 'CanCreateRequest', 'Number']);
	});

	it.each([null, undefined, 'text', []])('returns no cells for %j', (value) => {
		expect(cells(value)).toEqual([]);
	});

	it('keeps the label that a column had in the form', () => {
		const schema = [{ id: 'CustomFields.9', displayName: 'Badge', type: 'boolean' }, 'nonsense'];
		expect(cells({ 'CustomFields.9': true }, { schema })).toEqual([
			{ id: 'CustomFields.9', label: 'Badge', type: 'boolean', value: true },
		]);
	});

	it('finds values of the item by path, in nested objects, and by the names of custom fields', () => {
		const schema = [
			{ id: 'CustomFields.9', displayName: 'Badge', type: 'string' },
			// Its name is that of a member, whose rows are no value of it.
			{ id: 'CustomFields.8', displayName: 'Notes', type: 'string' },
		];
		const found = (entity: string, item: Record<string, unknown>) =>
			Object.fromEntries(
				readCells(
					entity,
					listColumns(entity, 'update'),
					{ mappingMode: 'autoMapInputData', value: null, schema },
					item,
				).map(({ id, value }) => [id, value]),
			);
		expect(
			found('WorkOrder', {
				Id: 1,
				Number: 'X',
				PoNumber: 'P',
				'Customer.Id': 5,
				Priority: { Id: 2, DisplayAs: 'High' },
				Specialty: 7,
				MainAsset: { 'Main Asset ID': 8 },
				CustomFields: { Badge: 'B', Other: 'O' },
				'Vendor NTE': { Text: 'an object of another system' },
				Notes: [{}],
			}),
		).toEqual({
			PoNumber: 'P',
			'Customer.Id': 5,
			'MainAsset.Id': { 'Main Asset ID': 8 },
			'Priority.Id': 2,
			'Specialty.Id': 7,
			'CustomFields.9': 'B',
			// It is refused as no amount, rather than left out without a word.
			'VendorNte.Value': { Text: 'an object of another system' },
		});
		expect(found('WorkOrder', { CustomFields: { '9': 'by id' } })).toEqual({
			'CustomFields.9': 'by id',
		});
	});

	it('tells a field that is named as another one is shown from that one', () => {
		const schema = [
			{ id: 'CustomFields.2', displayName: 'Zone (ID 2)', type: 'string' },
			{ id: 'CustomFields.7', displayName: 'Zone', type: 'string' },
		];
		const mapped = { mappingMode: 'autoMapInputData', value: null, schema };
		for (const item of [
			{ Zone: 'a', 'Zone (ID 2)': 'b' },
			{ CustomFields: { Zone: 'a', 'Zone (ID 2)': 'b' } },
		]) {
			expect(readCells('Contact', columns, mapped, item)).toEqual([
				expect.objectContaining({ id: 'CustomFields.2', value: 'b' }),
				expect.objectContaining({ id: 'CustomFields.7', value: 'a' }),
			]);
		}
	});
});

it('embedded objects and references have columns', () => {
	const ids = listColumns('WorkOrder', 'create').map(({ id }) => id);
	expect(ids).toEqual(
		expect.arrayContaining(['VendorNte.Value', 'VendorNte.CurrencyTypeId', 'Customer.Id']),
	);
});

it('an amount is accepted only with its currency', () => {
	const amount = { id: 'VendorNte.Value', label: 'Vendor NTE', value: 5 };
	const currency = { id: 'VendorNte.CurrencyTypeId', label: 'Vendor NTE Currency', value: 'USD' };
	expect(buildMembers('WorkOrder', [amount, currency], plainReader)).toEqual({
		VendorNte: { Value: 5, CurrencyTypeId: 'USD' },
	});
	expect(() => buildMembers('WorkOrder', [amount], plainReader)).toThrow(
		/'Vendor NTE' has no currency/,
	);
});
