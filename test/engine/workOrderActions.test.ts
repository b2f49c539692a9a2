import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	itemsOf,
	jsonOf,
	openDesk,
	sharedDesk,
	rejection,
	some,
	byNumber,
	eachId,
} from './desk';

const desk = sharedDesk();

const stored = (id: number) => desk.record('WorkOrder', id);
const reasonFor = (action: string) =>
	desk.rows('WoActionReasonLookup').find(({ ActionId }) => ActionId === action)?.Id;
const commands = () => desk.sent().map(({ body }) => (body as { Command: IDataObject }).Command);

/** An expression that is empty at run time, as n8n itself rejects empty required fields. */
const NOTHING = '={{ $json.nothing }}';

describe('a reason', () => {
	it.each(['hold', 'cancel'])('is required to %s, before anything is sent', async (name) => {
		const { message } = await desk.refuse(`workOrder:${name}`, {
			id: byId(desk.orderIn('Open').Id),
			reason: byId(NOTHING),
		});
		expect(message).toBe("'Reason' is empty");
	});

	it('of another action is rejected by the service, with its message', async () => {
		const { Id } = desk.orderIn('Open');
		const reason = reasonFor('OnHold');
		const run = await desk.run('workOrder:cancel', { id: byId(Id), reason: byId(reason) });
		expect(run.error?.message).toBe(`Reason with Id ${reason} cannot be found`);
		expect(stored(Id).StatusId).toBe('Open');
	});
});

describe('an action that the service rejects', () => {
	it.each([
		[
			'complete',
			'New',
			{},
			"Work Order that is in state 'New' cannot be placed in the state 'Completed'",
		],
		[
			'start',
			'Completed',
			{},
			"Work Order that is in state 'Completed' cannot be placed in the state 'InProgress'",
		],
		[
			'pickUp',
			'Cancelled',
			{},
			"Work Order that is in state 'Cancelled' cannot be placed in the state 'Open'",
		],
		['recall', 'New', {}, 'Work Order was not sent to a connected Service Pro'],
		[
			'verify',
			'New',
			{ rating: 'Positive' },
			"Work Order that is in state 'New' cannot be verified",
		],
	])(
		'%s of an order in %s fails with a message of its own',
		async (name, status, form, message) => {
			const { Id } = desk.orderIn(status);
			const run = await desk.run(`workOrder:${name}`, { id: byId(Id), ...form });
			expect(run.error?.message).toBe(message);
			expect(run.error?.description).toMatch(/BUSINESS_LOGIC_ERROR/);
			expect(run.status).toBe('error');
			expect(stored(Id).StatusId).toBe(status);
		},
	);
});

describe('the guards of an action', () => {
	it('allow the action while the order is as expected', async () => {
		const { Id, ConcurrencyId } = desk.orderIn('Open');
		const run = await desk.run('workOrder:start', {
			id: byId(Id),
			additionalFields: {
				expectedStatus: 'Open',
				expectedConcurrencyId: ConcurrencyId as number,
			},
		});
		expect(run.items[0].json.StatusId).toBe('InProgress');
		expect(commands()).toEqual([{ WorkOrderId: Id, StatusId: 'Open', ConcurrencyId }]);
	});

	it('are not sent unless they are added, nor is an empty text', async () => {
		const { Id } = desk.orderIn('Open');
		await desk.run('workOrder:start', { id: byId(Id), additionalFields: { comment: ' ' } });
		expect(commands()).toEqual([{ WorkOrderId: Id }]);
	});

	it.each([{ expectedStatus: 'New' }, { expectedConcurrencyId: 99 }])(
		'stop the action otherwise: %j',
		async (additionalFields) => {
			const { Id } = desk.orderIn('Open');
			const run = await desk.run('workOrder:start', { id: byId(Id), additionalFields });
			expect(run.error?.message).toBe('Data was already modified by another user.');
			expect(run.error?.description).toMatch(/ERROR_CODE_6/);
			expect(stored(Id).StatusId).toBe('Open');
		},
	);

	it.each([
		[{ expectedConcurrencyId: NOTHING }, "'Expected Concurrency ID' is empty"],
		[{ expectedConcurrencyId: 0 }, /'Expected Concurrency ID' must be .*1 or more, but it is "0"/],
		[{ expectedConcurrencyId: 'new' }, /'Expected Concurrency ID' must be .* "new"/],
		[{ expectedStatus: NOTHING }, "'Expected Status' is empty"],
		[{ expectedStatus: 'Done' }, /'Expected Status' must be one of .*, but it is "Done"/],
		[{ actionDate: 'yesterday' }, /'Action Date' must be a date and time, but it is "yesterday"/],
		[{ comment: ['a'] }, /'Comment' must be a text/],
	])('are not switched off by invalid values: %j', async (additionalFields, message) => {
		const form = { id: byId(desk.orderIn('Open').Id), additionalFields };
		const error = await desk.refuse('workOrder:start', form);
		expect(error.message).toMatch(message);
	});
});

