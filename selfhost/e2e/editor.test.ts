import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import { Editor, openBrowser } from '../browser/editor';
import { readExample } from '../examples';
import { withCredential } from '../workflows/credentials';
import { onceWorkflow, WEBHOOK_TRIGGER, webhookWorkflow } from '../workflows/triggerWorkflows';
import {
	deleteOtherCredentials,
	ownerApi,
	takePicture,
	manualWorkflow,
	testEnvironment,
} from './environment';
import { SandboxClient } from './sandboxClient';

const WEBHOOK_ID = '0d2f6f5c-8f0b-4f3c-9a55-2c7d9d1b7e60';

describe('the node in the editor', () => {
	const { url, session, controlUrl, credential, credentialData } = testEnvironment();
	const sandbox = new SandboxClient(controlUrl);
	const api = ownerApi(testEnvironment());
	let browser: Browser;
	let editor: Editor;

	const screenshot = async (name: string) => await takePicture(editor, name);

	const runTrigger = async (name: string, form: INodeParameters) => {
		const file = onceWorkflow(name, form, 'http://localhost', 'Report');
		const workflow = await api.createWorkflow(withCredential(file, credential));
		await editor.openWorkflow(workflow.id);
		await editor.openNode('Corrigo Trigger');
		await editor.executeNode();
		return await editor.outputItems();
	};

	beforeAll(async () => {
		browser = await openBrowser();
		editor = await Editor.open(browser, url, session);
	});

	afterAll(async () => {
		await browser?.close();
	});

	beforeEach(async () => {
		const { id } = await api.createWorkflow(manualWorkflow('Corrigo'));
		await editor.openWorkflow(id);
		await sandbox.forgetRequests();
	});

	afterEach(async () => {
		if (await deleteOtherCredentials(credential, api)) await editor.refreshCredentials();
	});

	it.each(['work order', 'corrigo'])('is found in the node panel by "%s"', async (text) => {
		const found = await editor.searchNodes(text, 'Corrigo');

		expect(await found.allTextContents()).toContainEqual(expect.stringMatching(/^Corrigo/));
		await screenshot('node-panel');
	});

	it.each([
		['example', 'request-form-to-work-order.json', 'Create work order', 'What to adapt'],
		['hr-example', 'employees-from-an-hr-file.json', 'Suspend employees', 'What to adapt'],
	])('shows an example with the notes for its user: %s', async (picture, file, node, heading) => {
		const { id } = await api.createWorkflow(withCredential(readExample(file), credential));
		await editor.openWorkflow(id);
		await editor.fitView();

		await editor.canvasNode(node).waitFor();
		await editor.page.getByRole('heading', { name: heading }).waitFor();
		await screenshot(picture);
	});

	it('explains that a secret is wrong, and accepts the right one', async () => {
		await editor.addAction('Corrigo', 'Discover host of company');
		const form = await editor.newCredential();
		const fill = async (...names: string[]) => {
			for (const name of names) await editor.fill(name, String(credentialData[name]), form);
		};
		await fill('companyName', 'clientId', 'clientSecret');
		await editor.parameter('region', form).scrollIntoViewIfNeeded();
		await screenshot('credential');
		// Users choose their region; only the sandbox has servers of its own.
		await editor.choose('region', 'Custom', form);
		await fill('locatorUrl', 'tokenUrl');
		await editor.fill('clientSecret', 'not-the-secret', form);

		expect(await editor.saveCredential()).toMatchObject({ status: 'Error' });

		await form.getByText('More details').click();
		await form.getByText('Corrigo did not accept the credentials').waitFor();
		expect(await form.innerText()).toContain('Corrigo did not accept the credentials');
		await screenshot('credential-refused');
		await editor.fill('clientSecret', String(credentialData.clientSecret), form);
		expect(await editor.saveCredential()).toMatchObject({ status: 'OK' });
		await editor.executeNode();
		expect(await editor.outputItems()).toEqual([
			expect.objectContaining({ CompanyName: credentialData.companyName }),
		]);
	});

	it('shows that a credential has passed its test', async () => {
		await editor.addAction('Corrigo', 'Discover host of company');
		const form = await editor.editCredential();
		await form.getByText('Connection tested successfully').waitFor();
		await editor.closeCredential();
	});

	it('finds customers by a typed text, creates a work order and shows its number', async () => {
		await editor.addAction('Corrigo', 'Create work order');
		await editor.choose('typeCategory', 'Request');
		await editor.pick('subType', 'service', 'Service Request');
		const customers = await editor.searchList('customer', 'harbor');
		await customers.filter({ hasText: 'Harbor View Clinic (' }).waitFor();
		await screenshot('customer-picker');
		await customers.filter({ hasText: 'Harbor View Clinic (' }).click();
		const item = editor.form;
		await editor.pick('asset', 'water', 'Water Heater', item);
		await editor.pick('task', 'no hot', 'No hot water', item);
		await editor.fill('comment', 'No hot water in the staff kitchen', item);

		await editor.executeNode();

		const [{ Number: number, Status }] = await editor.outputItems();
		expect(Status).toBe('New');
		expect(number).toMatch(/^[A-Z]{3}\d{7}$/);
		await editor.showOutputAs('table');
		await screenshot('work-order');
		const [sent] = await sandbox.bodiesSentTo('/cmd/WoCreateCommand');
		expect(sent).toMatchObject({
			Command: { WorkOrder: { Items: [{ Comment: 'No hot water in the staff kitchen' }] } },
		});
	});

	it('learns from a test event how pushes are signed', async () => {
		const key = 'the signing key';
		const data = { ...credentialData, useWebhook: true, signingSecret: key };
		const withKey = await api.createCredential('Corrigo sandbox', credential.type, data);
		const workflow = await api.createWorkflow(
			withCredential(
				webhookWorkflow({ signature: 'learn' }, 'http://localhost', WEBHOOK_ID),
				withKey,
			),
		);
		await editor.refreshCredentials();
		await editor.openWorkflow(workflow.id);
		await editor.openNode(WEBHOOK_TRIGGER);
		const { page } = editor;
		await page.getByTestId('trigger-header').getByText('Receive an event from Corrigo').waitFor();
		await page.getByText('When will this node trigger my flow?').click();
		await page.getByText('enter the Test URL in Corrigo as the target of a webhook').waitFor();
		const form = await editor.editCredential();
		await form.getByText('Connection tested successfully').waitFor();
		await editor.parameter('formerSigningSecret', form).scrollIntoViewIfNeeded();
		await screenshot('signing-key');
		await editor.closeCredential();
		await sandbox.actInDesktop({});

		await editor.executeNode(async () => {
			await sandbox.push({
				url: `${url}/webhook-test/${WEBHOOK_ID}/webhook`,
				signed: {
					key,
					header: 'X-Corrigo-Signature',
					prefix: 'sha256=',
					algorithm: 'sha256',
					encoding: 'hex',
				},
			});
		});

		const [{ Fits: fits }] = await editor.outputItems();
		expect(fits).toEqual([
			{
				Header: 'x-corrigo-signature',
				Algorithm: 'SHA-256',
				Encoding: 'Hex',
				SignedBy: 'Signing Key',
			},
		]);
		await editor.parameter('signature').scrollIntoViewIfNeeded();
		await screenshot('webhook-trigger');
	});

	it('shows the deadlines that passed last and the minutes since', async () => {
		const form = {
			event: 'workOrderDeadline',
			offset: 1,
			offsetUnit: 'hours',
			output: 'selected',
			properties: ['Number', 'StatusId'],
		};

		const items = await runTrigger('Deadlines', form);

		expect(items.length).toBeGreaterThan(0);
		for (const item of items) {
			expect(item).toMatchObject({
				Deadline: { Type: 'due', MinutesLeft: expect.any(Number) as number },
			});
		}
		await screenshot('deadline');
	});

	it('shows several events of work orders, each with its name and in the order of their actions', async () => {
		const order = await sandbox.actInDesktop({});
		for (const command of ['WoPickUpCommand', 'WoStartCommand', 'WoCompleteCommand']) {
			await sandbox.actInDesktop({ id: order.Id, command });
		}
		const form = {
			event: 'severalEvents',
			events: ['workOrderCreated', 'workOrderCompleted', 'workOrderEnteredStatus'],
			statuses: ['InProgress', 'Completed'],
		};

		const items = await runTrigger('Several events', form);

		const ofOrder = items.filter(({ WorkOrder }) => (WorkOrder as IDataObject).Id === order.Id);
		expect(ofOrder.map(({ Event }) => Event)).toEqual([
			...['Work Order Created', 'Work Order Entered Status'],
			...['Work Order Completed', 'Work Order Entered Status'],
		]);
		await editor.showOutputAs('table');
		await screenshot('several-events');
	});

	it('says that a record is missing', async () => {
		await editor.addAction('Corrigo', 'Get work order');
		await editor.locate('id', 'id', '999999999');

		const output = await editor.executeNode();

		expect(await output.innerText()).toContain('There is no work order with the ID 999999999');
		expect(await sandbox.bodiesSentTo('/base/WorkOrder')).toHaveLength(1);
	});
});
