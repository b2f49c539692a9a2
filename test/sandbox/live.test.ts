import {
	type Answer,
	Client,
	type Condition,
	listIds,
	getRefusal,
	listRows,
	sharedClient,
	TestClock,
} from './client';

/**
 * Facts from recorded answers of live Companies, one test for each. The sandbox runs with its default
 * settings, except where a fact holds for some Companies only.
 */
describe('facts of the live service', () => {
	const clock = new TestClock();
	const client = sharedClient({ strict: false, now: clock.now });

	const select = (...Properties: string[]) => ({ PropertySet: { Properties } });

	const file = {
		Title: 'f',
		ActorTypeId: 'WO',
		ActorId: 50001,
		StorageTypeId: 'Cloud',
		DocType: { Id: 1 },
		MimeType: 'image/jpeg',
		Blob: { FileName: 'f.jpg', Body: 'AA==' },
	};

	describe('rows', () => {
		const tree = (unit: number, rest: object = {}) =>
			client.queryWhere('AssetTree', ['ParentId', 'Equal', unit], rest);
		const unit = (index = 0): number =>
			Number((client.store.rows('Space')[index].Asset as { Id: number }).Id);

		it('rows of AssetTree share the Id of the ancestor', async () => {
			const rows = listRows(await tree(unit()));
			expect(rows).toHaveLength(8);
			for (const row of rows) {
				expect(row).toMatchObject({ Id: unit(), ParentId: unit(), Child: { Id: row.ChildId } });
			}
			const itself = rows.filter(({ Distance }) => Number(Distance) === 0);
			expect(itself).toEqual([expect.objectContaining({ ChildId: unit() })]);
			expect(await client.read('AssetTree', unit())).toEqual(itself[0]);
		});

		it('rows of AssetTree are all found by the Id of the ancestor, and none by a greater one', async () => {
			const found = await client.queryWhere('AssetTree', ['Id', 'Equal', unit()]);
			expect(found.data.Entities).toHaveLength(8);
			const children = { PropertyName: 'ParentId', Operator: 'Equal', Values: [unit()] };
			const behind = { PropertyName: 'Id', Operator: 'GreaterThan', Values: [unit()] };
			const Criteria = { Conditions: [children, behind] };
			expect(listIds(await client.query('AssetTree', { Criteria }))).toEqual([]);
		});

		it('rows of AssetTree are returned once each, page by page, in an order without ties', async () => {
			const Orders = [{ PropertyName: 'ParentId' }, { PropertyName: 'ChildId' }];
			const pairs: string[] = [];
			for (const FirstResultIndex of [0, 3, 6]) {
				const page = listRows(await tree(unit(), { Orders, Count: 3, FirstResultIndex }));
				pairs.push(...page.map(({ ParentId, ChildId }) => `${ParentId}-${ChildId}`));
			}
			expect([pairs.length, new Set(pairs).size]).toEqual([8, 8]);
		});

		it('rows without an order are not sorted by Id, yet come in a stable order', async () => {
			const all = listIds(await client.query('WorkOrder', select('Id')));
			expect(all).not.toEqual([...all].sort((a, b) => a - b));
			expect(listIds(await client.query('WorkOrder', select('Id')))).toEqual(all);
			const page = { ...select('Id'), Count: 50, FirstResultIndex: 50 };
			expect(listIds(await client.query('WorkOrder', page))).toEqual(all.slice(50, 100));
		});

		it('rows of assets do not show their parent', async () => {
			const answer = await client.queryWhere('Location', ['TypeId', 'Equal', 'Equipment']);
			for (const row of listRows(answer)) expect(row).toMatchObject({ ParentId: 0, RootId: 0 });
			const above = await client.queryWhere('Location', ['ParentId', 'Equal', unit()]);
			expect(listIds(above)).toEqual([]);
			const members = { Name: 'New', ModelId: 401, TypeId: 'Equipment', ParentId: unit(1) };
			const made = await client.make('Location', members);
			const read = await client.read('Location', made, 'ParentId,RootId');
			expect(read).toEqual({ ParentId: 0, RootId: 0 });
			const below = listRows(await tree(unit(1))).filter(({ ChildId }) => Number(ChildId) === made);
			expect(below).toEqual([expect.objectContaining({ Distance: 1 })]);
		});
	});

	describe('pages', () => {
		it.each([
			['mostRows', 60],
			['all', 200],
			['none', 0],
		] as const)('Count 0 returns what the setting countZero says: %s', async (countZero, rows) => {
			const other = await Client.start({ strict: false, mostRows: 60, countZero });
			for (const Count of [0, undefined]) {
				const answer = await other.query('WorkOrder', { Count, ...select('Id') });
				expect(listIds(answer)).toHaveLength(rows);
			}
			await other.close();
		});

		it('the setting onlyFitting returns only the matching children', async () => {
			const { store } = client;
			const [Id] = store.ids('WorkOrder');
			const own = store.children('WoItem', 'WorkOrderId', Id).length;
			const asset = store.insert('Location', { Name: 'Asked for' }).Id;
			store.insert('WoItem', { WorkOrderId: Id, Asset: { Id: asset } });
			const items = async () => {
				const condition: [string, string, number] = ['Items.Asset.Id', 'Equal', asset];
				const found = await client.queryWhere('WorkOrder', condition, select('Id', 'Items.Id'));
				return (listRows(found)[0].Items as unknown as unknown[]).length;
			};
			expect(await items()).toBe(own + 1);
			client.sandbox.set({ onlyFitting: true });
			expect(await items()).toBe(1);
			client.sandbox.set({ onlyFitting: false });
		});
	});

	describe('times', () => {
		const newYork = 50001;
		const change = async (members: object): Promise<void> => {
			const entity = { Id: newYork, ...members };
			expect((await client.update('WorkOrder', entity, Object.keys(members))).status).toBe(200);
		};
		/** An order in the time zone of New York. */
		const order = (StatusId: string): number => {
			const orders = client.store.children('WorkOrder', 'StatusId', StatusId);
			return Number(orders.find(({ TimeZone }) => TimeZone === 35)?.Id);
		};

		it('times are read without a zone, to the hundredth of a second at most', async () => {
			clock.advance(0.128);
			await client.command('WoPickUpCommand', { WorkOrderId: order('New') });
			const rows = listRows(await client.query('WorkOrder', {}));
			const logs = listRows(await client.query('WoActionLog', {}));
			const times = [...rows, ...logs].flatMap((row) =>
				Object.entries(row).flatMap(([name, value]) =>
					/Date|Utc|^Dt/.test(name) && typeof value === 'string' ? [value] : [],
				),
			);
			expect(times.length).toBeGreaterThan(1000);
			const odd = times.filter((time) => !/^\d{4}-\d\d-\d\dT[\d:]{8}(\.\d\d)?$/.test(time));
			expect(odd).toEqual([]);
			expect(times).toContain(new Date(clock.now()).toISOString().slice(0, 22));
		});

		it('times set by a command are answered to seven digits, UTC times with a Z; other times as they are read', async () => {
			clock.advance(60);
			const id = order('InProgress');
			const { Wo } = await client.run('WoPauseCommand', { WorkOrderId: id });
			expect(Wo.LastActionDateUtc).toMatch(/\.\d{7}Z$/);
			expect(Wo.LastActionDate).toMatch(/\.\d{7}$/);
			const before = await client.read('WorkOrder', id);
			const { CreatedDateUtc, DtCreated } = before;
			expect(Wo).toMatchObject({ CreatedDateUtc, DtCreated });
			// Both texts stand for one instant.
			expect(String(Wo.LastActionDateUtc).slice(0, 22)).toBe(before.LastActionDateUtc);
		});

		it('local times follow the clock of the work zone', async () => {
			const at = async (time: number): Promise<void> => {
				clock.time = time;
				client.token = await client.newToken();
			};
			await at(Date.UTC(2026, 0, 31, 12));
			const winter = order('InProgress');
			await client.command('WoPauseCommand', { WorkOrderId: winter });
			await at(Date.UTC(2026, 6, 1, 12));
			const summer = order('Open');
			await client.command('WoStartCommand', { WorkOrderId: summer });
			const paths = 'LastActionDate,LastActionDateUtc,TimeZone';
			expect(await client.read('WorkOrder', winter, paths)).toEqual({
				LastActionDate: '2026-01-31T07:00:00',
				LastActionDateUtc: '2026-01-31T12:00:00',
				TimeZone: 35,
			});
			expect((await client.read('WorkOrder', summer, paths)).LastActionDate).toBe(
				'2026-07-01T08:00:00',
			);
		});

		it.each([
			[35, '2022-03-15T12:30:00', '2022-03-15T16:30:00'],
			[4, '2022-01-15T12:30:00', '2022-01-15T20:30:00'],
			[110, '2022-01-15T12:30:00', '2022-01-15T11:30:00'],
			[190, '2022-01-15T12:30:00', '2022-01-15T07:00:00'],
		])('in time zone %s of the index, %s local is %s UTC', async (zone, local, utc) => {
			client.store.change('WorkOrder', newYork, { TimeZone: zone });
			await change({ DtOnSiteBy: local });
			expect(await client.read('WorkOrder', newYork, 'DtOnSiteBy,DtUtcOnSiteBy')).toEqual({
				DtOnSiteBy: local,
				DtUtcOnSiteBy: utc,
			});
			client.store.change('WorkOrder', newYork, { TimeZone: 35 });
		});

		it.each(['2026-03-01T17:00:00Z', '2026-03-01T12:00:00-05:00', '2026-03-01T17:00:00.000Z'])(
			'a local time sent with a zone is stored as the clock time in UTC: %s',
			async (DtDue) => {
				await change({ DtDue });
				const stored = await client.read('WorkOrder', newYork, 'DtDue');
				expect(stored).toEqual({ DtDue: '2026-03-01T17:00:00' });
			},
		);

		it('the date of an action sent with a zone is stored as the clock time in UTC', async () => {
			const id = order('New');
			const ActionDate = '2026-01-30T09:00:00-05:00';
			await client.command('WoPickUpCommand', { WorkOrderId: id, ActionDate });
			const stored = await client.read('WorkOrder', id, 'LastActionDate');
			expect(stored).toEqual({ LastActionDate: '2026-01-30T14:00:00' });
		});
	});

	describe('lenient input', () => {
		it('surplus keys in an entity, a command and a query, and around them, are ignored', async () => {
			const Entity = { Id: 50001, PoNumber: 'P', Oddity: 1 };
			const body = { Entity, Properties: ['PoNumber'], Oddity: 1 };
			expect((await client.call('PUT', 'base/WorkOrder', { body })).status).toBe(200);
			const command = { WorkOrderId: 50001, Oddity: 1 };
			expect((await client.command('WoLastModificationCommand', command)).status).toBe(200);
			const QueryExpression = { Order: [], Count: 1 };
			const query = { body: { QueryExpression, CompanyName: 'x' } };
			expect((await client.call('POST', 'query/WorkOrder', query)).status).toBe(200);
		});

		it('a PUT with surplus keys and an unknown property fails because of the property', async () => {
			const body = { Entity: { Id: 50001 }, Properties: ['Foo'], Oddity: 1 };
			const call = client.call('PUT', 'base/WorkOrder', { body });
			expect(await getRefusal(call)).toBe('ERROR_CODE_1002');
		});

		it('a work zone without a template is accepted', async () => {
			const WorkZone = { DisplayAs: 'Plain', WoNumberPrefix: '07246', WoNumberDigits: 4 };
			const { WorkZone: made } = await client.run('WorkZoneCreateCommand', { WorkZone });
			const Items = [{ Asset: { Id: 10001 }, Task: { Id: 501 } }];
			const basic = { TypeCategory: 'Basic', SubType: { Id: 21 }, Items };
			const WorkOrder = { ...basic, WorkZone: { Id: made.Id } };
			// The prefix is all digits, with a leading zero.
			expect((await client.run('WoCreateCommand', { WorkOrder })).Wo.Number).toBe('072460001');
		});

		it('money can be selected by its bare name, also in a collection', async () => {
			const paths = 'VendorNte,WorkOrderCost.CustomerNte,WorkOrderCost.Items.Amount';
			const usd = (Value: number) => ({ CurrencyTypeId: 'USD', Value });
			expect(await client.read('WorkOrder', 50002, paths)).toEqual({
				VendorNte: usd(250),
				WorkOrderCost: { CustomerNte: usd(500), Items: [{ Amount: usd(90) }, { Amount: usd(21) }] },
			});
		});
	});

	describe('unpublished models', () => {
		it.each<[string, Condition, object]>([
			[
				'LaborCode',
				['IsRemoved', 'Equal', true],
				{ IsRemoved: true, DisplayAs: 'Std (deleted)', TypeId: 'Time' },
			],
			[
				'InvoiceDictionaryItem',
				['CostCategory', 'Equal', 'Labor'],
				{ IsRemoved: false, Descr: 'Labor' },
			],
		])('%s records have a version and soft delete: %j', async (entity, condition, members) => {
			const [row] = listRows(await client.queryWhere(entity, condition));
			expect(row).toMatchObject({ ...members, ConcurrencyId: 1 });
		});

		it('the name of a labor code can be selected through a reference', async () => {
			const item = { WoId: 50001, LaborCode: { Id: 2 } };
			const made = await client.make('FinancialItem', item);
			const condition: [string, string, string] = ['LaborCode.DisplayAs', 'Like', 'Over%'];
			const selected = select('Id', 'LaborCode.DisplayAs');
			const answer = await client.queryWhere('FinancialItem', condition, selected);
			expect(listRows(answer)).toEqual([{ Id: made, LaborCode: { DisplayAs: 'Overtime' } }]);
		});
	});

	describe('error messages', () => {
		const remove = (path: string) => client.call('DELETE', path);
		const neither = { ...file, DocType: undefined, StorageTypeId: undefined };
		const week = { EmployeeId: 302, WeekStartDate: '2026-01-26T00:00:00', ActionId: 'Submit' };

		it.each<[string, string, () => Promise<Answer>]>([
			[
				'ERROR_CODE_1000',
				'Delete operation is not supported by WorkOrder entity.',
				() => remove('base/WorkOrder/50001'),
			],
			[
				'CUSTOM_COMMAND_ERROR',
				"There are some custom command for 'WorkZone' for that action. Use '/cmd/WorkZone/Create' endpoint for that please.",
				() => client.create('WorkZone', {}),
			],
			[
				'COMMAND_NOT_FOUND',
				"There are no such custom command as 'delete' for entity 'Workzone'",
				() => client.command('Workzone/delete', {}),
			],
			['ENTITY_NOT_FOUND', "There are no such entityType as 'X'", () => client.query('X', {})],
			[
				'ERROR_CODE_1002',
				'WorkOrder entity does not expose "Foo" property.',
				() => client.call('GET', 'base/WorkOrder/50001?properties=Foo'),
			],
			[
				'EMPTY_INPUT_PARAMETER',
				'DocType and StorageTypeId are empty',
				() => client.create('Document', neither),
			],
			[
				'BUSINESS_LOGIC_ERROR',
				'No action associated with 0 invoice state.\r\nParameter name: state',
				() => client.command('UpdateInvoiceStateCommand', { InvoiceId: 1 }),
			],
			[
				'BUSINESS_LOGIC_ERROR',
				'Time Card record cannot be found',
				() => client.command('TimeCardActionCommand', week),
			],
		])('are those of the service: %s: %s', async (code, message, ask) => {
			const { status, data } = await ask();
			expect([status, data.ErrorCode, data.ErrorMessage]).toEqual([400, code, message]);
		});

		it.each(['PUT', 'PATCH'])('a %s with the Id in the path is not allowed', async (method) => {
			const body = { Entity: {}, Properties: [] };
			expect((await client.call(method, 'base/WorkOrder/50001', { body })).status).toBe(405);
		});
	});

	const newOrder = (): number =>
		client.store.children('WorkOrder', 'StatusId', 'New').slice(-1)[0].Id;

	describe('authors and reasons', () => {
		const author = { Id: 330, TypeId: 'Employee' };

		it.each<[string, object, string[]]>([
			['WoNote', { WorkOrderId: 50001, Body: 'b', NoteTypeId: 'Public' }, ['CreatedBy']],
			['Note', { ActorId: 101, ActorTypeId: 'CommLease' }, ['CreatedBy', 'UpdatedBy']],
			['Document', file, ['UpdatedBy']],
		])('the author of a %s is the user of the credential', async (entity, members, names) => {
			const made = await client.read(entity, await client.make(entity, members));
			for (const name of names) expect(made[name]).toEqual(author);
			const user = await client.read('Employee', author.Id, 'Role.DisplayAs');
			expect(user).toEqual({ Role: { DisplayAs: 'WSDK' } });
		});

		it.each(['seeded', 'changed'])('a %s order in status OnHold has a reason', async (which) => {
			let [order] = client.store.children('WorkOrder', 'StatusId', 'OnHold');
			if (which !== 'seeded') {
				[order] = client.store.children('WorkOrder', 'StatusId', 'InProgress');
				const command = { WorkOrderId: order.Id, ActionReasonId: 41 };
				await client.command('WoOnHoldCommand', command);
			}
			const { LastAction } = await client.read('WorkOrder', order.Id, 'LastAction.Reason.*');
			expect(LastAction.Reason).toMatchObject({
				Id: 41,
				DisplayAs: 'Waiting for approval',
				ActionId: 'OnHold',
				Descr: expect.any(String),
			});
		});
	});

	describe('documents', () => {
		it.each([
			['image/jpeg', 3],
			['image/png', 3],
			['application/pdf', 32],
			['text/plain', 1],
		])('the MIME type %s determines the document type', async (MimeType, type) => {
			const made = await client.make('Document', { ...file, MimeType });
			expect((await client.read('Document', made)).DocType).toEqual({ Id: type });
		});

		it('the document type of a URL is the one that was sent', async () => {
			const link = { ...file, StorageTypeId: 'URL', DocUrl: 'https://x.example/a.jpg' };
			const made = await client.make('Document', link);
			expect((await client.read('Document', made)).DocType).toEqual({ Id: 1 });
		});
	});

	it('a user who may not read reasons can still cancel with one', async () => {
		client.sandbox.set({ unreadable: ['WoActionReasonLookup'] });
		const list = await client.query('WoActionReasonLookup', {});
		const one = await client.call('GET', 'base/WoActionReasonLookup/46');
		const cancel = { WorkOrderId: newOrder(), ActionReasonId: 46 };
		const cancelled = await client.command('WoCancelCommand', cancel);
		client.sandbox.set({ unreadable: [] });
		expect([list.status, one.status, cancelled.status]).toEqual([400, 400, 200]);
	});

	describe('commands', () => {
		it('UpdateInvoiceStateCommand changes the state of an invoice', async () => {
			const { Invoice } = await client.run('UpdateInvoiceStateCommand', {
				InvoiceId: 1,
				State: 'Posted',
			});
			expect(Invoice).toMatchObject({ Id: 1, State: 'Posted' });
		});

		it('time cards are created, submitted and kept in their week', async () => {
			const week = { EmployeeId: 301, BaseDate: '2026-01-31T00:00:00' };
			const made = await client.command('GetTimeCardCommand', week);
			const { Id, WeekStartDate } = made.data.CommandResult.TimeCard;
			expect(WeekStartDate).toBe('2026-01-26T00:00:00');
			expect(await client.read('TimeCard', Number(Id), 'Week.StartDate,Week.EndDate')).toEqual({
				Week: { StartDate: WeekStartDate, EndDate: '2026-02-01T00:00:00' },
			});
			expect((await client.command('GetTimeCardCommand', week)).data).toEqual(made.data);
			const act = (ActionId: string) =>
				client.run('TimeCardActionCommand', { EmployeeId: 301, WeekStartDate, ActionId });
			expect((await act('Submit')).TimeCard).toMatchObject({ Id, StatusId: 'Submitted' });
			expect((await act('Flag')).TimeCard).toMatchObject({ StatusId: 'Submitted', Flagged: 1 });
			const move = { Id, WeekStartDate: '2026-02-02T00:00:00' };
			const { data } = await client.update('TimeCard', move, ['WeekStartDate']);
			expect(data.ErrorMessage).toBe('Existing Time Card cannot be moved to another week');
		});
	});
});

