import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { targetOfKind } from '../catalogue/targets';
import { isKind } from '../catalogue/views';
import { Form } from '../form/form';
import { chosen, isBlank, isObject, ValidationError } from '../protocol/checks';
import { Resolver } from '../records/resolver';

/**
 * A parameter in the same row or collection takes precedence over one with the same name at the top
 * level.
 */
const choiceIn = (form: ILoadOptionsFunctions, parameter: string): unknown =>
	[`&${parameter}`, parameter]
		.map((path) => form.getCurrentNodeParameter(path))
		.find((given) => !isBlank(chosen(given)) && !isObject(chosen(given)));

/** An expression has no value before the workflow runs, so it counts as empty. */
export function textIn(form: ILoadOptionsFunctions, parameter: string): string | undefined {
	const value = new Form((name) => choiceIn(form, name)).text(parameter);
	return value === '' || value.startsWith('=') ? undefined : value;
}

/** A name does not narrow the list if no record has it, or if several have it. */
export async function chosenId(
	form: ILoadOptionsFunctions,
	parameter: string,
): Promise<number | undefined> {
	if (textIn(form, parameter) === undefined || !isKind(parameter)) return undefined;
	const names = new Resolver();
	const target = targetOfKind(parameter);
	const read = names.read({ caller: form }, () =>
		names.idOf(parameter, choiceIn(form, parameter), target),
	);
	return await read.catch((failure: unknown) => {
		if (!(failure instanceof ValidationError)) throw failure;
		return undefined;
	});
}
