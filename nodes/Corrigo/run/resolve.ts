import type { INodeProperties } from 'n8n-workflow';

import type { Target } from '../catalogue/targets';
import type { Form } from '../form/form';
import { findFieldTarget } from '../form/subjects';
import { parseId } from '../values/references';
import type { NamedForm } from '../records/resolver';
import type { ItemContext } from './context';
import { RunIsOver } from './outcomes';

/** Names are looked up only inside `resolveForm`, so call this and the next function there. */
export function resolveFieldId(
	context: ItemContext,
	field: string,
	value: unknown,
	target: Target,
): number {
	const id = context.run.resolver.resolveId(field, value, target);
	const shown = context.run.form.getShownName(value);
	if (shown !== undefined) context.run.names.noteChoice(target.entity, id, shown);
	return id;
}

/** Reads the ID of the record that a field of the form names. */
export const readRecordId = (
	context: ItemContext,
	field: INodeProperties,
	target = findFieldTarget(field),
	/** A row of the form, if the field is part of one. */
	form: Form = context,
): number =>
	target === undefined
		? parseId(form.getLabel(field), form.read(field))
		: resolveFieldId(context, form.getLabel(field), form.getInput(field), target);

/**
 * Returns a reader of forms that may contain names of records. As soon as a name is unknown, `build`
 * runs for all items, and again after the look-up, so it must depend only on its item. What it has
 * returned for an item is kept.
 */
export function createFormReader<T>(build: (context: ItemContext) => T) {
	const forms = new WeakMap<ItemContext, NamedForm<T>>();
	const getForm = (context: ItemContext): NamedForm<T> => {
		const form = forms.get(context) ?? { build: () => build(context) };
		forms.set(context, form);
		return form;
	};
	return async (context: ItemContext): Promise<T> =>
		await context.run.resolver.read(context, getForm(context), () => {
			// Whatever is wrong in a form shows without a look-up, too, but nothing more is sent.
			if (context.run.outcomes.isOver) throw new RunIsOver();
			return context.run.contexts.map(getForm);
		});
}

/** Reads a form of which only one item needs the result, or for which `build` differs each time. */
export const resolveForm = async <T>(
	context: ItemContext,
	build: (context: ItemContext) => T,
): Promise<T> => await createFormReader(build)(context);
