/**
 * The list of operations with their parameters, each with few fields and with all. It is recorded for
 * each version, and test/engine/write/operations runs it. A recording stays as it is when the list changes.
 */
import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { resources } from '../../nodes/Corrigo/actions/resources';
import type { Row, Store } from '../../sandbox';
import { asText, byId, byName, byNumber, fromList } from '../support/company';
import { alikeCases, type Alike } from './alike';
import type { Step } from './saved';
import {
	type OperationCase,
	REQUEST_ID,
	OPTIONS,
	ALL,
	variant,
	inBoth,
	columns,
	searchByIds,
	JSON_CRITERIA,
	getFirst,
	entryOf,
	IN_DAYS,
} from './values';

/** The case with all fields also has the additional fields of its operation that it does not name. */
function addFields(store: Store, place: string, one: OperationCase): OperationCase {
	const [resource, operation] = place.split(':');
	const options = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation)
		?.fields.find(({ name }) => name === 'additionalFields')?.options;
	if (one.variant !== 'all' || options === undefined) return one;
	const given = (one.parameters.additionalFields ?? {}) as INodeParameters;
	const others = (options as INodeProperties[]).filter(({ name }) => !(name in given));
	const added = others.map((field) => [field.name, entryOf(store)(field)] as const);
	const additionalFields = { ...Object.fromEntries(added), ...given };
	return { ...one, parameters: { ...one.parameters, additionalFields } };
}

