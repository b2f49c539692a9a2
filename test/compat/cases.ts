/**
 * The cases that are recorded for a version: each operation and event with few fields and with all,
 * and its examples.
 * Only the recorder reads this file. A recording stays as it is when the cases or the forms change.
 */
import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';

import type { Row, Store } from '../../sandbox';
import { byId, byName } from '../engine/desk';
import type { Answers, Step } from './saved';

export interface OperationCase {
	/** Last part of the node's name, after resource and operation. */
	variant: string;
	parameters: INodeParameters;
	before?: Step[];
	input?: INodeExecutionData[];
}

export interface TriggerCase {
	variant: string;
	parameters: INodeParameters;
	/** Steps between activation and the poll whose state is saved, then steps before the next poll. */
	before: Step[];
	after: Step[];
}

const REQUEST_ID = 'R-1';

const fromList = (value: unknown, cachedResultName = 'as the list had it') =>
	({ __rl: true, mode: 'list', value, cachedResultName }) as INodeParameters;
const byNumber = (value: unknown) => ({ __rl: true, mode: 'number', value }) as INodeParameters;

/** Each option with a value other than its default, for every form that offers it. */
const OPTIONS: INodeParameters = {
	author: 'Ada',
	flattenCustomFields: true,
	ignoreMissing: true,
	includeRemoved: true,
	parallelRequests: 1,
	returnRecord: true,
	skipIfExternalNumberExists: true,
	timeout: 60_000,
	advanced: {
		combineItems: false,
		distinct: true,
		firstResultIndex: 1,
		isolationLevel: 'Snapshot',
		pageSize: 2,
		pagingMethod: 'byOffset',
		requestId: REQUEST_ID,
	},
};

/** What the forms end with. */
const ALL: INodeParameters = { output: 'raw', options: OPTIONS };

/** The columns of a form as the editor stores them. */
const columns = (value: IDataObject) =>
	({
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		schema: Object.entries(value).map(([id, one]) => ({
			id,
			displayName: id,
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			removed: false,
			type: typeof one,
		})),
	}) as unknown as INodeParameters;

const conditions = (...values: Array<[string, string, string]>) => ({
	values: values.map(([property, operator, value]) => ({ property, operator, value })),
});

const firstOf = (store: Store, entity: string) => store.rows(entity)[0].Id;

const orderIn = (store: Store, status: string) =>
	store.rows('WorkOrder').find(({ StatusId }) => StatusId === status) as Row;

const reasonsFor = (store: Store, action: string) =>
	store
		.rows('WoActionReasonLookup')
		.filter(({ ActionId }) => ActionId === action)
		.map(({ Id }) => Id);

interface Alike {
	entity: string;
	create?: IDataObject;
	/** Column values by column ID. */
	columns?: IDataObject;
	change: IDataObject;
	hasCustomFields?: boolean;
	/** A property, and a text that some of its values contain, for searches. */
	like: [string, string];
}

