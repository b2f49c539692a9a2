/**
 * Every operation of every resource, through the real engine: the requests and the output.
 * The last test fails when an operation of the menus has no case here.
 */
import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';

import { getCommand } from '../../nodes/Corrigo/catalogue/commands';
import { resources } from '../../nodes/Corrigo/actions/registry';
import { getEntity, type EntityName } from '../../nodes/Corrigo/catalogue/entities';
import type { RecordedRequest, Row } from '../../sandbox';
import { cases as drawn } from '../cases';
import { byId, byName, jsonOf, openDesk, type Desk } from './desk';

let desk: Desk;

beforeAll(async () => {
	desk = await openDesk();
	// The session is opened first, so that the operations send only their own requests.
	await desk.run('company:discover');
});

beforeEach(() => {
	desk.fresh();
});

afterAll(async () => {
	await desk.close();
});

interface Sent {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	path: string;
	query?: Record<string, string>;
	body?: unknown;
}

interface Case {
	parameters: INodeParameters;
	item?: INodeExecutionData;
	sends: Sent[];
	/** The output, or a part of it. */
	returns: unknown[];
}

const REQUEST_ID = 'R-1';

const firstId = (entity: string) => desk.rows(entity)[0].Id;
const orderIn = (status: string) =>
	desk.rows('WorkOrder').find(({ StatusId }) => StatusId === status) as Row;
const reasonFor = (action: string) =>
	desk.rows('WoActionReasonLookup').find(({ ActionId }) => ActionId === action)?.Id;

/** An order that was sent to a connected provider. */
function sentOrder(): Row {
	const order = orderIn('New');
	const provider = desk
		.rows('Employee')
		.find(({ ProviderStatusId }) => ProviderStatusId === 'Connected')?.Id;
	desk.change('WorkOrder', order.Id, { WonId: 1 });
	desk.sandbox.store.insert('WoAssignment', { WorkOrderId: order.Id, EmployeeId: provider });
	return order;
}

const some = (type: unknown): unknown => expect.any(type as never);
const has = (part: object): unknown => expect.objectContaining(part);

const command = (name: string, Command: unknown): Sent => ({
	method: 'POST',
	path: `/api/v1/cmd/${name}`,
	body: { Command, RequestId: REQUEST_ID },
});

/** Commands that only read have no option for the RequestId. */
const readCommand = (name: string, Command: unknown): Sent => ({
	...command(name, Command),
	body: { Command, RequestId: some(String) },
});

const read = (entity: string, id: number, properties = '*'): Sent => ({
	method: 'GET',
	path: `/api/v1/base/${entity}`,
	query: { ID: String(id), properties },
});

const search = (entity: string, expression: object): Sent => ({
	method: 'POST',
	path: `/api/v1/query/${entity}`,
	body: { QueryExpression: expression },
});

const written = (method: 'POST' | 'PUT', entity: string, body: object): Sent => ({
	method,
	path: `/api/v1/base/${entity}`,
	body: { RequestId: REQUEST_ID, ...body },
});

/** An action on an order in a status that allows it: its whole command, and the order afterwards. */
const action =
	(
		from: string,
		name: string,
		{ form = {}, sent = {} }: { form?: INodeParameters; sent?: object },
		returns: object,
	) =>
	(): Case => {
		const { Id } = orderIn(from);
		return {
			parameters: { id: byId(Id), ...form },
			sends: [command(name, { WorkOrderId: Id, ...sent })],
			returns: [has({ Id, ...returns })],
		};
	};

const json = (fields: IDataObject): INodeParameters => ({
	fieldsMode: 'json',
	fieldsJson: fields as INodeParameters,
});

/** The operations that every entity has in the same form. */
const entityCases = (
	resource: string,
	entity: string,
	{ fields, change: changed }: { fields?: () => IDataObject; change: IDataObject },
): Record<string, () => Case> => {
	const of = resource === 'record' ? { entity: byName(entity) } : {};
	return {
		...(fields && {
			[`${resource}:create`]: () => ({
				parameters: { ...of, ...json(fields()) },
				sends: [written('POST', entity, { Entity: fields() })],
				returns: [has({ EntityType: entity, Id: some(Number) })],
			}),
		}),
		[`${resource}:count`]: () => ({
			parameters: {
				...of,
				...(resource === 'document' ? { actorTypeId: 'any' } : {}),
				conditions: {
					values: [{ property: 'Id', operator: 'LessOrEqual', value: desk.rows(entity)[1].Id }],
				},
				options: { includeRemoved: true },
			},
			sends: [
				search(entity, {
					PropertySet: { Properties: ['Id'] },
					Criteria: {
						FilterOperator: 'And',
						Conditions: [
							{ PropertyName: 'Id', Operator: 'LessOrEqual', Values: [desk.rows(entity)[1].Id] },
						],
					},
					Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
					Count: 4000,
					FirstResultIndex: 0,
				}),
			],
			returns: [{ Count: 2 }],
		}),
		[`${resource}:delete`]: () => ({
			parameters: { ...of, id: byId(firstId(entity)) },
			sends: [
				{
					method: 'DELETE',
					path: `/api/v1/base/${entity}`,
					query: { ID: String(firstId(entity)) },
				},
			],
			returns: [{ deleted: true, Id: firstId(entity) }],
		}),
		[`${resource}:get`]: () => ({
			parameters: { ...of, id: byId(firstId(entity)) },
			sends: [read(entity, firstId(entity))],
			returns: [has({ Id: firstId(entity) })],
		}),
		[`${resource}:getMany`]: () => {
			const wanted = desk.rows(entity).slice(0, 2);
			const ids = wanted.map(({ Id }) => Id);
			return {
				parameters: {
					...of,
					...(resource === 'document' ? { actorTypeId: 'any' } : {}),
					limit: 2,
					criteriaJson: {
						Conditions: [{ PropertyName: 'Id', Operator: 'In', Values: ids }],
					} as never,
					options: { includeRemoved: true },
				},
				sends: [
					search(entity, {
						PropertySet: { Properties: ['*'] },
						Criteria: {
							FilterOperator: 'And',
							Conditions: [{ PropertyName: 'Id', Operator: 'In', Values: ids }],
						},
						Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
						Count: 2,
						FirstResultIndex: 0,
					}),
				],
				returns: ids.map((Id) => has({ Id })),
			};
		},
		...(getEntity(entity)?.softDelete && {
			[`${resource}:restore`]: () => {
				const Id = firstId(entity);
				desk.change(entity, Id, { IsRemoved: true });
				return {
					parameters: { ...of, id: byId(Id) },
					sends: [command('RestoreCommand', { EntitySpecifier: { EntityType: entity, Id } })],
					returns: [has({ EntityType: entity, Id })],
				};
			},
		}),
		[`${resource}:update`]: () => ({
			parameters: { ...of, id: byId(firstId(entity)), ...json(changed) },
			sends: [
				written('PUT', entity, {
					Properties: Object.keys(changed),
					Entity: { ...changed, Id: firstId(entity) },
				}),
			],
			returns: [has({ EntityType: entity, Id: firstId(entity) })],
		}),
	};
};

