/** The tables of the documents that say what the nodes offer, from what they really offer. */
import type { INodeProperties } from 'n8n-workflow';

import {
	companyChecks,
	latencyCheck,
	sessionChecks,
} from '../nodes/Corrigo/actions/company/checks';
import { resources } from '../nodes/Corrigo/actions/registry';
import { filters } from '../nodes/Corrigo/form/filters';
import { subjects, type Subject } from '../nodes/Corrigo/form/subjects';
import { properties as triggerProperties } from '../nodes/Corrigo/trigger/description';
import { events, type EventType } from '../nodes/Corrigo/trigger/events';

export const table = (headings: string[], rows: string[][]) =>
	[headings, headings.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');

export const operationsTable = () =>
	table(
		['Resource', 'Operation', 'What it does'],
		resources.flatMap(({ name: resource, operations: own }) =>
			own.map(({ name, description }, index) => [
				index === 0 ? `**${resource}**` : '',
				name,
				description,
			]),
		),
	);

/** All but those of the rights to read. */
export const checksTable = () =>
	table(
		['Check', 'Unless it is ok'],
		[...sessionChecks, ...companyChecks, latencyCheck]
			.filter(({ name }) => !name.startsWith('Read '))
			.map(({ name, mend }) => [name, mend]),
	);

/** What people call the entities that events are read from. */
const READ: Readonly<Record<string, string>> = {
	Document: 'documents',
	WoActionLog: 'log of actions',
	WoNote: 'notes',
	WorkOrder: 'work orders',
};

function placeOf({ entity, time, isDeadline }: EventType) {
	if (isDeadline) return 'the deadline that you choose';
	if (entity === undefined) return 'the date property you name, or rising Id';
	return time === undefined ? 'rising Id' : `\`${time}\``;
}

export const eventsTable = () =>
	table(
		['Trigger On', 'What it tells of', 'Reads', 'Place in the queue'],
		Object.values<EventType>(events).map((event) => {
			const { name, description, entity } = event;
			return [name, description, entity ? READ[entity] : 'any entity', placeOf(event)];
		}),
	);

const optionsIn = (fields: readonly INodeProperties[]) =>
	fields
		.filter(({ name, type }) => name === 'options' && type === 'collection')
		.flatMap(({ options }) => options as INodeProperties[]);

const operations = resources.flatMap(({ name: resource, operations: own }) =>
	own.map(({ name, fields }) => ({ resource, name, fields })),
);
type Offered = (typeof operations)[number];

/** Those that fit, by the name of the operation where all that are called so do. */
const named = (fits: (operation: Offered) => boolean) => {
	const names = operations
		.filter(fits)
		.map(({ resource, name }) =>
			operations.every((other) => other.name !== name || fits(other))
				? name
				: `${resource}: ${name}`,
		);
	return [...new Set(names)].sort().join(', ');
};

/** In the fewest words: where an option is, or where it is not. */
function offering(option: string): string {
	const has = ({ fields }: Offered) =>
		optionsIn(fields).some(({ displayName }) => displayName === option);
	const [yes, no] = [named(has), named((operation) => !has(operation))];
	if (no.length >= yes.length) return yes;
	return no === '' ? 'every operation' : `every operation but ${no}`;
}

export function optionsTable() {
	const texts = new Map(
		optionsIn(operations.flatMap(({ fields }) => fields)).map(
			({ displayName, description = '' }) => [displayName, description],
		),
	);
	const rows = [...texts].sort().map(([name, text]) => [name, text, offering(name)]);
	return table(['Option', 'What it does', 'Offered by'], rows);
}

export function filtersTable() {
	const rows = Object.values<Subject>(subjects).flatMap(({ entity = '', many }) =>
		Object.values(filters[entity] ?? {})
			.sort((a, b) => a.label.localeCompare(b.label, 'en'))
			.map(({ label, property }, index) => [index === 0 ? `**${many}**` : '', label, property]),
	);
	return table(['Of', 'Filter', 'Compares'], rows);
}

export const triggerOptionsTable = () =>
	table(
		['Option', 'What it does'],
		optionsIn(triggerProperties).map(({ displayName, description = '' }) => [
			displayName,
			description,
		]),
	);
