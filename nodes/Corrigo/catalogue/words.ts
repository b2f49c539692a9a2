import { aliases, findEntityMemberType, getEntity, toRowType, type EntityName } from './entities';
import { createTable } from './table';
import { findMemberTarget } from './targets';

/** Words by which people look for records, besides the label and the aliases of their entity. */
const ENTITY_WORDS = createTable<string>({
	AssetAttribute: 'meter reading',
	Customer: 'site store tenant',
	Employee: 'technician assigned assignee',
	FinancialItem: 'cost expense labor material',
	Location: 'meter',
	ProcedureTemplate: 'inspection checklist',
	ReplenishmentOrder: 'supplies',
	Space: 'room suite unit floor',
	WoNote: 'comment',
	WoOnSite: 'visit check-in arrival',
	WoProcedure: 'inspection checklist',
	WoProcedureStep: 'inspection checklist',
	WorkOrder: 'ticket request job',
	WorkOrderCost: 'bill',
	WorkZone: 'region branch',
} satisfies Partial<Record<EntityName, string>>);

/** Words for members that hold no other record. */
const MEMBER_WORDS = createTable<string>({
	AcknowledgeByUtc: 'deadline response',
	DueDateUtc: 'deadline',
	DtDue: 'deadline',
	ShortLocation: 'site room place',
	TaskRefinement: 'description fault',
	VendorNte: 'limit not to exceed',
});

const splitWords = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** Lists the words by which people look for an entity, besides its name and label. */
export const listEntityWords = (entity: string): string =>
	[
		ENTITY_WORDS[entity] ?? '',
		...Object.entries(aliases)
			.filter(([, { name }]) => name === entity)
			.map(([alias]) => `${alias} ${splitWords(alias)}`),
	].join(' ');

/** Lists the words by which people look for a property: those of each record on its path. */
export function listPathWords(owner: string, path: string): string {
	const members = path.split('.');
	const words = members.map((member, index) => {
		const getType = (count: number) =>
			toRowType(findEntityMemberType(owner, members.slice(0, count).join('.')) ?? '');
		const target = findMemberTarget(index === 0 ? owner : getType(index), member)?.entity;
		const entity = getEntity(getType(index + 1))?.name ?? target;
		return `${MEMBER_WORDS[member] ?? ''} ${entity === undefined ? '' : listEntityWords(entity)}`;
	});
	return words.join(' ');
}
