import { fail } from '../errors';
import { isObject, type EntityType, type ObjectField, type ScalarField } from '../schema';
import type { Row, Store } from '../store/store';
import { OPERATORS } from './operators';
import {
	requireField,
	referencedRow,
	collectionRows,
	failNotScalar,
	objectField,
	getTarget,
} from './paths';
import type { Condition, Filter } from './shape';
import { toComparable, toOperand, type Comparable } from './values';

/** One row of each joined table; undefined where a record has no child. */
type Binding = Array<Row | undefined>;
type Test = (binding: Binding) => boolean;

interface Join {
	parent: number;
	references: ObjectField[];
	collection: ObjectField;
	owner: EntityType;
	key: string;
}

export interface Reader {
	field: ScalarField;
	read(binding: Binding): Comparable | undefined;
}

const NO_BINDINGS: readonly Binding[] = [];

/** Paths that can be selected but not filtered by. */
const NOT_FILTERABLE: ReadonlySet<string> = new Set(['workorder.lastaction.reason.id']);

/**
 * Evaluates criteria as a database does: a path through a collection joins its rows, one path used
 * twice joins once, unless the settings say otherwise, and a record is returned once per matching combination.
 */
export class Criteria {
	private readonly joins: Join[] = [];
	private readonly test: Test;

	constructor(
		private readonly store: Store,
		private readonly type: EntityType,
		filter: Filter | undefined,
		private readonly settings: { joinsRows: boolean },
	) {
		this.test = filter ? this.filter(filter) : () => true;
	}

	/** The matching combinations of a record; at most one with `once`. */
	matches(row: Row, once: boolean): readonly Binding[] {
		const alone = [row];
		if (this.joins.length === 0) return this.test(alone) ? [alone] : NO_BINDINGS;
		const found: Binding[] = [];
		for (const binding of this.bindings(alone)) {
			if (!this.test(binding)) continue;
			found.push(binding);
			if (once) break;
		}
		return found;
	}

	/** The matching rows by the name of each collection that conditions refer to. */
	matchingChildren(row: Row): Map<string, Set<Row | undefined>> {
		const found = this.matches(row, false);
		const ofRecord = this.joins.flatMap(({ parent, references, collection }, index) =>
			parent === 0 && references.length === 0 ? [{ collection, slot: index + 1 }] : [],
		);
		return new Map(
			ofRecord.map(({ collection, slot }) => [
				collection.name,
				new Set(found.map((binding) => binding[slot])),
			]),
		);
	}

	reader(path: string): Reader {
		const segments = path.split('.');
		const last = segments.pop() ?? '';
		let type = this.type;
		let slot = 0;
		let references: ObjectField[] = [];
		for (const segment of segments) {
			const field = objectField(type, segment);
			if (field.kind === 'collection') {
				slot = this.join(slot, references, field, type);
				references = [];
			} else references.push(field);
			type = getTarget(field);
		}
		const field = requireField(type, last);
		if (isObject(field)) return failNotScalar(path);
		return { field, read: this.buildRead(slot, references, field) };
	}

	private buildRead(slot: number, references: ObjectField[], field: ScalarField): Reader['read'] {
		const { store } = this;
		const { storedAs = field.name } = field;
		return (binding) => {
			let row = binding[slot];
			for (const reference of references) row = row && referencedRow(store, row, reference);
			return row && toComparable(field, row[storedAs]);
		};
	}

	private join(
		parent: number,
		references: ObjectField[],
		collection: ObjectField,
		owner: EntityType,
	): number {
		const key = [parent, ...references, collection]
			.map((step) => (typeof step === 'number' ? step : step.name))
			.join('.');
		const known = this.settings.joinsRows ? this.joins.findIndex((join) => join.key === key) : -1;
		if (known >= 0) return known + 1;
		return this.joins.push({ parent, references, collection, owner, key });
	}

	private *bindings(bound: Binding): Generator<Binding> {
		const join = this.joins[bound.length - 1];
		if (!join) {
			yield bound;
			return;
		}
		let row = bound[join.parent];
		for (const reference of join.references) row = row && referencedRow(this.store, row, reference);
		const children = row ? collectionRows(this.store, join.owner, row, join.collection) : [];
		for (const child of children.length > 0 ? children : [undefined]) {
			yield* this.bindings([...bound, child]);
		}
	}

	private filter({ FilterOperator, Conditions = [], Filters = [] }: Filter): Test {
		const tests = [
			...Conditions.map((condition) => this.condition(condition)),
			...Filters.map((inner) => this.filter(inner)),
		];
		if (tests.length === 0) return () => true;
		return FilterOperator === 'Or'
			? (binding) => tests.some((test) => test(binding))
			: (binding) => tests.every((test) => test(binding));
	}

	private condition({ PropertyName, Operator, Values }: Condition): Test {
		if (NOT_FILTERABLE.has(`${this.type.name}.${PropertyName}`.toLowerCase())) {
			return fail('ERROR_CODE_1002', `"${PropertyName}" cannot be used in a condition.`);
		}
		const reader = this.reader(PropertyName);
		const { field } = reader;
		const { values, test, empty = false, textOnly } = OPERATORS[Operator];
		const [min, max] = values;
		if (Values.length < min || Values.length > max) {
			return fail('INCORRECT_MODEL', `Wrong number of values (${Values.length}) for ${Operator}.`);
		}
		if (textOnly && field.kind !== 'string') {
			return fail('INCORRECT_MODEL', `${Operator} needs a text property: ${PropertyName} is none.`);
		}
		const isText = field.kind === 'string' && !textOnly;
		const read: Reader['read'] = (binding) =>
			isText ? withoutEnd(reader.read(binding)) : reader.read(binding);
		const operands = Values.map((value) => toOperand(field, value)).map((one) =>
			isText ? withoutEnd(one) : one,
		);
		if (Operator === 'In' || Operator === 'NotIn')
			return membershipTest(read, operands, Operator === 'In');
		return (binding) => {
			const value = read(binding);
			return value === undefined ? empty : test(value, operands);
		};
	}
}

/** SQL Server ignores blanks at the end of a text, but no other white space; patterns count both. */
const withoutEnd = <T>(value: T): T | string =>
	typeof value === 'string' && value.endsWith(' ') ? value.replace(/ +$/, '') : value;

/** A set keeps lists of hundreds of Ids fast. */
function membershipTest(read: Reader['read'], operands: Comparable[], wanted: boolean): Test {
	const known = new Set(operands);
	return (binding) => {
		const value = read(binding);
		return value !== undefined && known.has(value) === wanted;
	};
}
