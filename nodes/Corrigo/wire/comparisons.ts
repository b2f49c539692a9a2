import { findDescriptorEntity, getInnerType, splitPath } from '../catalogue/members';
import { operators, type OperatorName } from '../catalogue/operators';
import { ValidationError } from '../values/errors';
import { findKind, type KindName } from '../values/kinds';

const LIKE: readonly OperatorName[] = ['Like', 'NotLike'];
const EMPTY: readonly OperatorName[] = ['NotNull', 'Null'];
const WHOLE: readonly OperatorName[] = [...EMPTY, 'Equal', 'In', 'NotEqual', 'NotIn'];
const ALL: readonly OperatorName[] = operators.map(({ name }) => name);
const ORDERED: readonly OperatorName[] = ALL.filter((name) => !LIKE.includes(name));

/** Kinds of values for which some operators mean nothing, such as a part of a number. */
const KINDS: Readonly<Partial<Record<KindName, [noun: string, meant: readonly OperatorName[]]>>> = {
	choice: ['a choice', WHOLE],
	day: ['a date', ORDERED],
	entity: ['an entity', WHOLE],
	number: ['a number', ORDERED],
	switch: ['true or false', WHOLE],
	time: ['a time', ORDERED],
	timeOfDay: ['a time of day', ORDERED],
	timeZone: ['a time zone', WHOLE],
	wholeNumber: ['a number', ORDERED],
};

/** Refuses an operator that cannot be meant for what is compared. */
export function requireMeantOperator(
	fieldLabel: string,
	operator: OperatorName,
	noun: string,
	meant: readonly string[],
	advice = `Use ${listOperators(meant)}.`,
): void {
	if (meant.includes(operator)) return;
	const [name] = operators.filter((one) => one.name === operator);
	throw new ValidationError(
		`'${fieldLabel}': the operator ${name.label} (${operator}) cannot compare ${noun}`,
		advice,
	);
}

const listOperators = (names: readonly string[]): string =>
	operators
		.filter(({ name }) => names.includes(name))
		.map(({ label }) => label)
		.join(', ');

/** The texts of all custom fields, or of all attributes, together: the types of their values are not known. */
function isTextOfAnyType(entity: string, path: string): boolean {
	const { owner, member } = splitPath(entity, path);
	return member === 'Value' && findDescriptorEntity(owner) !== undefined;
}

/** Refuses what cannot be meant for a member, or would compare the texts of values that are none. */
export function checkOperator(
	entity: string,
	path: string,
	operator: OperatorName,
	fieldLabel: string,
): void {
	if (isTextOfAnyType(entity, path)) {
		const isOwn = path === 'Value';
		const meant = [...LIKE, ...(isOwn ? WHOLE : EMPTY)];
		requireMeantOperator(
			fieldLabel,
			operator,
			'the stored texts of all types',
			meant,
			TYPED_ADVICE,
		);
		return;
	}
	const kind = findKind(entity, path, getInnerType(entity, path));
	const [noun, meant] = (kind && KINDS[kind]) ?? ['', ALL];
	requireMeantOperator(fieldLabel, operator, noun, meant);
}

const TYPED_ADVICE =
	"Compare one custom field by its type: choose it from the list, or name it by its ID, such as CustomFields.17. Attributes of assets are compared by the filter 'Attribute'.";
