/** The option Skip if an Open Order Exists: one fault creates one order, however often it is reported. */
import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import {
	byId,
	errorsOf,
	getId,
	hintsOf,
	itemsOf,
	jsonOf,
	rejection,
	shareCompany,
	some,
	withShortPauses,
} from '../../support/company';

const company = shareCompany();
const { n8n, records, requests } = company;

interface Alarm {
	customer: number;
	asset: number;
	task: number;
}

const HOUR = 3_600_000;
const orderCount = () => company.sandbox.store.count('WorkOrder');
const listSent = (part: string) => requests.sent().filter(({ path }) => path.includes(part));
const creates = () => listSent('/WoCreateCommand');
const countLookUps = () =>
	listSent('/query/WorkOrder').filter(({ path }) => path.endsWith('/WorkOrder')).length;
const listNotes = (order: number) => records.children('WoNote', 'WorkOrderId', order);
const utcAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

/** The fault that an order is about, in the form of an item that reports it. */
function toAlarm({ Id, Customer }: Row): Alarm {
	const [{ Asset, Task }] = records.children('WoItem', 'WorkOrderId', Id);
	return { customer: getId(Customer), asset: getId(Asset), task: getId(Task) };
}

/** An asset that is not that of the first order. */
const otherAsset = () => getId(records.rows('WoItem')[1].Asset);

/** Makes one order the only open one. */
function theOpenOrder(values: IDataObject = {}): Row {
	for (const { Id } of records.rows('WorkOrder')) {
		records.change('WorkOrder', Id, { StatusId: 'Completed' });
	}
	const [order] = records.rows('WorkOrder');
	const recent = { StatusId: 'OnHold', CreatedDateUtc: utcAgo(2), SubType: { Id: 24 } };
	records.change('WorkOrder', order.Id, { ...recent, ...values });
	return order;
}

/** The fault that no open order is about. */
const newAlarm = () => toAlarm(theOpenOrder({ StatusId: 'Completed' }));

const buildItems = (...assets: string[]) => ({
	values: assets.map((name) => ({
		asset: byId(`={{ $json.x.${name} }}`),
		task: byId('={{ $json.x.task }}'),
	})),
});
const TWO_ASSETS = { items: buildItems('asset', 'other') };

const form = (rules: IDataObject, more: IDataObject = {}) => ({
	typeCategory: 'Request',
	subType: byId('={{ $json.x.subType ?? 24 }}'),
	customer: byId('={{ $json.x.customer }}'),
	items: buildItems('asset'),
	preventDuplicates: { skipIfOpenOrderExists: 'asset', ...rules },
	...more,
});

const create = async (alarms: unknown[], rules: IDataObject = {}, more: IDataObject = {}) =>
	await n8n.run('workOrder:create', form(rules, more), {
		items: itemsOf(...alarms),
		onError: 'continueErrorOutput',
	});

const DRY = { options: { dryRun: 'always' } };

const note = (body: string, type = 'Public') => ({
	noteOnOpenOrder: { note: { body, type } },
});

