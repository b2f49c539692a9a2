/**
 * Conditions on custom fields, and on items, are about one row. Nothing published says whether Corrigo
 * looks for one row that meets all of them or compares each with any row, so the answer is right in both.
 */
import fc from 'fast-check';

import { cases } from '../../cases';
import { activate, type Active } from '../../support/activeTrigger';
import { byId, idsOf, jsonOf, shareCompany } from '../../support/company';

const company = shareCompany({ workOrders: 600 });
const { n8n, records, requests } = company;

const VALUES = ['4', '5', '6', undefined];
const getValue = (id: number, field: number) => VALUES[((id * (field + 3)) % 7) % VALUES.length];

/** Gives the orders values of two custom fields, and returns the names of the fields in conditions. */
function insertFields(): string[] {
	return [0, 1].map((field) => {
		const descriptor = records.addField('WO', `Field ${field}`);
		for (const ObjectId of records.ids('WorkOrder')) {
			const Value = getValue(ObjectId, field);
			const own = { ObjectId, ObjectTypeId: 'WO', Descriptor: { Id: descriptor } };
			if (Value !== undefined) records.insert('CustomField2', { ...own, Value });
		}
		return `CustomFields.${descriptor}`;
	});
}

const search = fc.record({
	joinsRows: fc.boolean(),
	match: fc.constantFrom('all' as const, 'any' as const),
	wanted: fc.array(fc.record({ field: fc.nat(1), value: fc.constantFrom(...VALUES) }), {
		minLength: 1,
		maxLength: 3,
	}),
	isOpen: fc.boolean(),
	mostRows: fc.constantFrom(100, 500, 4000),
	limit: fc.constantFrom(Infinity, 5, 60),
	sort: fc.constantFrom([], [{ property: 'Number', direction: 'Descending' }]),
});

/** Either a value of a field or one of the order itself. */
const anyOfBoth = {
	...{ joinsRows: true, match: 'any' as const, wanted: [{ field: 0, value: '4' }], isOpen: true },
	...{ mostRows: 4000 as const, limit: Infinity, sort: [] as const },
};

it('conditions on custom fields find exactly what they say', async () => {
	const found = new Set<boolean>();
	const fields = insertFields();
	await fc.assert(
		fc.asyncProperty(
			search,
			async ({ joinsRows, match, wanted, isOpen, mostRows, limit, sort }) => {
				company.sandbox.set({ joinsRows, mostRows });
				const values = [
					...wanted.map(({ field, value }) => ({
						property: fields[field],
						...(value === undefined ? { operator: 'Null' } : { operator: 'Equal', value }),
					})),
					...(isOpen ? [{ property: 'StatusId', operator: 'Equal', value: 'Open' }] : []),
				];
				const expected = records.idsWhere('WorkOrder', ({ Id, StatusId }) => {
					const tests = wanted.map(({ field, value }) => getValue(Id, field) === value);
					if (isOpen) tests.push(StatusId === 'Open');
					return match === 'all' ? tests.every(Boolean) : tests.some(Boolean);
				});
				const rows = limit === Infinity ? { returnAll: true } : { limit };
				const run = await n8n.succeed('workOrder:getMany', {
					...{ conditions: { values }, match, ...rows, properties: ['Id', 'Number'] },
					...(sort.length > 0 ? { sort: { values: sort } } : {}),
				});
				const ids = idsOf(jsonOf(run.items)) as number[];
				found.add(ids.length > 0);
				const ordered = limit === Infinity ? expected : [...expected].reverse();
				if (sort.length === 0) expect(ids).toEqual(ordered.slice(0, limit));
				else expect(ids.length).toBe(Math.min(expected.length, limit));
				expect(ids.filter((id) => !expected.includes(id))).toEqual([]);
			},
		),
		{ numRuns: cases(8, 60), examples: [[anyOfBoth]] },
	);
	expect(found.size).toBe(2);
});

