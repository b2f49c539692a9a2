import { getError, getRefusal, sharedClient } from './client';

const client = sharedClient();

const newContact = (members: object = {}) =>
	client.make('Contact', { FirstName: 'Ada', LastName: 'Ünal', CustomerId: 101, ...members });

describe('read', () => {
	it('a read returns scalars and references by Id, without collections and empty members', async () => {
		const { status, data } = await client.call('GET', 'base/WorkOrder?ID=50002&properties=');
		expect(status).toBe(200);
		expect(data.Data).toMatchObject({
			Id: 50002,
			StatusId: expect.stringMatching(/^[A-Z]/),
			Customer: { Id: expect.any(Number) },
			WorkOrderCost: { Id: 50002 },
			LastAction: { Id: 50002 },
			VendorNte: { CurrencyTypeId: 'USD', Value: 250 },
			ConcurrencyId: expect.any(Number),
		});
		expect(Object.keys(data.Data)).not.toEqual(expect.arrayContaining(['Items']));
		expect(data.Data).not.toHaveProperty('PoNumber');
		expect(data.Data).not.toHaveProperty('PerformDeletion');
	});

	it('a read accepts the Id in the path, names in any case and a double slash', async () => {
		const { sandbox } = client;
		const url = `${sandbox.apiUrl}//api/v1/base/workorder/50002?PROPERTIES=number`;
		const { data } = await client.send('GET', url);
		expect(data).toEqual({ Data: { Number: sandbox.store.get('WorkOrder', 50002)?.Number } });
	});

	it('a read follows paths through references and collections', async () => {
		const data = await client.read(
			'WorkOrder',
			50001,
			'Id,Customer.DisplayAs,Items.*,Items.Task.DisplayAs,CustomFields.Value,' +
				'CustomFields.Descriptor.Name,LastAction.LastAction.TypeId,ActionLogRecords.Actor.*',
		);
		expect(data).toEqual({
			Id: 50001,
			Customer: { DisplayAs: expect.any(String) },
			Items: [
				expect.objectContaining({
					Asset: { Id: expect.any(Number) },
					Task: { Id: expect.any(Number), DisplayAs: expect.any(String) },
				}),
			],
			CustomFields: [
				{ Value: 'CC-0', Descriptor: { Name: 'Cost Center' } },
				{ Value: '0', Descriptor: { Name: 'Floor' } },
				{ Value: '< 5 t', Descriptor: { Name: 'Load' } },
			],
			LastAction: { LastAction: { TypeId: expect.any(String) } },
			ActionLogRecords: expect.arrayContaining([
				{ Actor: { Id: 1, TypeId: 'Employee', DisplayAs: 'Dispatcher' } },
			]),
		});
	});

	it.each([
		['a bare reference', 'WorkOrder/50001?properties=Customer', 'ERROR_CODE_1003'],
		['a bare collection', 'WorkOrder/50001?properties=Items', 'ERROR_CODE_1003'],
		['a reference at the end', 'WorkOrder/50001?properties=Customer.WorkZone', 'ERROR_CODE_1003'],
		[
			'an unknown property of another',
			'WorkOrder/50001?properties=Customer.Foo',
			'ERROR_CODE_1002',
		],
		['a path through a scalar', 'WorkOrder/50001?properties=Number.Foo', 'ERROR_CODE_1002'],
		['a missing Id', 'WorkOrder?properties=*', 'IDENTIFIER_NOT_FOUND'],
		['an Id that is not a number', 'WorkOrder?ID=abc', 'INCORRECT_MODEL'],
		['an unknown entity', 'Asset?ID=1', 'ENTITY_NOT_FOUND'],
	])('a read rejects %s', async (_case, path, code) => {
		expect(await getRefusal(client.call('GET', `base/${path}`))).toBe(code);
	});

	it('a read returns empty members if set so', async () => {
		client.sandbox.set({ showEmpty: true });
		const data = await client.read('Customer', 102);
		client.sandbox.set({ showEmpty: false });
		const flags = { PerformDeletion: false, IsNew: false };
		expect(data).toMatchObject({ Instructions: '', Notes: [], ...flags });
	});
});