describe('a strict Company', () => {
	const client = sharedClient({ workOrders: 5 });

	it.each([
		['PUT', 'base/WorkOrder', { Entity: { Id: 50001 }, Properties: [] }],
		['POST', 'base/Contact', { Entity: { LastName: 'X' } }],
		['POST', 'query/WoPriority', { QueryExpression: {} }],
		['POST', 'cmd/WoPickUpCommand', { Command: { WorkOrderId: 50001 } }],
	])('a strict sandbox rejects surplus keys: %s %s', async (method, path, body) => {
		const call = client.call(method, path, { body: { ...body, Oddity: 1 } });
		expect(await getRefusal(call)).toBe('INCORRECT_MODEL');
	});

	const order = { EntityType: 'WorkOrder', Id: 50001, Items: [{ Asset: { Oddity: 1 } }] };

	it.each([
		['base/Contact', { Entity: { Oddity: 1 } }, 'Contact', 'Oddity'],
		['cmd/WoPickUpCommand', { Command: { Oddity: 1 } }, 'WoPickUpCommand', 'Oddity'],
		[
			'cmd/WoCreateCommand',
			{ Command: { workorder: { Items: [{ Oddity: 1 }] } } },
			'WoCreateCommand',
			'workorder.Items.Oddity',
		],
		[
			'cmd/UpdateCommand',
			{ Command: { Entity: order, PropertySet: { Properties: [] } } },
			'WorkOrder',
			'Items.Asset.Oddity',
		],
	])(
		'a strict sandbox names what a Company would ignore: %s %j',
		async (path, body, owner, name) => {
			const { data } = await client.call('POST', path, { body });
			expect(data.ErrorMessage).toContain(`${owner} has no member '${name}'`);
		},
	);
});
