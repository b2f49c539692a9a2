/**
 * Each start of each example on data with gaps, and while Corrigo refuses or is down: what a person,
 * a page or a table gets then. The end-to-end suite does so for the copy in PostgreSQL and for tools.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DateTime } from 'luxon';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import { CorrigoWebhookTrigger } from '../../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import type { Sandbox } from '../../../sandbox';
import { cases } from '../../cases';
import { connectEngine, shareCompany, withShortPauses } from '../../support/company';
import { typeOfNode } from '../../support/nodes';
import { outside, runnable, otherNodes, type WorkflowFile } from '../../support/otherNodes';
import type { Run } from '../../support/run';

const company = shareCompany({ workOrders: 60, until: Date.now() });

const folder = join(__dirname, '..', '..', '..', 'examples');
const readExample = (file: string) =>
	JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as WorkflowFile;

/**
 * Chats and servers of tools need an agent or a client; their tools are tried in the end-to-end suite.
 * A push returns what a poll of the same example returns.
 */
const isStart = ({ type }: INode) =>
	/(Trigger|\.webhook|\.emailReadImap)$/.test(type) &&
	!/\.(mcp|chat|corrigoWebhook)Trigger$/.test(type);
const files = readdirSync(folder).flatMap((file) => /(.+)\.json$/.exec(file)?.[1] ?? []);
const starts = files
	.filter((file) => file !== 'corrigo-in-postgresql')
	.flatMap((file) =>
		readExample(file)
			.nodes.filter(isStart)
			.map((node) => ({ start: `${file}: ${node.name}`, file, node })),
	);

const ticket = {
	...{ ticket: 'T-4711', site: 'Contoso Pharmacy', zone: 'Midtown Manhattan', priority: 'High' },
	...{ equipment: 'Water Heater', task: 'No hot water', text: 'Cold since Monday' },
	...{ poNumber: 'PO-1', contact: 'Ava' },
};

/** Items that come from outside; triggers of Corrigo return their own. */
const INPUT: Record<string, IDataObject | undefined> = {
	'building-of-a-work-zone: Building form': {
		...{ 'Work zone': 'Chicago Loop', Building: 'Annex', Street: '1 Main Street' },
		...{ City: 'Chicago', State: 'IL', ZIP: '60601', Country: 'US' },
	},
	'failed-items-in-a-table: New tickets': { body: { tickets: [ticket] } },
	'mail-approval-to-work-order: One mail': {
		...{ from: { value: [{ address: '', name: 'Ava' }] }, headers: {} },
		...{ subject: 'Water', text: 'Since this morning', messageId: '<1@tenant.example>' },
	},
	'mail-to-work-order: Mail': {
		...{ from: { value: [{ address: 'ava@elsewhere.example', name: 'Ava' }] }, headers: {} },
		...{ subject: 'Water', text: 'Since this morning', messageId: '<1@elsewhere.example>' },
	},
	'photo-to-work-order: Photo form': { 'What does it show?': 'Ceiling' },
	'request-form-to-work-order: Request form': {
		...{ Site: 'Contoso Pharmacy', Problem: 'Water Heater: No hot water', 'Your name': 'Ava' },
		...{ 'What is wrong?': 'Cold', 'Phone or email': '1', submittedAt: '2026-03-02T09:00:00Z' },
	},
	'sensor-alarms-to-one-work-order: Alarms': {
		body: { alarms: [{ tag: 'TAG10032', fault: 'No hot water', message: '12 °C' }] },
	},
	...Object.fromEntries(
		['Create', 'Update', 'Cancel'].map((flow) => [
			`servicenow-workplace-cases: ${flow} requested`,
			{
				body: {
					...{ number: 'WCASE0001207', workplace_location: 'Contoso Pharmacy' },
					...{ short_description: 'Too cold', requested_for: 'Ava', comment: 'Any news?' },
				},
			},
		]),
	),
	'ticket-to-work-order: New ticket': { body: ticket },
	'tickets-and-work-orders-in-step: Ticket changed': { body: ticket },
	'triage-of-requests: Request form': {
		...{ 'What is wrong, and where?': 'No hot water', 'Your name': 'Ava', 'Phone or email': '1' },
	},
	'vendor-invoices-to-accounting: Payments': {
		body: { payments: [{ amount: 1, currency: 'USD', date: '2026-03-31', check: '1' }] },
	},
	'waiting-for-a-status: New ticket': { body: ticket },
};

