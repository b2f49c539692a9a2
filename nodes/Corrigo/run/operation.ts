import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { CommandName } from '../catalogue/commands';
import type { JsonObject } from '../values/objects';
import type { FormResolver, ItemContext } from './context';
import type { Outcome } from './outcomes';

interface OperationDescription {
	/** Title, if it is not the words of `value`. */
	name?: string;
	value: string;
	/** The node panel and language models show this text alone: "Create a work order". */
	action: string;
	description: string;
	fields: INodeProperties[];
	/** Command that the operation sends, if it sends one. */
	command?: CommandName;
	/** Builds the output of an item, with a value of each type; undefined if nobody has published it. */
	output: (() => JsonObject | JsonObject[]) | undefined;
	/** REST endpoint, unless the operation is a command; docs/operations.md lists both. */
	address?: string;
}

/** Keys of the records that an item changes; empty if it changes none. */
export type RecordKeys = string | readonly string[];

/** Handles one input item at a time. */
interface OneByOne {
	each: (context: ItemContext) => Promise<INodeExecutionData[]>;
}

/** Reads change nothing, so items need not wait for each other. */
interface ReadOperation extends OneByOne {
	reads: true;
	check?: undefined;
	changes?: undefined;
}

interface WriteOperation extends OneByOne {
	reads?: undefined;
	/** Reads the form, and fails an item that cannot be carried out, before the first write is sent. */
	check: (context: ItemContext) => unknown;
	/** Reads the keys of changed records; changes to one record are sent in the order of items. */
	changes?: FormResolver<RecordKeys>;
}

export type EachOperation = ReadOperation | WriteOperation;

/** Some reads are cheaper for all items at once. */
interface AllOperation {
	reads: true;
	all: (contexts: ItemContext[]) => Promise<Outcome[]>;
}

export type Operation = OperationDescription & (EachOperation | AllOperation);

export interface Resource {
	/** Title, if it is not the words of `value`. */
	name?: string;
	value: string;
	description?: string;
	/** Operation of a new node, if it is not *Get Many*. */
	defaultOperation?: string;
	operations: Operation[];
}