describe.each([true, false])('where joinsRows is %s', (joinsRows) => {
	beforeEach(() => company.sandbox.set({ joinsRows }));

	it('a condition on a custom field costs one request more, a second one another', async () => {
		const [first, second] = insertFields();
		const values = [first, second].map((property) => ({ property, operator: 'Equal', value: '5' }));
		for (const count of [1, 2]) {
			company.sandbox.forgetRequests();
			await n8n.succeed('workOrder:getMany', {
				...{ conditions: { values: values.slice(0, count) }, return: 'count' },
			});
			expect(requests.queries()).toEqual([
				...['CustomFieldDescriptor', 'WorkOrder'],
				...Array<string>(count).fill('CustomField2'),
			]);
		}
	});

	it.each([
		[
			'custom fields',
			'customer:upsert',
			(one: number, two: number) => `CustomFields.${one},CustomFields.${two}`,
		],
		['addresses', 'contact:upsert', () => 'ContactAddresses.PrimEmail,ContactAddresses.PrimPhone'],
	])('two %s are a key that finds its record again', async (_, operation, getKey) => {
		const [one, two] = ['One', 'Two'].map((name) => records.addField('CommLease', name));
		const rows = {
			'customer:upsert': {
				...records.newCustomer('Nine'),
				CustomFields: [one, two].map((Id) => ({ Descriptor: { Id }, Value: `V-${Id}` })),
			},
			'contact:upsert': {
				...{ LastName: 'Miller', TypeId: 'Primary', CustomerId: records.ids('Customer')[0] },
				ContactAddresses: { PrimEmail: 'm@example.org', PrimPhone: '555 0100' },
			},
		};
		const outcomes = [];
		for (let count = 0; count < 2; count++) {
			const { items } = await n8n.succeed(operation, {
				fieldsJson: rows[operation as keyof typeof rows],
				matchOn: getKey(one, two),
			});
			outcomes.push(items[0].json.Outcome);
		}
		expect(outcomes).toEqual(['created', 'unchanged']);
	});

	it('Asset and Comment find the order that has both in one item', async () => {
		const [one, both] = records.ids('WorkOrder');
		const [asset, other] = records.ids('Location');
		const task = records.rows('Task')[0];
		const addItem = (WorkOrderId: number, Asset: number, Comment: string) =>
			records.insert('WoItem', {
				...{ WorkOrderId, Comment, Asset: { Id: Asset } },
				Task: { Id: task.Id },
			});
		addItem(one, asset, 'Squeaks');
		addItem(one, other, 'Leaks badly');
		addItem(both, asset, 'Leaks badly');
		const filters = { asset: byId(asset), comment: 'leaks badly' };
		const run = await n8n.succeed('workOrder:getMany', { filters, returnAll: true });
		expect(idsOf(jsonOf(run.items))).toEqual([both]);
	});

	describe('a trigger', () => {
		let active: Active;

		beforeEach(async () => {
			active = await activate({ event: 'workOrderCreated' });
			active.sandbox.set({ joinsRows });
		});

		it.each(['workOrderCreated', 'workOrderAction'])(
			'tells of %s by the value of the field',
			async (event) => {
				const { store } = active;
				const field = (Name: string) =>
					store.insert('CustomFieldDescriptor', { ActorTypeId: 'WO', Name, Type: 'String' }).Id;
				const [meant, other] = [field('Meant'), field('Other')];
				const equals = (id: number, value: string) => ({
					...{ property: `CustomFields.${id}`, operator: 'Equal', value },
				});
				const and = {
					...{ event, searchBy: 'conditions' },
					conditions: { values: [equals(meant, 'yes'), equals(other, 'no')] },
				};
				await active.poll(and);
				const add = (values: Record<number, string>) => {
					const ObjectId = active.person({}).Id;
					for (const [id, Value] of Object.entries(values)) {
						const own = { ObjectId, ObjectTypeId: 'WO', Descriptor: { Id: Number(id) } };
						store.insert('CustomField2', { ...own, Value });
					}
					return ObjectId;
				};
				add({ [meant]: 'no', [other]: 'yes' });
				const fits = add({ [meant]: 'yes', [other]: 'no' });
				add({ [meant]: 'yes' });
				const items = await active.poll(and);
				expect(new Set(items.map((one) => one.WorkOrderId ?? one.Id))).toEqual(new Set([fits]));
			},
		);
	});
});
