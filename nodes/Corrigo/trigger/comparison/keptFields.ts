import type { IDataObject } from 'n8n-workflow';

import { getFieldDigest, toSortedText } from '../../feed/digest';
import { getMember, type JsonObject } from '../../values/objects';

/** Says what a trigger keeps of the fields of a record, to tell later which of them were edited. */
export interface KeptFields {
	/** Returns a text, which is empty if nothing is to be kept. */
	keep: (row: JsonObject) => string;
	/** Returns whether a text has what is to be kept, as other fields may have been chosen before. */
	isWhole: (kept?: string) => boolean;
	/** Describes the edit of a record, or its deletion, if there is no row. */
	describe: (kept?: string, row?: JsonObject) => IDataObject;
}

export const NO_FIELDS: KeptFields = {
	keep: () => '',
	isWhole: () => true,
	describe: () => ({}),
};

/** A text of JSON never holds a line break. */
const SEPARATOR = '\n';
/** A value begins with this, which no digest has. */
const VALUE = '=';

/** Keeps the values of the `shown` ones of these fields, and a digest of each other one. */
export function createKeptFields(
	fields: readonly string[],
	{ shown, show }: { shown: readonly string[]; show: (values: JsonObject) => JsonObject },
): KeptFields {
	const paths = fields.map((field) => field.split('.'));
	const isShown = fields.map((field) => shown.includes(field));
	const split = (kept = '') => (kept === '' ? [] : kept.split(SEPARATOR));
	return {
		keep: (row) =>
			paths
				.map((path, index) => {
					const value = readThroughRows(row, path) ?? null;
					return isShown[index] ? VALUE + JSON.stringify(value) : getFieldDigest(value);
				})
				.join(SEPARATOR),
		isWhole: (kept) => {
			const parts = split(kept);
			return fields.every((_, index) => parts[index]?.startsWith(VALUE) === isShown[index]);
		},
		describe: (kept, row) => {
			const parts = split(kept);
			const isEdited = (path: string[], index: number) =>
				row !== undefined && !isSame(parts[index], readThroughRows(row, path) ?? null);
			const edited = fields.filter((_, index) => isEdited(paths[index], index));
			const values = fields.flatMap((field, index) =>
				parts[index]?.startsWith(VALUE) ? [[field, parseValue(parts[index])] as const] : [],
			);
			return {
				...(row && { ChangedFields: parts.length === 0 ? null : edited }),
				...(shown.length > 0 && { Before: show(Object.fromEntries(values)) as IDataObject }),
			};
		},
	};
}

const parseValue = (part: string): unknown => JSON.parse(part.slice(VALUE.length));

const isSame = (part: string | undefined, value: unknown): boolean =>
	part?.startsWith(VALUE)
		? toSortedText(parseValue(part)) === toSortedText(value)
		: part === getFieldDigest(value);

/** Reads a path, also through the rows of a collection. */
function readThroughRows(value: unknown, [name, ...rest]: string[]): unknown {
	if (name === undefined || name === '*') return value;
	if (Array.isArray(value)) return value.map((row) => readThroughRows(row, [name, ...rest]));
	return readThroughRows(getMember(value, name), rest);
}
