import { API_UI_TYPE } from '../../catalogue/members';
import { getRecordPicker } from '../../catalogue/targets';
import { timeZones } from '../../catalogue/times';
import { recordTypes, getRecordView } from '../../catalogue/views';
import { VALUE_PATHS } from '../../compare/customFields';
import { findResourceEntity, subjects } from '../../form/subjects';
import { formatList, quote, quoteUnlessPlain } from '../../values/errors';
import { toLine } from '../../values/lines';
import { isObject } from '../../values/objects';
import { and, isIn, like } from '../../wire/criteria';
import { LEAST_PAGE_LIMIT, MAX_PAGE_SIZE } from '../../wire/paging';
import { NEWEST_FIRST } from '../../wire/requests';
import { ignoreRefusal, isSessionFailure } from '../../transport/errors';
import type { Probe } from './probe';
import { createTable } from '../../catalogue/table';

type Status = 'ok' | 'warning' | 'failed' | 'skipped';

/** A result contains no names, IDs or records of the Company, except users of the API. */
export interface CheckResult {
	status: Status;
	detail: string;
	/** Replaces the advice of the check. */
	howToFix?: string;
}

export interface Check {
	name: string;
	/** Advice for a check that does not succeed. */
	howToFix: string;
	/** Status if the service refuses the request; without it, the check fails. */
	refused?: 'warning';
	run: (probe: Probe) => Promise<CheckResult>;
}

const ok = (detail: string): CheckResult => ({ status: 'ok', detail: toLine(detail) });
const warning = (detail: string): CheckResult => ({ status: 'warning', detail: toLine(detail) });
const failed = (detail: string, howToFix?: string): CheckResult => ({
	...{ status: 'failed', detail },
	...(howToFix === undefined ? {} : { howToFix }),
});
const skipped = (detail: string): CheckResult => ({ status: 'skipped', detail });

const MAX_CLOCK_DIFFERENCE_SECONDS = 60;

/** The message of a failed login is the only sign that the token server accepted the credential. */
const wasTokenAccepted = (failure: unknown) =>
	!isSessionFailure(failure) || /know the Company|the locator\b/i.test((failure as Error).message);

/** Other requests are possible only after these checks have succeeded. */
export const sessionChecks: readonly Check[] = [
	{
		name: 'Access',
		howToFix: "Nothing: 'Access' in the credential decides.",
		run: async (probe) =>
			ok(
				probe.isReadOnly
					? 'Read only: requests that could write are not sent'
					: 'Full: the credential reads and writes',
			),
	},
	{
		name: 'Token',
		howToFix: "Open the credential and check 'Client ID', 'Client Secret' and 'Token Server URL'.",
		run: async (probe) => {
			await probe.loadDiscovery().catch((failure: unknown) => {
				if (!wasTokenAccepted(failure)) throw failure;
			});
			return ok('The token server accepts the credential');
		},
	},
	{
		name: 'Discovery',
		howToFix: "Open the credential and check 'Company Name' (it is case-sensitive) and 'Region'.",
		run: async (probe) => {
			await probe.loadDiscovery();
			return ok('The locator of the region knows the Company and its host');
		},
	},
	{
		name: 'Version',
		howToFix: 'Ask Corrigo which version the Company has.',
		run: async (probe) => {
			const { CompanyVersion: version } = (await probe.loadDiscovery()).company;
			return typeof version === 'string' && /^[\d.]+$/.test(version)
				? ok(`Corrigo ${version}`)
				: warning('The locator does not say which version the Company has');
		},
	},
	{
		name: 'Clock',
		howToFix:
			'Set the clock of the machine that runs n8n: times made by expressions are as wrong as it is.',
		run: async (probe) => {
			const { ahead } = await probe.loadDiscovery();
			if (ahead === undefined) return skipped('Corrigo does not say what time it is');
			const seconds = Math.round(Math.abs(ahead) / 1000);
			const detail = `Corrigo and n8n are ${seconds} s apart`;
			return seconds <= MAX_CLOCK_DIFFERENCE_SECONDS ? ok(detail) : warning(detail);
		},
	},
];

/** Operations need these properties in addition to those of lists. */
const PROPERTIES = createTable<readonly string[]>({
	AssetAttribute: [...VALUE_PATHS.slice(1), 'Descriptor.IsHistory'],
	AssetTree: ['ParentId', 'ChildId', 'Distance'],
	CustomFieldDescriptor: ['Name', 'Type', 'ActorTypeId', 'Options.Idx', 'Options.Value'],
	WoActionLog: [
		...['WorkOrderId', 'TypeId', 'ActionReasonId', 'UiTypeId', 'SystemDateUtc'],
		...['Actor.Id', 'Actor.TypeId', 'Actor.DisplayAs'],
	],
	WorkOrder: ['StatusId', 'LastActionDateUtc'],
	WorkOrderCost: ['ApStateId', 'CostStatusId'],
	WorkZone: ['WoNumberPrefix', 'WoNumberDigits', 'TimeZone'],
});

