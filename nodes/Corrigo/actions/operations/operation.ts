import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Call } from '../call';
import type { Outcome } from '../outcome';

interface OperationForm {
	name: string;
	value: string;
	/** Stands alone in the node panel and for a language model: "Create a work order". */
	action: string;
	description: string;
	fields: INodeProperties[];
}

/** Handles one input item at a time. */
export interface EachOperation {
	each: (call: Call) => Promise<INodeExecutionData[]>;
	/** Changes nothing, so items need not wait for each other. */
	reads?: true;
}

/** Some operations are cheaper for all items at once. */
export interface AllOperation {
	all: (calls: Call[]) => Promise<Outcome[]>;
}

export type Operation = OperationForm & (EachOperation | AllOperation);

export interface Resource {
	name: string;
	value: string;
	description?: string;
	operations: Operation[];
}
