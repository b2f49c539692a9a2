import type { INodeProperties } from 'n8n-workflow';

import type { CommandMember, CommandName } from '../../catalogue/commands';
import type { MemberName, OwnerName } from '../../catalogue/entities';
import type { Target } from '../../catalogue/targets';
import { enumerations, isEnumerationName } from '../../catalogue/enumerations';
import { memberType } from '../../catalogue/members';
import { choices } from '../../form/fields';
import { optionsOf } from '../../form/options';
import { reference, targetOfKind, type KnownKind } from '../../form/references';
import {
	chosen,
	isLocator,
	isObject,
	ValidationError,
	type JsonObject,
} from '../../protocol/checks';
import { isEmpty, optionalText } from '../../form/form';
import { labelOf } from '../../protocol/column';
import { isName } from '../../protocol/names';
import { decimal, memberOf, oneOf, positiveId, valueOf, wholeNumber } from '../../protocol/values';
import type { ItemContext } from '../../run/context';
import { idIn, rowsIn } from '../../run/resolve';

/** Field of the form, and the member of the request that it sets. */
export interface MemberField {
	/** Name of the member in the API. */
	member: string;
	type: string;
	property: INodeProperties;
	/** Records that the member refers to, if their names can be looked up. */
	target?: Target;
}

/** Titles follow from names: `apStatus` becomes "AP Status". */
export const titleOf = (name: string): string =>
	labelOf(`${name[0].toUpperCase()}${name.slice(1)}`, '');

function inputOf(type: string): Pick<INodeProperties, 'type' | 'default' | 'options'> {
	if (isEnumerationName(type)) {
		const options = choices(type);
		return { type: 'options', options, default: options[0].value };
	}
	switch (type) {
		case 'boolean':
			return { type: 'boolean', default: false };
		case 'datetime':
			return { type: 'dateTime', default: '' };
		case 'integer':
		case 'number':
			return { type: 'number', default: 0 };
		default:
			return { type: 'string', default: '' };
	}
}

const OF_COMPANY = 'company';

const currencyField: INodeProperties = {
	displayName: 'Currency',
	name: 'currency',
	type: 'options',
	options: [{ name: 'Of the Company', value: OF_COMPANY }, ...choices('CurrencyType')].sort(
		(a, b) => a.name.localeCompare(b.name, 'en'),
	),
	default: OF_COMPANY,
	description: 'Currency of the amount. Of the Company is the one that all its work zones use.',
};

const BY_NAME = 'name';

/** Command or entity whose members a form sets. */
type Owner = CommandName | OwnerName;
type Member<Of extends Owner> = Of extends CommandName
	? CommandMember<Of>
	: Of extends OwnerName
		? MemberName<Of>
		: never;

export function inputsFor<Of extends Owner>(owner: Of) {
	const typeOf = (member: Member<Of>) => memberType(owner, member) ?? '';
	const inputFor = (member: Member<Of>, property: INodeProperties, target?: Target) =>
		({ member, type: typeOf(member), property, target }) satisfies MemberField;
	return {
		field: (
			member: Member<Of>,
			name: string,
			description?: string,
			more: Partial<INodeProperties> = {},
		): MemberField => {
			const property = {
				displayName: titleOf(name),
				name,
				...inputOf(typeOf(member)),
				description,
			};
			return inputFor(member, { ...property, ...more });
		},

		reference: (
			member: Member<Of>,
			name: string,
			kind: KnownKind,
			more: Partial<INodeProperties> = {},
		): MemberField => inputFor(member, reference(kind, name, more), targetOfKind(kind)),

		/** The API accepts some references by name as well as by ID. */
		referenceOrName: (
			member: Member<Of>,
			name: string,
			kind: KnownKind,
			{ example, ...more }: Partial<INodeProperties> & { example: string },
		): MemberField => {
			const property = reference(kind, name, more);
			const modes = (property.modes ?? []).map((mode) =>
				mode.name === BY_NAME ? { ...mode, placeholder: `e.g. ${example}` } : mode,
			);
			return inputFor(member, { ...property, modes });
		},

		/** The API identifies a template by its name alone, so the field offers no ID. */
		template: (
			member: Member<Of>,
			name: string,
			description: string,
			more: Partial<INodeProperties> = {},
		): MemberField => {
			const own = { displayName: titleOf(name), description, ...more };
			const property = reference('assetTemplate', name, own);
			const modes = property.modes?.filter((mode) => mode.name !== 'id');
			return inputFor(member, { ...property, modes });
		},

		references: (
			member: Member<Of>,
			name: string,
			kind: KnownKind,
			more: Partial<INodeProperties>,
		): MemberField => {
			const one = reference(kind, kind, {
				description:
					'Choose from the list. An expression may also return several IDs, comma-separated or as an array.',
			});
			const property = repeated(name, one.displayName, [one], {
				required: true,
				default: { values: [{}] },
				...more,
			});
			return inputFor(member, property, targetOfKind(kind));
		},

		money: (member: Member<Of>, name: string, description: string): MemberField =>
			inputFor(member, moneyField(name, description)),
	};
}

