import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { getEntity, findEntityMemberType, crossesCollection } from '../catalogue/entities';
import { isEnumerationName } from '../catalogue/enumerations';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import {
	NAMELESS_TITLE,
	findPicker,
	type Picker,
	findMemberTarget,
	getNameProperties,
	type Target,
} from '../catalogue/targets';
import { findTypeMember } from '../catalogue/members';
import { cutText } from '../values/lines';
import { type JsonObject, isObject, readPath } from '../values/objects';
import {
	readText,
	loadEndNames,
	loadParentFilter,
	loadTreeCriteria,
	type ParentFilter,
} from './choices';
import {
	and,
	containsText,
	equal,
	greaterThan,
	isIn,
	or,
	type Condition,
	type Criteria,
} from '../wire/criteria';
import { buildQueryRequest, NEWEST_FIRST, type SortOrder } from '../wire/requests';
import { loadShortTable } from '../records/query';
import { emptyIfForbidden, ignoreRefusal, wasForbidden } from '../transport/errors';
import { send, type SendOptions } from '../transport/send';

/** Lists the records of the entity that is chosen in the form. */
export async function searchRecords(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const picker = findPicker(readText(this, 'entity') ?? '');
	if (picker === undefined) return { results: [] };
	return await search(this, picker, filter, paginationToken);
}

/** Few people scroll further. Pages are read by offset, because rows are not sorted by Id. */
const PAGE_SIZE = 100;

export async function search(
	form: ILoadOptionsFunctions,
	picker: Picker,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const text = filter.trim();
	return await loadItems(form, picker, text, Number(paginationToken)).catch(
		async (failure: unknown) => {
			if (!wasForbidden(failure)) throw failure;
			return { results: await loadFallbackItems(form, picker, text, failure as Error) };
		},
	);
}

/** The field stays usable if the service user may not read its list. */
async function loadFallbackItems(
	form: ILoadOptionsFunctions,
	picker: Picker,
	text: string,
	{ message }: Error,
): Promise<INodeListSearchItems[]> {
	const used = await loadUsedReasons(form, picker).catch(emptyIfForbidden);
	if (used.length === 0) {
		return [
			{
				name: `${cutText(message, MAX_REFUSAL_LENGTH)}: choose 'By ID' and enter the ID`,
				value: '',
			},
		];
	}
	return used.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
}

/** Reasons of older actions do not count as in use. */
const MAX_ACTIONS = 1000;
const MAX_COMMENT_LENGTH = 40;

/** The action log contains the Ids of reasons, even if the reasons themselves cannot be read. */
async function loadUsedReasons(form: ILoadOptionsFunctions, { entity, where = {} }: Picker) {
	if (entity !== 'WoActionReasonLookup') return [];
	const { ActionId } = where;
	const actions = await send(
		form,
		buildQueryRequest('WoActionLog', {
			PropertySet: { Properties: ['Id', 'ActionReasonId', 'Comment'] },
			Criteria: and(equal('TypeId', ActionId), greaterThan('ActionReasonId', 0)),
			Orders: NEWEST_FIRST,
			Count: MAX_ACTIONS,
			FirstResultIndex: 0,
		}),
	);
	const uses = new Map<number, JsonObject[]>();
	for (const action of actions) {
		const reason = Number(action.ActionReasonId);
		uses.set(reason, [...(uses.get(reason) ?? []), action]);
	}
	return [...uses]
		.sort(([, a], [, b]) => b.length - a.length)
		.map(([reason, seen]) => toReasonItem(reason, seen));
}

function toReasonItem(reason: number, seen: JsonObject[]): INodeListSearchItems {
	const times = seen.length === 1 ? 'once' : `${seen.length} times`;
	const comment = seen
		.map(({ Comment }) => Comment)
		.find((text): text is string => typeof text === 'string' && text !== '');
	const lastComment = comment ? `, last: ${cutText(comment, MAX_COMMENT_LENGTH)}` : '';
	return { name: `ID ${reason} (used ${times}${lastComment})`, value: String(reason) };
}