describe('an open order for the same fault', () => {
	it('is the output, marked as existing, and none is created', async () => {
		const order = theOpenOrder();
		const before = orderCount();
		const run = await create([toAlarm(order)]);
		expect(run.errorItems).toEqual([]);
		expect(jsonOf(run.items)).toEqual([
			some({ Id: order.Id, Number: order.Number, AlreadyExisted: true }),
		]);
		expect(orderCount()).toBe(before);
		const looked = /Items.Asset.Id","Operator":"In".*StatusId","Operator":"NotIn".*CreatedDateUtc/;
		expect(requests.paths()).toEqual(['POST query/WorkOrder']);
		expect(requests.sent()[0].rawBody).toMatch(looked);
	});

	it.each<[string, IDataObject, Partial<Alarm>]>([
		['is finished', { StatusId: 'Cancelled' }, {}],
		['is older than that', { CreatedDateUtc: utcAgo(25) }, {}],
		['is for another customer', {}, { customer: 102 }],
	])('does not exist if the order %s', async (_, values, other) => {
		const order = theOpenOrder(values);
		const run = await create([{ ...toAlarm(order), ...other }]);
		expect(run.errorItems).toEqual([]);
		expect(jsonOf(run.items)).toEqual([some({ Status: 'New', AlreadyExisted: false })]);
		expect(creates()).toHaveLength(1);
	});

	it('may be as old as Open Within Hours allows', async () => {
		const order = theOpenOrder({ CreatedDateUtc: utcAgo(25) });
		const run = await create([toAlarm(order)], { openWithinHours: 26 });
		expect(jsonOf(run.items)).toEqual([some({ Id: order.Id, AlreadyExisted: true })]);
	});

	describe.each([
		['behind', 36],
		['ahead of', -36],
	])('where the clock of n8n is 36 hours %s that of Corrigo', (_, hours) => {
		it.each([
			[23, true],
			[25, false],
		])('counts by its age on the clock of Corrigo: with %d hours %s', async (ago, exists) => {
			company.sandbox.set({ clockOffsetSeconds: hours * 3600 });
			const order = theOpenOrder({ CreatedDateUtc: utcAgo(ago - hours) });
			const run = await create([toAlarm(order)], {}, DRY);
			expect(run.errorItems).toEqual([]);
			expect(jsonOf(run.items)).toEqual([some({ AlreadyExisted: exists })]);
		});
	});

	it('takes one look-up if the clock of n8n is a little ahead of that of Corrigo, too', async () => {
		company.sandbox.set({ clockOffsetSeconds: -30 });
		const run = await create([toAlarm(theOpenOrder())], {}, DRY);
		expect(jsonOf(run.items)).toEqual([some({ AlreadyExisted: true })]);
		expect(requests.sent()).toHaveLength(1);
	});

	it.each([
		['younger', true, utcAgo(23)],
		['older', false, utcAgo(25)],
		['of unknown age', true, undefined],
	])('may be %s where Corrigo does not say what time it is: %s', async (_, exists, created) => {
		const alarm = toAlarm(theOpenOrder());
		const Items = [{ Asset: { Id: alarm.asset }, Task: { Id: alarm.task } }];
		const Data = { Id: 7, Customer: { Id: alarm.customer }, Items, CreatedDateUtc: created };
		requests.fault(
			rejection('/query/', { Entities: [{ Data }] }, { status: 200, headers: { date: 'today' } }),
		);
		const run = await create([alarm], {}, DRY);
		expect(jsonOf(run.items)).toEqual([some({ AlreadyExisted: exists })]);
		expect(countLookUps()).toBe(1);
	});

	it.each([
		['asset', true, true],
		['task', false, true],
		['subType', true, false],
	])('by %s: of another task %s, of another sub type %s', async (way, otherTask, otherType) => {
		const order = theOpenOrder();
		const alarm = toAlarm(order);
		const task = records.rows('Task').find(({ Id }) => Id !== alarm.task)?.Id;
		const run = await create(
			[{ ...alarm, task }, { ...alarm, subType: 23 }, alarm],
			{ skipIfOpenOrderExists: way },
			DRY,
		);
		expect(run.errorItems).toEqual([]);
		expect(jsonOf(run.items).map(({ Id }) => Id === order.Id)).toEqual([
			otherTask,
			otherType,
			true,
		]);
	});

	it.each([
		['all items of an order', false],
		['those that were asked for', true],
	])('deals with every asset of the new one, where Corrigo answers with %s', async (_, only) => {
		company.sandbox.set({ onlyFitting: only });
		const order = theOpenOrder();
		const alarm = { ...toAlarm(order), other: otherAsset() };
		const first = await create([alarm], {}, { ...DRY, ...TWO_ASSETS });
		expect(jsonOf(first.items)).toEqual([some({ Outcome: 'wouldCreate', AlreadyExisted: false })]);
		records.insert('WoItem', {
			WorkOrderId: order.Id,
			SortOrderIdx: 2,
			Asset: { Id: alarm.other },
			Task: { Id: alarm.task },
		});
		const second = await create([alarm], {}, { ...DRY, ...TWO_ASSETS });
		expect(jsonOf(second.items)).toEqual([some({ Id: order.Id, AlreadyExisted: true })]);
		expect(countLookUps()).toBe(2);
	});
});

