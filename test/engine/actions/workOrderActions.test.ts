import {
	byId,
	idsOf,
	itemsOf,
	jsonOf,
	openCompany,
	shareCompany,
	rejection,
	eachId,
} from '../../support/company';

const company = shareCompany();
const { n8n, records, requests } = company;

/** An expression that is empty at run time, as n8n itself rejects empty required fields. */
const NOTHING = '={{ $json.nothing }}';

describe('the guards of an action', () => {
	it('allow the action while the order is as expected', async () => {
		const { Id, ConcurrencyId } = records.orderIn('Open');
		const run = await n8n.run('workOrder:start', {
			id: byId(Id),
			additionalFields: { expectedStatus: 'Open', expectedConcurrencyId: ConcurrencyId },
		});
		expect(run.items[0].json.Status).toBe('In Progress');
		expect(requests.commands()).toEqual([{ WorkOrderId: Id, StatusId: 'Open', ConcurrencyId }]);
	});

	it('are not sent unless they are added, nor is an empty text', async () => {
		const { Id } = records.orderIn('Open');
		await n8n.run('workOrder:start', { id: byId(Id), additionalFields: { comment: ' ' } });
		expect(requests.commands()).toEqual([{ WorkOrderId: Id }]);
	});

	it('are not sent by Verify either, which always sends a comment', async () => {
		const { Id } = records.orderIn('Completed');
		await n8n.run('workOrder:verify', { id: byId(Id), rating: 'Positive' });
		expect(requests.commands()).toEqual([{ WorkOrderId: Id, WoRatingId: 'Positive', Comment: '' }]);
	});
});

describe('an error', () => {
	const refuse = async (...given: Parameters<typeof n8n.run>) => {
		const { error } = await n8n.run(...given);
		return { message: error?.message, description: error?.description };
	};
	const PO = { fieldsJson: { PoNumber: 'P' } };

	it.each<[string, object]>([
		['workOrder:get', {}],
		['workOrder:getDetails', {}],
		['workOrder:update', PO],
		['workOrder:update', { fieldsJson: { Customer: { Id: 101 } } }],
		['workOrder:pause', {}],
		['workOrder:print', { binaryPropertyName: 'data' }],
		['invoice:changeApStatus', { apStatus: byId(2) }],
	])('has one text for an order that does not exist: %s %j', async (operation, form) => {
		const { message, description } = await refuse(operation, { id: byId(999999), ...form });
		expect(message).toBe('There is no work order with the ID 999999');
		expect(description).toMatch(
			/Check the ID, and that the service user of the credential may see /,
		);
	});

	it('does not say that an order is missing where another record is', async () => {
		const Id = records.orderIn('Open').Id;
		const ErrorMessage = `WorkZone with Id ${Id} is not found.`;
		requests.fault(rejection('/base/', { ErrorCode: 'ERROR_CODE_1019', ErrorMessage }));
		const form = { id: byId(Id), fieldsJson: { WorkZone: { Id } } };
		expect((await refuse('workOrder:update', form)).message).toContain(ErrorMessage);
	});

	it('has the status as the form shows it', async () => {
		const id = byId(records.orderIn('InProgress').Id);
		const { message } = await refuse('workOrder:pickUp', { id });
		expect(message).toMatch(/in state 'In Progress' cannot/);
	});

	it('says which expectation an order does not meet, and not that somebody has changed it', async () => {
		const id = byId(records.orderIn('InProgress').Id);
		const pause = async (additionalFields: object) =>
			(await refuse('workOrder:pause', { id, additionalFields })).message;
		const start = 'The record does not have the';
		expect(await pause({ expectedStatus: 'Open' })).toBe(`${start} 'Expected Status'`);
		expect(await pause({ expectedStatus: 'Open', expectedConcurrencyId: 99 })).toBe(
			`${start} 'Expected Status' or the 'Expected Concurrency ID'`,
		);
	});
});