export const repeated = (
	name: string,
	groupTitle: string,
	values: INodeProperties[],
	more: Partial<INodeProperties>,
): INodeProperties => ({
	displayName: titleOf(name),
	name,
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: `Add ${groupTitle.toLowerCase()}`,
	default: {},
	options: [{ displayName: groupTitle, name: 'values', values }],
	...more,
});

function moneyField(name: string, description: string): INodeProperties {
	const displayName = titleOf(name);
	const valueField: INodeProperties = {
		// A model tells fields apart by their titles, and a form may have two amounts.
		displayName: `${displayName} Value`,
		name: 'value',
		type: 'number',
		default: 0,
		description: 'Number such as 120.5',
	};
	return {
		displayName,
		name,
		type: 'fixedCollection',
		placeholder: 'Add amount',
		default: {},
		options: [{ displayName: 'Amount', name: 'money', values: [valueField, currencyField] }],
		description,
	};
}

function sentFor(
	context: ItemContext,
	{ member, type, property, target }: MemberField,
	given: unknown,
): unknown {
	const label = property.displayName;
	if (context.isDryRun) noteLabels(context, member, property);
	const value = chosen(given);
	if (property.type === 'resourceLocator' && type !== 'string') {
		if (target === undefined && isName(value)) return value.trim();
		const id = target ? idIn(context, label, given, target) : positiveId(label, value);
		return type === 'integer' ? id : { Id: id };
	}
	switch (type) {
		case 'integer[]':
			return idsOf(label, value, (one) =>
				target ? idIn(context, label, one, target) : positiveId(label, chosen(one)),
			);
		case 'MoneyValue':
			return moneyOf(context, label, value);
		case 'integer':
			// The API reads zero as "not set".
			return wholeNumber(label, value, 1, Number.MAX_SAFE_INTEGER);
		case 'string':
			return optionalText(label, value);
		default:
			return isEnumerationName(type)
				? oneOf(label, value, enumerations[type], labelIn(property))
				: valueOf(label, type, value);
	}
}

/** A dry run shows members and values with the labels of the form. */
function noteLabels(
	{ labels }: ItemContext,
	member: string,
	{ displayName, options = [] }: INodeProperties,
): void {
	labels.set(member, displayName);
	for (const one of options) {
		if ('value' in one) labels.set(`${member}.${String(one.value)}`, one.name);
	}
}

/** Some dropdowns have better labels than those derived from the names of the values. */
const labelIn =
	({ options = [] }: INodeProperties) =>
	(member: string): string =>
		options.find((one) => 'value' in one && one.value === member)?.name ?? member;

/** An expression in one row of the group may return a whole list of IDs. */
function idsOf(label: string, group: unknown, idOf: (value: unknown) => number): number[] {
	const rows = isObject(group) ? listIn(group.values) : listIn(group);
	const given = rows.flatMap((row) => listed(isObject(row) ? Object.values(row)[0] : row));
	if (given.length === 0) throw new ValidationError(`'${label}' is empty`);
	return [...new Set(given.map(idOf))];
}

const listIn = (value: unknown): unknown[] =>
	Array.isArray(value) ? (value as unknown[]) : isEmpty(value) ? [] : [value];