async function loadItems(
	form: ILoadOptionsFunctions,
	picker: Picker,
	text: string,
	first: number,
): Promise<INodeListSearchResult> {
	const trees = await loadTreeCriteria(form, picker);
	const parent = await loadParentFilter(form, picker);
	const query = await buildListQuery(form, picker, text, parent);
	// The whole list is shown if Corrigo refuses the narrower one.
	const below = trees && (await loadBelow(form, query, first, trees).catch(ignoreRefusal));
	// If nothing below the trees matches the search, the record may be elsewhere.
	const isElsewhere = below?.length === 0 && text !== '' && first === 0;
	const rows = isElsewhere || !below ? await loadPage(form, picker.entity, query, first) : below;
	const getEndNames = await loadEndNames(form, picker, rows, parent);
	// The Company may limit a page to any number of rows, so only an empty one is the last.
	const next = String(first + rows.length);
	return {
		results: rows.map((row) => toItem(picker, row, getEndNames(row))),
		...(rows.length === 0 || isElsewhere ? {} : { paginationToken: next }),
	};
}

type ListQuery = Awaited<ReturnType<typeof buildListQuery>>;

/** Records must match all of `all`, and one of `either` if there are any. */
async function buildListQuery(
	form: ILoadOptionsFunctions,
	picker: Picker,
	text = '',
	parent: ParentFilter = {},
) {
	const { entity, title, details, ends, where = {} } = picker;
	const isRestored = readText(form, 'operation') === 'restore';
	const required = {
		...where,
		...(getEntity(entity)?.softDelete ? { IsRemoved: isRestored } : {}),
		...parent,
	};
	const either =
		text === ''
			? []
			: [...buildTextConditions(picker, text), ...(await loadEndConditions(form, picker, text))];
	const properties = [
		'Id',
		title,
		...details,
		...ends.flatMap((end) => [end, findTypeMember(entity, end) ?? end]),
	];
	return {
		properties: [...new Set(properties)],
		all: Object.entries(required).map(([property, value]) => equal(property, value)),
		either,
		orders: buildOrders(picker),
		// A record that matches by several rows of a collection is listed once.
		distinct: either.some(({ PropertyName }) => crossesCollection(entity, PropertyName)),
	};
}

async function loadPage(
	form: ILoadOptionsFunctions,
	entity: string,
	{ properties, all, either, orders, distinct }: ListQuery,
	first: number,
	trees: Criteria[] = [],
): Promise<JsonObject[]> {
	const parts = [...all, ...trees, ...(either.length > 1 ? [or(...either)] : either)];
	const request = buildQueryRequest(entity, {
		PropertySet: { Properties: properties },
		...(parts.length > 0 ? { Criteria: and(...parts) } : {}),
		Orders: orders,
		...(distinct ? { Distinct: true } : {}),
		Count: PAGE_SIZE,
		FirstResultIndex: first,
	});
	return await send(form, request);
}

/** AssetTree has each asset as the `Child` of every asset above it. */
async function loadBelow(
	form: ILoadOptionsFunctions,
	{ properties, all, either, orders, distinct }: ListQuery,
	first: number,
	trees: Criteria,
): Promise<JsonObject[]> {
	const toPath = (path: string) => `Child.${path}`;
	const addPrefix = <T extends { PropertyName: string }>(parts: T[]) =>
		parts.map((one) => ({ ...one, PropertyName: toPath(one.PropertyName) }));
	const query = {
		properties: properties.map(toPath),
		all: addPrefix(all),
		either: addPrefix(either),
		orders: addPrefix(orders),
		distinct,
	};
	const rows = await loadPage(form, 'AssetTree', query, first, [trees]);
	return rows.map(({ Child }) => Child).filter(isObject);
}

