/** Output previews, which n8n shows before an operation has run. The build writes them. */
import type { INodeProperties } from 'n8n-workflow';

import { findFieldTarget, findResourceSubject } from '../nodes/Corrigo/form/subjects';
import { resources } from '../nodes/Corrigo/actions/resources';
import type { Operation } from '../nodes/Corrigo/run/operation';
import { findTypeMember } from '../nodes/Corrigo/catalogue/members';
import { findAnswerEntity, getCommand } from '../nodes/Corrigo/catalogue/commands';
import {
	getEntity,
	getMemberTypes,
	isReadOnlyMember,
	REQUEST_ONLY,
	carriesAttributes,
} from '../nodes/Corrigo/catalogue/entities';
import { REPLACED_MEMBERS } from '../nodes/Corrigo/actions/workOrder/read/getDetails.operation';
import { RATINGS } from '../nodes/Corrigo/actions/workOrder/performance/groups';
import { isEnumerationName } from '../nodes/Corrigo/catalogue/enumerations';
import { getNameProperty, findSibling } from '../nodes/Corrigo/records/names';
import { findMemberTarget, getIdMembers } from '../nodes/Corrigo/catalogue/targets';
import { getNamedMembers, getSummary, summaries } from '../nodes/Corrigo/catalogue/summaries';

/** n8n looks here, in the package, for the previews of a node with version 1. */
export const PREVIEW_FOLDER = 'nodes/Corrigo/__schema__/v1.0.0';

export type Schema =
	| { type: 'array'; items: Schema }
	| { type: 'boolean' | 'integer' | 'number' | 'string' }
	| ObjectSchema;

interface ObjectSchema {
	type: 'object';
	properties: Record<string, Schema>;
}

const text: Schema = { type: 'string' };
const whole: Schema = { type: 'integer' };

const PRIMITIVES: Readonly<Record<string, Schema>> = {
	boolean: { type: 'boolean' },
	datetime: text,
	integer: whole,
	number: { type: 'number' },
	string: text,
};

const buildArray = (items: Schema): Schema => ({ type: 'array', items });

const object = (properties: Record<string, Schema>): ObjectSchema => ({
	type: 'object',
	properties,
});

/** The properties that a read returns, with the names that a summary adds. */
function recordSchema(entity: string): ObjectSchema {
	const paths = summaries[entity] ?? [];
	const members = Object.entries(getMemberTypes(entity)).filter(
		([name]) => !REQUEST_ONLY.includes(name),
	);
	return object(
		Object.fromEntries(
			members.flatMap(([name, type]) => {
				const schema = memberSchema(type, below(name, paths));
				return schema === undefined ? [] : [[name, schema]];
			}),
		),
	);
}

const below = (name: string, paths: readonly string[]): string[] =>
	paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));

/** References are returned with their Id (and kind, for actors), collections only on request. */
function memberSchema(type: string, inner: string[]): Schema | undefined {
	if (type in PRIMITIVES) return PRIMITIVES[type];
	if (isEnumerationName(type)) return text;
	if (type === 'MoneyValue') return object({ CurrencyTypeId: text, Value: { type: 'number' } });
	// Names of attributes are the Company's own.
	if (type === 'AssetAttribute[]') return inner.length === 0 ? undefined : object({});
	const target = type.replace('[]', '');
	const fields = getMemberTypes(target);
	const shown = Object.fromEntries(
		inner
			.map((path) => path.split('.')[0])
			.map((name) => [name, memberSchema(fields[name], below(name, inner)) ?? text] as const),
	);
	if (type.endsWith('[]')) {
		return inner.length === 0 ? undefined : { type: 'array', items: object(shown) };
	}
	const kind: Record<string, Schema> = type === 'Actor' ? { TypeId: text } : {};
	return getEntity(type) && object({ Id: whole, ...kind, ...shown });
}

const specifierSchema = (entity?: string): ObjectSchema =>
	object({
		EntityType: text,
		Id: whole,
		...(entity === undefined || getEntity(entity)?.lock ? { ConcurrencyId: whole } : {}),
	});