describe('assignees and flags', () => {
	const employees = () => desk.rows('Employee').map(({ Id }) => Id);

	it('may be a list from an expression', async () => {
		const [first, second, third] = employees();
		await desk.run(
			'workOrder:assign',
			{
				id: byId(desk.orderIn('New').Id),
				assignees: { values: [{ employee: eachId }] },
				mode: 'Snapshot',
			},
			{ items: itemsOf([first, second, first], `${second}, ${third}`) },
		);
		expect(commands().map(({ Assignees }) => Assignees)).toEqual([
			[first, second],
			[second, third],
		]);
	});

	it.each([
		['assign', { assignees: {} }, "'Assignees' is empty"],
		[
			'assign',
			{ assignees: { values: [{ employee: byId('1,-2') }] } },
			'\'Assignees\' must be a positive whole number, but it is "-2"',
		],
		[
			'assign',
			{ assignees: { values: [{ employee: byId(1) }] }, mode: 'Everybody' },
			/'Mode' must be one of Primary, .*, but it is "Everybody"/,
		],
		['clearFlags', { flags: { values: [] } }, "'Flags' is empty"],
		['clearFlags', { flags: { values: [{ flag: byId('') }] } }, "'Flags' is empty"],
	])('of %s are checked before anything is sent: %j', async (name, form, message) => {
		const id = byId(desk.orderIn('New').Id);
		const error = await desk.refuse(`workOrder:${name}`, { id, ...form });
		expect(error.message).toMatch(message);
	});

	it('set a flag and clear it again', async () => {
		const { Id } = desk.orderIn('New');
		const flag = reasonFor('Attention');
		await desk.run('workOrder:addFlag', {
			id: byId(Id),
			flags: { values: [{ flag: byId(flag) }] },
		});
		expect(stored(Id).FlagId).toBe(flag);
		await desk.run('workOrder:clearFlags', {
			id: byId(Id),
			flags: { values: [{ flag: byId(flag) }] },
		});
		expect(stored(Id).FlagId).toBe(0);
	});
});

describe('the action Send', () => {
	it('finds the command name that a host supports, and continues to use it', async () => {
		const own = await openDesk({ sendWorkOrderPath: 'SendWorkOrder' });
		try {
			const ids = own.sandbox.store
				.rows('WorkOrder')
				.slice(0, 3)
				.map(({ Id }) => Id);
			const run = await own.run('workOrder:send', { id: eachId }, { items: itemsOf(...ids) });
			expect(jsonOf(run.items).map(({ Id }) => Id)).toEqual(ids);
			expect(own.sent().map(({ path }) => path.split('/').pop())).toEqual([
				'SendWorkOrderCommand',
				'SendWorkOrder',
				'SendWorkOrder',
				'SendWorkOrder',
			]);
		} finally {
			await own.close();
		}
	});

	it('does not try the other name when the order causes the failure', async () => {
		const run = await desk.run('workOrder:send', { id: byId(999999) });
		expect(run.error?.message).toMatch(/999999 is not found/);
		expect(desk.sent()).toHaveLength(1);
	});
});

