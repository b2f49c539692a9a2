import type { IDataObject } from 'n8n-workflow';

import { keyFrom, keyText, type Cursor, type Pages } from './cursor';
import type { Plan, Watcher } from './plan';

/**
 * A change of these begins a new queue: the old cursor means nothing in it. The start counts as it is
 * written in the form, since an expression may give another time at every poll.
 */
export async function identityOf(caller: Watcher, { feed, since }: Plan): Promise<string> {
	const { companyName } = await caller.getCredentials('corrigoApi');
	const { startTime } = caller.getNode().parameters;
	const start = since === undefined ? 'now' : String(startTime);
	return JSON.stringify([companyName, feed.entity, feed.time ?? 'Id', start]);
}

export const cursorFrom = ({ edge, newest, known, whole, cut }: IDataObject): Cursor => ({
	edge: keyFrom(String(edge)),
	newest: keyFrom(String(newest)),
	known: (known as string[]).map(keyFrom),
	pages: { whole, cut } as Pages,
});

export const textsOf = ({ edge, newest, known, pages }: Cursor) => ({
	edge: keyText(edge),
	newest: keyText(newest),
	known: known.map(keyText),
	whole: pages?.whole,
	cut: pages?.cut,
});
