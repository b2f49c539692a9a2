import { randomUUID } from 'node:crypto';
import type { INodeProperties } from 'n8n-workflow';

import { hasAudience } from '../catalogue/audience';
import { getEntity, carriesCustomFields } from '../catalogue/entities';
import { MAX_PAGE_SIZE } from '../wire/paging';
import {
	buildLoadedList,
	buildNumber,
	buildToggle,
	defineField,
	fieldsModeField,
	sortByTitle,
} from './fields';
import { Form, parseInput, type Value } from './form';
import { type JsonObject, isObject } from '../values/objects';

/** A count has no rows to shape or to skip. */
const FOR_RECORDS = { show: { '/return': ['records'] } };

/** Each option is defined once, so that it has the same name and meaning in every operation. */
export const optionFields = {
	audience: {
		displayName: 'Audience',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Customer',
				value: 'customer',
				description:
					'Only what customers may see: no costs, staff, custom fields, or private notes and documents',
			},
			{ name: 'Internal', value: 'internal', description: 'Everything' },
		],
		default: 'customer',
		description: 'Who sees the output. Without this option, nothing is hidden.',
	},
	combineItems: buildToggle(
		'Combine Items',
		'Whether to read the records of many items in few requests. If off, each item is read by a request of its own.',
		true,
	),
	compactLimit: {
		...buildNumber(
			'Compact Limit',
			"How many characters of records 'Compact Output' returns at most, 20,000 unless set",
			// Language models lose track of a longer text.
			20_000,
			{ minValue: 100 },
		),
		displayOptions: FOR_RECORDS,
	},
	compactOutput: {
		...buildToggle(
			'Compact Output',
			'Whether to return all records in one item: records, total, and whether they are complete. Made for language models.',
			true,
		),
		displayOptions: FOR_RECORDS,
	},
	confirmationKey: {
		displayName: 'Confirmation Key',
		type: 'string',
		default: '',
		description:
			'ConfirmationKey from the dry run of this item. The item is written only if nothing has changed since then. An n8n process accepts each key once.',
	},
	distinct: {
		...buildToggle(
			'Distinct',
			'Whether Corrigo itself returns each row once. Without this option, n8n leaves out records that come several times. With it, records that are equal in all selected fields may come as one, unless the ID is among these fields.',
		),
		displayOptions: FOR_RECORDS,
	},
	dryRun: {
		displayName: 'Dry Run',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Never', value: 'never' },
			{
				name: 'When Testing',
				value: 'manual',
				description: 'Write nothing in executions that you start in the editor',
			},
			{ name: 'Always', value: 'always' },
		],
		default: 'always',
		description:
			'When to write nothing and return what would be sent and changed instead. Corrigo may still refuse the write: only Corrigo knows the rules of your Company.',
	},
	expectedVersion: {
		displayName: 'Expected Concurrency ID',
		type: 'string',
		default: '={{ $json.ConcurrencyId }}',
		displayOptions: { show: { ifChanged: ['fail', 'skip'] } },
		description: 'ConcurrencyId of the record when you read it',
	},
	fieldsToClear: buildLoadedList(
		'Fields to Clear',
		'getClearable',
		'Fields to empty. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	),
	firstResultIndex: {
		...buildNumber('First Result Index', 'How many results to skip. Reads by offset.', 0, {
			minValue: 0,
		}),
		displayOptions: FOR_RECORDS,
	},
	flattenCustomFields: {
		...buildToggle(
			'Flatten Custom Fields',
			'Whether to return custom fields as names with their values',
		),
		displayOptions: { hide: { '/output': ['raw'], '/return': ['count', 'groups'] } },
	},
	ifAlreadySo: {
		displayName: 'If Already So',
		type: 'options',
		options: [
			{ name: 'Send', value: 'send', description: 'Send the request all the same' },
			{ name: 'Succeed', value: 'succeed', description: 'Send nothing. AlreadySo is true.' },
		],
		default: 'succeed',
		description:
			'What to do with a record that already is as requested. Without this option, the request is sent. Reads up to 500 records per request.',
	},
	ifChanged: {
		displayName: 'If Changed',
		type: 'options',
		options: [
			{ name: 'Fail', value: 'fail', description: 'The item fails' },
			{ name: 'Overwrite', value: 'overwrite', description: 'The last writer wins' },
			{
				name: 'Skip',
				value: 'skip',
				description: 'Do not write the record. Outcome is "skipped".',
			},
		],
		default: 'fail',
		description:
			'What to do with a record that somebody else has changed since you read it. Without this option, your values are written.',
	},
	ignoreMissing: buildToggle('Ignore Missing', 'Whether to continue if the record does not exist'),
	includeRemoved: buildToggle(
		'Include Removed',
		'Whether to return records that were deleted and can be restored, too',
	),
	isolationLevel: {
		displayName: 'Isolation Level',
		type: 'options',
		options: [
			{ name: 'Default', value: 'Default' },
			{ name: 'Read Committed', value: 'ReadCommitted' },
			{ name: 'Read Uncommitted', value: 'ReadUncommitted' },
			{ name: 'Snapshot', value: 'Snapshot' },
		],
		default: 'Default',
		description: 'How the database of Corrigo reads while others write',
	},
	maxFileSize: buildNumber(
		'Maximum File Size',
		'Maximum size in megabytes. The whole file is in memory during the download.',
		100,
		// A buffer of Node.js 20 holds up to 4 GB.
		{ minValue: 1, maxValue: 4000 },
	),
	maxItems: buildNumber(
		'Maximum Items',
		'Number of input items above which nothing is written. Without this option, a tool writes at most one item, and a node in a workflow has no limit.',
		100,
	),
	pageSize: buildNumber(
		'Page Size',
		'Number of results per request. Without this option, 4000, which is the maximum.',
		1000,
		{ minValue: 1, maxValue: MAX_PAGE_SIZE },
	),
	pagingMethod: {
		displayName: 'Paging Method',
		type: 'options',
		options: [
			{
				name: 'By ID',
				value: 'byId',
				description: 'The oldest first. Loses and repeats nothing while records come and go.',
			},
			{ name: 'By Offset', value: 'byOffset', description: 'Works with any order' },
		],
		default: 'byId',
		description:
			"How to find the next page. Without this option, by ID if 'Return All' is on and neither a sort nor a first result index is set.",
		displayOptions: FOR_RECORDS,
	},
	parallelRequests: buildNumber(
		'Parallel Requests',
		'Number of simultaneous requests, up to 16. Without this option, 4 for reads and 1 for writes.',
		4,
		// More simultaneous requests would slow down other users of the Company.
		{ minValue: 1, maxValue: 16 },
	),
	requestId: {
		displayName: 'Request ID',
		type: 'string',
		default: '',
		description:
			'Your own identifier for the request. Does not prevent duplicates. Generated if empty.',
	},
	returnBefore: buildToggle(
		'Return Before',
		"Whether to return the changed fields as they were before, too. Without this option, Create or Update, Restore Values and 'If Changed' (Fail or Skip) return them, but not in a tool. Reads up to 500 records per request.",
		true,
	),
	returnRecord: buildToggle(
		'Return Record',
		'Whether to read the record after the change and return it. Takes one more request for each item, and others for names if Output is Simplified.',
	),
	skipIfSameExists: buildToggle(
		'Skip If the Same Exists',
		'Whether to return what the record already has instead of adding the same once more. AlreadyExisted shows which happened. Reads up to 500 records per request.',
	),
	timeout: buildNumber('Timeout', 'Time in milliseconds to wait for an answer', 300_000),
	updateOnly: {
		displayName: 'Update Only',
		type: 'options',
		options: [
			{ name: 'Fail Where There Is No Match', value: 'error', description: 'The item fails' },
			{
				name: 'Skip Where There Is No Match',
				value: 'skip',
				description: 'Skip the item. Outcome is "missing".',
			},
		],
		default: 'skip',
		description: 'What to do with items that match no record. No records are created.',
	},
} as const satisfies Record<string, Omit<INodeProperties, 'name'>>;