/** The operations that every entity has in the same form. */
function alike(store: Store, resource: string, { entity, ...own }: Alike) {
	const of = resource === 'record' ? { entity: byName(entity) } : {};
	const listed = resource === 'record' ? { entity: fromList(entity, entity) } : {};
	const [first, second] = store.rows(entity).map(({ Id }) => Id);
	const any = resource === 'document' ? { actorTypeId: 'any' } : {};
	const isRecord = resource === 'record';
	const selected = { output: 'selected', properties: ['Id', own.like[0]] };
	const options = { ...OPTIONS, flattenCustomFields: own.hasCustomFields === true };
	return {
		create: own.create && [
			{
				variant: 'JSON',
				parameters: { ...of, fieldsMode: 'json', fieldsJson: JSON.stringify(own.create) },
			},
			{
				variant: 'all',
				parameters: {
					...listed,
					fields: columns(own.columns ?? own.create),
					output: 'raw',
					options,
				},
			},
		],
		update: [
			{
				variant: 'JSON',
				parameters: {
					...of,
					id: byId(String(first)),
					fieldsMode: 'json',
					fieldsJson: JSON.stringify(own.change),
				},
			},
			{
				variant: 'all',
				parameters: {
					...listed,
					id: isRecord ? byId(first) : fromList(first),
					fields: columns(own.change),
					output: 'raw',
					options,
				},
			},
		],
		delete: [
			{ variant: 'little', parameters: { ...of, id: byId(first) } },
			{
				variant: 'all',
				parameters: { ...listed, id: isRecord ? byId(second) : fromList(second), options },
			},
		],
		get: [
			{ variant: 'little', parameters: { ...of, id: byId(String(first)) } },
			{
				variant: 'all properties',
				parameters: { ...of, id: isRecord ? byId(first) : fromList(first), output: 'raw' },
			},
			{ variant: 'all', parameters: { ...listed, id: byId(first), ...selected, options } },
			{
				variant: 'several',
				parameters: { ...of, id: byId('={{ $json.x }}') },
				input: [first, second].map((x) => ({ json: { x } })),
			},
		],
		getMany: [
			{
				variant: 'little',
				parameters: {
					...of,
					...any,
					searchBy: 'conditions',
					conditions: conditions(['Id', 'In', `${first}, ${second}`]),
				},
			},
			{
				variant: 'JSON',
				parameters: {
					...of,
					...any,
					limit: 2,
					searchBy: 'json',
					criteriaJson: JSON.stringify({
						FilterOperator: 'Or',
						Conditions: [{ PropertyName: 'Id', Operator: 'GreaterOrEqual', Values: [second] }],
					}),
				},
			},
			{
				variant: 'all',
				parameters: {
					...listed,
					...any,
					returnAll: true,
					searchBy: 'conditions',
					match: 'any',
					conditions: conditions(
						[own.like[0], 'Like', own.like[1]],
						['Id', 'Equal', String(first)],
					),
					...selected,
					sort: {
						values: [{ property: own.like[0], direction: 'Descending' }, { property: 'Id' }],
					},
					options,
				},
			},
		],
	} as Record<string, OperationCase[] | undefined>;
}

