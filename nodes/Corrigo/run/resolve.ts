import type { Target } from '../catalogue/targets';
import { targetOfKind, type KnownKind } from '../form/references';
import type { IdOf, RecordNames, RowsOf } from '../protocol/names';
import { Resolver } from '../records/resolver';
import { oncePerRun, type ItemContext } from './context';

const resolverOf = oncePerRun(() => new Resolver());

/** Only for forms that are read by `named`, and so are the next ones. */
export const namesIn = (context: ItemContext): RecordNames => {
	const { idOf, rowsOf } = resolverOf(context);
	return { idOf, rowsOf };
};

export const idOfIn = (context: ItemContext): IdOf => resolverOf(context).idOf;

export const rowsIn = (context: ItemContext): RowsOf => resolverOf(context).rowsOf;

export const idIn = (context: ItemContext, field: string, value: unknown, target: Target): number =>
	idOfIn(context)(field, value, target);

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