const CUSTOMERS = [
	'Tenant code,Name,DBA,Work zone,Tax exempt,Instructions',
	'T1000,,,,,Ring twice',
	'NEW-1,New one,,Chicago Loop,no,',
].join('\n');

const EMPLOYEES = [
	'Employee number,First name,Last name,Job title,Username,Role',
	'E100,,,Lead,,',
	'NEW-1,New,One,,new.one,Technician',
].join('\n');

const toFile = (fileName: string, mimeType: string, text: string) => ({
	...{ fileName, mimeType, data: Buffer.from(text).toString('base64') },
});

const INCIDENT = {
	...{ sys_id: '1', number: 'INC0010023', state: '1', assignment_group: 'Facilities' },
	...{ short_description: 'No hot water', description: 'Cold', location: 'Contoso Pharmacy' },
	...{ cmdb_ci: 'Water Heater', subcategory: 'No hot water', caller_id: 'Ava', correlation_id: '' },
};
const CASE = { sys_id: '1', number: 'WCASE0001207', state: '1' };

const store = () => company.sandbox.store;
const LONG_AGO = '2001-01-01T00:00:00';

const SAID = 'Not today';
const refusal = {
	...{ kind: 'status' as const, status: 400, times: 999 },
	body: { ErrorCode: 'BUSINESS_LOGIC_ERROR', ErrorMessage: SAID },
};
const writes = ['/base/', '/cmd/'].flatMap((pathIncludes) =>
	['POST', 'PUT', 'DELETE'].map((method) => ({ server: 'api' as const, pathIncludes, method })),
);
type Fault = Parameters<Sandbox['fault']>[0];
const TROUBLES: Record<string, { faults: Fault[]; words: string }> = {
	'refuses everything': { faults: [{ ...refusal, match: { server: 'api' } }], words: SAID },
	'refuses what is written': {
		faults: writes.map((match) => ({ ...refusal, match })),
		words: SAID,
	},
	'is down': {
		faults: [{ match: { server: 'api' }, kind: 'status', status: 503, times: 999 }],
		words: 'Corrigo is not available right now',
	},
	'takes no connection': {
		faults: [{ match: { server: 'api' }, kind: 'resetBefore', times: 999 }],
		words: 'connection',
	},
};

/** Starts that report what went wrong; all others fail, so that n8n shows it and can run them again. */
const always = Object.keys(TROUBLES);
const REPORTS: Record<string, string[] | undefined> = {
	'customers-from-a-file: Customer file form': always,
	'escalate-before-a-deadline: Emergency due soon': always,
	'failed-items-in-a-table: New tickets': always,
	'mail-approval-to-work-order: One mail': always,
	'mail-to-work-order: Mail': always.filter((trouble) => trouble !== 'refuses what is written'),
	'servicenow-incidents-in-step: Every five minutes': always,
	'servicenow-workplace-cases: Create requested': always,
	'servicenow-workplace-cases: Update requested': always,
	'servicenow-workplace-cases: Cancel requested': always,
	'vendor-invoices-to-accounting: Payments': always,
	// After a person has decided, or a figure has.
	'employees-from-an-hr-file: HR file form': ['refuses what is written'],
	'quote-approval-by-message: Quote submitted': ['refuses what is written'],
	'triage-of-requests: Request form': ['refuses what is written'],
	'vendor-invoice-approval: Invoice status changed': ['refuses what is written'],
	'vendor-invoice-approval-by-message: Invoice status changed': ['refuses what is written'],
	'vendor-invoices-to-accounting: Every night': ['refuses what is written'],
};

interface Shown {
	run: Run;
	/** Texts for a chat or a mail. */
	messages: string[];
	/** Texts that people get: messages, pages, mails. */
	texts: string[];
	/** Rows of tables of n8n or of another system. */
	rows: string;
	/** Answers of Corrigo that were no success. */
	troubles: number;
}

