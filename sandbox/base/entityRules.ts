import { failBusinessLogic, conflict, term } from '../errors';
import { toInstant } from '../runtime/times';
import type { World } from '../runtime/world';
import { isObject, typeOf } from '../schema';
import { ACTOR_KINDS } from '../schema/relations';
import type { Row, Values } from '../store/store';
import { logAction } from './actionLog';
import { SERVICE_USER } from '../seed/lookups';
import { downloadUrl } from '../servers/links';
import { addToTree } from './assetTree';

interface EntityRule {
	/** Completes or rejects values before they are written; `before` is absent on create. */
	prepare?(world: World, values: Values, before: Row | undefined): Values;
	/** Runs after a record was created. */
	created?(world: World, row: Row): void;
	/** Runs after a record was removed. */
	removed?(world: World, row: Row): void;
}

const getId = (reference: unknown): number => Number((reference as Row | undefined)?.Id ?? 0);

const htmlAnchor = (url: string): string => `<a href="${url}">${url}</a>`;

function customField(world: World, values: Values, before?: Row): Values {
	const merged: Values = { ...before, ...values };
	const descriptor = world.store.get('CustomFieldDescriptor', getId(merged.Descriptor));
	if (descriptor?.ActorTypeId !== merged.ObjectTypeId) {
		conflict();
	}
	const value = values.Value;
	return descriptor?.Type === 'Url' && typeof value === 'string' && !value.startsWith('<a ')
		? { ...values, Value: htmlAnchor(value) }
		: values;
}

function workOrderNote(world: World, values: Values, before?: Row): Values {
	const { WorkOrderId: order, NoteTypeId: kind }: Values = { ...before, ...values };
	const rival = world.store
		.children('WoNote', 'WorkOrderId', order)
		.some((note) => note.NoteTypeId === 'Completion' && note.Id !== before?.Id);
	if (kind === 'Completion' && rival) {
		failBusinessLogic(`${term('Work Order')} already has a completion note`);
	}
	if (before) return values;
	return { CreatedDate: world.clock.stamp().utc, ...values, CreatedBy: SERVICE_USER };
}

function workOrderItem(world: World, values: Values, before?: Row): Values {
	const { WorkOrderId: order, SortOrderIdx: index }: Values = { ...before, ...values };
	const taken = world.store
		.children('WoItem', 'WorkOrderId', order)
		.some((item) => item.SortOrderIdx === index && item.Id !== before?.Id);
	if (taken) failBusinessLogic(`SortOrderIdx ${String(index)} is already used`);
	return values;
}

const logItem =
	(kind: 'ItemAdded' | 'ItemRemoved') =>
	(world: World, { WorkOrderId, Task }: Row): void => {
		const order = world.store.get('WorkOrder', Number(WorkOrderId));
		const task = world.store.get('Task', getId(Task));
		const details = { [kind]: task && String(task.DisplayAs) };
		if (order) logAction(world, order, { TypeId: 'ItemAddRemove', details });
	};

/** A note, like a rule of a work zone, must refer to an existing record of its kind. */
function requireActor({ store }: World, { ActorTypeId, ActorId }: Values): void {
	const [entity] = Object.entries(ACTOR_KINDS).find(([, kind]) => kind === ActorTypeId) ?? [];
	if (entity === undefined || !ActorId || store.get(entity, Number(ActorId))) return;
	failBusinessLogic(`${term(entity)} with Id ${String(ActorId)} cannot be found`);
}

function ofActor(world: World, values: Values, before?: Row): Values {
	requireActor(world, { ...before, ...values });
	return values;
}

function note(world: World, values: Values, before?: Row): Values {
	requireActor(world, { ...before, ...values });
	const now = world.clock.stamp().utc;
	return {
		...values,
		...(before ? {} : { CreatedAt: now, CreatedBy: SERVICE_USER }),
		UpdatedAt: now,
		UpdatedBy: SERVICE_USER,
	};
}