/** An upsert of an existing record, found by one of its properties. */
const upsertCase = (
	resource: string,
	entity: EntityName,
	by: string,
	changed: IDataObject,
): Record<string, () => Case> => ({
	[`${resource}:upsert`]: () => {
		const [record] = desk.rows(entity);
		const { lock, softDelete } = getEntity(entity) ?? {};
		const group = (PropertyName: string, Operator: string, Values: unknown[]) => ({
			FilterOperator: 'And',
			Conditions: [{ PropertyName, Operator, Values }],
		});
		const wanted = group(by, 'In', [record[by]]);
		const version = lock ? { ConcurrencyId: some(Number) } : {};
		return {
			parameters: {
				...(resource === 'record' ? { entity: byName(entity) } : {}),
				...json({ [by]: record[by], ...changed } as IDataObject),
				matchOn: by,
			},
			sends: [
				search(entity, {
					PropertySet: {
						Properties: ['Id', ...Object.keys(version), by, ...Object.keys(changed)],
					},
					Criteria: softDelete
						? {
								FilterOperator: 'And',
								Filters: [wanted, group('IsRemoved', 'Equal', [false])],
							}
						: wanted,
					Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
					Count: 4000,
					FirstResultIndex: 0,
				}),
				written('PUT', entity, {
					Properties: Object.keys(changed),
					Entity: { ...changed, ...version, Id: record.Id },
				}),
			],
			returns: [
				{
					EntityType: entity,
					Id: record.Id,
					...version,
					...(by === getEntity(entity)?.display ? { [by]: record[by] } : {}),
					Outcome: 'updated',
					Changed: Object.keys(changed),
				},
			],
		};
	},
});

const without = (cases: Record<string, () => Case>, ...names: string[]) =>
	Object.fromEntries(Object.entries(cases).filter(([name]) => !names.includes(name)));