/** Runs an example from a start, on the data that there is. */
async function runFrom({ start, file, node }: (typeof starts)[number], faults: Fault[]) {
	const { sandbox } = company;
	const engine = connectEngine(sandbox, {
		corrigo: Corrigo,
		corrigoTrigger: CorrigoTrigger,
		corrigoWebhookTrigger: CorrigoWebhookTrigger,
		...otherNodes,
	});
	outside.reset();
	outside.reply = true;
	outside.answers = { 'Go ahead?': 'Yes' };
	if (start.endsWith('One mail')) outside.decisions = [{ Decision: 'Approve' }];
	outside.understood = {
		...{ site: 'contoso pharmacy', equipment: 'Water Heater', task: 'No hot water' },
		...{ summary: 'Cold', urgent: false },
	};
	if (file.startsWith('servicenow')) outside.rows = [{ ...INCIDENT }, { ...CASE }];
	const workflow = readExample(file);
	const [{ Number: number }] = sandbox.store.rows('WorkOrder');
	let items: INodeExecutionData[] = [
		{
			json: structuredClone(INPUT[start] ?? {}),
			binary: {
				Customers: toFile('customers.csv', 'text/csv', CUSTOMERS),
				Employees: toFile('employees.csv', 'text/csv', EMPLOYEES),
				Photo: toFile('ceiling.jpg', 'image/jpeg', 'a photo'),
			},
		},
	];
	if (start.endsWith('One mail')) {
		const address = sandbox.store
			.rows('ContactInfo')
			.find((row) => row.ActorTypeId === 'LeaseUser' && String(row.Address).includes('@'))?.Address;
		items[0].json.from = { value: [{ address, name: 'Ava' }] };
	}
	if (start.startsWith('photo')) items[0].json['Work order'] = String(number);
	if (/workplace.*(Update|Cancel)/.test(start)) {
		Object.assign(items[0].json.body as IDataObject, { fm_work_order_id: number });
	}
	if (start.endsWith(': Payments')) {
		const { payments } = items[0].json.body as { payments: IDataObject[] };
		payments[0].workOrder = String(number);
	}
	if (node.type === typeOfNode('corrigoTrigger')) {
		const { parameters } = node;
		const polled = await engine.poll('corrigoTrigger', { parameters, mode: 'manual' });
		// The editor says so where there is none.
		const isNone = polled.error?.message === 'No matching events found';
		expect(isNone ? undefined : polled.error).toBeUndefined();
		const { batchSize = Infinity } = (parameters.options ?? {}) as { batchSize?: number };
		items = (polled.items ?? []).slice(0, batchSize);
	}
	sandbox.forgetRequests();
	for (const fault of faults) sandbox.fault(fault);
	const run = await withShortPauses(
		async () => await engine.runWorkflow({ ...runnable(workflow, node.name), items }),
	);
	sandbox.clearFaults();
	const isEnd = (name: string) =>
		(workflow.connections[name]?.main ?? []).every((targets) => (targets ?? []).length === 0);
	const isLast = ({ name, type }: INode) => isEnd(name) && /\.(set|respondToWebhook)$/.test(type);
	const messages = workflow.nodes
		.filter(isLast)
		.flatMap(({ name }) =>
			run.output(name).map(({ json }) => String(json.text ?? json.Message ?? json.status)),
		);
	const shown: Shown = {
		...{ run, messages },
		texts: [...messages, ...outside.shown],
		rows: JSON.stringify(outside.rows),
		troubles: sandbox.requestsTo('api').filter(({ status }) => status !== 200).length,
	};
	return shown;
}

