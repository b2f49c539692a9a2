import type { INodeProperties } from 'n8n-workflow';

import type { Path } from '../../../catalogue/entities';
import { buildSearchFields } from '../../../form/filters';
import { isEmpty } from '../../../form/form';
import { buildOptions } from '../../../form/options';
import { parseGrouping } from '../../../operations/read/count';
import { buildCriteria, buildSearch, loadRows } from '../../../operations/read/search';
import { toItem, type ItemContext } from '../../../run/context';
import type { Operation } from '../../../run/operation';
import {
	isZoned,
	parseChoice,
	parseDateTime,
	parseList,
	quote,
	toInstant,
	ValidationError,
} from '../../../values/checks';
import {
	and,
	atLeast,
	collectPaths,
	equal,
	joinCriteria,
	lessThan,
	type Criteria,
} from '../../../wire/criteria';
import { getMonth, getWeek, Performance, type Grouping } from './groups';
import { PERIODS, PROPERTIES, summarizeOrder, type OrderSummary, type Period } from './summary';

const ENTITY = 'WorkOrder';
const FROM = 'From';
const UNTIL = 'Until';
const GROUP_BY = 'Group By';
const MAX_GROUPINGS = 2;

/** Each order has at least one action, so this takes no more requests than reading the log would. */
const PAGE_SIZE = 2000;

/** No zone is further ahead of UTC. */
const MAX_OFFSET_MS = 14 * 3_600_000;

interface Choice extends Grouping {
	name: Path<'WorkOrder'> | 'Month' | 'Week';
	label: string;
}

const groupings: Readonly<Record<string, Choice>> = {
	assignee: { label: 'Assignee', name: 'Employee' },
	customer: { label: 'Customer', name: 'Customer' },
	month: { label: 'Month', name: 'Month', readDate: getMonth },
	priority: { label: 'Priority', name: 'Priority' },
	specialty: { label: 'Specialty', name: 'Specialty' },
	subType: { label: 'Sub Type', name: 'SubType' },
	typeCategory: { label: 'Type Category', name: 'TypeCategory' },
	week: { label: 'Week', name: 'Week', readDate: getWeek },
	workZone: { label: 'Work Zone', name: 'WorkZone' },
};

const TIME = 'On the clock of the work zone, unless the value has a time zone';

const fields: INodeProperties[] = [
	{
		displayName: 'Period',
		name: 'period',
		type: 'options',
		options: [
			{ name: 'Completed', value: 'completed', description: 'Orders that are completed' },
			{ name: 'Created', value: 'created' },
			{ name: 'Due', value: 'due' },
		],
		default: 'created',
		description: 'Which date of the orders must be between the times below',
	},
	{
		displayName: FROM,
		name: 'from',
		type: 'dateTime',
		required: true,
		default: '',
		description: `First time of the period. ${TIME}.`,
	},
	{
		displayName: UNTIL,
		name: 'until',
		type: 'dateTime',
		default: '',
		description: 'Time at which the period has ended. Leave empty for no end.',
	},
	{
		displayName: GROUP_BY,
		name: 'groupedBy',
		type: 'multiOptions',
		options: Object.entries(groupings).map(([value, { label }]) => ({ name: label, value })),
		default: [],
		description: "Up to two. Month and week are those of the period's date.",
	},
];

/** Corrigo returns of a collection only the rows that meet the conditions on it. */
const COUNTED = /^(ActionLogRecords|CheckInOuts|Verifications)\./i;

export const getPerformance: Operation = {
	name: 'Get Performance',
	value: 'getPerformance',
	action: 'Get performance of work orders',
	description:
		'Retrieve how quickly and punctually work orders were done: counts, shares, hours, costs and ratings (Beta)',
	address: 'POST /query',
	fields: [...fields, ...buildSearchFields(ENTITY), buildOptions(['parallelRequests', 'timeout'])],
	reads: true,
	each: async (context) => {
		const period = readPeriod(context);
		const groupBy = readGroupings(context);
		const paths = groupBy
			.filter(({ readDate }) => readDate === undefined)
			.flatMap(({ name }) => parseGrouping(ENTITY, name).paths);
		const search = await buildSearch(context, {}, (one) => ({
			entity: ENTITY,
			query: {
				key: ['Id'],
				properties: ['Id', ...PROPERTIES, ...paths],
				criteria: joinCriteria(buildPeriodCriteria(period), readOwnCriteria(one)),
				limit: Infinity,
				pageSize: PAGE_SIZE,
			},
			shapeRow: (row) => row,
			foldRow: (row) => summarizeOrder(row, period, groupBy, context.run.time.now()),
		}));
		const performance = new Performance(groupBy);
		for await (const orders of loadRows(context, search)) {
			for (const order of orders) performance.add(order as OrderSummary);
		}
		return performance.toRows().map(toItem);
	},
};

function readOwnCriteria(context: ItemContext): Criteria | undefined {
	const criteria = buildCriteria(ENTITY, context);
	const path = collectPaths(criteria).find((one) => COUNTED.test(one));
	if (path === undefined) return criteria;
	throw new ValidationError(
		`'Search By' uses ${quote(path)}, but the whole history of each order is needed`,
		'Compare a field of the order itself.',
	);
}

function readPeriod(context: ItemContext): Period {
	const by = parseChoice('Period', context.param('period', 'created'), PERIODS);
	const from = parseDateTime(FROM, context.param('from', ''));
	const input = context.param('until', '');
	if (isEmpty(input)) return { by, from };
	const until = parseDateTime(UNTIL, input);
	if (isZoned(from) !== isZoned(until) || toInstant(from) < toInstant(until)) {
		return { by, from, until };
	}
	throw new ValidationError(
		`'${UNTIL}' is not after '${FROM}'`,
		`'${FROM}' is ${from}, and '${UNTIL}' is ${until}.`,
	);
}

function readGroupings(context: ItemContext): Grouping[] {
	const input = context.param('groupedBy', []);
	const known = Object.keys(groupings);
	const chosen = (isEmpty(input) ? [] : parseList(GROUP_BY, input)).map((one) =>
		parseChoice(GROUP_BY, one, known, (name) => groupings[name].label),
	);
	const names = [...new Set(chosen)];
	if (names.length <= MAX_GROUPINGS) return names.map((name) => groupings[name]);
	throw new ValidationError(`'${GROUP_BY}' has ${names.length} choices, but two are the most`);
}

/** Members with the time on the clock of the work zone, and in UTC. */
const MEMBERS = {
	created: ['DtCreated', 'CreatedDateUtc'],
	due: ['DtDue', 'DueDateUtc'],
} as const;

/** Completed orders are read with some others, because their log alone shows when they were. */
function buildPeriodCriteria({ by, from, until }: Period): Criteria {
	const compare = (date: keyof typeof MEMBERS, build: typeof atLeast, time: string) =>
		build(MEMBERS[date][Number(isZoned(time))], time);
	const end = by === 'completed' ? 'created' : by;
	const ended = until === undefined ? [] : [compare(end, lessThan, until)];
	if (by !== 'completed') return and(compare(by, atLeast, from), ...ended);
	const earliest = toInstant(from) - (isZoned(from) ? 0 : MAX_OFFSET_MS);
	return and(
		equal('StatusId', 'Completed'),
		atLeast('LastActionDateUtc', `${new Date(earliest).toISOString().slice(0, 19)}Z`),
		...ended,
	);
}