describe('an action on several items', () => {
	const start = async (...inputs: unknown[]) =>
		await desk.run(
			'workOrder:start',
			{ id: eachId },
			{ items: itemsOf(...inputs), onError: 'continueErrorOutput' },
		);

	it('fails for each item with its own message', async () => {
		const [open, done] = [desk.orderIn('Open').Id, desk.orderIn('Completed').Id];
		const run = await start(done, open, 'abc', 0, null);
		expect(run.items).toEqual([
			some({
				json: some({ Id: open, StatusId: 'InProgress' }) as unknown,
				pairedItem: { item: 1 },
			}),
		]);
		expect(jsonOf(run.errorItems).map(({ error }) => error)).toEqual([
			"Work Order that is in state 'Completed' cannot be placed in the state 'InProgress'",
			'\'Work Order\': no work order has the number "abc"',
			'\'Work Order\' must be a positive whole number, but it is "0"',
			"'Work Order' is empty",
		]);
		expect(run.errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 2, 3, 4].map((item) => ({ item })),
		);
		// Two more queries: for both kinds of numbers, and for similar ones.
		expect(desk.sent()).toHaveLength(4);
	});

	it('stops at the first failure, if set', async () => {
		const [open, done] = [desk.orderIn('Open').Id, desk.orderIn('Completed').Id];
		const run = await desk.run('workOrder:start', { id: eachId }, { items: itemsOf(done, open) });
		expect(run.error?.context.itemIndex).toBe(0);
		expect(desk.sent()).toHaveLength(1);
		expect(stored(open).StatusId).toBe('Open');
	});

	it('finds the orders by number with one query', async () => {
		const orders = desk
			.rows('WorkOrder')
			.filter(({ StatusId }) => StatusId === 'Open')
			.slice(0, 2);
		const run = await desk.run(
			'workOrder:start',
			{ id: byNumber('={{ $json.x }}') },
			{ items: itemsOf(...orders.map(({ Number: number }) => number)) },
		);
		expect(jsonOf(run.items).map(({ Id }) => Id)).toEqual(orders.map(({ Id }) => Id));
		expect(desk.sent().map(({ path }) => path.split('/').pop())).toEqual([
			'WorkOrder',
			'WoStartCommand',
			'WoStartCommand',
		]);
	});
});

it('an action returns the whole answer on request', async () => {
	const { Id } = desk.orderIn('Open');
	const run = await desk.run('workOrder:start', {
		id: byId(Id),
		output: 'raw',
		options: { advanced: { requestId: 'raw' } },
	});
	expect(run.items[0].json).toEqual({
		CommandResult: { Wo: some({ Id }) as unknown },
		RequestId: 'raw',
	});
});

it('an action never sends a second time what may have been carried out', async () => {
	const { Id } = desk.orderIn('Open');
	desk.fault({ match: { pathIncludes: 'WoStartCommand' }, kind: 'resetAfter' });
	const run = await desk.run('workOrder:start', {
		id: byId(Id),
		options: { advanced: { requestId: 'once' } },
	});
	expect(run.error?.description).toMatch(/may have been carried out .*once/);
	expect(desk.sent()).toHaveLength(1);
	expect(stored(Id).StatusId).toBe('InProgress');
});

