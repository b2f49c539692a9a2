/** Tables and lists of operations, options, filters and events, generated from the nodes. */
import type { INodeProperties } from 'n8n-workflow';
import { resources } from '../nodes/Corrigo/actions/resources';
import { entities } from '../nodes/Corrigo/catalogue/entities';
import { filters } from '../nodes/Corrigo/form/filters';
import { toTitle } from '../nodes/Corrigo/catalogue/enumerations/labels';
import { kinds, otherKinds } from '../nodes/Corrigo/values/kinds';
import { subjects, type Subject } from '../nodes/Corrigo/form/subjects';
import { actionLog } from '../nodes/Corrigo/trigger/changes/attached';
import { triggerFields as triggerProperties } from '../nodes/Corrigo/trigger/triggerForm';
import { events, isPushed, isSeveral, type EventType } from '../nodes/Corrigo/trigger/events';
import { findPushing, type Pushing } from '../nodes/Corrigo/webhook/services';
import { getPage } from './operationSamples';
import {
	buildLink,
	COMMON_OPERATIONS,
	describeChoices,
	isCommon,
	omitPeriod,
	toMarkdown,
} from './reference';

export const table = (headings: string[], rows: string[][]) =>
	[headings, headings.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');

/** Lists for each kind of value what a person may write, and what is sent. */
export const valuesTable = () =>
	table(
		['Kind', 'You may write', 'What is sent'],
		Object.entries({ ...kinds, ...otherKinds }).map(([kind, { takes, sends }]) => [
			toTitle(kind),
			takes,
			sends,
		]),
	);

/** All operations, for a page at the top of the repository. */
export const resourcesTable = () =>
	table(
		['Resource', 'Operations'],
		resources.map((resource) => [
			`**[${resource.name}](${getPage(resource)})**`,
			resource.operations.map(({ name }) => name).join(', '),
		]),
	);

/** The operations that work in the same way for many resources. */
export const commonOperationsTable = () =>
	table(
		['Resource', ...Object.keys(COMMON_OPERATIONS)],
		[
			['', ...Object.values(COMMON_OPERATIONS)],
			...resources
				.map((resource) => [
					`**${resource.name}**`,
					...Object.keys(COMMON_OPERATIONS).map((name) => {
						const operation = resource.operations.find((one) => one.name === name);
						if (operation === undefined) return '';
						return buildLink(isCommon(operation) ? '✓' : 'its own', resource, operation);
					}),
				])
				.filter((row) => row.some((cell) => cell.startsWith('[✓]'))),
		],
	);

/** The operations that are particular to their resource. */
export const operationsTable = () =>
	table(
		['Resource', 'Operations'],
		resources.flatMap((resource) => {
			const own = resource.operations.filter((operation) => !isCommon(operation));
			const links = own.map((operation) => buildLink(operation.name, resource, operation));
			return own.length > 0 ? [[`**${resource.name}**`, links.join(', ')]] : [];
		}),
	);

/** The writes that the service refuses, and those of which nothing is known. */
export const writesTable = () =>
	table(
		['Entities', 'Create, update, delete'],
		[
			...entities
				.filter(({ refuses }) => refuses !== undefined)
				.map(({ label, refuses = {} }) => [label, `no ${Object.keys(refuses).join(', ')}`]),
			[
				entities
					.flatMap(({ label, writes }) => (writes === 'unknown' ? [label] : []))
					.sort()
					.join(', '),
				'**Not known**, because Corrigo publishes only their members, or nothing. The node sends the write; Corrigo takes it, or says why not.',
			],
		],
	);

const list = (entries: ReadonlyArray<readonly [name: string, text: string]>) =>
	entries.map(([name, text]) => `- **${name}**: ${text}\n`).join('');

/** Returns the rows that are changes, and what their order follows. */
function describeSource(event: EventType): string {
	switch (event.rows) {
		case 'actions': {
			const log = `log of actions, by \`${actionLog.time}\``;
			return isSeveral(event) ? `${log}, and notes and documents, by rising ID` : log;
		}
		case 'attached':
			return `${subjects[event.entity === 'WoNote' ? 'note' : 'document'].many}, by rising ID`;
		case 'orders':
			return `work orders, by \`${event.time}\``;
		case 'records':
			return 'any entity, by the date property or rising ID';
		case 'compared':
			return 'any entity, by comparison';
		case 'deadlines':
			return 'work orders, by the deadline';
	}
}

export const eventsList = () =>
	list(Object.values<EventType>(events).map(({ name, description }) => [name, description]));

/** Events of one source share a line. */
export function eventSourcesList() {
	const names = new Map<string, string[]>();
	for (const event of Object.values<EventType>(events)) {
		const source = describeSource(event);
		names.set(source, [...(names.get(source) ?? []), event.name]);
	}
	return list([...names].map(([source, own]) => [own.join(', '), source]));
}

const PUSHED_BY: Readonly<Record<Pushing, string[]>> = {
	both: ['yes', 'yes'],
	older: ['no', 'yes'],
	some: ['some actions', 'some actions'],
	neither: ['no', 'no'],
	unknown: ['not known', 'not known'],
};

/** Which of the services of Corrigo pushes which event. */
export const pushesTable = () =>
	table(
		['Event', 'Corrigo Webhook', 'Event Service'],
		Object.values<EventType>(events)
			.filter(isPushed)
			.map((event) => [event.name, ...PUSHED_BY[findPushing(event)]]),
	);

const listOptions = (fields: readonly INodeProperties[]) =>
	fields
		.filter(({ name, type }) => name === 'options' && type === 'collection')
		.flatMap(({ options }) => options as INodeProperties[])
		.flatMap((field) => (field.name === 'advanced' ? listAdvanced(field) : [field]));

const listAdvanced = ({ displayName: entry, options }: INodeProperties) =>
	(options as INodeProperties[]).map((field) => ({
		...field,
		displayName: `${entry} > ${field.displayName}`,
	}));

const operations = resources.flatMap(({ name: resource, operations: own }) =>
	own.map(({ name, fields }) => ({ resource, name, fields })),
);
type OfferedOperation = (typeof operations)[number];

/** Every operation that writes can be tried. */
const isWrite = ({ fields }: OfferedOperation) =>
	listOptions(fields).some(({ displayName }) => displayName === 'Dry Run');

/** Matching operations; the name of the resource is omitted where all operations of that name match. */
const operationNames = (matches: (operation: OfferedOperation) => boolean) => {
	const names = operations
		.filter(matches)
		.map(({ resource, name }) =>
			operations.every((other) => other.name !== name || matches(other))
				? name
				: `${resource}: ${name}`,
		);
	return [...new Set(names)].sort().join(', ');
};

/** More names than these are left to the sections of the operations. */
const MAX_NAMES = 6;

/** The operations that offer an option: kinds of them, or their names. */
function listOffering(option: string): string {
	const has = ({ fields }: OfferedOperation) =>
		listOptions(fields).some(({ displayName }) => displayName === option);
	for (const [kind, isOfKind] of [
		['operation', () => true],
		['write', isWrite],
	] as const) {
		const missing = operationNames((operation) => isOfKind(operation) && !has(operation));
		const isOnlyKind = operations.every((operation) => !has(operation) || isOfKind(operation));
		if (isOnlyKind && missing === '') return `every ${kind}`;
		if (isOnlyKind && !missing.includes(',')) return `every ${kind} but ${missing}`;
	}
	const names = operationNames(has);
	return names.split(', ').length > MAX_NAMES ? 'operations that name it' : names;
}

function describeOption(field: INodeProperties): string {
	const choices = describeChoices(field);
	const description = toMarkdown(field.description ?? '');
	return choices === '' ? description : `${omitPeriod(description)}. ${choices}`;
}

export function optionsTable() {
	const texts = new Map(
		listOptions(operations.flatMap(({ fields }) => fields)).map((field) => [
			field.displayName,
			describeOption(field),
		]),
	);
	const rows = [...texts].sort().map(([name, text]) => [name, text, listOffering(name)]);
	return table(['Option', 'What it does', 'Offered by'], rows);
}

export function filtersTable() {
	const rows = Object.values<Subject>(subjects).flatMap(({ entity = '', many }) =>
		[...(filters[entity] ?? [])]
			.sort((a, b) => a.label.localeCompare(b.label, 'en'))
			.map(({ label, property, type }, index) => [
				index === 0 ? `**${many}**` : '',
				label,
				'properties' in type ? type.properties.join(', ') : property,
			]),
	);
	return table(['Of', 'Filter', 'Compares'], rows);
}

export const triggerOptionsTable = () =>
	table(
		['Option', 'What it does'],
		listOptions(triggerProperties).map((field) => [field.displayName, describeOption(field)]),
	);
