import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { chosen } from '../descriptions/form';
import { isBlank, isObject } from '../protocol/checks';

interface Choice {
	mode?: unknown;
	value: unknown;
}

function choiceOf(given: unknown): Choice | undefined {
	const value = chosen(given);
	if (isBlank(value) || isObject(value)) return undefined;
	return { value, mode: isObject(given) ? given.mode : undefined };
}

/**
 * What is chosen in another parameter of the form: the one beside the asking parameter in the same
 * row or collection, else the one at the top.
 */
const choiceIn = (form: ILoadOptionsFunctions, parameter: string) =>
	choiceOf(form.getCurrentNodeParameter(`&${parameter}`)) ??
	choiceOf(form.getCurrentNodeParameter(parameter));

/** An expression has no value before the workflow runs. */
export function textIn(form: ILoadOptionsFunctions, parameter: string): string | undefined {
	const value = String(choiceIn(form, parameter)?.value ?? '');
	return value === '' || value.startsWith('=') ? undefined : value;
}

/** Of work orders chosen by their number the ID is not known here. */
export function idIn(form: ILoadOptionsFunctions, parameter: string): number | undefined {
	const choice = choiceIn(form, parameter);
	if (choice === undefined || choice.mode === 'number') return undefined;
	const id = String(choice.value).trim();
	return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined;
}
