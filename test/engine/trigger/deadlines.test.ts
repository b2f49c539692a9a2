import type { IDataObject } from 'n8n-workflow';

import type { Row, SandboxOptions } from '../../../sandbox';
import { activate } from '../../support/activeTrigger';
import { byId, idsOf, some, where } from '../../support/company';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const UTC_OF = {
	acknowledgeBy: 'AcknowledgeByUtc',
	due: 'DueDateUtc',
	onSiteBy: 'DtUtcOnSiteBy',
	scheduledStart: 'ScheduledStartUtc',
} as const;
type Deadline = keyof typeof UTC_OF;

/** Activates a workflow on a Company whose seeded orders were all due years ago. */
async function start(parameters: object = {}, options?: SandboxOptions) {
	const active = await activate({ event: 'workOrderDeadline', ...parameters }, options);
	const change = (order: Row, values: object) => active.change('WorkOrder', order.Id, values);
	const set = (order: Row, deadline: Deadline, ms: number) =>
		change(order, { [UTC_OF[deadline]]: new Date(active.now() + ms).toISOString() });
	const status = (order: Row, StatusId: string) => change(order, { StatusId });
	return {
		...active,
		change,
		set,
		status,
		/** Opens orders that are due at this time from now. */
		openDue: (some: Row[], ms = 0) => {
			for (const order of some) {
				status(order, 'Open');
				set(order, 'due', ms);
			}
		},
		open: () => active.ordersIn('Open'),
	};
}

describe('a deadline', () => {
	it('triggers once after it has passed by the clock of Corrigo; a poll without any is one request', async () => {
		const { poll, set, open, pass, sent } = await start();
		const [a, b] = open();
		set(a, 'due', 10 * MINUTE);
		set(b, 'due', 20 * MINUTE);
		expect(await poll()).toEqual([]);
		expect(sent()).toBeLessThanOrEqual(2);
		pass(9 * MINUTE);
		expect(await poll()).toEqual([]);
		expect(sent()).toBe(1);
		pass(MINUTE);
		expect(idsOf(await poll())).toEqual([a.Id]);
		expect(sent()).toBe(2);
		expect(await poll()).toEqual([]);
		expect(sent()).toBe(1);
		pass(HOUR);
		expect(idsOf(await poll())).toEqual([b.Id]);
		expect(await poll()).toEqual([]);
	});

	it('shows its type, its time in UTC and in the zone of the order, and the minutes left', async () => {
		const selected = { output: 'selected', properties: 'Number' };
		const { poll, change, open, pass } = await start({ offset: 90, ...selected });
		const [a, b, c] = open();
		change(a, { DueDateUtc: '2031-05-05T07:30:59.5', TimeZone: 35 });
		change(b, { DueDateUtc: '2031-05-05T07:31:00Z', TimeZone: 9999 });
		expect(await poll()).toEqual([
			{
				Id: a.Id,
				Number: a.Number,
				DueDateUtc: '2031-05-05T07:30:59.5',
				TimeZone: 35,
				ChangeKey: `due ${a.Id} 2031-05-05T07:30:59.5000000`,
				Deadline: {
					Type: 'due',
					Utc: '2031-05-05T07:30:59Z',
					Local: '2031-05-05T03:30:59',
					TimeZone: 'America/New_York',
					MinutesLeft: 83,
					MinutesOver: 0,
				},
			},
			some({ Deadline: some({ Local: null, TimeZone: null }) }),
		]);
		change(c, { DueDateUtc: '2031-05-05T06:00:00' });
		pass(MINUTE);
		expect(await poll()).toMatchObject([{ Deadline: { MinutesLeft: 0, MinutesOver: 8 } }]);
	});

	it.each<[string, number, string, number]>([
		['before', 30, 'minutes', -30 * MINUTE],
		['after', 45, 'minutes', 45 * MINUTE],
		['before', 0, 'days', 0],
		['before', 3, 'hours', -3 * HOUR],
		['after', 2, 'days', 48 * HOUR],
	])('triggers %s it passes, by %d %s', async (offsetDirection, offset, offsetUnit, at) => {
		const { poll, set, open, pass } = await start({ offsetDirection, offset, offsetUnit });
		const [order] = open();
		set(order, 'due', 4 * HOUR);
		pass(4 * HOUR + at - 1000);
		expect(await poll()).toEqual([]);
		pass(1000);
		expect(idsOf(await poll())).toEqual([order.Id]);
	});

	it.each<[Deadline, string[]]>([
		['acknowledgeBy', ['New']],
		['due', ['In Progress', 'New', 'Open', 'Paused']],
		['onSiteBy', ['New', 'Open']],
		['scheduledStart', ['New', 'Open', 'Paused']],
	])(
		'of type %s counts in the statuses %p, and in others if they are chosen',
		async (deadline, expected) => {
			const { poll, set, orders, status, pass } = await start({ deadline });
			const statuses = ['Cancelled', 'Completed', 'InProgress', 'New', 'OnHold', 'Open', 'Paused'];
			statuses.forEach((name, index) => {
				const order = orders()[index];
				status(order, name);
				set(order, deadline, 0);
			});
			const listNames = (items: IDataObject[]) => items.map(({ Status }) => Status).sort();
			pass(MINUTE);
			expect(listNames(await poll())).toEqual(expected);
			const closed = ['Cancelled', 'Completed', 'OnHold'];
			const labels = ['Cancelled', 'Completed', 'On Hold'];
			expect(listNames(await poll({ alsoStatuses: closed }))).toEqual(labels);
		},
	);

	it('does not trigger if the order is completed or moved while the poll reads', async () => {
		const { poll, set, open, duringPoll, status, sandbox } = await start();
		const [a, b, c] = open();
		for (const order of [a, b, c]) set(order, 'due', 0);
		duringPoll(() => {
			status(a, 'Completed');
			set(b, 'due', HOUR);
		});
		expect(idsOf(await poll())).toEqual([c.Id]);
		expect(sandbox.requestsTo('api')).toHaveLength(2);
		status(a, 'Open');
		expect(idsOf(await poll())).toEqual([a.Id]);
	});
});

