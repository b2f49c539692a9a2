import { z } from 'zod';

import { enumeration } from '../schema';
import { oneOf, requestId, shape } from '../shapes';

export interface Condition {
	PropertyName: string;
	Operator: string;
	Values: unknown[];
}

export interface Filter {
	FilterOperator?: string;
	Conditions?: Condition[];
	Filters?: Filter[];
}

const condition = shape({
	PropertyName: z.string().min(1),
	Operator: oneOf(enumeration('ConditionOperator')),
	Values: z.array(z.unknown()).default([]),
});

const filter: z.ZodType<Filter, z.ZodTypeDef, unknown> = z.lazy(() =>
	shape({
		FilterOperator: oneOf(enumeration('LogicalOperator')).optional(),
		Conditions: z.array(condition).optional(),
		Filters: z.array(filter).optional(),
	}),
);

const whole = z.number().int().min(0);

export const queryRequest = shape({
	RequestId: requestId,
	QueryExpression: shape({
		EntityType: z.string().optional(),
		PropertySet: shape({ Properties: z.array(z.string()).default([]) }).optional(),
		Criteria: filter.optional(),
		Orders: z
			.array(
				shape({
					PropertyName: z.string().min(1),
					OrderType: oneOf(enumeration('OrderType')).default('Ascending'),
				}),
			)
			.default([]),
		Distinct: z.boolean().default(false),
		Count: whole.default(0),
		FirstResultIndex: whole.default(0),
	}),
});

export type QueryExpression = z.output<typeof queryRequest>['QueryExpression'];