export type OptionName = keyof typeof optionFields;

/** Value of an option that was added. */
export type OptionValue<Name extends OptionName> = Value<(typeof optionFields)[Name]>;

export type SwitchName = {
	[Name in OptionName]: OptionValue<Name> extends boolean ? Name : never;
}[OptionName];

/** Few users need these options, so they have a menu of their own. */
const ADVANCED_OPTIONS: readonly OptionName[] = [
	'combineItems',
	'distinct',
	'firstResultIndex',
	'isolationLevel',
	'maxItems',
	'pageSize',
	'pagingMethod',
	'parallelRequests',
	'requestId',
	'timeout',
];

/** The rule decides which executions write nothing. */
export type DryRunRule = OptionValue<'dryRun'>;

const hasVersion = (entity?: string) => entity === undefined || getEntity(entity)?.lock === true;

/** An option is not offered for entities on which it has no effect. */
const isEffective: Partial<Record<OptionName, (entity?: string) => boolean>> = {
	audience: hasAudience,
	expectedVersion: hasVersion,
	flattenCustomFields: (entity) => entity === undefined || carriesCustomFields(entity),
	ifChanged: hasVersion,
	includeRemoved: (entity) => entity === undefined || getEntity(entity)?.softDelete === true,
};

/** Every operation that writes has these options, in addition to its own. */
export const WRITE_OPTIONS: readonly OptionName[] = [
	'confirmationKey',
	'dryRun',
	'maxItems',
	'parallelRequests',
	'timeout',
];

