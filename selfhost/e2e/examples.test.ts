import { readFile } from 'node:fs/promises';

import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import { startSandbox } from '../../sandbox';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import { openBrowser } from '../browser/editor';
import { exampleFiles, importExamples, readExample } from '../examples';
import { itemsOf, type Workflow, type WorkflowFile } from '../n8n/api';
import { newConnection } from '../process/loopback';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';
import { pollTimes, webhookUrl } from '../workflows/triggerWorkflows';
import { manualWorkflow, ownerApi, takePageView, testEnvironment } from './environment';
import { LanguageModel } from './languageModel';
import { approve, Mailbox } from './mailbox';
import { SandboxClient } from './sandboxClient';
import { formUrl, submitForm } from './webForm';

/** Triggers that need no request from outside. */
const ORDER_PAGE = /http\S+\/workorderdetails\.aspx\/\d+/;
const STARTS_ALONE = /\.(scheduleTrigger|corrigoTrigger)$/;

/** The parts of an example that run by one click; without the credential of another service, what its canvas says. */
function runnableParts({ name, nodes }: WorkflowFile) {
	const notes = nodes.map(({ parameters }) => String(parameters.content ?? '')).join('\n');
	const [, last] =
		/Without a credential for .+?, run (?:only|up to) \*\*(.+?)\*\*/.exec(notes) ?? [];
	const starts = nodes.filter(({ type }) => STARTS_ALONE.test(type)).map((node) => node.name);
	const isStart = /(Trigger|\.webhook)$/.test(nodes.find((node) => node.name === last)?.type ?? '');
	const runnable = starts.filter((start) => start === last || !isStart);
	return runnable.map((start) => ({ name, start, last }));
}

