import type { INodeProperties } from 'n8n-workflow';

import { oncePerRun, type ItemForm } from '../context';

const getLabels = oncePerRun<Map<string, string>, number>(() => new Map());

/** Dry runs and conflicts show members and values with the labels of the form. */
export function noteLabels(
	form: ItemForm,
	member: string,
	{ displayName, options = [] }: INodeProperties,
): void {
	const labels = getLabels(form, form.index);
	labels.set(member, displayName);
	for (const one of options) {
		if ('value' in one) labels.set(`${member}.${String(one.value)}`, one.name);
	}
}

/** Finds the label of a member that the item sets or, by `Member.Value`, of a value. */
export const findLabel = (form: ItemForm, member: string): string | undefined =>
	getLabels(form, form.index).get(member);
