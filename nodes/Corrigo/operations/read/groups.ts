import { getEntity, findEntityMemberType } from '../../catalogue/entities';
import {
	parsePropertyPath,
	ValidationError,
	quote,
	type JsonObject,
	readPath,
} from '../../values/checks';

const FIELD = 'Group By';

/** The property to group by, and the paths that have to be read for it. */
export interface Grouping {
	property: string;
	paths: string[];
}

/** References are grouped by Id and shown by name. */
export function parseGrouping(entity: string, input: unknown): Grouping {
	const property = parsePropertyPath(FIELD, input);
	const collection = property
		.split('.')
		.map((_, index, parts) => parts.slice(0, index + 1).join('.'))
		.find((path) => findEntityMemberType(entity, path)?.endsWith('[]'));
	if (collection !== undefined) {
		throw new ValidationError(
			`'${FIELD}' is ${quote(property)}, but a record may have several ${collection}`,
			'Choose a property of the record itself, or of one of its references.',
		);
	}
	const referred = getEntity(findEntityMemberType(entity, property) ?? '');
	if (referred === undefined) return { property, paths: [property] };
	const { key = ['Id'], display } = referred;
	const names = [...key, ...(display === undefined ? [] : [display])];
	return { property, paths: names.map((name) => `${property}.${name}`) };
}

/** Counts rows by value; rows without a value are a group as well. */
export class Groups {
	private readonly counts = new Map<string, { value: unknown; Count: number }>();

	constructor(private readonly property: string) {}

	add(row: JsonObject): void {
		const value = readPath(row, this.property) ?? null;
		const key = JSON.stringify(value);
		const group = this.counts.get(key);
		if (group === undefined) this.counts.set(key, { value, Count: 1 });
		else group.Count += 1;
	}

	/** Sorts the largest group first, and groups of equal size by value. */
	toRows(): JsonObject[] {
		return [...this.counts]
			.sort(([a, one], [b, other]) => other.Count - one.Count || collator.compare(a, b))
			.map(([, { value, Count }]) => ({ [this.property]: value, Count }));
	}
}

const collator = new Intl.Collator('en', { numeric: true });
