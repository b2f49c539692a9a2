import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Call } from './call';
import type { Outcome } from './outcome';

interface OperationForm {
	name: string;
	value: string;
	/** Stands alone in the node panel and for a language model: "Create a work order". */
	action: string;
	description: string;
	fields: INodeProperties[];
}

/** Most operations handle one input item after the other; some are cheaper for all items at once. */
export type Operation = OperationForm &
	(
		| { each: (call: Call) => Promise<INodeExecutionData[]> }
		| { all: (calls: Call[]) => Promise<Outcome[]> }
	);

export interface Resource {
	name: string;
	value: string;
	description?: string;
	operations: Operation[];
}