/** Signs of a gap that a text did not expect, or of two sentences without a period. */
const ODD =
	/undefined|\bnull\b|NaN|Invalid DateTime|\[object|\bat ,|[:,] ?[:,] | {2}http|[a-z] (The message names|Try again|Instead,)/;

/** A name that HTML and expressions would misread. */
const HOSTILE = 'A<b> & "Sons" <!channel> [x](//y) @here _@all_ a@everyone $& {{ 1 + 1 }} =2';
/** A tag, or an expression that was evaluated, or would be by the next node. */
const MISREAD = /A<b>|{{|\b2 =2/;

/** A mention or a link that a chat would make of it. */
const MENTION = /<!|\[x\]|(?<![A-Za-z\d])@|@everyone/;

/** Texts or rows of each start in a Company with two currencies; the other starts write to Corrigo alone. */
const SHOWS: Record<string, RegExp | undefined> = {
	'building-of-a-work-zone: Building form': /Annex was created\./,
	'completed-orders-to-accounting: Work order completed': /"changeKey":"/,
	'customers-from-a-file: Customer file form':
		/Customers to create: 1, to change: 1, unchanged: 0\./,
	'daily-report: Every morning': /^Work orders on \S+\n.*: \d+\nOverdue: [1-9]/s,
	'emergency-to-a-chat-message: Emergency (polling)': /^Emergency \w+ at .+: .+ http/,
	'employees-from-an-hr-file: HR file form':
		/Employees to create: 1, to change: 1, unchanged: 0, to suspend: 0\..+lacks more .+ limit of 5/,
	'escalate-before-a-deadline: Emergency due soon': /It was due on .+, assigned to \w+/,
	'mail-approval-to-work-order: One mail': /Your request is work order \w+: http/,
	'mail-to-work-order: Mail': /: 'Contact': no contact is named/,
	'new-and-changed-visits: New, scheduled soon': /: scheduled for \w+, /,
	'new-and-changed-visits: New, on site soon': /, on site by \w+, /,
	'new-and-changed-visits: Order changed': /"onSiteBy":"\d/,
	'nightly-export-to-a-table: Every night': /"lastAction":"\d/,
	'overdue-orders-by-vendor: Every morning': /<h1>\d+ overdue work orders</,
	'photo-to-work-order: Photo form': /The photo is now with work order/,
	'quote-approval-by-message: Quote submitted':
		/The vendor asks for \d+\.00 USD\. .+NTE .+ is 100\.00 USD/,
	'request-form-to-work-order: Request form': /Your request is work order \w+: http/,
	'servicenow-incidents-in-step: Every five minutes': /"correlation_id":"\w/,
	'servicenow-workplace-cases: Create requested': /^$/,
	'servicenow-workplace-cases: Update requested': /^$/,
	'servicenow-workplace-cases: Cancel requested': /^$/,
	'spend-by-vendor: Every quarter': /USD.*EUR|EUR.*USD/s,
	'ticket-to-work-order: New ticket': /"workOrder":"\w/,
	'tickets-and-work-orders-in-step: Ticket changed': /"syncedPoNumber":"PO-1"/,
	'triage-of-requests: Request form': /Would create a work order for customer/,
	'vendor-invoice-approval: Invoice status changed': /in EUR, and the vendor NTE in USD/,
	'vendor-invoice-approval-by-message: Invoice status changed':
		/different currencies|is not in USD/,
	'vendor-invoices-to-accounting: Every night': /"currency":"(USD|EUR)"/,
	'vendor-invoices-to-accounting: Payments': /Check the vendor invoice of work order/,
	'vendor-scorecard: Every month': /<b>[1-9]\d*<\/b>orders completed/,
	'waiting-for-a-status: New ticket': /Still open/,
	'weekly-report: Every Monday': /<b>[1-9]\d*<\/b>created/,
};

/** A deadline that has passed. */
const overdue = () => {
	const due = DateTime.utc().minus({ hours: 5 }).toISO().slice(0, 19);
	return { DueDateUtc: due, DtDue: due };
};

/** Data that a Company may have: each entry changes that of the sandbox. */
const GAPS: Record<string, () => void> = {
	'has nothing open, quoted, invoiced or insured': () => {
		for (const entity of ['WoQuote', 'WoActionLog', 'ProviderCoi', 'WoProcedureStep'] as const) {
			for (const id of store().ids(entity)) store().remove(entity, id);
		}
		for (const { Id } of store().rows('WorkOrder')) {
			store().change('WorkOrder', Id, { StatusId: 'Cancelled', LastActionDateUtc: LONG_AGO });
			store().change('WorkOrderCost', Id, { ApStateId: 'None', VendorInvoiceDate: undefined });
		}
	},
	'leaves out amounts, limits, dates and names': () => {
		for (const { Id } of store().rows('WorkOrder')) {
			store().change('WorkOrder', Id, {
				...{ Employee: undefined, TaskRefinement: undefined, ShortLocation: undefined },
				...{ VendorNte: undefined, ContactName: undefined, PoNumber: undefined },
				...{ DtScheduledStart: undefined, ScheduledStartUtc: undefined },
				...{ DtOnSiteBy: undefined, DtUtcOnSiteBy: undefined, WorkZone: undefined },
			});
			store().change('WorkOrderCost', Id, {
				...{ VendorInvoiceTotal: undefined, BillingAccount: undefined, Number: undefined },
			});
		}
		for (const { Id } of store().rows('WoQuote')) {
			store().change('WoQuote', Id, { Amount: undefined, Description: undefined });
		}
	},
	'has two currencies, orders past due, and names that HTML and expressions misread': () => {
		const lastQuarter = DateTime.utc().startOf('quarter').minus({ days: 20 }).toISODate();
		const asked = JSON.stringify([INPUT, CUSTOMERS, INCIDENT]);
		for (const entity of ['Customer', 'Employee', 'WorkZone'] as const) {
			for (const { Id, DisplayAs } of store().rows(entity)) {
				if (asked.includes(String(DisplayAs))) continue;
				store().change(entity, Id, { DisplayAs: HOSTILE });
			}
		}
		for (const [index, { Id }] of store().rows('WorkOrder').entries()) {
			const CurrencyTypeId = index % 2 ? 'EUR' : 'USD';
			store().change('WorkOrderCost', Id, {
				...{ CurrencyTypeId, VendorInvoiceTotal: { CurrencyTypeId, Value: 90 } },
				VendorInvoiceDate: `${lastQuarter}T00:00:00`,
			});
			store().change('WorkOrder', Id, {
				...{ VendorNte: { CurrencyTypeId: 'USD', Value: 100 }, ...overdue() },
				...{ TaskRefinement: HOSTILE, ShortLocation: HOSTILE, ContactName: HOSTILE },
			});
		}
		for (const { Id } of store().rows('WoQuote')) {
			store().change('WoQuote', Id, { Description: HOSTILE });
		}
	},
};

const [LAST_GAP] = Object.keys(GAPS).slice(-1);

/** Returns the cases of a start: a quick run has every other one, and the last gap for all starts. */
const selectCases = <T>(start: number, all: Record<string, T>) =>
	Object.entries(all).filter(([name], index) =>
		cases((start + index) % 2 === 0 || name === LAST_GAP, true),
	);

describe.each(starts.map((one, index) => ({ ...one, index })))('$start', ({ index, ...one }) => {
	it.each(selectCases(index, TROUBLES))('where Corrigo %s', async (trouble, { faults, words }) => {
		const shown = await runFrom(one, faults);
		const { run, texts, rows, troubles } = shown;
		for (const text of texts) expect(text).not.toMatch(ODD);
		if (troubles === 0) {
			expect(run.error).toBeUndefined();
		} else if (REPORTS[one.start]?.includes(trouble)) {
			expect(run.error).toBeUndefined();
			expect(texts.join('\n') + rows + JSON.stringify(run.output('Result'))).toContain(words);
		} else {
			// No message, page or row says that all went well, or that there is nothing.
			expect(run.error?.message).toContain(words);
			expect(texts).toEqual([]);
		}
	});

	it.each(selectCases(index, GAPS))('in a Company that %s', async (gap, change) => {
		change();
		const shown = await runFrom(one, []);
		expect(shown.run.error?.message).toBeUndefined();
		for (const text of shown.texts) {
			expect(text).not.toMatch(ODD);
			if (text.includes('<html')) expect(text).not.toMatch(MISREAD);
		}
		for (const message of shown.messages) expect(message).not.toMatch(MENTION);
		const shows = SHOWS[one.start];
		if (gap !== LAST_GAP || shows === undefined) return;
		expect([...shown.texts, shown.rows].filter((text) => shows.test(text))).not.toEqual([]);
	});
});