const resourceEntities = Object.keys(subjects).map(findResourceEntity);

/** Properties that resources and lists need, by entity. */
const neededProperties = new Map<string, Set<string>>();
const addNeeded = (entity: string, properties: readonly string[]) =>
	neededProperties.set(entity, new Set([...(neededProperties.get(entity) ?? []), ...properties]));
for (const type of recordTypes.filter((one) => !getRecordView(one).rarelyUsed)) {
	const { entity, title, search, details, ends } = getRecordPicker(type);
	addNeeded(entity, [title, ...search, ...details, ...ends]);
}
for (const [entity, properties] of Object.entries(PROPERTIES)) addNeeded(entity, properties);

/** Long tables are the most likely to reach the page limit. */
const LONG_TABLES = ['WoActionLog', 'WorkOrder'];

/** Number of rows to read if one is not enough. */
const ROW_COUNTS = createTable<number>({
	WoActionLog: 500,
	WorkZone: 500,
});

/** The newest row of a long table shows later whether an answer was cut off. */
const loadSample = async (probe: Probe, entity: string) =>
	await probe.loadRows(entity, {
		PropertySet: { Properties: ['Id', ...(neededProperties.get(entity) ?? [])] },
		...(LONG_TABLES.includes(entity) ? { Orders: NEWEST_FIRST } : {}),
		Count: ROW_COUNTS[entity] ?? 1,
	});

/** Operations that no ID can replace, for entities without a resource. */
const NEEDED_BY = createTable<string>({
	WoActionLog: "'Get History', 'Get Changes', 'Get Performance' and most events of the triggers",
});

const WITHOUT_LIST = "'By ID' works without the list.";

/** No list offers records of these entities. */
const WITHOUT = createTable<string | undefined>({
	AssetAttribute: 'Only attributes and readings of assets need it.',
	AssetTree:
		"Only lists and names of assets in new work orders, 'Tree of' and the filter 'Space' need it.",
	CustomFieldDescriptor: 'Only custom fields need it.',
});

const buildReadCheck = (entity: string): Check => {
	const neededBy = NEEDED_BY[entity];
	const isNeeded = neededBy !== undefined || resourceEntities.some((one) => one === entity);
	const right = `Give the role of the service user the right to read ${entity}`;
	const reason = neededBy === undefined ? '' : `: ${neededBy} need it`;
	return {
		name: `Read ${entity}`,
		howToFix: isNeeded ? `${right}${reason}.` : `${right}. ${WITHOUT[entity] ?? WITHOUT_LIST}`,
		refused: isNeeded ? undefined : 'warning',
		run: async (probe) => {
			const rows = await loadSample(probe, entity);
			return ok(rows.length > 0 ? 'Can be read' : 'Can be read, and has no records');
		},
	};
};

/**
 * Reads the newest row of the first permitted long table, and all rows that one answer holds;
 * `undefined` if Corrigo refuses the longest page.
 */
async function loadLongTable(probe: Probe) {
	const [actions, orders] = LONG_TABLES;
	const lastActions = await loadSample(probe, actions).catch(ignoreRefusal);
	const newest = lastActions ?? (await loadSample(probe, orders));
	const page = probe.loadRows(lastActions === undefined ? orders : actions, {
		Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
		Count: MAX_PAGE_SIZE,
	});
	return { newest, rows: await page.catch(ignoreRefusal) };
}

