import { entityNamed, suggestEntity } from '../catalogue/entities';
import {
	chosen,
	identifier,
	isBlank,
	isObject,
	ValidationError,
	type JsonObject,
} from '../protocol/checks';
import { plainText, positiveId, booleanOf } from '../protocol/values';

/** An object without members counts as empty, just as a blank value does. */
export const isEmpty = (given: unknown): boolean => {
	const value = chosen(given);
	return isObject(value) ? Object.keys(value).length === 0 : isBlank(value);
};

/** An empty field counts as an empty text. */
export const optionalText = (label: string, value: unknown): string =>
	isEmpty(value) ? '' : plainText(label, value);

/** A switch that was never set is off; a text that is neither true nor false is refused. */
export const flagOf = (label: string, value: unknown): boolean =>
	value !== undefined && booleanOf(label, value);

/** Every repeatable group of the form keeps its rows under `values`. */
const groupRows = (group: unknown): JsonObject[] => {
	const rows = isObject(group) ? group.values : undefined;
	return Array.isArray(rows) ? rows.filter(isObject) : [];
};

type Read = (name: string, fallback?: unknown) => unknown;

/** Executions, polls and lists all read what the user filled in through this class. */
export class Form {
	constructor(private readonly read: Read) {}

	/** A resource locator is returned with its mode. */
	field(name: string, fallback?: unknown): unknown {
		return this.read(name, fallback);
	}

	/** A resource locator is reduced to what was chosen in it. */
	param(name: string, fallback?: unknown): unknown {
		return chosen(this.field(name, fallback));
	}

	text(name: string): string {
		return String(this.param(name, '') ?? '').trim();
	}

	flag(label: string, name: string): boolean {
		return flagOf(label, this.param(name, false));
	}

	id(label: string, name = 'id'): number {
		return positiveId(label, this.param(name, ''));
	}

	/** A name that the catalogue lacks is passed on, because Corrigo may know it. */
	entity(): string {
		const given = identifier('Entity', this.param('entity', ''));
		const right = suggestEntity(given);
		if (right === undefined) return entityNamed(given)?.name ?? given;
		const where = Object.entries(right.where ?? {}).map(([name, value]) => `${name} ${value}`);
		throw new ValidationError(
			`'Entity' is "${given}", which Corrigo does not know`,
			`Use ${[right.name, ...where].join(' with ')}.`,
		);
	}

	rows(name: string): JsonObject[] {
		return groupRows(this.collection(name));
	}

	/** Resource locators in the rows are reduced to what was chosen in them. */
	choices(name: string): JsonObject[] {
		return this.rows(name).map((row) =>
			Object.fromEntries(Object.entries(row).map(([key, value]) => [key, chosen(value)])),
		);
	}

	collection(name: string): JsonObject {
		const fields = this.param(name, {});
		return isObject(fields) ? fields : {};
	}
}
