import type { INodeProperties } from 'n8n-workflow';

import type { EntityName, MemberName } from '../../catalogue/entities';
import type { ValuesOf } from '../../catalogue/members';
import { type ItemContext, createFormReader, type ResolvingForm } from '../../run/context';
import { type MemberForm, type FieldMembers, readFieldMembers, buildForm } from '../members';
import type { Texts } from './command';
import type { Operation } from '../../run/operation';
import { buildCreateRequest } from '../../wire/requests';
import { createOutputBuilder } from '../output';
import { getWriteFields } from './record';
import { translateNewTimes } from './zones';
import { showWritten } from '../specimens';

interface CreateDefinition<Name extends EntityName> extends MemberForm<MemberName<Name>>, Texts {
	entity: Name;
	/** Declares the output if it has more than the fields that the form always shows. */
	output?: Operation['output'];
	ownOptions?: INodeProperties[];
	/** Builds the new record from the members that the form sets. */
	buildRecord: (
		form: ResolvingForm,
		members: FieldMembers<MemberName<Name>>,
	) => ValuesOf<MemberName<Name>>;
	/** Loads what is too large to be kept for all items, such as a file; members of the form take precedence. */
	loadContent?: (context: ItemContext) => Promise<ValuesOf<MemberName<Name>>>;
}

export function buildFormCreate<Name extends EntityName>(typed: CreateDefinition<Name>): Operation {
	const { value, action, description, entity, ownOptions, buildRecord, loadContent } = typed;
	const shown = (typed.shown ?? []).flatMap((field) => ('member' in field ? [field.member] : []));
	const readForm = createFormReader((form) => buildRecord(form, readFieldMembers(form, typed)));
	return {
		value,
		action,
		description,
		address: `POST /base/${entity}`,
		output: typed.output ?? (() => showWritten(entity, shown)),
		fields: buildForm(typed, ...getWriteFields(undefined, [], ownOptions)),
		check: readForm,
		each: async (context) => {
			const buildOutput = createOutputBuilder(context, entity);
			const form = await readForm(context);
			const record = { ...(await loadContent?.(context)), ...form };
			const fields = await translateNewTimes(context, entity, record);
			const request = buildCreateRequest(entity, fields, context.getRequestId());
			return await buildOutput(await context.send(request), fields);
		},
	};
}
