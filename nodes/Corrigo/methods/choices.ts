import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { getRecordTarget } from '../catalogue/targets';
import { isRecordType } from '../catalogue/views';
import { Form } from '../form/form';
import { unwrapLocator, isBlank, isObject, ValidationError } from '../values/checks';
import { Resolver } from '../records/resolver';

/**
 * A parameter in the same row or collection takes precedence over one with the same name at the top
 * level.
 */
const readChoice = (form: ILoadOptionsFunctions, parameter: string): unknown =>
	[`&${parameter}`, parameter]
		.map((path) => form.getCurrentNodeParameter(path))
		.find((input) => !isBlank(unwrapLocator(input)) && !isObject(unwrapLocator(input)));

/** An expression has no value before the workflow runs, so it counts as empty. */
export function readText(form: ILoadOptionsFunctions, parameter: string): string | undefined {
	const value = new Form((name) => readChoice(form, name)).text(parameter);
	return value === '' || value.startsWith('=') ? undefined : value;
}

/** A name does not narrow the list if no record has it, or if several have it. */
export async function loadChosenId(
	form: ILoadOptionsFunctions,
	parameter: string,
): Promise<number | undefined> {
	if (readText(form, parameter) === undefined || !isRecordType(parameter)) return undefined;
	const names = new Resolver();
	const target = getRecordTarget(parameter);
	const read = names.read({ caller: form }, () =>
		names.resolveId(parameter, readChoice(form, parameter), target),
	);
	return await read.catch((failure: unknown) => {
		if (!(failure instanceof ValidationError)) throw failure;
		return undefined;
	});
}
