import type { EntityName } from '../../catalogue/entities';
import type { JsonObject } from '../../values/checks';
import { buildCreateRequest } from '../../wire/requests';
import type { ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { resolveForm } from '../../run/resolve';
import { buildForm, readMembers, toTitle, type MemberForm } from '../members';
import { createOutputBuilder, writeFields } from './writeOutput';

interface CreateDefinition extends MemberForm {
	value: string;
	action: string;
	description: string;
	entity: EntityName;
	/** Builds the new record from the members that the form sets. */
	buildRecord: (context: ItemContext, members: JsonObject) => Promise<JsonObject>;
}

export const buildFormCreate = ({
	value,
	action,
	description,
	entity,
	buildRecord,
	...form
}: CreateDefinition): Operation => ({
	name: toTitle(value),
	value,
	action,
	description,
	address: `POST /base/${entity}`,
	fields: buildForm(form, ...writeFields),
	each: async (context) => {
		const buildOutput = createOutputBuilder(context, entity);
		const members = await resolveForm(context, (one) => readMembers(one, form));
		const fields = await buildRecord(context, members);
		const request = buildCreateRequest(entity, fields, context.getRequestId());
		return await buildOutput(await context.send(request), fields);
	},
});