describe('create', () => {
	it('a create returns the specifier, and ignores Id and version sent by the caller', async () => {
		const { data } = await client.create('Contact', {
			Id: 7,
			ConcurrencyId: 5,
			lastname: 'Case',
			CustomerId: 101,
			GroupsBridge: [],
		});
		expect(data).toEqual({
			EntitySpecifier: { EntityType: 'Contact', Id: expect.any(Number), ConcurrencyId: 1 },
		});
		expect(Number(data.EntitySpecifier.Id)).not.toBe(7);
	});

	it('a create returns no version for an entity without a lock', async () => {
		const note = { WorkOrderId: 50001, Body: 'text', NoteTypeId: 2 };
		const { data } = await client.create('WoNote', note);
		expect(data.EntitySpecifier).toEqual({ EntityType: 'WoNote', Id: expect.any(Number) });
	});

	it.each([3, '3', 'Primary', 'primary'])(
		'a create accepts %j as a member of an enumeration',
		async (TypeId) => {
			const id = await newContact({ TypeId });
			expect(await client.read('Contact', id, 'TypeId')).toEqual({ TypeId: 'Primary' });
		},
	);

	it('a create fills in the display name and writes children', async () => {
		const id = await newContact({
			ContactAddresses: [{ AddrTypeId: 'PrimEmail', Address: 'ada@example.org' }],
		});
		expect(await client.read('Contact', id, 'DisplayAs,ContactAddresses.Address')).toEqual({
			DisplayAs: 'Ada Ünal',
			ContactAddresses: [{ Address: 'ada@example.org' }],
		});
		expect(client.store.children('ContactInfo', 'ActorId', id)).toEqual([
			expect.objectContaining({ ActorTypeId: 'LeaseUser' }),
		]);
	});

	it('a create returns the RequestId, also with an error', async () => {
		const body = { RequestId: 'r7', Entity: { LastName: 'X' } };
		expect((await client.call('POST', 'base/Contact', { body })).data.RequestId).toBe('r7');
		const wrong = { RequestId: 8, Entity: {} };
		const { data } = await client.call('POST', 'base/Contact', { body: wrong });
		expect(data).toEqual({
			ErrorMessage: 'LastName is a required field',
			ErrorCode: 'BUSINESS_LOGIC_ERROR',
			TimeStamp: expect.stringMatching(/Z$/),
			RequestId: '8',
		});
	});

	it.each([
		['Note', { ActorId: 999_999, ActorTypeId: 'CommLease' }, 'Customer'],
		['Note', { ActorId: 101, ActorTypeId: 'LeaseUser' }, 'Contact'],
		['FinancialItem', { WoId: 999_999 }, 'WorkOrder'],
	])('creating %s for a missing record fails: %j', async (entity, members, missing) => {
		const { status, data } = await client.create(entity, members);
		expect(status).toBe(400);
		expect(data.ErrorMessage).toContain(`{!{${missing}}!} with Id`);
	});

	it('the lines of quotes and estimates of equal Id are kept apart', async () => {
		const [id] = client.store.ids('WoQuote');
		for (const kind of ['Quote', 'Estimate']) {
			const { Items } = await client.read(`Wo${kind}`, id, 'Items.ParentTypeId');
			expect(Items).toEqual([{ ParentTypeId: kind }]);
		}
	});

	it('creating a Task without any kind fails', async () => {
		const task = { ModelId: 401, DisplayAs: 'T', Specialty: { Id: 1 }, Priority: { Id: 1 } };
		expect(await getRefusal(client.create('Task', task))).toBe('BUSINESS_LOGIC_ERROR');
		expect((await client.create('Task', { ...task, Corrective: true })).status).toBe(200);
	});

	it.each([
		['too long a text', { LastName: 'x'.repeat(51) }, 'BUSINESS_LOGIC_ERROR'],
		['an unknown customer', { LastName: 'x', CustomerId: 999999 }, 'BUSINESS_LOGIC_ERROR'],
		['a wrong enumeration', { LastName: 'x', TypeId: 'Nope' }, 'INCORRECT_MODEL'],
		['a text for a number', { LastName: 'x', LanguageId: 'abc' }, 'INCORRECT_MODEL'],
	])('a create rejects %s', async (_case, members, code) => {
		expect(await getRefusal(client.create('Contact', members))).toBe(code);
	});

	const employee = { FirstName: 'N', DisplayAs: 'N', ActorTypeId: 'Employee', Role: { Id: 3 } };

	it('a duplicate of a unique member is rejected with the message of the service', async () => {
		const { data } = await client.create('Employee', { ...employee, Username: 'tech0' });
		expect(data.ErrorMessage).toBe("{!{User}!} with {!{User}!} ID 'tech0' already exists");
	});

	it('a create with an invalid child writes nothing', async () => {
		const before = client.store.count('Contact');
		const CustomFields = [{ Descriptor: { Id: 701 }, Value: 'of another kind of object' }];
		const call = client.create('Contact', { LastName: 'Half', CustomFields });
		expect(await getRefusal(call)).toBe('ERROR_CODE_6');
		expect(client.store.count('Contact')).toBe(before);
	});

	it('a password can be written but not read', async () => {
		const id = await client.make('Employee', { ...employee, Password: 'hush' });
		expect(await client.read('Employee', id, 'Password')).toEqual({ Password: '' });
	});
});

