import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import {
	findEntity,
	getEntity,
	getMemberTypes,
	valueObjects,
	isCollection,
	REQUEST_ONLY,
	toRowType,
	carriesAttributes,
	carriesCustomFields,
} from '../catalogue/entities';
import { URL_FIELD } from '../form/form';
import { findResourceEntity } from '../form/subjects';
import { type Column, listClearable, toColumnLabel } from '../columns/columns';
import {
	buildCustomColumns,
	DESCRIPTOR_PROPERTIES,
	buildAttributeColumns,
} from '../compare/customFields';
import { loadAttributeDescriptors, loadDescriptors } from '../records/query';
import type { SendOptions } from '../transport/send';
import { isOfAnyEntity, listEventNames } from '../trigger/events';
import { readText } from './choices';
import { getSummary } from '../catalogue/summaries';
import { findLocalMember, getUtcMembers } from '../catalogue/times';
import { listPathWords } from '../catalogue/words';

/** The user names the entity for these trigger events. */
const RECORD_EVENTS: readonly string[] = listEventNames(isOfAnyEntity);

/** Trigger events are about work orders unless the user names the entity. */
export function readEntity(form: ILoadOptionsFunctions): string {
	const event = readText(form, 'event');
	if (event !== undefined && !RECORD_EVENTS.includes(event)) return 'WorkOrder';
	const named = findResourceEntity(readText(form, 'resource')) ?? readText(form, 'entity') ?? '';
	return findEntity(named)?.name ?? named;
}

export const toChoice = (label: string, value: string) => ({
	name: label === value ? value : `${label} (${value})`,
	value,
});

// The editor cuts long names at the end, so the path comes last.
const toPropertyChoice = ({ path, label, clock }: PropertyChoice) =>
	toChoice(clock === undefined ? label : `${label}, ${clock}`, path);

const listProperties = (entity: string, use: PropertyUse, filter?: string) =>
	listPropertyChoices(entity, use, filter).map(toPropertyChoice);

const buildPropertySearch = (use: PropertyUse) =>
	async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		return { results: listProperties(readEntity(this), use, filter) };
	};

/** Custom fields are read only for a search, so that opening the list takes no request. */
async function searchCompared(this: ILoadOptionsFunctions, filter = '') {
	const entity = readEntity(this);
	const custom = filter.trim() === '' ? [] : await loadComparableColumns(this, entity);
	const found = [
		...listPropertyChoices(entity, 'condition', filter).map((choice) => ({
			...toPropertyChoice(choice),
			label: choice.label,
		})),
		...custom
			.map(({ id, label }) => ({ name: `${label} (Custom Field)`, value: id, label }))
			.filter(({ name }) => hasWords(name, filter)),
	];
	found.sort((a, b) => getRank(a, filter) - getRank(b, filter));
	return { results: found.map(({ name, value }) => ({ name, value })) };
}

/** Conditions can only compare custom fields that are members of the record. */
export const loadComparableColumns = async (form: ILoadOptionsFunctions, entity: string) =>
	carriesCustomFields(entity) ? await loadCustomColumns(form, entity) : [];

/** The other columns still work if the service user may not read custom fields or attributes. */
export async function loadCustomColumns(
	form: ILoadOptionsFunctions,
	entity: string,
	sendOptions?: SendOptions,
): Promise<Column[]> {
	const requester = { caller: form, sendOptions };
	const [custom, attributes] = await Promise.all([
		loadDescriptors(requester, entity, DESCRIPTOR_PROPERTIES),
		carriesAttributes(entity) ? loadAttributeDescriptors(requester) : [],
	]);
	for (const rows of [custom, attributes]) {
		rows.sort((a, b) => String(a.Name).localeCompare(String(b.Name)));
	}
	return [...buildCustomColumns(entity, custom), ...buildAttributeColumns(attributes)];
}

/** n8n searches in multi-select lists itself, so all properties are returned. */
export async function getProperties(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const entity = readEntity(this);
	return [
		{ name: 'All Own Fields', value: '*' },
		...(entity === 'WorkOrder' ? [{ name: 'Address of Its Page (Url)', value: URL_FIELD }] : []),
		...listProperties(entity, 'output'),
	];
}

/** References, texts, numbers and times can be emptied, and custom fields. */
export async function getClearable(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const entity = readEntity(this);
	const custom = await loadCustomColumns(this, entity);
	return [...listClearable(entity), ...custom].map(({ id, label }) => toChoice(label, id));
}

