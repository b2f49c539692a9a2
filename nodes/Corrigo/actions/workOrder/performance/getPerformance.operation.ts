import { toTitle } from '../../../catalogue/enumerations/labels';
import { WORK_ZONE_TIME, buildField, defineField } from '../../../form/fields';
import { buildSearchFields } from '../../../form/filters';
import { buildOptions } from '../../../form/options';
import { buildRangeFields, readRange } from '../../../form/timeRanges';
import { NUMBER } from '../../../operations/specimens';
import { parseGrouping } from '../../../operations/read/count';
import { buildCriteria, buildSearch, loadRows } from '../../../operations/read/search';
import { toItem, type ItemForm, type ResolvingForm } from '../../../run/context';
import type { Operation } from '../../../run/operation';
import { mapMembers, type JsonObject } from '../../../values/objects';
import { ValidationError, quote } from '../../../values/errors';
import { NEVER, isZoned, toInstant, toSecondsUtc } from '../../../values/times';
import {
	and,
	atLeast,
	collectPaths,
	equal,
	joinCriteria,
	lessThan,
	type Criteria,
} from '../../../wire/criteria';
import { getMonth, getQuarter, getWeek, getYear, Performance } from './groups';
import {
	ACTOR_TYPE,
	PROPERTIES,
	summarizeOrder,
	type Grouping,
	type OrderSummary,
	type Period,
} from './summary';
import type { Form } from '../../../form/form';

const ENTITY = 'WorkOrder';

/** Each order has at least one action, so this takes no more requests than reading the log would. */
const PAGE_SIZE = 2000;

/** No zone is further ahead of UTC. */
const MAX_OFFSET_MS = 14 * 3_600_000;

const groupings = {
	assignee: { name: 'Employee' },
	customer: { name: 'Customer' },
	month: { name: 'Month', readDate: getMonth },
	priority: { name: 'Priority' },
	quarter: { name: 'Quarter', readDate: getQuarter },
	specialty: { name: 'Specialty' },
	subType: { name: 'SubType' },
	typeCategory: { name: 'TypeCategory' },
	vendor: { name: 'Vendor', property: 'Employee', actorType: 'Provider' },
	week: { name: 'Week', readDate: getWeek },
	workZone: { name: 'WorkZone' },
	year: { name: 'Year', readDate: getYear },
} satisfies Record<string, Grouping>;

const GROUPINGS = Object.keys(groupings) as Array<keyof typeof groupings>;

const dateField = defineField({
	displayName: 'Which Date',
	name: 'date',
	type: 'options',
	options: [
		{ name: 'Completed', value: 'completed', description: 'Orders that are completed' },
		{ name: 'Created', value: 'created' },
		{ name: 'Due', value: 'due' },
	],
	default: 'created',
	description: 'Which date of the orders to compare',
});

const groupedByField = buildField(
	'groupedBy',
	'multiOptions',
	'Up to two fields. Month, quarter, week and year are those of the date. Vendor is the assignee, if that is a vendor.',
	{
		displayName: 'Group By',
		options: GROUPINGS.map((value) => ({ name: toTitle(value), value })),
	},
);

const fields = [dateField, ...buildRangeFields(WORK_ZONE_TIME, 'Period '), groupedByField];

/** Corrigo returns of a collection only the rows that meet the conditions on it. */
const COUNTED = /^(ActionLogRecords|CheckInOuts|Verifications)\./i;

/** The figures of no order lack shares, medians and currencies. */
function showPerformance(): JsonObject {
	const [total] = new Performance([]).toRows();
	const figures = mapMembers(total, (_, value) => value ?? NUMBER);
	return { ...figures, CostTotal: { USD: NUMBER }, VendorInvoiceTotal: { USD: NUMBER } };
}

export const getPerformance: Operation = {
	value: 'getPerformance',
	action: 'Get performance of work orders',
	description:
		'Retrieve how quickly and punctually work orders were done: counts, shares, hours, costs and ratings (Beta)',
	address: 'POST /query',
	output: showPerformance,
	fields: [...fields, ...buildSearchFields(ENTITY), buildOptions(['parallelRequests', 'timeout'])],
	reads: true,
	each: async (context) => {
		const groupBy = readGroupings(context);
		const paths = groupBy
			.filter(({ readDate }) => readDate === undefined)
			.flatMap(({ name, property = name, actorType }) => [
				...parseGrouping(ENTITY, property).paths,
				...(actorType === undefined ? [] : [ACTOR_TYPE]),
			]);
		const search = await buildSearch(context, {}, (one) => {
			const { period, time } = readPeriod(one);
			return {
				entity: ENTITY,
				shown: ENTITY,
				query: {
					key: ['Id'],
					properties: ['Id', ...PROPERTIES, ...paths],
					criteria: joinCriteria(buildPeriodCriteria(period), readOwnCriteria(one)),
					limit: Infinity,
					pageSize: PAGE_SIZE,
				},
				time,
				shapeRow: (row) => row,
				foldRow: (row) => summarizeOrder(row, period, groupBy, one.run.time.now()),
			};
		});
		const performance = new Performance(groupBy);
		for await (const orders of loadRows(context, search)) {
			for (const order of orders) performance.add(order as OrderSummary);
		}
		return performance.toRows().map(toItem);
	},
};

function readOwnCriteria(form: ResolvingForm): Criteria | undefined {
	const criteria = buildCriteria(ENTITY, form);
	const path = collectPaths(criteria).find((one) => COUNTED.test(one));
	if (path === undefined) return criteria;
	throw new ValidationError(
		`'Search By' uses ${quote(path)}, but the whole history of each order is needed`,
		'Compare a field of the order itself.',
	);
}

/** The time is that which the period depends on, if it does. */
function readPeriod(form: ItemForm): { period: Period; time?: number } {
	const by = form.read(dateField);
	let time: number | undefined;
	const range = readRange(form, toTitle(by), 'time', {
		now: () => (time = form.run.time.now()),
		timeZone: form.run.caller.getTimezone(),
	});
	return { period: { by, from: NEVER, ...range }, time };
}

function readGroupings(form: Form): Grouping[] {
	const names = [...new Set(form.read(groupedByField))];
	if (names.length <= 2) return names.map((name) => groupings[name]);
	throw new ValidationError(
		`'${groupedByField.displayName}' has ${names.length} choices, but two are the most`,
	);
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
		atLeast('LastActionDateUtc', toSecondsUtc(earliest)),
		...ended,
	);
}
