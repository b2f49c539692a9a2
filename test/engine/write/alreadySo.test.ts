/**
 * *If Already So: Succeed*: a request that comes twice, in one run or in two, while another execution
 * does the same, or after its answer was lost, is carried out once.
 */
import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	DENIED,
	itemsOf,
	jsonOf,
	rejection,
	shareCompany,
	some,
	withShortPauses,
} from '../../support/company';

const company = shareCompany();
const { n8n, records, requests } = company;

const OPTION = { ifAlreadySo: 'succeed' };
const reason = (kind: string, index = 0) =>
	records
		.rows('WoActionReasonLookup')
		.filter(({ ActionId, IsRemoved }) => ActionId === kind && !IsRemoved)[index].Id;
/** Forms and models end texts with blanks and lines. */
const comment = (text: string) => ({ additionalFields: { comment: ` ${text} \r\n` } });

interface Case {
	operation: string;
	/** Status of the order before. */
	status?: string;
	form: (changed?: true) => IDataObject;
	id?: () => number;
	/** Field of the form that the changed request fills in differently. */
	differs?: string;
	/** The log says who did it. */
	isLogged?: boolean;
}

const cases: Case[] = [
	{
		operation: 'workOrder:pickUp',
		status: 'New',
		form: (c) => comment(c ? 'b' : 'a'),
		differs: 'Comment',
		isLogged: true,
	},
	{ operation: 'workOrder:start', status: 'Open', form: () => ({}), isLogged: true },
	{
		operation: 'workOrder:pause',
		status: 'InProgress',
		form: (c) => comment(c ? 'b' : 'a'),
		differs: 'Comment',
		isLogged: true,
	},
	{
		operation: 'workOrder:hold',
		status: 'Open',
		form: (c) => ({ reason: byId(reason('OnHold', c ? 1 : 0)) }),
		differs: 'Reason',
		isLogged: true,
	},
	{
		operation: 'workOrder:cancel',
		status: 'Open',
		form: (c) => ({ reason: byId(reason('Cancel', c ? 1 : 0)), ...comment('why') }),
		differs: 'Reason',
		isLogged: true,
	},
	{
		operation: 'workOrder:complete',
		status: 'InProgress',
		form: (c) => ({
			additionalFields: {
				repairCode: byId(records.rows('RepairCode')[c ? 1 : 0].Id),
				comment: 'done',
			},
		}),
		differs: 'Repair Code',
		isLogged: true,
	},
	{
		operation: 'workOrder:reopen',
		status: 'Completed',
		form: (c) => comment(c ? 'b' : 'a'),
		differs: 'Comment',
		isLogged: true,
	},
	{
		operation: 'workOrder:addFlag',
		status: 'Open',
		form: (c) => ({
			flags: { values: [0, 1].map((index) => ({ flag: byId(reason('Attention', index)) })) },
			...comment(c ? 'b' : 'a'),
		}),
		differs: 'Comment',
	},
	{
		operation: 'workOrder:verify',
		status: 'Completed',
		form: (c) => ({ rating: 'Positive', comment: c ? 'b' : 'a' }),
		differs: 'Comment',
		isLogged: true,
	},
	{
		operation: 'invoice:changeApStatus',
		form: (c) => ({
			apStatus: byId(records.rows('ApInvoiceStatus').at(-1)?.Id),
			...comment(c ? 'b' : 'a'),
		}),
		differs: 'Comment',
		isLogged: true,
	},
	{
		operation: 'invoice:changeCostStatus',
		form: () => ({ costStatus: byId(records.rows('InternalCostStatus').at(-1)?.Id) }),
		isLogged: true,
	},
	{ operation: 'workZone:takeOffline', id: () => records.rows('WorkZone')[0].Id, form: () => ({}) },
];

const findId = ({ status, id }: Case) =>
	id?.() ?? (status === undefined ? records.rows('WorkOrder')[3] : records.orderIn(status)).Id;

const run = async (one: Case, id: number, changed?: true, more: IDataObject = {}) =>
	await n8n.run(one.operation, {
		id: byId(id),
		...one.form(changed),
		options: { ...OPTION, ...more },
	});

describe.each(cases.map((one) => [one.operation, one] as const))('%s', (_, one) => {
	it('is sent once, whoever repeats it, and says who did it', async () => {
		const id = findId(one);
		const first = await run(one, id);
		expect(jsonOf(first.items)).toEqual([some({ AlreadySo: false })]);
		const sent = requests.writes().length;
		const second = await run(one, id);
		expect(requests.writes()).toHaveLength(sent);
		const who = one.isLogged
			? {
					DoneBy: some({ Id: expect.any(Number) as number }),
					DoneAt: expect.stringMatching(/Z$/) as string,
				}
			: {};
		const [{ AlreadySo, ...shown }] = jsonOf(first.items);
		expect(AlreadySo).toBe(false);
		expect(jsonOf(second.items)).toEqual([some({ AlreadySo: true, ...who })]);
		// The item has what the first one had.
		expect(Object.keys(second.items[0].json)).toEqual(expect.arrayContaining(Object.keys(shown)));
		const dry = await run(one, id, undefined, { dryRun: 'always' });
		expect(jsonOf(dry.items)).toEqual([
			some({
				AlreadySo: true,
				Summary: expect.stringMatching(
					/^Would leave .+ as it is, as it already is as requested$/,
				) as string,
			}),
		]);
	});

	it('is sent once if its answer is lost', async () => {
		const id = findId(one);
		requests.fault({ match: { pathIncludes: '/cmd/' }, kind: 'resetAfter' });
		const lost = await withShortPauses(() => run(one, id));
		expect(jsonOf(lost.items)).toEqual([some({ AlreadySo: true })]);
		expect(requests.writes()).toHaveLength(1);
	});

	if (one.differs === undefined) return;
	it('is a conflict if it asks for something else', async () => {
		const id = findId(one);
		await run(one, id);
		const sent = requests.writes().length;
		const { error } = await run(one, id, true);
		expect(error?.message).toMatch(
			new RegExp(
				`^Already so: .+ But '${one.differs}' is ".+" there, not ".+"\\. Nothing was sent`,
			),
		);
		expect(requests.writes()).toHaveLength(sent);
	});
});