/** The entity is undefined if the user names it. `own` are options of one operation alone. */
export function buildOptions(
	names: readonly OptionName[],
	entity?: string,
	own: readonly INodeProperties[] = [],
): INodeProperties {
	const effective = names.filter((name) => isEffective[name]?.(entity) ?? true);
	const getFields = (isAdvanced: boolean) =>
		effective
			.filter((name) => ADVANCED_OPTIONS.includes(name) === isAdvanced)
			.map((name) => ({ ...optionFields[name], name }));
	return buildOptionsCollection([...getFields(false), ...own], getFields(true));
}

const ADDED_OPTIONS = { type: 'collection', placeholder: 'Add option', default: {} } as const;

export const optionsField = defineField({
	displayName: 'Options',
	name: 'options',
	...ADDED_OPTIONS,
});

const FOR_PEOPLE: readonly string[] = [fieldsModeField.name, optionsField.name];

/** People decide how an operation runs, also where a model fills in the other fields. */
export const isForPeople = ({ name }: INodeProperties): boolean => FOR_PEOPLE.includes(name);

export const advancedField = defineField({
	displayName: 'Advanced',
	name: 'advanced',
	...ADDED_OPTIONS,
});

export const buildOptionsCollection = (
	everyday: readonly INodeProperties[],
	advanced: readonly INodeProperties[] = [],
): INodeProperties => ({
	...optionsField,
	options: [
		...sortByTitle(everyday),
		...(advanced.length > 0 ? [{ ...advancedField, options: sortByTitle(advanced) }] : []),
	],
});

const isOption = (name: string): name is OptionName => Object.hasOwn(optionFields, name);

/** The form of an operation. */
export class OperationForm extends Form {
	/** The form nests advanced options, which makes no difference to operations. */
	get options(): JsonObject {
		const { [advancedField.name]: advanced, ...everyday } = this.read(optionsField);
		return isObject(advanced) ? { ...everyday, ...advanced } : everyday;
	}

	/** Undefined if the option was not added. */
	option<Name extends OptionName>(name: Name): OptionValue<Name> | undefined {
		const { options } = this;
		if (!(name in options)) return undefined;
		return parseInput<(typeof optionFields)[Name]>(optionFields[name], options[name]);
	}

	/** Refuses a wrong option before the operation that needs it has begun. */
	checkOptions(): void {
		for (const name of Object.keys(this.options)) {
			if (isOption(name)) this.option(name);
		}
	}

	/** The fallback applies if the option was not added. */
	isOn(name: SwitchName, fallback = false): boolean {
		return this.option(name) ?? fallback;
	}

	/** Customers see fewer records, and fewer members of each. */
	get isForCustomers(): boolean {
		return this.option('audience') === 'customer';
	}

	/** Identifies the call in Corrigo's log and in messages; generated if the user entered none. */
	getRequestId(): string {
		return String(this.options.requestId ?? '').trim() || randomUUID();
	}

	/** Maximum number of parallel requests. */
	getConcurrency(fallback: number): number {
		return parseInput(optionFields.parallelRequests, this.options.parallelRequests ?? fallback);
	}
}
