import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { ValidationError } from '../values/errors';
import { type JsonObject, unwrapLocator, filterMembers, isObject } from '../values/objects';
import { isBlank } from '../values/scalars';

/** n8n recognizes an expression by its first character; one without text is an empty field. */
const isExpression = (raw: unknown): raw is string =>
	typeof raw === 'string' && /^=\s*\S/.test(raw);

export const hasExpression = (raw: unknown): boolean =>
	typeof raw === 'string'
		? raw.startsWith('=')
		: typeof raw === 'object' && raw !== null && Object.values(raw).some(hasExpression);

/** n8n writes a parameter that a language model fills in as a call to `$fromAI`. */
export const isFromModel = (raw: unknown): boolean =>
	isExpression(raw) && /\$fromAI\s*\(/i.test(raw);

/**
 * A field that a person left empty is left out; one whose expression gives nothing is refused,
 * because a search or write without it would reach more records, or others, than are meant.
 * Required fields, filters, columns and options are checked where they are read.
 */
export function refuseEmptyExpression(
	fields: readonly INodeProperties[],
	parameters: INodeParameters,
	name: string,
	value: unknown,
): void {
	const raw = parameters[name];
	if (holdsColumns(parameters, name) || !hasExpression(raw)) return;
	const isShown = (one: INodeProperties) =>
		one.name === name && NodeHelpers.displayParameter(parameters, one, null, null);
	const field = fields.find(isShown);
	if (field !== undefined) checkField(field, raw, value);
}

/** The form of *Create or Update* for work orders has these fields in place of columns. */
const holdsColumns = ({ operation }: INodeParameters, name: string): boolean =>
	operation === 'upsert' && name === 'additionalFields';

/** An empty text clears a text, and any other field without a value changes nothing, as in a column. */
export function omitEmptyColumns(
	fields: readonly INodeProperties[],
	parameters: INodeParameters,
	name: string,
	value: unknown,
): unknown {
	if (!holdsColumns(parameters, name) || !isObject(value)) return value;
	const columns = fields.filter((one) => one.name === name).flatMap(listInnerFields);
	const texts = columns.filter(({ type }) => type === 'string').map((one) => one.name);
	return filterMembers(value, (column, input) => {
		const one = unwrapLocator(input);
		return one === '' ? texts.includes(column) : one !== undefined && one !== null;
	});
}

function checkField(field: INodeProperties, raw: unknown, value: unknown, place = ''): void {
	const [input, result] = [unwrapLocator(raw), unwrapLocator(value)];
	if (CHECKED_ELSEWHERE.includes(field.name)) return;
	if (isExpression(input) && !field.required && !isFromModel(input) && isBlank(result)) {
		throw new ValidationError(
			`'${field.displayName}' is empty${place}`,
			'Its expression gives nothing. Correct the expression, or clear the field.',
		);
	}
	const results = toRowList(result);
	const rows = toRowList(input);
	for (const [index, row] of rows.entries()) {
		const inside = Array.isArray(input) ? describeRow(field, index, results[index]) : '';
		for (const inner of listInnerFields(field)) {
			if (!(inner.name in row)) continue;
			checkField(inner, row[inner.name], results[index]?.[inner.name], inside || place);
		}
	}
}

/** Returns, for example: in Condition 2 (StatusId) */
function describeRow({ displayName }: INodeProperties, index: number, row?: JsonObject): string {
	const property = unwrapLocator(row?.property);
	return ` in ${displayName} ${index + 1}${isBlank(property) ? '' : ` (${String(property)})`}`;
}

const CHECKED_ELSEWHERE: readonly string[] = ['fields', 'filters', 'options'];

const toRowList = (value: unknown): JsonObject[] =>
	Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];

/** A group of a fixed collection holds its fields as a collection does. */
const listInnerFields = ({ options = [], ...group }: INodeProperties): INodeProperties[] =>
	(('values' in group ? group.values : options) as INodeProperties[]).filter(
		(one) => 'displayName' in one,
	);