/** Objects with the parts that the paths name; a star stands for all members. */
function pathSchema(entity: string, paths: readonly string[]): ObjectSchema {
	if (paths.includes('*')) return recordSchema(entity);
	const types = getMemberTypes(entity);
	const names = new Set(paths.map((path) => path.split('.')[0]));
	return object(
		Object.fromEntries(
			[...names].map((name) => {
				const inner = below(name, paths);
				const type = types[name] ?? 'integer';
				if (inner.length === 0) return [name, memberSchema(type, []) ?? whole];
				const part = pathSchema(type.replace('[]', ''), inner);
				return [name, type.endsWith('[]') ? buildArray(part) : part];
			}),
		),
	);
}

/** A record of one of several entities, each with its own member for the name. */
const getActor = (entity: string) =>
	object(
		entity === 'Note'
			? { Id: whole, DisplayAs: text }
			: { Id: whole, DisplayAs: text, Name: text, Number: text },
	);

/** The names and labels that stand next to IDs, or in place of the codes of statuses. */
function withNames(
	entity: string,
	{ properties }: ObjectSchema,
	only: readonly string[] = Object.keys(properties),
): ObjectSchema {
	return object(
		Object.fromEntries(
			Object.entries(properties).flatMap(([member, schema]): Array<[string, Schema]> => {
				if (findTypeMember(entity, member) !== undefined) {
					return [
						[member, schema],
						[member.replace(/Id$/, ''), getActor(entity)],
					];
				}
				const sibling = findSibling(entity, member);
				if (sibling === undefined) return [[member, schema]];
				if ('enumeration' in sibling) return [[sibling.name, text]];
				if (!only.includes(member) || sibling.name in properties) return [[member, schema]];
				return [
					[member, schema],
					[sibling.name, object({ Id: whole, [sibling.property]: text })],
				];
			}),
		),
	);
}

const pageSchema = (entity: string): Record<string, Schema> =>
	entity === 'WorkOrder' ? { Url: text } : {};

/** Costs show these of their work order. */
const ORDER_SCHEMA = { WorkOrderNumber: text, Vendor: object({ Id: whole, DisplayAs: text }) };

/** The simplified output of a read. */
function readSchema(entity: string): ObjectSchema {
	const { Id, ...members } = withNames(
		entity,
		pathSchema(entity, getSummary(entity)),
		getNamedMembers(entity),
	).properties;
	const isInvoice = entity === 'WorkOrderCost';
	const order = isInvoice ? ORDER_SCHEMA : {};
	const limit = isInvoice ? pathSchema('WorkOrder', ['VendorNte']).properties : {};
	// A Company names its attributes.
	const attributes: Record<string, Schema> = carriesAttributes(entity)
		? { Attributes: object({}) }
		: {};
	return object({
		...{ Id: Id ?? whole, ...order, ...members, ...limit },
		...{ ...attributes, ...pageSchema(entity) },
	});
}

interface Written {
	/** Members that the form sets, and that the summary lacks. */
	added?: readonly string[];
	/** The answer has all members of the record, not only the ID. */
	isRecord?: boolean;
	/** Tells whether the name of a record of the entity is known, because a field chose it. */
	isNamed?: (entity: string) => boolean;
}

/** The simplified output of a write: what Corrigo answers, and what was written. */
function writtenSchema(
	entity: string,
	{ added = [], isRecord = false, isNamed = () => true }: Written = {},
): ObjectSchema {
	const name = getNameProperty(entity);
	const own = Object.entries(pathSchema(entity, getSummary(entity)).properties).flatMap(
		([member, schema]): Array<[string, Schema]> => {
			const isKnown = isRecord || member === 'Id' || member === name;
			if (schema.type === 'array' || (!isKnown && isReadOnlyMember(entity, member))) return [];
			const type = getMemberTypes(entity)[member] ?? '';
			if (schema.type !== 'object' || getEntity(type) === undefined) return [[member, schema]];
			const other = isNamed(type) ? getNameProperty(type) : undefined;
			return [[member, memberSchema(type, other === undefined ? [] : [other]) ?? whole]];
		},
	);
	const members = object(Object.fromEntries(own));
	const named = getIdMembers(entity).filter((member) => {
		const target = findMemberTarget(entity, member);
		return target === undefined || isNamed(target.entity);
	});
	return object({
		Id: whole,
		...(name && !isRecord && { [name]: text }),
		...withNames(entity, members, named).properties,
		...pathSchema(entity, added).properties,
		...pageSchema(entity),
	});
}

