/** A field that is refused when it is empty has the mark of a required field. */
import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import { operationCases } from '../../compat/cases';
import { classes } from '../../compat/classes';
import { openCompany } from '../../compat/saved';

/** Fields whose emptiness depends on another field, on what is compared, or on the Company. */
const UNMARKED = [
	'AP Status',
	'Body (JSON)',
	'Conditions > Value',
	'Match On',
	'Period End',
	'Period Time',
	'Vendor NTE',
	'Work Order',
];

/** These fields have no value that is empty, or are read by their columns. */
const HAS_VALUE = ['boolean', 'collection', 'number', 'options', 'resourceMapper'];

const EMPTY: Record<string, unknown> = { fixedCollection: {}, multiOptions: [] };

interface Emptied {
	label: string;
	field: INodeProperties;
	form: INodeParameters;
}

/** The form with each of its optional fields emptied in turn, those in the first row of a group, too. */
function* emptyEach(
	fields: readonly INodeProperties[],
	form: INodeParameters,
): Generator<Emptied, void, undefined> {
	for (const field of fields) {
		const { name, displayName: label, type, options = [] } = field;
		const given = form[name];
		const isMarked = fields.some((one) => one.name === name && one.required);
		if (given === undefined || HAS_VALUE.includes(type)) continue;
		const isChosen = type === 'resourceLocator' && typeof given === 'object';
		const empty = isChosen ? { ...given, value: '' } : EMPTY[type];
		if (!isMarked) yield { label, field, form: { ...form, [name]: (empty ?? '') as string } };
		if (type !== 'fixedCollection') continue;
		for (const { name: group, values } of options as INodePropertyCollection[]) {
			const [first, ...others] = [(given as INodeParameters)[group] ?? []].flat();
			if (first === undefined) continue;
			for (const one of emptyEach(values, first as INodeParameters)) {
				const rows = [one.form, ...(others as INodeParameters[])];
				const row = field.typeOptions?.multipleValues ? rows : one.form;
				yield {
					...one,
					label: `${label} > ${one.label}`,
					form: { ...form, [name]: { [group]: row } },
				};
			}
		}
	}
}

it('every field that an operation refuses when it is empty is marked', async () => {
	const company = await openCompany(classes);
	const cases = operationCases(company.sandbox.store);
	const tried = new Set<string>();
	const unmarked = new Set<string>();
	for (const { value: resource, operations } of resources) {
		for (const { value: operation, fields } of operations) {
			for (const { parameters, before, input } of cases[`${resource}:${operation}`] ?? []) {
				for (const { label, field, form } of emptyEach(fields, parameters)) {
					const key = `${operation} ${JSON.stringify(field)}`;
					if (tried.size === tried.add(key).size) continue;
					company.begin(before);
					const { error } = await company.engine.run({
						parameters: { resource, operation, ...form },
						...(input && { items: input }),
					});
					if (error !== undefined) unmarked.add(label);
				}
			}
		}
	}
	await company.sandbox.close();
	expect([...unmarked].sort()).toEqual(UNMARKED);
});
