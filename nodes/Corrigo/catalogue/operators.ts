import type { enumerations } from './enumerations';

export interface Operator {
	/** Name that the service uses. */
	name: (typeof enumerations)['ConditionOperator'][number];
	label: string;
	/** Number of values that a condition with the operator takes. */
	values: 'none' | 'one' | 'two' | 'many';
}

/** All operators of the service, sorted by label. Like with % does what Contains would do. */
export const operators = [
	{ name: 'Between', label: 'Is Between', values: 'two' },
	{ name: 'Null', label: 'Is Empty (Null)', values: 'none' },
	{ name: 'Equal', label: 'Is Equal To', values: 'one' },
	{ name: 'GreaterThan', label: 'Is Greater Than', values: 'one' },
	{ name: 'GreaterOrEqual', label: 'Is Greater Than or Equal To', values: 'one' },
	{ name: 'LessThan', label: 'Is Less Than', values: 'one' },
	{ name: 'LessOrEqual', label: 'Is Less Than or Equal To', values: 'one' },
	{ name: 'Like', label: 'Is Like', values: 'one' },
	{ name: 'NotBetween', label: 'Is Not Between', values: 'two' },
	{ name: 'NotNull', label: 'Is Not Empty (Not Null)', values: 'none' },
	{ name: 'NotEqual', label: 'Is Not Equal To', values: 'one' },
	{ name: 'NotLike', label: 'Is Not Like', values: 'one' },
	{ name: 'NotIn', label: 'Is Not One Of', values: 'many' },
	{ name: 'In', label: 'Is One Of', values: 'many' },
] as const satisfies readonly Operator[];

export type OperatorName = (typeof operators)[number]['name'];
