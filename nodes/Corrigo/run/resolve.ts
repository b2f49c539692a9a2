import type { Target } from '../catalogue/targets';
import { targetOfKind, type KnownKind } from '../form/references';
import type { KnownNames } from '../protocol/knownNames';
import type { IdOf, RecordNames, RowsOf } from '../protocol/names';
import { Resolver } from '../records/resolver';
import { oncePerRun, type ItemContext } from './context';

const resolverOf = oncePerRun(() => new Resolver());

/** Names of records that the run has seen so far. */
export const knownNamesIn = (context: ItemContext): KnownNames => resolverOf(context).names;

/** Names are looked up only inside `resolveForm`, so call this and the next functions there. */
export const namesIn = (context: ItemContext): RecordNames => {
	const { idOf, rowsOf } = resolverOf(context);
	return { idOf, rowsOf };
};

export const idOfIn = (context: ItemContext): IdOf => resolverOf(context).idOf;

export const rowsIn = (context: ItemContext): RowsOf => resolverOf(context).rowsOf;

export function idIn(context: ItemContext, field: string, value: unknown, target: Target): number {
	const id = idOfIn(context)(field, value, target);
	const shown = context.run.shownNameOf(value);
	if (shown !== undefined) knownNamesIn(context).noteChoice(target.entity, id, shown);
	return id;
}

/** Reads the ID of the record that a field of the form names. */
export const recordIn = (
	context: ItemContext,
	kind: KnownKind,
	label: string,
	name = 'id',
): number => idIn(context, label, context.field(name, ''), targetOfKind(kind));

/**
 * Reads a form that may contain names of records. As soon as a name is unknown, `build` runs for
 * all items, and again after the look-up, so it must depend only on its item.
 */
export const named = async <T>(
	context: ItemContext,
	build: (context: ItemContext) => T,
): Promise<T> =>
	await resolverOf(context).read(
		context,
		() => build(context),
		() => context.run.contexts.map((one) => () => build(one)),
	);
