import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import { itemsOf, type Workflow } from '../n8n/api';
import { Editor, openBrowser } from '../browser/editor';
import { importExamples, owner } from '../n8n/instance';
import { Control } from './sandboxClient';
import { LanguageModel } from './languageModel';
import { submitForm } from './webForm';
import { ownerAt, pictureFile, world } from './environment';

const root = join(__dirname, '..', '..');

describe('the example workflows in a real n8n', () => {
	const { url, controlUrl, credential } = world();
	const sandbox = new Control(controlUrl);
	const api = ownerAt(world());
	let browser: Browser;
	let editor: Editor;
	let examples: Workflow[];

	const named = (name: string) => {
		const example = examples.find((each) => each.name === name);
		if (example === undefined) throw new Error(`There is no example "${name}"`);
		return example;
	};
	const jsonOf = (...from: Parameters<typeof itemsOf>) => itemsOf(...from).map(({ json }) => json);

	beforeAll(async () => {
		examples = await importExamples({ api, credential }, join(root, 'examples'));
		browser = await openBrowser();
		editor = await Editor.logIn(browser, url, owner);
	});

	afterAll(async () => {
		await browser?.close();
	});

	beforeEach(async () => {
		await sandbox.forgetRequests();
	});

	it('are imported as they are, all of them', async () => {
		const files = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.json'));
		expect(examples).toHaveLength(files.length);
		await editor.openWorkflow(named('Request form to work order').id);
		await editor.fitView();
		await editor.screenshot(pictureFile('example'));
	});

	it('make a work order of a request form and show its number', async () => {
		const shown = await submitForm(
			api,
			browser,
			named('Request form to work order'),
			async (page) => {
				await page.getByLabel('Site').selectOption('Harbor View Clinic');
				await page.getByLabel('Problem').selectOption('Elevator: Stuck between floors');
				await page.getByLabel('What is wrong?').fill('Stuck on the second floor');
				await page.getByLabel('Your name').fill('Ava Brown');
				await page.getByLabel('Phone or email').fill('+1 555 0100');
			},
		);

		expect(shown).toMatch(/Your request is work order [A-Z]{3}\d{7}\./);
		const sent = await sandbox.bodiesSentTo('/cmd/WoCreateCommand');
		expect(sent).toEqual([
			expect.objectContaining({
				Command: expect.objectContaining({
					WorkOrder: expect.objectContaining({ ContactName: 'Ava Brown' }),
				}),
			}),
		]);
	});

	it('attach a photo from a form to the work order of that number', async () => {
		const order = await sandbox.atTheDesktop({});
		const photo = Buffer.from('a photo');

		await submitForm(api, browser, named('Photo from a form to a work order'), async (page) => {
			await page.getByLabel('Work order').fill(order.Number);
			await page
				.locator('input[type=file]')
				.setInputFiles({ name: 'ceiling.jpg', mimeType: 'image/jpeg', buffer: photo });
			await page.getByLabel('What does it show?').fill('Damaged ceiling');
		});

		const [{ Entity }] = await sandbox.bodiesSentTo('/base/Document');
		expect(Entity).toMatchObject({
			ActorTypeId: 'WO',
			ActorId: order.Id,
			Description: 'Damaged ceiling',
			Blob: { FileName: 'ceiling.jpg', Body: photo.toString('base64') },
		});
	});

	it('export changed work orders to a table', async () => {
		const order = await sandbox.atTheDesktop({});

		const first = await api.run(named('Nightly export to a table'));
		const again = await api.run(named('Nightly export to a table'));

		expect(first).toMatchObject({ status: 'success' });
		const rowOf = (execution: typeof first) =>
			jsonOf(execution, 'Write the rows').find(({ number }) => number === order.Number);
		expect(rowOf(first)).toMatchObject({ workOrderId: order.Id, status: 'New' });
		expect(rowOf(again)?.id).toBe(rowOf(first)?.id);
	});

	it('report how many orders there are in each status', async () => {
		const execution = await api.run(named('Daily report with counts by status'));

		expect(execution).toMatchObject({ status: 'success' });
		const counts = jsonOf(execution, 'Count by status');
		const [{ text }] = jsonOf(execution, 'Report');
		for (const { StatusId, Count } of counts) {
			expect(text).toContain(`${String(StatusId)}: ${String(Count)}`);
		}
		expect(counts.length).toBeGreaterThan(0);
	});

	it('escalate emergencies that are soon due, or were', async () => {
		const execution = await api.run(named('Escalate before a deadline passes'));

		expect(execution).toMatchObject({ status: 'success' });
		const flagged = await sandbox.bodiesSentTo('/cmd/WoFlagCommand');
		expect(flagged.length).toBeGreaterThan(0);
		expect(await sandbox.bodiesSentTo('/base/WoNote')).toHaveLength(flagged.length);
		expect(jsonOf(execution, 'Message to the duty manager')).toHaveLength(flagged.length);
	});

	it('authorize a vendor invoice that was received', async () => {
		const { Id } = await sandbox.atTheDesktop({});
		const received = { WorkOrderid: Id, VendorInvoiceStatusId: 2 };
		await sandbox.atTheDesktop({ id: Id, command: 'ApStatusChangeCommand', members: received });

		const execution = await api.run(named('Vendor invoice approval'));

		expect(execution).toMatchObject({ status: 'success' });
		expect(jsonOf(execution, 'Authorize it')).toContainEqual(
			expect.objectContaining({ Id, ApStateId: 'Authorized' }),
		);
		const [{ Command }] = await sandbox.bodiesSentTo('/cmd/ApStatusChangeCommand');
		expect(Command).toMatchObject({ CurrentStatusId: 2 });
	});

	it('make one entry of a completed order, whichever execution it comes with', async () => {
		const { Id: id, Number: workOrder } = await sandbox.atTheDesktop({});
		for (const command of ['WoPickUpCommand', 'WoStartCommand', 'WoCompleteCommand']) {
			await sandbox.atTheDesktop({ id, command });
		}
		const example = named('Completed orders to the books');

		const first = await api.run(example);
		const again = await api.run(example);

		expect(first).toMatchObject({ status: 'success' });
		expect(jsonOf(first, 'Entry for the books')).toContainEqual({
			entry: expect.stringMatching(/^Test WoActionLog /),
			workOrder,
			customer: expect.any(String),
		});
		expect(again).toMatchObject({ status: 'success' });
		expect(jsonOf(again, 'Each change once', 1)).toEqual(jsonOf(again, 'Work order completed'));
		expect(jsonOf(again, 'Entry for the books')).toEqual([]);
	});

	it('wait for the status of the order of a ticket, and go on when the trigger tells of it', async () => {
		const example = named('Waiting for a status');
		const active = await api.activate(example);
		try {
			const answer = await fetch(`${url}/webhook/ticket-to-work-order`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({
					ticket: 'T-4711',
					site: 'Harbor View Clinic',
					equipment: 'Water Heater',
					task: 'No hot water',
					text: 'Cold since Monday',
				}),
			});
			expect(answer.status).toBe(200);
			const waits = await api.waiting(example);
			const [{ Id: id, Number: workOrder }] = jsonOf(waits, 'Create the work order');
			expect(jsonOf(waits, 'Remember who waits')).toMatchObject([{ externalNumber: 'T-4711' }]);
			for (const command of ['WoPickUpCommand', 'WoStartCommand', 'WoCompleteCommand']) {
				await sandbox.atTheDesktop({ id: Number(id), command });
			}

			const woken = await api.run(example, undefined, 'Entered a status');
			const ended = await api.execution(waits.id);

			expect([woken.status, ended.status]).toEqual(['success', 'success']);
			expect(jsonOf(ended, 'What came of it')).toEqual([
				{ ticket: 'T-4711', workOrder, status: 'Completed' },
			]);
			expect(jsonOf(ended, 'Forget who waited')).toMatchObject([{ externalNumber: 'T-4711' }]);
			const again = await api.run(example, undefined, 'Entered a status');
			expect(jsonOf(again, 'Find who waits')).toEqual([]);
		} finally {
			await api.deactivate(active);
		}
	});

	it('answer what is open at a site, by an agent with the node as its tool', async () => {
		const model = await LanguageModel.start([
			{ call: 'Open_work_orders', with: { site: 'Harbor View' } },
			{ say: 'One work order is open at Harbor View Clinic.' },
		]);
		try {
			const example = named('Ask what is open at a site');
			const openAi = await api.createCredential('Model', 'openAiApi', {
				apiKey: 'none',
				url: model.url,
			});
			const nodes = example.nodes.map((node) =>
				node.type.endsWith('.lmChatOpenAi')
					? { ...node, credentials: { openAiApi: { id: openAi.id, name: openAi.name } } }
					: node,
			);
			const chat = await api.createWorkflow({ ...example, name: 'Chat with a model', nodes });

			const execution = await api.run(chat, {
				action: 'sendMessage',
				chatInput: 'What is open at Harbor View?',
				sessionId: 'e2e',
			});
			await api.deleteCredential(openAi);

			expect(execution).toMatchObject({ status: 'success' });
			expect(jsonOf(execution, 'Agent')).toEqual([
				expect.objectContaining({ output: 'One work order is open at Harbor View Clinic.' }),
			]);
			const [query] = await sandbox.bodiesSentTo('/query/WorkOrder');
			expect(JSON.stringify(query)).toContain('%Harbor View%');
			const told = model.lastToolAnswer();
			expect(told.length).toBeGreaterThan(0);
			for (const row of told) {
				expect((row.Customer as IDataObject).DisplayAs).toContain('Harbor View');
			}
		} finally {
			await model.close();
		}
	});
});
