import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { getCommand } from '../../nodes/Corrigo/catalogue/commands';
import { byId, withShortPauses, itemsOf, jsonOf, sharedDesk, rejection, eachId } from './desk';

const desk = sharedDesk();

const { anything } = expect;
const firstId = (entity: string) => desk.rows(entity)[0].Id;

const form = (more: IDataObject = {}): INodeParameters =>
	({
		typeCategory: 'Request',
		subType: byId(24),
		customer: byId(firstId('Customer')),
		items: { values: [{ asset: byId(firstId('Location')), task: byId(firstId('Task')) }] },
		...more,
	}) as INodeParameters;

const create = async (more: IDataObject = {}, ...inputs: unknown[]) =>
	await desk.run('workOrder:create', form(more), {
		items: inputs.length > 0 ? itemsOf(...inputs) : undefined,
		onError: 'continueErrorOutput',
	});

const customFields = (value: object, schema: object[] = []): IDataObject => ({
	customFields: { mappingMode: 'defineBelow', value, matchingColumns: [], schema },
});

const commandsSent = () =>
	desk
		.sent()
		.filter(({ path }) => path.endsWith('/WoCreateCommand'))
		.map(({ body }) => (body as { Command: IDataObject }).Command);
const queriesSent = () => desk.sent().filter(({ path }) => path.includes('/query/'));
const orderCount = () => desk.sandbox.store.count('WorkOrder');

const references = () => ['WoPriority', 'Specialty', 'WorkZone', 'Employee'].map(firstId);

function everything() {
	const [priority, specialty, zone, employee] = references();
	return {
		typeCategory: 'Basic',
		subType: byId(21),
		customer: byId(''),
		computeSchedule: true,
		notes: { values: [{ body: 'Key at the desk', type: 'Private' }, { body: 'Ring' }] },
		additionalFields: {
			access: 'Appointment',
			acknowledgeBy: '2026-02-01T09:00:00',
			actionDate: '2026-02-01T08:00:00Z',
			actionReasonId: 7,
			comment: 'by phone',
			computeAssignment: false,
			contactAddress: '+1 555 0100',
			contactName: 'Nathan',
			due: '2026-02-03',
			duration: 90,
			emergencyDisabled: true,
			employee: byId(employee),
			externalNumber: 'T-1',
			isWarranty: true,
			keepUnassigned: false,
			onSiteBy: '2026-02-02T09:00:00+01:00',
			otherProperties: { TaskRefinement: 'north side', 'Address.Street': '1 Main St' },
			poNumber: '00042',
			priority: byId(priority),
			scheduledStart: '2026-02-02T10:00:00',
			skipBillToLogic: true,
			skipProcedures: true,
			specialty: byId(specialty),
			vendorNte: { money: { value: '250.5', currency: 'USD' } },
			workPlan: '{ "Level": 1 }',
			workZone: byId(zone),
		},
	};
}

