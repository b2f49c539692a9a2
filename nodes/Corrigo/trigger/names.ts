import type { IdOf } from '../protocol/names';
import { KnownNames } from '../transport/names';
import { hintsFor } from './hints';
import type { Watcher } from './watcher';

const sendOptions = { hints: hintsFor('The names are looked up again the next time.') };

/** What the names in the form of a node stand for, for as long as this process lives. */
const knownTo = new Map<string, KnownNames>();

/**
 * Reads a form that may name records. They are looked up once: the next polls and pushes ask for none
 * of them, and go on with the same records whatever these are called by then. Whoever tries the node
 * out by hand sees what it would find anew.
 */
export async function namedBy<T>(
	caller: Watcher,
	form: (idOf: IdOf) => Promise<T>,
): Promise<Awaited<T>> {
	const { companyName, region, locatorUrl } = await caller.getCredentials('corrigoApi');
	const { id } = caller.getWorkflow();
	const key = JSON.stringify([companyName, region, locatorUrl, id, caller.getNode().id]);
	const known = caller.getMode() === 'manual' ? undefined : knownTo.get(key);
	const names = known ?? new KnownNames();
	// What was not found may be there the next time.
	knownTo.delete(key);
	const read = await names.read({ caller, sendOptions }, async () => await form(names.idOf));
	knownTo.set(key, names);
	return read;
}
