import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import type { Row } from '../../sandbox/store/store';
import { Canvas } from '../browser/canvas';
import { Editor, openBrowser } from '../browser/editor';
import { NodeForm } from '../browser/nodeForm';
import { manualWorkflow, ownerApi, takePicture, testEnvironment } from './environment';
import { SandboxClient } from './sandboxClient';

/**
 * At the window, Playwright stops a press that would hit another element, because the form has moved,
 * and repeats it. Only what reaches the document counts.
 */
const COUNTER =
	'window.clicks = 0; document.addEventListener("pointerdown", () => (clicks += 1), true)';

describe('a user who only chooses', () => {
	const { url, session, controlUrl } = testEnvironment();
	const sandbox = new SandboxClient(controlUrl);
	const api = ownerApi(testEnvironment());
	let browser: Browser;
	let editor: Editor;
	let form: NodeForm;
	let canvas: Canvas;

	beforeAll(async () => {
		browser = await openBrowser();
		editor = await Editor.open(browser, url, session);
		form = new NodeForm(editor);
		canvas = new Canvas(editor);
		await editor.page.addInitScript(COUNTER);
	});

	afterAll(async () => {
		await browser?.close();
	});

	beforeEach(async () => {
		await sandbox.forgetRequests();
	});

	/** Adds an action to a new workflow that starts with these items. */
	async function open(action: string, ...items: IDataObject[]) {
		const pinData = { Start: items.map((json) => ({ json })) };
		const { id } = await api.createWorkflow({
			...manualWorkflow(action),
			...(items.length > 0 ? { pinData } : {}),
		});
		await editor.openWorkflow(id);
		await editor.addAction('Corrigo', action);
		await countFromHere();
	}

	const countFromHere = async () => {
		await editor.page.evaluate('window.clicks = 0');
	};
	const clicks = async () => await editor.page.evaluate<number>('window.clicks');

	/** Runs the node, which ends the task, and returns its output. */
	async function finish(mostClicks: number) {
		await editor.executeNode();
		expect(await clicks()).toBeLessThanOrEqual(mostClicks);
		return await editor.outputItems();
	}

	/** The total of a vendor's invoices with a date of last month, from the data of the sandbox. */
	async function invoicedLastMonth(vendor: string) {
		const [costs, orders, vendors] = await Promise.all(
			['WorkOrderCost', 'WorkOrder', 'Employee'].map(async (entity) => await sandbox.rows(entity)),
		);
		// The months of the filter are those of n8n's default time zone.
		const today = new Date().toLocaleDateString('sv', { timeZone: 'America/New_York' });
		const lastMonth = new Date(today);
		lastMonth.setUTCDate(0);
		const month = lastMonth.toISOString().slice(0, 7);
		const { Id } = vendors.find(({ DisplayAs }) => DisplayAs === vendor) ?? {};
		const byVendor = new Set(
			orders
				.filter(({ Employee }) => (Employee as Row | undefined)?.Id === Id)
				.map((order) => order.Id),
		);
		return costs
			.filter((cost) => byVendor.has(cost.Id) && String(cost.VendorInvoiceDate).startsWith(month))
			.reduce(
				(sum, { VendorInvoiceTotal }) => sum + Number((VendorInvoiceTotal as IDataObject).Value),
				0,
			);
	}

	it('finds the open emergencies of a customer by due date with at most 12 clicks', async () => {
		await open('Get many work orders');
		await form.add('Add filter');
		await form.showOption('Open');
		await takePicture(editor, 'filters');
		await form.chooseOption('Open');
		await form.add('Add filter', 'Emergency');
		await form.add('Add filter', 'Customer');
		await form.pick('Customer', 'Harbor View Clinic #2');
		await form.add('Add sort rule');
		await form.pick('Sort By', 'Due, local time (DtDue)', 'due');
		const orders = await finish(12);

		expect(orders.length).toBeGreaterThan(1);
		const dates = orders.map(({ DtDue }) => String(DtDue));
		expect(dates).toEqual([...dates].sort());
		for (const order of orders) {
			expect(order).toMatchObject({ Customer: { DisplayAs: 'Harbor View Clinic #2' } });
		}
	});

	it('finds the orders of today with at most 5 clicks', async () => {
		const { Number: newest } = await sandbox.actInDesktop({});
		await open('Get many work orders');
		await form.add('Add filter', 'Date');
		await form.choose('When', 'Today');

		expect(await finish(5)).toContainEqual(expect.objectContaining({ Number: newest }));
	});

	it('creates a work order with at most 14 clicks', async () => {
		await open('Create work order');
		await form.choose('Type Category', 'Request');
		await form.pick('Sub Type', 'Service Request', 'service');
		await form.pick('Customer', 'Harbor View Clinic', 'harbor');
		await form.pick('Asset', 'Water Heater', 'water');
		await form.pick('Task', 'No hot water', 'no hot');
		await form.fill('Issue Description', 'No hot water in the staff kitchen');

		const [order] = await finish(14);
		expect(order).toMatchObject({ Number: expect.stringMatching(/^[A-Z]{3}\d{7}$/) as string });
		expect(await sandbox.bodiesSentTo('/cmd/WoCreateCommand')).toHaveLength(1);
	});

	it('sets the PO number of an order with at most 9 clicks', async () => {
		await open('Update work order');
		await form.pick('Work Order', 'CHL0000002');
		await form.fillColumn('PO Number', 'PO-111');

		expect(await finish(9)).toEqual([expect.objectContaining({ PoNumber: 'PO-111' })]);
	});

	it('sees the values before an update, by which it can be undone, with at most 10 clicks', async () => {
		const order = await sandbox.actInDesktop({});
		await sandbox.actInDesktop({ id: order.Id, members: { PoNumber: 'PO-111' } });
		await open('Update work order');
		await form.pick('Work Order', order.Number);
		await form.fillColumn('PO Number', 'PO-112');
		await form.add('Add option', 'Return Before');

		expect(await finish(10)).toEqual([
			expect.objectContaining({
				Before: expect.objectContaining({ PoNumber: 'PO-111' }) as IDataObject,
				PoNumber: 'PO-112',
			}),
		]);
		await editor.showOutputAs('table');
		await editor.outputColumn('Before').scrollIntoViewIfNeeded();
		await takePicture(editor, 'before');
	});

	it('creates five customers from a table with at most 20 clicks, and no notice on the way', async () => {
		const customers = ['A', 'B', 'C', 'D', 'E'].map((name) => ({
			'Tenant Code': `FIVE-${name}`,
			'Display Name': `Five ${name}`,
			Name: `Five ${name}`,
			DBA: `Five ${name}`,
			'Tax Exempt': false,
			'Work Zone': 'Midtown Manhattan',
		}));
		await open('Create or update customer', ...customers);
		await form.mapAutomatically('Tenant Code');
		expect(await editor.form.innerText()).not.toMatch(/publishes no|no custom fields|no columns/i);

		const created = await finish(20);
		expect(created.map(({ Outcome }) => Outcome)).toEqual(Array(5).fill('created'));
	});

	it('reads what an update would change, and then makes it, with at most 8 clicks', async () => {
		await open('Update work order');
		await form.pick('Work Order', 'CHL0000003');
		await form.fillColumn('PO Number', 'PO-222');
		await countFromHere();
		await form.add('Add option', 'Dry Run');
		await editor.executeNode();
		expect(await sandbox.bodiesSentTo('/base/WorkOrder')).toEqual([]);
		await form.choose('Dry Run', 'Never');

		expect(await finish(8)).toEqual([expect.objectContaining({ PoNumber: 'PO-222' })]);
	});

	it('approves a dry run, which is then written as it was shown, with at most 21 clicks', async () => {
		const update = 'Update work order';
		const fillIn = async () => {
			await form.pick('Work Order', 'CHL0000005');
			await form.fillColumn('PO Number', 'PO-333');
		};
		await open(update);
		await fillIn();
		await form.add('Add option', 'Dry Run');
		await editor.executeNode();
		await editor.closeNode();
		await canvas.addAfter(update, 'Corrigo', update);
		await fillIn();
		await form.add('Add option', 'Confirmation Key');
		await form.drag('ConfirmationKey', 'Confirmation Key');

		expect(await finish(21)).toEqual([expect.objectContaining({ PoNumber: 'PO-333' })]);
		expect(await sandbox.bodiesSentTo('/base/WorkOrder')).toHaveLength(1);
	});

	it('assigns a vendor to an order with at most 7 clicks', async () => {
		const { Number: number } = await sandbox.actInDesktop({});
		await open('Assign work order');
		await form.pick('Work Order', number);
		await form.pick('Employee', 'Ábaco Plumbing');

		await finish(7);
		expect(await sandbox.bodiesSentTo('/cmd/WoAssignCommand')).toHaveLength(1);
	});

	it('gets a test event of an overdue order with at most 6 clicks', async () => {
		const after = { ...manualWorkflow('').nodes[0], type: 'n8n-nodes-base.noOp' };
		const { id } = await api.createWorkflow({ ...manualWorkflow('Overdue'), nodes: [after] });
		await editor.openWorkflow(id);
		await canvas.addTrigger('Corrigo', 'On work order due soon or overdue');
		await editor.waitForForm();
		await countFromHere();
		await form.choose('When', 'After the Deadline');

		const orders = await finish(6);
		expect(orders[0]).toMatchObject({ Deadline: { Type: 'due' } });
	});

	it('makes totals of the invoices of a vendor last month with at most 15 clicks', async () => {
		await open('Get many vendor invoices and costs');
		await form.add('Add filter', 'Vendor');
		await form.pick('Vendor', 'Ábaco Plumbing');
		await form.add('Add filter', 'Date');
		await form.choose('When', 'Last Month');
		await editor.closeNode();
		await canvas.addAfter('Get many vendor invoices and costs', 'Summarize');
		await form.choose('Aggregation', 'Sum');
		await form.fill('Field', 'VendorInvoiceTotal.Value');

		const total = await invoicedLastMonth('Ábaco Plumbing');
		expect(total).toBeGreaterThan(0);
		expect(await finish(15)).toEqual([{ sum_VendorInvoiceTotal_Value: total }]);
	});

	it('uploads a file and lists the documents of the order with at most 16 clicks', async () => {
		const makeFile = {
			...manualWorkflow('').nodes[0],
			id: 'file',
			name: 'File',
			type: 'n8n-nodes-base.convertToFile',
			typeVersion: 1.1,
			position: [200, 0] as [number, number],
			parameters: { operation: 'toText', sourceProperty: 'text' },
		};
		const { id } = await api.createWorkflow({
			...manualWorkflow('Upload', makeFile),
			pinData: { Start: [{ json: { text: 'Leak below the sink' } }] },
		});
		await editor.openWorkflow(id);
		await editor.addAction('Corrigo', 'Upload document');
		await countFromHere();
		await form.choose('Attached To', 'Work Order');
		await form.pick('Work Order', 'CHL0000004');
		await form.pick('Document Type', 'Picture', 'picture');
		await editor.executeNode();
		await editor.closeNode();
		await canvas.addAfter('Upload document', 'Corrigo', 'Get many documents');
		await form.choose('Attached To', 'Work Order');
		await form.pick('Work Order', 'CHL0000004');

		const documents = await finish(16);
		expect(documents).toContainEqual(
			expect.objectContaining({
				DocType: expect.objectContaining({ DisplayAs: 'Picture' }) as unknown,
			}),
		);
	});

	it('learns which value of Create or Update is missing before anything is written', async () => {
		const complete = { Name: 'N', Dba: 'N', TaxExempt: false, 'WorkZone.Id': 'Midtown Manhattan' };
		await open(
			'Create or update customer',
			{ TenantCode: 'WALK-1', DisplayAs: 'One', ...complete },
			{ TenantCode: 'WALK-2', DisplayAs: 'Two', ...complete },
			{ TenantCode: 'WALK-3', ...complete },
		);
		await form.mapAutomatically('Tenant Code');

		const output = await editor.executeNode();

		expect(await output.innerText()).toContain("'Display Name' is empty");
		expect(await sandbox.bodiesSentTo('/base/Customer')).toEqual([]);
	});

	it('sees columns in the first node, and reads what a dry run would do', async () => {
		await open('Update work order');
		await form.pick('Work Order', 'CHL0000001');
		await form.fillColumn('PO Number', 'PO-999');
		await form.add('Add option', 'Dry Run');
		await editor.executeNode();

		const [planned] = await editor.outputItems();
		expect(Object.keys(planned)).toEqual([
			...['Outcome', 'Summary', 'WouldChange', 'ConfirmationKey', 'WouldSend'],
		]);
		expect(planned.Summary).toMatch(
			/^Would set PO Number of work order CHL0000001 from .+ to PO-999$/,
		);
		expect(await sandbox.bodiesSentTo('/base/WorkOrder')).toEqual([]);
	});

	it('reads everything about an order', async () => {
		await open('Get details of work order');
		await form.pick('Work Order', 'CHL0000001');
		await editor.executeNode();

		expect(await editor.outputItems()).toEqual([
			expect.objectContaining({ Number: 'CHL0000001', IsOpen: expect.any(Boolean) as boolean }),
		]);
	});
});