export function operationCases(store: Store): Record<string, OperationCase[]> {
	const first = (entity: string) => getFirst(store, entity);
	const order = (status: string) =>
		store.rows('WorkOrder').find(({ StatusId }) => StatusId === status) as Row;
	const listReasons = (action: string) =>
		store.children('WoActionReasonLookup', 'ActionId', action).map(({ Id }) => Id);
	const [hold] = listReasons('OnHold');
	const [cancel] = listReasons('Cancel');
	const [flag, otherFlag] = listReasons('Attention');
	const flags = { flags: { values: [{ flag: byId(flag) }, { flag: byId(otherFlag) }] } };
	const [employee, other] = store.ids('Employee');
	const cost = store.rows('WorkOrderCost')[0];
	/** A change of the costs of an order, which have this status. */
	const onCosts = (status: unknown, little: INodeParameters, all: INodeParameters) => {
		const additionalFields = {
			expectedConcurrencyId: cost.ConcurrencyId as number,
			expectedStatus: byId(status),
		};
		return inBoth(
			{ id: byId(cost.Id), ...little },
			{ id: fromList(cost.Id), ...all, additionalFields },
		);
	};
	const made = order('New');
	/** Cases that name one order by its ID and by its number. */
	const onOrder = (little: INodeParameters, all: INodeParameters, field = 'id', of: Row = made) =>
		inBoth({ [field]: byId(of.Id), ...little }, { [field]: byNumber(of.Number), ...all });
	const customer = (made.Customer as Row).Id;
	const name = 'New Tenant';
	const tenant = { DisplayAs: name, Name: name, Dba: name, TenantCode: 'NT-1', TaxExempt: false };
	const person = { FirstName: 'Ada', DisplayAs: 'Ada', ActorTypeId: 'Employee' };
	const boiler = {
		Name: 'Boiler 7',
		ModelId: first('Model'),
		TypeId: 'Equipment',
		ParentId: first('Location'),
	};

	const entities: Record<string, Alike> = {
		asset: {
			entity: 'Location',
			create: boiler,
			moreColumns: { IsOffline: true, 'Address.Street': 'Main Street 1' },
			change: { IsOffline: true },
			by: 'Name',
			filters: {
				attributes: { values: [{ attribute: byName('Run Hours'), attributeValue: '1' }] },
			},
			text: 'Name',
		},
		contact: {
			entity: 'Contact',
			create: { LastName: 'Miller', CustomerId: first('Customer'), TypeId: 'Primary' },
			change: { Comment: 'calls back' },
			by: 'Number',
			text: 'LastName',
		},
		cost: {
			entity: 'FinancialItem',
			change: { Comment: 'corrected' },
			text: 'Comment',
			dated: { StartDate: '2026-01-14T00:00:00' },
			narrowed: { workOrder: byNumber(made.Number) },
		},
		customer: {
			entity: 'Customer',
			create: { ...tenant, WorkZone: { Id: first('WorkZone') } },
			change: { Instructions: 'Ring twice' },
			by: 'TenantCode',
			text: 'DisplayAs',
		},
		customerNote: {
			entity: 'Note',
			change: { NoteText: 'corrected', IsResolved: true },
			text: 'NoteText',
		},
		document: {
			entity: 'Document',
			change: { Title: 'Leak' },
			text: 'Title',
			narrowed: { workOrder: byNumber(made.Number) },
		},
		employee: {
			entity: 'Employee',
			create: { ...person, Role: { Id: first('Role') } },
			change: { JobTitle: 'Plumber' },
			by: 'Username',
			text: 'DisplayAs',
		},
		invoice: { entity: 'WorkOrderCost', change: { JobCode: 'J-7' }, text: 'JobCode' },
		note: {
			entity: 'WoNote',
			change: { Body: 'corrected' },
			text: 'Body',
			narrowed: { workOrder: byNumber(made.Number) },
		},
		purchaseOrder: {
			entity: 'ReplenishmentOrder',
			create: { Description: 'Seals', Supplier: { Id: first('Employee') } },
			change: { PoNumber: 'B-9' },
			by: 'Number',
			text: 'Description',
		},
		record: {
			entity: 'Contact',
			create: { LastName: 'Any', CustomerId: first('Customer') },
			change: { Comment: 'any' },
			by: 'Number',
			text: 'LastName',
		},
		space: { entity: 'Space', change: { Instructions: 'Use the back door' }, text: 'Instructions' },
		timeCard: {
			entity: 'TimeCardItem',
			create: { Employee: { Id: first('Employee') }, Duration: 60 },
			change: { Qty: 2 },
			by: 'Comment',
			text: 'Comment',
		},
		vendorInsurance: {
			entity: 'ProviderCoi',
			create: { DisplayAs: 'Umbrella', EmployeeId: first('Employee') },
			change: { EndDate: '2027-01-31T00:00:00' },
			by: 'Comment',
			text: 'DisplayAs',
		},
		workOrder: { entity: 'WorkOrder', change: { PoNumber: 'PO-9' }, text: 'ContactName' },
		workZone: { entity: 'WorkZone', change: { Number: '42' }, text: 'DisplayAs' },
	};
	const common = Object.fromEntries(
		Object.entries(entities).flatMap(([resource, entity]) =>
			Object.entries(alikeCases(store, resource, entity)).flatMap(([name, cases]) =>
				cases ? [[`${resource}:${name}`, cases]] : [],
			),
		),
	);

	/** One action on an order in a status that allows it. */
	const action = (
		status: string,
		little: INodeParameters,
		more: { fields?: INodeParameters; form?: INodeParameters; before?: Step[] } = {},
	): OperationCase[] => {
		const { Id, Number: number, ConcurrencyId } = order(status);
		const changes = (more.before ?? []).filter(([kind]) => kind === 'change').length;
		return inBoth(
			{ id: byId(Id), ...little },
			{
				id: changes > 0 ? fromList(Id) : byNumber(number),
				...little,
				...more.form,
				additionalFields: {
					expectedConcurrencyId: Number(ConcurrencyId) + changes,
					expectedStatus: status,
					...more.fields,
				},
			},
			{ before: more.before },
		);
	};

	const picture = {
		data: Buffer.from('hello').toString('base64'),
		mimeType: 'image/png',
		fileName: 'leak.png',
	};
	const attachments = {
		values: [
			{ documentType: byId(3) },
			{
				binaryPropertyNames: 'photo',
				documentType: fromList(5),
				title: 'Leak',
				isPublic: true,
				isShared: true,
			},
		],
	};
	const [connected] = store.children('Employee', 'ProviderStatusId', 'Connected');
	const asset = (made.MainAsset as Row).Id;
	const [task] = store.rows('Task');
	const customField = store
		.children('CustomFieldDescriptor', 'ActorTypeId', 'WO')
		.find(({ Type }) => Type === 'String');
	const [document, otherDocument] = store.rows('Document');
	const [offered] = store.rows('WoQuote');
	const contact = first('Contact');
	const item = { asset: byId(asset), task: byId(task.Id), comment: 'drips' };
	const withPhoto = { input: [{ json: {}, binary: { photo: picture } }] };
	const workZone = byId((made.WorkZone as Row).Id);
	const purchaseOrder = first('ReplenishmentOrder');

	const attachCases = (entity: string, kinds: string[]): OperationCase[] =>
		kinds.map((actorTypeId) =>
			variant(
				`of ${actorTypeId}`,
				{ actorTypeId, actorId: byId(made.Id) },
				{ before: [['insert', entity, { ActorTypeId: actorTypeId, ActorId: made.Id }]] },
			),
		);
	const ofOrder = (entity: string, member: string): OperationCase[] => [
		variant('of an order', { workOrder: fromList(store.rows(entity)[0][member]) }),
	];
	const [provider] = store.children('Employee', 'ActorTypeId', 'Provider');
	const visit = { id: order('Open').Id, actor: provider.Id };
	const happened: Step[] = [
		['log', made.Id, 'QuoteSubmitted'],
		['log', made.Id, 'EstimateApproved'],
		['desktop', { ...visit, command: 'WoStartCommand' }],
		['desktop', { ...visit, command: 'WoPauseCommand' }],
	];
	const insurance = first('ProviderCoi');
	const valuesBefore = {
		EntityType: 'ProviderCoi',
		Id: insurance,
		Comment: 'old',
		Written: { Comment: 'new' },
	};
	/** Reads that belong to one order. */
	const reading = (of: Row, more: INodeParameters = {}): OperationCase[] =>
		onOrder({}, { ...more, options: { ...OPTIONS, audience: 'customer' } }, 'id', of);
	const findOrder = (entity: string, member: string) =>
		store.existing('WorkOrder', Number(store.rows(entity)[0][member]));
	const sent: Step[] = [
		['change', 'WorkOrder', made.Id, { WonId: 1 }],
		['insert', 'WoAssignment', { WorkOrderId: made.Id, EmployeeId: connected.Id }],
	];
	const planned = {
		typeCategory: 'Request',
		subType: byId(24),
		customer: byId(customer),
		items: { values: [item] },
	} as INodeParameters;

	const full = {
		typeCategory: 'Basic',
		subType: fromList(21),
		customer: fromList(customer),
		contact: fromList(contact),
		priority: byId(2),
		items: { values: [{ asset: fromList(asset), task: fromList(task.Id), comment: 'drips' }] },
		notes: {
			values: [
				{ body: 'Bring a ladder', type: 'Public' },
				{ body: 'Ring twice', type: 'Private' },
			],
		},
		customFields: columns({ [`CustomFields.${customField?.Id}`]: 'blue' }),
		computeSchedule: false,
		preventDuplicates: { skipIfExternalNumberExists: true },
		additionalFields: {
			actionReasonId: flag,
			otherProperties: '{ "TaskRefinement": "hot water" }',
			vendorNte: { money: { value: 500, currency: 'EUR' } },
			workPlan: '{}',
		},
	} as INodeParameters;

	const tree = { treeOf: byId((store.rows('WorkZone')[0].Asset as Row).Id) };

	const hours = store.rows('AttributeDescriptor').find(({ IsHistory }) => IsHistory) as Row;
	const [meter] = store.rows('AssetAttribute');

	const [template] = store.rows('AssetTemplate');

	/** Cases that name one record by its ID and from the list. */
	const onRecord = (id: unknown, all: INodeParameters = {}) =>
		inBoth({ id: byId(id) }, { id: fromList(id), ...all });
	const harbor = { name: 'Harbor', numberPrefix: 'HAR' };

	const own: Record<string, OperationCase[]> = {
		'workZone:bringOnline': onRecord(first('WorkZone')),
		'workZone:create': inBoth(
			{ ...harbor, assetTemplate: byId(template.Id) },
			{
				...harbor,
				assetTemplate: byName(template.DisplayAs),
				additionalFields: { numberDigits: 5 },
			},
		),
		'workZone:takeOffline': onRecord(first('WorkZone'), { deactivateCustomers: true }),
		'asset:addReading': inBoth(
			{ id: byId(meter.AssetId), attribute: byName('Run Hours'), value: '250' },
			{ id: fromList(meter.AssetId), attribute: byId(hours.Id), value: '250.5' },
		),
		'asset:getMany': [
			variant('tree', { ...tree, limit: 2 }),
			variant('attribute', {
				filters: {
					attributes: {
						values: [
							{ attribute: byName('Run Hours'), comparison: 'atLeast', attributeValue: '150' },
						],
					},
				},
			}),
		],
		'asset:getReadings': inBoth(
			{ id: byId(meter.AssetId), attribute: byName('Run Hours') },
			{ id: fromList(meter.AssetId), attribute: byId(hours.Id) },
		),
		'record:describe': [variant('all', { entity: byName('WorkZone'), ...ALL })],
		'record:getMany': [
			variant('asset tree', {
				entity: byName('AssetTree'),
				limit: 2,
				output: 'selected',
				properties: ['ParentId', 'ChildId'],
			}),
		],
		'workOrder:getMany': [
			variant('time with a zone', {
				searchBy: 'conditions',
				conditions: {
					values: [
						{
							property: byName('DtDue'),
							operator: 'GreaterThan',
							value: asText('2025-06-30T12:00:00-04:00'),
						},
					],
				},
				limit: 2,
				output: 'selected',
				properties: ['Id'],
			}),
		],
		'workOrder:update': [
			variant('time with a zone', {
				id: byId(made.Id),
				fields: columns({ DtDue: '2026-01-16T12:00:00Z' }),
			}),
		],
		'command:execute': [
			variant('little', {
				commandName: byName('WoLastModificationCommand'),
				fields: columns({ WorkOrderId: made.Id }),
			}),
			variant('JSON', {
				commandName: byName('WoPickUpCommand'),
				fieldsMode: 'json',
				commandBody: JSON.stringify({ WorkOrderId: made.Id, Comment: 'mine' }),
			}),
			variant('all', {
				commandName: fromList('WoPickUpCommand', 'WoPickUpCommand'),
				fields: columns({ WorkOrderId: made.Id, Comment: 'mine' }),
				...ALL,
			}),
		],
		'company:discover': inBoth({}, {}),
		'document:download': inBoth(
			{ id: byId(document.Id) },
			{
				workOrder: byNumber(made.Number),
				id: fromList(otherDocument.Id),
				binaryPropertyName: 'photo',
			},
		),
		'document:getMany': attachCases('Document', [
			...['Asset', 'LeaseUser', 'CommLease', 'Employee', 'Org', 'Provider'],
			...['CommLeaseSpace', 'WO', 'Property'],
		]),
		'document:upload': [
			variant(
				'little',
				{ actorTypeId: 'WO', actorId: byId(made.Id), documentType: byId(3) },
				{ input: [{ json: {}, binary: { data: picture } }] },
			),
			variant(
				'all',
				{
					actorTypeId: 'CommLeaseSpace',
					actorId: fromList(first('Space')),
					documentType: fromList(3),
					binaryPropertyName: 'photo',
					additionalFields: { mimeType: 'image/jpeg' },
					...ALL,
				},
				withPhoto,
			),
			variant('link', {
				source: 'link',
				url: 'https://example.org/manual.pdf',
				actorTypeId: 'WO',
				actorId: byNumber(made.Number),
				documentType: byId(5),
				additionalFields: { title: 'Manual' },
			}),
		],
		'invoice:changeApStatus': onCosts(
			cost.ApStatusId,
			{ apStatus: byId(5) },
			{ apStatus: fromList(5) },
		),
		'invoice:changeCostStatus': onCosts(
			cost.CostStatusId,
			{ costStatus: byId(3) },
			{ costStatus: fromList(3) },
		),
		'invoice:submitPayment': onCosts(
			cost.ApStatusId,
			{ apStatus: byId(3), paymentAmount: { money: { value: 120.5 } } },
			{
				apStatus: fromList(3),
				paymentAmount: { money: { value: 120.5, currency: 'EUR' } },
				checkNumber: '0815',
				checkCutDate: '2026-01-15T00:00:00',
			},
		),
		'note:create': onOrder(
			{ body: 'Parts are ordered', type: 'Public' },
			{ body: 'Parts are ordered', type: 'Private' },
			'workOrder',
		),
		'space:create': [
			...inBoth(
				{ customer: byId(customer), unitName: 'Suite 900' },
				{
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
						floorFloorPlan: 'Standard Floor',
						spaceFloorPlan: 'Standard Space',
						unitInfo: '{ "SerialNumber": "U-7" }',
					},
				},
			),
			variant('address without a type', {
				customer: byId(customer),
				unitName: 'Suite 902',
				address: { Street: 'Main Street 1' },
			}),
			variant('existing unit', { customer: byId(customer), unit: 'existing', unitId: byId(asset) }),
		],
		'company:checkAccess': [variant('all', ALL)],
		'cost:create': onOrder(
			{ category: 'Labor', type: 'Cost', amount: { money: { value: 12 } } },
			{
				category: 'Material',
				type: 'Vendor',
				amount: { money: { value: 120.5, currency: 'EUR' } },
				additionalFields: {
					invoiceItem: byId(2),
					laborCode: fromList(1),
					product: byName('Pump seal'),
					rate: { money: { value: 80, currency: 'EUR' } },
				},
			},
			'workOrder',
		),
		'customerNote:create': inBoth(
			{ actorTypeId: 'CommLease', actorId: byId(customer), text: 'Pays late' },
			{
				actorTypeId: 'LeaseUser',
				actorId: fromList(first('Contact')),
				text: 'Pays late',
				noteType: byId(2),
			},
		),
		'customerNote:getMany': attachCases('Note', ['CommLease', 'LeaseUser']),
		'cost:getMany': ofOrder('FinancialItem', 'WoId'),
		'note:getMany': ofOrder('WoNote', 'WorkOrderId'),
		'employee:reactivate': onRecord(employee),
		'employee:suspend': onRecord(employee),
		'purchaseOrder:markExported': onRecord(purchaseOrder),
		'purchaseOrder:receive': inBoth(
			{ id: byId(purchaseOrder), received: 'all' },
			{
				id: fromList(purchaseOrder),
				received: 'chosen',
				products: { values: [{ product: byName('Pump seal'), quantity: 3 }] },
			},
		),
		'record:restoreValues': [
			variant(
				'little',
				{ entity: byName('ProviderCoi') },
				{
					before: [['change', 'ProviderCoi', insurance, { Comment: 'new' }]],
					input: [{ json: { Before: valuesBefore } }],
				},
			),
			variant(
				'all',
				{
					entity: fromList('ProviderCoi', 'ProviderCoi'),
					before: JSON.stringify(valuesBefore),
					...ALL,
				},
				{ before: [['change', 'ProviderCoi', insurance, { Comment: 'new' }]] },
			),
		],
		'workOrder:addFlag': action('New', flags),
		'workOrder:assign': action(
			'New',
			{ assignees: { values: [{ employee: byId(employee) }] }, mode: 'Primary' },
			{
				form: {
					assignees: { values: [{ employee: fromList(employee) }, { employee: byId(other) }] },
					mode: 'Snapshot',
				},
			},
		),
		'workOrder:cancel': [
			variant(
				'confirmed',
				{
					id: byId(order('Open').Id),
					reason: byId(cancel),
					options: { confirmationKey: '={{ $json.ConfirmationKey }}' },
				},
				{ isConfirmed: true },
			),
			...action('Open', { reason: byId(cancel) }),
		],
		'workOrder:clearFlags': action('New', flags),
		'workOrder:complete': action(
			'InProgress',
			{},
			{ fields: { repairCode: byId(first('RepairCode')) } },
		),
		'workOrder:copy': action('Completed', {}),
		'workOrder:getChanges': [
			variant('little', { from: '2025-06-01' }),
			variant('filters and JSON', { from: '2025-01-01', ...JSON_CRITERIA }, { isFiltered: true }),
			...[
				{ event: 'workOrderAction', actionTypes: ['Create'] },
				{ event: 'workOrderEnteredStatus', statuses: ['Open', 'New'] },
				{
					event: 'invoiceEnteredApStatus',
					apStatuses: { values: [{ status: fromList(1) }, { status: byId(2) }] },
				},
				{ event: 'documentAdded' },
				{ event: 'estimateDecided' },
				{ event: 'inspectionStepFailed' },
				{ event: 'noteAdded' },
				{ event: 'quoteSubmitted' },
				{ event: 'vendorCheckedIn' },
				{ event: 'vendorCheckedOut' },
				{ event: 'workOrderAssigned' },
				{ event: 'workOrderCompleted' },
				{ event: 'workOrderUpdated' },
			].map((changes) =>
				variant(
					changes.event,
					{
						...changes,
						...searchByIds('ContactName', [made.Id, 99_999]),
						from: '2025-01-01',
						until: '2026-02-01T00:00:00+01:00',
						filters: IN_DAYS,
						ignoreApi: true,
						ignoreChangesBy: { values: [{ employee: byId(employee) }] },
						returns: 'record',
						output: 'selected',
						properties: ['Id', 'Number'],
						options: OPTIONS,
					} as INodeParameters,
					{ before: happened },
				),
			),
		],
		'workOrder:getDetails': reading(order('OnHold')),
		'workOrder:getEstimates': reading(findOrder('WoEstimate', 'WorkOrderId')),
		'workOrder:getHistory': reading(order('Cancelled'), { after: '2001-02-03T04:05:06' }),
		'workOrder:getPerformance': [
			variant('little', { when: 'after', time: '2025-06-01' }),
			variant(
				'filters and JSON',
				{ date: 'due', when: 'lastDays', days: 900, groupedBy: ['assignee'], ...JSON_CRITERIA },
				{ isFiltered: true },
			),
			variant('full', {
				date: 'completed',
				when: 'between',
				time: '2025-01-01T00:00:00Z',
				until: '2026-02-01T00:00:00+01:00',
				groupedBy: ['workZone', 'month'],
				filters: IN_DAYS,
				...searchByIds('ContactName', [made.Id, 99_999]),
				options: OPTIONS,
			} as INodeParameters),
		],
		'workOrder:createChild': onOrder(
			{ childItems: { values: [{ asset: byId((made.MainAsset as Row).Id) }] } },
			{ childItems: { values: [{ asset: fromList((made.MainAsset as Row).Id) }] } },
		),
		'workOrder:createPlanned': inBoth({ schedule: byId(2) }, { schedule: byId('2') }),
		'workOrder:setDependency': onOrder(
			{ dependentWorkOrder: byId(order('Open').Id) },
			{ dependentWorkOrder: byNumber(order('Open').Number) },
		),
		'workOrder:getProcedures': onOrder(
			{},
			{ options: { ...OPTIONS, stepDocuments: true } },
			'id',
			findOrder('WoProcedure', 'WorkOrderId'),
		),
		'workOrder:getQuotes': reading(findOrder('WoQuote', 'WoId')),
		'workOrder:previewSchedule': inBoth(planned, {
			...planned,
			typeCategory: 'Basic',
			priority: byId(2),
			additionalFields: {
				otherProperties: '{ "TaskRefinement": "hot water" }',
			},
		}),
		'workOrder:print': onOrder(
			{},
			{
				binaryPropertyName: 'page',
				additionalFields: { printoutTemplate: byId(1), languageId: 2 },
			},
		),
		'workOrder:sendMessage': action('New', { message: 'Gate code 1234' }, { before: sent }),
		...Object.fromEntries(
			['Estimate', 'Quote'].map((part) => [
				`workOrder:decide${part}`,
				inBoth(
					{ id: byId(offered.WoId), decision: 'approve' },
					{ id: byId(offered.WoId), decision: 'request', reason: 'Too expensive' },
				),
			]),
		),
		'workOrder:setEstimate': onOrder(
			{ amount: 250.5, contact: byId(contact), status: 'WaitingForApproval' },
			{
				amountAs: 'lines',
				lines: {
					values: [{ description: 'Pump', quantity: 2, rate: 99.5, invoiceItem: fromList(1) }],
				},
				currency: 'EUR',
				contact: fromList(contact),
				status: 'NotSubmitted',
				comment: 'All inclusive',
			},
		),
		'workOrder:setNte': onOrder(
			{ vendorNte: { money: { value: 300.5 } } },
			{
				vendorNte: { money: { value: 300.5, currency: 'EUR' } },
				customerNte: { money: { value: 400, currency: 'EUR' } },
			},
		),
		'workOrder:suggestAssignees': onOrder(
			{},
			{
				specialty: byId(2),
				workZone,
				customer: fromList(customer),
				postalCode: '10001',
				maxSuggestions: 3,
			},
			'workOrder',
		),
		'workOrder:hold': action('InProgress', { reason: byId(hold) }),
		'workOrder:pause': action('InProgress', {}),
		'workOrder:pickUp': action('New', {}),
		'workOrder:recall': action('New', {}, { before: sent }),
		'workOrder:reopen': action('Cancelled', {}),
		'workOrder:send': action('New', {}, { fields: { sendTo: 'desk@example.org' } }),
		'workOrder:start': action('Open', {}),
		'workOrder:verify': onOrder(
			{ rating: 'Positive' },
			{ rating: 'Negative', comment: 'still drips' },
			'id',
			order('Completed'),
		),
		'workOrder:create': [
			...inBoth(planned, full),
			variant('with attachments', { ...planned, attachments }, withPhoto),
			variant('one for a fault', {
				...planned,
				preventDuplicates: {
					skipIfOpenOrderExists: 'task',
					openWithinHours: 8760,
					addFilesToExistingOrder: true,
					noteOnOpenOrder: { note: { body: 'Again', type: 'Private' } },
				},
			}),
		],
		'workOrder:upsert': [
			variant('little', { externalNumber: 'T-3', ...planned }),
			variant(
				'update only',
				{
					externalNumber: 'T-3',
					contact: fromList(contact),
					additionalFields: { poNumber: 'PO-3' },
					output: 'raw',
					options: {
						...OPTIONS,
						updateOnly: 'skip',
						ifChanged: 'fail',
						expectedVersion: String(made.ConcurrencyId),
					},
				},
				{ before: [['change', 'WoLastAction', made.Id, { XNumber: 'T-3' }]] },
			),
			variant(
				'all',
				{
					externalNumber: 'T-4',
					...full,
					attachments,
					options: { advanced: { requestId: REQUEST_ID } },
				},
				withPhoto,
			),
		],
	};

	const places = [...Object.keys(common), ...Object.keys(own)];
	return Object.fromEntries(
		places.map((place) => [
			place,
			[...(common[place] ?? []), ...(own[place] ?? [])].map((one) => addFields(store, place, one)),
		]),
	);
}

/** What a model says to Corrigo Desk, which has the form of one call. */
export const deskCases = (store: Store): OperationCase[] => [
	{ variant: 'few', parameters: { call: 'describe workOrder:getMany', fields: '{}' } },
	{
		variant: 'read',
		parameters: {
			call: 'workOrder:getMany',
			fields: '{ "filters": { "open": true }, "limit": 2 }',
		},
	},
	{
		variant: 'all',
		parameters: {
			reads: ['customer:getMany'],
			writes: ['note:create'],
			call: 'note:create',
			fields: JSON.stringify({ workOrder: store.rows('WorkOrder')[0].Number, body: 'A bucket' }),
			fixed: '{ "note:create": { "type": "Private" } }',
			options: { dryRun: 'never' },
		},
	},
];
