import type { EntityName } from '../../catalogue/entities';
import type { JsonObject } from '../../protocol/checks';
import { createRequest } from '../../protocol/requests';
import type { ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { named } from '../../run/resolve';
import { formOf, membersIn, titleOf, type MemberForm } from './members';
import { outputOfWrite, writeFields } from './writeOutput';

interface TypedCreate extends MemberForm {
	value: string;
	action: string;
	description: string;
	entity: EntityName;
	/** Builds the new record from the members that the form sets. */
	record: (context: ItemContext, members: JsonObject) => Promise<JsonObject>;
}

export const createByForm = ({
	value,
	action,
	description,
	entity,
	record,
	...form
}: TypedCreate): Operation => ({
	name: titleOf(value),
	value,
	action,
	description,
	address: `POST /base/${entity}`,
	fields: formOf(form, ...writeFields),
	each: async (context) => {
		const output = outputOfWrite(context, entity);
		const members = await named(context, (one) => membersIn(one, form));
		const fields = await record(context, members);
		const request = createRequest(entity, fields, context.requestId());
		return await output(await context.send(request), fields);
	},
});
