import type { INodeProperties } from 'n8n-workflow';

import type { EntityName } from '../catalogue/entities';
import { createTable } from '../catalogue/table';
import { getRecordTarget, type Target } from '../catalogue/targets';
import { getRecordView, recordTypes, views, type RecordType } from '../catalogue/views';
import { addArticle } from '../values/errors';
import { buildLocator, buildTextMode } from './fields';

/** The operations of a resource are about records of one entity, or of any that the user names. */
export interface Subject {
	entity?: EntityName;
	/** A reference of this type selects one of the records. */
	recordType: ReferenceType;
	/** The field that selects it. */
	idField: ReferenceField;
	/** Deleted records alone are found by their names. */
	isRemoved?: true;
	/** "Work Order" */
	label: string;
	/** "a work order" */
	one: string;
	/** "work order" */
	noun: string;
	/** "work orders" */
	many: string;
}

const toPlural = (noun: string): string => `${noun.replace(/y$/, 'ie').replace(/s$/, 'se')}s`;

/** `record` is a record of the entity that the user names, so the catalogue has no entry for it. */
export type ReferenceType = RecordType | 'record';

const RECORD = { label: 'Record', example: 'Contoso Pharmacy' };

/** Method names are, for example, searchCustomers, searchCostStatuses and searchPriorities. */
export const getListMethod = (type: ReferenceType): string =>
	`search${toPlural(type[0].toUpperCase() + type.slice(1))}`;

/** Numbers are texts, because they include the prefix of the work zone and leading zeros. */
const NUMBER_MODES = [
	buildTextMode({ displayName: 'By Number', name: 'number' }, 'ABC0010001'),
	buildTextMode({ displayName: 'By External Number', name: 'externalNumber' }, 'TICKET-4711'),
];

const buildDescription = (type: ReferenceType, example?: string): string =>
	type === 'workOrder'
		? 'Choose from the list, or enter a number such as ABC0010001, an external number or an ID'
		: example === undefined
			? 'Choose from the list, or enter an ID'
			: `Choose from the list, or enter a name such as ${example}, or an ID`;

/** A record that no list can offer. */
export const ID_ONLY = {
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	modes: [buildTextMode({ displayName: 'By ID', name: 'id' }, '1234')],
} satisfies Partial<INodeProperties>;

/** Users choose the record from a list, or enter its ID, name or number. */
export function buildReferenceField(
	type: ReferenceType,
	name: string,
	more: Partial<INodeProperties> = {},
	ownExample?: string,
) {
	const view: { label: string; example?: string } =
		type === 'record' ? RECORD : getRecordView(type);
	const example = ownExample ?? view.example;
	return {
		displayName: view.label,
		name,
		...buildLocator(
			getListMethod(type),
			buildTextMode({ displayName: 'By ID', name: 'id' }, '1234'),
			...(type === 'workOrder' ? NUMBER_MODES : []),
			...(example === undefined
				? []
				: [buildTextMode({ displayName: 'By Name', name: 'name' }, example)]),
		),
		description: buildDescription(type, example),
		...more,
	};
}

type ReferenceField = ReturnType<typeof buildReferenceField>;

const buildIdField = (recordType: ReferenceType, displayName: string) =>
	buildReferenceField(recordType, 'id', { displayName, required: true });

const typesByList = new Map<unknown, RecordType>(
	recordTypes.map((recordType) => [getListMethod(recordType), recordType]),
);

/** The list that a field offers says which records it names; without one, it takes only IDs. */
export function findFieldTarget({ modes }: INodeProperties): Target | undefined {
	const recordType = typesByList.get(modes?.[0].typeOptions?.searchListMethod);
	return recordType && getRecordTarget(recordType);
}

type Views = typeof views;
type DescribedEntity = {
	[Entity in keyof Views]: Views[Entity] extends { singular: string } ? Entity : never;
}[keyof Views];

function createSubject<Entity extends DescribedEntity>(entity: Entity) {
	const { recordType, singular: noun } = views[entity];
	const many = noun.split(' or ').map(toPlural).join(' and ');
	const { label } = getRecordView(recordType);
	const idField = buildIdField(recordType, label);
	return { entity, recordType, idField, label, one: addArticle(noun), noun, many };
}

export const subjects = {
	asset: createSubject('Location'),
	contact: createSubject('Contact'),
	cost: createSubject('FinancialItem'),
	customer: createSubject('Customer'),
	customerNote: createSubject('Note'),
	document: createSubject('Document'),
	employee: createSubject('Employee'),
	invoice: {
		...createSubject('WorkOrder'),
		// A WorkOrderCost has the Id of its work order, so users choose the work order.
		entity: 'WorkOrderCost',
		one: 'the vendor invoice and costs of a work order',
		noun: 'vendor invoice and costs',
		many: 'vendor invoices and costs',
	},
	note: createSubject('WoNote'),
	purchaseOrder: createSubject('ReplenishmentOrder'),
	record: {
		recordType: 'record',
		idField: buildIdField('record', RECORD.label),
		label: RECORD.label,
		one: 'a record',
		noun: 'record',
		many: 'records',
	},
	space: createSubject('Space'),
	timeCard: createSubject('TimeCardItem'),
	vendorInsurance: createSubject('ProviderCoi'),
	workOrder: createSubject('WorkOrder'),
	workZone: createSubject('WorkZone'),
} as const satisfies Record<string, Subject>;

const subjectsByResource = createTable<Subject | undefined>(subjects);

/** A resource without records, such as Company, has no subject. */
export const findResourceSubject = (resource: string): Subject | undefined =>
	subjectsByResource[resource];

/** The entity is undefined if the resource has no records, or if the user names the entity. */
export const findResourceEntity = (resource = ''): EntityName | undefined =>
	findResourceSubject(resource)?.entity;
