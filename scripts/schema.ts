/** What n8n shows of an operation's output before its first run. */
import { subjectOf } from '../nodes/Corrigo/form/subjects';
import { resources } from '../nodes/Corrigo/actions/registry';
import type { Operation } from '../nodes/Corrigo/run/operation';
import { commandNamed } from '../nodes/Corrigo/catalogue/commands';
import { entityNamed, fieldsOf } from '../nodes/Corrigo/catalogue/entities';
import { TOLD_OTHERWISE } from '../nodes/Corrigo/protocol/orderDetails';
import { isEnumerationName } from '../nodes/Corrigo/catalogue/enumerations';
import { summaries } from '../nodes/Corrigo/catalogue/summaries';

/** Below the root. */
export const FOLDER = 'nodes/Corrigo/__schema__/v1.0.0';

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

const object = (properties: Record<string, Schema>): ObjectSchema => ({
	type: 'object',
	properties,
});

/** Members that only requests carry. */
const REQUEST_ONLY = ['PerformDeletion', 'IsNew'];

/** All own properties, as a read gives them, and the names that a summary adds. */
function record(entity: string): ObjectSchema {
	const paths = summaries[entity] ?? [];
	const members = Object.entries(fieldsOf(entity)).filter(([name]) => !REQUEST_ONLY.includes(name));
	return object(
		Object.fromEntries(
			members.flatMap(([name, type]) => {
				const inner = paths
					.filter((path) => path.startsWith(`${name}.`))
					.map((path) => path.slice(name.length + 1));
				const schema = member(type, inner);
				return schema === undefined ? [] : [[name, schema]];
			}),
		),
	);
}

/** A reference comes with its Id, one to an actor with its kind; a collection where somebody asks. */
function member(type: string, inner: string[]): Schema | undefined {
	if (type in PRIMITIVES) return PRIMITIVES[type];
	if (isEnumerationName(type)) return text;
	if (type === 'MoneyValue') return object({ CurrencyTypeId: text, Value: { type: 'number' } });
	const target = type.replace('[]', '');
	const fields = fieldsOf(target);
	const shown = Object.fromEntries(
		inner.map((name) => [name, member(fields[name], []) ?? text] as const),
	);
	if (type.endsWith('[]')) {
		return inner.length === 0 ? undefined : { type: 'array', items: object(shown) };
	}
	const kind: Record<string, Schema> = type === 'Actor' ? { TypeId: text } : {};
	return entityNamed(type) && object({ Id: whole, ...kind, ...shown });
}

const specifier = (entity?: string): ObjectSchema =>
	object({
		EntityType: text,
		Id: whole,
		...(entity === undefined || entityNamed(entity)?.lock ? { ConcurrencyId: whole } : {}),
	});

/** What entity the member of a command's answer is, where the names differ. */
const ANSWERS: Readonly<Record<string, string>> = {
	Financial: 'WorkOrderCost',
	NewSpace: 'Space',
	Wo: 'WorkOrder',
	WorkVerification: 'WoVerification',
};

const answerOf = (command: string): ObjectSchema | undefined => {
	const answer = commandNamed(command)?.answer ?? '';
	const entity = entityNamed(ANSWERS[answer] ?? answer)?.name;
	return entity === undefined ? undefined : record(entity);
};

const newOrder = object({
	...record('WorkOrder').properties,
	Items: { type: 'array', items: record('WoItem') },
});

const rows = (items: Schema): Schema => ({ type: 'array', items });
const named = object({ Id: whole, DisplayAs: text });
const amount: Schema = { type: 'number' };

/** The log says who by an actor, and why by a reason. */
const action = object({
	...record('WoActionLog').properties,
	Actor: object({ Id: whole, TypeId: text, DisplayAs: text }),
	Reason: named,
});

