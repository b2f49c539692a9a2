import { getEntity, suggestEntity } from '../catalogue/entities';
import {
	unwrapLocator,
	parseIdentifier,
	isBlank,
	isObject,
	ValidationError,
	type JsonObject,
} from '../values/checks';
import { parseText, parseId, parseBoolean } from '../values/values';

/** An object without members counts as empty, just as a blank value does. */
export const isEmpty = (input: unknown): boolean => {
	const value = unwrapLocator(input);
	return isObject(value) ? Object.keys(value).length === 0 : isBlank(value);
};

/** An empty field counts as an empty text. */
export const toOptionalText = (label: string, value: unknown): string =>
	isEmpty(value) ? '' : parseText(label, value);

/** A switch that was never set is off; a text that is neither true nor false is refused. */
export const toFlag = (label: string, value: unknown): boolean =>
	value !== undefined && parseBoolean(label, value);

/** Every repeatable group of the form keeps its rows under `values`. */
const getGroupRows = (group: unknown): JsonObject[] => {
	const rows = isObject(group) ? group.values : undefined;
	return Array.isArray(rows) ? rows.filter(isObject) : [];
};

type ReadParameter = (name: string, fallback?: unknown) => unknown;

/** Executions, polls and lists all read what the user filled in through this class. */
export class Form {
	constructor(private readonly read: ReadParameter) {}

	/** A resource locator is returned with its mode. */
	field(name: string, fallback?: unknown): unknown {
		return this.read(name, fallback);
	}

	/** A resource locator is reduced to what was chosen in it. */
	param(name: string, fallback?: unknown): unknown {
		return unwrapLocator(this.field(name, fallback));
	}

	text(name: string): string {
		return String(this.param(name, '') ?? '').trim();
	}

	flag(label: string, name: string): boolean {
		return toFlag(label, this.param(name, false));
	}

	id(label: string, name = 'id'): number {
		return parseId(label, this.param(name, ''));
	}

	/** A name that the catalogue lacks is passed on, because Corrigo may know it. */
	entity(): string {
		const input = parseIdentifier('Entity', this.param('entity', ''));
		const suggestion = suggestEntity(input);
		if (suggestion === undefined) return getEntity(input)?.name ?? input;
		const where = Object.entries(suggestion.where ?? {}).map(([name, value]) => `${name} ${value}`);
		throw new ValidationError(
			`'Entity' is "${input}", which Corrigo does not know`,
			`Use ${[suggestion.name, ...where].join(' with ')}.`,
		);
	}

	rows(name: string): JsonObject[] {
		return getGroupRows(this.collection(name));
	}

	/** Resource locators in the rows are reduced to what was chosen in them. */
	choices(name: string): JsonObject[] {
		return this.rows(name).map((row) =>
			Object.fromEntries(Object.entries(row).map(([key, value]) => [key, unwrapLocator(value)])),
		);
	}

	collection(name: string): JsonObject {
		const fields = this.param(name, {});
		return isObject(fields) ? fields : {};
	}
}
