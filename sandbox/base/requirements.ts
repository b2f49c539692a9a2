import { failBusinessLogic, fail, term } from '../errors';
import { typeOf } from '../schema';
import type { Row, Store, Values } from '../store/store';

interface Requirement {
	required?: readonly string[];
	/** A record without any of these counts as empty input. */
	anyOf?: readonly string[];
	/** At least one of these must be true. */
	oneOf?: readonly string[];
	lengths?: Readonly<Record<string, number>>;
	unique?: Readonly<Record<string, string>>;
}

const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
	WorkOrder: { lengths: { ContactName: 256 } },
	WoItem: {
		required: ['Asset', 'Task', 'WorkOrderId', 'SortOrderIdx'],
		lengths: { AssetLocation: 128, Comment: 3096 },
	},
	WoNote: { required: ['WorkOrderId', 'Body', 'NoteTypeId'] },
	FinancialItem: { required: ['WoId'] },
	Note: { required: ['ActorId', 'ActorTypeId'] },
	Customer: {
		required: ['DisplayAs', 'Name', 'WorkZone', 'Dba', 'TenantCode'],
		lengths: { DisplayAs: 64, Name: 64, Dba: 64, TenantCode: 64, Instructions: 3072 },
		unique: { TenantCode: 'Tenant Code' },
	},
	Contact: {
		required: ['LastName'],
		lengths: { LastName: 50, FirstName: 50, Number: 64, Comment: 256 },
	},
	Space: { lengths: { Instructions: 256 } },
	Employee: {
		required: ['FirstName', 'DisplayAs', 'ActorTypeId', 'Role'],
		lengths: { FirstName: 80, DisplayAs: 256 },
		unique: { Username: term('User') + ' ID' },
	},
	Location: { required: ['Name', 'ModelId', 'TypeId', 'ParentId'], lengths: { Name: 64 } },
	Task: {
		required: ['ModelId', 'DisplayAs', 'Specialty', 'Priority'],
		oneOf: ['Preventive', 'Routine', 'Corrective', 'Symptom', 'Default'],
	},
	CustomFieldDescriptor: { required: ['Name', 'ActorTypeId', 'Type'], lengths: { Name: 64 } },
	CustomField2: { required: ['Descriptor', 'ObjectId', 'ObjectTypeId', 'Value'] },
	Document: {
		required: ['ActorId', 'ActorTypeId', 'Title', 'DocType', 'StorageTypeId', 'MimeType'],
		anyOf: ['DocType', 'StorageTypeId'],
	},
	WoEstimate: { required: ['CurrencyTypeId', 'ContactId', 'StatusId', 'IsMultiline'] },
	WorkOrderCost: { lengths: { AuthorizationCode: 32, CheckNumber: 64 } },
	WoLastAction: { lengths: { XNumber: 256 } },
};

/** Entities whose name in texts of the service differs from their name in the API. */
const DISPLAY_NAMES: Readonly<Record<string, string>> = { Employee: 'User', Location: 'Asset' };

const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || value === '' || value === 0;

/** Whether a record has no value for a member; an enumeration has a member for that. */
const isBlank = (entity: string, values: Values, name: string): boolean =>
	isEmpty(values[name]) ||
	(values[name] === 'Unknown' && typeOf(entity).field(name)?.kind === 'enum');

export function requireMembers(entity: string, values: Values): void {
	const { required = [], anyOf = [], oneOf = [] } = REQUIREMENTS[entity] ?? {};
	if (anyOf.length > 0 && anyOf.every((name) => isBlank(entity, values, name))) {
		fail('EMPTY_INPUT_PARAMETER', `${anyOf.join(' and ')} are empty`);
	}
	for (const name of required) {
		if (isBlank(entity, values, name)) failBusinessLogic(`${name} is a required field`);
	}
	if (oneOf.length > 0 && !oneOf.some((name) => values[name] === true)) {
		failBusinessLogic(`One of ${oneOf.join(', ')} is a required field`);
	}
}

export function checkLimits(store: Store, entity: string, values: Values, self?: Row): void {
	const { lengths = {}, unique = {} } = REQUIREMENTS[entity] ?? {};
	for (const [name, maxLength] of Object.entries(lengths)) {
		if (String(values[name] ?? '').length > maxLength) {
			failBusinessLogic(`${name} must not be longer than ${maxLength} characters`);
		}
	}
	for (const [name, label] of Object.entries(unique)) {
		if (!(name in values) || isBlank(entity, values, name)) continue;
		const others = store.idsWhere(entity, name, values[name]).filter((id) => id !== self?.Id);
		if (others.length === 0) continue;
		const words = term(DISPLAY_NAMES[entity] ?? entity);
		failBusinessLogic(`${words} with ${label} '${String(values[name])}' already exists`);
	}
}

export function forbidEmptying(entity: string, changes: Values): void {
	const { required = [] } = REQUIREMENTS[entity] ?? {};
	const emptied = required.find((name) => name in changes && isBlank(entity, changes, name));
	if (emptied && typeOf(entity).field(emptied)) failBusinessLogic(`${emptied} is a required field`);
}