/** Entities of the records that the fields of a form can name. */
const getNamedEntities = (fields: readonly INodeProperties[]): string[] =>
	fields.flatMap((field) => [
		...[findFieldTarget(field)?.entity ?? []].flat(),
		...(field.options ?? []).flatMap((option) =>
			'values' in option
				? getNamedEntities(option.values)
				: 'type' in option
					? getNamedEntities([option])
					: [],
		),
	]);

/** The answer of a command has the summary, and the members that the form shows first. */
function answerSchema(command: string, { fields }: Operation): ObjectSchema | undefined {
	const entity = findAnswerEntity(command);
	if (entity === undefined) return undefined;
	const named = getNamedEntities(fields);
	const summary = getSummary(entity);
	const shown = fields.map(({ name }) => name.toLowerCase());
	const added = Object.keys(getCommand(command)?.fields ?? {}).filter(
		(member) =>
			member in getMemberTypes(entity) &&
			!summary.includes(member) &&
			shown.includes(member.replace(/Id$/, '').toLowerCase()),
	);
	return writtenSchema(entity, {
		added,
		isRecord: true,
		isNamed: (other) => named.includes(other),
	});
}

const namedRecord = object({ Id: whole, DisplayAs: text });

const amount: Schema = { type: 'number' };

const logEntry = object({
	...recordSchema('WoActionLog').properties,
	Actor: object({ Id: whole, TypeId: text, DisplayAs: text }),
	Reason: namedRecord,
});

/** The output of `detailInWords`. */
const actionDetail = object({ TypeId: text, Type: text, Value: text, Id: whole });

const procedure = {
	...{ Id: whole, DisplayAs: text, Index: whole, StatusId: text, Flag: namedRecord },
	IsNotApplicable: PRIMITIVES.boolean,
};

const step = {
	...{ Id: whole, Index: whole, Description: text, TypeId: text, Field: text },
	...{ IsRequired: PRIMITIVES.boolean, StatusId: text, Answer: amount, Flag: namedRecord },
	...{ IsNotApplicable: PRIMITIVES.boolean, Comment: text },
};

/** The output of `detailsOf`. */
function orderDetails(): ObjectSchema {
	const own = Object.entries(recordSchema('WorkOrder').properties);
	return object({
		...Object.fromEntries(own.filter(([member]) => !REPLACED_MEMBERS.includes(member))),
		MainAsset: object({ Id: whole, Name: text }),
		Specialty: namedRecord,
		SubType: namedRecord,
		WorkZone: namedRecord,
		RepairCode: namedRecord,
		Owner: namedRecord,
		Flag: namedRecord,
		IsOpen: PRIMITIVES.boolean,
		IsOverdue: PRIMITIVES.boolean,
		HoursLeft: amount,
		CurrentReason: namedRecord,
		Address: recordSchema('Address2'),
		Assignments: buildArray(object({ Employee: namedRecord, IsPrimary: PRIMITIVES.boolean })),
		CheckIns: buildArray(object({ ...recordSchema('WoOnSite').properties, Employee: namedRecord })),
		Contact: object({ ...namedRecord.properties, Phone: text, Email: text }),
		Costs: recordSchema('WorkOrderCost'),
		CustomFields: object({}),
		Customer: object({ ...namedRecord.properties, TenantCode: text, Instructions: text }),
		Documents: buildArray(recordSchema('Document')),
		Estimate: object({
			...recordSchema('WoEstimate').properties,
			Items: buildArray(recordSchema('QuoteOrEstimateItem')),
		}),
		Flags: buildArray(object({ ...namedRecord.properties, Comment: text, UtcStamp: text })),
		History: buildArray(logEntry),
		Items: buildArray(
			object({
				...recordSchema('WoItem').properties,
				Asset: object({
					Id: whole,
					Name: text,
					TypeId: text,
					ModelId: whole,
					SerialNumber: text,
					TagId: text,
					Attributes: object({}),
				}),
				Task: namedRecord,
			}),
		),
		Notes: buildArray(recordSchema('WoNote')),
		Procedures: buildArray(
			object({
				...procedure,
				Asset: object({ Id: whole, Name: text }),
				Steps: buildArray(object(step)),
			}),
		),
		Quote: object({
			...recordSchema('WoQuote').properties,
			Items: buildArray(recordSchema('QuoteOrEstimateItem')),
		}),
		Verifications: buildArray(recordSchema('WoVerification')),
	});
}

