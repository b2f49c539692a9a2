import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { CommandName } from '../catalogue/commands';
import type { ItemContext } from './context';
import type { Outcome } from './outcome';

interface OperationForm {
	name: string;
	value: string;
	/** Stands alone in the node panel and for a language model: "Create a work order". */
	action: string;
	description: string;
	fields: INodeProperties[];
	/** The one command that it is, if it is one. */
	command?: CommandName;
	/** The one address that it asks, if it is no command; docs/operations.md has it. */
	address?: string;
}

/** The name of one record, or of several; empty for none. */
export type Changed = string | readonly string[];

/** Handles one input item at a time. */
export interface EachOperation {
	each: (context: ItemContext) => Promise<INodeExecutionData[]>;
	/** Fails an item that cannot be carried out. All items are checked before the first write is sent. */
	check?: (context: ItemContext) => Promise<void>;
	/** Changes nothing, so items need not wait for each other. */
	reads?: true;
	/** Names the records that are changed: changes to one record go one by one, in the order of the items. */
	changes?: (context: ItemContext) => Promise<Changed>;
}

/** Some operations are cheaper for all items at once. */
interface AllOperation {
	all: (contexts: ItemContext[]) => Promise<Outcome[]>;
}

export type Operation = OperationForm & (EachOperation | AllOperation);

export interface Resource {
	name: string;
	value: string;
	description?: string;
	operations: Operation[];
}
