import { errorOf, type Json, sharedClient, TestClock } from './client';

const CANCEL = 46;
const ON_HOLD = 41;
const ATTENTION = [49, 50] as const;

const clock = new TestClock();
const client = sharedClient({ now: clock.now });

const inStatus = (StatusId: string): number => {
	const { store } = client;
	const [source] = store.rows('WorkOrder');
	const order = store.insert('WorkOrder', {
		...source,
		Id: undefined,
		ConcurrencyId: 1,
		StatusId,
		FlagId: 0,
		WonId: 0,
	});
	store.insert('WorkOrderCost', { Id: order.Id });
	store.insert('WoLastAction', { Id: order.Id, WorkOrderId: order.Id });
	return order.Id;
};

const act = async (name: string, id: number, members: object = {}) =>
	await client.command(`Wo${name}Command`, { WorkOrderId: id, ...members });

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
	const members = { Comment: 'done', ...reasons[command] };
	const { status, data } = await act(command, id, members);
	expect(status).toBe(200);
	expect(data.CommandResult).toEqual({
		Wo: expect.objectContaining({ Id: id, StatusId: to }),
	});
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
	['PickUp', 'Open', 'Open'],
	['Start', 'New', 'InProgress'],
	['Pause', 'Open', 'Paused'],
	['OnHold', 'Completed', 'OnHold'],
	['OnHold', 'OnHold', 'OnHold'],
	['Reopen', 'New', 'New'],
])('%s is rejected for an order in status %s', async (command, from, to) => {
	const answer = await act(command, inStatus(from), reasons[command]);
	expect(errorOf(answer)).toEqual([400, 'BUSINESS_LOGIC_ERROR']);
	expect(answer.data.ErrorMessage).toBe(
		`{!{Work Order}!} that is in state '${from}' cannot be placed in the state '${to}'`,
	);
});

it.each([
	['Cancel', 'Cancelled'],
	['OnHold', 'OnHold'],
])('%s requires a reason of its own kind', async (command, status) => {
	const id = inStatus('Open');
	expect((await act(command, id)).data.ErrorMessage).toBe(`status ${status} requires reason`);
	for (const ActionReasonId of [ATTENTION[0], 999]) {
		expect(errorOf(await act(command, id, { ActionReasonId }))[1]).toBe('BUSINESS_LOGIC_ERROR');
	}
});

it('an action is rejected if status or version differ from those expected', async () => {
	const id = inStatus('New');
	const attempt = async (expected: object) => errorOf(await act('PickUp', id, expected));
	expect(await attempt({ StatusId: 'Open' })).toEqual([400, 'ERROR_CODE_6']);
	expect(await attempt({ ConcurrencyId: 99 })).toEqual([400, 'ERROR_CODE_6']);
	const { status } = await act('PickUp', id, { StatusId: 'New', ConcurrencyId: 1 });
	expect(status).toBe(200);
	expect((await act('Start', id, { StatusId: 'Unknown', ConcurrencyId: 0 })).status).toBe(200);
});

it.each([
	['a missing order Id', {}, 'IDENTIFIER_NOT_FOUND'],
	['a missing order', { WorkOrderId: 999999999 }, 'ERROR_CODE_1019'],
	['an order Id that is a word', { WorkOrderId: 'abc' }, 'INCORRECT_MODEL'],
	['an invalid date', { WorkOrderId: 50001, ActionDate: 'now' }, 'INCORRECT_MODEL'],
	['a long comment', { WorkOrderId: 50001, Comment: 'x'.repeat(3073) }, 'BUSINESS_LOGIC_ERROR'],
])('an action rejects %s', async (_case, members, code) => {
	const before = client.store.get('WorkOrder', 50001)?.StatusId;
	const answer = await act('Cancel', 0, { ...reasons.Cancel, ...members });
	expect(errorOf(answer)).toEqual([400, code]);
	expect(client.store.get('WorkOrder', 50001)?.StatusId).toBe(before);
});

it('an action accepts member names in any case and ignores unknown keys', async () => {
	const command = { workorderID: inStatus('New'), Oddity: 1 };
	expect((await client.command('WoPickUpCommand', command)).status).toBe(200);
});

