import type { RecordNames } from '../protocol/names';
import type { Requester } from '../records/lookup';
import { Resolver } from '../records/resolver';
import type { TriggerContext } from './context';

/** A node that reads its form, and what that names. */
export interface FormReader extends Requester {
	readonly caller: TriggerContext;
}

/** Resolved names of each node, for as long as this process lives. */
const knownTo = new Map<string, Resolver>();

/**
 * Reads a form that may name records. They are looked up once: the next polls and pushes ask for none
 * of them, and go on with the same records whatever these are called by then. Whoever tries the node
 * out by hand sees what it would find anew.
 */
export async function namedBy<T>(reader: FormReader, form: (names: RecordNames) => T): Promise<T> {
	const { caller } = reader;
	const { companyName, region, locatorUrl } = await caller.getCredentials('corrigoApi');
	const { id } = caller.getWorkflow();
	const key = JSON.stringify([companyName, region, locatorUrl, id, caller.getNode().id]);
	const known = caller.getMode() === 'manual' ? undefined : knownTo.get(key);
	const names = known ?? new Resolver();
	// A name that was not found may exist the next time.
	knownTo.delete(key);
	const read = await names.read(reader, () => form(names));
	knownTo.set(key, names);
	return read;
}