const withLines = (entity: string): ObjectSchema =>
	object({
		...recordSchema(entity).properties,
		Items: buildArray(
			object({ ...recordSchema('QuoteOrEstimateItem').properties, InvoiceItem: namedRecord }),
		),
	});

const file = object({ Id: whole, FileName: text, MimeType: text, FileSize: whole });

const schedule = object({
	...Object.fromEntries(
		[
			...['AcknowledgeBy', 'OnSiteBy', 'ScheduledStart', 'Due'],
			...['AcknowledgeByUtc', 'OnSiteByUtc', 'ScheduledStartUtc', 'DueUtc', 'TimeZone'],
		].map((name) => [name, text]),
	),
	Duration: whole,
	Priority: namedRecord,
	Specialty: namedRecord,
	WorkZone: namedRecord,
});

const employeeSummary = Object.entries(recordSchema('Employee').properties).filter(([member]) =>
	summaries.Employee?.includes(member),
);

const suggestion = object({
	Rank: whole,
	...withNames('Employee', object(Object.fromEntries(employeeSummary))).properties,
	WorkOrder: object({ Id: whole, Number: text }),
});

const zoneState = object({ Id: whole, IsOffline: PRIMITIVES.boolean });

const suspension = object({ Id: whole, Suspended: PRIMITIVES.boolean });

const money = object({ CurrencyTypeId: text, Value: amount });

const updatedOrder = object({ Number: text, Id: whole, Url: text });

const getNumbers = (...names: readonly string[]) =>
	object(Object.fromEntries(names.map((name) => [name, { type: 'number' }])));

const performance = object({
	Group: text,
	IsTotal: PRIMITIVES.boolean,
	...Object.fromEntries(
		[
			...['Created', 'Completed', 'Cancelled', 'OpenNow', 'OverdueNow', 'Reopened'],
			'CompletedOnTime',
		].map((name) => [name, whole]),
	),
	...getNumbers(
		...['CompletedOnTimePercent', 'PickedUpOnTimePercent'],
		...['PickUp', 'Arrive', 'Complete'].flatMap((step) => [
			`MedianHoursTo${step}`,
			`P90HoursTo${step}`,
		]),
		'MedianHoursOnHold',
	).properties,
	CostTotal: getNumbers('USD'),
	VendorInvoiceTotal: getNumbers('USD'),
	OverNte: whole,
	Ratings: object(Object.fromEntries(RATINGS.map((rating) => [rating, whole]))),
});