it('a deadline triggers only if the order meets filters and conditions', async () => {
	const { poll, set, open, change } = await start();
	const [a, b, c] = open();
	for (const order of [a, b, c]) set(order, 'due', 0);
	change(a, { Customer: { Id: 101 }, PoNumber: 'X' });
	change(b, { Customer: { Id: 101 }, PoNumber: 'PO-7' });
	change(c, { Customer: { Id: 102 }, PoNumber: 'PO-8' });
	const filters = { customer: byId(101) };
	expect(idsOf(await poll({ filters, ...where('PoNumber', 'PO%', 'Like') }))).toEqual([b.Id]);
});

describe('three days before a deadline', () => {
	const before = { offset: 3, offsetUnit: 'days', offsetDirection: 'before' };

	it.each([4, 47, 71])('an order that is created with %d hours left counts', async (hours) => {
		const { poll, openDue, open } = await start(before);
		expect(await poll()).toEqual([]);
		const [order] = open();
		openDue([order], hours * HOUR);
		expect(idsOf(await poll())).toEqual([order.Id]);
		expect(await poll()).toEqual([]);
	});

	it('is no longer decisive when the form is edited: new orders count at their deadline', async () => {
		const { poll, openDue, open, pass } = await start(before);
		await poll();
		const [told, order] = open();
		openDue([told], 2 * HOUR);
		expect(idsOf(await poll())).toEqual([told.Id]);
		pass(24 * HOUR);
		await poll();
		const now = { offset: 0 };
		expect(await poll(now)).toEqual([]);
		openDue([order], HOUR);
		pass(HOUR);
		expect(idsOf(await poll(now))).toEqual([order.Id]);
		expect(await poll(now)).toEqual([]);
	});
});