describe('fifty alarms in one run', () => {
	// Promise: *Skip if External Number Exists* creates no order twice
	it.each([1, 8])('create one order, %d at a time', async (parallelRequests) => {
		const alarm = newAlarm();
		const before = orderCount();
		const options = { advanced: { parallelRequests } };
		const run = await create(Array(50).fill(alarm), {}, { options });
		expect(run.errorItems).toEqual([]);
		expect(orderCount()).toBe(before + 1);
		expect(new Set(jsonOf(run.items).map(({ Id }) => Id)).size).toBe(1);
		expect(jsonOf(run.items).filter(({ AlreadyExisted }) => AlreadyExisted)).toHaveLength(49);
		expect(requests.sent()).toHaveLength(2);
	});

	it('create one order even if each has its own external number', async () => {
		const alarm = newAlarm();
		const rules = { skipIfExternalNumberExists: true };
		const run = await create(Array(8).fill(alarm), rules, {
			additionalFields: { externalNumber: '={{ "OWN-" + $itemIndex }}' },
			options: { advanced: { parallelRequests: 4 } },
		});
		expect(new Set(jsonOf(run.items).map(({ Id }) => Id)).size).toBe(1);
		expect(creates()).toHaveLength(1);
	});

	it('for two assets create one order, in whatever order the assets are given', async () => {
		const alarm = { ...newAlarm(), other: otherAsset() };
		const alarms = [alarm, { ...alarm, asset: alarm.other, other: alarm.asset }];
		const run = await create(alarms, {}, { ...DRY, ...TWO_ASSETS });
		expect(jsonOf(run.items)).toMatchObject([
			{ Outcome: 'wouldCreate', AlreadyExisted: false },
			{ AlreadyExisted: true },
		]);
	});

	// Promise: *Skip if External Number Exists* creates no order twice
	it.each([
		[1, undefined],
		[4, undefined],
		[1, 'resetBefore' as const],
	])(
		'for two assets create an order for one of them, too, %d at a time, with a fault: %s',
		async (parallelRequests, kind) => {
			const alarm = { ...newAlarm(), other: otherAsset() };
			if (kind !== undefined) requests.fault({ match: { pathIncludes: '/WoCreate' }, kind });
			const alarms = [alarm, { ...alarm, other: alarm.asset }, { ...alarm, asset: alarm.other }];
			const run = await withShortPauses(() =>
				create(alarms, {}, { ...TWO_ASSETS, options: { advanced: { parallelRequests } } }),
			);
			expect(creates()).toHaveLength(1);
			expect([run.items.length, run.errorItems.length]).toEqual(kind ? [0, 3] : [3, 0]);
			expect(new Set(jsonOf(run.items).map(({ Id }) => Id)).size).toBe(kind ? 0 : 1);
		},
	);

	it('for one asset find its own order, although a later one is for that asset, too', async () => {
		const alarm = newAlarm();
		const [one, both] = [alarm.asset, otherAsset()].map((other) => ({ ...alarm, other }));
		const run = await create([one, both, one], {}, TWO_ASSETS);
		const [first, second, third] = jsonOf(run.items).map(({ Id }) => Id);
		expect(creates()).toHaveLength(2);
		expect([third, second === first]).toEqual([first, false]);
	});
});

describe('an uncertain look-up or create', () => {
	const numbered = { externalNumber: '={{ $itemIndex ? "same" : "SAME" }}' };

	describe.each([
		['Skip if an Open Order Exists', {}],
		['Skip if External Number Exists', { skipIfExternalNumberExists: true }],
	])('of %s', (option, rules) => {
		const isOpen = option.includes('Open');
		/** The form with this option alone. */
		const more = {
			additionalFields: numbered,
			preventDuplicates: isOpen ? { skipIfOpenOrderExists: 'asset', ...note('again') } : rules,
		};

		it('is looked up when the answer to a create was lost', async () => {
			const alarm = newAlarm();
			requests.fault({ match: { pathIncludes: '/WoCreate' }, kind: 'resetAfter' });
			const before = orderCount();
			const run = await create([alarm, alarm], {}, more);
			expect(run.errorItems).toEqual([]);
			expect(jsonOf(run.items)).toEqual([
				some({ AlreadyExisted: false }),
				some({ AlreadyExisted: true }),
			]);
			expect([orderCount(), creates().length]).toEqual([before + 1, 1]);
			const found = isOpen
				? `an order that is open for the asset ${alarm.asset}`
				: 'an order with the external number "SAME"';
			expect(hintsOf(run).join()).toMatch(`lost, but their records were found: ${found}`);
		});

		it('remains in doubt when no order is found a little later, and no second one is sent', async () => {
			const alarm = newAlarm();
			requests.fault({ match: { pathIncludes: '/WoCreate' }, kind: 'resetBefore' });
			const run = await withShortPauses(() => create([alarm, alarm], {}, more));
			expect(run.items).toEqual([]);
			expect([creates().length, listSent('/WoNote').length]).toEqual([1, 0]);
			for (const { json } of run.errorItems) {
				expect(json.message).toMatch(/may have been carried out/);
				expect(json.message).toMatch(/was not there 5 seconds later; it may still appear/);
			}
		});
	});
});