const cases: Record<string, () => Case> = {
	...entityCases('asset', 'Location', {
		fields: () => ({
			Name: 'Boiler 7',
			ModelId: firstId('Model'),
			TypeId: 'Equipment',
			ParentId: firstId('Location'),
		}),
		change: { Name: 'Boiler 8' },
	}),
	...entityCases('contact', 'Contact', {
		fields: () => ({ LastName: 'Miller', CustomerId: firstId('Customer'), TypeId: 'Primary' }),
		change: { Comment: 'calls back' },
	}),
	...entityCases('customer', 'Customer', {
		fields: () => ({
			DisplayAs: 'New Tenant',
			Name: 'New Tenant',
			Dba: 'New Tenant',
			TenantCode: 'NT-1',
			TaxExempt: false,
			WorkZone: { Id: firstId('WorkZone') },
		}),
		change: { Instructions: 'Ring twice' },
	}),
	...entityCases('employee', 'Employee', {
		fields: () => ({
			FirstName: 'Ada',
			DisplayAs: 'Ada',
			ActorTypeId: 'Employee',
			Role: { Id: firstId('Role') },
		}),
		change: { JobTitle: 'Plumber' },
	}),
	...entityCases('record', 'Contact', {
		fields: () => ({ LastName: 'Any', CustomerId: firstId('Customer') }),
		change: { Comment: 'any' },
	}),
	...entityCases('purchaseOrder', 'ReplenishmentOrder', {
		fields: () => ({ Description: 'Seals', Supplier: { Id: firstId('Employee') } }),
		change: { PoNumber: 'B-9' },
	}),
	...entityCases('timeCard', 'TimeCardItem', {
		fields: () => ({ Employee: { Id: firstId('Employee') }, Duration: 60 }),
		change: { Comment: 'Boiler' },
	}),
	...entityCases('vendorInsurance', 'ProviderCoi', {
		fields: () => ({ DisplayAs: 'Umbrella', EmployeeId: firstId('Employee') }),
		change: { Comment: 'Renewed' },
	}),
	'purchaseOrder:markExported': () => {
		const Id = firstId('ReplenishmentOrder');
		const Entity = { IsExported: true, Id };
		return {
			parameters: { id: byId(Id) },
			sends: [written('PUT', 'ReplenishmentOrder', { Properties: ['IsExported'], Entity })],
			returns: [has({ EntityType: 'ReplenishmentOrder', Id })],
		};
	},
	'purchaseOrder:receive': () => {
		const Id = firstId('ReplenishmentOrder');
		const lines = desk.sandbox.store.children('ReplenishmentOrderItem', 'ReplenishmentOrderId', Id);
		const Items = lines.map((line) => ({ Id: line.Id, QtyReceived: line.QtyOrdered }));
		return {
			parameters: { id: byId(Id) },
			sends: [
				search('ReplenishmentOrderItem', {
					PropertySet: {
						Properties: [
							...['Id', 'ReplenishmentOrderId'],
							...['Product.Id', 'Product.DisplayAs', 'QtyOrdered'],
						],
					},
					Criteria: {
						FilterOperator: 'Or',
						Conditions: [{ PropertyName: 'ReplenishmentOrderId', Operator: 'In', Values: [Id] }],
					},
					Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
					Count: 4000,
					FirstResultIndex: 0,
				}),
				written('PUT', 'ReplenishmentOrder', {
					Properties: ['Items.QtyReceived'],
					Entity: { Id, Items },
				}),
			],
			returns: [has({ EntityType: 'ReplenishmentOrder', Id })],
		};
	},
	...upsertCase('purchaseOrder', 'ReplenishmentOrder', 'Number', { PoNumber: 'B-9' }),
	'timeCard:upsert': () => {
		desk.change('TimeCardItem', firstId('TimeCardItem'), { Comment: 'Boiler' });
		return upsertCase('timeCard', 'TimeCardItem', 'Comment', { Qty: 2 })['timeCard:upsert']();
	},
	'vendorInsurance:upsert': () => {
		desk.change('ProviderCoi', firstId('ProviderCoi'), { Comment: 'C-1' });
		const upsert = upsertCase('vendorInsurance', 'ProviderCoi', 'Comment', {
			EndDate: '2027-01-31T00:00:00',
		});
		return upsert['vendorInsurance:upsert']();
	},
	...upsertCase('asset', 'Location', 'Name', { IsOffline: true }),
	...upsertCase('contact', 'Contact', 'Number', { Comment: 'calls back' }),
	...upsertCase('customer', 'Customer', 'TenantCode', { Instructions: 'Ring twice' }),
	...upsertCase('employee', 'Employee', 'Username', { JobTitle: 'Plumber' }),
	...upsertCase('record', 'Contact', 'Number', { Comment: 'any' }),
	'record:restoreValues': () => {
		const [{ Id, ConcurrencyId }] = desk.rows('ProviderCoi');
		desk.change('ProviderCoi', Id, { Comment: 'new' });
		const version = Number(ConcurrencyId) + 1;
		const before = { EntityType: 'ProviderCoi', Id, Comment: 'old', Written: { Comment: 'new' } };
		return {
			parameters: { entity: byName('ProviderCoi'), before },
			sends: [
				search('ProviderCoi', {
					PropertySet: { Properties: ['Id', 'ConcurrencyId', 'Comment'] },
					Criteria: {
						FilterOperator: 'Or',
						Conditions: [{ PropertyName: 'Id', Operator: 'In', Values: [Id] }],
					},
					Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
					Count: 1,
					FirstResultIndex: 0,
				}),
				written('PUT', 'ProviderCoi', {
					Properties: ['Comment'],
					Entity: { ConcurrencyId: version, Comment: 'old', Id },
				}),
			],
			returns: [has({ Id, Outcome: 'updated', Changed: ['Comment'], NotRestored: [] })],
		};
	},
	...entityCases('space', 'Space', { change: { Instructions: 'Use the back door' } }),
	...without(entityCases('workZone', 'WorkZone', { change: { Number: '42' } }), 'workZone:delete'),
	...without(
		entityCases('workOrder', 'WorkOrder', { change: { PoNumber: 'PO-9' } }),
		'workOrder:delete',
	),
	...without(
		entityCases('invoice', 'WorkOrderCost', { change: { JobCode: 'J-7' } }),
		'invoice:delete',
	),
	...entityCases('document', 'Document', { change: { Description: 'Under the sink' } }),
	...entityCases('note', 'WoNote', { change: { Body: 'corrected' } }),
	...entityCases('customerNote', 'Note', { change: { NoteText: 'corrected', IsResolved: true } }),
	'customerNote:create': () => {
		const customer = firstId('Customer');
		return {
			parameters: {
				actorTypeId: 'CommLease',
				actorId: byId(customer),
				text: 'Pays late',
				noteType: byId(2),
				additionalFields: { isResolved: true },
			},
			sends: [
				written('POST', 'Note', {
					Entity: {
						ActorTypeId: 'CommLease',
						ActorId: customer,
						NoteText: 'Pays late',
						NoteTypeLookup: { Id: 2 },
						IsResolved: true,
					},
				}),
			],
			returns: [has({ EntityType: 'Note', Id: some(Number) })],
		};
	},
	...entityCases('cost', 'FinancialItem', { change: { Comment: 'corrected' } }),
	'cost:create': () => {
		const { Id } = orderIn('New');
		const employee = firstId('Employee');
		return {
			parameters: {
				workOrder: byId(Id),
				category: 'Material',
				amount: { money: { value: 120.5, currency: 'EUR' } },
				additionalFields: {
					comment: 'Pump seal',
					duration: 90,
					employee: byId(employee),
					invoiceItem: byId(2),
					laborCode: byId(1),
					merchantName: 'Pumps & Co.',
					nonBillable: true,
					product: byId(1),
					quantity: 1.5,
					rate: { money: { value: 80, currency: 'EUR' } },
					startDate: '2026-02-01T10:00:00',
				},
			},
			sends: [
				written('POST', 'FinancialItem', {
					Entity: {
						WoId: Id,
						CostCategoryId: 'Material',
						TypeId: 'Cost',
						Amount: { Value: 120.5, CurrencyTypeId: 'EUR' },
						Comment: 'Pump seal',
						Duration: 90,
						Employee: { Id: employee },
						InvoiceItem: { Id: 2 },
						LaborCode: { Id: 1 },
						MerchantName: 'Pumps & Co.',
						NonBillable: true,
						Product: { Id: 1 },
						Quantity: 1.5,
						Rate: { Value: 80, CurrencyTypeId: 'EUR' },
						StartDate: '2026-02-01T10:00:00',
					},
				}),
			],
			returns: [has({ EntityType: 'FinancialItem', Id: some(Number) })],
		};
	},

	'command:execute': () => {
		const { Id } = orderIn('New');
		return {
			parameters: {
				commandName: byName('WoLastModificationCommand'),
				commandBody: { WorkOrderId: Id },
			},
			sends: [command('WoLastModificationCommand', { WorkOrderId: Id })],
			returns: [has({ CommandResult: has({ WorkOrderId: Id }) })],
		};
	},

	'company:checkAccess': () => {
		const firstRow = (Properties: string[], Count = 1) => ({
			PropertySet: { Properties: ['Id', ...Properties] },
			Count,
			FirstResultIndex: 0,
		});
		const where = (PropertyName: string, Operator: string, value: unknown) => ({
			Criteria: {
				FilterOperator: 'And',
				Conditions: [{ PropertyName, Operator, Values: [value] }],
			},
		});
		const rights = Object.entries({
			ApInvoiceStatus: ['DisplayAs', 'Description'],
			AssetTree: ['ParentId', 'ChildId', 'Distance'],
			Contact: ['DisplayAs', 'Number', 'ContactAddresses.Address', 'TypeId'],
			CustomFieldDescriptor: ['Name', 'Type', 'ActorTypeId', 'Options.Idx', 'Options.Value'],
			Customer: ['DisplayAs', 'Name', 'TenantCode', 'WorkZone.DisplayAs'],
			Document: ['Title', 'DocType.DisplayAs', 'ActorTypeId'],
			DocumentType: ['DisplayAs', 'Description'],
			Employee: ['DisplayAs', 'Username', 'Number', 'ActorTypeId', 'JobTitle'],
			InternalCostStatus: ['Name', 'Description'],
			Location: ['Name', 'Info.TagId', 'Info.SerialNumber', 'TypeId'],
			Portfolio: ['DisplayAs', 'TypeId'],
			ProviderCoi: ['DisplayAs', 'StatusId', 'EndDate', 'EmployeeId'],
			RepairCode: ['DisplayAs', 'ParentId'],
			ReplenishmentOrder: [
				...['Number', 'PoNumber', 'Description', 'Supplier.DisplayAs', 'StatusId'],
			],
			Role: ['DisplayAs'],
			Space: ['Asset.Name', 'StatusId', 'WorkZone.DisplayAs', 'CustomerId'],
			Specialty: ['DisplayAs'],
			Task: ['DisplayAs', 'Number', 'Specialty.DisplayAs', 'Priority.DisplayAs'],
			Team: ['DisplayAs'],
			TimeCardItem: ['Employee.DisplayAs', 'StartDate', 'Duration'],
			WoActionLog: [
				...['WorkOrderId', 'TypeId', 'ActionReasonId', 'UiTypeId', 'SystemDateUtc'],
				...['Actor.Id', 'Actor.TypeId', 'Actor.DisplayAs'],
			],
			WoActionReasonLookup: ['DisplayAs', 'Descr'],
			WoNote: ['Body', 'NoteTypeId', 'CreatedDate'],
			WoPriority: ['DisplayAs'],
			WorkOrder: [
				...['Number', 'ShortLocation', 'ContactName', 'Customer.DisplayAs', 'PoNumber'],
				...['StatusId', 'LastActionDateUtc'],
			],
			WorkOrderCost: ['ApStateId', 'CostStatusId'],
			WorkOrderType: ['DisplayAs', 'Abbr', 'TypeId'],
			WorkZone: ['DisplayAs', 'Number', 'WoNumberPrefix', 'WoNumberDigits', 'TimeZone'],
		});
		const counts: Record<string, number> = { WoActionLog: 500, WorkZone: 4000 };
		const isLong = (entity: string) => ['WoActionLog', 'WorkOrder'].includes(entity);
		const newestFirst = { Orders: [{ PropertyName: 'Id', OrderType: 'Descending' }] };
		const Orders = [{ PropertyName: 'Id', OrderType: 'Ascending' }];
		const orders = (condition = {}) => search('WorkOrder', { ...firstRow([]), ...condition });
		const checks = [
			...['Access', 'Token', 'Discovery', 'Version', 'Clock'],
			...rights.map(([entity]) => `Read ${entity}`),
			...['Order by Id', 'Page limit', 'Conditions through references'],
			...['Conditions on LastAction.XNumber', 'Conditions on Items.Asset.Id'],
			...['Time zones', 'API users', 'Latency'],
		];
		return {
			parameters: { options: { parallelRequests: 1 } },
			sends: [
				...rights.map(([entity, properties]) =>
					search(entity, {
						...firstRow(properties, counts[entity]),
						...(isLong(entity) ? newestFirst : {}),
					}),
				),
				search('WoActionLog', { ...firstRow([], 5000), Orders }),
				orders(where('WorkZone.DisplayAs', 'Like', '%')),
				orders(where('LastAction.XNumber', 'In', 'n8n Check Access')),
				orders(where('Items.Asset.Id', 'In', 2_147_483_647)),
				...Array.from({ length: 3 }, () => orders()),
			],
			returns: checks.map((check) => ({
				check,
				status: ['Page limit', 'API users'].includes(check) ? 'skipped' : 'ok',
				detail: some(String),
				howToFix: '',
			})),
		};
	},
	'company:discover': () => ({
		parameters: {},
		sends: [],
		returns: [has({ Url: `${desk.sandbox.apiUrl}/`, CompanyName: 'Sandbox Facilities' })],
	}),

	...Object.fromEntries(
		[false, true].map((Reactivate) => [
			`employee:${Reactivate ? 'reactivate' : 'suspend'}`,
			(): Case => {
				const Id = firstId('Employee');
				return {
					parameters: { id: byId(Id) },
					sends: [command('UserOrProviderSuspendCommand', { Id, Reactivate })],
					returns: [{ Id, Suspended: !Reactivate }],
				};
			},
		]),
	),

	'document:upload': () => {
		const { Id } = orderIn('New');
		return {
			parameters: {
				actorTypeId: 'WO',
				actorId: byId(Id),
				documentType: byId(3),
				additionalFields: { title: 'Leak', isPublic: true, description: 'Under the sink' },
			},
			item: {
				json: {},
				binary: {
					data: {
						data: Buffer.from('hello').toString('base64'),
						mimeType: 'image/png',
						fileName: 'leak.png',
					},
				},
			},
			sends: [
				written('POST', 'Document', {
					Entity: {
						ActorTypeId: 'WO',
						ActorId: Id,
						Title: 'Leak',
						StorageTypeId: 'Cloud',
						MimeType: 'image/png',
						Blob: { FileName: 'leak.png', Body: 'aGVsbG8=' },
						DocType: { Id: 3 },
						Description: 'Under the sink',
						IsPublic: true,
					},
				}),
			],
			returns: [has({ EntityType: 'Document', Id: some(Number) })],
		};
	},

	'document:download': () => {
		const { Id } = desk.rows('Document')[0];
		return {
			parameters: { id: byId(Id) },
			sends: [readCommand('GetDocDownloadUrlCommand', { DocumentIds: [Id] })],
			returns: [
				{
					Id,
					FileName: `photo-${String(desk.rows('Document')[0].ActorId)}.png`,
					MimeType: 'image/png',
					FileSize: 70,
				},
			],
		};
	},

	'note:create': () => {
		const { Id } = orderIn('New');
		return {
			parameters: {
				workOrder: byId(Id),
				body: 'Parts are ordered',
				type: 'Private',
				options: { author: 'Ada' },
			},
			sends: [
				written('POST', 'WoNote', {
					Entity: { WorkOrderId: Id, Body: 'Ada: Parts are ordered', NoteTypeId: 'Private' },
				}),
			],
			returns: [has({ EntityType: 'WoNote', Id: some(Number) })],
		};
	},

	'space:create': () => {
		const customer = firstId('Customer');
		return {
			parameters: {
				customer: byId(customer),
				unitName: 'Suite 900',
				unitFloorPlan: 'Standard Unit',
				startDate: '2026-02-01T00:00:00',
				additionalFields: { instructions: 'Ring twice' },
			},
			sends: [
				command('SpaceCreateCommand', {
					CustomerId: String(customer),
					StartDate: '2026-02-01T00:00:00',
					Instructions: 'Ring twice',
					IfUnitAlreadyExists: 'Reuse',
					NewUnitSpecifier: { UnitName: 'Suite 900', UnitFloorPlan: 'Standard Unit' },
				}),
			],
			returns: [has({ CustomerId: customer, StatusId: 'Current', Asset: { Id: some(Number) } })],
		};
	},

	'invoice:changeApStatus': () => {
		const { Id, ConcurrencyId } = desk.rows('WorkOrderCost')[0];
		return {
			parameters: {
				id: byId(Id),
				apStatus: byId(5),
				additionalFields: {
					comment: 'as agreed',
					expectedConcurrencyId: ConcurrencyId as number,
					keepCommentIntact: false,
				},
			},
			sends: [
				command('ApStatusChangeCommand', {
					WorkOrderid: Id,
					VendorInvoiceStatusId: 5,
					FinancialConcurrencyId: ConcurrencyId,
					KeepCommentIntact: false,
					Comment: 'as agreed',
				}),
			],
			returns: [has({ Id, ApStatusId: 5, ApStateId: 'Authorized' })],
		};
	},

	'invoice:changeCostStatus': () => {
		const { Id } = desk.rows('WorkOrderCost')[0];
		return {
			parameters: {
				id: byId(Id),
				costStatus: byId(3),
				additionalFields: { expectedStatus: byId(1) },
			},
			sends: [
				command('CostStatusChangeCommand', {
					WorkOrderId: Id,
					CostStatusId: 3,
					CurrentStatusId: 1,
				}),
			],
			returns: [has({ Id, CostStatusId: 3, CostState: 'Approved' })],
		};
	},

	'invoice:submitPayment': () => {
		const { Id } = desk.rows('WorkOrderCost')[0];
		return {
			parameters: {
				id: byId(Id),
				apStatus: byId(3),
				paymentAmount: { money: { value: 120.5, currency: 'USD' } },
				checkNumber: '0815',
				checkCutDate: '2026-02-01',
			},
			sends: [
				command('ApSubmitPaymentCommand', {
					WorkOrderId: Id,
					VendorInvoiceStatusId: 3,
					PaymentAmount: { Value: 120.5, CurrencyTypeId: 'USD' },
					CheckNumber: '0815',
					CheckCutDate: '2026-02-01T00:00:00',
				}),
			],
			returns: [has({ Id, ApStateId: 'Paid', CheckNumber: '0815' })],
		};
	},

	'workOrder:addFlag': () => {
		const flags = desk
			.rows('WoActionReasonLookup')
			.filter(({ ActionId }) => ActionId === 'Attention')
			.map(({ Id }) => Id)
			.slice(0, 2);
		return action(
			'New',
			'WoSetFlagsCommand',
			{
				form: { flags: { values: flags.map((flag) => ({ flag: byId(flag) })) } },
				sent: { FlagsToSet: flags },
			},
			{ FlagId: flags[1] },
		)();
	},
	'workOrder:assign': () => {
		const [first, second] = desk.rows('Employee').map(({ Id }) => Id);
		return action(
			'New',
			'WoAssignCommand',
			{
				form: {
					assignees: { values: [{ employee: byId(first) }, { employee: byId(second) }] },
					mode: 'Snapshot',
				},
				sent: { Assignees: [first, second], Mode: 'Snapshot' },
			},
			{ Employee: { Id: first } },
		)();
	},
	'workOrder:cancel': () => {
		const reason = reasonFor('Cancel');
		return action(
			'Open',
			'WoCancelCommand',
			{
				form: { reason: byId(reason), additionalFields: { comment: 'not needed' } },
				sent: { ActionReasonId: reason, Comment: 'not needed' },
			},
			{ StatusId: 'Cancelled' },
		)();
	},
	'workOrder:clearFlags': () => {
		const [flag, other] = desk
			.rows('WoActionReasonLookup')
			.filter(({ ActionId }) => ActionId === 'Attention')
			.map(({ Id }) => Id);
		return action(
			'New',
			'WoClearFlagsCommand',
			{
				form: { flags: { values: [{ flag: byId(flag) }, { flag: byId(`${other},${flag}`) }] } },
				sent: { FlagsToClear: [flag, other] },
			},
			{},
		)();
	},
	'workOrder:complete': () => {
		const code = firstId('RepairCode');
		return action(
			'InProgress',
			'WoCompleteCommand',
			{
				form: {
					additionalFields: {
						repairCode: byId(code),
						completionNoteOption: 'Replace',
						comment: 'fixed',
						actionDate: '2026-02-01T10:00:00',
					},
				},
				sent: {
					ActionDate: '2026-02-01T10:00:00',
					Comment: 'fixed',
					CompletionNoteOption: 'Replace',
					RepairCodeId: code,
				},
			},
			{ StatusId: 'Completed', RepairCode: { Id: code } },
		)();
	},
	'workOrder:copy': () => {
		const { Id } = orderIn('Completed');
		return {
			parameters: { id: byId(Id) },
			sends: [command('WoCopyCommand', { WorkOrderId: Id })],
			returns: [has({ StatusId: 'New', Number: some(String) })],
		};
	},
	'workOrder:create': () => {
		const { Customer, MainAsset } = orderIn('New') as unknown as Record<string, { Id: number }>;
		const task = firstId('Task');
		const contact = firstId('Contact');
		return {
			parameters: {
				typeCategory: 'Request',
				subType: byId(24),
				customer: byId(Customer.Id),
				contact: byId(contact),
				items: {
					values: [{ asset: byId(MainAsset.Id), task: byId(task), comment: 'drips' }],
				},
				computeSchedule: false,
				additionalFields: { poNumber: 'PO-1', externalNumber: 'T-1' },
			},
			sends: [
				command('WoCreateCommand', {
					WorkOrder: {
						TypeCategory: 4,
						SubType: { Id: 24 },
						Customer: { Id: Customer.Id },
						Contactid: contact,
						RequestorContact: { Id: contact },
						Items: [{ Asset: { Id: MainAsset.Id }, Task: { Id: task }, Comment: 'drips' }],
						PoNumber: 'PO-1',
					},
					ComputeSchedule: false,
					ExternalNumber: 'T-1',
				}),
			],
			returns: [has({ Number: some(String), StatusId: 'New', PoNumber: 'PO-1' })],
		};
	},
	'workOrder:upsert': () => {
		const { Id, Number: number } = orderIn('New');
		desk.change('WoLastAction', Id, { XNumber: 'T-1' });
		return {
			parameters: {
				externalNumber: 'T-1',
				additionalFields: { poNumber: 'PO-9' },
				options: { updateOnly: 'skip' },
			},
			sends: [
				search('WorkOrder', {
					PropertySet: {
						Properties: ['Id', 'ConcurrencyId', 'PoNumber', 'LastAction.XNumber', 'Number'],
					},
					Criteria: {
						FilterOperator: 'And',
						Conditions: [{ PropertyName: 'LastAction.XNumber', Operator: 'In', Values: ['T-1'] }],
					},
					Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
					Count: 4000,
					FirstResultIndex: 0,
				}),
				written('PUT', 'WorkOrder', {
					Properties: ['PoNumber'],
					Entity: { Id, ConcurrencyId: some(Number), PoNumber: 'PO-9' },
				}),
			],
			returns: [has({ Id, Number: number, Outcome: 'updated', Changed: ['PoNumber'] })],
		};
	},
	...Object.fromEntries(
		Object.entries({
			getEstimates: ['WoEstimate', 'WorkOrderId', 'Amount'],
			getQuotes: ['WoQuote', 'WoId', 'Description'],
		}).map(([name, [entity, of, member]]) => [
			`workOrder:${name}`,
			(): Case => {
				const { [of]: order } = desk.rows(entity)[0];
				return {
					parameters: { id: byId(order) },
					sends: [
						search(entity, {
							PropertySet: { Properties: some(Array) },
							Criteria: {
								FilterOperator: 'Or',
								Conditions: [{ PropertyName: of, Operator: 'In', Values: [order] }],
							},
							Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
							Count: 4000,
							FirstResultIndex: 0,
						}),
					],
					returns: desk.sandbox.store
						.children(entity, of, order)
						.map(({ Id, [member]: value }) => has({ Id, [member]: value })),
				};
			},
		]),
	),
	'workOrder:getDetails': () => {
		const { Id, Number: number } = orderIn('OnHold');
		const by = (entity: string) => ({
			method: 'POST' as const,
			path: `/api/v1/query/${entity}`,
			body: some(Object),
		});
		return {
			parameters: { id: byId(Id) },
			sends: [by('WorkOrder')],
			returns: [
				has({
					Id,
					Number: number,
					IsOpen: true,
					Items: [has({ Asset: has({ Name: some(String), Attributes: some(Object) }) })],
					Assignments: [
						{ Employee: { Id: some(Number), DisplayAs: some(String) }, IsPrimary: true },
					],
				}),
			],
		};
	},
	'workOrder:getChanges': () => {
		const until = '2026-01-31T17:30:00';
		const log = desk.sandbox.store.rows('WoActionLog').filter(({ TypeId }) => TypeId === 'Cancel');
		const where = (PropertyName: string, Operator: string, value: unknown) => ({
			FilterOperator: 'And',
			Conditions: [{ PropertyName, Operator, Values: [value] }],
		});
		return {
			parameters: { event: 'workOrderAction', actionTypes: ['Cancel'], from: '2000-01-01', until },
			sends: [
				search('WoActionLog', {
					PropertySet: { Properties: ['*', 'Actor.Id', 'Actor.TypeId', 'Actor.DisplayAs'] },
					Criteria: {
						FilterOperator: 'And',
						Filters: [
							{
								FilterOperator: 'And',
								Filters: [
									where('TypeId', 'In', 'Cancel'),
									where('SystemDateUtc', 'LessThan', '2026-01-31T17:30:01'),
								],
							},
							where('SystemDateUtc', 'GreaterOrEqual', '2000-01-01T00:00:00'),
						],
					},
					Orders: ['SystemDateUtc', 'Id'].map((PropertyName) => ({
						PropertyName,
						OrderType: 'Ascending',
					})),
					Count: 4000,
					FirstResultIndex: 0,
				}),
				{
					method: 'POST',
					path: '/api/v1/query/WorkOrder',
					body: { QueryExpression: has({ Count: log.length }) },
				},
			],
			returns: log.map(({ Id, WorkOrderId }) =>
				has({ Id, WorkOrder: has({ Id: WorkOrderId }), ChangeKey: some(String) }),
			),
		};
	},
	'workOrder:getHistory': () => {
		const { Id } = orderIn('Cancelled');
		const reason = reasonFor('Cancel');
		const log = desk.sandbox.store.children('WoActionLog', 'WorkOrderId', Id);
		return {
			parameters: { id: byId(Id), after: '2000-01-01T00:00:00' },
			sends: [
				search('WoActionLog', {
					PropertySet: { Properties: some(Array) },
					Criteria: {
						FilterOperator: 'And',
						Filters: [
							{
								FilterOperator: 'Or',
								Conditions: [{ PropertyName: 'WorkOrderId', Operator: 'In', Values: [Id] }],
							},
							{
								FilterOperator: 'And',
								Conditions: [
									{
										PropertyName: 'SystemDateUtc',
										Operator: 'GreaterThan',
										Values: ['2000-01-01T00:00:00'],
									},
								],
							},
						],
					},
					Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
					Count: 4000,
					FirstResultIndex: 0,
				}),
				search('WoActionLogProp', {
					PropertySet: {
						Properties: ['Id', 'WoActionLogId', 'TypeId', 'ValueInt', 'ValueStr'],
					},
					Criteria: {
						FilterOperator: 'Or',
						Conditions: [
							{ PropertyName: 'WoActionLogId', Operator: 'In', Values: log.map((one) => one.Id) },
						],
					},
					Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
					Count: 4000,
					FirstResultIndex: 0,
				}),
				{
					method: 'POST',
					path: '/api/v1/query/WoActionReasonLookup',
					body: { QueryExpression: has({ PropertySet: { Properties: ['Id', 'DisplayAs'] } }) },
				},
			],
			returns: log.map(({ TypeId, ActionReasonId }) =>
				has({
					WorkOrderId: Id,
					TypeId,
					Actor: has({ DisplayAs: 'Dispatcher' }),
					...(ActionReasonId ? { Reason: { Id: reason, DisplayAs: some(String) } } : {}),
					Details: TypeId === 'Cancel' ? [has({ TypeId: 'PrevWoStatus', Value: 'New' })] : [],
				}),
			),
		};
	},
	'workOrder:hold': () => {
		const reason = reasonFor('OnHold');
		return action(
			'InProgress',
			'WoOnHoldCommand',
			{ form: { reason: byId(reason) }, sent: { ActionReasonId: reason } },
			{ StatusId: 'OnHold' },
		)();
	},
	'workOrder:pause': action('InProgress', 'WoPauseCommand', {}, { StatusId: 'Paused' }),
	'workOrder:pickUp': action(
		'New',
		'WoPickUpCommand',
		{ form: { additionalFields: { expectedStatus: 'New' } }, sent: { StatusId: 'New' } },
		{ StatusId: 'Open' },
	),
	'workOrder:previewSchedule': () => {
		const everything = {
			Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
			Count: 4000,
			FirstResultIndex: 0,
		};
		const { Asset, Task } = desk.rows('WoItem')[0] as unknown as Record<string, Row>;
		return {
			parameters: {
				subType: byId(24),
				customer: byId(101),
				items: { values: [{ asset: byId(Asset.Id), task: byId(Task.Id) }] },
				additionalFields: { scheduledStart: '2031-02-03T04:05:06' },
			},
			sends: [
				readCommand('WoScheduleRoutine', {
					WorkOrder: {
						TypeCategory: 4,
						SubType: { Id: 24 },
						Customer: { Id: 101 },
						Items: [{ Asset: { Id: Asset.Id }, Task: { Id: Task.Id } }],
						DtScheduledStart: '2031-02-03T04:05:06',
					},
				}),
				...['WoPriority', 'Specialty', 'WorkZone'].map((entity) =>
					search(entity, { ...everything, PropertySet: { Properties: ['Id', 'DisplayAs'] } }),
				),
			],
			returns: [
				has({
					ScheduledStart: '2031-02-03T04:05:06',
					AcknowledgeBy: some(String),
					AcknowledgeByUtc: some(String),
					TimeZone: 'America/New_York',
					Priority: has({ DisplayAs: some(String) }),
					WorkZone: {
						Id: 11,
						DisplayAs: desk.rows('WorkZone').find(({ Id }) => Id === 11)?.DisplayAs,
					},
				}),
			],
		};
	},
	'workOrder:print': () => {
		const { Id, Number: number } = orderIn('New');
		return {
			parameters: {
				id: byId(Id),
				additionalFields: { printoutTemplate: byId(1), languageId: 2 },
			},
			sends: [
				readCommand('CreateWoPrintoutCommand', {
					WorkOrderId: Id,
					LanguageId: 2,
					PrintoutTemplateId: 1,
				}),
			],
			returns: [
				{
					Id,
					FileName: `${String(number)}.pdf`,
					MimeType: 'application/pdf',
					FileSize: some(Number),
				},
			],
		};
	},
	'workOrder:recall': () => {
		const order = sentOrder();
		return action('New', 'WoRecallCommand', {}, { Id: order.Id })();
	},
	'workOrder:reopen': action('Cancelled', 'WoReopenCommand', {}, { StatusId: 'New' }),
	'workOrder:send': () =>
		action(
			'New',
			'SendWorkOrderCommand',
			{
				form: { additionalFields: { sendTo: 'desk@example.org', requestQuote: true } },
				sent: { SendTo: 'desk@example.org', RequestQuote: true },
			},
			{},
		)(),
	'workOrder:sendMessage': () => {
		const order = sentOrder();
		return action(
			'New',
			'WoMessageCommand',
			{ form: { message: 'Gate code 1234' }, sent: { Comment: 'Gate code 1234' } },
			{ Id: order.Id },
		)();
	},
	'workOrder:setNte': () => {
		const { Id } = orderIn('New');
		const nte = (value: number, currency: string) => ({ money: { value, currency } });
		return {
			parameters: { id: byId(Id), vendorNte: nte(300.5, 'USD'), customerNte: nte(400, 'EUR') },
			sends: [
				written('PUT', 'WorkOrder', {
					Properties: ['VendorNte', 'WorkOrderCost.CustomerNte'],
					Entity: {
						Id,
						VendorNte: { Value: 300.5, CurrencyTypeId: 'USD' },
						WorkOrderCost: { CustomerNte: { Value: 400, CurrencyTypeId: 'EUR' } },
					},
				}),
			],
			returns: [has({ EntityType: 'WorkOrder', Id })],
		};
	},
	'workOrder:start': action('Open', 'WoStartCommand', {}, { StatusId: 'InProgress' }),
	'workOrder:suggestAssignees': () => {
		const { Id, Number: number, Customer, WorkZone } = orderIn('New');
		return {
			parameters: { workOrder: byId(Id), specialty: byId(2), maxSuggestions: 3 },
			sends: [
				search('WorkOrder', {
					PropertySet: {
						Properties: [
							...['Id', 'Number', 'Specialty.Id', 'WorkZone.Id', 'Customer.Id', 'Address.Zip'],
							'Address.Country',
						],
					},
					Criteria: {
						FilterOperator: 'Or',
						Conditions: [{ PropertyName: 'Id', Operator: 'In', Values: [Id] }],
					},
					Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
					Count: 1,
					FirstResultIndex: 0,
				}),
				readCommand('GetPreferredAssigneesRoutine', {
					SpecialtyId: 2,
					WorkZoneId: (WorkZone as Row).Id,
					CustomerId: (Customer as Row).Id,
					RecordCount: 3,
					UpdateRoundRobin: false,
				}),
			],
			returns: [1, 2, 3].map((Rank) =>
				has({
					Rank,
					Id: some(Number),
					DisplayAs: some(String),
					ActorType: some(String),
					WorkOrder: { Id, Number: number },
				}),
			),
		};
	},
	'workOrder:verify': () => {
		const { Id } = orderIn('Completed');
		return {
			parameters: { id: byId(Id), rating: 'Negative', comment: 'still drips' },
			sends: [
				command('VerifyWorkCommand', {
					WorkOrderId: Id,
					WoRatingId: 'Negative',
					Comment: 'still drips',
				}),
			],
			returns: [has({ WorkOrderId: Id, WoRatingId: 'Negative', Comment: 'still drips' })],
		};
	},
};

