import { getRefusal, sharedClient, TestClock } from './client';

const CANCEL = 46;
const ON_HOLD = 41;
const ATTENTION = [49, 50] as const;

const clock = new TestClock();
const client = sharedClient({ now: clock.now });

const inStatus = (StatusId: string): number => {
	const { store } = client;
	const source = { ...store.rows('WorkOrder')[0], Id: undefined, ConcurrencyId: 1 };
	const { Id } = store.insert('WorkOrder', { ...source, StatusId, FlagId: 0, WonId: 0 });
	store.insert('WorkOrderCost', { Id });
	store.insert('WoLastAction', { Id, WorkOrderId: Id });
	return Id;
};

const act = (name: string, id: number, members: object = {}) =>
	client.command(`Wo${name}Command`, { WorkOrderId: id, ...members });

const reasons: Record<string, object> = {
	Cancel: { ActionReasonId: CANCEL },
	OnHold: { ActionReasonId: ON_HOLD },
};

it.each([
	['PickUp', 'New', 'Open', 'PickUp'],
	['Start', 'Open', 'InProgress', 'Start'],
	['Pause', 'InProgress', 'Paused', 'Stop'],
	['OnHold', 'InProgress', 'OnHold', 'OnHold'],
	['Complete', 'InProgress', 'Completed', 'Complete'],
	['Cancel', 'InProgress', 'Cancelled', 'Cancel'],
	['Reopen', 'Paused', 'New', 'Reopen'],
	['Reopen', 'Cancelled', 'New', 'Reopen'],
])('%s changes an order from %s to %s', async (command, from, to, action) => {
	const id = inStatus(from);
	clock.advance(60);
	const { data } = await act(command, id, { Comment: 'done', ...reasons[command] });
	expect(data.CommandResult).toEqual({ Wo: expect.objectContaining({ Id: id, StatusId: to }) });
	expect(client.store.children('WoActionLog', 'WorkOrderId', id)).toEqual([
		expect.objectContaining({ TypeId: action, Comment: 'done', UiTypeId: 'IntegrationWS' }),
	]);
	const read = 'LastActionDateUtc,LastAction.LastAction.TypeId';
	expect(await client.read('WorkOrder', id, read)).toEqual({
		LastActionDateUtc: expect.stringContaining(new Date(clock.now()).toISOString().slice(0, 19)),
		LastAction: { LastAction: { TypeId: action } },
	});
});

it.each([
	['Complete', 'New', 'Completed'],
	['Cancel', 'Completed', 'Cancelled'],
	['OnHold', 'Completed', 'OnHold'],
	['Reopen', 'New', 'New'],
])('%s is rejected for an order in status %s', async (command, from, to) => {
	const call = act(command, inStatus(from), reasons[command]);
	expect(await getRefusal(call)).toBe('BUSINESS_LOGIC_ERROR');
	expect((await call).data.ErrorMessage).toBe(
		`{!{Work Order}!} that is in state '${from}' cannot be placed in the state '${to}'`,
	);
});

it.each([
	['Cancel', 'Cancelled'],
	['OnHold', 'OnHold'],
])('%s requires a reason of its own kind', async (command, status) => {
	const id = inStatus('Open');
	expect((await act(command, id)).data.ErrorMessage).toBe(`status ${status} requires reason`);
	for (const ActionReasonId of [undefined, ATTENTION[0], 999]) {
		expect(await getRefusal(act(command, id, { ActionReasonId }))).toBe('BUSINESS_LOGIC_ERROR');
	}
});

it('an action is rejected if status or version differ from those expected', async () => {
	const id = inStatus('New');
	for (const expected of [{ StatusId: 'Open' }, { ConcurrencyId: 99 }]) {
		expect(await getRefusal(act('PickUp', id, expected))).toBe('ERROR_CODE_6');
	}
	const { status } = await act('PickUp', id, { StatusId: 'New', ConcurrencyId: 1 });
	expect(status).toBe(200);
	expect((await act('Start', id, { StatusId: 'Unknown', ConcurrencyId: 0 })).status).toBe(200);
});

