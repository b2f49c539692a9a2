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
}

/** The name of one record, or of several; empty for none. */
type Changed = string | readonly string[];

/** Handles one input item at a time. */
export interface EachOperation {
	each: (context: ItemContext) => Promise<INodeExecutionData[]>;
	/** Changes nothing, so items need not wait for each other. */
	reads?: true;
<<<<<<< HEAD
	/** Names the record that is changed: changes to one record go one by one, in the order of the items. */
	changes?: (context: ItemContext) => Promise<string>;
=======
	/** Names the records that an item changes: changes to one record go one by one, in the order of the items. */
	changes?: (context: ItemContext) => Changed | Promise<Changed>;
>>>>>>> 1d87ba7 (refactor: one registry of records that are created once serves Create or Update and both Skip options)
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