export const propertySearches = {
	searchCompared,
	searchDates: buildPropertySearch('date'),
	searchGroups: buildPropertySearch('group'),
	searchSorted: buildPropertySearch('sort'),
};

/** The use decides which properties are offered. */
export type PropertyUse = 'condition' | 'sort' | 'group' | 'date' | 'output';

export interface PropertyChoice {
	path: string;
	/** Titles on the path, such as "Customer > Name". */
	label: string;
	/** Distinguishes a time from the same time on another clock. */
	clock?: string;
}

/** Corrigo uses these members in requests only. */
const NEVER_READ = [...REQUEST_ONLY, 'Password'];

/** The service refused conditions on these when they were tried. */
const NOT_COMPARED = ['LastAction.Reason.Id'];

function* walk(
	use: PropertyUse,
	owner: string,
	depth: number,
	path: readonly string[] = [],
	labels: readonly string[] = [],
): Generator<PropertyChoice> {
	for (const [member, type] of Object.entries(getMemberTypes(owner))) {
		if (NEVER_READ.includes(member)) continue;
		const inner = toRowType(type);
		const isRecord = getEntity(inner) !== undefined;
		const here = [...path, member];
		const named = [...labels, toColumnLabel(owner, member)];
		const choice = { path: here.join('.'), label: named.join(' > '), ...getClock(owner, member) };
		// Users need an amount together with its currency.
		const isMoney = use === 'output' && inner === 'MoneyValue';
		if (isMoney || !(isRecord || inner in valueObjects)) {
			if (isOffered(use, owner, member, type, choice)) yield choice;
			continue;
		}
		if (use === 'output') yield { path: `${choice.path}.*`, label: `${choice.label} > All` };
		const isMany = isCollection(type);
		if (use === 'date' || (isMany && use !== 'condition' && use !== 'output')) continue;
		// A group shows the name of its reference, so the reference itself is offered.
		if (use === 'group' && isRecord) yield choice;
		if (depth > 0) yield* walk(use, inner, depth - 1, here, named);
	}
}

function getClock(owner: string, member: string): Pick<PropertyChoice, 'clock'> {
	if (getUtcMembers(owner).has(member)) return { clock: 'across time zones' };
	const isLocal = findLocalMember(owner, member)?.utc !== undefined;
	return isLocal ? { clock: 'local time' } : {};
}

function isOffered(
	use: PropertyUse,
	owner: string,
	member: string,
	type: string,
	{ path }: PropertyChoice,
): boolean {
	if (use !== 'output' && NOT_COMPARED.includes(path)) return false;
	if (use !== 'date') return true;
	// Local times of different zones cannot be sorted.
	const local = findLocalMember(owner, member);
	return type === 'datetime' && (local === undefined || local.utc !== undefined);
}

/** Matches all words, in any order and in any case. */
export const hasWords = (text: string, filter: string): boolean =>
	filter
		.toLowerCase()
		.split(/\s/)
		.every((word) => text.toLowerCase().includes(word));

const getDepth = ({ path }: PropertyChoice) => path.split('.').length;

/** Nobody scrolls through a longer list; a longer filter shortens it. */
const MAX_CHOICES = 300;

/** An exact match comes first, then a label that begins with the filter. */
function getRank({ label }: Pick<PropertyChoice, 'label'>, filter: string): number {
	const [text, start] = [label.toLowerCase(), filter.trim().toLowerCase()];
	if (text === start) return 0;
	return text.startsWith(start) ? 1 : 2;
}

/** The list begins with the fields that people read first in a record. */
function createUseRank(entity: string): (choice: PropertyChoice) => number {
	const summary = getSummary(entity);
	return ({ path }) => {
		const index = summary.indexOf(path);
		return index === -1 ? summary.length : index;
	};
}

/** A filter also finds properties two steps away, which would make an unfiltered list too long. */
export function listPropertyChoices(
	entity: string,
	use: PropertyUse,
	filter = '',
): PropertyChoice[] {
	const depth = filter.trim() === '' ? 1 : 2;
	const getUse = createUseRank(entity);
	const isFound = ({ path, label }: PropertyChoice) =>
		filter.trim() === '' || hasWords(`${label} ${path} ${listPathWords(entity, path)}`, filter);
	return [...walk(use, entity, depth)]
		.filter(isFound)
		.sort(
			(a, b) =>
				getRank(a, filter) - getRank(b, filter) ||
				getUse(a) - getUse(b) ||
				getDepth(a) - getDepth(b) ||
				a.label.localeCompare(b.label, 'en'),
		)
		.slice(0, use === 'output' ? undefined : MAX_CHOICES);
}
