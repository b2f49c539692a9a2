import type { Target } from '../catalogue/targets';
import { targetOfKind, type KnownKind } from '../form/references';
import type { KnownNames } from '../protocol/knownNames';
import type { IdOf, RecordNames, RowsOf } from '../protocol/names';
import { Resolver } from '../records/resolver';
import { oncePerRun, type ItemContext } from './context';

const resolverOf = oncePerRun(() => new Resolver());

/** The names of records that the run has come across so far. */
export const knownNamesIn = (context: ItemContext): KnownNames => resolverOf(context).names;

/** Only for forms that are read by `named`, and so are the next ones. */
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

/** The ID of the record that a field of the form names. */
export const recordIn = (
	context: ItemContext,
	kind: KnownKind,
	label: string,
	name = 'id',
): number => idIn(context, label, context.field(name, ''), targetOfKind(kind));

/**
 * Reads a form that may name records. `build` is run for all items as soon as one of them has a name
 * that is not known, and again after the look-up, so it must depend on nothing but its item.
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
