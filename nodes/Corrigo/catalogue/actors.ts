import { entities, type EntityName } from './entities';
import type { enumerations } from './enumerations';
import { memberType } from './members';

/** A kind of record, by which rules, notes, documents and others refer to one of any entity. */
export type ActorType = (typeof enumerations)['ActorType'][number];

/** `UiTypeId` of actions that came through the API. */
export const API_UI_TYPE: (typeof enumerations)['UIType'][number] = 'IntegrationWS';

/** Kinds of records that have no custom fields; entities list the others. */
const others = {
	CustomerInvoice: 'Invoice',
	Document: 'Document',
	Estimate: 'WoEstimate',
	MhOrder: 'ReplenishmentOrder',
	Model: 'Model',
	Payment: 'Payment',
	Portfolio: 'Portfolio',
	Quote: 'WoQuote',
	Supplier: 'Employee',
	Team: 'Team',
} satisfies { readonly [Type in ActorType]?: EntityName };

const entityByType: ReadonlyMap<string, string> = new Map([
	...entities.flatMap(({ name, actorTypes = [] }) =>
		actorTypes.map((type) => [type, name] as const),
	),
	...Object.entries(others),
]);

/** The entity of the records of a kind, if it is known. */
export const entityOfType = (type: string): string | undefined => entityByType.get(type);

/** The member that has the kind of the record whose Id is in another: `ActorTypeId` for `ActorId`. */
export function typeMemberOf(owner: string, path: string): string | undefined {
	const found = path.replace(/Id$/i, 'TypeId');
	return found !== path && memberType(owner, found) === 'ActorType' ? found : undefined;
}
