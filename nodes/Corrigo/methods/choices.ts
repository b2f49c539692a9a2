import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { targetOfKind } from '../catalogue/targets';
import { isKind } from '../catalogue/views';
import { Form } from '../form/form';
import { chosen, isBlank, isObject, ValidationError } from '../protocol/checks';
import { Resolver } from '../records/resolver';

/**
 * The choice in another parameter of the form: the one next to the asking parameter in the same row
 * or collection, else the one at the top.
 */
const choiceIn = (form: ILoadOptionsFunctions, parameter: string): unknown =>
	[`&${parameter}`, parameter]
		.map((path) => form.getCurrentNodeParameter(path))
		.find((given) => !isBlank(chosen(given)) && !isObject(chosen(given)));

/** An expression has no value before the workflow runs. */
export function textIn(form: ILoadOptionsFunctions, parameter: string): string | undefined {
	const value = new Form((name) => choiceIn(form, name)).text(parameter);
	return value === '' || value.startsWith('=') ? undefined : value;
}

/** The Id of the record chosen in another parameter. A name of none, or of several, narrows nothing. */
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
