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

/** Nothing was filled in, in whatever way a form can be left so. */
export const isEmpty = (given: unknown): boolean => {
	const value = chosen(given);
	return isObject(value) ? Object.keys(value).length === 0 : isBlank(value);
};

/** Nothing stands for no text. */
export const optionalText = (label: string, value: unknown): string =>
	isEmpty(value) ? '' : plainText(label, value);

/** A switch that was never set is off; a text that is neither true nor false is refused. */
export const flagOf = (label: string, value: unknown): boolean =>
	value !== undefined && booleanOf(label, value);

/** The rows of a repeatable group. */
const groupRows = (group: unknown): JsonObject[] => {
	const rows = isObject(group) ? group.values : undefined;
	return Array.isArray(rows) ? rows.filter(isObject) : [];
};

type Read = (name: string, fallback?: unknown) => unknown;

/** The one reader of what a user filled in, whether the node executes, polls, or fills a list. */
export class Form {
	constructor(private readonly read: Read) {}

	/** As n8n has it: a resource locator comes with its mode. */
	field(name: string, fallback?: unknown): unknown {
		return this.read(name, fallback);
	}

	/** The value of a field; of a resource locator, what was chosen in it. */
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

	/** The name as the service writes it; names that the catalogue lacks are left to the service. */
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

	/** The same, each member with what was chosen in it. */
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
