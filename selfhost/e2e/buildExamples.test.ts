/**
 * The examples built by somebody who has never seen the API: actions found in the panel, values in
 * lists, data dragged from the node before. What is typed is what a person would say. What was built
 * is run beside the example, and changes the same in Corrigo.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import { itemsOf, type Workflow, type WorkflowFile } from '../n8n/api';
import { Editor, openBrowser } from '../browser/editor';
import { Canvas } from '../browser/canvas';
import { NodeForm } from '../browser/nodeForm';
import { owner, withCredential } from '../n8n/instance';
import { Control } from './sandboxClient';
import { LanguageModel } from './languageModel';
import { submitForm } from './webForm';
import { ownerAt, pictureFile, world } from './environment';

const examples = join(__dirname, '..', '..', 'examples');
const CORRIGO = 'Corrigo';

const isOwn = ({ type }: INode) => type.startsWith('n8n-nodes-corrigo.');
const isNote = ({ type }: INode) => type.endsWith('.stickyNote');

/** What is left of a workflow without some of its nodes: what led to them leads to what followed. */
function without({ name, nodes, connections }: WorkflowFile, gone: (node: INode) => boolean) {
	const kept = new Map(nodes.map((node) => [node.name, !gone(node)]));
	const beyond = (target: string, output = 0): string[] =>
		(connections[target]?.main[output] ?? []).flatMap(({ node }) =>
			kept.get(node) ? [node] : beyond(node),
		);
	const left = nodes.filter((node) => !gone(node));
	return {
		name,
		nodes: left,
		connections: Object.fromEntries(
			left.map(({ name: from }) => [
				from,
				{
					...connections[from],
					main: (connections[from]?.main ?? []).map((_, output) =>
						beyond(from, output).map((node) => ({ node, type: 'main' as const, index: 0 })),
					),
				},
			]),
		),
	};
}

