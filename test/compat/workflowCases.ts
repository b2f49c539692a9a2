/** The input of the examples that need some. */
import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { Row, Store } from '../../sandbox';
import type { Answers, Step } from './saved';

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
	const done = store.rows('WorkOrder').find(({ StatusId }) => StatusId === 'Completed') as Row;
	const [offered] = store.rows('WoQuote');
	const received = { ApStateId: 'Received', ApStatusId: 2 };
	const invoice = { ...received, VendorInvoiceTotal: { CurrencyTypeId: 'USD', Value: 100 } };
	const site = 'Contoso Pharmacy';
	const equipment = 'Water Heater';
	const problem = { site, equipment, task: 'No hot water' };
	const ticket = { ...problem, text: 'Cold since Monday' };
	const person = { 'Your name': 'Ava Brown', 'Phone or email': '+1 555 0100' };
	const rows = `Tenant code,Instructions\n${String(customer.TenantCode)},Ring twice`;
	return {
		'ask-what-is-open': { asks: { site: 'Contoso' } },
		'building-of-a-work-zone': {
			json: { 'Work zone': 'Chicago Loop', Building: 'Annex', Street: '12 Main Street' },
		},
		'completed-orders-to-accounting': { json: { Id: order.Id, ChangeKey: 'WoActionLog 1' } },
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
		'failed-items-in-a-table': {
			json: {
				body: {
					tickets: [
						{ ticket: 'T-4', ...ticket },
						{ ticket: 'T-5', ...ticket, site: 'Nowhere', text: '' },
					],
				},
			},
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
		'servicenow-incidents-in-step': {
			answers: {
				rows: [
					{
						sys_id: '1',
						number: 'INC0010023',
						state: '1',
						assignment_group: 'Facilities',
						short_description: 'Cold since Monday',
						location: site,
						cmdb_ci: equipment,
						subcategory: 'No hot water',
						caller_id: 'Ava Brown',
					},
				],
			},
		},
		'ticket-to-work-order': {
			json: { body: { ticket: 'T-2', ...ticket, zone: 'Midtown Manhattan', priority: 'High' } },
		},
		'tickets-and-work-orders-in-step': {
			json: { body: { ticket: 'T-3', ...ticket, poNumber: 'PO-1', contact: 'Ava' } },
		},
		'triage-of-requests': {
			json: { 'What is wrong, and where?': 'The pharmacy has no hot water', ...person },
			answers: {
				reply: true,
				understood: { ...problem, summary: 'No hot water', urgent: false },
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
		'quote-approval-by-message': {
			json: { Id: Number(offered.WoId), Number: 'CHL1' },
			before: [['change', 'WoQuote', offered.Id, { StatusId: 'WaitingForApproval' }]],
			answers: { reply: true },
		},
		'vendor-invoices-to-accounting': {
			before: [['change', 'WorkOrderCost', other.Id, { ApStateId: 'Authorized', ApStatusId: 5 }]],
		},
		'waiting-for-a-status': {
			json: { body: { ticket: 'T-1', ...ticket } },
			before: [['change', 'WoLastAction', done.Id, { XNumber: 'T-1' }]],
		},
	};
}
