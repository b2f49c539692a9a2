import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { entityNamed, fieldType, throughCollection } from '../catalogue/entities';
import { isEnumerationName } from '../catalogue/enumerations';
import { memberLabel } from '../catalogue/enumerations/labels';
import { NAMELESS, pickerOf, type Picker } from '../catalogue/pickers';
import { typeMemberOf } from '../catalogue/actors';
import { targetOf, type Target } from '../catalogue/targets';
import { isObject, type JsonObject } from '../protocol/checks';
import {
	and,
	containing,
	equal,
	greaterThan,
	isIn,
	or,
	type Condition,
	type Criteria,
} from '../protocol/criteria';
import { valueAt } from '../protocol/kinds';
import { queryRequest, type Order } from '../protocol/requests';
import { wasForbidden, wasRefused, emptyIfForbidden } from '../transport/errors';
import { send } from '../transport/send';
import { textIn } from './choices';
import { endNamesOf, parentFilter, treesOf, type ParentFilter } from './narrowing';

/** Lists the records of the entity that is chosen in the form. */
export async function searchRecords(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const picker = pickerOf(textIn(this, 'entity') ?? '');
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
	const wanted = { text: filter.trim(), first: Number(paginationToken), count: PAGE_SIZE };
	return await readItems(form, picker, wanted).catch(async (failure: unknown) => {
		if (!wasForbidden(failure)) throw failure;
		return { results: await fallbackItems(form, picker, wanted.text, failure as Error) };
	});
}

/** The field stays usable if the service user may not read its list. */
async function fallbackItems(
	form: ILoadOptionsFunctions,
	picker: Picker,
	text: string,
	{ message }: Error,
): Promise<INodeListSearchItems[]> {
	const used = await reasonsInUse(form, picker).catch(emptyIfForbidden);
	if (used.length === 0) {
		return [
			{ name: `${truncate(message, MAX_LENGTH)}: choose 'By ID' and enter the ID`, value: '' },
		];
	}
	return used.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
}

/** Reasons of older actions do not count as in use. */
const MAX_ACTIONS = 1000;
const MAX_COMMENT = 40;