it.each([
	['a missing order Id', { WorkOrderId: undefined }, 'IDENTIFIER_NOT_FOUND'],
	['a missing order', { WorkOrderId: 999999999 }, 'ERROR_CODE_1019'],
	['an order Id that is a word', { WorkOrderId: 'abc' }, 'INCORRECT_MODEL'],
	['an invalid date', { ActionDate: 'now' }, 'INCORRECT_MODEL'],
	['a long comment', { Comment: 'x'.repeat(3073) }, 'BUSINESS_LOGIC_ERROR'],
])('an action rejects %s', async (_case, members, code) => {
	const id = inStatus('New');
	const call = act('Cancel', id, { ...reasons.Cancel, ...members });
	expect(await getRefusal(call)).toBe(code);
	expect(client.store.get('WorkOrder', id)?.StatusId).toBe('New');
});

it('CompletionNoteOption decides whether completing an order replaces its completion note', async () => {
	const complete = async (id: number, Comment: string, CompletionNoteOption: string) => {
		await act('Complete', id, { Comment, CompletionNoteOption, RepairCodeId: 82 });
		return await client.read('WorkOrder', id, 'CompletionNote.Body,RepairCode.Id');
	};
	const id = inStatus('Open');
	expect(await complete(id, 'first', 'FillEmpty')).toEqual({
		CompletionNote: { Body: 'first' },
		RepairCode: { Id: 82 },
	});
	await act('Reopen', id);
	await act('PickUp', id);
	expect((await complete(id, 'second', 'FillEmpty')).CompletionNote.Body).toBe('first');
	await act('Reopen', id);
	await act('PickUp', id);
	expect((await complete(id, 'third', 'Replace')).CompletionNote.Body).toBe('third');
	const rival = { WorkOrderId: id, Body: 'another', NoteTypeId: 'Completion' };
	expect(await getRefusal(client.create('WoNote', rival))).toBe('BUSINESS_LOGIC_ERROR');
});

it('WoAssignCommand supports four modes', async () => {
	const id = inStatus('New');
	const assign = async (Mode: string | undefined, ...Assignees: number[]) => {
		await act('Assign', id, { Assignees, Mode });
		const rows = client.store.children('WoAssignment', 'WorkOrderId', id);
		return rows.map(({ EmployeeId, IsPrimary }) => [EmployeeId, IsPrimary]);
	};
	expect(await assign(undefined, 301)).toEqual([[301, true]]);
	expect(await assign('AddSecondary', 302)).toEqual([
		[301, true],
		[302, false],
	]);
	expect(await assign('Snapshot', 303, 304)).toEqual([
		[303, true],
		[304, false],
	]);
	expect(await assign('RemoveSecondary', 304)).toEqual([[303, true]]);
	expect(await client.read('WorkOrder', id, 'StatusId,Employee.Id')).toEqual({
		StatusId: 'New',
		Employee: { Id: 303 },
	});
	for (const members of [{}, { Assignees: [999] }]) {
		expect(await getRefusal(act('Assign', id, members))).toBe('BUSINESS_LOGIC_ERROR');
	}
	await getRefusal(act('Assign', inStatus('Completed'), { Assignees: [301] }));
});

it('commands raise and clear flags', async () => {
	const id = inStatus('New');
	const flags = async (answer: ReturnType<typeof act>) => {
		expect((await answer).status).toBe(200);
		return await client.read('WorkOrder', id, 'FlagId,Flags.FlagId');
	};
	expect(await flags(act('Flag', id))).toEqual({ FlagId: 0 });
	expect(await flags(act('Flag', id, { ActionReasonId: ATTENTION[0] }))).toEqual({
		FlagId: 49,
		Flags: [{ FlagId: 49 }],
	});
	expect(await flags(act('SetFlags', id, { FlagsToSet: [...ATTENTION] }))).toEqual({
		FlagId: 50,
		Flags: [{ FlagId: 49 }, { FlagId: 50 }],
	});
	expect(await flags(act('ClearFlags', id, { FlagsToClear: [50] }))).toEqual({
		FlagId: 49,
		Flags: [{ FlagId: 49 }],
	});
	await getRefusal(act('Flag', id, { ActionReasonId: CANCEL }));
});

