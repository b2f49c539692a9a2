/** The form of a version: every field that its nodes of type version 1 have, and where it is shown. */
import {
	NodeHelpers,
	type ICredentialType,
	type IDisplayOptions,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeTypeDescription,
	type NodeParameterValueType,
} from 'n8n-workflow';

import type { NodeName, SavedNode } from './saved';

export type Forms = Record<NodeName | 'corrigoApi', Field[]>;

/** Conditions by the name of another field. */
type Conditions = Record<string, unknown[]>;

export interface Field {
	/** Path with the surrounding collections: `conditions.values.property`. */
	path: string;
	type: string;
	default: NodeParameterValueType;
	isRequired?: true;
	/** A text that begins with = is no expression. */
	isLiteral?: true;
	/** A list of such values is stored. */
	isMultiple?: true;
	/** The choices of a list, or the modes of a locator. */
	values?: unknown[];
	/** The values of other fields that show this one. */
	show?: Conditions;
	/** The values of other fields that hide this one. */
	hide?: Conditions;
	/** `workOrder:create`, or an event. */
	places: string[];
}

/** The parameters that decide which fields a form shows. */
export type Place = Record<string, string>;

/** Corrigo Desk has one form for whatever it calls. */
export const CALL = 'call';

export const namePlace = ({ resource, operation, event }: Place): string =>
	event ?? (resource === undefined ? CALL : `${resource}:${operation}`);

const listValues = (field: INodeProperties | undefined) =>
	((field?.options ?? []) as INodePropertyOptions[]).map(({ value }) => String(value));

/** The fields of a place: an operation may have an event of its own. */
const TRIGGER = ['event', '@version'];
const ACTION = ['resource', 'operation', '@version'];

/** The same conditions are asked about for each place. */
const knownParts = new WeakMap<object, Map<unknown, Conditions | undefined>>();