/** The action log contains the Ids of reasons, even if the reasons themselves cannot be read. */
async function reasonsInUse(form: ILoadOptionsFunctions, { entity, where = {} }: Picker) {
	if (entity !== 'WoActionReasonLookup') return [];
	const { ActionId } = where;
	const actions = await send(
		form,
		queryRequest('WoActionLog', {
			PropertySet: { Properties: ['Id', 'ActionReasonId', 'Comment'] },
			Criteria: and(equal('TypeId', ActionId), greaterThan('ActionReasonId', 0)),
			Orders: [{ PropertyName: 'Id', OrderType: 'Descending' }],
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
		.map(([reason, seen]) => reasonItem(reason, seen));
}

function reasonItem(reason: number, seen: JsonObject[]): INodeListSearchItems {
	const times = seen.length === 1 ? 'once' : `${seen.length} times`;
	const comment = seen
		.map(({ Comment }) => Comment)
		.find((text) => typeof text === 'string' && text);
	const lastComment =
		typeof comment === 'string' ? `, last: ${truncate(comment, MAX_COMMENT)}` : '';
	return { name: `ID ${reason} (used ${times}${lastComment})`, value: String(reason) };
}

async function readItems(
	form: ILoadOptionsFunctions,
	picker: Picker,
	wanted: Wanted,
): Promise<INodeListSearchResult> {
	const trees = await treesOf(form, picker);
	const parent = await parentFilter(form, picker);
	const conditions = conditionsOf(form, picker, parent);
	const read = async (above?: Criteria) => await rowsOf(form, picker, wanted, conditions, above);
	const below = trees && (await read(trees).catch(undefinedIfRefused));
	// If nothing below the trees matches the search, the record may be elsewhere.
	const isElsewhere = below?.length === 0 && wanted.text !== '' && wanted.first === 0;
	const rows = isElsewhere || !below ? await read() : below;
	const endsOf = await endNamesOf(form, picker, rows, parent);
	const next = String(wanted.first + wanted.count);
	return {
		results: rows.map((row) => itemOf(picker, row, endsOf(row))),
		...(rows.length < wanted.count || isElsewhere ? {} : { paginationToken: next }),
	};
}

/** The whole list is shown if Corrigo refuses the narrower one. */
function undefinedIfRefused(failure: unknown): undefined {
	if (!wasRefused(failure)) throw failure;
}

interface Wanted {
	text: string;
	first: number;
	count: number;
}

/** Reads AssetTree instead of the table if there are `trees`: its `Child` is a row of the table. */
async function rowsOf(
	form: ILoadOptionsFunctions,
	picker: Picker,
	{ text, first, count }: Wanted,
	conditions: Condition[],
	trees?: Criteria,
): Promise<JsonObject[]> {
	const { entity, title, details, ends } = picker;
	const at = (path: string) => (trees ? `Child.${path}` : path);
	const placed = <T extends { PropertyName: string }>(all: T[]) =>
		all.map((one) => ({ ...one, PropertyName: at(one.PropertyName) }));
	const properties = new Set([
		'Id',
		title,
		...details,
		...ends.flatMap((end) => kindAndId(entity, end)),
	]);
	const either =
		text === ''
			? []
			: [...textConditions(picker, text), ...(await endConditions(form, picker, text))];
	const rows = await send(
		form,
		queryRequest(trees ? 'AssetTree' : entity, {
			PropertySet: { Properties: [...properties].map(at) },
			...criteriaOf(placed(conditions), placed(either), trees),
			Orders: placed(ordersOf(picker)),
			// A record that matches by several rows of a collection is listed once.
			...(either.some(({ PropertyName }) => throughCollection(entity, PropertyName))
				? { Distinct: true }
				: {}),
			Count: count,
			FirstResultIndex: first,
		}),
	);
	return trees ? rows.map(({ Child }) => Child).filter(isObject) : rows;
}

const kindAndId = (entity: string, end: string): string[] => {
	const kind = typeMemberOf(entity, end);
	return kind === undefined ? [end] : [end, kind];
};

/** Longer lists are hard to use, and n8n saves them in the workflow. */
const MAX_CHOICES = 1000;

/** The list is empty if the service user may not read the table, or if it is too long. */
export async function choicesOf(
	form: ILoadOptionsFunctions,
	{ entity, where }: Target,
): Promise<{ choices: INodeListSearchItems[]; tooMany: boolean }> {
	const picker = pickerOf(entity);
	if (picker === undefined) return { choices: [], tooMany: false };
	// The names of other records would take a second request.
	const own = { ...picker, where, ends: [] };
	const all = readItems(form, own, { text: '', first: 0, count: MAX_CHOICES + 1 });
	const { results } = await all.catch((failure: unknown) => ({
		results: emptyIfForbidden(failure),
	}));
	const tooMany = results.length > MAX_CHOICES;
	return { choices: tooMany ? [] : results, tooMany };
}

/** Records must match all of `all`, and one of `either` if there are any. */
function criteriaOf(all: Condition[], either: Condition[], trees?: Criteria) {
	if (all.length === 0 && either.length === 0) return {};
	return {
		Criteria: and(
			...all,
			...(trees ? [trees] : []),
			...(either.length > 1 ? [or(...either)] : either),
		),
	};
}

const textConditions = ({ title, search: more }: Picker, text: string): Condition[] =>
	title === NAMELESS
		? [equal('Id', /^\d{1,15}$/.test(text) ? Number(text) : 0)]
		: [title, ...more].map((property) => containing(property, text));

/** Links have no names, so they are found by the names of the records at their ends. */
async function endConditions(
	form: ILoadOptionsFunctions,
	{ entity, title, ends }: Picker,
	text: string,
): Promise<Condition[]> {
	const targets =
		title === NAMELESS ? ends.map((end) => ({ end, target: targetOf(entity, end) })) : [];
	const found = await Promise.all(
		targets.map(async ({ end, target }) => {
			const [by] = target?.by ?? [];
			if (target === undefined || by === undefined) return [];
			const request = queryRequest(target.entity, {
				PropertySet: { Properties: ['Id'] },
				Criteria: and(containing(by, text)),
				Count: PAGE_SIZE,
				FirstResultIndex: 0,
			});
			const rows = await send(form, request).catch(emptyIfForbidden);
			return rows.length === 0
				? []
				: [
						isIn(
							end,
							rows.map(({ Id }) => Id),
						),
					];
		}),
	);
	return found.flat();
}

function conditionsOf(
	form: ILoadOptionsFunctions,
	{ entity, where = {} }: Picker,
	parent: ParentFilter,
): Condition[] {
	const isRestored = textIn(form, 'operation') === 'restore';
	return Object.entries({
		...where,
		...(entityNamed(entity)?.softDelete ? { IsRemoved: isRestored } : {}),
		...parent,
	}).map(([property, value]) => equal(property, value));
}

/** Paging by offset needs an order without ties. */
const ordersOf = ({ title, newestFirst }: Picker): Order[] =>
	newestFirst
		? [{ PropertyName: 'Id', OrderType: 'Descending' }]
		: [
				{ PropertyName: title, OrderType: 'Ascending' },
				{ PropertyName: 'Id', OrderType: 'Ascending' },
			];

const MAX_LENGTH = 80;

const truncate = (text: string, maxLength: number) =>
	text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;

/** The editor shows only the name, so the description is part of it. */
function itemOf(
	{ entity, title, details, valueIsName }: Picker,
	row: JsonObject,
	ends: readonly string[],
): INodeListSearchItems {
	const id = `ID ${String(row.Id)}`;
	const isNameless = title === NAMELESS && ends.length > 0;
	const name = isNameless ? ends.join(' – ') : shown(entity, title, row) || id;
	const value = valueIsName ? name : String(row.Id);
	const short = truncate(name, MAX_LENGTH);
	const shownDetails = details.map((path) => shown(entity, path, row));
	const description = (isNameless ? [...shownDetails, id] : [...ends, ...shownDetails])
		.filter(Boolean)
		.join(', ');
	return description === ''
		? { name: short, value }
		: { name: `${short} (${description})`, value, description };
}

function shown(entity: string, path: string, row: JsonObject): string {
	const value = valueAt(row, path);
	if (value === undefined || value === null || value === 0) return '';
	const type = fieldType(entity, path) ?? '';
	if (isObject(value)) return moneyText(value);
	if (isEnumerationName(type)) return memberLabel(type, String(value));
	return type === 'integer' && path !== 'Id' ? `${memberLabel('', path)} ${value}` : String(value);
}

const moneyText = ({ Value, CurrencyTypeId = '' }: JsonObject): string =>
	Value === undefined ? '' : `${String(Value)} ${String(CurrencyTypeId)}`.trim();
