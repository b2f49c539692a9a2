import { buildColumnFields } from '../../form/fields';
import type { Subject } from '../../form/subjects';
import { isObject, ValidationError } from '../../values/checks';
import { parseKeyColumn, type KeyColumn } from '../../compare/keys';
import type { ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { buildNewRecord, createFromInput, isPasted, readInput } from '../write/record';
import { getEntityFields, readEntity, requireSupport } from '../subject';
import { readMissingRule, buildFormUpsert } from './upsert';

export const buildUpsertOperation = (subject: Subject): Operation =>
	buildFormUpsert({
		entity: subject.entity,
		action: `Create or update ${subject.one}`,
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		fields: [...getEntityFields(subject), ...buildColumnFields('upsert', subject.entity)],
		describe: (context) => {
			const entity = requireSupport(readEntity(subject, context), 'update');
			if (readMissingRule(context, entity) === 'create') requireSupport(entity, 'create');
			const input = readInput(context, entity, 'upsert');
			return { entity, input, columns: readMatchColumns(context, entity) };
		},
		checkNew: async ({ wanted: { entity, input } }) => buildNewRecord(entity, input),
		create: async ({ context, wanted: { entity, input } }, once) =>
			await createFromInput(context, entity, input, async (request) =>
				once(async () => await context.send(request)),
			),
	});

const MATCH_ON = { columns: 'Columns to Match On', json: 'Match On' };

function readMatchColumns(context: ItemContext, entity: string): KeyColumn[] {
	const mapping = context.param('fields', {});
	const [field, input] = isPasted(context)
		? [MATCH_ON.json, context.text('matchOn').split(',')]
		: [MATCH_ON.columns, isObject(mapping) ? mapping.matchingColumns : []];
	const ids = (Array.isArray(input) ? input : []).filter((id) => String(id).trim() !== '');
	if (ids.length === 0) {
		throw new ValidationError(
			`'${field}' is empty`,
			'Choose what identifies a record, such as its TenantCode or Number.',
		);
	}
	return ids.map((id) => parseKeyColumn(field, entity, id));
}
