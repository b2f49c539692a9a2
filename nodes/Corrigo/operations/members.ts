import type { INodeProperties } from 'n8n-workflow';

import type { CommandMember, CommandName } from '../catalogue/commands';
import { getEntity, type MemberName, type OwnerName } from '../catalogue/entities';
import {
	findMemberTarget,
	getEntityTarget,
	getRecordTarget,
	type Target,
} from '../catalogue/targets';
import { isEnumerationName } from '../catalogue/enumerations';
import { addLimit } from '../catalogue/lengths';
import { findMemberType } from '../catalogue/members';
import { toTitle } from '../catalogue/enumerations/labels';
import {
	addRow,
	buildField,
	defineField,
	hasMode,
	INITIAL,
	listChoices,
	sortByTitle,
} from '../form/fields';
import { getColumnLabel, PRIMITIVES } from '../columns/columns';
import type { RecordType } from '../catalogue/views';
import { buildReferenceField } from '../form/subjects';
import { createEmptyError } from '../values/errors';
import { isName, parseId, type IdResolver } from '../values/references';
import { type JsonObject, isLocator, unwrapLocator, isObject } from '../values/objects';
import { parseSingle } from '../values/kinds';
import { normalize, parseNumber } from '../values/input';
import { isEmpty, parseInput } from '../form/form';
import { resolveFieldId, type ResolvingForm, type ResolvingRun } from '../run/context';
import { noteLabels } from '../run/preview/labels';
import { currencyField, readCurrency } from './amounts';

/** Field of the form, and the member of the request that it sets. */
export interface MemberField<Member extends string = string> {
	/** Entity, command or object that has the member. */
	owner: string;
	/** Name of the member in the API. */
	member: Member;
	type: string;
	property: INodeProperties;
	/** Records that the member refers to, if their names can be looked up. */
	target?: Target;
}

function getInputType(type: string): Pick<INodeProperties, 'type' | 'default' | 'options'> {
	if (!isEnumerationName(type)) {
		const input = PRIMITIVES[type] ?? 'string';
		return { type: input, default: INITIAL[input] };
	}
	return { type: 'options', options: listChoices(type), default: INITIAL.options };
}

/** Command or entity whose members a form sets. */
type Owner = CommandName | OwnerName;
type MemberOf<T extends Owner> = T extends CommandName
	? CommandMember<T>
	: T extends OwnerName
		? MemberName<T>
		: never;

type FieldChanges = Partial<INodeProperties>;

export function createFieldBuilder<T extends Owner>(owner: T) {
	type Own = MemberOf<T>;
	const getType = (member: Own) => findMemberType(owner, member) ?? '';
	const build = <Member extends Own>(
		member: Member,
		property: INodeProperties,
		target?: Target,
	): MemberField<Member> => ({
		owner,
		member,
		type: getType(member),
		property,
		target,
	});
	return {
		field: <Member extends Own>(
			member: Member,
			name: string,
			description?: string,
			more: FieldChanges = {},
		) => {
			const limited = description && addLimit(description, owner, member);
			// A command is an action, whose fields say what they do there.
			const displayName = getEntity(owner) ? getColumnLabel(owner, member) : toTitle(name);
			const own = { displayName, name, description: limited };
			return build(member, { ...own, ...getInputType(getType(member)), ...more });
		},

		reference: <Member extends Own>(
			member: Member,
			name: string,
			recordType: RecordType,
			more?: FieldChanges,
			example?: string,
		) => {
			const property = buildReferenceField(recordType, name, more, example);
			return build(member, property, getRecordTarget(recordType));
		},

		/** The API identifies a template by its name alone, so the field offers no ID. */
		template: <Member extends Own>(
			member: Member,
			name: string,
			description: string,
			more?: FieldChanges,
		) => {
			const own = { displayName: toTitle(name), description, ...more };
			const property = buildReferenceField('assetTemplate', name, own);
			const modes = property.modes?.filter((mode) => mode.name !== 'id');
			return build(member, { ...property, modes });
		},

		references: <Member extends Own>(
			member: Member,
			name: string,
			recordType: RecordType,
			more: FieldChanges,
		) => {
			const one = buildReferenceField(recordType, recordType, {
				required: true,
				description:
					'Choose from the list. An expression may also return several IDs, comma-separated or as an array.',
			});
			const own = { required: true, ...more };
			const property = buildRepeatedGroup(name, one.displayName, [one], own);
			return build(member, property, getRecordTarget(recordType));
		},

		money: <Member extends Own>(
			member: Member,
			name: string,
			description: string,
			more: FieldChanges = {},
		) => build(member, { ...buildMoneyField(name, description), ...more }),
	};
}