describe('update', () => {
	it('an update without a change keeps the version', async () => {
		const id = await newContact({ Comment: 'same' });
		const { data } = await client.update('Contact', { Id: id, Comment: 'same' }, ['Comment']);
		expect(data.EntitySpecifier.ConcurrencyId).toBe(1);
	});

	it('an update of * resets members that were not sent', async () => {
		const id = await newContact({ Comment: 'gone' });
		await client.update('Contact', { Id: id, LastName: 'Star' }, ['*']);
		expect(await client.read('Contact', id)).toMatchObject({
			LastName: 'Star',
			CustomerId: 0,
			CanCreateRequest: false,
		});
		expect(await client.read('Contact', id, 'Comment')).toEqual({});
	});

	it('an update with null empties a member of a row', async () => {
		const [row] = client.store.rows('ReplenishmentOrderItem');
		const Items = [{ Id: row.Id, Price: null, QtyOrdered: 7 }];
		const change = { Id: row.ReplenishmentOrderId, Items };
		await client.update('ReplenishmentOrder', change, ['Items.*']);
		const { Price, QtyOrdered } = client.store.existing('ReplenishmentOrderItem', row.Id);
		expect([Price, QtyOrdered]).toEqual([undefined, 7]);
	});

	it('an update with null removes the estimate of an order', async () => {
		const [{ WorkOrderId }] = client.store.rows('WoEstimate');
		const read = async () => await client.read('WorkOrder', Number(WorkOrderId), 'Estimate.Id');
		expect(await read()).toEqual({ Estimate: { Id: expect.any(Number) as number } });
		const change = { Id: WorkOrderId, Estimate: null };
		expect((await client.update('WorkOrder', change, ['Estimate.*'])).status).toBe(200);
		expect(await read()).toEqual({});
		expect(client.store.children('WoEstimate', 'WorkOrderId', WorkOrderId)).toEqual([]);
	});

	it.each([
		['a missing list of properties', {}, undefined, 'INCORRECT_MODEL'],
		['a missing Id', { Id: undefined }, ['PoNumber'], 'IDENTIFIER_NOT_FOUND'],
		['a missing record', { Id: 999999999 }, ['PoNumber'], 'ERROR_CODE_1019'],
		['an unknown reference', { Priority: { Id: 9 } }, ['Priority.Id'], 'BUSINESS_LOGIC_ERROR'],
		['an assignment', { Employee: { Id: 302 } }, ['Employee.Id'], 'BUSINESS_LOGIC_ERROR'],
	])('an update rejects %s', async (_case, members, properties, code) => {
		const call = client.update('WorkOrder', { Id: 50001, ...members }, properties);
		expect(await getRefusal(call)).toBe(code);
	});

	it('an update that empties a required member fails', async () => {
		const id = await newContact();
		const answer = await client.update('Contact', { Id: id, LastName: '' }, ['LastName']);
		expect(answer.data.ErrorMessage).toBe('LastName is a required field');
	});

	it('an update of costs requires a charge code', async () => {
		const cost = { Id: 50001, Number: 'INV-1', ChargeCode: { Id: 0 } };
		expect((await client.update('WorkOrderCost', cost, ['Number'])).status).toBe(200);
		const without = await client.update('WorkOrderCost', cost, ['ChargeCode.Id']);
		expect(without.data.ErrorMessage).toBe('ChargeCode is a required field');
	});
});