const wireOf = ({ method, path, query, body }: RecordedRequest): Sent => ({
	method: method as Sent['method'],
	path,
	...(Object.keys(query).length > 0 ? { query } : {}),
	...(body === undefined ? {} : { body }),
});

const namesARequest = ({ body }: Sent) => JSON.stringify(body ?? {}).includes(REQUEST_ID);

it.each(Object.keys(cases))('%s', async (name) => {
	const { parameters, item, sends, returns } = cases[name]();
	const options = {
		...(parameters.options as INodeParameters | undefined),
		...(sends.some(namesARequest) ? { advanced: { requestId: REQUEST_ID } } : {}),
	};
	const run = await desk.run(
		name,
		{ ...parameters, options },
		item === undefined ? {} : { items: [item] },
	);

	expect(run.error).toBeUndefined();
	expect(desk.sent().map(wireOf)).toEqual(sends);
	for (const { headers } of desk.sent()) {
		expect(headers).toMatchObject({
			authorization: `Bearer ${String(desk.stored().accessToken)}`,
			companyname: 'Sandbox Facilities',
		});
	}
	expect(jsonOf(run.items)).toEqual(returns);
	expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(returns.map(() => ({ item: 0 })));
});

/** Decides by the documentation of the service, independently of the node. */
const isWrite = ({ method, path }: Pick<Sent, 'method' | 'path'>) =>
	method !== 'GET' &&
	!path.includes('/query/') &&
	getCommand(path.split('/').at(-1) ?? '')?.reads !== true;

