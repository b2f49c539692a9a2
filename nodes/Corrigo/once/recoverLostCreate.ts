import { NodeApiError } from 'n8n-workflow';

import { mayHaveRun } from '../transport/errors';
import { pause } from '../transport/pause';
import type { ItemContext } from '../run/context';

/** No write is sent on the word of an older look-up. */
const MAX_VALID_MS = 30_000;
/** The service may still be at work on a create whose answer was lost. */
const SECOND_LOOK_MS = 5000;

/** One look-up for many items: sent when the first of them needs it, and anew for a write that comes late. */
export function sharedLookUp<Found>(look: (context: ItemContext) => Promise<Found>) {
	let found: Promise<Found> | undefined;
	let askedAt = 0;
	return async (context: ItemContext, toWrite: boolean): Promise<Found> => {
		const isOld = performance.now() - askedAt > MAX_VALID_MS;
		if (found === undefined || (toWrite && isOld)) {
			askedAt = performance.now();
			found = look(context);
		}
		return await found;
	};
}

/** What a create has made whose answer was lost: it is looked for at once, and a little later. */
export async function recoverLostCreate<Found>(
	context: ItemContext,
	failure: unknown,
	shown: string,
	look: () => Promise<Found | undefined>,
): Promise<Found> {
	if (!(failure instanceof NodeApiError) || !mayHaveRun(failure)) throw failure;
	for (const waitMs of [0, SECOND_LOOK_MS]) {
		await pause(waitMs, context.caller.getExecutionCancelSignal());
		const found = await look().catch(() => undefined);
		if (found === undefined) continue;
		context.run.hint(`The answer to a create was lost; ${shown} was found.`);
		return found;
	}
	failure.description = `${failure.description ?? ''} ${capital(shown)} was not there ${SECOND_LOOK_MS / 1000} seconds later; it may still come.`;
	throw failure;
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
