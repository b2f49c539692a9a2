import type { INodeProperties } from 'n8n-workflow';

import { DOCUMENT_OWNERS } from '../catalogue/audience';
import type { ActorType } from '../catalogue/members';
import { getEntity } from '../catalogue/entities';
import { recordTypes, getRecordView, type RecordType } from '../catalogue/views';
import { buildField, listChoices, sortByName } from '../form/fields';
import { buildReferenceField, ID_ONLY } from '../form/subjects';
import { parseChoice } from '../values/input';
import { equal } from '../wire/criteria';
import { resolveForm, readRecordId, type ResolvingForm } from '../run/context';
import type { SearchVariant } from '../operations/read/search';

/** No list offers the other types, so their records are entered by ID. */
function findReferenceType(type: string): RecordType | undefined {
	const found = recordTypes.filter((referenceType) =>
		getEntity(getRecordView(referenceType).entity)?.actorTypes?.some((one) => one === type),
	);
	return found.find((one) => getRecordView(one).offered?.ActorTypeId === type) ?? found[0];
}

/** A search with this choice ignores what something is attached to. */
export const ANYTHING = 'any';

/** Each type has a field, all with the same name, because the form shows only one of them. */
function buildIdField(type: string, displayName: string): INodeProperties {
	const referenceType = findReferenceType(type);
	const field = buildReferenceField(referenceType ?? 'record', 'actorId', {
		displayName,
		required: true,
		displayOptions: { show: { actorTypeId: [type] } },
	});
	if (referenceType !== undefined) return field;
	return {
		...field,
		...ID_ONLY,
		description: `The ID of the ${displayName.toLowerCase()} in Corrigo`,
	};
}

interface AttachmentSettings<Type extends ActorType> {
	/** Noun in texts, such as "document". */
	noun: string;
	types: readonly Type[];
	/** A write begins with no type, but a search also accepts any record. */
	defaultSearch: Type | typeof ANYTHING;
}

/** Builds the fields for the record that something is attached to, and what reads them. */
export function buildAttachmentForm<Type extends ActorType>({
	noun,
	types,
	defaultSearch,
}: AttachmentSettings<Type>) {
	const typeChoices = listChoices('ActorType').filter(({ value }) =>
		types.some((type) => type === value),
	);
	const idFields = Object.fromEntries(
		typeChoices.map(({ value, name }) => [value, buildIdField(value, name)]),
	);
	const typeField = buildField(
		'actorTypeId',
		'options',
		`The kind of record that the ${noun} belongs to`,
		{ displayName: 'Attached To', options: typeChoices, required: true },
	);
	const searchedField = {
		...typeField,
		options: sortByName([
			{ name: 'Anything', value: ANYTHING, description: `Whatever record a ${noun} belongs to` },
			...typeChoices,
		]),
		required: false,
		default: defaultSearch,
	};
	const readActor = (form: ResolvingForm, field = typeField, allowed: readonly Type[] = types) => {
		const ActorTypeId = parseChoice(field.displayName, form.read(field), allowed);
		return { ActorTypeId, ActorId: readRecordId(form, idFields[ActorTypeId]) };
	};

	const search: SearchVariant = {
		fields: [searchedField, ...Object.values(idFields)],
		resolveOwner: async (context) => {
			if (context.read(searchedField) === ANYTHING) return undefined;
			const shown = types.filter((type) => DOCUMENT_OWNERS.some((owner) => owner === type));
			const allowed = context.isForCustomers ? shown : types;
			const { ActorTypeId, ActorId } = await resolveForm(context, (one) =>
				readActor(one, searchedField, allowed),
			);
			return { property: 'ActorId', id: ActorId, also: [equal('ActorTypeId', ActorTypeId)] };
		},
	};

	return { fields: [typeField, ...Object.values(idFields)], readActor, search };
}