describe('assignees and flags', () => {
	it('may be a list from an expression', async () => {
		const [first, second, third] = records.ids('Employee');
		await n8n.run(
			'workOrder:assign',
			{
				id: byId(records.orderIn('New').Id),
				assignees: { values: [{ employee: eachId }] },
				mode: 'Snapshot',
			},
			{ items: itemsOf([first, second, first], `${second}, ${third}`) },
		);
		expect(requests.commands().map(({ Assignees }) => Assignees)).toEqual([
			[first, second],
			[second, third],
		]);
	});

	it.each([
		['assign', { assignees: {} }, "'Assignees' is empty"],
		[
			'assign',
			{ assignees: { values: [{ employee: byId('={{ [] }}') }, { employee: byId(302) }] } },
			"'Assignees' is empty",
		],
		[
			'assign',
			{ assignees: { values: [{ employee: byId('1,-2') }] } },
			'\'Assignees\' must be a positive whole number, but it is "-2"',
		],
		['addFlag', { flags: { values: [] } }, "'Flags' is empty"],
		['addFlag', { flags: { values: [{ flag: byId(NOTHING) }] } }, "'Flags' is empty"],
	])('of %s are checked before anything is sent: %j', async (name, form, message) => {
		const id = byId(records.orderIn('New').Id);
		const error = await n8n.refuse(`workOrder:${name}`, {
			...{ id, ...(name === 'assign' && { mode: 'Primary' }) },
			...form,
		});
		expect(error.message).toMatch(message);
	});

	it('flags are set several at once, each once, with comment, time and guards', async () => {
		const [first, second] = records.idsWhere(
			'WoActionReasonLookup',
			(row) => row.ActionId === 'Attention',
		);
		const { Id, ConcurrencyId } = records.orderIn('Open');
		await n8n.succeed('workOrder:addFlag', {
			id: byId(Id),
			flags: { values: [{ flag: byId(`${first}, ${second}`) }, { flag: byId(first) }] },
			additionalFields: {
				actionDate: '2026-01-31T09:00:00',
				comment: 'look here',
				expectedConcurrencyId: Number(ConcurrencyId),
				expectedStatus: 'Open',
			},
		});
		expect(requests.paths()).toEqual(['POST cmd/WoSetFlagsCommand']);
		expect(requests.commands()).toEqual([
			{
				WorkOrderId: Id,
				FlagsToSet: [first, second],
				ActionDate: '2026-01-31T09:00:00',
				Comment: 'look here',
				ConcurrencyId,
				StatusId: 'Open',
			},
		]);
		expect(
			records.children('WoFlag', 'WoId', Id).map(({ FlagId, Comment }) => [FlagId, Comment]),
		).toEqual([first, second].map((flag) => [flag, 'look here']));
	});
});

describe('the action Send', () => {
	it('finds the command name that a host supports, and continues to use it', async () => {
		const own = await openCompany({ sendWorkOrderPath: 'SendWorkOrder' });
		try {
			const ids = own.records.ids('WorkOrder', 3);
			const run = await own.n8n.run('workOrder:send', { id: eachId }, { items: itemsOf(...ids) });
			expect(idsOf(jsonOf(run.items))).toEqual(ids);
			expect(own.requests.paths()).toEqual([
				'POST cmd/SendWorkOrderCommand',
				...ids.map(() => 'POST cmd/SendWorkOrder'),
			]);
		} finally {
			await own.close();
		}
	});

	it('does not try the other name when the order causes the failure', async () => {
		const run = await n8n.run('workOrder:send', { id: byId(999999) });
		expect(run.error?.message).toMatch(/no work order with the ID 999999/);
		expect(requests.sent()).toHaveLength(1);
	});
});

describe('the printout', () => {
	const print = async (form: object = {}) =>
		await n8n.run('workOrder:print', { id: byId(records.orderIn('New').Id), ...form });

	it('is a PDF file named by the number of the order', async () => {
		const { Number: number } = records.orderIn('New');
		const { items, error } = await print({ binaryPropertyName: 'sheet' });
		expect(error).toBeUndefined();
		const { data, ...file } = items[0].binary?.sheet ?? { data: '' };
		const text = Buffer.from(data, 'base64').toString();
		expect(text).toContain(`Work Order Summary: ${String(number)}`);
		expect(file).toMatchObject({ fileName: `${String(number)}.pdf`, mimeType: 'application/pdf' });
	});

	it.each([
		{},
		{ PrintoutBody: '', Filename: 'x.pdf' },
		{ PrintoutBody: 7 },
		{ PrintoutBody: '%PDF' },
	])('is reported as missing where the answer has none: %j', async (CommandResult) => {
		requests.fault(rejection('CreateWoPrintoutCommand', { CommandResult }, { status: 200 }));
		const { error } = await print();
		expect(error?.message).toMatch(/^Corrigo made no printout of the work order \d+$/);
	});

	it('is named after the order where the answer has no name, and never leads to another folder', async () => {
		const body = Buffer.from('%PDF-1.4').toString('base64');
		const names = [];
		for (const Filename of [undefined, '../../etc/passwd.pdf']) {
			const CommandResult = { PrintoutBody: body, Filename };
			requests.fault(rejection('CreateWoPrintoutCommand', { CommandResult }, { status: 200 }));
			names.push((await print()).items[0].json.FileName);
		}
		expect(names).toEqual([`${records.orderIn('New').Id}.pdf`, 'passwd.pdf']);
	});
});