export function operationCases(store: Store): Record<string, OperationCase[]> {
	const first = (entity: string) => firstOf(store, entity);
	const order = (status: string) => orderIn(store, status);
	const [hold] = reasonsFor(store, 'OnHold');
	const [cancel] = reasonsFor(store, 'Cancel');
	const [flag, otherFlag] = reasonsFor(store, 'Attention');
	const [employee, other] = store.rows('Employee').map(({ Id }) => Id);
	const cost = store.rows('WorkOrderCost')[0];
	const invoiceFields = (status: number) => ({
		comment: 'as agreed',
		expectedConcurrencyId: cost.ConcurrencyId as number,
		expectedStatus: byId(status),
		keepCommentIntact: false,
	});

	const entities: Record<string, Record<string, OperationCase[] | undefined>> = {
		asset: alike(store, 'asset', {
			entity: 'Location',
			create: {
				Name: 'Boiler 7',
				ModelId: first('Model'),
				TypeId: 'Equipment',
				ParentId: first('Location'),
			},
			columns: {
				Name: 'Boiler 7',
				ModelId: first('Model'),
				TypeId: 'Equipment',
				ParentId: first('Location'),
				IsOffline: true,
				'Address.Street': 'Main Street 1',
			},
			change: { Name: 'Boiler 8' },
			like: ['Name', 'B%'],
		}),
		contact: alike(store, 'contact', {
			hasCustomFields: true,
			entity: 'Contact',
			create: { LastName: 'Miller', CustomerId: first('Customer'), TypeId: 'Primary' },
			change: { Comment: 'calls back' },
			like: ['LastName', 'M%'],
		}),
		customer: alike(store, 'customer', {
			hasCustomFields: true,
			entity: 'Customer',
			create: {
				DisplayAs: 'New Tenant',
				Name: 'New Tenant',
				Dba: 'New Tenant',
				TenantCode: 'NT-1',
				TaxExempt: false,
				WorkZone: { Id: first('WorkZone') },
			},
			columns: {
				DisplayAs: 'New Tenant',
				Name: 'New Tenant',
				Dba: 'New Tenant',
				TenantCode: 'NT-1',
				TaxExempt: false,
				'WorkZone.Id': first('WorkZone'),
			},
			change: { Instructions: 'Ring twice' },
			like: ['DisplayAs', 'B%'],
		}),
		employee: alike(store, 'employee', {
			hasCustomFields: true,
			entity: 'Employee',
			create: {
				FirstName: 'Ada',
				DisplayAs: 'Ada',
				ActorTypeId: 'Employee',
				Role: { Id: first('Role') },
			},
			columns: {
				FirstName: 'Ada',
				DisplayAs: 'Ada',
				ActorTypeId: 'Employee',
				'Role.Id': first('Role'),
			},
			change: { JobTitle: 'Plumber' },
			like: ['DisplayAs', 'B%'],
		}),
		record: alike(store, 'record', {
			hasCustomFields: true,
			entity: 'Contact',
			create: { LastName: 'Any', CustomerId: first('Customer') },
			change: { Comment: 'any' },
			like: ['LastName', 'M%'],
		}),
		space: alike(store, 'space', {
			entity: 'Space',
			change: { Instructions: 'Use the back door' },
			like: ['Instructions', 'R%'],
		}),
		workZone: alike(store, 'workZone', {
			hasCustomFields: true,
			entity: 'WorkZone',
			change: { Number: '42' },
			like: ['DisplayAs', 'B%'],
		}),
		workOrder: alike(store, 'workOrder', {
			hasCustomFields: true,
			entity: 'WorkOrder',
			change: { PoNumber: 'PO-9' },
			like: ['ContactName', 'B%'],
		}),
		invoice: alike(store, 'invoice', {
			entity: 'WorkOrderCost',
			change: { JobCode: 'J-7' },
			like: ['JobCode', 'J%'],
		}),
		document: alike(store, 'document', {
			entity: 'Document',
			change: { Title: 'Leak' },
			like: ['Title', 'P%'],
		}),
		note: alike(store, 'note', {
			entity: 'WoNote',
			change: { Body: 'corrected' },
			like: ['Body', 'P%'],
		}),
	};

	/** One action on an order in a status that allows it. */
	const action = (
		status: string,
		little: INodeParameters,
		more: { fields?: INodeParameters; form?: INodeParameters; before?: Step[] } = {},
	): OperationCase[] => {
		const { Id, Number: number, ConcurrencyId } = order(status);
		const changes = (more.before ?? []).filter(([kind]) => kind === 'change').length;
		return [
			{ variant: 'little', parameters: { id: byId(Id), ...little }, before: more.before },
			{
				variant: 'all',
				parameters: {
					id: changes > 0 ? fromList(Id) : byNumber(number),
					...little,
					...more.form,
					additionalFields: {
						actionDate: '2026-01-15T10:00:00',
						comment: 'as agreed',
						expectedConcurrencyId: Number(ConcurrencyId) + changes,
						expectedStatus: status,
						...more.fields,
					},
					...ALL,
				},
				before: more.before,
			},
		];
	};

	const picture = {
		data: Buffer.from('hello').toString('base64'),
		mimeType: 'image/png',
		fileName: 'leak.png',
	};
	const connected = store
		.rows('Employee')
		.find(({ ProviderStatusId }) => ProviderStatusId === 'Connected');
	const made = order('New');
	const asset = (made.MainAsset as Row).Id;
	const customer = (made.Customer as Row).Id;
	const [task] = store.rows('Task');
	const customField = store
		.rows('CustomFieldDescriptor')
		.find(({ ActorTypeId, Type }) => ActorTypeId === 'WO' && Type === 'String');
	const [document, otherDocument] = store.rows('Document');
	const item = { asset: byId(asset), task: byId(task.Id), comment: 'drips' };
	const removed: Step[] = [['change', 'Contact', first('Contact'), { IsRemoved: true }]];

	const own: Record<string, OperationCase[]> = {
		'asset:getMany': [
			...(entities.asset.getMany ?? []),
			{
				variant: 'tree',
				parameters: { treeOf: byId(first('Location')), limit: 2 },
			},
		],
		'record:getMany': [
			...(entities.record.getMany ?? []),
			{
				variant: 'asset tree',
				parameters: {
					entity: byName('AssetTree'),
					limit: 2,
					output: 'selected',
					properties: ['ParentId', 'ChildId'],
				},
			},
		],
		'workOrder:getMany': [
			...(entities.workOrder.getMany ?? []),
			{
				variant: 'time with a zone',
				parameters: {
					searchBy: 'conditions',
					conditions: conditions(['DtDue', 'GreaterThan', '2025-06-30T12:00:00-04:00']),
					limit: 2,
					output: 'selected',
					properties: ['Id'],
				},
			},
		],
		'workOrder:update': [
			...(entities.workOrder.update ?? []),
			{
				variant: 'time with a zone',
				parameters: { id: byId(made.Id), fields: columns({ DtDue: '2026-01-16T12:00:00Z' }) },
			},
		],
		'command:execute': [
			{
				variant: 'little',
				parameters: {
					commandName: byName('WoLastModificationCommand'),
					fields: columns({ WorkOrderId: made.Id }),
				},
			},
			{
				variant: 'JSON',
				parameters: {
					commandName: byName('WoPickUpCommand'),
					fieldsMode: 'json',
					commandBody: JSON.stringify({ WorkOrderId: made.Id, Comment: 'mine' }),
				},
			},
			{
				variant: 'all',
				parameters: {
					commandName: fromList('WoPickUpCommand', 'WoPickUpCommand'),
					fields: columns({ WorkOrderId: made.Id, Comment: 'mine' }),
					...ALL,
				},
			},
		],
		'company:discover': [
			{ variant: 'little', parameters: {} },
			{ variant: 'all', parameters: ALL },
		],
		'document:download': [
			{ variant: 'little', parameters: { id: byId(document.Id) } },
			{
				variant: 'all',
				parameters: {
					id: fromList(otherDocument.Id),
					binaryPropertyName: 'photo',
					...ALL,
				},
			},
		],
		'document:getMany': [
			...(entities.document.getMany ?? []),
			{
				variant: 'of an order',
				parameters: { actorId: fromList(document.ActorId) },
			},
			...[
				'Asset',
				'LeaseUser',
				'CommLease',
				'Employee',
				'Org',
				'Provider',
				'CommLeaseSpace',
				'Property',
			].map((actorTypeId) => ({
				variant: `of ${actorTypeId}`,
				parameters: { actorTypeId, actorId: byId(1001) },
			})),
		],
		'document:upload': [
			{
				variant: 'little',
				parameters: { actorId: byId(made.Id), documentType: byId(3) },
				input: [{ json: {}, binary: { data: picture } }],
			},
			{
				variant: 'all',
				parameters: {
					actorTypeId: 'CommLeaseSpace',
					actorId: fromList(first('Space')),
					documentType: fromList(3),
					binaryPropertyName: 'photo',
					additionalFields: {
						description: 'Under the sink',
						endDate: '2026-12-31T00:00:00',
						fileName: 'sink.png',
						isPublic: true,
						isShared: true,
						mimeType: 'image/jpeg',
						startDate: '2026-01-01T00:00:00',
						title: 'Leak',
					},
					...ALL,
				},
				input: [{ json: {}, binary: { photo: picture } }],
			},
			{
				variant: 'link',
				parameters: {
					source: 'link',
					url: 'https://example.org/manual.pdf',
					actorId: byNumber(made.Number),
					documentType: byId(5),
					additionalFields: { title: 'Manual' },
				},
			},
		],
		'invoice:changeApStatus': [
			{ variant: 'little', parameters: { id: byId(cost.Id), apStatus: byId(5) } },
			{
				variant: 'all',
				parameters: {
					id: fromList(cost.Id),
					apStatus: fromList(5),
					additionalFields: invoiceFields(Number(cost.ApStatusId)),
					...ALL,
				},
			},
		],
		'invoice:changeCostStatus': [
			{ variant: 'little', parameters: { id: byId(cost.Id), costStatus: byId(3) } },
			{
				variant: 'all',
				parameters: {
					id: fromList(cost.Id),
					costStatus: fromList(3),
					additionalFields: invoiceFields(Number(cost.CostStatusId)),
					...ALL,
				},
			},
		],
		'invoice:submitPayment': [
			{
				variant: 'little',
				parameters: {
					id: byId(cost.Id),
					apStatus: byId(3),
					paymentAmount: { money: { value: 120.5 } },
				},
			},
			{
				variant: 'all',
				parameters: {
					id: fromList(cost.Id),
					apStatus: fromList(3),
					paymentAmount: { money: { value: 120.5, currency: 'EUR' } },
					checkNumber: '0815',
					checkCutDate: '2026-01-15T00:00:00',
					additionalFields: invoiceFields(Number(cost.ApStatusId)),
					...ALL,
				},
			},
		],
		'note:create': [
			{ variant: 'little', parameters: { workOrder: byId(made.Id), body: 'Parts are ordered' } },
			{
				variant: 'all',
				parameters: {
					workOrder: byNumber(made.Number),
					body: 'Parts are ordered',
					type: 'Private',
					...ALL,
				},
			},
		],
		'note:getMany': [
			...(entities.note.getMany ?? []),
			{
				variant: 'of an order',
				parameters: { workOrder: byId(store.rows('WoNote')[0].WorkOrderId) },
			},
		],
		'record:restore': [
			{
				variant: 'little',
				parameters: { entity: byName('Contact'), id: byId(first('Contact')) },
				before: removed,
			},
			{
				variant: 'all',
				parameters: {
					entity: fromList('Contact', 'Contact'),
					id: byId(first('Contact')),
					...ALL,
				},
				before: removed,
			},
		],
		'space:create': [
			{ variant: 'little', parameters: { customer: byId(customer), unitName: 'Suite 900' } },
			{
				variant: 'all',
				parameters: {
					customer: fromList(customer),
					unitName: 'Suite 901',
					unitFloorPlan: 'Standard Unit',
					ifUnitAlreadyExists: 'Fail',
					startDate: '2026-02-01T00:00:00',
					address: {
						ActorTypeId: 'Asset',
						City: 'Chicago',
						Country: 'US',
						State: 'IL',
						Street: 'Main Street 1',
						Street2: 'Back yard',
						TypeId: 'Alt',
						Zip: '60601',
					},
					additionalFields: {
						buildingFloorPlan: 'Standard Building',
						buildingName: 'Annex',
						endDate: '2027-02-01T00:00:00',
						floorFloorPlan: 'Standard Floor',
						floorName: 'Ground',
						instructions: 'Ring twice',
						moveInDate: '2026-02-02T00:00:00',
						moveOutDate: '2027-01-31T00:00:00',
						spaceFloorPlan: 'Standard Space',
						spaceName: 'Suite 901 A',
						unitInfo: '{ "Comment": "corner" }',
					},
					...ALL,
				},
			},
			{
				variant: 'address without a type',
				parameters: {
					customer: byId(customer),
					unitName: 'Suite 902',
					address: { Street: 'Main Street 1' },
				},
			},
			{
				variant: 'existing unit',
				parameters: { customer: byId(customer), unit: 'existing', unitId: byId(asset) },
			},
		],
		'workOrder:addFlag': action('New', {
			flags: { values: [{ flag: byId(flag) }, { flag: byId(otherFlag) }] },
		}),
		'workOrder:assign': action(
			'New',
			{ assignees: { values: [{ employee: byId(employee) }] } },
			{
				form: {
					assignees: { values: [{ employee: fromList(employee) }, { employee: byId(other) }] },
					mode: 'Snapshot',
				},
			},
		),
		'workOrder:cancel': action('Open', { reason: byId(cancel) }),
		'workOrder:clearFlags': action('New', {
			flags: { values: [{ flag: byId(flag) }, { flag: byId(otherFlag) }] },
		}),
		'workOrder:complete': action(
			'InProgress',
			{},
			{ fields: { completionNoteOption: 'Replace', repairCode: byId(first('RepairCode')) } },
		),
		'workOrder:copy': action('Completed', {}),
		'workOrder:getChanges': [
			{ variant: 'little', parameters: { from: '2026-01-01' } },
			...[
				{ event: 'workOrderAction', actionTypes: ['Create'] },
				{ event: 'workOrderEnteredStatus', statuses: ['Open', 'New'] },
				{
					event: 'invoiceEnteredApStatus',
					apStatuses: { values: [{ status: fromList(1) }, { status: byId(2) }] },
				},
			].map(
				(changes): OperationCase => ({
					variant: changes.event,
					parameters: {
						...ALL,
						...changes,
						from: '2025-01-01',
						until: '2026-01-01T00:00:00+01:00',
						ignoreApi: true,
						ignoreChangesBy: { values: [{ employee: byId(employee) }] },
						returns: 'record',
						output: 'selected',
						properties: ['Id', 'Number'],
						filters: { customer: byId(customer) },
					} as INodeParameters,
				}),
			),
		],
		'workOrder:hold': action('InProgress', { reason: byId(hold) }),
		'workOrder:pause': action('InProgress', {}),
		'workOrder:pickUp': action('New', {}),
		'workOrder:recall': action(
			'New',
			{},
			{
				before: [
					['change', 'WorkOrder', made.Id, { WonId: 1 }],
					['insert', 'WoAssignment', { WorkOrderId: made.Id, EmployeeId: connected?.Id }],
				],
			},
		),
		'workOrder:reopen': action('Cancelled', {}),
		'workOrder:send': action(
			'New',
			{},
			{ fields: { requestQuote: true, sendTo: 'desk@example.org' } },
		),
		'workOrder:start': action('Open', {}),
		'workOrder:verify': [
			{ variant: 'little', parameters: { id: byId(order('Completed').Id) } },
			{
				variant: 'all',
				parameters: {
					id: byNumber(order('Completed').Number),
					rating: 'Negative',
					comment: 'still drips',
					...ALL,
				},
			},
		],
		'workOrder:create': [
			{
				variant: 'little',
				parameters: { subType: byId(24), customer: byId(customer), items: { values: [item] } },
			},
			{
				variant: 'all',
				parameters: {
					typeCategory: 'Basic',
					subType: fromList(21),
					customer: fromList(customer),
					contact: fromList(first('Contact')),
					items: {
						values: [{ asset: fromList(asset), task: fromList(task.Id), comment: 'drips' }],
					},
					notes: { values: [{ body: 'Bring a ladder' }, { body: 'Ring twice', type: 'Private' }] },
					customFields: columns({ [`CustomFields.${customField?.Id}`]: 'blue' }),
					computeSchedule: false,
					additionalFields: {
						access: 'CallFirst',
						acknowledgeBy: '2026-01-15T13:00:00',
						actionDate: '2026-01-15T11:00:00',
						actionReasonId: flag,
						comment: 'by phone',
						computeAssignment: false,
						contactAddress: '555-0100',
						contactName: 'Ada',
						due: '2026-01-16T12:00:00',
						duration: 60,
						emergencyDisabled: true,
						employee: byId(employee),
						externalNumber: 'T-1',
						isWarranty: true,
						keepUnassigned: false,
						onSiteBy: '2026-01-15T14:00:00',
						otherProperties: '{ "TaskRefinement": "hot water" }',
						poNumber: 'PO-1',
						priority: byId(2),
						scheduledStart: '2026-01-15T13:30:00',
						skipBillToLogic: true,
						skipProcedures: true,
						specialty: byId(first('Specialty')),
						vendorNte: { money: { value: 500, currency: 'EUR' } },
						workPlan: '{}',
						workZone: byId((made.WorkZone as Row).Id),
					},
					...ALL,
				},
			},
		],
		'workOrder:upsert': [
			{
				variant: 'little',
				parameters: {
					externalNumber: 'T-3',
					subType: byId(24),
					customer: byId(customer),
					items: { values: [item] },
				},
			},
			{
				variant: 'update only',
				parameters: {
					externalNumber: 'T-3',
					contact: fromList(first('Contact')),
					additionalFields: { poNumber: 'PO-3' },
					options: { updateOnly: 'skip' },
				},
				before: [['change', 'WoLastAction', made.Id, { XNumber: 'T-3' }]],
			},
		],
	};

	return {
		...Object.fromEntries(
			Object.entries(entities).flatMap(([resource, operations]) =>
				Object.entries(operations).flatMap(([name, cases]) =>
					cases === undefined ? [] : [[`${resource}:${name}`, cases]],
				),
			),
		),
		...own,
	};
}

