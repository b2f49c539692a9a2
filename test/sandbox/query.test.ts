import { type Condition, listIds, getRefusal, listRows, sharedClient } from './client';

const client = sharedClient({ workOrders: 5000 });

const select = (...Properties: string[]) => ({ PropertySet: { Properties } });
const Orders = [{ PropertyName: 'Id' }];

describe('answers', () => {
	it('a query wraps every row, returns the RequestId and references by Id', async () => {
		const QueryExpression = { Count: 2, Orders, ...select('Id', 'Customer.Id') };
		const body = { RequestId: 'q1', QueryExpression };
		const { status, data } = await client.call('POST', 'query/WorkOrder', { body });
		const Entities = [50001, 50002].map((Id) => ({
			Data: { Id, Customer: { Id: expect.any(Number) } },
		}));
		expect([status, data]).toEqual([200, { Entities, RequestId: 'q1' }]);
	});

	it('a query without properties returns all own members', async () => {
		const [row] = listRows(await client.query('WoPriority', { Count: 1, Orders }));
		expect(row).toEqual({
			Id: 1,
			DisplayAs: 'Emergency',
			IsEmergency: true,
			AcknowledgeInMinutes: 15,
			RespondInMinutes: 60,
			DueInMinutes: 240,
		});
	});
});

describe('pages', () => {
	it.each([4001, 5000, 0, undefined])('a page has at most 4000 rows (Count %s)', async (Count) => {
		const answer = await client.query('WorkOrder', { Count, ...select('Id') });
		expect(listIds(answer)).toHaveLength(4000);
	});
});

it('a query sorts by several members in turn', async () => {
	const answer = await client.query('WorkOrder', {
		Orders: [
			{ PropertyName: 'Customer.DisplayAs', OrderType: 'Descending' },
			{ PropertyName: 'id', OrderType: 1 },
		],
		Count: 200,
		...select('Id', 'Customer.DisplayAs'),
	});
	const rows = listRows(answer).map(({ Id, Customer }) => ({
		id: Number(Id),
		name: String(Customer.DisplayAs).toLowerCase(),
	}));
	const sorted = [...rows].sort((a, b) =>
		a.name === b.name ? b.id - a.id : a.name < b.name ? 1 : -1,
	);
	expect(rows).toEqual(sorted);
});

describe('operators', () => {
	it('names may be in any case, and numbers may be texts', async () => {
		const find = async (...condition: Condition): Promise<number[]> =>
			listIds(await client.queryWhere('WoPriority', condition, { Orders }));
		expect(await find('dISPLAYaS', 'eQUAL', 'low')).toEqual([4]);
		expect(await find('Id', 'Between', 2, '3')).toEqual([2, 3]);
	});

	it.each<[string, string, unknown[]]>([
		['DisplayAs', 'Contains', ['x']],
		['DisplayAs', 'Equal', []],
		['DisplayAs', 'Equal', ['a', 'b']],
		['DisplayAs', 'Between', [1]],
		['DisplayAs', 'Between', [1, 2, 3]],
		['DisplayAs', 'In', []],
		['DisplayAs', 'Null', ['x']],
		['DisplayAs', 'Like', ['a', 'b']],
		['DisplayAs', 'Equal', [null]],
		['Id', 'Like', ['1%']],
	])('the condition %s %s %j is rejected', async (property, operator, values) => {
		const call = client.queryWhere('WoPriority', [property, operator, ...values]);
		expect(await getRefusal(call)).toBe('INCORRECT_MODEL');
	});

	it('Like has no wildcard but %', async () => {
		const like = async (pattern: string): Promise<number[]> =>
			listIds(await client.queryWhere('Customer', ['Name', 'Like', pattern]));
		expect(await like('blue_lagoon%')).not.toHaveLength(0);
		expect(await like('blue.lagoon%')).toHaveLength(0);
		expect(await like('%[West]%')).not.toHaveLength(0);
	});
});

