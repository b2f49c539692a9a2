/** The form of a version: every field that its nodes of type version 1 have, and where it is shown. */
import { NodeHelpers } from 'n8n-workflow';
import type {
	ICredentialType,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
	NodeParameterValueType,
} from 'n8n-workflow';

export interface Field {
	/** Path with the surrounding collections: `conditions.values.property`. */
	path: string;
	type: string;
	default: NodeParameterValueType;
	isRequired?: true;
	/** The choices of a list, or the modes of a locator. */
	values?: unknown[];
	/** The other fields that must be filled in before this one is shown. */
	when?: unknown;
	/** `workOrder:create`, or an event. */
	places: string[];
}

export type Forms = Record<'corrigo' | 'corrigoTrigger' | 'corrigoApi', Field[]>;

/** The parameters that decide which fields a form shows. */
type Place = Record<string, string>;

const placeOf = ({ resource, operation, event }: Place): string =>
	event ?? `${resource}:${operation}`;

const valuesOf = (field: INodeProperties | undefined) =>
	((field?.options ?? []) as INodePropertyOptions[]).map(({ value }) => String(value));

/** The fields of a place: an operation may have an event of its own. */
const TRIGGER = ['event', '@version'];
const ACTION = ['resource', 'operation', '@version'];
const namesOf = (place: Place) => ('event' in place ? TRIGGER : ACTION);

const partOf = (shown: object = {}, wanted: (name: string) => boolean) =>
	Object.fromEntries(Object.entries(shown).filter(([name]) => wanted(name)));

/** The field with only the display conditions on its place. */
function inPlace({ displayOptions, ...field }: INodeProperties, place: Place): INodeProperties {
	const isPlace = (name: string) => namesOf(place).includes(name);
	const show = partOf(displayOptions?.show, isPlace);
	const hide = partOf(displayOptions?.hide, isPlace);
	return { ...field, displayOptions: { show, hide } };
}

function elsewhere({ displayOptions }: INodeProperties, place: Place) {
	const when = partOf(displayOptions?.show, (name) => !namesOf(place).includes(name));
	return Object.keys(when).length > 0 ? when : undefined;
}

export function fieldsIn(description: INodeTypeDescription, place: Place): INodeProperties[] {
	const node = { typeVersion: 1 };
	return description.properties.filter((field) =>
		NodeHelpers.displayParameter(place, inPlace(field, place), node, description),
	);
}

function placesOf(description: INodeTypeDescription): Place[] {
	const { properties } = description;
	const named = (wanted: string) => properties.filter(({ name }) => name === wanted);
	const resources = named('resource');
	if (resources.length === 0) return valuesOf(named('event')[0]).map((event) => ({ event }));
	return resources.flatMap((field) =>
		valuesOf(field).flatMap((resource) =>
			fieldsIn(description, { resource })
				.filter(({ name }) => name === 'operation')
				.flatMap(valuesOf)
				.map((operation) => ({ resource, operation })),
		),
	);
}

function flat(field: INodeProperties, place: Place, within = ''): Array<Omit<Field, 'places'>> {
	const path = within + field.name;
	const inner = (field.options ?? []) as Array<INodeProperties | INodePropertyCollection>;
	const isParent = field.type === 'collection' || field.type === 'fixedCollection';
	const values = isParent ? [] : (field.modes?.map(({ name }) => name) ?? valuesOf(field));
	const when = elsewhere(field, place);
	return [
		{
			path,
			type: field.type,
			default: field.default,
			...(field.required === true && { isRequired: true as const }),
			...(values.length > 0 && { values }),
			...(when && { when }),
		},
		...(isParent ? inner : []).flatMap((child) =>
			'values' in child
				? child.values.flatMap((value) => flat(value, place, `${path}.${child.name}.`))
				: flat(child as INodeProperties, place, `${path}.`),
		),
	];
}

/** Each field once, with all the places where it is identical. */
export function formOf(description: INodeTypeDescription): Field[] {
	const form = new Map<string, Field>();
	for (const place of placesOf(description)) {
		for (const field of fieldsIn(description, place).flatMap((one) => flat(one, place))) {
			const key = JSON.stringify(field);
			const known = form.get(key) ?? { ...field, places: [] };
			known.places.push(placeOf(place));
			form.set(key, known);
		}
	}
	return [...form.values()];
}

export const credentialForm = ({ properties }: ICredentialType): Field[] =>
	properties
		.flatMap((field) => flat(field, {}))
		.map((field) => ({ ...field, places: ['credential'] }));

/** The paths of all filled-in fields. */
export function fieldsOf(parameters: INodeParameters, within = ''): string[] {
	return Object.entries(parameters).flatMap(([name, value]) => [
		within + name,
		...[value]
			.flat()
			.filter((inner) => typeof inner === 'object' && inner !== null)
			.flatMap((inner) => fieldsOf(inner as INodeParameters, `${within}${name}.`)),
	]);
}

/** The places where a field is missing, or has another type, default or choice than before. */
export function missingIn(form: Field[], { path, places, ...was }: Field): string[] {
	const isSame = (field: Field) =>
		field.path === path &&
		field.type === was.type &&
		JSON.stringify(field.default) === JSON.stringify(was.default) &&
		(field.isRequired === was.isRequired || was.isRequired === true) &&
		(was.values ?? []).every((value) => field.values?.includes(value)) &&
		JSON.stringify(field.when) === JSON.stringify(was.when);
	const fitting = new Set(form.filter(isSame).flatMap((field) => field.places));
	return places.filter((place) => !fitting.has(place)).map((place) => `${place}: ${path}`);
}
