import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { ActorType } from '../catalogue/actors';
import { entityNamed } from '../catalogue/entities';
import { kinds, rowOf, type KnownKind } from '../catalogue/views';
import { choices } from '../form/fields';
import { reference } from '../form/references';
import { equal } from '../protocol/criteria';
import { oneOf } from '../protocol/values';
import type { ItemContext } from '../run/context';
import { named, recordIn } from '../run/resolve';
import type { Variant } from './operations/search';

/** No list offers the other types, so their records are entered by ID. */
const kindOf = (type: string): KnownKind | undefined =>
	kinds.find((kind) => entityNamed(rowOf(kind).entity)?.actorTypes?.includes(type));

const LABEL = 'Attached To';

/** A search with this choice ignores what something is attached to. */
export const ANYTHING = 'any';

/** Each type has a field, all with the same name, because the form shows only one of them. */
function idField({ name, value }: { name: string; value: string }): INodeProperties {
	const kind = kindOf(value);
	const field = reference(kind ?? 'record', 'actorId', {
		displayName: name,
		required: true,
		displayOptions: { show: { actorTypeId: [value] } },
	});
	if (kind !== undefined) return field;
	return {
		...field,
		default: { mode: 'id', value: '' },
		description: 'Its ID',
		modes: field.modes?.filter((mode) => mode.name === 'id'),
	};
}

interface Attached<Type extends ActorType> {
	/** Noun in texts, such as "document". */
	noun: string;
	types: readonly Type[];
	defaultType: Type;
	/** Searches have their own default, because they also accept any record. */
	defaultSearch: Type | typeof ANYTHING;
}

/** Builds the fields for the record that something is attached to, and what reads them. */
export function attachments<Type extends ActorType>({
	noun,
	types,
	defaultType,
	defaultSearch,
}: Attached<Type>) {
	const typeChoices = choices('ActorType').filter(({ value }) =>
		types.some((type) => type === value),
	);
	const labelOf = (type: string) => typeChoices.find(({ value }) => value === type)?.name ?? type;
	const idFields = typeChoices.map(idField);
	const typeField: INodeProperties = {
		displayName: LABEL,
		name: 'actorTypeId',
		type: 'options',
		options: typeChoices,
		default: defaultType,
		description: `The kind of record that the ${noun} belongs to`,
	};
	const anything: INodePropertyOptions = {
		name: 'Anything',
		value: ANYTHING,
		description: `Whatever record a ${noun} belongs to`,
	};

	const actorOf = async (context: ItemContext, defaultValue: string = defaultType) =>
		await named(context, (one) => {
			const ActorTypeId = oneOf(LABEL, one.param('actorTypeId', defaultValue), types, labelOf);
			const [kind, label] = [kindOf(ActorTypeId), labelOf(ActorTypeId)];
			const ActorId =
				kind === undefined ? one.id(label, 'actorId') : recordIn(one, kind, label, 'actorId');
			return { ActorTypeId, ActorId };
		});

	const search: Variant = {
		fields: [
			{
				...typeField,
				options: [anything, ...typeChoices].sort((a, b) => a.name.localeCompare(b.name, 'en')),
				default: defaultSearch,
			},
			...idFields,
		],
		owner: async (context) => {
			if (context.param('actorTypeId', defaultSearch) === ANYTHING) return undefined;
			const { ActorTypeId, ActorId } = await actorOf(context, defaultSearch);
			return { property: 'ActorId', id: ActorId, also: [equal('ActorTypeId', ActorTypeId)] };
		},
	};

	return { fields: [typeField, ...idFields], actorOf, search };
}
