/** What the trigger reads in addition to the log of actions: previous statuses, and visits of vendors. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import type { Row, SandboxOptions } from '../../../sandbox';
import type { ActionDetails } from '../../../sandbox/base/actionDetails';
import { logAction } from '../../../sandbox/base/actionLog';
import { activate, type Active } from '../../support/activeTrigger';
import { byId, connectEngine, idsOf, jsonOf, rejection } from '../../support/company';

let active: Active;

async function start(parameters: object, options: SandboxOptions = {}) {
	active = await activate(parameters, options);
	await active.poll();
}

/** The entities that the last poll has read, in alphabetical order. */
const read = () => active.read().sort();

const findOrder = (status: string) =>
	active.orders().find(({ StatusId }) => StatusId === status) as Row;

const log = (order: Row, action: IDataObject & { TypeId: string; details?: ActionDetails }) =>
	logAction(active.sandbox.world, order, action)?.Id;

describe('Work Order Entered Status', () => {
	const event = { event: 'workOrderEnteredStatus', statuses: ['InProgress', 'Paused', 'New'] };

	it('ignores an action that leaves the status as it was', async () => {
		await start(event);
		const order = findOrder('InProgress');
		const moved = log(order, { TypeId: 'Stop', details: { PrevWoStatus: 6 } });
		log(order, { TypeId: 'Start', details: { AssignmentAdded: 301, PrevWoStatus: 6 } });
		expect(idsOf(await active.poll())).toEqual([moved]);
		expect(read()).toEqual(['WoActionLog', 'WoActionLogProp', 'WorkOrder']);
		expect(await active.poll()).toEqual([]);
		expect(read()).toEqual(['WoActionLog']);
	});

	// Promise: *Work Order Entered Status* ignores an action only if its order is known
	it.each<ActionDetails>([{}, { PrevWoStatus: 'Awaiting' }, { Rating: 6 }])(
		'returns an action unless it is known to leave the status: %j',
		async (details) => {
			await start(event);
			const started = log(findOrder('Open'), { TypeId: 'Start', details });
			expect(idsOf(await active.poll())).toEqual([started]);
		},
	);

	it('returns all actions of a Company that does not let it read what they changed', async () => {
		await start(event, { unreadable: ['WoActionLogProp'] });
		const started = log(findOrder('InProgress'), { TypeId: 'Start', details: { PrevWoStatus: 6 } });
		expect(idsOf(await active.poll())).toEqual([started]);
		expect(read()).toEqual(['WoActionLog', 'WoActionLogProp', 'WorkOrder']);
	});

	it('returns a change once that a failure to read what actions changed has put off', async () => {
		await start(event);
		const started = log(findOrder('Open'), { TypeId: 'Start', details: { PrevWoStatus: 1 } });
		active.sandbox.fault(rejection('WoActionLogProp', {}, { status: 500, times: 99 }));
		expect((await active.tryPoll()).error?.httpCode).toBe('500');
		active.sandbox.clearFaults();
		expect(idsOf(await active.poll())).toEqual([started]);
		expect(await active.poll()).toEqual([]);
	});

	it('reads nothing more for new orders', async () => {
		await start(event);
		active.person({});
		expect(await active.poll()).toMatchObject([{ TypeId: 'Create' }]);
		expect(read()).toEqual(['WoActionLog', 'WorkOrder']);
	});

	it('takes one request more for up to 500 actions', async () => {
		await start({ ...event, returns: 'event' });
		const order = findOrder('Open');
		for (let index = 0; index < 501; index += 1) log(order, { TypeId: 'Start' });
		expect(await active.poll()).toHaveLength(501);
		expect(read().filter((entity) => entity === 'WoActionLogProp')).toHaveLength(2);
	});

	it('shows no action in a test that leaves the status as it was', async () => {
		await start(event);
		const order = findOrder('Open');
		const moved = log(order, { TypeId: 'Start', details: { PrevWoStatus: 1 } });
		const repeated = log(order, { TypeId: 'Start', details: { PrevWoStatus: 6 } });
		const shown = idsOf(jsonOf((await active.tryPoll({ mode: 'manual' })).items ?? []));
		expect(shown).toContain(moved);
		expect(shown).not.toContain(repeated);
	});
});

// Promise: An action tells from which status and why
it.each(['event', 'both', 'record'])(
	'tells from which status and why as Get History does, with as few requests: Returns "%s"',
	async (returns) => {
		await start({ event: 'workOrderAction', actionTypes: [], returns });
		const order = findOrder('Open');
		const [reason] = active.store.rows('WoActionReasonLookup');
		log(order, { TypeId: 'OnHold', ActionReasonId: reason.Id, details: { PrevWoStatus: 'Open' } });
		log(order, { TypeId: 'Message' });
		const items = await active.poll();
		const orders = returns === 'event' ? [] : ['WorkOrder'];
		const details = returns === 'record' ? [] : ['WoActionLogProp', 'WoActionReasonLookup'];
		expect(read()).toEqual(['WoActionLog', ...details, ...orders].sort());
		const engine = connectEngine(active.sandbox, { corrigo: Corrigo });
		const parameters = { operation: 'getHistory', id: byId(order.Id) };
		const history = jsonOf((await engine.run({ parameters })).items).slice(-2);
		const tell = ({ StatusBefore, StatusAfter, Reason }: IDataObject) => [
			...[StatusBefore ?? null, StatusAfter ?? null, Reason ?? null],
		];
		const isTold = returns !== 'record';
		expect(tell(history[0])).toEqual([
			'Open',
			'On Hold',
			{ Id: reason.Id, DisplayAs: reason.DisplayAs },
		]);
		expect(items.map(tell)).toEqual(isTold ? history.map(tell) : history.map(() => tell({})));
		log(order, { TypeId: 'Message' });
		await active.poll();
		expect(read()).toEqual(['WoActionLog', ...orders]);
	},
);