/** Names may contain commas, so only IDs are split. */
function listed(reference: unknown): unknown[] {
	if (isLocator(reference) && reference.mode === BY_NAME) return [reference];
	const value = chosen(reference);
	if (Array.isArray(value)) return value as unknown[];
	return typeof value === 'string' && value.includes(',') ? value.split(',') : [reference];
}

function moneyOf(context: ItemContext, label: string, group: unknown): JsonObject {
	const money: unknown = isObject(group) ? group.money : undefined;
	if (!isObject(money))
		throw new ValidationError(`'${label}' is empty: add an amount, or remove it`);
	return {
		Value: decimal(`${label} > Value`, money.value),
		CurrencyTypeId:
			money.currency === OF_COMPANY
				? currencyIn(context, `${label} > Currency`)
				: memberOf(`${label} > Currency`, money.currency, 'CurrencyType'),
	};
}

const ZONES: Target = { entity: 'WorkZone', by: ['IsOffline'], read: ['CurrencyTypeId'] };

/** Each work zone has a currency; the Company has a default if all of them agree. */
function currencyIn(context: ItemContext, label: string): unknown {
	const all = [...new Set(rowsIn(context)(ZONES, false).map((zone) => zone.CurrencyTypeId))];
	if (all.length === 1) return all[0];
	throw new ValidationError(
		`'${label}' is that of the Company, whose work zones have ${all.length === 0 ? 'none' : all.join(', ')}`,
		'Choose the one that is meant.',
	);
}

/** Fields that are always shown may stay empty unless they are required. */
export function shownMembers(context: ItemContext, fields: readonly MemberField[]): JsonObject {
	const members: JsonObject = {};
	for (const field of fields) {
		const { name, displayName, required } = field.property;
		const given = context.field(name, '');
		if (!required && isEmpty(given)) continue;
		const value = sentFor(context, field, given);
		if (required && value === '') throw new ValidationError(`'${displayName}' is empty`);
		members[field.member] = value;
	}
	return members;
}

/**
 * Added fields must not be empty, except texts: otherwise, an expression that returns nothing would
 * silently drop a guard or a reference.
 */
export const addedMembers = (
	context: ItemContext,
	given: JsonObject,
	fields: readonly MemberField[],
): JsonObject =>
	Object.fromEntries(
		fields
			.filter(({ property }) => property.name in given)
			.map((field) => [field.member, sentFor(context, field, given[field.property.name])])
			.filter(([, value]) => value !== ''),
	);

export const formFields = (fields: readonly MemberField[]) =>
	fields.map(({ property }) => property);

const byTitle = (a: INodeProperties, b: INodeProperties) =>
	a.displayName.localeCompare(b.displayName, 'en');

/** Fields in this collection stay hidden until somebody adds them. */
const additionalFields = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options,
});

const withOptions = (field: INodeProperties, own: INodeProperties[]): INodeProperties =>
	optionsOf([...(field.options as INodeProperties[]), ...own]);

/** Form for one entity or command. */
export interface MemberForm {
	/** Fields that do not set a member. */
	fields?: INodeProperties[];
	/** Fields that are always shown; each sets a member. */
	members?: readonly MemberField[];
	/** Fields that can be added; each sets a member. */
	added?: readonly MemberField[];
	/** Fields that can be added and do not set a member. */
	addedFields?: INodeProperties[];
	ownOptions?: INodeProperties[];
}

export const formOf = (
	{ fields = [], members = [], added = [], addedFields = [], ownOptions = [] }: MemberForm,
	...last: INodeProperties[]
): INodeProperties[] => {
	const addable = [...formFields(added), ...addedFields].sort(byTitle);
	return [
		...fields,
		...formFields(members),
		...(addable.length > 0 ? [additionalFields(addable)] : []),
		...last.map((field) => (field.name === 'options' ? withOptions(field, ownOptions) : field)),
	];
};

export const membersIn = (
	context: ItemContext,
	{ members = [], added = [] }: MemberForm,
): JsonObject => ({
	...shownMembers(context, members),
	...addedMembers(context, context.collection('additionalFields'), added),
});
