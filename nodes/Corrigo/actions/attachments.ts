import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { choices } from '../form/fields';
import { reference, type KnownKind } from '../form/references';
import { and, equal } from '../protocol/criteria';
import { oneOf } from '../protocol/values';
import type { ItemContext } from '../run/context';
import { named, recordIn } from '../run/resolve';
import { narrowedBy, type Variant } from './operations/search';

/** The kinds of record that something can belong to, and how one of them is found. */
const KINDS = {
	Asset: 'asset',
	CommLease: 'customer',
	CommLeaseSpace: 'space',
	Employee: 'employee',
	LeaseUser: 'contact',
	Org: undefined,
	Property: 'workZone',
	Provider: 'employee',
	WO: 'workOrder',
} as const satisfies Record<string, KnownKind | undefined>;

type Kind = keyof typeof KINDS;

export const everyKind = Object.keys(KINDS) as Kind[];

const LABEL = 'Attached To';

/** For whatever record it belongs to. */
export const ANYTHING = 'any';

/** One field for each kind, all of the same name: only one of them is shown. */
function idField({ name, value }: { name: string; value: string }): INodeProperties {
	const kind = KINDS[value as Kind];
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

interface Ownership {
	/** "document" */
	what: string;
	kinds: readonly Kind[];
	/** What a form starts with. */
	usual: Kind;
	/** The same for searches, which can leave it open. */
	searched: Kind | typeof ANYTHING;
}

export interface Actor {
	ActorTypeId: string;
	ActorId: number;
}

/** Which record it is that something belongs to: the fields that ask for it, and what they say. */
export function attachments({ what, kinds, usual, searched }: Ownership) {
	const kindChoices = choices('ActorType').filter(({ value }) => kinds.includes(value as Kind));
	const labelOf = (kind: Kind) => kindChoices.find(({ value }) => value === kind)?.name ?? kind;
	const idFields = kindChoices.map(idField);
	const typeField: INodeProperties = {
		displayName: LABEL,
		name: 'actorTypeId',
		type: 'options',
		options: kindChoices,
		default: usual,
		description: `The kind of record that the ${what} belongs to`,
	};
	const anything: INodePropertyOptions = {
		name: 'Anything',
		value: ANYTHING,
		description: `Whatever record a ${what} belongs to`,
	};

	function actorIn(context: ItemContext, start: string): Actor {
		const ActorTypeId = oneOf(LABEL, context.param('actorTypeId', start), kinds, labelOf);
		const [kind, label] = [KINDS[ActorTypeId], labelOf(ActorTypeId)];
		const ActorId =
			kind === undefined ? context.id(label, 'actorId') : recordIn(context, kind, label, 'actorId');
		return { ActorTypeId, ActorId };
	}

	const actorOf = async (context: ItemContext, start: string = usual): Promise<Actor> =>
		await named(context, (one) => actorIn(one, start));

	const search: Variant = {
		fields: [
			{
				...typeField,
				options: [anything, ...kindChoices].sort((a, b) => a.name.localeCompare(b.name, 'en')),
				default: searched,
			},
			...idFields,
		],
		adapt: narrowedBy(async (context) => {
			if (context.param('actorTypeId', searched) === ANYTHING) return undefined;
			const { ActorTypeId, ActorId } = await actorOf(context, searched);
			return and(equal('ActorTypeId', ActorTypeId), equal('ActorId', ActorId));
		}),
	};

	return { fields: [typeField, ...idFields], actorOf, search };
}
