/** docs/events.md shows an item of each event and keeps it: no other file repeats it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { events, isSeveral, type EventType } from '../nodes/Corrigo/trigger/events';

const DOCUMENT = join(__dirname, '..', 'docs', 'events.md');
const SECTIONS =
	/^## (.+)\n[^`]*? takes (\d+) requests? without a change, and (\d+) with this one\.\n\n```json\n([\s\S]*?)\n```$/gm;
const MARKED = /(?<=<!-- samples -->\n)[\s\S]*(?=<!-- end of samples -->)/;

/** A poll that finds a change, and the item that it returns. */
export interface Sample {
	requests: { unchanged: number; changed: number };
	item: object;
}

/** Returns the items in the document by the names of their events. */
export function readSamples(): Map<string, Sample> {
	const sections = readFileSync(DOCUMENT, 'utf8').matchAll(SECTIONS);
	return new Map(
		[...sections].map(([, name, unchanged, changed, item]) => [
			name,
			{
				requests: { unchanged: Number(unchanged), changed: Number(changed) },
				item: JSON.parse(item) as object,
			},
		]),
	);
}

export const writeSamples = (samples: ReadonlyMap<string, Sample>) =>
	writeFileSync(
		DOCUMENT,
		readFileSync(DOCUMENT, 'utf8').replace(MARKED, () => buildSections(samples)),
	);

/** Says what the trigger counts as one change. */
function describeChange(event: EventType): string {
	if (event.rows === 'deadlines')
		return 'each deadline of an order; a deadline that was moved counts again';
	if (event.rows === 'compared')
		return 'each record that differs from the poll before, however often it changed';
	if (event.rows === 'records')
		return 'each record with a newer date or, without a date field, a new ID';
	if ('latestOnly' in event)
		return 'each order that changed, however often it did between two polls';
	if (event.rows !== 'actions') return 'each new record';
	if (isSeveral(event)) {
		return 'each logged action, once for each of the events that it is, and each new note or document';
	}
	return event.actionTypes === 'enteredStatus'
		? 'each logged action that changed the status'
		: 'each logged action';
}

const countRequests = (count: number) => `${count} ${count === 1 ? 'request' : 'requests'}`;

/** A section says what counts and what a poll costs, and shows an item of the test that makes the change. */
export const buildSections = (samples: ReadonlyMap<string, Sample>): string =>
	Object.values<EventType>(events)
		.map((event) => {
			const sample = samples.get(event.name);
			if (sample === undefined) {
				throw new Error(
					`${event.name} has no sample item: add its case to test/engine/trigger/events.test.ts and run SAMPLES=1 npx jest test/engine/trigger/events.test.ts`,
				);
			}
			const { requests, item } = sample;
			const text = event.description.replace(/\.?$/, '.');
			const polls = `A poll takes ${countRequests(requests.unchanged)} without a change, and ${requests.changed} with this one.`;
			const json = JSON.stringify(item, null, 2);
			return `\n## ${event.name}\n\n${text} What counts: ${describeChange(event)}. ${polls}\n\n\`\`\`json\n${json}\n\`\`\`\n`;
		})
		.join('');
