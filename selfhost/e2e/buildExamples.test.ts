/**
 * Builds the examples in the editor as a user who does not know the API: finds actions in the panel
 * and values in lists, and drags data from the previous node. Each test runs the built workflow and
 * the example, and both must make the same changes in Corrigo.
 */
import type { IDataObject, INode } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import { Canvas } from '../browser/canvas';
import { Editor, openBrowser } from '../browser/editor';
import { NodeForm } from '../browser/nodeForm';
import { readExample } from '../examples';
import { itemsOf, type Workflow, type WorkflowFile } from '../n8n/api';
import { withCredential } from '../workflows/credentials';
import { ownerApi, takePicture, testEnvironment } from './environment';
import { LanguageModel } from './languageModel';
import { SandboxClient } from './sandboxClient';
import { submitForm } from './webForm';

const CORRIGO = 'Corrigo';

const isOwn = ({ type }: INode) => type.startsWith('n8n-nodes-corrigo.');
const isNote = ({ type }: INode) => type.endsWith('.stickyNote');

/** Removes some nodes of a workflow and connects the nodes before them to those after. */
function without(
	{ name, nodes, connections, settings }: WorkflowFile,
	isRemoved: (node: INode) => boolean,
) {
	const kept = new Map(nodes.map((node) => [node.name, !isRemoved(node)]));
	const keptTargets = (target: string, output = 0): string[] =>
		(connections[target]?.main[output] ?? []).flatMap(({ node }) =>
			kept.get(node) ? [node] : keptTargets(node),
		);
	const left = nodes.filter((node) => !isRemoved(node));
	return {
		name,
		nodes: left,
		settings,
		connections: Object.fromEntries(
			left.map(({ name: from }) => [
				from,
				{
					...connections[from],
					main: (connections[from]?.main ?? []).map((_, output) =>
						keptTargets(from, output).map((node) => ({ node, type: 'main' as const, index: 0 })),
					),
				},
			]),
		),
	};
}