const writesSent = () =>
	desk.sandbox.requests.filter(
		(request) => request.server === 'api' && isWrite(wireOf(request) as Sent),
	);

describe('a dry run', () => {
	const ORDER = [
		'Outcome',
		'Changed',
		'NotRestored',
		'AlreadyExisted',
		'Summary',
		'WouldChange',
		'Then',
		'ConfirmationKey',
		'WouldSend',
	];

	const dry = async (
		name: string,
		more: Parameters<Desk['run']>[2] = {},
		options = {},
		form: INodeParameters = {},
	) => {
		const { parameters, item, sends } = cases[name]();
		const wanted = {
			...(parameters.options as INodeParameters | undefined),
			advanced: { requestId: REQUEST_ID },
			dryRun: 'always',
			...options,
		};
		const count = more.items?.length ?? 1;
		const run = await desk.run(
			name,
			{ ...parameters, ...form, options: wanted },
			{ ...more, items: Array.from({ length: count }, () => item ?? { json: {} }) },
		);
		return { run, sends };
	};

	it.each(Object.keys(cases))('of %s writes nothing, and says what would be sent', async (name) => {
		const { run, sends } = await dry(name);
		expect(run.error).toBeUndefined();
		expect(writesSent()).toEqual([]);
		const told = sends.filter(isWrite).map(({ method, path, query, body }) => ({
			WouldSend: has({
				method,
				path: query === undefined ? path : `${path}?${new URLSearchParams(query)}`,
				...(body === undefined ? {} : { body }),
			}),
		}));
		if (told.length === 0) {
			expect(run.items.some(({ json }) => 'WouldSend' in json)).toBe(false);
			return;
		}
		const [first, ...then] = told;
		expect(jsonOf(run.items)).toEqual([
			has({ ...first, ...(then.length > 0 ? { Then: then.map(has) } : {}) }),
		]);
		expect(run.items[0].pairedItem).toEqual({ item: 0 });
		const [{ Then = [], ...whole }] = jsonOf(run.items);
		expect(Object.keys(run.items[0].json)).toEqual(
			ORDER.filter((part) => part in run.items[0].json),
		);
		for (const step of [whole, ...(Then as IDataObject[])]) {
			expect(step.Outcome).toMatch(/^would(Create|Delete|Run|Update)$/);
			expect(step.Summary).toMatch(/^Would [a-z]+ \S[^\n]{1,400}$/);
			expect(step.Summary).not.toMatch(/undefined|null|NaN|\[object|[a-z][A-Z]|\{/);
		}
	});

	it('lets no write leave, whatever else is asked for', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					name: fc.constantFrom(...Object.keys(cases)),
					count: fc.integer({ min: 1, max: 3 }),
					onError: fc.constantFrom<OnError[]>('stopWorkflow', 'continueErrorOutput'),
					retryOnFail: fc.boolean(),
					faulty: fc.boolean(),
					options: fc.record(
						{
							dryRun: fc.constantFrom('always', 'manual'),
							parallelRequests: fc.integer({ min: 1, max: 4 }),
							returnRecord: fc.boolean(),
							ignoreMissing: fc.boolean(),
							skipIfExternalNumberExists: fc.boolean(),
						},
						{ requiredKeys: ['dryRun'] },
					),
					output: fc.constantFrom('simplified', 'raw'),
				}),
				async ({ name, count, onError, retryOnFail, faulty, options, output }) => {
					desk.fresh();
					if (faulty) desk.sandbox.fault({ match: { server: 'api' }, kind: 'status', status: 400 });
					const items = Array.from({ length: count }, () => ({ json: {} }));
					const settings = { retryOnFail, maxTries: 2, waitBetweenTries: 1 };
					await dry(name, { items, onError, settings }, options, { output });
					expect(writesSent()).toEqual([]);
				},
			),
			{ numRuns: drawn(25, 150) },
		);
	});
});

