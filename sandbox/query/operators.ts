import type { Comparable } from './values';

type Test = (value: Comparable, operands: readonly Comparable[]) => boolean;

interface Operator {
	values: readonly [min: number, max: number];
	test: Test;
	/** Whether the operator matches an empty member; as in SQL, only Null does. */
	empty?: boolean;
	textOnly?: boolean;
}

const ONE = [1, 1] as const;
const TWO = [2, 2] as const;
const MANY = [1, Infinity] as const;
const NONE = [0, 0] as const;

const patterns = new Map<string, RegExp>();

function like(value: Comparable, [pattern]: readonly Comparable[]): boolean {
	const source = String(pattern);
	let compiled = patterns.get(source);
	if (!compiled) {
		const parts = source.split('%').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
		compiled = new RegExp(`^${parts.join('[^]*')}$`, 'u');
		patterns.set(source, compiled);
	}
	return compiled.test(String(value));
}

const isBetween: Test = (value, [low, high]) => value >= low && value <= high;

export const OPERATORS: Readonly<Record<string, Operator>> = {
	Between: { values: TWO, test: isBetween },
	Equal: { values: ONE, test: (value, [other]) => value === other },
	GreaterOrEqual: { values: ONE, test: (value, [other]) => value >= other },
	GreaterThan: { values: ONE, test: (value, [other]) => value > other },
	In: { values: MANY, test: (value, others) => others.includes(value) },
	LessOrEqual: { values: ONE, test: (value, [other]) => value <= other },
	LessThan: { values: ONE, test: (value, [other]) => value < other },
	Like: { values: ONE, test: like, textOnly: true },
	NotBetween: { values: TWO, test: (value, range) => !isBetween(value, range) },
	NotEqual: { values: ONE, test: (value, [other]) => value !== other },
	NotIn: { values: MANY, test: (value, others) => !others.includes(value) },
	NotLike: { values: ONE, test: (value, other) => !like(value, other), textOnly: true },
	NotNull: { values: NONE, test: () => true },
	Null: { values: NONE, test: () => false, empty: true },
};