const CUSTOM_PREVIEWS: Readonly<Record<string, ObjectSchema>> = {
	'asset:addReading': object({
		...{ Id: whole, AssetId: whole, Asset: object({ Id: whole, Name: text }) },
		...{ Descriptor: object({ Id: whole, Name: text }), Value: text },
	}),
	'asset:getReadings': object({
		Id: whole,
		Asset: object({ Id: whole, Name: text }),
		Attribute: text,
		Value: amount,
	}),
	'company:checkAccess': object({ check: text, status: text, detail: text, howToFix: text }),
	'company:discover': object({
		Url: text,
		CompanyName: text,
		Protocol: text,
		CompanyVersion: text,
		CompanyId: whole,
	}),
	'cost:create': object({ ...writtenSchema('FinancialItem').properties, TypeId: text }),
	'document:download': file,
	'document:upload': object({ ...writtenSchema('Document').properties, StorageTypeId: text }),
	'employee:reactivate': suspension,
	'employee:suspend': suspension,
	'purchaseOrder:markExported': object({ Number: text, Id: whole, IsExported: PRIMITIVES.boolean }),
	'purchaseOrder:receive': object({ Number: text, Id: whole }),
	'record:describe': object({
		...{ Entity: text, Name: text, Label: text, Type: text },
		...{ Writable: PRIMITIVES.boolean, Required: PRIMITIVES.boolean },
		...{ Choices: buildArray(text), RefersTo: text, MaxLength: whole },
		CustomField: PRIMITIVES.boolean,
	}),
	'workZone:bringOnline': zoneState,
	'workZone:takeOffline': zoneState,
	'workOrder:setDependency': object({ Id: whole, DependentWorkOrderId: whole }),
	'workOrder:decideEstimate': object({
		...updatedOrder.properties,
		Estimate: object({ Status: text, Reason: text }),
	}),
	'workOrder:decideQuote': object({
		...updatedOrder.properties,
		Quote: object({ Status: text, Reason: text }),
	}),
	'workOrder:getChanges': object({ ...readSchema('WorkOrder').properties, ChangeKey: text }),
	'workOrder:getDetails': orderDetails(),
	'workOrder:getEstimates': withLines('WoEstimate'),
	'workOrder:getHistory': object({ ...logEntry.properties, Details: buildArray(actionDetail) }),
	'workOrder:getPerformance': performance,
	'workOrder:getProcedures': object({
		WorkOrder: object({ Id: whole, Number: text }),
		Procedure: object(procedure),
		...step,
		Asset: object({ Id: whole, Name: text }),
		Documents: buildArray(recordSchema('Document')),
	}),
	'workOrder:getQuotes': withLines('WoQuote'),
	'workOrder:previewSchedule': schedule,
	'workOrder:print': file,
	'workOrder:setEstimate': object({
		...updatedOrder.properties,
		Estimate: object({
			...{ CurrencyTypeId: text, Amount: money, IsMultiline: PRIMITIVES.boolean },
			...{ ContactId: whole, Contact: namedRecord, Status: text, Comment: text },
			Items: buildArray(
				object({
					...{ Description: text, Quantity: amount, InvoiceItem: namedRecord },
					...{ CurrencyTypeId: text, Rate: money, Amount: money },
				}),
			),
		}),
	}),
	'workOrder:setNte': object({
		...updatedOrder.properties,
		...{ VendorNte: money, WorkOrderCost: object({ CustomerNte: money }) },
	}),
	'workOrder:suggestAssignees': suggestion,
	'workOrder:upsert': object({
		...{ Outcome: text, Changed: buildArray(text), Number: text, Id: whole },
		...{ LastAction: object({ XNumber: text }), Url: text },
	}),
};

/** A record of any entity has at least an ID. */
const selectWritten = (entity?: string): Record<string, Schema> =>
	entity === undefined ? { Id: whole } : writtenSchema(entity).properties;

function buildPreview(resource: string, operation: Operation): ObjectSchema | undefined {
	const { value, command } = operation;
	const own = CUSTOM_PREVIEWS[`${resource}:${value}`];
	if (own !== undefined) return own;
	const subject = findResourceSubject(resource);
	if (subject === undefined) return undefined;
	const { entity } = subject;
	switch (value) {
		case 'count':
			return object({ Count: whole });
		case 'delete':
			return object({ deleted: { type: 'boolean' }, Id: whole });
		case 'get':
		case 'getMany':
			return entity === undefined ? object({ Id: whole }) : readSchema(entity);
		case 'restore':
			return specifierSchema(entity);
		case 'restoreValues':
			return object({
				Outcome: text,
				Changed: buildArray(text),
				NotRestored: buildArray(object({ Field: text, Now: text, Reason: text })),
				Id: whole,
			});
		case 'update':
			return object(selectWritten(entity));
		case 'upsert':
			return object({ Outcome: text, Changed: buildArray(text), ...selectWritten(entity) });
	}
	if (command !== undefined) return answerSchema(command, operation);
	return value === 'create' ? object(selectWritten(entity)) : undefined;
}

/** Contents by file name. An operation whose answer is not published has no preview. */
export const previews = (): Map<string, string> =>
	new Map(
		resources.flatMap(({ value: resource, operations }) =>
			operations.flatMap((operation) => {
				const schema = buildPreview(resource, operation);
				return schema === undefined
					? []
					: [
							[
								`${resource}/${operation.value}.json`,
								`${JSON.stringify({ ...schema, version: 1 }, null, '\t')}\n`,
							] as const,
						];
			}),
		),
	);