describe('delete and restore', () => {
	it.each(['base/Contact?ID=', 'base/Contact/'])(
		'a contact deleted by %s<id> is marked as removed and can be restored',
		async (path) => {
			const id = await newContact();
			const read = async () => await client.read('Contact', id, 'DisplayAs,IsRemoved');
			const EntitySpecifier = { EntityType: 'Contact', Id: id };
			const { status, data } = await client.call('DELETE', `${path}${id}`);
			expect([status, data]).toEqual([200, { EntitySpecifier }]);
			expect(await read()).toEqual({ DisplayAs: 'Ada Ünal (deleted)', IsRemoved: true });
			await client.command('RestoreCommand', { EntitySpecifier });
			expect(await read()).toEqual({ DisplayAs: 'Ada Ünal', IsRemoved: false });
		},
	);

	it('an entity without soft delete is removed for good', async () => {
		const note = { WorkOrderId: 50001, Body: 'x', NoteTypeId: 'Public' };
		const id = await client.make('WoNote', note);
		expect((await client.call('DELETE', `base/WoNote?ID=${id}`)).status).toBe(200);
		expect(await getRefusal(client.call('GET', `base/WoNote/${id}`))).toBe('ERROR_CODE_1019');
	});
});

/** The body of a request with each method. */
const BODIES = {
	DELETE: undefined,
	POST: { Entity: {} },
	PUT: { Entity: { Id: 1 }, Properties: ['Id'] },
};

it.each([
	['POST', 'WorkOrder', 'CUSTOM_COMMAND_ERROR', '/cmd/WorkOrder/Create'],
	['POST', 'Space', 'CUSTOM_COMMAND_ERROR', 'SpaceCreateCommand'],
	['POST', 'WorkOrderCost', 'ERROR_CODE_1000', ''],
	['POST', 'Invoice', 'ERROR_CODE_1000', ''],
	['DELETE', 'WorkZone', 'CUSTOM_COMMAND_ERROR', ''],
	['DELETE', 'WoVerification', 'ERROR_CODE_1000', ''],
	['DELETE', 'AssetTree', 'ERROR_CODE_1000', ''],
	['PUT', 'WoLastAction', 'ERROR_CODE_1000', ''],
] as const)('a %s of %s is not supported: %s %s', async (method, entity, code, command) => {
	const path = `base/${entity}${method === 'DELETE' ? '/1' : ''}`;
	const answer = await client.call(method, path, { body: BODIES[method] });
	expect(getError(answer)).toEqual([400, code]);
	expect(answer.data.ErrorMessage).toContain(command);
});