/** The conditions on the place, or all others. Entries of collections name a field of the form with a slash. */
function splitConditions(
	conditions: object | undefined,
	place: Place,
	isOnPlace: boolean,
): Conditions | undefined {
	if (conditions === undefined) return undefined;
	const names = 'event' in place ? TRIGGER : ACTION;
	const known = knownParts.get(conditions) ?? new Map();
	knownParts.set(conditions, known);
	const key = `${names[0]} ${isOnPlace}`;
	if (!known.has(key)) {
		const part = Object.entries(conditions as Conditions)
			.map(([name, values]) => [name.replace(/^\//, ''), values] as const)
			.filter(([name]) => names.includes(name) === isOnPlace);
		known.set(key, part.length > 0 ? Object.fromEntries(part) : undefined);
	}
	return known.get(key);
}

function isShown(
	field: INodeProperties,
	place: Place,
	description: INodeTypeDescription | null,
): boolean {
	const show = splitConditions(field.displayOptions?.show, place, true);
	const hide = splitConditions(field.displayOptions?.hide, place, true);
	if (show === undefined && hide === undefined) return true;
	const displayOptions = { show, hide } as IDisplayOptions;
	return NodeHelpers.displayParameter(
		place,
		{ ...field, displayOptions },
		{ typeVersion: 1 },
		description,
	);
}

export const listFields = (description: INodeTypeDescription, place: Place): INodeProperties[] =>
	description.properties.filter(
		(field) => field.type !== 'notice' && isShown(field, place, description),
	);

function listPlaces(description: INodeTypeDescription): Place[] {
	const { properties } = description;
	const named = (wanted: string) => properties.filter(({ name }) => name === wanted);
	const resources = named('resource');
	if (resources.length === 0) {
		const [events] = named('event');
		return events === undefined ? [{}] : listValues(events).map((event) => ({ event }));
	}
	return resources.flatMap((field) =>
		listValues(field).flatMap((resource) =>
			listFields(description, { resource })
				.filter(({ name }) => name === 'operation')
				.flatMap(listValues)
				.map((operation) => ({ resource, operation })),
		),
	);
}

function flat(
	field: INodeProperties,
	place: Place,
	description: INodeTypeDescription | null,
	within = '',
): Array<Omit<Field, 'places'>> {
	if (!isShown(field, place, description)) return [];
	const path = within + field.name;
	const inner = (field.options ?? []) as Array<INodeProperties | INodePropertyCollection>;
	const isParent = field.type === 'collection' || field.type === 'fixedCollection';
	const values = isParent ? [] : (field.modes?.map(({ name }) => name) ?? listValues(field));
	const show = splitConditions(field.displayOptions?.show, place, false);
	const hide = splitConditions(field.displayOptions?.hide, place, false);
	return [
		{
			path,
			type: field.type,
			default: field.default,
			...(field.required === true && { isRequired: true as const }),
			...(field.noDataExpression === true && { isLiteral: true as const }),
			...(field.typeOptions?.multipleValues === true && { isMultiple: true as const }),
			...(values.length > 0 && { values }),
			...(show && { show }),
			...(hide && { hide }),
		},
		...(isParent ? inner : []).flatMap((child) =>
			'values' in child
				? child.values.flatMap((value) => flat(value, place, description, `${path}.${child.name}.`))
				: flat(child as INodeProperties, place, description, `${path}.`),
		),
	];
}

/** Each field once, with all the places where it is identical. */
export function readForm(description: INodeTypeDescription): Field[] {
	const form = new Map<string, Field>();
	for (const place of listPlaces(description)) {
		const fields = listFields(description, place).flatMap((one) => flat(one, place, description));
		for (const field of fields) {
			const key = JSON.stringify(field);
			const known = form.get(key) ?? { ...field, places: [] };
			known.places.push(namePlace(place));
			form.set(key, known);
		}
	}
	return [...form.values()];
}

export const credentialForm = ({ properties }: ICredentialType): Field[] =>
	properties
		.flatMap((field) => flat(field, {}, null))
		.map((field) => ({ ...field, places: ['credential'] }));

/** The paths of all filled-in fields. */
function listPaths(parameters: INodeParameters, within = ''): string[] {
	return Object.entries(parameters).flatMap(([name, value]) => [
		within + name,
		...[value]
			.flat()
			.filter((inner) => typeof inner === 'object' && inner !== null)
			.flatMap((inner) => listPaths(inner as INodeParameters, `${within}${name}.`)),
	]);
}

/**
 * The operations and events that have no case, and the fields that no case uses: a node is stored without
 * values that are defaults. Fields that decide on the form are not counted.
 */
export function findUnused(forms: Forms, nodes: SavedNode[]): string[] {
	const placeOfNode = ({ type, name }: SavedNode) => `${type} ${name.split(',')[0]}`;
	const places = new Set(nodes.map(placeOfNode));
	const used = new Set(
		nodes.flatMap((node) =>
			listPaths(node.parameters).map((path) => `${placeOfNode(node)}: ${path}`),
		),
	);
	const missing = Object.entries(forms)
		.filter(([type]) => type !== 'corrigoApi')
		.flatMap(([type, fields]) =>
			fields
				.filter(({ path }) => ![...TRIGGER, ...ACTION].includes(path))
				.flatMap((field) => field.places.map((place) => ({ ...field, place: `${type} ${place}` }))),
		)
		.filter(({ place, path }) => !used.has(`${place}: ${path}`))
		.map(({ place, path, default: initial }) =>
			places.has(place)
				? `${place}: no case gives ${path} another value than its default, ${JSON.stringify(initial)}`
				: `${place} has no case in test/compat/${place.includes('Trigger ') ? 'triggerCases' : 'cases'}.ts`,
		);
	return [...new Set(missing)];
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const includesAll = (all: unknown[], some: unknown[]) =>
	some.every((value) => all.some((one) => isSame(one, value)));

/** Whether a field is shown wherever it was: no condition is new, and each lets as much pass. */
const isShownAsBefore = (now: Field, was: Omit<Field, 'places'>) =>
	Object.entries(now.show ?? {}).every(
		([name, values]) => was.show?.[name] !== undefined && includesAll(values, was.show[name]),
	) &&
	Object.entries(now.hide ?? {}).every(([name, values]) =>
		includesAll(was.hide?.[name] ?? [], values),
	);

/** The places where a field is missing, or means something else for what was saved than before. */
export function findMissing(form: Field[], { places, ...was }: Field): string[] {
	const fits = (field: Field) =>
		field.path === was.path &&
		field.type === was.type &&
		field.isMultiple === was.isMultiple &&
		isSame(field.default, was.default) &&
		(was.isRequired === true || field.isRequired !== true) &&
		(was.isLiteral === true || field.isLiteral !== true) &&
		includesAll(field.values ?? [], was.values ?? []) &&
		isShownAsBefore(field, was);
	const fitting = new Set(form.filter(fits).flatMap((field) => field.places));
	return places.filter((place) => !fitting.has(place)).map((place) => `${place}: ${was.path}`);
}