it('CompletionNoteOption decides whether completing an order replaces its completion note', async () => {
	const complete = async (id: number, Comment: string, CompletionNoteOption: string) => {
		await act('Complete', id, { Comment, CompletionNoteOption, RepairCodeId: 82 });
		return (await client.read('WorkOrder', id, 'CompletionNote.Body,RepairCode.Id')) as Json;
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
	expect(errorOf(await client.create('WoNote', rival))[1]).toBe('BUSINESS_LOGIC_ERROR');
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
	expect(errorOf(await act('Assign', id, { EmployeeId: 301 }))[1]).toBe('BUSINESS_LOGIC_ERROR');
	expect(errorOf(await act('Assign', id, { Assignees: [999] }))[1]).toBe('BUSINESS_LOGIC_ERROR');
	const done = inStatus('Completed');
	expect(errorOf(await act('Assign', done, { Assignees: [301] }))[0]).toBe(400);
});

it('commands raise and clear flags', async () => {
	const id = inStatus('New');
	const flags = async (answer: ReturnType<typeof act>) => {
		expect((await answer).status).toBe(200);
		return await client.read('WorkOrder', id, 'FlagId,Flags.FlagId');
	};
	expect(await flags(act('Flag', id, { FlagId: ATTENTION[0] }))).toEqual({ FlagId: 0 });
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
	expect(errorOf(await act('Flag', id, { ActionReasonId: CANCEL }))[0]).toBe(400);
});

it('WoCopyCommand copies an order and its items', async () => {
	const { data } = await act('Copy', 50005);
	const copy = data.CommandResult.Wo;
	const { store } = client;
	expect(copy).toMatchObject({
		StatusId: 'New',
		Customer: store.get('WorkOrder', 50005)?.Customer,
	});
	expect(copy.Number).not.toBe(store.get('WorkOrder', 50005)?.Number);
	expect(store.children('WoItem', 'WorkOrderId', copy.Id)).toHaveLength(1);
});

describe('sending', () => {
	const send = async (name: string, command: object) => await client.command(name, command);

	it('an order is sent to a connected provider and recalled', async () => {
		const id = inStatus('New');
		expect(errorOf(await act('Recall', id))[1]).toBe('BUSINESS_LOGIC_ERROR');
		expect(errorOf(await act('Message', id))[1]).toBe('BUSINESS_LOGIC_ERROR');
		await act('Assign', id, { Assignees: [325] });
		const { status, data } = await send('SendWorkOrderCommand', { WorkOrderId: id });
		expect([status, data.CommandResult.WorkOrder.WonId]).toEqual([200, 900_000 + id]);
		expect((await act('Message', id)).status).toBe(200);
		expect((await act('Recall', id)).data.CommandResult.Wo.WonId).toBe(0);
	});

	it('sending without an order fails as a conflict', async () => {
		expect(errorOf(await send('SendWorkOrderCommand', {}))).toEqual([400, 'ERROR_CODE_6']);
	});

	it.each(['SendWorkOrderCommand', 'SendWorkOrder'] as const)(
		'a host knows only the command spelled %s',
		async (known) => {
			client.sandbox.set({ sendWorkOrderPath: known });
			const [other] = ['SendWorkOrderCommand', 'SendWorkOrder'].filter((name) => name !== known);
			expect((await send(known, { WorkOrderId: 50001 })).status).toBe(200);
			expect(errorOf(await send(other, { WorkOrderId: 50001 }))).toEqual([
				400,
				'COMMAND_NOT_FOUND',
			]);
			client.sandbox.set({ sendWorkOrderPath: 'SendWorkOrderCommand' });
		},
	);
});

describe('VerifyWorkCommand', () => {
	it('VerifyWorkCommand writes the rating of a completed order', async () => {
		const id = inStatus('Completed');
		const command = { WorkOrderId: id, WoRatingId: 'Positive', Comment: 'clean' };
		const { data } = await client.command('VerifyWorkCommand', command, 'v1');
		expect(data).toEqual({
			CommandResult: {
				WorkVerification: {
					Id: expect.any(Number),
					Idx: 0,
					WorkOrderId: id,
					WoRatingId: 'Positive',
					Comment: 'clean',
					EditedDate: expect.stringMatching(/^2026-01-31T/),
					Actor: { Id: 330, TypeId: 'CorrigoNet' },
					ConcurrencyId: 1,
				},
			},
			RequestId: 'v1',
		});
	});

	it.each([
		['an order that is not completed', () => ({ WorkOrderId: inStatus('Open'), WoRatingId: 4 })],
		['a missing rating', () => ({ WorkOrderId: inStatus('Completed') })],
	])('VerifyWorkCommand rejects %s', async (_case, command) => {
		const answer = await client.command('VerifyWorkCommand', command());
		expect(errorOf(answer)).toEqual([400, 'BUSINESS_LOGIC_ERROR']);
	});
});

it('WoLastModificationCommand returns the time of the last action or update', async () => {
	const id = inStatus('New');
	await act('PickUp', id);
	clock.advance(30);
	await client.update('WorkOrder', { Id: id, PoNumber: 'P' }, ['PoNumber']);
	const { data } = await client.command('WoLastModificationCommand', { WorkOrderId: id });
	expect(data.CommandResult).toEqual({
		WorkOrderId: id,
		DtLastModified: new Date(clock.now()).toISOString(),
	});
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
	['an unknown command', 'cmd/NoSuchCommand', { Command: {} }, 'COMMAND_NOT_FOUND'],
	['an unknown short form', 'cmd/Workzone/delete', { Command: {} }, 'COMMAND_NOT_FOUND'],
	['a missing Command', 'cmd/WoPickUpCommand', { WorkOrderId: 1 }, 'INCORRECT_MODEL'],
	['a Command that is a list', 'cmd/WoPickUpCommand', { Command: [] }, 'INCORRECT_MODEL'],
])('a command call rejects %s', async (_case, path, body, code) => {
	expect(errorOf(await client.call('POST', path, { body }))).toEqual([400, code]);
});

it('a command rejects an empty body', async () => {
	const answer = await client.call('POST', 'cmd/WoPickUpCommand', { rawBody: '' });
	expect(errorOf(answer)).toEqual([400, 'EMPTY_INPUT_PARAMETER']);
});