/** Lists all records of a short table; undefined if there are too many. */
export async function loadChoices(
	form: ILoadOptionsFunctions,
	{ entity, where }: Target,
	sendOptions: SendOptions,
): Promise<INodeListSearchItems[] | undefined> {
	const found = findPicker(entity);
	if (found === undefined) return [];
	// The names of other records would take a second request.
	const picker = { ...found, where, ends: [] };
	const { all, properties } = await buildListQuery(form, picker);
	const criteria = all.length > 0 ? and(...all) : undefined;
	const rows = await loadShortTable({ caller: form, sendOptions }, entity, criteria, properties);
	return rows?.map((row) => toItem(picker, row, [])).sort((a, b) => a.name.localeCompare(b.name));
}

const buildTextConditions = ({ title, search: more }: Picker, text: string): Condition[] =>
	title === NAMELESS_TITLE
		? [equal('Id', /^\d{1,15}$/.test(text) ? Number(text) : 0)]
		: [title, ...more].map((property) => containsText(property, text));

/** Links have no names, so they are found by the names of the records at their ends. */
async function loadEndConditions(
	form: ILoadOptionsFunctions,
	{ entity, title, ends }: Picker,
	text: string,
): Promise<Condition[]> {
	if (title !== NAMELESS_TITLE) return [];
	const found = await Promise.all(
		ends.map(async (end) => {
			const target = findMemberTarget(entity, end);
			const [by] = target === undefined ? [] : getNameProperties(target.entity);
			if (target === undefined || by === undefined) return [];
			const request = buildQueryRequest(target.entity, {
				PropertySet: { Properties: ['Id'] },
				Criteria: and(containsText(by, text)),
				Count: PAGE_SIZE,
				FirstResultIndex: 0,
			});
			const ids = (await send(form, request).catch(emptyIfForbidden)).map(({ Id }) => Id);
			return ids.length === 0 ? [] : [isIn(end, ids)];
		}),
	);
	return found.flat();
}

/** Paging by offset needs an order without ties. */
const buildOrders = ({ title, newestFirst }: Picker): SortOrder[] =>
	newestFirst
		? NEWEST_FIRST
		: [title, 'Id'].map((PropertyName) => ({ PropertyName, OrderType: 'Ascending' }));

const MAX_NAME_LENGTH = 80;
const MAX_REFUSAL_LENGTH = 160;

/** The editor shows only the name, so the description is part of it. */
function toItem(
	{ entity, title, details, valueIsName }: Picker,
	row: JsonObject,
	ends: readonly string[],
): INodeListSearchItems {
	const id = `ID ${String(row.Id)}`;
	const isNameless = title === NAMELESS_TITLE && ends.length > 0;
	const name = isNameless ? ends.join(' – ') : toText(entity, title, row) || id;
	const value = valueIsName ? name : String(row.Id);
	const short = cutText(name, MAX_NAME_LENGTH);
	// Reasons are often described by their own name, with a period.
	const shownDetails = details
		.map((path) => toText(entity, path, row))
		.filter((detail) => detail.replace(/\.$/, '').toLowerCase() !== name.toLowerCase());
	const description = (isNameless ? [...shownDetails, id] : [...ends, ...shownDetails])
		.filter(Boolean)
		.join(', ');
	return description === ''
		? { name: short, value }
		: { name: `${short} (${description})`, value, description };
}

function toText(entity: string, path: string, row: JsonObject): string {
	const value = readPath(row, path);
	if (value === undefined || value === null || value === 0) return '';
	const type = findEntityMemberType(entity, path) ?? '';
	if (isObject(value)) return formatMoney(value);
	if (isEnumerationName(type)) return getMemberLabel(type, String(value));
	if (type === 'datetime') return formatTime(String(value));
	return type === 'integer' && path !== 'Id'
		? `${getMemberLabel('', path)} ${value}`
		: String(value);
}

/** "2026-01-31 17:30", or the day alone, as the list shows only the beginning of a long text. */
const formatTime = (time: string): string =>
	time.replace(/T00:00:00$/, '').replace(/T(\d\d:\d\d):\d\d$/, ' $1');

const formatMoney = ({ Value, CurrencyTypeId = '' }: JsonObject): string =>
	Value === undefined ? '' : `${String(Value)} ${String(CurrencyTypeId)}`.trim();
