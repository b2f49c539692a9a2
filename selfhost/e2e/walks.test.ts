import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import { Editor, openBrowser } from '../browser/editor';
import { NodeForm } from '../browser/nodeForm';
import { manualWorkflow, ownerApi, testEnvironment } from './environment';
import { SandboxClient } from './sandboxClient';

const CLICKS = 'window.clicks = 0; addEventListener("pointerdown", () => (clicks += 1), true)';

describe('a user who only chooses', () => {
	const { url, session, controlUrl } = testEnvironment();
	const sandbox = new SandboxClient(controlUrl);
	const api = ownerApi(testEnvironment());
	let browser: Browser;
	let editor: Editor;
	let form: NodeForm;

	beforeAll(async () => {
		browser = await openBrowser();
		editor = await Editor.open(browser, url, session);
		form = new NodeForm(editor);
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
	}

	it('finds the open emergencies of a customer by due date with at most 12 clicks', async () => {
		await open('Get many work orders');
		await editor.page.evaluate(CLICKS);
		await form.add('Add filter', 'Open');
		await form.add('Add filter', 'Emergency');
		await form.add('Add filter', 'Customer');
		await form.pick('Customer', 'Contoso Pharmacy');
		await form.add('Add sort rule');
		await form.pick('Sort By', 'Due (DtDue)', 'due');
		await editor.executeNode();

		expect(await editor.page.evaluate('clicks')).toBeLessThanOrEqual(12);
		const orders = await editor.outputItems();
		expect(orders.length).toBeGreaterThan(0);
		const dates = orders.map(({ DtDue }) => String(DtDue));
		expect(dates).toEqual([...dates].sort());
		for (const order of orders) {
			expect(order).toMatchObject({ Customer: { DisplayAs: 'Contoso Pharmacy' } });
		}
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