describe('visits of vendors', () => {
	const TIME = '2031-04-05T06:00:00';
	let vendor: Row;
	let order: Row;

	async function startVendors(parameters: object = {}, options: SandboxOptions = {}) {
		await start({ event: 'vendorCheckedIn', ...parameters }, options);
		const people = active.sandbox.store.rows('Employee');
		vendor = people.find(({ ActorTypeId }) => ActorTypeId === 'Provider') as Row;
		order = findOrder('Open');
	}

	const Actor = () => ({ Id: vendor.Id, TypeId: 'Provider', DisplayAs: vendor.DisplayAs });
	const act = (TypeId: string, more: IDataObject = {}) =>
		log(order, { TypeId, Actor: Actor(), ActionDate: TIME, ...more });
	const visit = (row: IDataObject) => {
		const own = { WorkOrderId: order.Id, EmployeeId: vendor.Id };
		return active.sandbox.store.insert('WoOnSite', { ...own, ...row }).Id;
	};
	const shownVisits = async () =>
		(await active.poll()).map(({ WoOnSite }) => (WoOnSite as IDataObject | null)?.Id ?? null);

	it.each(['Employee', 'CorrigoNet', 'Contact'])(
		'are none by an actor of type %s',
		async (type) => {
			await startVendors();
			act('Start', { Actor: { ...Actor(), TypeId: type } });
			expect(await active.poll()).toEqual([]);
			expect(read()).toEqual(['WoActionLog']);
		},
	);

	it.each([
		['vendorCheckedIn', 'Start', 'Stop'],
		['vendorCheckedOut', 'Stop', 'Start'],
	])('%s has the action %s alone', async (event, wanted, other) => {
		await startVendors({ event });
		const { Id } = order;
		visit({ DtCheckIn: TIME, DtCheckOut: TIME });
		const action = act(wanted);
		act(other);
		act('Complete');
		expect(await active.poll()).toMatchObject([
			{ Id: action, WorkOrder: { Id }, WoOnSite: { WorkOrderId: Id, DtCheckIn: TIME } },
		]);
		expect(read()).toEqual(['WoActionLog', 'WoActionLogProp', 'WoOnSite', 'WorkOrder']);
		expect(await active.poll()).toEqual([]);
		expect(read()).toEqual(['WoActionLog']);
	});

	it('contain the visit of the same vendor that is nearest in time', async () => {
		await startVendors();
		act('Start');
		visit({ DtCheckIn: '2031-04-04T06:00:00' });
		visit({ DtCheckIn: '2031-04-05T06:09:00' });
		const own = visit({ DtCheckIn: '2031-04-05T05:59:58' });
		visit({ DtCheckIn: TIME, EmployeeId: 301 });
		visit({ DtCheckIn: TIME, WorkOrderId: findOrder('New').Id });
		visit({});
		expect(await shownVisits()).toEqual([own]);
	});

	it('contain their own visit or none, in any zone', async () => {
		await startVendors();
		const HOUR = 3_600_000;
		const toText = (ms: number) => new Date(ms).toISOString().slice(0, 19);
		const stay = fc.record({
			hour: fc.integer({ min: 0, max: 23 }),
			isRecorded: fc.boolean(),
			gapMs: fc.integer({ min: -600, max: 600 }).map((seconds) => seconds * 1000),
		});
		const stays = fc.uniqueArray(stay, { selector: ({ hour }) => hour, minLength: 5 });
		await fc.assert(
			fc.asyncProperty(stays, fc.integer({ min: -12, max: 14 }), async (all, zone) => {
				for (const { Id } of active.sandbox.store.rows('WoOnSite')) {
					active.sandbox.store.remove('WoOnSite', Id);
				}
				const begin = active.now();
				const inOrder = [...all].sort((one, other) => one.hour - other.hour);
				const own = inOrder.map(({ hour, isRecorded, gapMs }) => {
					const utc = begin + hour * HOUR;
					const local = utc + zone * HOUR;
					act('Start', { ActionDate: toText(local), SystemDateUtc: toText(utc) });
					return isRecorded ? visit({ DtCheckIn: toText(local + gapMs) }) : null;
				});
				active.pass(24 * HOUR);
				expect(await shownVisits()).toEqual(own);
			}),
			{ numRuns: 5 },
		);
	});

	it.each([
		[
			'a visit that begins ten minutes before the action',
			{ DtCheckIn: '2031-04-05T05:50:00' },
			true,
		],
		['a visit that begins ten minutes after it', { DtCheckIn: '2031-04-05T06:10:00' }, true],
		['no visit that begins later', { DtCheckIn: '2031-04-05T06:10:01' }, false],
		['no visit that has not begun', {}, false],
	])('contain %s', async (_, row, isOwn) => {
		await startVendors();
		act('Start', { SystemDateUtc: TIME });
		const own = visit(row);
		expect(await shownVisits()).toEqual([isOwn ? own : null]);
	});

	it('start the workflow where the visits may not be read', async () => {
		await startVendors({}, { unreadable: ['WoOnSite'] });
		const started = act('Start');
		expect(await active.poll()).toMatchObject([{ Id: started, WoOnSite: null }]);
	});

	it.each([
		['event', ['WoActionLog', 'WoActionLogProp', 'WoOnSite']],
		['record', ['WoActionLog', 'WorkOrder']],
	])('are read only if they are shown: only the %s is returned', async (returns, entities) => {
		await startVendors({ returns });
		visit({ DtCheckIn: TIME });
		act('Start');
		const [item] = await active.poll();
		expect('WoOnSite' in item).toBe(returns === 'event');
		expect(read()).toEqual(entities);
	});
});