describe('bodies', () => {
	it.each([
		['malformed JSON', { rawBody: '{"Entity": ' }, 'DATA_PARSING_ERROR'],
		['not JSON', { rawBody: 'Entity=1' }, 'DATA_PARSING_ERROR'],
		['empty', { rawBody: '' }, 'EMPTY_INPUT_PARAMETER'],
		['a list', { body: [] }, 'INCORRECT_MODEL'],
		['null', { body: null }, 'INCORRECT_MODEL'],
		['without an entity', { body: { LastName: 'X' } }, 'INCORRECT_MODEL'],
		['an object whose entity is a list', { body: { Entity: [] } }, 'INCORRECT_MODEL'],
		[
			'of another content type',
			{ rawBody: '{"Entity":{}}', headers: { 'content-type': 'text/plain' } },
			'DATA_PARSING_ERROR',
		],
	])('a create rejects a body that is %s', async (_case, call, code) => {
		expect(await getRefusal(client.call('POST', 'base/Contact', call))).toBe(code);
	});
});

describe('parts of other records', () => {
	it.each([
		['ReplenishmentOrder', 453, 'Items.QtyReceived', [{ QtyReceived: 8 }, { QtyReceived: 20 }]],
		['Employee', 325, 'PriceLists.PriceListId', [{ PriceListId: 481 }]],
		['WorkZone', 11, 'EscalationRules.NotifyAfter', [{ NotifyAfter: 30 }, { NotifyAfter: 120 }]],
		['Portfolio', 1, 'SlaValues.PriorityId', [{ PriorityId: 2 }]],
		['Customer', 101, 'ApprovalScopes.ApprovalTemplate.Id', [{ ApprovalTemplate: { Id: 802 } }]],
		['BillingAccount', 881, 'Customers.CustomerId', [{ CustomerId: 101 }, { CustomerId: 103 }]],
		['AlertSubscription', 2, 'SubscriptionScope.ScopeId', [{ ScopeId: 11 }, { ScopeId: 1 }]],
	])('%s %s has them as %s', async (entity, id, path, rows) => {
		const record = await client.read(entity, id, path);
		expect(record).toEqual({ [path.split('.')[0]]: rows });
	});

	it('a new part has the values that it shares with its record', async () => {
		const [alert, scope] = [
			{ UserId: 305, AlertTypeId: 'NewWo' },
			{ ScopeId: 12, ScopeTypeId: 'Property' },
		];
		const id = await client.make('AlertSubscription', { ...alert, SubscriptionScope: [scope] });
		const { SubscriptionScope } = await client.read('AlertSubscription', id, 'SubscriptionScope.*');
		expect(SubscriptionScope).toMatchObject([{ ...alert, ...scope }]);
	});

	it('a rule of a work zone that does not exist is refused', async () => {
		const rule = { ActorTypeId: 'Property', ActorId: 9, NotifyAfter: 5 };
		expect(await getRefusal(client.create('EscalationRule', rule))).toBe('BUSINESS_LOGIC_ERROR');
	});

	it('an order of parts gets its number and the totals of its lines', async () => {
		const Items = [
			{ Product: { Id: 1 }, QtyOrdered: 3, Price: { CurrencyTypeId: 'USD', Value: 2 } },
		];
		const id = await client.make('ReplenishmentOrder', { Supplier: { Id: 328 }, Items });
		expect(await client.read('ReplenishmentOrder', id, 'Number,StatusId,Items.AmtTotal')).toEqual({
			Number: `PO-${id}`,
			StatusId: 'Pending',
			Items: [{ AmtTotal: { CurrencyTypeId: 'USD', Value: 6 } }],
		});
	});
});

it('an entity without seeded data is an empty table', async () => {
	expect((await client.query('PmSchedule', {})).data).toEqual({ Entities: [] });
	const call = client.call('GET', 'base/LinkContactAndGroup/1');
	expect(await getRefusal(call)).toBe('ERROR_CODE_1019');
});