/** The MIME type determines the document type of images and PDF files; other files keep the type that was sent. */
const findDocumentType = (mime: unknown): object | undefined => {
	if (/^image\//i.test(String(mime))) return { DocType: { Id: 3 } };
	return mime === 'application/pdf' ? { DocType: { Id: 32 } } : undefined;
};

function document(world: World, values: Values, before?: Row): Values {
	const merged: Values = { ...before, ...values };
	const isFile = merged.StorageTypeId !== 'URL' && 'DocType' in values;
	return {
		...values,
		...(isFile ? findDocumentType(merged.MimeType) : {}),
		UpdatedDate: world.clock.stamp().utc,
		UpdatedBy: SERVICE_USER,
	};
}

function requireContent(world: World, row: Row): void {
	const needed = row.StorageTypeId === 'URL' ? 'DocUrl' : 'Blob';
	if (!row[needed]) failBusinessLogic(`${needed} is a required field`);
	if (row.StorageTypeId !== 'URL') row.DocUrl = downloadUrl(world, row.Id);
}

function timeCard(_world: World, values: Values, before?: Row): Values {
	if ('WeekStartDate' in values && values.WeekStartDate !== before?.WeekStartDate) {
		failBusinessLogic('Existing Time Card cannot be moved to another week');
	}
	return values;
}

/** The service numbers the order. */
function replenishmentOrder({ store }: World, values: Values, before?: Row): Values {
	if (before) return values;
	const last = store.ids('ReplenishmentOrder').at(-1) ?? 0;
	return { StatusId: 'Pending', Number: `PO-${last + 1}`, ...values };
}

/** The total of a line follows from its price and quantity. */
function orderedItem(_world: World, values: Values, before?: Row): Values {
	const { Price, QtyOrdered = 0 }: Values = { ...before, ...values };
	const { Value, ...currency } = (Price ?? {}) as Values;
	return Value === undefined
		? values
		: { ...values, AmtTotal: { ...currency, Value: Number(Value) * Number(QtyOrdered) } };
}

/** The display name defaults to the first and last name. */
function contact(_world: World, values: Values, before?: Row): Values {
	if (before) return values;
	const name = [values.FirstName, values.LastName].filter(Boolean).join(' ');
	return { CanCreateRequest: true, ...values, DisplayAs: values.DisplayAs || name };
}

function workOrderCost(_world: World, values: Values, before?: Row): Values {
	const merged: Values = { ...before, ...values };
	if (getId(merged.ChargeCode) === 0) failBusinessLogic('ChargeCode is a required field');
	return values;
}

/** Local dates of an order, with the members that hold them in UTC. */
const UTC_MEMBERS: Readonly<Record<string, string>> = {
	DtAcknowledgeBy: 'AcknowledgeByUtc',
	DtDue: 'DueDateUtc',
	DtOnSiteBy: 'DtUtcOnSiteBy',
	DtScheduledStart: 'ScheduledStartUtc',
};

export const withUtcDates = (values: Values, zone: number): Values => ({
	...values,
	...Object.fromEntries(
		Object.entries(UTC_MEMBERS).flatMap(([local, utc]) => {
			const clock = values[local];
			if (typeof clock !== 'string') return [];
			return [[utc, new Date(toInstant(clock, zone)).toISOString()]];
		}),
	),
});

function workOrder(_world: World, values: Values, before?: Row): Values {
	if ('Employee' in values && getId(values.Employee) !== getId(before?.Employee)) {
		failBusinessLogic(
			`Employee of ${term('Work Order')} cannot be updated. Use WoAssignCommand instead.`,
		);
	}
	return withUtcDates(values, Number(before?.TimeZone ?? 0));
}

/** Only the tree holds the place of an asset: the service returns its ParentId as 0. */
function placeInTree({ store }: World, row: Row): void {
	addToTree(store, row.Id, Number(row.ParentId));
	store.change('Location', row.Id, { ParentId: 0 });
}

export const ENTITY_RULES: Readonly<Record<string, EntityRule>> = {
	ApprovalScope: { prepare: ofActor },
	BusinessHours: { prepare: ofActor },
	Contact: { prepare: contact },
	CustomField2: { prepare: customField },
	Document: { prepare: document, created: requireContent },
	EscalationRule: { prepare: ofActor },
	Holiday: { prepare: ofActor },
	Location: { created: placeInTree },
	Note: { prepare: note },
	OnCallRule: { prepare: ofActor },
	ReplenishmentOrder: { prepare: replenishmentOrder },
	ReplenishmentOrderItem: { prepare: orderedItem },
	Responsibility: { prepare: ofActor },
	SlaValuesOverride: { prepare: ofActor },
	SpecDispatchRule: { prepare: ofActor },
	TimeCard: { prepare: timeCard },
	WoItem: {
		prepare: workOrderItem,
		created: logItem('ItemAdded'),
		removed: logItem('ItemRemoved'),
	},
	WoNote: {
		prepare: workOrderNote,
		created: (world, note) => {
			const order = world.store.get('WorkOrder', Number(note.WorkOrderId));
			if (order) logAction(world, order, { TypeId: 'Note', Comment: note.Body, ObjectId: note.Id });
		},
	},
	WorkOrder: { prepare: workOrder },
	WorkOrderCost: { prepare: workOrderCost },
};

/** Soft-deleted rows stay, and their name shows it. */
export function removalChanges(entity: string, row: Row): Values {
	const shown = typeOf(entity).field('DisplayAs');
	return {
		IsRemoved: true,
		...(shown && !isObject(shown) ? { DisplayAs: `${String(row.DisplayAs ?? '')} (deleted)` } : {}),
	};
}

export function restoreChanges(row: Row): Values {
	return {
		IsRemoved: false,
		...('DisplayAs' in row
			? { DisplayAs: String(row.DisplayAs).replace(/ \(deleted\)$/, '') }
			: {}),
	};
}
