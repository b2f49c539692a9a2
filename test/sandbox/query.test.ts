import { Client, entities, ids, refusal } from './client';

describe('query', () => {
	let client: Client;

	beforeAll(async () => {
		client = await Client.of({ workOrders: 5000 });
	});
	afterAll(async () => await client.close());

	const select = (...Properties: string[]) => ({ PropertySet: { Properties } });
	const Orders = [{ PropertyName: 'Id' }];

	describe('answers', () => {
		it('wraps every row, echoes the RequestId and gives references by id', async () => {
			const { status, data } = await client.call('POST', 'query/WorkOrder', {
				body: {
					RequestId: 'q1',
					QueryExpression: { Count: 2, Orders, ...select('Id', 'Customer.Id') },
				},
			});
			expect([status, data]).toEqual([
				200,
				{
					Entities: [
						{ Data: { Id: 50001, Customer: { Id: expect.any(Number) } } },
						{ Data: { Id: 50002, Customer: { Id: expect.any(Number) } } },
					],
					RequestId: 'q1',
				},
			]);
		});

		it('is an empty list when nothing fits', async () => {
			const { status, data } = await client.where('WorkOrder', ['Id', 'Equal', -1]);
			expect([status, data]).toEqual([200, { Entities: [] }]);
		});

		it('gives all own members when no properties are named', async () => {
			const [row] = entities(await client.query('WoPriority', { Count: 1, Orders }));
			expect(row).toEqual({
				Id: 1,
				DisplayAs: 'Emergency',
				IsEmergency: true,
				AcknowledgeInMinutes: 15,
				RespondInMinutes: 60,
				DueInMinutes: 240,
			});
		});

		it('marks old UTC members with no Z', async () => {
			const row = await client.read('WorkOrder', 50001, 'LastActionDateUtc');
			expect(row.LastActionDateUtc).toMatch(/^20\d\d-.*[^Z]$/);
		});
	});

	describe('pages', () => {
		it('counts from FirstResultIndex', async () => {
			const answer = await client.query('WorkOrder', { Count: 3, FirstResultIndex: 10, Orders });
			expect(ids(answer)).toEqual([50011, 50012, 50013]);
		});

		it.each([4001, 5000, 0, undefined])(
			'never has more than 4000 rows (Count %s)',
			async (Count) => {
				const answer = await client.query('WorkOrder', { Count, ...select('Id') });
				expect(ids(answer)).toHaveLength(4000);
			},
		);

		it('goes on by key', async () => {
			const answer = await client.where('WorkOrder', ['Id', 'GreaterThan', 54998], {
				Count: 1000,
				Orders,
			});
			expect(ids(answer)).toEqual([54999, 55000]);
		});
	});

	describe('orders', () => {
		it('sorts by one member and then by the next', async () => {
			const answer = await client.query('WorkOrder', {
				Orders: [
					{ PropertyName: 'Customer.DisplayAs', OrderType: 'Descending' },
					{ PropertyName: 'id', OrderType: 1 },
				],
				Count: 200,
				...select('Id', 'Customer.DisplayAs'),
			});
			const rows = entities(answer).map(({ Id, Customer }) => ({
				id: Number(Id),
				name: String(Customer.DisplayAs).toLowerCase(),
			}));
			const sorted = [...rows].sort((a, b) =>
				a.name === b.name ? b.id - a.id : a.name < b.name ? 1 : -1,
			);
			expect(rows).toEqual(sorted);
		});

		it('turns around by Id', async () => {
			const descending = [{ PropertyName: 'Id', OrderType: 'Descending' }];
			expect(ids(await client.query('WorkOrder', { Orders: descending, Count: 2 }))).toEqual([
				55000, 54999,
			]);
		});
	});

	describe('operators', () => {
		const found = async (...condition: [string, string, ...unknown[]]): Promise<number[]> =>
			ids(await client.where('WoPriority', condition, { Orders }));

		it.each<[string, [string, string, ...unknown[]], number[]]>([
			['Between', ['Id', 'Between', 2, '3'], [2, 3]],
			['Equal', ['DisplayAs', 'Equal', 'HIGH'], [2]],
			['GreaterOrEqual', ['Id', 'GreaterOrEqual', '3'], [3, 4]],
			['GreaterThan', ['Id', 'GreaterThan', 3], [4]],
			['In', ['Id', 'In', 1, '4', 99], [1, 4]],
			['LessOrEqual', ['DueInMinutes', 'LessOrEqual', 1440], [1, 2]],
			['LessThan', ['DueInMinutes', 'LessThan', 1440], [1]],
			['Like', ['DisplayAs', 'Like', '%g%'], [1, 2]],
			['NotBetween', ['Id', 'NotBetween', 2, 3], [1, 4]],
			['NotEqual', ['IsEmergency', 'NotEqual', true], [2, 3, 4]],
			['NotIn', ['Id', 'NotIn', 1, 2], [3, 4]],
			['NotLike', ['DisplayAs', 'NotLike', '%g%'], [3, 4]],
			['NotNull', ['DisplayAs', 'NotNull'], [1, 2, 3, 4]],
			['Null', ['DisplayAs', 'Null'], []],
			['names in any case', ['dISPLAYaS', 'eQUAL', 'low'], [4]],
		])('%s', async (_name, condition, expected) => {
			expect(await found(...condition)).toEqual(expected);
		});

		it.each([
			['Contains', ['x']],
			['StartsWith', ['x']],
			['IsNull', []],
			['GreaterThanOrEqual', [1]],
			['Equal', []],
			['Equal', ['a', 'b']],
			['Between', [1]],
			['Between', [1, 2, 3]],
			['In', []],
			['Null', ['x']],
			['NotNull', [true]],
			['Like', ['a', 'b']],
			['Equal', [null]],
		])('refuses %s with the values %j', async (operator, values) => {
			const answer = await client.where('WoPriority', ['DisplayAs', operator, ...values]);
			expect(refusal(answer)).toEqual([400, 'INCORRECT_MODEL']);
		});

		it('looks for text in texts only', async () => {
			expect(refusal(await client.where('WoPriority', ['Id', 'Like', '1%']))[0]).toBe(400);
		});

		it('takes no wildcard but %', async () => {
			const like = async (pattern: string): Promise<number[]> =>
				ids(await client.where('Customer', ['Name', 'Like', pattern]));
			expect(await like('blue_lagoon%')).not.toHaveLength(0);
			expect(await like('blue.lagoon%')).toHaveLength(0);
			expect(await like('%[West]%')).not.toHaveLength(0);
		});
	});

	describe('values', () => {
		const count = async (...condition: [string, string, ...unknown[]]): Promise<number> =>
			ids(await client.where('WorkOrder', condition, { Count: 4000, ...select('Id') })).length;

		it('takes enumerations by name, by integer and by integer text', async () => {
			const byName = await count('StatusId', 'Equal', 'OnHold');
			expect(byName).toBeGreaterThan(0);
			expect(await count('StatusId', 'Equal', '5')).toBe(byName);
			expect(await count('StatusId', 'Equal', 5)).toBe(byName);
			expect(await count('StatusId', 'Equal', 'onhold')).toBe(byName);
		});

		it('takes instants with and without the mark, to any fraction', async () => {
			const [row] = entities(
				await client.query('WorkOrder', { Count: 1, FirstResultIndex: 2500, Orders }),
			);
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
		])('refuses for %s the value %s', async (property, value) => {
			const answer = await client.where('WorkOrder', [property, 'Equal', value]);
			expect(refusal(answer)).toEqual([400, 'INCORRECT_MODEL']);
		});
	});

	describe('paths', () => {
		it.each([
			['Customer.Id', 'Equal', 105],
			['WorkZone.Id', 'Equal', '11'],
			['Priority.IsEmergency', 'Equal', true],
			['LastAction.LastAction.TypeId', 'Equal', 'Complete'],
			['Items.Asset.Info.TagId', 'Like', 'TAG%'],
		])('goes through %s', async (...condition) => {
			const answer = await client.where('WorkOrder', condition as [string, string, unknown], {
				Count: 5,
			});
			expect(ids(answer)).toHaveLength(5);
		});

		it('repeats a row per child that fits, unless Distinct', async () => {
			const contact = Number(ids(await client.query('Contact', { Count: 1, Orders }))[0]);
			const condition: [string, string, unknown] = ['ContactAddresses.Address', 'Like', '%0%'];
			expect(ids(await client.where('Contact', condition, { Count: 2, Orders }))).toEqual([
				contact,
				contact,
			]);
			const distinct = await client.where('Contact', condition, {
				Count: 2,
				Distinct: true,
				Orders,
			});
			expect(ids(distinct)).toEqual([contact, contact + 1]);
		});

		it('joins a collection once for two conditions on it', async () => {
			const filter = (FilterOperator: string) => ({
				Criteria: {
					FilterOperator,
					Conditions: [
						{
							PropertyName: 'ContactAddresses.AddrTypeId',
							Operator: 'Equal',
							Values: ['PrimEmail'],
						},
						{ PropertyName: 'contactaddresses.Address', Operator: 'Like', Values: ['+1%'] },
					],
				},
			});
			expect(ids(await client.query('Contact', filter('And')))).toEqual([]);
			expect(ids(await client.query('Contact', filter('OR')))).toHaveLength(120);
		});

		it.each([
			['Foo', 'ERROR_CODE_1002'],
			['Customer.Foo', 'ERROR_CODE_1002'],
			['Customer', 'ERROR_CODE_1003'],
			['Items', 'ERROR_CODE_1003'],
			['LastAction.Reason.Id', 'ERROR_CODE_1002'],
		])('refuses a condition on %s', async (path, code) => {
			expect(refusal(await client.where('WorkOrder', [path, 'Equal', '1']))).toEqual([400, code]);
		});

		it('can select what it refuses to filter by', async () => {
			const answer = await client.query('WorkOrder', {
				Count: 1,
				...select('LastAction.Reason.Id'),
			});
			expect(answer.status).toBe(200);
		});
	});

	it('nests filters', async () => {
		const condition = (PropertyName: string, ...Values: unknown[]) => ({
			PropertyName,
			Operator: 'Equal',
			Values,
		});
		const answer = await client.query('WoPriority', {
			Orders,
			Criteria: {
				FilterOperator: 'Or',
				Conditions: [condition('Id', 4)],
				Filters: [
					{
						FilterOperator: 'And',
						Conditions: [condition('IsEmergency', false)],
						Filters: [{ Conditions: [condition('Id', 2)] }],
					},
				],
			},
		});
		expect(ids(answer)).toEqual([2, 4]);
	});

	it.each([
		['an unknown entity', 'Vendor', {}, 'ENTITY_NOT_FOUND'],
		['a sort key of another name', 'WoPriority', { Order: [] }, 'INCORRECT_MODEL'],
		['an order of another form', 'WoPriority', { Orders: [{ Property: 'Id' }] }, 'INCORRECT_MODEL'],
		[
			'an order without a scalar',
			'WorkOrder',
			{ Orders: [{ PropertyName: 'Customer' }] },
			'ERROR_CODE_1003',
		],
		[
			'an unknown direction',
			'WoPriority',
			{ Orders: [{ PropertyName: 'Id', OrderType: 'Up' }] },
			'INCORRECT_MODEL',
		],
		[
			'an unknown filter operator',
			'WoPriority',
			{ Criteria: { FilterOperator: 'Xor' } },
			'INCORRECT_MODEL',
		],
		[
			'values that are no list',
			'WoPriority',
			{ Criteria: { Conditions: [{ PropertyName: 'Id', Operator: 'Equal', Values: 1 }] } },
			'INCORRECT_MODEL',
		],
		['a negative count', 'WoPriority', { Count: -1 }, 'INCORRECT_MODEL'],
		['a text for a count', 'WoPriority', { Count: '5' }, 'INCORRECT_MODEL'],
		[
			'a bare collection',
			'WorkOrder',
			{ PropertySet: { Properties: ['Items'] } },
			'ERROR_CODE_1003',
		],
	])('refuses %s', async (_case, entity, expression, code) => {
		expect(refusal(await client.query(entity, expression))).toEqual([400, code]);
	});

	it('refuses a body without an expression', async () => {
		const answer = await client.call('POST', 'query/WoPriority', { body: { Count: 1 } });
		expect(refusal(answer)).toEqual([400, 'INCORRECT_MODEL']);
	});

	it('checks the isolation level', async () => {
		const at = async (level: string): Promise<number> =>
			(
				await client.call('POST', 'query/WoPriority', {
					body: { QueryExpression: {} },
					headers: { DataRetrievalIsolationLevel: level },
				})
			).status;
		for (const level of ['Default', 'ReadUncommitted', 'ReadCommitted', 'Snapshot']) {
			expect(await at(level)).toBe(200);
		}
		expect(await at('Serializable')).toBe(400);
	});
});