export function triggerCases(store: Store): Record<string, TriggerCase[]> {
	const [one, two, three] = store.rows('WorkOrder').filter(({ StatusId }) => StatusId === 'New');
	const pickUp = (id: number): Step => ['desktop', { id, command: 'WoPickUpCommand' }];
	const start = (id: number): Step => ['desktop', { id, command: 'WoStartCommand' }];
	const note = (id: number, text: string): Step => ['desktop', { id, note: text }];
	const apStatus = (id: number, VendorInvoiceStatusId: number): Step => [
		'desktop',
		{ id, command: 'ApStatusChangeCommand', members: { VendorInvoiceStatusId } },
	];
	const document = (id: number, Title: string): Step => [
		'insert',
		'Document',
		{ Title, ActorTypeId: 'WO', ActorId: id },
	];
	const contact = (LastName: string): Step => ['insert', 'Contact', { LastName }];
	const make: Step = ['desktop', {}];
	const minute: Step = ['seconds pass', 60];

	/** Filters and conditions that all orders pass. */
	const filters = ({ Customer, Priority, SubType, WorkZone }: Row) => {
		const ids = { customer: Customer, priority: Priority, subType: SubType, workZone: WorkZone };
		return Object.fromEntries(
			Object.entries(ids).map(([name, row]) => [name, byId((row as Row).Id)]),
		);
	};
	const rest = {
		searchBy: 'conditions',
		match: 'any',
		conditions: conditions(['Id', 'GreaterThan', '1'], ['StatusId', 'Equal', 'New']),
		startFrom: 'time',
		startTime: '2026-01-15T00:00:00',
		// A process that did not return these three changes returns all of them again.
		options: { batchSize: 3, includeRemoved: true, delivery: 'atLeastOnce' },
	} as INodeParameters;
	const ignoreChangesBy = {
		values: [{ employee: byId(301) }, { employee: fromList(302) }],
	} as INodeParameters;
	const ofOrder = {
		ignoreChangesBy,
		filters: filters(one),
		...rest,
		output: 'selected',
		properties: ['Id', 'StatusId', 'Number'],
	};

	const steps = (happens: (row: Row) => Step[]) => ({
		before: [...happens(one), minute],
		after: [minute, ...happens(two), minute, ...happens(three)],
	});
	/** Changes one order before and after, because other orders do not pass the filters. */
	const same = (before: Step[], after: Step[]) => ({
		before: [...before, minute],
		after: [minute, ...after],
	});
	const json = {
		searchBy: 'json',
		criteriaJson: JSON.stringify({
			Conditions: [{ PropertyName: 'Id', Operator: 'GreaterThan', Values: [1] }],
		}),
	};

	const cases: Record<string, TriggerCase[]> = {
		documentAdded: [
			{ variant: 'little', parameters: {}, ...steps(({ Id }) => [document(Id, 'Photo')]) },
			{
				variant: 'all',
				parameters: { ...ofOrder, returns: 'record' },
				...same([document(one.Id, 'First')], [document(one.Id, 'Second')]),
			},
		],
		noteAdded: [
			{ variant: 'little', parameters: {}, ...steps(({ Id }) => [note(Id, 'Bring a ladder')]) },
			{
				variant: 'all',
				parameters: { ...ofOrder, returns: 'event', ignoreApi: true },
				...same([note(one.Id, 'first')], [note(one.Id, 'second')]),
			},
		],
		record: [
			{
				variant: 'little',
				parameters: { entity: byName('Contact') },
				...steps(() => [contact('Miller')]),
			},
			{
				variant: 'all',
				parameters: {
					...rest,
					entity: fromList('WorkOrder', 'WorkOrder'),
					dateProperty: 'LastActionDateUtc',
					output: 'selected',
					properties: ['Id', 'StatusId'],
				},
				...steps(({ Id }) => [pickUp(Id)]),
			},
			{
				variant: 'local time',
				parameters: {
					entity: byName('WorkOrder'),
					dateProperty: 'LastActionDate',
					output: 'selected',
					properties: ['Id'],
				},
				...steps(({ Id }) => [pickUp(Id)]),
			},
		],
		invoiceEnteredApStatus: [
			{ variant: 'little', parameters: {}, ...steps(({ Id }) => [apStatus(Id, 2)]) },
			{
				variant: 'all',
				parameters: {
					...ofOrder,
					returns: 'record',
					ignoreApi: true,
					apStatuses: { values: [{ status: byId(2) }, { status: fromList(3) }] },
				},
				...same([apStatus(one.Id, 2)], [apStatus(one.Id, 3)]),
			},
		],
		workOrderAction: [
			{ variant: 'little', parameters: {}, ...steps(({ Id }) => [pickUp(Id)]) },
			{
				variant: 'all',
				parameters: {
					...ofOrder,
					returns: 'event',
					ignoreApi: true,
					actionTypes: ['PickUp', 'Start'],
				},
				...same([pickUp(one.Id)], [start(one.Id)]),
			},
		],
		workOrderCreated: [
			{ variant: 'little', parameters: {}, ...steps(() => [make]) },
			{
				variant: 'all',
				parameters: {
					...rest,
					output: 'selected',
					properties: ['Id', 'Number'],
					ignoreApi: true,
					ignoreChangesBy,
				},
				...steps(() => [make]),
			},
			{
				variant: 'filters',
				parameters: { filters: filters(one) },
				...steps(() => [make]),
			},
		],
		workOrderEnteredStatus: [
			{ variant: 'little', parameters: { statuses: ['Open'] }, ...steps(({ Id }) => [pickUp(Id)]) },
			{
				variant: 'all',
				parameters: {
					...ofOrder,
					returns: 'record',
					ignoreApi: true,
					statuses: ['Open', 'InProgress'],
				},
				...same([pickUp(one.Id)], [start(one.Id)]),
			},
		],
		workOrderUpdated: [
			{ variant: 'little', parameters: {}, ...steps(({ Id }) => [pickUp(Id)]) },
			{
				variant: 'all',
				parameters: { ...ofOrder, ignoreApi: true },
				...same([pickUp(one.Id)], [start(one.Id)]),
			},
		],
	};
	return Object.fromEntries(
		Object.entries(cases).map(([event, [little, ...others]]) => [
			event,
			[
				little,
				{ ...little, variant: 'JSON', parameters: { ...little.parameters, ...json } },
				...others,
			],
		]),
	);
}

