import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { choices } from '../../descriptions/fields';
import { reference, type KnownKind } from '../../descriptions/references';
import { oneOf } from '../../protocol/values';
import type { Call } from '../call';
import { named, recordIn } from '../names';
import { workOrderId } from '../workOrder/numbers';

/** The kinds of record that a document can belong to, and how one of them is found. */
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

const kinds = Object.keys(KINDS) as Kind[];
const kindChoices = choices('ActorType').filter(({ value }) => value in KINDS);

const typeField: INodeProperties = {
	displayName: 'Attached To',
	name: 'actorTypeId',
	type: 'options',
	options: kindChoices,
	default: 'WO',
	description: 'The kind of record that the document belongs to',
};

/** One field for each kind, all of the same name: only one of them is shown. */
const idFields = kindChoices.map(({ name, value }): INodeProperties => {
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
});

/** Which record a document belongs to. */
export const actorFields: INodeProperties[] = [typeField, ...idFields];

const ANYTHING = 'any';

const anything: INodePropertyOptions = {
	name: 'Anything',
	value: ANYTHING,
	description: 'Whatever record a document belongs to',
};

/** The same where it may be left open. */
export const optionalActorFields: INodeProperties[] = [
	{
		...typeField,
		options: [anything, ...kindChoices].sort((a, b) => a.name.localeCompare(b.name, 'en')),
	},
	...idFields,
];

export interface Actor {
	ActorTypeId: string;
	ActorId: number;
}

export async function actorOf(call: Call): Promise<Actor> {
	const labelOf = (kind: Kind) => kindChoices.find(({ value }) => value === kind)?.name ?? kind;
	const ActorTypeId = oneOf('Attached To', call.param('actorTypeId', 'WO'), kinds, labelOf);
	const label = labelOf(ActorTypeId);
	const ActorId =
		ActorTypeId === 'WO'
			? await workOrderId(call, label, 'actorId')
			: await named(call, (one) => ownerOf(one, KINDS[ActorTypeId], label));
	return { ActorTypeId, ActorId };
}

const ownerOf = (call: Call, kind: KnownKind | undefined, label: string) =>
	kind === undefined ? call.id(label, 'actorId') : recordIn(call, kind, label, 'actorId');

export const optionalActorOf = async (call: Call): Promise<Actor | undefined> =>
	call.param('actorTypeId', 'WO') === ANYTHING ? undefined : await actorOf(call);