describe('a credential that is read only', () => {
	beforeEach(() => desk.store({ access: 'readOnly' }));
	afterEach(() => desk.store({ access: 'full' }));

	it.each(Object.keys(cases))('lets %s read, but not write', async (name) => {
		const { parameters, item, sends, returns } = cases[name]();
		const run = await desk.run(name, parameters, item === undefined ? {} : { items: [item] });
		expect(writesSent()).toEqual([]);
		if (sends.some(isWrite)) {
			expect(run.error?.message).toMatch(
				/'Access' of the Corrigo credential is Read Only, but (POST|PUT|DELETE) \S+ could write$/,
			);
			expect(run.error?.description).toMatch(/^Nothing was sent\./);
			expect(run.error?.context).toMatchObject({ mayHaveRun: false });
		} else {
			expect(run.error).toBeUndefined();
			expect(jsonOf(run.items)).toEqual(returns);
		}
	});
});

const WRITING = resources.flatMap(({ value, operations }) =>
	operations
		.filter((operation) => !('all' in operation || operation.reads))
		.map((operation) => `${value}:${operation.value}`),
);

describe.each(['confirmationKey', 'dryRun', 'maxItems'])('the option %s', (option) => {
	it('is offered by every operation that writes, and by no other', () => {
		const offering = resources.flatMap(({ value, operations }) =>
			operations
				.filter(({ fields }) =>
					fields.some(
						({ name, options = [] }) =>
							name === 'options' && options.some((one) => one.name === option),
					),
				)
				.map((operation) => `${value}:${operation.value}`),
		);
		const sending = Object.keys(cases).filter((name) => cases[name]().sends.some(isWrite));
		expect(new Set(offering)).toEqual(new Set([...WRITING, ...sending]));
	});
});

