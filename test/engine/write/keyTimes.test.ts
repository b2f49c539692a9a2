/**
 * A key that is a time on the clock of a work zone is found, whichever way the time is written. Held
 * constant: the work zone is named by the input, and its clock is not changed to or from summer time.
 */
import type { IDataObject } from 'n8n-workflow';

import { getMemberTypes } from '../../../nodes/Corrigo/catalogue/entities';
import { isDay, isLocalTime } from '../../../nodes/Corrigo/catalogue/times';
import { byName, itemsOf, jsonOf, shareCompany, some } from '../../support/company';

const { n8n, records, requests } = shareCompany({ workOrders: 2 });

/** One moment at the work zone in New York, in January. */
const LOCAL = '2026-01-30T08:00:00';
const WAYS: Array<[string, unknown]> = [
	['the clock of the work zone', LOCAL],
	['its zone', '2026-01-30T08:00:00-05:00'],
	['UTC', '2026-01-30T13:00:00Z'],
	['another zone', '2026-01-31T02:00:00+13:00'],
	[
		'a date of the expression engine',
		"={{ DateTime.fromISO('2026-01-30T13:00:00Z').setZone('Asia/Tokyo') }}",
	],
	['a JavaScript date', "={{ new Date('2026-01-30T13:00:00Z') }}"],
];

const zone = () => records.find('WorkZone', { TimeZone: 35 }).Id;

const buildCard = (StartDate: unknown) => ({
	StartDate,
	Employee: { Id: records.ids('Employee')[0] },
	WorkZone: { Id: zone() },
	TimeCard: { Id: records.ids('TimeCard')[0] },
	TypeId: 'Manual',
	Duration: 60,
});

const toExpression = (fields: object) =>
	`={{ ({ ${Object.entries(fields)
		.map(([name, one]) =>
			typeof one === 'string' && one.startsWith('={{')
				? `${name}: ${one.slice(3, -2)}`
				: `${name}: ${JSON.stringify(one)}`,
		)
		.join(', ')} }) }}`;

const upsert = async (fields: object, more: object = {}, items = itemsOf(1)) =>
	await n8n.run(
		'record:upsert',
		{
			entity: byName('TimeCardItem'),
			fieldsJson: toExpression(fields),
			matchOn: 'Employee.Id, StartDate',
			...more,
		},
		{ items },
	);

it.each(WAYS)(
	'a time card given by %s is found by all others, in the next run',
	async (_, time) => {
		const first = await upsert(buildCard(time));
		expect(jsonOf(first.items)).toEqual([some({ Outcome: 'created' })]);
		const [{ Id }] = jsonOf(first.items);
		expect(records.get('TimeCardItem', Number(Id)).StartDate).toBe(LOCAL);
		for (const [, other] of WAYS) {
			const next = await upsert(buildCard(other));
			expect([other, next.error?.message, ...jsonOf(next.items)]).toEqual([
				...[other, undefined],
				some({ Id, Outcome: 'unchanged' }),
			]);
		}
	},
);

it('two items of one run that write the time in two ways are one time card', async () => {
	const fields = buildCard('={{ $json.x }}');
	const { items } = await upsert(fields, {}, itemsOf(LOCAL, '2026-01-30T13:00:00Z', LOCAL));
	expect(jsonOf(items).map(({ Outcome }) => Outcome)).toEqual([
		...['created', 'unchanged', 'unchanged'],
	]);
	expect(requests.writes()).toHaveLength(1);
});

it('a time with a zone is refused as a key where the work zone is not known', async () => {
	const { WorkZone, ...card } = buildCard('2026-01-30T13:00:00Z');
	expect(WorkZone).toBeDefined();
	expect((await upsert(card)).error?.message).toContain('time zone of its work zone is not known');
	expect(requests.writes()).toEqual([]);
});

/** Members in local time of the entities whose records have the clock of a work zone of their own. */
const MEMBERS = ['TimeCardItem', 'Space', 'Customer'].flatMap((entity) =>
	Object.entries(getMemberTypes(entity))
		.filter(([name, type]) => type === 'datetime' && !isDay(entity, name))
		.filter(([name]) => isLocalTime(entity, name) && !name.startsWith('System'))
		.map(([name]) => [entity, name] as const),
);

it.each(MEMBERS)('of %s, %s is a key in any zone', async (entity, member) => {
	const [{ Id }] = records.rows(entity);
	records.change(entity, Id, { [member]: LOCAL });
	for (const [, time] of WAYS) {
		const fields = { [member]: time, WorkZone: { Id: zone() } };
		const { items, error } = await n8n.run('record:upsert', {
			entity: byName(entity),
			fieldsJson: toExpression(fields),
			matchOn: member,
			options: { updateOnly: 'error', dryRun: 'always' },
		});
		expect([time, error?.message]).toEqual([time, undefined]);
		expect((items[0].json as IDataObject).Outcome).toMatch(/^(wouldUpdate|unchanged)$/);
	}
});

it.each(['.123', '.126Z', '.1234567', '.1', '.10Z'])(
	'a time with the fraction %s is found again, and by two items of one run',
	async (fraction) => {
		const card = buildCard(`2026-01-30T08:00:00${fraction}`);
		const outcomes = [];
		for (const items of [itemsOf(1, 2), itemsOf(1)]) {
			const { items: done } = await upsert(card, {}, items);
			outcomes.push(...jsonOf(done).map(({ Outcome }) => Outcome));
		}
		expect(outcomes).toEqual(['created', 'unchanged', 'unchanged']);
	},
);