export interface WorkflowCase {
	before?: Step[];
	json?: IDataObject;
	binary?: IBinaryKeyData;
	asks?: IDataObject;
	answers?: Answers;
}

/** The input items of the examples that need some, by file name. */
export function workflowCases(store: Store): Record<string, WorkflowCase> {
	const [order, other] = store.rows('WorkOrder');
	const [customer] = store.rows('Customer');
	const [sensor] = store.rows('AssetInfo');
	const [{ DisplayAs: fault }] = store
		.rows('Task')
		.filter(({ ModelId }) => ModelId === store.existing('Location', sensor.Id).ModelId);
	const done = orderIn(store, 'Completed');
	const received = { ApStateId: 'Received', ApStatusId: 2 };
	const invoice = { ...received, VendorInvoiceTotal: { CurrencyTypeId: 'USD', Value: 100 } };
	const site = 'Contoso Pharmacy';
	const equipment = 'Water Heater';
	const person = { 'Your name': 'Ava Brown', 'Phone or email': '+1 555 0100' };
	const rows = `Tenant code;Instructions\n${String(customer.TenantCode)};Ring twice`;
	return {
		'ask-what-is-open': { asks: { site: 'Contoso' } },
		'building-of-a-work-zone': {
			json: { 'Work zone': 'Chicago Loop', Building: 'Annex', Street: '12 Main Street' },
		},
		'completed-orders-to-the-books': { json: { Id: order.Id, ChangeKey: 'WoActionLog 1' } },
		'customers-from-a-file': {
			binary: {
				Customers: {
					data: Buffer.from(rows).toString('base64'),
					mimeType: 'text/csv',
					fileName: 'customers.csv',
				},
			},
			answers: { answers: { 'Go ahead?': 'Yes' } },
		},
		'desk-for-language-models': { asks: { site, open: true, days: 9999, words: 'null' } },
		'escalate-before-a-deadline': {
			json: { Id: order.Id, Number: String(order.Number), Deadline: { MinutesLeft: 25 } },
		},
		'new-and-changed-visits': {
			json: { Id: order.Id, Number: String(order.Number), ChangeKey: 'WorkOrder 1' },
		},
		'nightly-export-to-a-table': {
			before: [['change', 'WorkOrder', order.Id, { LastActionDateUtc: '2026-01-15T06:00:00' }]],
		},
		'photo-to-work-order': {
			json: { 'Work order': String(order.Number), 'What does it show?': 'Damaged ceiling' },
			binary: { Photo: { data: 'YQ==', mimeType: 'image/jpeg', fileName: 'ceiling.jpg' } },
		},
		'request-form-to-work-order': {
			json: {
				Site: site,
				Problem: `${equipment}: No hot water`,
				'What is wrong?': 'No hot water in the kitchen',
				...person,
				submittedAt: '2026-01-15T09:00:00.000Z',
			},
		},
		'sensor-alarms-to-one-work-order': {
			json: {
				body: {
					alarms: ['60 °C', '61 °C'].map((message) => ({ tag: sensor.TagId, fault, message })),
				},
			},
		},
		'ticket-to-work-order': {
			json: {
				body: {
					ticket: 'T-2',
					site,
					zone: 'Midtown Manhattan',
					equipment,
					task: 'No hot water',
					priority: 'High',
					text: 'Cold since Monday',
				},
			},
		},
		'triage-of-requests': {
			json: { 'What is wrong, and where?': 'The pharmacy has no hot water', ...person },
			answers: {
				reply: true,
				understood: {
					site,
					equipment,
					task: 'No hot water',
					summary: 'No hot water',
					urgent: false,
				},
			},
		},
		'vendor-invoice-approval': {
			json: { Id: order.Id },
			before: [['change', 'WorkOrderCost', order.Id, invoice]],
		},
		'vendor-invoice-approval-by-message': {
			json: { Id: other.Id },
			before: [['change', 'WorkOrderCost', other.Id, invoice]],
			answers: { reply: true },
		},
		'vendor-invoices-to-accounting': {
			before: [['change', 'WorkOrderCost', other.Id, { ApStateId: 'Authorized', ApStatusId: 5 }]],
		},
		'waiting-for-a-status': {
			json: {
				body: { ticket: 'T-1', site, equipment, task: 'No hot water', text: 'Cold since Monday' },
			},
			before: [['change', 'WoLastAction', done.Id, { XNumber: 'T-1' }]],
		},
	};
}