describe('a note on an open order', () => {
	it('is added to the existing order, or to the one that an earlier item created', async () => {
		const order = theOpenOrder();
		const fresh = toAlarm(
			records.rows('WorkOrder').find((one) => toAlarm(one).asset !== toAlarm(order).asset) as Row,
		);
		const run = await create([toAlarm(order), fresh, fresh], {
			noteOnOpenOrder: { note: { body: '={{ "alarm " + $itemIndex }}', type: 'Private' } },
		});
		expect(run.errorItems).toEqual([]);
		const [old, made, again] = jsonOf(run.items);
		expect([old.Id, again.Id]).toEqual([order.Id, made.Id]);
		expect(listNotes(order.Id).at(-1)).toMatchObject({ Body: 'alarm 0', NoteTypeId: 'Private' });
		expect(listNotes(Number(made.Id)).map(({ Body }) => Body)).toEqual(['alarm 2']);
	});

	it('that is rejected reports the existing order', async () => {
		const order = theOpenOrder();
		requests.fault(rejection('/WoNote', { ErrorMessage: 'Too long' }));
		const run = await create([toAlarm(order)], note('again'));
		expect(jsonOf(run.errorItems)).toEqual([
			some({
				error: `The work order "${String(order.Number)}" is open, but its note failed: Corrigo refused the request: "Too long"`,
				message: expect.stringMatching(
					/^Check the values of this node\. \(.*\) No second order was created\.$/,
				),
			}),
		]);
	});

	it('is not written by a dry run, which shows it', async () => {
		const order = theOpenOrder();
		const run = await create(
			[toAlarm(order), { ...toAlarm(order), customer: 102 }],
			note('again'),
			DRY,
		);
		expect(jsonOf(run.items)).toEqual([
			some({
				Outcome: 'wouldUpdate',
				AlreadyExisted: true,
				Summary: `Would create a work order note for work order ${order.Number}, with Text again and Note Type Public`,
			}),
			some({ Outcome: 'wouldCreate', AlreadyExisted: false }),
		]);
		expect(countLookUps()).toBe(1);
	});
});

it('a create in doubt is looked up by only one of two options, and reported once', async () => {
	const alarm = newAlarm();
	requests.fault({ match: { pathIncludes: '/WoCreate' }, kind: 'resetBefore' });
	const additionalFields = { externalNumber: '={{ "LOST-" + $itemIndex }}' };
	const alarms = [alarm, { ...alarm, subType: 23 }];
	const run = await withShortPauses(() =>
		create(alarms, { skipIfExternalNumberExists: true }, { additionalFields }),
	);
	expect(creates()).toHaveLength(1);
	for (const { json } of run.errorItems) {
		expect(String(json.message).match(/it may still appear/g)).toHaveLength(1);
	}
	expect(run.errorItems).toHaveLength(2);
});

it('an open order is looked up only after the external number, which identifies one order', async () => {
	const open = theOpenOrder();
	const numbered = records.rows('WorkOrder')[10];
	const run = await create(
		[toAlarm(open), toAlarm(open)],
		{ skipIfExternalNumberExists: true, ...note('again') },
		{ additionalFields: { externalNumber: '={{ $itemIndex ? "NEW" : "EXT-10" }}' } },
	);
	expect(jsonOf(run.items)).toEqual([
		some({ Id: numbered.Id, AlreadyExisted: true }),
		some({ Id: open.Id, AlreadyExisted: true }),
	]);
	expect(listSent('/WoNote')).toHaveLength(1);
	expect(creates()).toEqual([]);
});

it.each<[IDataObject, string | RegExp]>([
	[{ openWithinHours: 0 }, /'Only Orders of the Last … Hours' must be a whole number, 1 to 8760/],
	[note(' '), "'Note on Open Order > Text' is empty"],
])('an invalid option is rejected before anything is sent: %j', async (options, message) => {
	expect(errorsOf(await create([toAlarm(theOpenOrder())], options))).toEqual([
		typeof message === 'string' ? message : expect.stringMatching(message),
	]);
	expect(requests.sent()).toEqual([]);
});

it.each([
	['Only Orders of the Last … Hours', { openWithinHours: 5 }],
	['Note on Open Order', note('x')],
])('%s belongs to the option', async (title, preventDuplicates) => {
	const run = await create([toAlarm(theOpenOrder())], {}, { preventDuplicates });
	expect(errorsOf(run)).toEqual([
		`'${title}' is set without 'Skip if an Open Order Exists', which it needs`,
	]);
	expect(requests.sent()).toEqual([]);
});
