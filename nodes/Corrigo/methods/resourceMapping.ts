import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { entityNamed } from '../catalogue/entities';
import { entityOfResource } from '../descriptions/subjects';
import { columnsOf, type Column, type Verb } from '../protocol/columns';
import { customColumns, descriptorsRequest } from '../protocol/customFields';
import { noneIfRefused } from '../transport/errors';
import { send } from '../transport/send';
import { textIn } from './choices';

const VERBS: readonly Verb[] = ['create', 'update', 'upsert'];

export async function getColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const entity = entityOfResource(textIn(this, 'resource')) ?? textIn(this, 'entity') ?? '';
	const name = entityNamed(entity)?.name;
	if (name === undefined) {
		return { fields: [], emptyFieldsNotice: "Choose an entity of the list in 'Entity'" };
	}
	const operation = textIn(this, 'operation');
	const verb = VERBS.find((one) => one === operation) ?? 'update';
	const columns = [...columnsOf(name, verb), ...(await customColumnsOf(this, name))];
	return {
		fields: columns.map((column) => (verb === 'upsert' ? matchable(column) : fieldOf(column))),
		emptyFieldsNotice: `Corrigo publishes no columns of ${name}: set 'Fields Mode' to JSON`,
	};
}

/** Not every service user may read which custom fields there are; the other columns do not need it. */
async function customColumnsOf(form: ILoadOptionsFunctions, entity: string): Promise<Column[]> {
	const request = descriptorsRequest(entity);
	if (request === undefined) return [];
	const descriptors = await send(form, request).catch(noneIfRefused);
	return customColumns(entity, descriptors);
}

/** Only what must be set is shown at once: a switch that is shown counts as set to off. */
const fieldOf = ({ label, ...column }: Column): ResourceMapperField => ({
	...column,
	displayName: label,
	defaultMatch: false,
	canBeUsedToMatch: false,
	display: true,
	removed: !column.required,
});

/** What a new record needs is needed by none that is there: it is only shown at once. */
const matchable = (column: Column): ResourceMapperField => ({
	...fieldOf(column),
	required: false,
	canBeUsedToMatch: true,
	removed: !column.required || column.type === 'boolean',
});
