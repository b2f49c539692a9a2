import type { Target } from '../catalogue/targets';
import { targetOfKind, type KnownKind } from '../form/references';
import type { JsonObject } from '../protocol/checks';
import type { IdOf } from '../protocol/names';
import { attempt, KnownNames, type WantedName } from '../records/resolver';
import { oncePerRun, type Call } from './context';

const namesOf = oncePerRun(() => new KnownNames());

/** How an item reads Ids and names. Only within what `named` builds, and so are the next ones. */
export const idOfIn = (call: Call): IdOf => namesOf(call).idOf;

export const idIn = (call: Call, field: string, value: unknown, target: Target): number =>
	idOfIn(call)(field, value, target);

/** The Id of the record that a field of the form means. */
export const recordIn = (call: Call, kind: KnownKind, label: string, name = 'id'): number =>
	idIn(call, label, call.field(name, ''), targetOfKind(kind));

/** The records that have a value where the target says. */
export const rowsIn = (
	call: Call,
	target: Target,
	value: string | number | boolean,
): JsonObject[] => namesOf(call).rowsOf(target, value);

/**
 * Reads a form that may name records, and knows their Ids then. The names of all items of the run
 * are looked up together, as soon as the first of them is met: `build` is run once more after it.
 */
export const named = async <T>(
	call: Call,
	build: (call: Call) => T | Promise<T>,
): Promise<Awaited<T>> =>
	await namesOf(call).read(
		call,
		async () => await build(call),
		async () => await wantedIn(call, build),
	);

/** Whatever is made of all items together needs all of their names. What is wrong with one is said there. */
export async function allNamed(
	{ calls }: { calls: readonly Call[] },
	build: (call: Call) => unknown,
): Promise<void> {
	for (const call of calls) await named(call, build).catch(() => undefined);
}

/** An item whose form cannot be read says so when its turn comes. */
async function wantedIn({ run }: Call, build: (call: Call) => unknown): Promise<WantedName[]> {
	const forms = await Promise.allSettled(
		run.calls.map(async (one) => await attempt(async () => await build(one))),
	);
	return forms.flatMap((form) =>
		form.status === 'fulfilled' && 'wanted' in form.value ? [form.value.wanted] : [],
	);
}
