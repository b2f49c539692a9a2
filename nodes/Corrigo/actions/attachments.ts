import type { INodeProperties } from 'n8n-workflow';

import { DOCUMENT_OWNERS } from '../catalogue/audience';
import type { ActorType } from '../catalogue/members';
import { getEntity } from '../catalogue/entities';
import { recordTypes, getRecordView, type RecordType } from '../catalogue/views';
import { listChoices, sortByName } from '../form/fields';
import { buildReferenceField } from '../form/subjects';
import { parseChoice } from '../values/checks';
import { equal } from '../wire/criteria';
import type { ItemContext } from '../run/context';
import { resolveForm, readRecordId } from '../run/resolve';
import { isForCustomers } from '../operations/read/output';
import type { SearchVariant } from '../operations/read/search';

/** No list offers the other types, so their records are entered by ID. */
function findReferenceType(type: string): RecordType | undefined {
	const found = recordTypes.filter((referenceType) =>
		getEntity(getRecordView(referenceType).entity)?.actorTypes?.some((one) => one === type),
	);
	return found.find((one) => getRecordView(one).offered?.ActorTypeId === type) ?? found[0];
}

const LABEL = 'Attached To';

/** A search with this choice ignores what something is attached to. */
export const ANYTHING = 'any';

/** Each type has a field, all with the same name, because the form shows only one of them. */
function buildIdField({ name, value }: { name: string; value: string }): INodeProperties {
	const referenceType = findReferenceType(value);
	const field = buildReferenceField(referenceType ?? 'record', 'actorId', {
		displayName: name,
		required: true,
		displayOptions: { show: { actorTypeId: [value] } },
	});
	if (referenceType !== undefined) return field;
	return {
		...field,
		default: { mode: 'id', value: '' },
		description: 'Its ID',
		modes: field.modes?.filter((mode) => mode.name === 'id'),
	};
}

interface AttachmentSettings<Type extends ActorType> {
	/** Noun in texts, such as "document". */
	noun: string;
	types: readonly Type[];
	defaultType: Type;
	/** Searches have their own default, because they also accept any record. */
	defaultSearch: Type | typeof ANYTHING;
}

/** Builds the fields for the record that something is attached to, and what reads them. */
export function buildAttachmentForm<Type extends ActorType>({
	noun,
	types,
	defaultType,
	defaultSearch,
}: AttachmentSettings<Type>) {
	const typeChoices = listChoices('ActorType').filter(({ value }) =>
		types.some((type) => type === value),
	);
	const getLabel = (type: string) => typeChoices.find(({ value }) => value === type)?.name ?? type;
	const idFields = typeChoices.map(buildIdField);
	const typeField: INodeProperties = {
		displayName: LABEL,
		name: 'actorTypeId',
		type: 'options',
		options: typeChoices,
		default: defaultType,
		description: `The kind of record that the ${noun} belongs to`,
	};
	const readActor = async (
		context: ItemContext,
		defaultValue: string = defaultType,
		allowed: readonly Type[] = types,
	) =>
		await resolveForm(context, (one) => {
			const type = parseChoice(LABEL, one.param('actorTypeId', defaultValue), allowed, getLabel);
			const [referenceType, label] = [findReferenceType(type), getLabel(type)];
			const ActorId =
				referenceType === undefined
					? one.id(label, 'actorId')
					: readRecordId(one, referenceType, label, 'actorId');
			return { ActorTypeId: type, ActorId };
		});

	const search: SearchVariant = {
		fields: [
			{
				...typeField,
				options: sortByName([
					{
						name: 'Anything',
						value: ANYTHING,
						description: `Whatever record a ${noun} belongs to`,
					},
					...typeChoices,
				]),
				default: defaultSearch,
			},
			...idFields,
		],
		readOwner: async (context) => {
			if (context.param('actorTypeId', defaultSearch) === ANYTHING) return undefined;
			const shown = types.filter((type) => DOCUMENT_OWNERS.some((owner) => owner === type));
			const allowed = isForCustomers(context) ? shown : types;
			const { ActorTypeId, ActorId } = await readActor(context, defaultSearch, allowed);
			return { property: 'ActorId', id: ActorId, also: [equal('ActorTypeId', ActorTypeId)] };
		},
	};

	return { fields: [typeField, ...idFields], readActor, search };
}