/** As `detailsOf` puts it together. */
function details(): ObjectSchema {
	const own = Object.entries(record('WorkOrder').properties);
	return object({
		...Object.fromEntries(own.filter(([member]) => !TOLD_OTHERWISE.includes(member))),
		MainAsset: object({ Id: whole, Name: text }),
		RepairCode: named,
		Owner: named,
		Flag: named,
		IsOpen: PRIMITIVES.boolean,
		IsOverdue: PRIMITIVES.boolean,
		HoursLeft: amount,
		CurrentReason: named,
		Address: record('Address2'),
		Assignments: rows(object({ Employee: named, IsPrimary: PRIMITIVES.boolean })),
		CheckIns: rows(object({ ...record('WoOnSite').properties, Employee: named })),
		Contact: object({ ...named.properties, Phone: text, Email: text }),
		Costs: record('WorkOrderCost'),
		CustomFields: object({}),
		Customer: object({ ...named.properties, TenantCode: text, Instructions: text }),
		Documents: rows(record('Document')),
		Estimate: object({
			...record('WoEstimate').properties,
			Items: rows(record('QuoteOrEstimateItem')),
		}),
		Flags: rows(object({ ...named.properties, Comment: text, UtcStamp: text })),
		History: rows(action),
		Items: rows(
			object({
				...record('WoItem').properties,
				Asset: object({
					Id: whole,
					Name: text,
					TypeId: text,
					ModelId: whole,
					SerialNumber: text,
					TagId: text,
					Attributes: object({}),
				}),
				Task: named,
			}),
		),
		Notes: rows(record('WoNote')),
		Quote: object({ ...record('WoQuote').properties, Items: rows(record('QuoteOrEstimateItem')) }),
		Verifications: rows(record('WoVerification')),
	});
}

const withLines = (entity: string): ObjectSchema =>
	object({
		...record(entity).properties,
		Items: rows(object({ ...record('QuoteOrEstimateItem').properties, InvoiceItem: named })),
	});

const file = object({ Id: whole, FileName: text, MimeType: text, FileSize: whole });

const suspension = object({ Id: whole, Suspended: PRIMITIVES.boolean });

/** Operations whose output is like no other. */
const OWN: Readonly<Record<string, ObjectSchema>> = {
	'company:checkAccess': object({ check: text, status: text, detail: text, howToMend: text }),
	'company:discover': object({
		Url: text,
		CompanyName: text,
		Protocol: text,
		CompanyVersion: text,
		CompanyId: whole,
	}),
	'document:download': file,
	'document:upload': specifier('Document'),
	'employee:reactivate': suspension,
	'employee:suspend': suspension,
	'workOrder:create': newOrder,
	'workOrder:getDetails': details(),
	'workOrder:getEstimates': withLines('WoEstimate'),
	'workOrder:getHistory': action,
	'workOrder:getQuotes': withLines('WoQuote'),
	'workOrder:print': file,
	'workOrder:setNte': specifier('WorkOrder'),
};

function previewOf(resource: string, { value, command }: Operation): ObjectSchema | undefined {
	const own = OWN[`${resource}:${value}`];
	if (own !== undefined) return own;
	const subject = subjectOf(resource);
	if (subject === undefined) return undefined;
	const { entity } = subject;
	switch (value) {
		case 'count':
			return object({ Count: whole });
		case 'delete':
			return object({ deleted: { type: 'boolean' }, Id: whole });
		case 'get':
		case 'getMany':
			return entity === undefined ? object({ Id: whole, ConcurrencyId: whole }) : record(entity);
		case 'restore':
		case 'update':
			return specifier(entity);
		case 'upsert':
			return object({
				...specifier(entity).properties,
				Outcome: text,
				Changed: { type: 'array', items: text },
			});
	}
	if (command !== undefined) return answerOf(command);
	return value === 'create' ? specifier(entity) : undefined;
}

/** File below the folder -> its contents. Commands of any name answer anything. */
export const previews = (): Map<string, string> =>
	new Map(
		resources.flatMap(({ value: resource, operations }) =>
			operations.flatMap((operation) => {
				const schema = previewOf(resource, operation);
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
