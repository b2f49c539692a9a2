import { columnFields } from '../../form/columns';
import type { Subject } from '../../form/subjects';
import { isObject, ValidationError } from '../../protocol/checks';
import { keyColumn, type KeyColumn } from '../../protocol/keys';
import type { ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { createOf, newRecord } from './fields';
import { givenFields, isPasted } from './given';
import { entityFields, entityOf, mustSupport } from './subject';
import { missingIn, upsertByForm } from './upsert';

export const upsertOperation = (subject: Subject): Operation =>
	upsertByForm({
		entity: subject.entity,
		action: `Create or update ${subject.one}`,
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		fields: [...entityFields(subject), ...columnFields('upsert', subject.entity)],
		describe: (context) => {
			const entity = mustSupport(entityOf(subject, context), 'update');
			if (missingIn(context, entity) === 'create') mustSupport(entity, 'create');
			const given = givenFields(context, entity, 'upsert');
			return { entity, given, columns: matchColumns(context, entity) };
		},
		checkNew: async ({ wanted: { entity, given } }) => newRecord(entity, given),
		create: async ({ context, wanted: { entity, given } }, once) =>
			await createOf(context, entity, given, async (request) =>
				once(async () => await context.send(request)),
			),
	});

const MATCH_ON = { columns: 'Columns to Match On', json: 'Match On' };

function matchColumns(context: ItemContext, entity: string): KeyColumn[] {
	const mapping = context.param('fields', {});
	const [field, given] = isPasted(context)
		? [MATCH_ON.json, context.text('matchOn').split(',')]
		: [MATCH_ON.columns, isObject(mapping) ? mapping.matchingColumns : []];
	const ids = (Array.isArray(given) ? given : []).filter((id) => String(id).trim() !== '');
	if (ids.length === 0) {
		throw new ValidationError(
			`'${field}' is empty`,
			'Choose what identifies a record, such as its TenantCode or Number.',
		);
	}
	return ids.map((id) => keyColumn(field, entity, id));
}