describe('the members of a new work order', () => {
	it('are all sent under the names of the service', async () => {
		const [priority, specialty, zone, employee] = references();
		desk.change('WorkZone', zone, { TimeZone: 35 });
		await create(everything());
		expect(commandsSent()).toEqual([
			{
				WorkOrder: {
					TypeCategory: 1,
					SubType: { Id: 21 },
					Items: [{ Asset: anything(), Task: anything() }],
					Access: 'Appointment',
					ContactName: 'Nathan',
					ContactAddress: { Address: '+1 555 0100', AddrTypeId: 'Contact' },
					DtAcknowledgeBy: '2026-02-01T09:00:00',
					DtDue: '2026-02-03T00:00:00',
					DtOnSiteBy: '2026-02-02T03:00:00',
					DtScheduledStart: '2026-02-02T10:00:00',
					Duration: 90,
					IsWarranty: true,
					PoNumber: '00042',
					Priority: { Id: priority },
					Specialty: { Id: specialty },
					VendorNte: { Value: 250.5, CurrencyTypeId: 'USD' },
					WorkZone: { Id: zone },
					Notes: [
						{ Body: 'Key at the desk', NoteTypeId: 'Private' },
						{ Body: 'Ring', NoteTypeId: 'Public' },
					],
					TaskRefinement: 'north side',
					Address: { Street: '1 Main St' },
				},
				ComputeSchedule: true,
				ActionDate: '2026-02-01T03:00:00',
				ActionReasonId: 7,
				Comment: 'by phone',
				ComputeAssignment: false,
				EmergencyDisabled: true,
				EmployeeId: employee,
				ExternalNumber: 'T-1',
				KeepUnassigned: false,
				SkipBillToLogic: true,
				SkipProcedures: true,
				WpTree: { Level: 1 },
			},
		]);
	});

	it('are all that the documentation of the command lists', async () => {
		await create(everything());
		const [sent] = commandsSent();
		expect(Object.keys(sent).sort()).toEqual(
			Object.keys(getCommand('WoCreateCommand')?.fields ?? {}).sort(),
		);
	});

	it('are all stored by the service', async () => {
		const run = await create({
			notes: { values: [{ body: 'Key at the desk' }] },
			...customFields({ ' cost center ': 'CC-1', 'CustomFields.702': 12 }),
			additionalFields: { externalNumber: 'T-1', keepUnassigned: true },
		});
		expect(run.errorItems).toEqual([]);
		const Id = Number(run.items[0].json.Id);
		const { store } = desk.sandbox;
		expect(store.get('WoLastAction', Id)).toMatchObject({ XNumber: 'T-1' });
		expect(store.children('WoNote', 'WorkOrderId', Id)).toEqual([
			expect.objectContaining({ Body: 'Key at the desk', NoteTypeId: 'Public' }),
		]);
		expect(store.children('CustomField2', 'ObjectId', Id)).toEqual([
			expect.objectContaining({ Descriptor: { Id: 701 }, Value: 'CC-1' }),
			expect.objectContaining({ Descriptor: { Id: 702 }, Value: '12' }),
		]);
	});

	it('send no custom field that is empty', async () => {
		const schema = [{ id: 'CustomFields.701', displayName: 'Cost Center', type: 'string' }];
		const run = await create(customFields({ 'CustomFields.701': '={{ $json.x }}' }, schema), '');
		expect(run.errorItems).toEqual([]);
		expect(commandsSent()[0].WorkOrder).not.toHaveProperty('CustomFields');
	});

	describe('include custom fields', () => {
		const columns = async () =>
			await desk.engine.mappingColumns('getOrderFields', {
				parameters: { resource: 'workOrder', operation: 'create' },
				path: 'parameters.customFields',
			});
		const kept = (Id: unknown) =>
			desk
				.children('CustomField2', 'ObjectId', Number(Id))
				.map(({ Descriptor, Value }) => [(Descriptor as { Id: number }).Id, Value]);
		const add = (Name: string, Type: string) =>
			desk.insert('CustomFieldDescriptor', { Name, Type, ActorTypeId: 'WO' }).Id;

		it('chosen from those of work orders, by name and with the type of their values, by one request', async () => {
			const { Id } = desk.insert('CustomFieldDescriptor', {
				Name: 'Zyzzyva',
				Type: 'Boolean',
				ActorTypeId: 'WO',
			});
			const { fields } = await columns();
			expect(queriesSent()).toHaveLength(1);
			expect(desk.sent()).toHaveLength(1);
			const known = desk
				.rows('CustomFieldDescriptor')
				.filter(({ ActorTypeId, IsRemoved }) => ActorTypeId === 'WO' && IsRemoved !== true);
			expect(fields.map(({ displayName }) => displayName)).toEqual(
				known.map(({ Name }) => String(Name)).sort(),
			);
			expect(fields).toContainEqual(
				expect.objectContaining({
					id: `CustomFields.${Id}`,
					displayName: 'Zyzzyva',
					type: 'boolean',
					required: false,
				}),
			);
		});

		it('and none where they may not be read', async () => {
			desk.sandbox.set({ unreadable: ['CustomFieldDescriptor'] });
			const { fields, emptyFieldsNotice } = await columns();
			desk.sandbox.set({ unreadable: [] });
			expect(fields).toEqual([]);
			expect(emptyFieldsNotice).toBe('Your Company has no custom fields for work orders');
		});

		it('and sent in the format of the service, without another request', async () => {
			const [urgent, day, amount] = [
				add('Urgent', 'Boolean'),
				add('Day', 'Date'),
				add('Amount', 'Decimal'),
			];
			const { fields } = await columns();
			desk.sandbox.forgetRequests();
			const value = {
				'CustomFields.701': '={{ $json.x }}',
				[`CustomFields.${urgent}`]: false,
				[`CustomFields.${day}`]: '2026-01-31T23:30:00',
				[`CustomFields.${amount}`]: 12.5,
				'CustomFields.702': null,
			};
			const run = await create(customFields(value, fields), 'CC-9');
			expect(run.errorItems).toEqual([]);
			expect(desk.sent()).toHaveLength(1);
			expect(kept(run.items[0].json.Id)).toEqual([
				[701, 'CC-9'],
				[urgent, 'false'],
				[day, '2026-01-31'],
				[amount, '12.5'],
			]);
		});

		it('or named by a model or program', async () => {
			const run = await create(customFields({ 'cost center': 'CC-2', '702': '3' }));
			expect(run.errorItems).toEqual([]);
			expect(kept(run.items[0].json.Id)).toEqual(
				expect.arrayContaining([
					[701, 'CC-2'],
					[702, '3'],
				]),
			);
		});

		it.each([
			[
				{ Nothing: 'x' },
				/'Custom Fields > Custom Field': no custom field of work orders is named "Nothing"/,
			],
			[{ 'CustomFields.701': { a: 1 } }, /'CustomFields.701' must be a text/],
		])('and %j is rejected before anything is written', async (value, message) => {
			const run = await create(customFields(value));
			expect(run.errorItems[0].json.error).toMatch(message);
			expect(desk.sent().every(({ path }) => path.includes('/query/'))).toBe(true);
		});
	});

	it('look up the name of a custom field once for all items', async () => {
		const run = await create(
			customFields({ 'Cost Center': '={{ $json.x }}' }),
			'CC-1',
			'CC-2',
			'CC-3',
		);
		expect(queriesSent().map(({ path }) => path)).toEqual(['/api/v1/query/CustomFieldDescriptor']);
		expect(run.items).toHaveLength(3);
	});

	it.each([
		[{ subType: byId('={{ $json.none }}') }, "'Sub Type' is empty"],
		[{ subType: byId('-4') }, '\'Sub Type\' must be a positive whole number, but it is "-4"'],
		[{ customer: byId('={{ $json.none }}') }, "'Customer' is empty, but a request needs one"],
		[{ customer: byId('1e3') }, '\'Customer\' must be a positive whole number, but it is "1e3"'],
		[{ contact: byId(1.5) }, '\'Contact\' must be a positive whole number, but it is "1.5"'],
		[{ typeCategory: 'Urgent' }, /'Type Category' must be one of .*, but it is "Urgent"/],
		[{ items: {} }, "'Items' is empty: a work order needs at least one"],
		[
			{ items: { values: [{ asset: byId(1), task: byId('={{ $json.none }}') }] } },
			"'Task' is empty",
		],
		[{ notes: { values: [{ body: ' ' }] } }, "'Notes > Body' is empty"],
		[
			{ notes: { values: [{ body: 'x', type: 'Secret' }] } },
			/'Notes > Type' must be one of .*"Secret"/,
		],
		[customFields({ '': 'x' }), "'Custom Field' is empty"],
		[
			{ additionalFields: { duration: 'an hour' } },
			/'Duration' must be a whole number, 1 or more, but it is "an hour"/,
		],
		[{ additionalFields: { employee: byId('') } }, /'Assign To' is empty/],
		[{ additionalFields: { isWarranty: 'maybe' } }, /'Is Warranty' must be one of true, false/],
		[{ additionalFields: { due: '2026-02-30' } }, /'Due' must be a date and time/],
		[{ additionalFields: { poNumber: { a: 1 } } }, /'PO Number' must be a text/],
		[
			{ additionalFields: { vendorNte: { money: { value: 'much', currency: 'USD' } } } },
			'\'Vendor NTE > Value\' must be a number, but it is "much"',
		],
		[
			{ additionalFields: { vendorNte: { money: { value: 1, currency: 'Dollar' } } } },
			/'Vendor NTE > Currency' must be one of/,
		],
		[
			{ additionalFields: { otherProperties: { TaskRefinment: 'x' } } },
			'\'Other Fields (JSON)\' has "TaskRefinment", which is not a field of a work order',
		],
		[
			{ additionalFields: { otherProperties: { Items: [] } } },
			'\'Other Fields (JSON)\' has "Items", which the form sets as well',
		],
		[
			{ preventDuplicates: { skipIfExternalNumberExists: 'perhaps' } },
			/'Skip if External Number Exists' must be one of true, false/,
		],
		[
			{ preventDuplicates: { skipIfExternalNumberExists: '={{ $json.none }}' } },
			"'Skip if External Number Exists' is empty",
		],
		[{ computeSchedule: '={{ "later" }}' }, /'Compute Schedule' must be one of true, false/],
		[{ additionalFields: { workPlan: '[' } }, /'Work Plan \(JSON\)' is not valid JSON/],
	])('are checked before anything is sent: %j', async (more, message) => {
		const run = await create(more as IDataObject);
		expect(run.errorItems.map(({ json }) => json.error)).toEqual([
			typeof message === 'string' ? message : (expect.stringMatching(message) as string),
		]);
		expect(desk.sandbox.requests).toEqual([]);
	});
});

