/** The cases fill these into forms: columns, conditions, options, and a value for any other field. */
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { findFieldTarget } from '../../nodes/Corrigo/form/subjects';
import { isObject } from '../../nodes/Corrigo/values/objects';
import type { Store } from '../../sandbox';
import { asText, byId, byName, fromList } from '../support/company';
import type { Step } from './saved';

export interface OperationCase {
	/** Last part of the node's name, after resource and operation. */
	variant: string;
	parameters: INodeParameters;
	/** Every filter of the form gets a value, so that hardly anything passes. */
	isFiltered?: true;
	/** The node writes with the key of its dry run. */
	isConfirmed?: true;
	before?: Step[];
	input?: INodeExecutionData[];
}

export const REQUEST_ID = 'R-1';

/** Each option with a value other than its default, for every form that offers it. */
export const OPTIONS: INodeParameters = {
	author: 'Ada',
	dryRun: 'never',
	// Every entity has other fields, and some have none that may be empty.
	fieldsToClear: '={{ [] }}',
	flattenCustomFields: true,
	ifAlreadySo: 'send',
	ignoreMissing: true,
	include: ['customer', 'items', 'costStatuses'],
	includeRemoved: true,
	maxFileSize: 1,
	returnBefore: true,
	returnRecord: true,
	skipIfSameExists: true,
	updateOnly: 'error',
	advanced: {
		combineItems: false,
		distinct: true,
		firstResultIndex: 1,
		isolationLevel: 'Snapshot',
		maxItems: 7,
		pageSize: 2,
		pagingMethod: 'byOffset',
		parallelRequests: 1,
		requestId: REQUEST_ID,
		timeout: 60_000,
	},
};

/** Options of reads that change the output. */
export const FOR_MODELS: INodeParameters = {
	audience: 'internal',
	compactLimit: 500,
	compactOutput: true,
	flattenCustomFields: true,
};

export const CUSTOMERS: INodeParameters = { audience: 'customer' };

/** The last fields of most forms. */
export const ALL: INodeParameters = { output: 'raw', options: OPTIONS };

/** One case of an operation or an event. */
export const variant = (
	name: string,
	parameters: INodeParameters,
	more: Omit<OperationCase, 'variant' | 'parameters'> = {},
): OperationCase => ({ variant: name, parameters, ...more });

/** A case with few fields, and one with all that the operation has. */
export const inBoth = (
	little: INodeParameters,
	all: INodeParameters,
	more?: Parameters<typeof variant>[2],
): OperationCase[] => [variant('little', little, more), variant('all', { ...ALL, ...all }, more)];

/** The columns of a form as the editor stores them. */
export const columns = (value: IDataObject, matchingColumns: string[] = []) =>
	({
		mappingMode: 'defineBelow',
		value,
		matchingColumns,
		schema: Object.entries(value).map(([id, one]) => ({
			id,
			displayName: id,
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			removed: false,
			type: typeof one,
		})),
	}) as unknown as INodeParameters;

/** The columns of members, where a reference has one for its ID. */
export const flattenReferences = (members: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(members).map(([name, value]) =>
			isObject(value) ? [`${name}.Id`, value.Id as number] : [name, value],
		),
	);

/** Conditions of each form: with one value, with a list, and with a range. */
export const searchByIds = (property: string, ids: number[]) =>
	({
		match: 'any',
		searchBy: 'conditions',
		conditions: {
			values: [
				{ property: byName(property), operator: 'Like', value: asText('B%') },
				{ property: fromList('Id'), operator: 'In', values: ids.map(String) },
				{
					property: fromList('Id'),
					operator: 'Between',
					value: fromList(ids[0]),
					valueTo: asText(ids[ids.length - 1]),
				},
			],
		},
	}) as unknown as INodeParameters;

export const JSON_CRITERIA = {
	searchBy: 'json',
	criteriaJson:
		'{ "Conditions": [{ "PropertyName": "Id", "Operator": "GreaterThan", "Values": [1] }] }',
};

export const getFirst = (store: Store, entity: string) => store.rows(entity)[0].Id;

/** A value for an entry of a collection. */
export const entryOf =
	(store: Store) =>
	(field: INodeProperties): INodeParameters[string] => {
		const { name, type, typeOptions, default: initial, options = [] } = field;
		switch (type) {
			case 'resourceLocator': {
				const target = findFieldTarget(field);
				if (target === undefined) throw new Error(`${name} needs a value in test/compat/cases.ts`);
				return byId(getFirst(store, target.entity));
			}
			case 'multiOptions':
				return options.map((option) => (option as INodePropertyOptions).value as string);
			case 'options':
				return (options.at(-1) as INodePropertyOptions).value;
			case 'boolean':
				return initial !== true;
			case 'number':
				return 9999;
			case 'dateTime':
				return '2001-02-03T04:05:06';
			case 'fixedCollection':
				return { values: typeOptions?.multipleValues ? [{}] : compareLastDate(options) };
			default:
				return 'a';
		}
	};

/** One case with filters compares the last date with times, the other the first date with days. */
function compareLastDate(groups: NonNullable<INodeProperties['options']>): INodeParameters {
	const [{ values = [] }] = groups as Array<{ values?: INodeProperties[] }>;
	const last = values.find(({ name }) => name === 'date')?.options?.at(-1) as
		| INodePropertyOptions
		| undefined;
	return {
		...(last && { date: last.value as string }),
		when: 'between',
		time: '2001-02-03T04:05:06',
		until: '2040-01-01T00:00:00',
	};
}

export const IN_DAYS = { dates: { values: { when: 'lastDays', days: 9999 } } };