it.each(WRITING)('%s sends nothing where more items come in than Maximum Items', async (name) => {
	const { parameters, item = { json: {} } } = cases[name]();
	const run = await desk.run(
		name,
		{ ...parameters, options: { ...(parameters.options as INodeParameters), maxItems: 2 } },
		{ items: [item, item, item], onError: 'continueErrorOutput' },
	);
	const error = "There are 3 items, but 'Maximum Items' is 2: nothing was written";
	expect(run.errorItems.map(({ json }) => json.error)).toEqual([error, error, error]);
	expect(run.items).toEqual([]);
	expect(desk.sent()).toEqual([]);
});

it.each(WRITING)('%s writes with a confirmation key what it writes without', async (name) => {
	const { parameters, item = { json: {} } } = cases[name]();
	const runWith = async (options: INodeParameters) => {
		desk.fresh();
		cases[name]();
		desk.sandbox.forgetRequests();
		const advanced = { requestId: REQUEST_ID };
		const all = { ...(parameters.options as INodeParameters), advanced, ...options };
		const run = await desk.run(name, { ...parameters, options: all }, { items: [item] });
		const written = writesSent().map(({ method, path, body }) => ({ method, path, body }));
		const error = run.error?.message;
		return { keys: run.items.map(({ json }) => json.ConfirmationKey), error, written };
	};
	const plain = await runWith({});
	const [key] = (await runWith({ dryRun: 'always' })).keys;
	// A command that only reads has none.
	expect(await runWith(key === undefined ? {} : { confirmationKey: key as string })).toEqual(plain);
	expect(plain.written.length > 0).toBe(key !== undefined);
});

it('leaves no operation out', () => {
	const all = resources.flatMap(({ value, operations }) =>
		operations.map((operation) => `${value}:${operation.value}`),
	);
	expect(Object.keys(cases).sort()).toEqual(all.sort());
});
