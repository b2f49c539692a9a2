import { z } from 'zod';

import { enumeration } from '../schema';
import { oneOf, request, requestId } from '../shapes';

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

export interface Order {
	PropertyName: string;
	OrderType: string;
}

export interface QueryExpression {
	PropertySet?: { Properties: string[] };
	Criteria?: Filter;
	Orders: Order[];
	Distinct: boolean;
	Count: number;
	FirstResultIndex: number;
}

const name = z.string().min(1);
const whole = z.number().int().min(0);

export const queryRequest = request<{ RequestId?: string; QueryExpression: QueryExpression }>(
	(shapeOf) => {
		const condition = shapeOf({
			PropertyName: name,
			Operator: oneOf(enumeration('ConditionOperator')),
			Values: z.array(z.unknown()).default([]),
		});
		const inner: z.ZodType<Filter, z.ZodTypeDef, unknown> = z.lazy(() => filter);
		const filter = shapeOf({
			FilterOperator: oneOf(enumeration('LogicalOperator')).optional(),
			Conditions: z.array(condition).optional(),
			Filters: z.array(inner).optional(),
		});
		const order = shapeOf({
			PropertyName: name,
			OrderType: oneOf(enumeration('OrderType')).default('Ascending'),
		});
		return shapeOf({
			RequestId: requestId,
			QueryExpression: shapeOf({
				EntityType: z.string().optional(),
				PropertySet: shapeOf({ Properties: z.array(z.string()).default([]) }).optional(),
				Criteria: filter.optional(),
				Orders: z.array(order).default([]),
				Distinct: z.boolean().default(false),
				Count: whole.default(0),
				FirstResultIndex: whole.default(0),
			}),
		});
	},
);