describe('Skip if External Number Exists', () => {
	const skip = (externalNumber: unknown) => ({
		additionalFields: { externalNumber },
		preventDuplicates: { skipIfExternalNumberExists: true },
	});

	it('returns the order that has the number, marked as existing, and creates none', async () => {
		const before = orderCount();
		const run = await create(skip('EXT-10'));
		expect(queriesSent().map(({ path, body }) => ({ path, body }))).toEqual([
			{
				path: '/api/v1/query/WorkOrder',
				body: {
					QueryExpression: expect.objectContaining({
						PropertySet: { Properties: ['*', 'LastAction.XNumber'] },
						Criteria: {
							FilterOperator: 'And',
							Conditions: [
								{ PropertyName: 'LastAction.XNumber', Operator: 'In', Values: ['EXT-10'] },
							],
						},
					}) as unknown,
				},
			},
		]);
		expect(commandsSent()).toEqual([]);
		expect(orderCount()).toBe(before);
		expect(jsonOf(run.items)).toEqual([
			expect.objectContaining({
				Id: desk.rows('WorkOrder')[10].Id,
				LastAction: expect.objectContaining({ XNumber: 'EXT-10' }) as unknown,
				AlreadyExisted: true,
			}),
		]);
	});

	it('creates the order when there is none, and says so', async () => {
		const run = await create(skip(' NEW-1 '));
		expect(jsonOf(run.items)).toEqual([
			expect.objectContaining({ StatusId: 'New', AlreadyExisted: false }),
		]);
		expect(commandsSent()[0].ExternalNumber).toBe('NEW-1');

		const again = await create(skip('NEW-1'));
		expect(again.items[0].json).toMatchObject({ Id: run.items[0].json.Id, AlreadyExisted: true });
	});

	it('finds many numbers by one query, also if an earlier item created the order', async () => {
		const before = orderCount();
		const run = await create(skip('={{ $json.x }}'), 'EXT-0', 'A', 'B', 'A', 'EXT-20', 'B');
		expect(queriesSent()).toHaveLength(1);
		expect(queriesSent()[0].body).toMatchObject({
			QueryExpression: {
				Criteria: { Conditions: [{ Values: ['EXT-0', 'A', 'B', 'EXT-20'] }] },
			},
		});
		expect(orderCount()).toBe(before + 2);
		const output = jsonOf(run.items);
		expect(output.map(({ AlreadyExisted }) => AlreadyExisted)).toEqual([
			true,
			false,
			false,
			true,
			true,
			true,
		]);
		expect([output[3].Id, output[5].Id]).toEqual([output[1].Id, output[2].Id]);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4, 5].map((item) => ({ item })),
		);
	});

	it('creates no order twice with concurrent requests', async () => {
		const before = orderCount();
		const run = await create(
			{
				...skip('={{ $json.x }}'),
				options: { advanced: { parallelRequests: 8 } },
			},
			...Array.from({ length: 24 }, (_, item) => `S-${item % 3}`),
		);
		expect(run.items).toHaveLength(24);
		expect(orderCount()).toBe(before + 3);
		expect(new Set(jsonOf(run.items).map(({ Id }) => Id)).size).toBe(3);
	});

	it('takes a query for every 499 numbers', async () => {
		const numbers = Array.from({ length: 501 }, (_, item) => `N-${item}`);
		const answerFor = (some: string[]) => ({
			match: { pathIncludes: '/query/' },
			kind: 'wrongShape' as const,
			body: {
				Entities: some.map((XNumber, index) => ({
					Data: { Id: index + 1, LastAction: { XNumber } },
				})),
			},
		});
		desk.fault(answerFor(numbers.slice(0, 499)));
		const newestIds = { Entities: [{ Data: { Id: 499 } }] };
		desk.fault({ ...answerFor([]), body: newestIds });
		desk.fault(answerFor(numbers.slice(499)));
		const run = await create(skip('={{ $json.x }}'), ...numbers);
		expect(jsonOf(run.items).map(({ LastAction }) => LastAction)).toEqual(
			numbers.map((XNumber) => ({ XNumber })),
		);
		expect(queriesSent()).toHaveLength(2);
		expect(commandsSent()).toEqual([]);
	});

	it('fails the item when the look-up fails, and creates nothing', async () => {
		desk.fault(
			rejection(
				'/query/',
				{ ErrorCode: 'ERROR_CODE_1003', ErrorMessage: 'Not a scalar' },
				{ times: 10 },
			),
		);
		const run = await create(skip('={{ $json.x }}'), 'A', 'B');
		expect(run.errorItems.map(({ json }) => json.error)).toEqual(['Not a scalar', 'Not a scalar']);
		expect(commandsSent()).toEqual([]);
	});

	it('names the first item that needed a look-up which failed', async () => {
		desk.fault({ match: { pathIncludes: '/query/' }, kind: 'status', status: 400 });
		const run = await desk.run('workOrder:create', form(skip('={{ $json.x }}')), {
			items: itemsOf('A', 'B', 'A'),
		});
		expect(run.error?.context.itemIndex).toBe(0);
		expect(commandsSent()).toEqual([]);
	});

	it('fails if the answer contains other orders', async () => {
		desk.fault({
			match: { pathIncludes: '/query/' },
			kind: 'wrongShape',
			body: { Entities: [{ Data: { Id: 1, LastAction: { XNumber: 'OTHER' } } }] },
		});
		const run = await create(skip('A'));
		expect(run.errorItems[0].json.error).toBe(
			"Corrigo answered the look-up for 'Skip if External Number Exists' with an order that was not asked for",
		);
		expect(commandsSent()).toEqual([]);
	});

	it('accepts a number in other letters if the service treats it as equal', async () => {
		desk.fault({
			match: { pathIncludes: '/query/' },
			kind: 'wrongShape',
			body: { Entities: [{ Data: { Id: 7, LastAction: { XNumber: 'TICKET-Ä ' } } }] },
		});
		const run = await create(skip('ticket-ä'));
		expect(jsonOf(run.items)).toEqual([
			{ Id: 7, LastAction: { XNumber: 'TICKET-Ä ' }, AlreadyExisted: true },
		]);
	});

	it('looks the number up when the answer to its create was lost: the order is the output', async () => {
		desk.fault({ match: { pathIncludes: '/cmd/' }, kind: 'resetAfter' });
		const before = orderCount();
		const run = await create(skip('={{ $json.x }}'), 'Late', 'Late');
		expect(run.errorItems).toEqual([]);
		expect(jsonOf(run.items)).toEqual([
			expect.objectContaining({ AlreadyExisted: false }),
			expect.objectContaining({ AlreadyExisted: true }),
		]);
		expect(orderCount()).toBe(before + 1);
		expect(commandsSent()).toHaveLength(1);
		expect(run.hints.map(({ message }) => message).join()).toContain(
			'an order with the external number "Late" was found',
		);
	});

	it('leaves the create in doubt when the order is missing a little later, and sends no second one', async () => {
		desk.fault({ match: { pathIncludes: '/cmd/' }, kind: 'resetBefore' });
		const run = await withShortPauses(
			async () => await create(skip('={{ $json.x }}'), 'Never', 'never'),
		);
		expect(run.items).toEqual([]);
		expect(commandsSent()).toHaveLength(1);
		expect(queriesSent()).toHaveLength(3);
		for (const { json } of run.errorItems) {
			expect(json.message).toMatch(/may have been carried out/);
			expect(json.message).toMatch(/"Never" was not there 5 seconds later; it may still appear/);
		}
	});

	it('leaves the other items with the number in doubt, in every try of Retry On Fail', async () => {
		desk.fault({ match: { pathIncludes: '/WoCreateCommand' }, kind: 'resetBefore' });
		const before = orderCount();
		const run = await withShortPauses(
			async () =>
				await desk.run('workOrder:create', form(skip('={{ $json.x }}')), {
					items: itemsOf('Never', 'never'),
					settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
					onError: 'continueRegularOutput',
				}),
		);
		expect(run.items.map(({ json }) => json.message)).toEqual(
			['', ''].map(() => expect.stringMatching(/it may still appear/) as unknown),
		);
		expect(commandsSent()).toHaveLength(1);
		expect(orderCount()).toBe(before);
	});

	it.each([1, 4])(
		'allows the number again where its create was rejected, with Parallel Requests %d',
		async (parallelRequests) => {
			desk.fault(rejection('/WoCreateCommand', { ErrorMessage: 'Not this one' }));
			const before = orderCount();
			const run = await create(
				{
					...skip('={{ $json.x }}'),
					options: { advanced: { parallelRequests } },
				},
				'Again',
				'again',
				'AGAIN',
			);
			expect(run.errorItems.map(({ json }) => json.error)).toEqual(['Not this one']);
			expect(jsonOf(run.items)).toMatchObject([
				{ AlreadyExisted: false },
				{ AlreadyExisted: true },
			]);
			expect(orderCount()).toBe(before + 1);
		},
	);

	it('ignores the case of the number', async () => {
		const before = orderCount();
		const run = await create(skip('={{ $json.x }}'), 'Ext-A', 'EXT-a');
		expect(orderCount()).toBe(before + 1);
		expect(new Set(jsonOf(run.items).map(({ Id }) => Id)).size).toBe(1);
		expect(queriesSent()).toHaveLength(1);
	});

	it('looks the number up again before a create when the look-up is older than 30 seconds', async () => {
		const now = performance.now.bind(performance);
		const clock = jest
			.spyOn(performance, 'now')
			.mockImplementation(() => now() + 31_000 * commandsSent().length);
		try {
			const run = await create(skip('={{ $json.x }}'), 'T-1', 'T-2', 'T-3');
			expect(run.items).toHaveLength(3);
			expect(queriesSent()).toHaveLength(3);
		} finally {
			clock.mockRestore();
		}
	});

	it('returns the oldest order that has the number, where there are several', async () => {
		const [first, second] = desk.rows('WorkOrder');
		for (const { Id } of [second, first]) {
			desk.change('WoLastAction', Id, { XNumber: 'Twice' });
		}
		const run = await create(skip('Twice'));
		expect(jsonOf(run.items)).toEqual([expect.objectContaining({ Id: first.Id })]);
	});

	it('requires the number as a text', async () => {
		const run = await create(skip('={{ { number: 1 } }}'));
		expect(run.errorItems[0].json.error).toMatch(/'External Number' must be a text/);
		expect(desk.sent()).toEqual([]);
	});

	it('looks up nothing for an item whose number is not a text', async () => {
		const run = await create(skip('={{ $json.x }}'), 'EXT-10', { number: 1 });
		expect(run.errorItems[0].json.error).toMatch(/'External Number' must be a text/);
		expect(JSON.stringify(queriesSent()[0].body)).toContain('"Values":["EXT-10"]');
	});

	it('requires a number', async () => {
		const run = await create(skip('={{ $json.x }}'), '', 'EXT-0');
		expect(run.errorItems[0].json).toMatchObject({ error: "'External Number' is empty" });
		const empty = await create(skip(''), 'x');
		expect(empty.errorItems[0].json).toMatchObject({
			error: "'External Number' is empty, but 'Skip if External Number Exists' needs it",
		});
		expect(run.items).toHaveLength(1);
		expect(commandsSent()).toEqual([]);
	});

	it('marks existing orders in the raw output', async () => {
		const run = await create({
			...skip('EXT-10'),
			output: 'raw',
		});
		expect(jsonOf(run.items)).toEqual([
			{ CommandResult: { Wo: expect.objectContaining({ AlreadyExisted: true }) as unknown } },
		]);
	});

	it('looks up nothing when the option is off', async () => {
		const run = await create({ additionalFields: { externalNumber: 'EXT-10' } });
		expect(queriesSent()).toEqual([]);
		expect(run.items[0].json).not.toHaveProperty('AlreadyExisted');
	});
});

it('a run returns the orders that could be created, and reports why the others could not', async () => {
	const customer = firstId('Customer');
	const run = await create({ customer: eachId }, customer, 999999, 'x', customer);
	expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 3 }]);
	expect(jsonOf(run.errorItems)).toEqual([
		expect.objectContaining({ x: 999999, error: 'Customer with Id 999999 cannot be found' }),
		expect.objectContaining({
			x: 'x',
			error: '\'Customer\': no customer is named "x"',
		}),
	]);
});