const limitChecks: readonly Check[] = [
	{
		name: 'Order by Id',
		howToFix:
			"Set 'Paging Method' to 'By Offset' under 'Options > Advanced' of every 'Get Many' with 'Return All'.",
		run: async (probe) => {
			const ids = ((await loadLongTable(probe)).rows ?? []).map(({ Id }) => Number(Id));
			if (ids.length < 2) return skipped('There are too few records to tell');
			return ids.every((id, index) => index === 0 || id > ids[index - 1])
				? ok('Rows come in the order of their Id')
				: failed('Rows do not come in the order of their Id');
		},
	},
	{
		name: 'Page limit',
		howToFix: 'Nothing: reads take more requests than elsewhere, and lose nothing.',
		refused: 'warning',
		run: async (probe) => {
			const { newest, rows } = await loadLongTable(probe);
			if (rows === undefined) {
				return failed(
					`Corrigo refuses a page of ${MAX_PAGE_SIZE} rows`,
					"Set 'Page Size' under 'Options > Advanced' of every 'Get Many' to 1000 or less, and report this: other reads ask for as many rows.",
				);
			}
			const isCut = Number(newest[0]?.Id) > Number(rows.at(-1)?.Id);
			if (!isCut) return skipped('There are too few records to reach it');
			const detail = `One answer has ${rows.length} rows at most`;
			if (rows.length < LEAST_PAGE_LIMIT) {
				return failed(
					detail,
					`Ask Corrigo to allow at least ${LEAST_PAGE_LIMIT} rows: this node takes a shorter answer for whole, so it loses what comes after it.`,
				);
			}
			return rows.length >= MAX_PAGE_SIZE ? ok(detail) : warning(detail);
		},
	},
];

/** Creates look up orders by this property. No order has `unusedValue`, so none should be found. */
const buildLookUpCheck = (property: string, howToFix: string, unusedValue: unknown): Check => ({
	name: `Conditions on ${property}`,
	howToFix,
	refused: 'warning',
	run: async (probe) => {
		const found = await probe.loadRows('WorkOrder', {
			Criteria: and(isIn(property, [unusedValue])),
		});
		return found.length === 0
			? ok('Are accepted')
			: warning('Are ignored: all work orders are found');
	},
});

const conditionChecks: readonly Check[] = [
	{
		name: 'Conditions through references',
		howToFix: "Use fields of the record itself in conditions, such as 'WorkZone.Id'.",
		run: async (probe) => {
			const found = await probe.loadRows('WorkOrder', {
				Criteria: and(like('WorkZone.DisplayAs', '%')),
			});
			if (found.length > 0) return ok('Work');
			return (await loadSample(probe, 'WorkOrder')).length === 0
				? skipped('There are no work orders to find')
				: failed('Find nothing');
		},
	},
	buildLookUpCheck(
		'LastAction.XNumber',
		"Do not add 'Skip if External Number Exists', and do not use 'Create or Update' for work orders.",
		'n8n Check Access',
	),
	buildLookUpCheck('Items.Asset.Id', "Do not add 'Skip if an Open Order Exists'.", 2_147_483_647),
	{
		name: 'Time zones',
		howToFix: 'Write times for these work zones without a zone, and report the numbers.',
		refused: 'warning',
		run: async (probe) => {
			const rows = await loadSample(probe, 'WorkZone');
			const used = new Set(rows.map(({ TimeZone }) => String(TimeZone)));
			const unknown = [...used].filter((zone) => timeZones[zone] === undefined);
			if (used.size === 0) return skipped('There are no work zones');
			return unknown.length === 0
				? ok('All that work zones are in are known')
				: warning(`Not known: ${formatList(unknown.map(quoteUnlessPlain))}`);
		},
	},
];

const apiUsers: Check = {
	name: 'API users',
	howToFix: "Read 'Get History' of a work order that the API changed.",
	refused: 'warning',
	run: async (probe) => {
		const actions = await loadSample(probe, 'WoActionLog').catch(ignoreRefusal);
		if (actions === undefined) return skipped('The log of actions may not be read');
		const users = actions
			.filter(({ UiTypeId }) => UiTypeId === API_UI_TYPE)
			.map(({ Actor }) => Actor)
			.filter(isObject)
			.map(({ Id, DisplayAs }) => `${quote(DisplayAs)} (ID ${quoteUnlessPlain(String(Id))})`);
		return users.length === 0
			? skipped('No recent action came through the API')
			: ok(`Recent actions through the API are by ${formatList([...new Set(users)])}`);
	},
};

export const companyChecks: readonly Check[] = [
	...[...neededProperties.keys()].sort().map(buildReadCheck),
	...limitChecks,
	...conditionChecks,
	apiUsers,
];

const LATENCY_READS = 2;
const SLOW_MS = 2000;

/** Other requests would distort the measurement, so this check runs last. */
export const latencyCheck: Check = {
	name: 'Latency',
	howToFix: "Raise 'Parallel Requests' where many items are read, and look at the network of n8n.",
	refused: 'warning',
	run: async (probe) => {
		const durations: number[] = [];
		while (durations.length < LATENCY_READS)
			durations.push(await probe.measureDuration('WorkOrder'));
		const shortest = Math.round(Math.min(...durations));
		const detail = `A small read takes ${shortest} ms (the shortest of ${LATENCY_READS})`;
		return shortest > SLOW_MS ? warning(detail) : ok(detail);
	},
};
