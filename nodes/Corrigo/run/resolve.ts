import type { Target } from '../catalogue/targets';
import { targetOfKind, type KnownKind } from '../form/references';
import type { JsonObject } from '../protocol/checks';
import type { IdOf } from '../protocol/names';
import { attempt, KnownNames, type WantedName } from '../records/resolver';
import { oncePerRun, type ItemContext } from './context';

const namesOf = oncePerRun(() => new KnownNames());

/** How an item reads Ids and names. Only within what `named` builds, and so are the next ones. */
export const idOfIn = (context: ItemContext): IdOf => namesOf(context).idOf;

export const idIn = (context: ItemContext, field: string, value: unknown, target: Target): number =>
	idOfIn(context)(field, value, target);

/** The Id of the record that a field of the form means. */
export const recordIn = (
	context: ItemContext,
	kind: KnownKind,
	label: string,
	name = 'id',
): number => idIn(context, label, context.field(name, ''), targetOfKind(kind));

/** The records that have a value where the target says. */
export const rowsIn = (
	context: ItemContext,
	target: Target,
	value: string | number | boolean,
): JsonObject[] => namesOf(context).rowsOf(target, value);

/**
 * Reads a form that may name records, and knows their Ids then. The names of all items of the run
 * are looked up together, as soon as the first of them is met: `build` is run once more after it.
 */
export const named = async <T>(
	context: ItemContext,
	build: (context: ItemContext) => T | Promise<T>,
): Promise<Awaited<T>> =>
	await namesOf(context).read(
		context,
		async () => await build(context),
		async () => await wantedIn(context, build),
	);

/** Whatever is made of all items together needs all of their names. What is wrong with one is said there. */
export async function allNamed(
	{ contexts }: { contexts: readonly ItemContext[] },
	build: (context: ItemContext) => unknown,
): Promise<void> {
	for (const context of contexts) await named(context, build).catch(() => undefined);
}

/** An item whose form cannot be read says so when its turn comes. */
async function wantedIn(
	{ run }: ItemContext,
	build: (context: ItemContext) => unknown,
): Promise<WantedName[]> {
	const forms = await Promise.allSettled(
		run.contexts.map(async (one) => await attempt(async () => await build(one))),
	);
	return forms.flatMap((form) =>
		form.status === 'fulfilled' && 'wanted' in form.value ? [form.value.wanted] : [],
	);
}
