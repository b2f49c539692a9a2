import { entities, type EntityName } from './entities';
import type { enumerations } from './enumerations';
import { findMemberType } from './members';

/** Type of a record, by which rules, notes and documents can refer to records of any entity. */
export type ActorType = (typeof enumerations)['ActorType'][number];

/** `UiTypeId` of actions that came through the API. */
export const API_UI_TYPE: (typeof enumerations)['UIType'][number] = 'IntegrationWS';

/** Types of records without custom fields. The tables of entities list the other types. */
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

/** Some types belong to no known entity. */
export const findActorEntity = (type: string): string | undefined => entityByType.get(type);

/** Finds the member with the type of the record behind an Id: `ActorTypeId` for `ActorId`. */
export function findTypeMember(owner: string, path: string): string | undefined {
	const found = path.replace(/Id$/i, 'TypeId');
	return found !== path && findMemberType(owner, found) === 'ActorType' ? found : undefined;
}