it('WoCopyCommand copies an order and its items', async () => {
	const { Wo: copy } = await client.run('WoCopyCommand', { WorkOrderId: 50005 });
	const { Customer, Number: number } = client.store.existing('WorkOrder', 50005);
	expect(copy).toMatchObject({ StatusId: 'New', Customer });
	expect(copy.Number).not.toBe(number);
	expect(client.store.children('WoItem', 'WorkOrderId', copy.Id)).toHaveLength(1);
});

describe('sending', () => {
	it('an order is sent to a connected provider and recalled', async () => {
		const id = inStatus('New');
		for (const name of ['Recall', 'Message']) {
			expect(await getRefusal(act(name, id))).toBe('BUSINESS_LOGIC_ERROR');
		}
		await act('Assign', id, { Assignees: [325] });
		const { WorkOrder } = await client.run('SendWorkOrderCommand', { WorkOrderId: id });
		expect(WorkOrder.WonId).toBe(900_000 + id);
		expect((await act('Message', id)).status).toBe(200);
		expect((await act('Recall', id)).data.CommandResult.Wo.WonId).toBe(0);
	});

	it('sending without an order fails as a conflict', async () => {
		expect(await getRefusal(client.command('SendWorkOrderCommand', {}))).toBe('ERROR_CODE_6');
	});
});

describe('VerifyWorkCommand', () => {
	it('VerifyWorkCommand writes the rating of a completed order', async () => {
		const id = inStatus('Completed');
		const command = { WorkOrderId: id, WoRatingId: 'Positive', Comment: 'clean' };
		const { data } = await client.command('VerifyWorkCommand', command, 'v1');
		const WorkVerification = {
			...command,
			Id: expect.any(Number) as number,
			Idx: 0,
			EditedDate: expect.stringMatching(/^2026-01-31T/) as string,
			Actor: { Id: 330, TypeId: 'CorrigoNet' },
			ConcurrencyId: 1,
		};
		expect(data).toEqual({ CommandResult: { WorkVerification }, RequestId: 'v1' });
	});

	it.each([
		['an order that is not completed', () => ({ WorkOrderId: inStatus('Open'), WoRatingId: 4 })],
		['a missing rating', () => ({ WorkOrderId: inStatus('Completed') })],
	])('VerifyWorkCommand rejects %s', async (_case, command) => {
		const call = client.command('VerifyWorkCommand', command());
		expect(await getRefusal(call)).toBe('BUSINESS_LOGIC_ERROR');
	});
});

it('WoLastModificationCommand returns the time of the last action or update', async () => {
	const id = inStatus('New');
	await act('PickUp', id);
	clock.advance(30);
	await client.update('WorkOrder', { Id: id, PoNumber: 'P' }, ['PoNumber']);
	const result = await client.run('WoLastModificationCommand', { WorkOrderId: id });
	const DtLastModified = new Date(clock.now()).toISOString();
	expect(result).toEqual({ WorkOrderId: id, DtLastModified });
});

it('only the kinds of actions in recordedActions are logged', async () => {
	const id = inStatus('New');
	client.sandbox.set({ recordedActions: ['Start'] });
	await act('PickUp', id);
	await act('Start', id);
	client.sandbox.set({ recordedActions: null });
	const log = client.store.children('WoActionLog', 'WorkOrderId', id);
	expect(log.map(({ TypeId }) => TypeId)).toEqual(['Start']);
});

it('adding a note is logged as an action of the order', async () => {
	const id = inStatus('New');
	await client.create('WoNote', { WorkOrderId: id, Body: 'hello', NoteTypeId: 'Public' });
	expect(await client.read('WorkOrder', id, 'LastAction.LastAction.TypeId')).toEqual({
		LastAction: { LastAction: { TypeId: 'Note' } },
	});
});

it.each([
	['an unknown command', 'NoSuchCommand', { body: { Command: {} } }, 'COMMAND_NOT_FOUND'],
	['a missing Command', 'WoPickUpCommand', { body: { WorkOrderId: 1 } }, 'INCORRECT_MODEL'],
	['a Command that is a list', 'WoPickUpCommand', { body: { Command: [] } }, 'INCORRECT_MODEL'],
	['an empty body', 'WoPickUpCommand', { rawBody: '' }, 'EMPTY_INPUT_PARAMETER'],
])('a command call rejects %s', async (_case, name, call, code) => {
	expect(await getRefusal(client.call('POST', `cmd/${name}`, call))).toBe(code);
});