describe('an example is built by choosing:', () => {
	const { url, controlUrl, credential } = world();
	const sandbox = new Control(controlUrl);
	const api = ownerAt(world());
	let browser: Browser;
	let editor: Editor;
	let canvas: Canvas;
	let form: NodeForm;
	let example: WorkflowFile;
	let id: string;

	const picture = async (name: string) => await editor.screenshot(pictureFile(name));

	beforeAll(async () => {
		browser = await openBrowser();
		editor = await Editor.logIn(browser, url, owner);
		canvas = new Canvas(editor);
		form = new NodeForm(editor);
	});

	afterAll(async () => {
		await browser?.close();
	});

	/** Opens the nodes of n8n that an example has; those of this package are what the test adds. */
	async function begin(file: string, pinned?: IDataObject) {
		example = JSON.parse(readFileSync(join(examples, `${file}.json`), 'utf8')) as WorkflowFile;
		const rest = without(example, (node) => isOwn(node) || isNote(node));
		const [first] = rest.nodes;
		const pinData = pinned && { [first.name]: [{ json: pinned }] };
		// Other specs find the examples by their names.
		const name = `${example.name}, by choosing`;
		({ id } = await api.createWorkflow({ ...rest, name, ...(pinData && { pinData }) }));
		await editor.openWorkflow(id);
	}

	/** Pages that wait for somebody are left out: nobody looks at them here. */
	async function run(file: WorkflowFile, said?: IDataObject) {
		const waits = ({ type }: INode) => type === 'n8n-nodes-base.form';
		const left = { ...without(file, waits), name: `${file.name}, run` };
		const made = await api.createWorkflow(withCredential(left, credential));
		const execution = await api.run(made, said);
		expect(execution).toMatchObject({ status: 'success' });
		return execution;
	}

	/** What was built, and the example, one after the other. */
	async function runBoth(said?: IDataObject) {
		await canvas.save();
		const built: Workflow = await api.workflow(id);
		await sandbox.forgetRequests();
		return { built: await run(built, said), example: await run(example, said) };
	}

	it('a request form becomes a work order', async () => {
		const request = {
			Site: 'Contoso Pharmacy',
			Problem: 'Water Heater: No hot water',
			'What is wrong?': 'No hot water in the kitchen',
			'Your name': 'Ava Brown',
			'Phone or email': '+1 555 0100',
			submittedAt: new Date().toISOString(),
		};
		await begin('request-form-to-work-order', request);
		await canvas.addBetween('Request form', 'Show the number', CORRIGO, 'Create a work order');
		await form.pick('Sub Type', 'Service Request', 'service');
		await form.drag('Site', 'Customer');
		await form.express('Asset', "{{ $json.Problem.split(': ')[0] }}");
		await form.express('Task', "{{ $json.Problem.split(': ')[1] }}");
		await form.drag('What is wrong?', 'Comment');
		await form.add('Add field', 'Compute Assignment');
		await form.add('Add field', 'Contact Address');
		await form.drag('Phone or email', 'Contact Address');
		await form.add('Add field', 'Contact Name');
		await form.drag('Your name', 'Contact Name');
		await editor.closeNode();

		await runBoth(request);

		const [one, other] = await sandbox.bodiesSentTo('/cmd/WoCreateCommand');
		expect(one.Command).toMatchObject({ WorkOrder: { ContactName: 'Ava Brown' } });
		expect(other.Command).toMatchObject(one.Command as IDataObject);
	});

	it('changed work orders go into a table every night', async () => {
		await sandbox.atTheDesktop({});
		await begin('nightly-export-to-a-table');
		const [before, behind] = ['Make sure of the table', 'Choose the columns'];
		await canvas.addBetween(before, behind, CORRIGO, 'Get many work orders');
		await form.turnOn('Return All');
		await form.add('Add filter');
		await picture('filters');
		await form.take('Last Changed in Last Days');
		await form.write('Last Changed in Last Days', '2');
		await editor.closeNode();

		const { built, example: asItIs } = await runBoth();

		const ordersOf = (execution: typeof built) =>
			itemsOf(execution, behind).map(({ json }) => json.workOrderId);
		expect(ordersOf(built)).toEqual(ordersOf(asItIs));
		expect(ordersOf(built).length).toBeGreaterThan(0);
	});

	it('emergencies are escalated before they are due', async () => {
		await begin('escalate-before-a-deadline');
		const trigger = 'Emergency is due soon';
		await canvas.addTrigger(CORRIGO, 'On work order deadline');
		await form.rename(trigger);
		await form.write('Minutes', '30');
		await form.add('Add condition');
		await form.look('Property', 'emergency');
		await form.entry('Priority > Is Emergency').waitFor();
		await picture('property-picker');
		await form.pickFound('Property', 'Priority > Is Emergency');
		await form.pick('Value', 'Yes');
		await editor.executeNode();
		await editor.closeNode();
		await canvas.addBehind(trigger, CORRIGO, 'Add a flag to a work order');
		await form.drag('Id', 'Work Order');
		await form.pick('Flag', 'Other');
		await editor.closeNode();
		await canvas.addBehind('Add a flag to a work order', CORRIGO, 'Create a work order note');
		await form.drag('Id', 'Work Order');
		await form.write('Body', 'Escalated to the duty manager');
		await form.choose('Type', 'Private');
		await editor.closeNode();
		await canvas.connect('Create a work order note', 'Message to the duty manager');

		await runBoth();

		const flags = await sandbox.bodiesSentTo('/cmd/WoFlagCommand');
		const flagged = flags.map(({ Command }) => {
			const { WorkOrderId, ActionReasonId } = Command as IDataObject;
			return { WorkOrderId, ActionReasonId };
		});
		expect(flagged.length).toBeGreaterThan(0);
		expect(flagged.slice(0, flagged.length / 2)).toEqual(flagged.slice(flagged.length / 2));
		expect(await sandbox.bodiesSentTo('/base/WoNote')).toHaveLength(flagged.length);
	});

	it('a photo from a form becomes a document of its work order', async () => {
		const order = await sandbox.atTheDesktop({});
		const show = 'What does it show?';
		await begin('photo-to-work-order', { 'Work order': order.Number, [show]: 'Damaged ceiling' });
		await canvas.addBetween('Photo form', 'Say thank you', CORRIGO, 'Upload a document');
		await form.switchMode('Work Order', 'By Number');
		await form.drag('Work order', 'Work Order');
		await form.write('Input Binary Field', 'Photo');
		await form.pick('Document Type', 'Picture');
		await form.add('Add field', 'Description');
		await form.drag(show, 'Description');
		await editor.closeNode();
		await canvas.save();
		await sandbox.forgetRequests();

		await submitForm(api, browser, await api.workflow(id), async (page) => {
			await page.getByLabel('Work order').fill(order.Number);
			const file = { name: 'ceiling.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a photo') };
			await page.locator('input[type=file]').setInputFiles(file);
			await page.getByLabel(show).fill('Damaged ceiling');
		});

		const [{ Entity }] = await sandbox.bodiesSentTo('/base/Document');
		expect(Entity).toMatchObject({
			ActorTypeId: 'WO',
			ActorId: order.Id,
			DocType: { Id: 3 },
			Description: 'Damaged ceiling',
			Blob: { FileName: 'ceiling.jpg' },
		});
	});

	it('vendor invoices are authorized or disputed by their amount', async () => {
		const { Id } = await sandbox.atTheDesktop({});
		const received = { WorkOrderid: Id, VendorInvoiceStatusId: 2 };
		await sandbox.atTheDesktop({ id: Id, command: 'ApStatusChangeCommand', members: received });
		await begin('vendor-invoice-approval');
		const trigger = 'Invoice entered a status';
		const read = 'Read the invoice';
		await canvas.addTrigger(CORRIGO, 'On vendor invoice entered ap status');
		await form.rename(trigger);
		await form.choose('Output', 'Work Order Only');
		await editor.executeNode();
		await editor.closeNode();
		await canvas.addBehind(trigger, CORRIGO, 'Get the vendor invoice and costs of a work order');
		await form.rename(read);
		await form.drag('Id', 'Work Order');
		await editor.executeNode();
		await editor.closeNode();
		await canvas.connect(read, 'Is it received?');
		for (const [output, status] of ['Authorized', 'Disputed'].entries()) {
			const action = 'Change the AP status of a vendor invoice';
			await canvas.addBehind('Within the limit?', CORRIGO, action, output);
			await form.drag('Id', 'Work Order', read);
			await form.pick('AP Status', status);
			await form.add('Add field', 'Expected Status');
			await form.drag('ApStatusId', 'Expected Status', read);
			await editor.closeNode();
		}

		const { built } = await runBoth();

		const authorized = itemsOf(built, 'Change the AP status of a vendor invoice');
		expect(authorized.map(({ json }) => json)).toContainEqual(
			expect.objectContaining({ Id, ApStateId: 'Authorized' }),
		);
	});

	it('an agent answers what is open at a site', async () => {
		// The example takes a part of a name, too: this is a part of no other.
		const site = 'Northwind Retail #2';
		const model = await LanguageModel.start([
			{ call: 'Open_work_orders', with: { Customer: site } },
			{ say: 'One work order is open.' },
			{ call: 'Open_work_orders', with: { site } },
			{ say: 'One work order is open.' },
		]);
		const account = { apiKey: 'none', url: model.url };
		const openAi = await api.createCredential('Model', 'openAiApi', account);
		try {
			await begin('ask-what-is-open');
			await canvas.addBelow('Agent', 'Tool', 'Corrigo Tool');
			await form.rename('Open work orders');
			await form.choose('Tool Description', 'Set Manually');
			await form.write('Description', 'Finds the open work orders of a site by its name');
			await form.choose('Operation', 'Get Many');
			await form.write('Limit', '20');
			await form.add('Add filter', 'Open');
			await form.add('Add filter', 'Customer');
			await form.letModelFill('Customer');
			await form.choose('Property Set', 'Selected');
			const list = 'Property Names or IDs';
			await form.tick(list, 'All Own Properties');
			await form.tick(list, 'Number');
			await form.tick(list, 'Status');
			await form.seek(list, 'priority');
			await picture('properties');
			await form.tick(list, 'Priority > Name');
			await form.tick(list, 'Customer > Display Name');
			await form.tick(list, 'Short Location');
			await form.tick(list, 'Task Refinement');
			await form.tick(list, 'Due Date Utc');
			await editor.closeNode();
			await canvas.save();

			const told = async (file: WorkflowFile) => {
				await run(withCredential(file, openAi, '.lmChatOpenAi'), {
					action: 'sendMessage',
					chatInput: `What is open at ${site}?`,
					sessionId: 'choosing',
				});
				return model.lastToolAnswer();
			};
			const built = await told(await api.workflow(id));
			expect(built).toEqual(await told(example));
			expect(built.length).toBeGreaterThan(0);
		} finally {
			await api.deleteCredential(openAi);
			await model.close();
		}
	});
});