describe('the example workflows in n8n', () => {
	const { url, controlUrl, credential } = testEnvironment();
	const sandbox = new SandboxClient(controlUrl);
	const api = ownerApi(testEnvironment());
	let browser: Browser;
	let examples: Workflow[];

	const exampleNamed = (name: string) => {
		const example = examples.find((each) => each.name === name);
		if (example === undefined) throw new Error(`There is no example "${name}"`);
		return example;
	};
	const jsonOf = (...from: Parameters<typeof itemsOf>) => itemsOf(...from).map(({ json }) => json);

	/** A problem that another system reports, with the names in Corrigo. */
	const report = {
		site: 'Harbor View Clinic',
		equipment: 'Water Heater',
		task: 'No hot water',
		text: 'Cold since Monday',
	};

	beforeAll(async () => {
		examples = await importExamples({ api, credential });
		browser = await openBrowser();
	});

	afterAll(async () => {
		await browser?.close();
	});

	beforeEach(async () => {
		await sandbox.forgetRequests();
	});

	it('are all imported', async () => {
		expect(examples).toHaveLength(exampleFiles().length);
	});

	it.each(exampleFiles().flatMap((file) => runnableParts(readExample(file))))(
		'run by one click: "$start" of $name',
		async ({ name, start, last }) => {
			const execution = await api.run(exampleNamed(name), undefined, start, last);

			expect(execution.error).toBeUndefined();
			expect(execution.status).toBe('success');
		},
	);

	it('use nothing that n8n 3.0 removes, as its migration report has it', async () => {
		const removed = {
			...manualWorkflow('Removed'),
			nodes: [{ ...manualWorkflow('').nodes[0], type: 'n8n-nodes-base.function' }],
		};
		const { id } = await api.createWorkflow(removed);

		const flagged = await api.flaggedWorkflows('v3');

		expect(flagged).toContainEqual(expect.objectContaining({ id }));
		const own = new Set(examples.map((example) => example.id));
		expect(flagged.filter((one) => own.has(one.id))).toEqual([]);
	});

	// Promise: The examples run as they are
	it('create a work order from a request form, only one if it is sent twice, and show its number', async () => {
		const send = async () =>
			await submitForm(api, browser, exampleNamed('Request form to work order'), async (page) => {
				await page.getByLabel('Site').selectOption('Harbor View Clinic');
				await page.getByLabel('Problem').selectOption('Elevator: Stuck between floors');
				await page.getByLabel('What is wrong?').fill('Stuck on the second floor');
				await page.getByLabel('Your name').fill('Ava Brown');
				await page.getByLabel('Phone or email').fill('+1 555 0100');
			});

		const shown = await send();

		expect(shown).toMatch(/Your request is work order [A-Z]{3}\d{7}: /);
		expect(shown).toMatch(ORDER_PAGE);
		expect(await send()).toBe(shown);
		const sent = await sandbox.bodiesSentTo('/cmd/WoCreateCommand');
		expect(sent).toEqual([
			expect.objectContaining({
				Command: expect.objectContaining({
					WorkOrder: expect.objectContaining({ ContactName: 'Ava Brown' }),
				}),
			}),
		]);
	});

	it('create a building below its work zone, and change its address', async () => {
		const enter = async (street: string) =>
			await submitForm(api, browser, exampleNamed('Building of a work zone'), async (page) => {
				await page.getByLabel('Work zone').selectOption('Chicago Loop');
				await page.getByLabel('Building').fill('Annex');
				await page.getByLabel('Street').fill(street);
			});

		expect(await enter('12 Main Street')).toContain('Annex was created.');
		expect(await enter('1 Lake Street')).toContain('Annex has its new address.');

		const [created, changed] = await sandbox.bodiesSentTo('/base/Location');
		expect(created.Entity).toMatchObject({ Name: 'Annex', Address: { Street: '12 Main Street' } });
		expect(changed).toMatchObject({
			Properties: ['Address.Street'],
			Entity: { Address: { Street: '1 Lake Street' } },
		});
	});

	it('attach a photo from a form to the work order with the given number', async () => {
		const order = await sandbox.actInDesktop({});
		const photo = Buffer.from('a photo');

		await submitForm(
			api,
			browser,
			exampleNamed('Photo from a form to a work order'),
			async (page) => {
				await page.getByLabel('Work order').fill(order.Number);
				await page
					.locator('input[type=file]')
					.setInputFiles({ name: 'ceiling.jpg', mimeType: 'image/jpeg', buffer: photo });
				await page.getByLabel('What does it show?').fill('Damaged ceiling');
			},
		);

		const [{ Entity }] = await sandbox.bodiesSentTo('/base/Document');
		expect(Entity).toMatchObject({
			ActorTypeId: 'WO',
			ActorId: order.Id,
			Description: 'Damaged ceiling',
			Blob: { FileName: 'ceiling.jpg', Body: photo.toString('base64') },
		});
	});

	it('complete the work order of an alarm when the alarm ends', async () => {
		const example = exampleNamed('Sensor alarms to one work order');
		const send = async (alarm: IDataObject) => {
			// The meters of other equipment have made an order, which the end of an alarm leaves open.
			const alarms = [{ tag: 'TAG10056', fault: 'No hot water', ...alarm }];
			return await api.run(example, { body: { alarms } } as IDataObject, 'Alarms');
		};

		const raised = await send({ message: '12 °C' });
		const ended = await send({ message: '60 °C', ended: true });

		expect([raised.status, ended.status]).toEqual(['success', 'success']);
		const [{ Id }] = jsonOf(raised, 'Create work order');
		expect(jsonOf(ended, 'Complete work order')).toEqual([
			expect.objectContaining({ Id, Status: 'Completed' }),
		]);
	});

	it('export changed work orders to a table', async () => {
		const order = await sandbox.actInDesktop({});

		const first = await api.run(exampleNamed('Nightly export to a table'));
		const again = await api.run(exampleNamed('Nightly export to a table'));

		expect(first).toMatchObject({ status: 'success' });
		const rowOf = (execution: typeof first) =>
			jsonOf(execution, 'Save rows').find(({ number }) => number === order.Number);
		expect(rowOf(first)).toMatchObject({ workOrderId: order.Id, status: 'New' });
		expect(rowOf(again)?.id).toBe(rowOf(first)?.id);
	});

	it('report the number of work orders in each status', async () => {
		const execution = await api.run(exampleNamed('Daily report with counts by status'));

		expect(execution).toMatchObject({ status: 'success' });
		const counts = jsonOf(execution, 'Count by status');
		const [{ text }] = jsonOf(execution, 'Report');
		for (const { Status, Count } of counts) {
			expect(text).toContain(`${String(Status)}: ${String(Count)}`);
		}
		expect(counts.length).toBeGreaterThan(0);
	});

	it('send a report on the last week by mail, as a page with charts', async () => {
		const mailbox = await Mailbox.start();
		const smtp = await api.createCredential('Report mail', 'smtp', mailbox.credential);
		const example = exampleNamed('Weekly report');
		const file = withCredential(example, smtp, '.emailSend');
		const page = await browser.newPage({ viewport: { width: 720, height: 600 } });
		try {
			const execution = await api.run(
				await api.createWorkflow({ ...file, name: 'Report by mail' }),
			);

			expect(execution).toMatchObject({ status: 'success' });
			const mail = await mailbox.mailWith('Work orders, week of');
			expect(mail).toMatch(/filename="?work-orders-\d{4}-\d\d-\d\d\.html/);
			const [{ html }] = jsonOf(execution, 'Page');
			await page.setContent(String(html));
			expect(await page.locator('rect').count()).toBe(16);
			const totals = await page.locator('.total td').allTextContents();
			const [total] = jsonOf(execution, 'Completed last week').slice(-1);
			expect(totals.slice(0, 2)).toEqual(['Total', String(total.Completed)]);
			const figures = await page.locator('.figures b').allTextContents();
			expect(figures).toEqual([
				expect.stringMatching(/^\d{2,}$/),
				expect.stringMatching(/^\d{2,}$/),
				expect.stringMatching(/^\d{2}%$/),
				expect.stringMatching(/^\d+ h$/),
			]);
			await takePageView(page, 'weekly-report');
		} finally {
			await page.close();
			await mailbox.close();
			await api.deleteCredential(smtp);
		}
	});

	it('score vendors on a page', async () => {
		const execution = await api.run(
			exampleNamed('Vendor scorecard'),
			undefined,
			'Every month',
			'Page',
		);

		expect(execution).toMatchObject({ status: 'success' });
		const [{ html }] = jsonOf(execution, 'Page');
		const page = await browser.newPage();
		try {
			await page.setContent(String(html));
			const figures = await page.locator('.figures b').allTextContents();
			expect(figures.filter((figure) => !/^[1-9]\d*%?$/.test(figure))).toEqual([]);
			const rows = await page.locator('.vendors tr').count();
			expect(rows).toBe(1 + jsonOf(execution, 'Performance by vendor').length);
			const total = await page.locator('.total td').allTextContents();
			expect(total.slice(3).filter((figure) => !/[1-9]/.test(figure))).toEqual([]);
			expect(await page.locator('.insurance td').allTextContents()).toContain('General Liability');
		} finally {
			await page.close();
		}
	});

	it('escalate emergencies that are due soon or overdue', async () => {
		const execution = await api.run(exampleNamed('Escalate before a deadline passes'));

		expect(execution).toMatchObject({ status: 'success' });
		const flagged = await sandbox.bodiesSentTo('/cmd/WoSetFlagsCommand');
		expect(flagged.length).toBeGreaterThan(0);
		expect(await sandbox.bodiesSentTo('/base/WoNote')).toHaveLength(flagged.length);
		expect(jsonOf(execution, 'Message to duty manager')).toHaveLength(flagged.length);
	});

	const usd = (Value: number) => ({ CurrencyTypeId: 'USD', Value });

	/** A vendor invoice of a new order is received. */
	const receiveInvoice = async (total: number, nte?: number) => {
		const order = await sandbox.actInDesktop({ invoice: { VendorInvoiceTotal: usd(total) } });
		if (nte !== undefined) {
			await sandbox.actInDesktop({ id: order.Id, members: { VendorNte: usd(nte) } });
		}
		const members = { WorkOrderid: order.Id, VendorInvoiceStatusId: 2 };
		await sandbox.actInDesktop({ id: order.Id, command: 'ApStatusChangeCommand', members });
		return order;
	};

	it.each<[string, [number, number?], number[], string[]]>([
		['authorize a received vendor invoice within the vendor NTE', [250, 250], [5], []],
		['dispute a received vendor invoice above the vendor NTE', [250.5, 250], [7], []],
		[
			'leave a received vendor invoice without a vendor NTE to a person',
			[250],
			[],
			['the work order has no vendor NTE'],
		],
	])('%s', async (_, amounts, statuses, reasons) => {
		const { Id, Number: number } = await receiveInvoice(...amounts);

		const execution = await api.run(exampleNamed('Vendor invoice approval'));

		expect(execution).toMatchObject({ status: 'success' });
		const sent = await sandbox.bodiesSentTo('/cmd/ApStatusChangeCommand');
		const commands = sent.map(({ Command }) => Command as IDataObject);
		expect(commands.filter(({ WorkOrderid }) => WorkOrderid === Id)).toEqual(
			statuses.map((VendorInvoiceStatusId) =>
				expect.objectContaining({ WorkOrderid: Id, CurrentStatusId: 2, VendorInvoiceStatusId }),
			),
		);
		const texts = jsonOf(execution, 'Message to approver').map(({ text }) => String(text));
		expect(texts.filter((text) => text.includes(number))).toEqual(
			reasons.map((reason) => expect.stringContaining(`: ${reason}. http`) as string),
		);
	});

	it('hand an authorized vendor invoice to accounting and record its payment', async () => {
		const { Id, Number: workOrder } = await sandbox.actInDesktop({});
		const authorized = { WorkOrderid: Id, VendorInvoiceStatusId: 5 };
		await sandbox.actInDesktop({ id: Id, command: 'ApStatusChangeCommand', members: authorized });
		const example = exampleNamed('Vendor invoices to accounting');
		const payment = { workOrder, amount: 612.5, currency: 'USD', check: '10023' };
		const payments = { body: { payments: [{ ...payment, date: '2026-03-31' }] } };

		const exported = await api.run(example);
		const paid = await api.run(example, payments, 'Payments');

		expect([exported.status, paid.status]).toEqual(['success', 'success']);
		expect(jsonOf(exported, 'Save invoices')).toContainEqual(
			expect.objectContaining({ workOrderId: Id, workOrder, currency: 'USD', lines: '[]' }),
		);
		expect(jsonOf(exported, 'Set to Exported')).toContainEqual(
			expect.objectContaining({ Id, ApState: 'Exported' }),
		);
		expect(jsonOf(paid, 'Submit payment')).toEqual([
			expect.objectContaining({ Id, ApState: 'Paid', CheckNumber: '10023' }),
		]);
		const again = await api.run(example, payments, 'Payments');
		expect(jsonOf(again, 'Message to accounting')).toEqual([
			{ text: expect.stringContaining(workOrder) },
		]);
	});

	it('write one entry for a completed order, although two executions return it', async () => {
		const { Id: id, Number: workOrder } = await sandbox.actInDesktop({});
		for (const command of ['WoPickUpCommand', 'WoStartCommand', 'WoCompleteCommand']) {
			await sandbox.actInDesktop({ id, command });
		}
		const example = exampleNamed('Completed orders to accounting');

		const first = await api.run(example);
		const again = await api.run(example);

		const entries = ({ runData }: typeof first) =>
			(runData['Create entry'] ?? []).flatMap(({ data }) => data?.main[0] ?? []);
		expect(first).toMatchObject({ status: 'success' });
		expect(entries(first).map(({ json }) => json)).toContainEqual({
			entry: expect.stringMatching(/^Test WoActionLog /),
			workOrder,
			customer: expect.any(String),
		});
		expect(again).toMatchObject({ status: 'success' });
		expect(jsonOf(again, 'Work order completed')).toEqual(jsonOf(first, 'Work order completed'));
		expect(entries(again)).toEqual([]);
	});

	it('create the work order of a ticket, and follow its status', async () => {
		const example = exampleNamed('Ticket to work order and its status');
		const body = { ...report, ticket: 'T-4712', zone: 'Chicago Loop', priority: 'High' };

		const created = await api.run(example, { body }, 'New ticket');
		const [{ workOrder, status }] = jsonOf(created, 'Save ticket');
		expect([created.status, status]).toEqual(['success', 'New']);
		const [{ Id }] = jsonOf(created, 'Create work order');
		await sandbox.actInDesktop({ id: Number(Id), command: 'WoPickUpCommand' });
		const followed = await api.run(example, undefined, 'Status changed');

		expect(followed.status).toBe('success');
		expect(jsonOf(followed, 'Save status')).toContainEqual(
			expect.objectContaining({ ticket: 'T-4712', workOrder, status: 'Open' }),
		);
	});

	it('let a failed ticket wait in a table, and try it three times', async () => {
		const example = exampleNamed('Failed items wait in a table');
		const row = (tries: number) => ({ ...failing, tries, error: expect.any(String) as unknown });
		const failing = { ...report, ticket: 'T-4721', site: 'Nowhere' };
		const tryAgain = async () => await api.run(example, undefined, 'Every 15 minutes');
		// A scheduled run before the first ticket finds no table.
		const idle = await tryAgain();
		const active = await api.activate(example);
		try {
			const response = await fetch(`${url}/webhook/tickets-that-wait`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...newConnection },
				body: JSON.stringify({ tickets: [{ ...report, ticket: 'T-4720' }, failing] }),
			});
			expect(response.status).toBe(200);
		} finally {
			await api.deactivate(active);
		}
		expect(await sandbox.bodiesSentTo('/cmd/WoCreateCommand')).toHaveLength(1);

		const second = await tryAgain();
		const third = await tryAgain();
		const fourth = await tryAgain();

		expect(jsonOf(second, 'Save failed ticket')).toMatchObject([row(2)]);
		expect(jsonOf(third, 'Save failed ticket')).toMatchObject([row(3)]);
		expect(jsonOf(third, 'Message to team')).toEqual([{ text: expect.stringContaining('T-4721') }]);
		expect(jsonOf(fourth, 'Get waiting tickets')).toEqual([]);
		const corrected = { body: { tickets: [{ ...failing, site: report.site }] } };
		const created = await api.run(example, corrected, 'New tickets');
		expect(jsonOf(created, 'Delete from table')).toMatchObject([row(3)]);
		expect([idle, second, third, fourth, created].map(({ status }) => status)).toEqual(
			Array.from({ length: 5 }, () => 'success'),
		);
	});

	it('keep tickets and work orders in step, and report what differs', async () => {
		const example = exampleNamed('Tickets and work orders in step');
		const ticket = { ...report, ticket: 'T-4713', poNumber: 'PO-1', contact: 'Ava' };
		const send = async (change: IDataObject) =>
			await api.run(example, { body: { ...ticket, ...change } }, 'Ticket changed');
		const row = (values: IDataObject) => expect.objectContaining(values) as unknown;

		const empty = await api.run(example, undefined, 'Every night');
		expect(empty.status).toBe('success');
		expect(JSON.stringify(jsonOf(empty, 'Report'))).not.toMatch(
			/Ticket {2}|ticket ,|undefined|null/,
		);

		const created = await send({});
		const [{ Id: id, Number: workOrder }] = jsonOf(created, 'Read work order');
		const change = async (members: IDataObject) =>
			await sandbox.actInDesktop({ id: Number(id), members });
		expect(jsonOf(created, 'Save ticket')).toEqual([
			row({ workOrder, status: 'New', poNumber: 'PO-1', contact: 'Ava' }),
		]);

		await change({ ContactName: 'Ben' });
		const updated = await send({ poNumber: 'PO-2', contact: 'Cleo' });
		expect(jsonOf(updated, 'Save ticket')).toEqual([row({ poNumber: 'PO-2', contact: 'Ben' })]);
		const echo = await send({ poNumber: 'PO-3', changedBy: 'Corrigo' });
		expect(jsonOf(echo, 'Create or update work order')).toEqual([]);
		expect(jsonOf(echo, 'Values from Corrigo')).toEqual([row({ poNumber: 'PO-3' })]);

		await change({ PoNumber: 'PO-9' });
		const followed = await api.run(example, undefined, 'Work order changed');
		expect(jsonOf(followed, 'Save to ticket')).toEqual([row({ poNumber: 'PO-9' })]);
		const again = await api.run(example, undefined, 'Work order changed');
		expect(jsonOf(again, 'Changed in Corrigo')).toEqual([]);

		await change({ ContactName: 'Dan' });
		const reported = await api.run(example, undefined, 'Every night');
		const [{ text }] = jsonOf(reported, 'Report');
		expect(String(text).split('\n')).toContainEqual(
			expect.stringMatching(
				`^Ticket T-4713 and its work order differ: contact Ben / Dan\\. http\\S+/${Number(id)}$`,
			),
		);
		expect([created, updated, echo, followed, again, reported].map(({ status }) => status)).toEqual(
			Array.from({ length: 6 }, () => 'success'),
		);
	});

	it('report at night what one side of tickets and work orders has alone, and nothing while both are empty', async () => {
		const file = JSON.stringify(readExample('tickets-and-work-orders-in-step.json'));
		const companies = await Promise.all(
			[1, 2].map(async () => await startSandbox({ workOrders: 0 })),
		);
		const [used, unused] = await Promise.all(
			companies.map(
				async (each, index) =>
					await api.createCredential(`Company ${index + 1}`, credential.type, each.credentials),
			),
		);
		/** The example with a table of its own. */
		const create = async (table: string, access: typeof used) => {
			const own = JSON.parse(file.replaceAll('"Tickets in step"', `"${table}"`)) as WorkflowFile;
			return await api.createWorkflow({ ...withCredential(own, access), name: table });
		};
		const reportAtNight = async (example: Workflow) => {
			const execution = await api.run(example, undefined, 'Every night');
			expect(execution).toMatchObject({ status: 'success' });
			return jsonOf(execution, 'Report');
		};
		try {
			const both = await create('Tickets of a test', used);
			expect(await reportAtNight(both)).toEqual([]);

			const body = { ...report, ticket: 'T-4715', poNumber: 'PO-1', contact: 'Ava' };
			const created = await api.run(both, { body }, 'Ticket changed');
			const [{ Number: workOrder }] = jsonOf(created, 'Read work order');

			expect(await reportAtNight(both)).toEqual([]);
			expect(await reportAtNight(await create('Tickets of a test', unused))).toEqual([
				{ text: 'Ticket T-4715 has no work order' },
			]);
			expect(await reportAtNight(await create('No tickets', used))).toEqual([
				{
					text: expect.stringMatching(
						`^Work order ${String(workOrder)} belongs to ticket T-4715, which is missing: http`,
					),
				},
			]);
		} finally {
			await api.deleteCredential(used);
			await api.deleteCredential(unused);
			await Promise.all(companies.map(async (each) => await each.close()));
		}
	});

	it('report a new visit to the dispatcher once, and keep a table of visits', async () => {
		const example = exampleNamed('New and changed visits');
		const inHours = (hours: number) =>
			new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19);
		const members = { DtScheduledStart: inHours(20), DtOnSiteBy: inHours(30) };
		const { Id: id, Number: workOrder } = await sandbox.actInDesktop({ members });

		const scheduled = await api.run(example, undefined, 'New, scheduled soon');
		const needed = await api.run(example, undefined, 'New, on site soon');
		const changed = await api.run(example, undefined, 'Order changed');

		expect([scheduled, needed, changed].map(({ status }) => status)).toEqual([
			'success',
			'success',
			'success',
		]);
		const message = { text: expect.stringContaining(workOrder) as string, workOrder };
		expect(jsonOf(scheduled, 'Message to dispatcher')).toContainEqual(message);
		expect(jsonOf(needed, 'New, on site soon')).toContainEqual(
			expect.objectContaining({ Number: workOrder }),
		);
		expect(jsonOf(needed, 'Message to dispatcher')).not.toContainEqual(message);
		const row = expect.objectContaining({
			workOrderId: id,
			onSiteBy: expect.any(String),
		}) as object;
		expect(jsonOf(changed, 'Save visit')).toContainEqual(row);
		for (const command of ['WoPickUpCommand', 'WoStartCommand', 'WoCompleteCommand']) {
			await sandbox.actInDesktop({ id, command });
		}
		const completed = await api.run(example, undefined, 'Order changed');
		expect(jsonOf(completed, 'Delete visit')).toContainEqual(row);
	});

	it('wait until the work order of a ticket is completed, and resume when the trigger reports it', async () => {
		const example = exampleNamed('Waiting for a status');
		const active = await api.activate(example);
		try {
			const response = await fetch(`${url}/webhook/ticket-to-work-order`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...newConnection },
				body: JSON.stringify({ ...report, ticket: 'T-4711' }),
			});
			expect(response.status).toBe(200);
			const waiting = await api.waitForWaitingExecution(example);
			const [{ Id: id, Number: workOrder }] = jsonOf(waiting, 'Create work order');
			expect(jsonOf(waiting, 'Save resume URL')).toMatchObject([{ externalNumber: 'T-4711' }]);
			for (const command of ['WoPickUpCommand', 'WoStartCommand', 'WoCompleteCommand']) {
				await sandbox.actInDesktop({ id: Number(id), command });
			}

			const resuming = await api.run(example, undefined, 'Status changed');
			const ended = await api.execution(waiting.id);

			expect([resuming.status, ended.status]).toEqual(['success', 'success']);
			expect(jsonOf(ended, 'Result')).toEqual([
				{
					ticket: 'T-4711',
					workOrder,
					url: expect.stringMatching(ORDER_PAGE),
					status: 'Completed',
				},
			]);
			expect(jsonOf(ended, 'Delete resume URL')).toMatchObject([{ externalNumber: 'T-4711' }]);
			const again = await api.run(example, undefined, 'Status changed');
			expect(jsonOf(again, 'Find resume URL')).toEqual([]);
		} finally {
			await api.deactivate(active);
		}
	});

	// n8n polls when it activates a workflow, so the test need not wait for the next minute.
	it('ask a person by message about a vendor invoice, and authorize it', async () => {
		const mailbox = await Mailbox.start();
		const smtp = await api.createCredential('Mail', 'smtp', mailbox.credential);
		const example = exampleNamed('Vendor invoice approval by message');
		const file = { ...withCredential(example, smtp, '.emailSend'), name: 'Approval by mail' };
		const created = await api.createWorkflow(file);
		await api.deactivate(await api.activate(created));
		const { Id, Number: workOrder } = await receiveInvoice(300, 250);
		const workflow = await api.activate(created);
		try {
			const mail = await mailbox.mailWith(`Vendor invoice of work order ${workOrder}`);
			await approve(mail, api, workflow);
			const changed = await waitFor(
				'the invoice has its new status',
				async () => await sandbox.bodiesSentTo('/cmd/ApStatusChangeCommand'),
				({ length }) => length > 0,
			);

			expect(changed).toEqual([
				expect.objectContaining({
					Command: expect.objectContaining({
						...{ WorkOrderid: Id, VendorInvoiceStatusId: 5 },
						Comment: expect.stringMatching(
							/^Authorized by message at \d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
						),
					}),
				}),
			]);
		} finally {
			await api.deactivate(workflow);
			await mailbox.close();
			await api.deleteCredential(smtp);
		}
	});

	it('create and update customers from a file that a person has approved, and return the outcome', async () => {
		const example = exampleNamed('Customers from a file');
		const csv = [
			'Tenant code,Name,DBA,Work zone,Tax exempt,Instructions',
			'T1009,Harbor View Clinic,,,,Ring twice',
			'E2E-1,New Clinic,,Chicago Loop,no,',
			'E2E-2,Other Clinic,,Nowhere,no,',
		].join('\n');
		const active = await api.activate(example);
		const page = await browser.newPage();
		try {
			await page.goto(formUrl(api, example));
			const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
			await page.locator('input[type=file]').setInputFiles(file);
			await page.getByRole('button', { name: 'Submit' }).click();

			await page.getByText('Customers to create: 1, to change: 1, unchanged: 0.').waitFor();
			await page.getByText('Row 4 (Other Clinic): ').waitFor();
			await page.getByLabel('Go ahead?').selectOption('Yes');
			const downloading = page.waitForEvent('download');
			await page.getByRole('button', { name: 'Submit' }).click();
			const outcome = await readFile(await (await downloading).path(), 'utf8');

			expect(outcome.split('\n').map((row) => row.trim())).toEqual([
				expect.stringContaining('Outcome,Changed,ID,What to do'),
				expect.stringMatching(/^T1009,.*Ring twice,updated,Instructions,110,$/),
				expect.stringMatching(/^E2E-1,New Clinic,.*,created,,\d+,$/),
				expect.stringMatching(/^E2E-2,.*failed,.*Nowhere/),
			]);
		} finally {
			await page.close();
			await api.deactivate(active);
		}
	});

	it('report an emergency once, although a push and a poll return it', async () => {
		const { nodes, ...example } = exampleNamed('Emergency to a chat message');
		const [pushed, polled] = ['Emergency (webhook)', 'Emergency (polling)'];
		// A poll may still be under way when the test ends, and would send its requests during the next one.
		const own = await startSandbox({ workOrders: 20 });
		const access = await api.createCredential('Emergency', credential.type, own.credentials);
		const file = {
			...example,
			name: 'Emergency, polled often',
			nodes: nodes.map((node) =>
				node.name === polled
					? { ...node, parameters: { ...node.parameters, pollTimes: pollTimes(5) } }
					: node,
			),
		};
		const workflow = await api.createWorkflow(withCredential(file, access));
		const active = await api.activate(workflow);
		const outputs = async (name: string) => {
			const ended = await api.executions(workflow.id, 'success');
			const executions = await Promise.all(ended.map(async ({ id }) => await api.execution(id)));
			return executions.flatMap((execution) => jsonOf(execution, name));
		};
		try {
			const emergency = workOrderShape.parse({ members: { Priority: { Id: 1 } } });
			const { Number: number } = actAsColleague(own.world, emergency);
			const webhookId = workflow.nodes.find(({ name }) => name === pushed)?.webhookId;
			await own.push({ url: webhookUrl({ url }, String(webhookId)) });

			for (const name of [pushed, polled]) {
				await waitFor(
					`${name} has returned the order`,
					async () => await outputs(name),
					(items) => items.some((item) => item.Number === number),
				);
			}

			const messages = await outputs('Chat message');
			expect(messages.filter(({ workOrder }) => workOrder === number)).toEqual([
				{
					text: expect.stringContaining(`Emergency ${String(number)} at`) as string,
					workOrder: number,
				},
			]);
		} finally {
			await api.deactivate(active);
			await api.deleteCredential(access);
			await own.close();
		}
	});

	/** Asks the agent of an example about a site, and returns what its model reads of the tool. */
	async function askAgent(site: string) {
		const model = await LanguageModel.start([
			{ call: 'Open_work_orders', with: { site } },
			{ say: 'This is what the tool returned.' },
		]);
		const openAi = await api.createCredential('Model', 'openAiApi', {
			apiKey: 'none',
			url: model.url,
		});
		try {
			const example = exampleNamed('Ask what is open at a site');
			const file = {
				...withCredential(example, openAi, '.lmChatOpenAi'),
				name: 'Chat with a model',
			};
			const execution = await api.run(await api.createWorkflow(file), {
				action: 'sendMessage',
				chatInput: `What is open at ${site}?`,
				sessionId: 'e2e',
			});
			expect(execution).toMatchObject({ status: 'success' });
			expect(jsonOf(execution, 'Agent')).toEqual([
				expect.objectContaining({ output: 'This is what the tool returned.' }),
			]);
			return model.toolResult();
		} finally {
			await api.deleteCredential(openAi);
			await model.close();
		}
	}

	// Promise: The node works as a tool for AI agents
	it('let an agent answer which orders are open at a site, with the node as its tool', async () => {
		const [{ records, total, complete }] = await askAgent('Harbor View');

		const [query] = await sandbox.bodiesSentTo('/query/WorkOrder');
		expect(JSON.stringify(query)).toContain('%Harbor View%');
		const rows = records as IDataObject[];
		expect([rows.length > 0, total, complete]).toEqual([true, rows.length, true]);
		for (const row of rows) {
			expect((row.Customer as IDataObject).DisplayAs).toContain('Harbor View');
		}
	});

	it('let a model read that nothing is open at a site', async () => {
		expect(await askAgent('Nowhere')).toEqual([
			{ records: [], total: 0, order: 'newest first', complete: true },
		]);
	});

	it.each([
		['refuses the request', 400, 'Not today'],
		['is down', 503, 'Corrigo is not available right now'],
	])('let a model read that Corrigo %s', async (_, code, message) => {
		const body = { ErrorCode: 'BUSINESS_LOGIC_ERROR', ErrorMessage: message };
		const match = { server: 'api', pathIncludes: '/query/WorkOrder' } as const;
		const answer = await sandbox.withFault(
			{ match, kind: 'status', status: code, ...(code === 400 && { body }), times: 9 },
			async () => await askAgent('Harbor View'),
		);

		expect(answer).toEqual([
			expect.objectContaining({ error: expect.stringContaining(message) as string }),
		]);
	});
});