describe('flags', () => {
	const flags = () =>
		desk.children('WoActionReasonLookup', 'ActionId', 'Attention').map(({ Id }) => Id);

	it('are set several at once, each once, with comment, time and guards', async () => {
		const [first, second] = flags();
		const { Id, ConcurrencyId } = desk.orderIn('Open');
		await desk.succeed('workOrder:addFlag', {
			id: byId(Id),
			flags: { values: [{ flag: byId(`${first}, ${second}`) }, { flag: byId(first) }] },
			additionalFields: {
				actionDate: '2026-01-31T09:00:00',
				comment: 'look here',
				expectedConcurrencyId: Number(ConcurrencyId),
				expectedStatus: 'Open',
			},
		});
		expect(
			desk.sent().map(({ path, body }) => [path, (body as { Command: object }).Command]),
		).toEqual([
			[
				'/api/v1/cmd/WoSetFlagsCommand',
				{
					WorkOrderId: Id,
					FlagsToSet: [first, second],
					ActionDate: '2026-01-31T09:00:00',
					Comment: 'look here',
					ConcurrencyId,
					StatusId: 'Open',
				},
			],
		]);
		expect(
			desk.children('WoFlag', 'WoId', Id).map(({ FlagId, Comment }) => [FlagId, Comment]),
		).toEqual([first, second].map((flag) => [flag, 'look here']));
	});

	it.each([
		[{ values: [{ flag: byId(NOTHING) }] }, "'Flags' is empty"],
		[{ values: [] }, "'Flags' is empty"],
	])('must be named before anything is sent: %j', async (flags, message) => {
		const form = { id: byId(desk.orderIn('New').Id), flags };
		const error = await desk.refuse('workOrder:addFlag', form);
		expect(error.message).toBe(message);
	});
});

describe('a message', () => {
	it('is rejected without text, and fails with the message of the service without a connected provider', async () => {
		const { Id } = desk.orderIn('New');
		const send = async (message: string) =>
			await desk.run('workOrder:sendMessage', { id: byId(Id), message });
		expect((await send('={{ "" }}')).error?.message).toBe("'Message' is empty");
		expect(desk.sandbox.requests).toEqual([]);
		expect((await send('Gate code 1234')).error?.message).toContain(
			'is not assigned to a connected Service Pro',
		);
	});
});

describe('the printout', () => {
	const print = async (form: object = {}) =>
		await desk.run('workOrder:print', {
			id: byId(desk.orderIn('New').Id),
			...form,
		});

	it('is a PDF file named by the number of the order', async () => {
		const { Number: number } = desk.orderIn('New');
		const { items, error } = await print({ binaryPropertyName: 'sheet' });
		expect(error).toBeUndefined();
		const { data, ...file } = items[0].binary?.sheet ?? { data: '' };
		expect(Buffer.from(data, 'base64').toString()).toContain(
			`Work Order Summary: ${String(number)}`,
		);
		expect(file).toMatchObject({
			fileName: `${String(number)}.pdf`,
			mimeType: 'application/pdf',
		});
	});

	it.each([
		[{ binaryPropertyName: '={{ "" }}' }, "'Output Data Field Name' is empty"],
		[{ additionalFields: { languageId: 0 } }, /'Language ID' must be a whole number, 1 or more/],
		[
			{ additionalFields: { printoutTemplate: byId('={{ $json.nothing }}') } },
			"'Printout Template' is empty",
		],
	])('is not requested with invalid values: %j', async (form, message) => {
		const { error } = await print(form);
		expect(error?.message).toMatch(message);
		expect(desk.sandbox.requests).toEqual([]);
	});

	it.each([
		{},
		{ PrintoutBody: '', Filename: 'x.pdf' },
		{ PrintoutBody: 7 },
		{ PrintoutBody: '%PDF' },
	])('is reported as missing where the answer has none: %j', async (CommandResult) => {
		desk.fault(rejection('CreateWoPrintoutCommand', { CommandResult }, { status: 200 }));
		const { error } = await print();
		expect(error?.message).toMatch(/^Corrigo made no printout of the work order \d+$/);
	});

	it('is named after the order where the answer has no name, and never leads to another folder', async () => {
		const body = Buffer.from('%PDF-1.4').toString('base64');
		const names = [];
		for (const Filename of [undefined, '../../etc/passwd.pdf']) {
			desk.fault(
				rejection(
					'CreateWoPrintoutCommand',
					{ CommandResult: { PrintoutBody: body, Filename } },
					{ status: 200 },
				),
			);
			names.push((await print()).items[0].json.FileName);
		}
		expect(names).toEqual([`${desk.orderIn('New').Id}.pdf`, 'passwd.pdf']);
	});
});