it('the items of a run share two requests', async () => {
	const ids = records.idsWhere('WorkOrder', ({ StatusId }) => StatusId === 'New').slice(0, 5);
	const form = { id: byId('={{ $json.x }}'), options: OPTION };
	await n8n.run('workOrder:pickUp', form, { items: itemsOf(...ids) });
	company.sandbox.forgetRequests();
	const { items } = await n8n.run('workOrder:pickUp', form, { items: itemsOf(...ids, ids[0]) });
	expect(jsonOf(items).map(({ AlreadySo }) => AlreadySo)).toEqual([...ids, 1].map(() => true));
	expect(requests.queries()).toEqual(['WorkOrder', 'WoActionLog']);
	expect(requests.writes()).toEqual([]);
});

it('two items of a run that ask for the same send it once', async () => {
	const { Id } = records.orderIn('New');
	const form = { id: byId(Id), options: OPTION };
	const { items } = await n8n.run('workOrder:pickUp', form, { items: itemsOf(1, 2) });
	expect(jsonOf(items).map(({ AlreadySo }) => AlreadySo)).toEqual([false, true]);
	expect(requests.writes()).toHaveLength(1);
});

it('two executions at once both succeed, and one says that it was already so', async () => {
	const { Id } = records.orderIn('New');
	const start = async () => await n8n.run('workOrder:pickUp', { id: byId(Id), options: OPTION });
	const runs = await Promise.all([start(), start()]);
	const found = runs.flatMap(({ items }) => jsonOf(items)).map(({ AlreadySo }) => AlreadySo);
	expect(found.sort()).toEqual([false, true]);
	expect(
		records.children('WoActionLog', 'WorkOrderId', Id).filter(({ TypeId }) => TypeId === 'PickUp'),
	).toHaveLength(1);
});

it('a request that Corrigo refuses, as another execution was quicker, succeeds', async () => {
	const { Id } = records.orderIn('New');
	const refusal = { ErrorCode: 'BUSINESS_LOGIC_ERROR', ErrorMessage: 'in state Open' };
	requests.fault(rejection('/cmd/', refusal, { commit: true }));
	const { items } = await n8n.run('workOrder:pickUp', { id: byId(Id), options: OPTION });
	expect(jsonOf(items)).toEqual([some({ AlreadySo: true })]);
});

it('a request that Corrigo refuses for another reason fails with the words of Corrigo', async () => {
	const { Id } = records.orderIn('New');
	requests.fault(
		rejection('/cmd/', { ErrorCode: 'BUSINESS_LOGIC_ERROR', ErrorMessage: 'No vendor' }),
	);
	const { error } = await n8n.run('workOrder:pickUp', { id: byId(Id), options: OPTION });
	expect(error?.message).toContain('No vendor');
});

it('a lost answer stays in doubt where the log does not show whether it is the same', async () => {
	const { Id } = records.orderIn('Open');
	const form = { id: byId(Id), reason: byId(reason('OnHold')), options: OPTION };
	requests.fault({ ...rejection('/query/WoActionLog', DENIED), times: 9 });
	requests.fault({ match: { pathIncludes: '/cmd/' }, kind: 'resetAfter' });
	const lost = await withShortPauses(async () => await n8n.run('workOrder:hold', form));
	expect(lost.error?.description).toContain('may have been carried out anyway');
	const { error } = await n8n.run('workOrder:hold', form);
	expect(error?.message).toMatch(
		/^Already so: .+ But the action log does not show whether 'Reason' is ".+" there\. Nothing was sent$/,
	);
	expect(requests.writes()).toHaveLength(1);
});

it('who may not read the log is not told who did it', async () => {
	const { Id } = records.orderIn('Open');
	requests.fault(rejection('/query/WoActionLog', DENIED));
	const { items } = await n8n.run('workOrder:pickUp', { id: byId(Id), options: OPTION });
	expect(jsonOf(items)).toEqual([some({ AlreadySo: true })]);
	expect(items[0].json).not.toHaveProperty('DoneBy');
});

it('work that was done again is rated again', async () => {
	const { Id } = records.orderIn('Completed');
	const verify = async () =>
		await n8n.run('workOrder:verify', { id: byId(Id), rating: 'Positive', options: OPTION });
	await verify();
	for (const step of ['reopen', 'pickUp', 'start', 'complete'])
		await n8n.succeed(`workOrder:${step}`, { id: byId(Id) });
	expect(jsonOf((await verify()).items)).toEqual([some({ AlreadySo: false })]);
	expect(jsonOf((await verify()).items)).toEqual([some({ AlreadySo: true })]);
});

it('a flag that an order has twice does not stand for another one', async () => {
	const { Id } = records.orderIn('New');
	const [one, other] = [0, 1].map((index) => reason('Attention', index));
	for (let row = 0; row < 2; row++) records.insert('WoFlag', { WoId: Id, FlagId: one });
	const flags = { values: [one, other].map((flag) => ({ flag: byId(flag) })) };
	const form = { id: byId(Id), flags, options: OPTION };
	expect(jsonOf((await n8n.run('workOrder:addFlag', form)).items)).toEqual([
		some({ AlreadySo: false }),
	]);
});