describe('building the examples in the editor', () => {
	const { url, session, controlUrl, credential } = testEnvironment();
	const sandbox = new SandboxClient(controlUrl);
	const api = ownerApi(testEnvironment());
	let browser: Browser;
	let editor: Editor;
	let canvas: Canvas;
	let form: NodeForm;
	let example: WorkflowFile;
	let id: string;

	const screenshot = async (name: string) => await takePicture(editor, name);

	beforeAll(async () => {
		browser = await openBrowser();
		editor = await Editor.open(browser, url, session);
		canvas = new Canvas(editor);
		form = new NodeForm(editor);
	});

	afterAll(async () => {
		await browser?.close();
	});

	/** Opens an example without the nodes of this package, which the test adds. */
	async function openWithoutOwnNodes(file: string, pinned?: IDataObject) {
		example = readExample(`${file}.json`);
		const rest = without(example, (node) => isOwn(node) || isNote(node));
		const [first] = rest.nodes;
		const pinData = pinned && { [first.name]: [{ json: pinned }] };
		// Other tests find the examples by their names.
		const name = `${example.name}, built`;
		({ id } = await api.createWorkflow({ ...rest, name, ...(pinData && { pinData }) }));
		await editor.openWorkflow(id);
	}

	/** Runs a workflow without its form pages, which would wait for a user. */
	async function run(file: WorkflowFile, triggerItem?: IDataObject) {
		const isPage = ({ type }: INode) => type === 'n8n-nodes-base.form';
		const left = { ...without(file, isPage), name: `${file.name}, run` };
		const created = await api.createWorkflow(withCredential(left, credential));
		const execution = await api.run(created, triggerItem);
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		return execution;
	}

	/** Saves the built workflow, then runs it and the example one after the other. */
	async function runBoth(triggerItem?: IDataObject) {
		await canvas.save();
		const built: Workflow = await api.workflow(id);
		await sandbox.forgetRequests();
		return { built: await run(built, triggerItem), example: await run(example, triggerItem) };
	}

	// Promise: The examples run as they are
	it('builds a workflow that creates a work order from a request form', async () => {
		const request = {
			Site: 'Contoso Pharmacy',
			Problem: 'Water Heater: No hot water',
			'What is wrong?': 'No hot water in the kitchen',
			'Your name': 'Ava Brown',
			'Phone or email': '+1 555 0100',
			submittedAt: new Date().toISOString(),
		};
		await openWithoutOwnNodes('request-form-to-work-order', request);
		await canvas.addBetween('Request form', 'Result', CORRIGO, 'Create work order');
		await form.choose('Type Category', 'Request');
		await form.pick('Sub Type', 'Service Request', 'service');
		await form.drag('Site', 'Customer');
		await form.fillExpression('Asset', "{{ $json.Problem.split(': ')[0] }}");
		await form.fillExpression('Task', "{{ $json.Problem.split(': ')[1] }}");
		await form.drag('What is wrong?', 'Issue Description');
		await form.add('Add field', 'Compute Assignment');
		await form.add('Add field', 'Contact Address');
		await form.drag('Phone or email', 'Contact Address');
		await form.add('Add field', 'Contact Name');
		await form.drag('Your name', 'Contact Name');
		await editor.closeNode();

		await runBoth(request);

		const [built, original] = await sandbox.bodiesSentTo('/cmd/WoCreateCommand');
		expect(built.Command).toMatchObject({ WorkOrder: { ContactName: 'Ava Brown' } });
		expect(original.Command).toMatchObject(built.Command as IDataObject);
	});

	it('builds a nightly export of changed work orders to a table', async () => {
		await sandbox.actInDesktop({});
		await openWithoutOwnNodes('nightly-export-to-a-table');
		const [previous, next] = ['Create table if missing', 'Choose columns'];
		await canvas.addBetween(previous, next, CORRIGO, 'Get many work orders');
		await form.turnOn('Return All');
		await form.add('Add filter', 'Date');
		await form.choose('Which Date', 'Last Changed');
		await form.fill('Days', '2');
		await editor.closeNode();

		const { built, example: original } = await runBoth();

		const ordersOf = (execution: typeof built) =>
			itemsOf(execution, next).map(({ json }) => json.workOrderId);
		expect(ordersOf(built)).toEqual(ordersOf(original));
		expect(ordersOf(built).length).toBeGreaterThan(0);
	});

	it('builds an escalation of emergencies before they are due', async () => {
		await openWithoutOwnNodes('escalate-before-a-deadline');
		const trigger = 'Emergency due soon';
		await canvas.addTrigger(CORRIGO, 'On work order due soon or overdue');
		await form.rename(trigger);
		await form.fill('Notify', '30');
		await form.choose('Search By', 'Conditions');
		await form.add('Add condition');
		await form.searchList('Field', 'emergency');
		await form.listEntry('Priority > Is Emergency').waitFor();
		await screenshot('property-picker');
		await form.pickEntry('Field', 'Priority > Is Emergency');
		await form.pick('Value', 'Yes');
		await editor.executeNode();
		await editor.closeNode();
		await canvas.addAfter(trigger, CORRIGO, 'Add flags to work order');
		await form.drag('Id', 'Work Order');
		await form.pick('Flag', 'Other');
		await editor.closeNode();
		await canvas.addAfter('Add flags to work order', CORRIGO, 'Create work order note');
		await form.drag('Id', 'Work Order');
		await form.fill('Text', 'Escalated to the duty manager');
		await form.choose('Note Type', 'Private');
		await editor.closeNode();

		await runBoth();

		const flags = await sandbox.bodiesSentTo('/cmd/WoSetFlagsCommand');
		const flagged = flags.map(({ Command }) => {
			const { WorkOrderId, FlagsToSet } = Command as IDataObject;
			return { WorkOrderId, FlagsToSet };
		});
		expect(flagged.length).toBeGreaterThan(0);
		expect(flagged.slice(0, flagged.length / 2)).toEqual(flagged.slice(flagged.length / 2));
		expect(await sandbox.bodiesSentTo('/base/WoNote')).toHaveLength(flagged.length);
	});

	it('builds a workflow that attaches a photo from a form to a work order', async () => {
		const order = await sandbox.actInDesktop({});
		const show = 'What does it show?';
		await openWithoutOwnNodes('photo-to-work-order', {
			'Work order': order.Number,
			[show]: 'Damaged ceiling',
		});
		await canvas.addBetween('Photo form', 'Show confirmation', CORRIGO, 'Upload document');
		await form.rename('Attach photo');
		await form.choose('Attached To', 'Work Order');
		await form.switchMode('Work Order', 'By Number');
		await form.drag('Work order', 'Work Order');
		await form.fill('Input Data Field Name', 'Photo');
		await form.pick('Document Type', 'Picture');
		await form.add('Add field', 'Description');
		await form.drag(show, 'Description');
		await editor.closeNode();
		await canvas.addBetween('Attach photo', 'Show confirmation', CORRIGO, 'Get work order');
		await form.switchMode('Work Order', 'By Number');
		await form.fillExpression('Work Order', "{{ $('Photo form').item.json['Work order'] }}");
		await editor.closeNode();
		await canvas.save();
		await sandbox.forgetRequests();

		const page = await submitForm(api, browser, await api.workflow(id), async (page) => {
			await page.getByLabel('Work order').fill(order.Number);
			const file = { name: 'ceiling.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a photo') };
			await page.locator('input[type=file]').setInputFiles(file);
			await page.getByLabel(show).fill('Damaged ceiling');
		});

		expect(page).toMatch(new RegExp(`work order ${order.Number}: http\\S+/${order.Id}`));
		const [{ Entity }] = await sandbox.bodiesSentTo('/base/Document');
		expect(Entity).toMatchObject({
			ActorTypeId: 'WO',
			ActorId: order.Id,
			DocType: { Id: 3 },
			Description: 'Damaged ceiling',
			Blob: { FileName: 'ceiling.jpg' },
		});
	});

	it('builds an approval that authorizes or disputes vendor invoices by their amount', async () => {
		// Other tests decide about the invoices of the demo.
		const receive = async (invoice?: IDataObject) => {
			const { Id: id } = await sandbox.actInDesktop({ invoice });
			const VendorNte = { CurrencyTypeId: 'USD', Value: 100 };
			await sandbox.actInDesktop({ id, members: { VendorNte } });
			const members = { WorkOrderid: id, VendorInvoiceStatusId: 2 };
			await sandbox.actInDesktop({ id, command: 'ApStatusChangeCommand', members });
			return id;
		};
		const withinLimit = await receive({
			VendorInvoiceTotal: { CurrencyTypeId: 'USD', Value: 90 },
		});
		const withoutAmount = await receive();
		await openWithoutOwnNodes('vendor-invoice-approval');
		const trigger = 'Invoice status changed';
		const read = 'Get invoice';
		await canvas.addTrigger(CORRIGO, 'On vendor invoice entered AP status');
		await form.rename(trigger);
		await form.choose('Returns', 'Work Order Only');
		await editor.executeNode();
		await editor.closeNode();
		await canvas.addAfter(trigger, CORRIGO, 'Get vendor invoice and costs');
		await form.rename(read);
		await form.drag('Id', 'Work Order');
		await editor.executeNode();
		await editor.closeNode();
		await canvas.connect(read, 'Received?');
		for (const [output, status] of ['Authorized', 'Disputed'].entries()) {
			const action = 'Change AP status of vendor invoice';
			await canvas.addAfter('Within limit?', CORRIGO, action, output);
			await form.drag('Id', 'Work Order', read);
			await form.pick('AP Status', status);
			await form.add('Add field', 'Expected Status');
			await form.drag('ApStatusId', 'Expected Status', read);
			await editor.closeNode();
		}

		const { built } = await runBoth();

		const authorized = itemsOf(built, 'Change AP status of vendor invoice');
		const ids = authorized.map(({ json }) => json.Id);
		// An invoice without an amount goes to a person.
		expect([withinLimit, withoutAmount].filter((id) => ids.includes(id))).toEqual([withinLimit]);
	});

	it('builds an agent that answers which orders are open at a site', async () => {
		// The example matches part of a name, and this name is part of no other.
		const site = 'Harbor View Clinic #3';
		const model = await LanguageModel.start([
			{ call: 'Open_work_orders', with: { Customer: site } },
			{ say: 'One work order is open.' },
			{ call: 'Open_work_orders', with: { site } },
			{ say: 'One work order is open.' },
		]);
		const account = { apiKey: 'none', url: model.url };
		const openAi = await api.createCredential('Model', 'openAiApi', account);
		try {
			await openWithoutOwnNodes('ask-what-is-open');
			await canvas.addSubNode('Agent', 'Tool', 'Corrigo Tool');
			await form.rename('Open work orders');
			await form.choose('Tool Description', 'Set Manually');
			await form.fill('Description', 'Finds the open work orders of a site by its name');
			await form.choose('Operation', 'Get Many');
			await form.fill('Limit', '20');
			await form.add('Add filter', 'Open');
			await form.add('Add filter', 'Customer');
			await form.letModelFill('Customer');
			await form.choose('Output', 'Selected Fields');
			const list = 'Field Names or IDs';
			await form.toggleOption(list, 'Number');
			await form.toggleOption(list, 'Status');
			await form.searchOptions(list, 'priority');
			await screenshot('properties');
			await form.toggleOption(list, 'Priority > Name');
			await form.toggleOption(list, 'Customer > Display Name');
			await form.toggleOption(list, 'Location');
			await form.toggleOption(list, 'Task Refinement');
			await form.toggleOption(list, 'Due Date UTC, across time zones');
			await form.toggleOption(list, 'Address of Its Page');
			await editor.closeNode();
			await canvas.save();

			const readAnswer = async (file: WorkflowFile) => {
				await run(withCredential(file, openAi, '.lmChatOpenAi'), {
					action: 'sendMessage',
					chatInput: `What is open at ${site}?`,
					sessionId: 'build',
				});
				return model.toolResult();
			};
			const idsOf = (orders: IDataObject[]) => orders.map(({ Id }) => Number(Id)).sort();
			const built = idsOf(await readAnswer(await api.workflow(id)));
			const [{ records }] = await readAnswer(example);
			expect(built).toEqual(idsOf(records as IDataObject[]));
			expect(built.length).toBeGreaterThan(0);
		} finally {
			await api.deleteCredential(openAi);
			await model.close();
		}
	});
});