describe('deadlines that passed long ago', () => {
	it('are left out at the start, with one warning', async () => {
		const { poll, set, open, warnings } = await start();
		const leftOut = () => warnings.filter((text) => text.includes('left out'));
		const [a, b] = open();
		set(a, 'due', -25 * HOUR);
		set(b, 'due', -23 * HOUR);
		expect(idsOf(await poll())).toEqual([b.Id]);
		expect(leftOut()).toEqual([expect.stringContaining('deadlines of 2031-05-04T06:07:08 UTC')]);
		expect(await poll()).toEqual([]);
		expect(leftOut()).toHaveLength(1);
	});

	it('are left out when another deadline is selected, and the log says that it is like a start', async () => {
		const { poll, set, open, warnings } = await start();
		await poll();
		warnings.length = 0;
		const [a, b] = open();
		set(a, 'onSiteBy', -25 * HOUR);
		set(b, 'onSiteBy', -23 * HOUR);
		expect(idsOf(await poll({ deadline: 'onSiteBy' }))).toEqual([b.Id]);
		expect(warnings[0]).toContain('starts over like a new trigger');
	});

	it('are left out after an outage, and later ones are not', async () => {
		const { poll, set, open, pass, requests, warnings } = await start({ options: { oldest: 2 } });
		await poll();
		warnings.length = 0;
		const [a, b, c] = open();
		set(a, 'due', HOUR);
		set(b, 'due', 9 * HOUR);
		set(c, 'due', 10 * HOUR);
		pass(10 * HOUR);
		expect(idsOf(await poll())).toEqual([b.Id, c.Id]);
		expect(requests()).toMatchObject([{ status: 200 }, { status: 200 }]);
		expect(warnings[0]).toContain('1 or more');
	});

	it('for thousands of orders take no more requests', async () => {
		const { poll, openDue, orders, sent } = await start({}, { workOrders: 3000 });
		const recent = orders().slice(-3);
		openDue(orders(), -10_000 * HOUR);
		openDue(recent, -HOUR);
		expect(idsOf(await poll())).toEqual(idsOf(recent));
		// One request reads the time from the oldest rows, one the passed deadlines, one their orders.
		expect(sent()).toBe(3);
		expect(await poll()).toEqual([]);
		expect(sent()).toBe(1);
	});
});

it('the ChangeKey of a deadline has its type and time', async () => {
	const options = { delivery: 'atLeastOnce' };
	const { poll, test, change, open, set } = await start({ options });
	const [a] = open();
	change(a, { DueDateUtc: '2031-05-05T06:00:00' });
	const key = `due ${a.Id} 2031-05-05T06:00:00.0000000`;
	expect((await test()).at(-1)).toMatchObject({ Id: a.Id, ChangeKey: `Test ${key}` });
	expect(await poll()).toMatchObject([{ ChangeKey: key }]);
	set(a, 'due', 0);
	const [moved] = await poll();
	expect(moved.ChangeKey).not.toBe(key);
});

it('a manual test of deadlines shows the latest passed deadlines, whatever their age, and does not move the cursor', async () => {
	const { test, set, open, poll, sandbox } = await start();
	const [a, b] = open();
	set(a, 'due', HOUR);
	set(b, 'due', -HOUR);
	const shown = await test();
	expect(shown).toHaveLength(10);
	expect(shown.at(-1)).toMatchObject({ Id: b.Id, Deadline: { MinutesOver: 60 } });
	expect(idsOf(shown)).not.toContain(a.Id);
	// A single row is enough to read the time.
	expect(sandbox.requestsTo('api')[0].body).toMatchObject({ QueryExpression: { Count: 1 } });
	expect(idsOf(await poll())).toEqual([b.Id]);
});

it.each<[string, object]>([
	["'Deadline'", { deadline: 'never' }],
	["'Notify'", { offset: -1 }],
	["'Notify'", { offset: 0.5 }],
	["'Unit'", { offsetUnit: 'weeks' }],
	["'When'", { offsetDirection: 'during' }],
	["'Also Include Statuses'", { alsoStatuses: ['Open'] }],
	["'Notify'", { offset: 366 * 24 * 60 + 1 }],
	["'Notify'", { offset: 366 * 24 + 1, offsetUnit: 'hours' }],
	["'Notify'", { offset: 367, offsetUnit: 'days' }],
	["'Oldest (Hours)'", { options: { oldest: 0 } }],
	["'Oldest (Hours)'", { options: { oldest: 366 * 24 + 1 } }],
])('a deadline with a wrong %s is refused before any request', async (field, parameters) => {
	const { tryPoll, sent } = await start(parameters);
	expect((await tryPoll()).error?.message).toContain(field);
	expect(sent()).toBe(0);
});

it('a deadline may trigger a year before it passes, and a year late', async () => {
	const options = { oldest: 366 * 24 };
	const { poll, set, open } = await start({ offset: 366, offsetUnit: 'days', options });
	const [order] = open();
	set(order, 'due', 0);
	expect(idsOf(await poll())).toContain(order.Id);
});
