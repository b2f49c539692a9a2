import { z } from 'zod';

import { enumeration } from '../schema';
import { enumerationMember, requestShapes, requestId } from '../shapes';

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
const nonNegative = z.number().int().min(0);

export const queryRequest = requestShapes<{ RequestId?: string; QueryExpression: QueryExpression }>(
	(shapeOf) => {
		const condition = shapeOf({
			PropertyName: name,
			Operator: enumerationMember(enumeration('ConditionOperator')),
			Values: z.array(z.unknown()).default([]),
		});
		const inner: z.ZodType<Filter, z.ZodTypeDef, unknown> = z.lazy(() => filter);
		const filter = shapeOf({
			FilterOperator: enumerationMember(enumeration('LogicalOperator')).optional(),
			Conditions: z.array(condition).optional(),
			Filters: z.array(inner).optional(),
		});
		const order = shapeOf({
			PropertyName: name,
			OrderType: enumerationMember(enumeration('OrderType')).default('Ascending'),
		});
		return shapeOf({
			RequestId: requestId,
			QueryExpression: shapeOf({
				EntityType: z.string().optional(),
				PropertySet: shapeOf({ Properties: z.array(z.string()).default([]) }).optional(),
				Criteria: filter.optional(),
				Orders: z.array(order).default([]),
				Distinct: z.boolean().default(false),
				Count: nonNegative.default(0),
				FirstResultIndex: nonNegative.default(0),
			}),
		});
	},
);