describe('values', () => {
	const count = async (...condition: Condition): Promise<number> =>
		listIds(await client.queryWhere('WorkOrder', condition, { Count: 4000, ...select('Id') }))
			.length;

	it('a condition accepts enumerations by name, by integer and by integer as text', async () => {
		const byName = await count('StatusId', 'Equal', 'OnHold');
		expect(byName).toBeGreaterThan(0);
		expect(await count('StatusId', 'Equal', '5')).toBe(byName);
		expect(await count('StatusId', 'Equal', 5)).toBe(byName);
		expect(await count('StatusId', 'Equal', 'onhold')).toBe(byName);
	});

	it('a condition accepts instants with and without Z, with any fraction', async () => {
		const page = { Count: 1, FirstResultIndex: 2500, Orders };
		const [row] = listRows(await client.query('WorkOrder', page));
		const at = String(row.CreatedDateUtc);
		const plain = await count('CreatedDateUtc', 'GreaterOrEqual', at);
		expect(plain).toBeGreaterThan(0);
		expect(await count('CreatedDateUtc', 'GreaterOrEqual', `${at}Z`)).toBe(plain);
		expect(await count('CreatedDateUtc', 'GreaterOrEqual', `${at}.0000000`)).toBe(plain);
		expect(await count('CreatedDateUtc', 'GreaterThan', at)).toBe(plain - 1);
	});

	it.each([
		['StatusId', 'Nope'],
		['CreatedDateUtc', 'yesterday'],
		['Id', 'abc'],
		['IsWarranty', 'perhaps'],
	])('a condition on %s rejects the value %s', async (property, value) => {
		const call = client.queryWhere('WorkOrder', [property, 'Equal', value]);
		expect(await getRefusal(call)).toBe('INCORRECT_MODEL');
	});
});

describe('paths', () => {
	it.each<Condition>([
		['Customer.Id', 'Equal', 105],
		['WorkZone.Id', 'Equal', '11'],
		['Priority.IsEmergency', 'Equal', true],
		['LastAction.LastAction.TypeId', 'Equal', 'Complete'],
		['Items.Asset.Info.TagId', 'Like', 'TAG%'],
	])('a condition follows the path %s', async (...condition) => {
		const answer = await client.queryWhere('WorkOrder', condition, { Count: 5 });
		expect(listIds(answer)).toHaveLength(5);
	});

	it.each([
		['Foo', 'ERROR_CODE_1002'],
		['Customer.Foo', 'ERROR_CODE_1002'],
		['Customer', 'ERROR_CODE_1003'],
		['Items', 'ERROR_CODE_1003'],
		['LastAction.Reason.Id', 'ERROR_CODE_1002'],
	])('a condition on %s is rejected', async (path, code) => {
		expect(await getRefusal(client.queryWhere('WorkOrder', [path, 'Equal', '1']))).toBe(code);
	});

	it('a path that cannot be filtered by can be selected', async () => {
		const query = { Count: 1, ...select('LastAction.Reason.Id') };
		expect((await client.query('WorkOrder', query)).status).toBe(200);
	});
});

it.each([
	['a sort key of another name', { Order: [] }, 'INCORRECT_MODEL'],
	['an order of another form', { Orders: [{ Property: 'Id' }] }, 'INCORRECT_MODEL'],
	['an order without a scalar', { Orders: [{ PropertyName: 'Customer' }] }, 'ERROR_CODE_1003'],
	['an unknown direction', { Orders: [{ ...Orders[0], OrderType: 'Up' }] }, 'INCORRECT_MODEL'],
	['an unknown filter operator', { Criteria: { FilterOperator: 'Xor' } }, 'INCORRECT_MODEL'],
	[
		'values that are not a list',
		{ Criteria: { Conditions: [{ PropertyName: 'Id', Operator: 'Equal', Values: 1 }] } },
		'INCORRECT_MODEL',
	],
	['a negative count', { Count: -1 }, 'INCORRECT_MODEL'],
	['a text for a count', { Count: '5' }, 'INCORRECT_MODEL'],
])('a query rejects %s', async (_case, expression, code) => {
	expect(await getRefusal(client.query('WorkOrder', expression))).toBe(code);
});

it('a query rejects a body without an expression', async () => {
	const call = client.call('POST', 'query/WoPriority', { body: { Count: 1 } });
	expect(await getRefusal(call)).toBe('INCORRECT_MODEL');
});

it.each([
	['Default', 200],
	['ReadUncommitted', 200],
	['ReadCommitted', 200],
	['Snapshot', 200],
	['Serializable', 400],
])('a query with the isolation level %s is answered with %i', async (level, status) => {
	const headers = { DataRetrievalIsolationLevel: level };
	const call = { body: { QueryExpression: {} }, headers };
	expect((await client.call('POST', 'query/WoPriority', call)).status).toBe(status);
});