/**
 * A group that is required begins with an empty row, in which a person sees what is missing. One that is
 * shown on a condition does not: if an expression decides, n8n would require the fields of the row.
 */
export const buildRepeatedGroup = (
	name: string,
	groupTitle: string,
	values: INodeProperties[],
	more: Omit<Partial<INodeProperties>, 'type'>,
) => ({
	displayName: toTitle(name),
	name,
	type: 'fixedCollection' as const,
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: `Add ${groupTitle.toLowerCase()}`,
	default: more.required && !more.displayOptions?.show ? { values: [{}] } : {},
	options: [{ displayName: groupTitle, name: 'values', values }],
	...more,
});

function buildMoneyField(name: string, description: string): INodeProperties {
	const displayName = toTitle(name);
	const valueField = buildField('value', 'number', 'Number such as 120.5', {
		// A model tells fields apart by their titles, and a form may have two amounts.
		displayName: `${displayName} Value`,
		required: true,
	});
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

type Verb = 'create' | 'update';

function readField(
	form: ResolvingForm,
	field: MemberField,
	input: unknown,
	verb: Verb = 'create',
): unknown {
	const { member, type, property, target } = field;
	const label = property.displayName;
	if (form.isDryRun || form.option('ifAlreadySo')) noteLabels(form, member, property);
	const resolveId: IdResolver = (...of) => resolveFieldId(form.run, ...of);
	switch (type) {
		case 'integer[]':
			return parseIds(label, unwrapLocator(input), (one) =>
				target ? resolveId(label, one, target) : parseId(label, unwrapLocator(one)),
			);
		case 'MoneyValue':
			return parseMoney(form.run, label, input, verb);
		default:
			return parseField(field, input, resolveId);
	}
}

/** A field takes what its member takes in JSON. An empty text clears the member. */
export function parseField(
	{ owner, member, type, property, target }: MemberField,
	value: unknown,
	resolveId: IdResolver,
): unknown {
	const fieldLabel = property.displayName;
	const place = { owner, path: member, fieldLabel, target, getSibling: () => undefined };
	if (type === 'string' && isEmpty(value)) return '';
	if (getEntity(type) !== undefined) {
		return { Id: resolveId(fieldLabel, value, target ?? getEntityTarget(type)) };
	}
	const chosen = unwrapLocator(value);
	const isLocated = property.type === 'resourceLocator';
	// The API looks up this name itself.
	if (hasMode(property, 'name') && target === undefined && isName(chosen)) return chosen.trim();
	// A field for a record takes no 0, which is none.
	if (type === 'integer' && isLocated) {
		const records = target ?? findMemberTarget(owner, member);
		return records ? resolveId(fieldLabel, value, records) : parseId(fieldLabel, chosen);
	}
	const input = hasRange(property)
		? parseInput(property, value, fieldLabel)
		: toChoice(property, value);
	return parseSingle(place, type, input, resolveId);
}

/** A field may take less than its member, such as positive numbers only. */
const hasRange = ({ typeOptions }: INodeProperties) => typeOptions?.minValue !== undefined;

/** Some dropdowns have better labels than those derived from the names of the values. */
function toChoice({ options = [] }: INodeProperties, value: unknown): unknown {
	const chosen = options.find(({ name }) => normalize(name) === normalize(value));
	return chosen !== undefined && 'value' in chosen ? chosen.value : value;
}

/** An expression in one row of the group may return a whole list of IDs, but not an empty one. */
function parseIds(label: string, group: unknown, parseOne: (value: unknown) => number): number[] {
	const rows = isObject(group) ? toList(group.values) : toList(group);
	const lists = rows.map((row) => splitList(isObject(row) ? Object.values(row)[0] : row));
	if (lists.length === 0 || lists.some(({ length }) => length === 0)) throw createEmptyError(label);
	return [...new Set(lists.flat().map(parseOne))];
}

const toList = (value: unknown): unknown[] =>
	Array.isArray(value) ? (value as unknown[]) : isEmpty(value) ? [] : [value];

const ID_LIST = /^[\d\s]+,[\d\s,]*$/;

/** Names may contain commas, so a text is split only if its mode or its digits say that it has IDs. */
function splitList(reference: unknown): unknown[] {
	if (isLocator(reference) && reference.mode === 'name') return [reference];
	const value = unwrapLocator(reference);
	if (Array.isArray(value)) return value as unknown[];
	const list = isLocator(reference) ? /,/ : ID_LIST;
	return typeof value === 'string' && list.test(value) ? value.split(',') : [reference];
}

/** A model may leave out the currency of a new amount; one that exists may be in another currency. */
function parseMoney(run: ResolvingRun, label: string, group: unknown, verb: Verb): JsonObject {
	const money: unknown = isObject(group) ? group.money : undefined;
	if (!isObject(money)) throw createEmptyError(label, 'Enter an amount.');
	const valueLabel = `${label} Value`;
	if (isEmpty(money.value)) throw createEmptyError(valueLabel, 'Enter an amount.');
	const Value = parseNumber(valueLabel, money.value);
	const { currency = verb === 'create' ? currencyField.default : undefined } = money;
	return { Value, CurrencyTypeId: readCurrency(run, `${label} > Currency`, currency) };
}

export type FieldMembers<Member extends string> = { [Name in Member]?: unknown };

/** Fields that are always shown may stay empty unless they are required. */
export function readShownMembers<Member extends string>(
	form: ResolvingForm,
	fields: ReadonlyArray<MemberField<Member>>,
	verb?: Verb,
): FieldMembers<Member> {
	const members: FieldMembers<Member> = {};
	for (const field of fields) {
		const { displayName, required } = field.property;
		// A hidden field sets nothing, not even its default.
		const input = form.getInput(field.property, '');
		if (!required && isEmpty(input)) continue;
		const value = readField(form, field, input, verb);
		if (required && value === '') throw createEmptyError(displayName);
		members[field.member] = value;
	}
	return members;
}

/** Added fields must not be empty, except texts that a person left empty; an update clears those. */
export const readAddedMembers = <Member extends string>(
	form: ResolvingForm,
	input: JsonObject,
	fields: ReadonlyArray<MemberField<Member>>,
	verb: Verb = 'create',
): FieldMembers<Member> =>
	Object.fromEntries(
		fields
			.filter(({ property }) => property.name in input)
			.map((field) => [field.member, readField(form, field, input[field.property.name], verb)])
			.filter(([, value]) => verb === 'update' || value !== ''),
	) as FieldMembers<Member>;

/** A field that sets no member is read by the operation itself. */
type FormField<Member extends string> = MemberField<Member> | INodeProperties;

const setsMember = <Member extends string>(
	field: FormField<Member>,
): field is MemberField<Member> => 'member' in field;

export const getFormFields = (fields: ReadonlyArray<FormField<string>>): INodeProperties[] =>
	fields.map((field) => (setsMember(field) ? field.property : field));

/** Form for one entity or command. */
export interface MemberForm<Member extends string = string> {
	/** Fields that are always shown. */
	shown?: ReadonlyArray<FormField<Member>>;
	/** Fields that can be added. */
	added?: ReadonlyArray<FormField<Member>>;
}

/** Fields in this collection stay hidden until somebody adds them. */
export const additionalFields = defineField({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
});

export const buildForm = (
	{ shown = [], added = [] }: MemberForm,
	...last: INodeProperties[]
): INodeProperties[] => {
	const options = sortByTitle(getFormFields(added).map(addRow));
	return [
		...getFormFields(shown),
		...(options.length > 0 ? [{ ...additionalFields, options }] : []),
		...last,
	];
};

export const readFieldMembers = <Member extends string>(
	form: ResolvingForm,
	{ shown = [], added = [] }: MemberForm<Member>,
): FieldMembers<Member> => ({
	...readShownMembers(form, shown.filter(setsMember<Member>)),
	...readAddedMembers(form, form.read(additionalFields), added.filter(setsMember<Member>)),
});
