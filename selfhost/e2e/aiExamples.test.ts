/** Examples with a language model. A script replaces the model; everything else is real. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IDataObject } from 'n8n-workflow';

import { openBrowser } from '../browser/editor';
import { readExample } from '../examples';
import { itemsOf, type Credential } from '../n8n/api';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';
import { ownerApi, testEnvironment } from './environment';
import { LanguageModel } from './languageModel';
import { approve, Mailbox } from './mailbox';
import { SandboxClient } from './sandboxClient';
import { formUrl } from './webForm';

const { url, controlUrl, credential } = testEnvironment();
const sandbox = new SandboxClient(controlUrl);
const api = ownerApi(testEnvironment());

/** Imports an example with the credential for the sandbox, and others for the given node types. */
async function importExample(file: string, credentials: Record<string, Credential>) {
	const example = Object.entries(credentials).reduce(
		(workflow, [nodeType, other]) => withCredential(workflow, other, nodeType),
		withCredential(readExample(file), credential),
	);
	return await api.createWorkflow({ ...example, name: `${example.name} (AI)` });
}

/** What a model says stays text, also if n8n would evaluate it where an author writes it. */
const LIKE_EXPRESSION = '={{ JSON.stringify($input.all()) }} and {{ 6 * 7 }}';

beforeEach(async () => {
	await sandbox.forgetRequests();
});

it('creates a work order from a request in plain words after a person has approved it', async () => {
	const model = await LanguageModel.start([
		{
			say: JSON.stringify({
				site: 'harbor view clinic',
				equipment: 'Elevator',
				task: 'Certificate renewal',
				summary: 'The certificate of the elevator ends tomorrow',
				urgent: true,
			}),
		},
	]);
	const mailbox = await Mailbox.start();
	const browser = await openBrowser();
	const openAi = await api.createCredential('Model', 'openAiApi', {
		apiKey: 'none',
		url: model.url,
	});
	const smtp = await api.createCredential('Mail', 'smtp', mailbox.credential);
	try {
		const example = await importExample('triage-of-requests.json', {
			'.lmChatOpenAi': openAi,
			'.emailSend': smtp,
		});
		const active = await api.activate(example);
		const page = await browser.newPage();
		await page.goto(formUrl(api, example));
		await page
			.getByLabel('What is wrong, and where?')
			.fill('The papers of the lift at the clinic end tomorrow');
		await page.getByLabel('Your name').fill('Ava Brown');
		await page.getByLabel('Phone or email').fill('+1 555 0100');
		await page.getByRole('button', { name: 'Submit' }).click();

		const mail = await mailbox.mailWith('Urgent: a request at harbor view clinic');
		expect(mail).toMatch(/Ava Brown.+reports: .*The papers of the lift at the clinic end tomorrow/);
		expect(await sandbox.bodiesSentTo('/cmd/WoCreateCommand')).toEqual([]);

		await approve(mail, api, example);
		const [{ id }] = await waitFor(
			'the workflow has succeeded',
			async () => await api.executions(example.id, 'success'),
			({ length }) => length > 0,
		);
		await api.deactivate(active);

		const [{ json }] = itemsOf(await api.execution(id), 'Create work order');
		expect(json).toMatchObject({
			Status: 'New',
			AlreadyExisted: false,
		});
		const sent = await sandbox.bodiesSentTo('/cmd/WoCreateCommand');
		expect(sent).toHaveLength(1);
		expect(JSON.stringify(sent)).toContain('The certificate of the elevator ends tomorrow');
	} finally {
		await browser.close();
		await mailbox.close();
		await model.close();
		await api.deleteCredential(openAi);
		await api.deleteCredential(smtp);
	}
});

it('offers AI clients tools that find, read and create work orders and add notes', async () => {
	const token = 'the token of the server';
	const bearer = await api.createCredential('Desk', 'httpBearerAuth', { token });
	const example = await importExample('desk-for-language-models.json', { '.mcpTrigger': bearer });
	const active = await api.activate(example);
	const client = new Client({ name: 'test', version: '1.0.0' });
	const connect = async (secret: string) =>
		await client.connect(
			new StreamableHTTPClientTransport(new URL(`${url}/mcp/corrigo-desk`), {
				requestInit: { headers: { authorization: `Bearer ${secret}` } },
			}),
		);
	const callTool = async (name: string, input: IDataObject) => {
		const { content } = await client.callTool({ name, arguments: input });
		return (content as Array<{ text: string }>).map(({ text }) => text).join('');
	};
	const first = (text: string) => (JSON.parse(text) as IDataObject[])[0];
	try {
		await expect(connect('another one')).rejects.toThrow();
		await connect(token);
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name).sort()).toEqual([
			'Add_note',
			'Create_work_order',
			'Find_work_orders',
			'Get_work_order_details',
		]);
		for (const { inputSchema } of tools) {
			for (const one of Object.values(inputSchema.properties ?? {})) {
				expect((one as IDataObject).description).toBeTruthy();
			}
		}

		const site = 'Pine Street Dental';
		const report = { site, equipment: 'Roof', task: 'Leak > 1 gallon/hour', comment: 'It drips' };
		const created = first(
			await callTool('Create_work_order', { ...report, contact: 'null', phone: '' }),
		);
		const found = await callTool('Find_work_orders', { site, open: true, days: 1, words: 'drips' });
		await callTool('Add_note', { number: created.Number, text: 'A bucket is in place' });
		await callTool('Add_note', { number: created.Number, text: LIKE_EXPRESSION });
		const details = await callTool('Get_work_order_details', { number: created.Number });
		const refused = await callTool('Create_work_order', {
			...report,
			site: 'Pine Street',
			contact: '',
			phone: '',
		});

		expect(found).toContain(String(created.Number));
		expect(details).toContain('Assistant: A bucket is in place');
		expect(details).toContain(`Assistant: ${LIKE_EXPRESSION}`);
		expect(refused).toMatch(/'Customer': no customer is named \\?"Pine Street\\?"/);
		expect(refused).toMatch(/\\?"Pine Street Dental\\?", \\?"T\d+\\?" \(ID 111\)/);
		expect(await sandbox.bodiesSentTo('/cmd/WoCreateCommand')).toHaveLength(1);
	} finally {
		await client.close();
		await api.deactivate(active);
		await api.deleteCredential(bearer);
	}
});

// Promise: The node works as a tool for AI agents
it('lets an agent choose among the operations of one tool', async () => {
	const order = await sandbox.actInDesktop({});
	await sandbox.forgetRequests();
	const call = (operation: string, fields: IDataObject) => ({
		call: 'Open_work_orders',
		with: { operation, fields: JSON.stringify(fields) },
	});
	const model = await LanguageModel.start([
		call('describe workOrder:getMany', {}),
		call('workOrder:getMany', { filters: { open: true }, limit: 2 }),
		call('note:create', { workOrder: order.Number, type: 'Private', body: LIKE_EXPRESSION }),
		{ say: 'Two orders.' },
	]);
	const openAi = await api.createCredential('Model', 'openAiApi', {
		apiKey: 'none',
		url: model.url,
	});
	try {
		const example = await importExample('ask-what-is-open.json', { '.lmChatOpenAi': openAi });
		const parameters = { writes: ['note:create'] };
		const nodes = example.nodes.map((node) =>
			node.type === 'n8n-nodes-corrigo.corrigoTool'
				? { ...node, type: 'n8n-nodes-corrigo.corrigoDeskTool', parameters }
				: node,
		);
		const { name, connections, settings } = example;
		const chat = await api.createWorkflow({ name: `${name} (desk)`, nodes, connections, settings });
		const item = { action: 'sendMessage', chatInput: 'What is open?', sessionId: 'desk' };
		const execution = await api.run(chat, item);
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		expect(model.toolResult()).toMatchObject([{ Body: LIKE_EXPRESSION }]);
		expect(model.toolResult(1)).toMatchObject([{ records: [{}, {}], total: 2 }]);
		const notes = await sandbox.bodiesSentTo('/base/WoNote');
		expect(notes).toMatchObject([{ Entity: { Body: LIKE_EXPRESSION } }]);
	} finally {
		await model.close();
		await api.deleteCredential(openAi);
	}
});

describe("as a tool of n8n's own agents, which are not workflows", () => {
	const noteTool = (workOrder: string, options: IDataObject) => ({
		type: 'node',
		name: 'Add note',
		description: 'Adds a note',
		node: {
			nodeType: 'n8n-nodes-corrigo.corrigoTool',
			nodeTypeVersion: 1,
			credentials: { [credential.type]: { id: credential.id, name: credential.name } },
			nodeParameters: {
				...{ resource: 'note', operation: 'create', type: 'Private', options },
				workOrder: { __rl: true, mode: 'number', value: workOrder },
				body: "={{ $fromAI('text', 'Text of the note', 'string') }}",
			},
		},
	});

	// Promise: The node works as a tool for AI agents
	it.each([
		['writes the text that a model says as it is', {}, 1],
		['writes nothing with Dry Run: When Testing', { dryRun: 'manual' }, 0],
	])('%s', async (_, options, written) => {
		const { Number: number } = await sandbox.actInDesktop({});
		await sandbox.forgetRequests();
		const model = await LanguageModel.start([
			{ call: 'Add_note', with: { text: LIKE_EXPRESSION } },
			{ say: 'The note is there.' },
		]);
		const account = { apiKey: 'none', url: model.url };
		const openAi = await api.createCredential('Model', 'openAiApi', account);
		try {
			const agent = await api.createAgent('Notes', openAi, [noteTool(number, options)]);
			await api.chat(agent, 'Add a note.');

			expect(JSON.stringify(model.toolResult<IDataObject>())).toContain(
				JSON.stringify(LIKE_EXPRESSION),
			);
			const notes = await sandbox.bodiesSentTo('/base/WoNote');
			expect(notes).toHaveLength(written);
			for (const { Entity } of notes) expect(Entity).toMatchObject({ Body: LIKE_EXPRESSION });
		} finally {
			await model.close();
			await api.deleteCredential(openAi);
		}
	});

	it('tells the model what Corrigo says about a failed call, and what to do', async () => {
		const model = await LanguageModel.start([
			{ call: 'Add_note', with: { text: 'A bucket is in place' } },
			{ say: 'That did not work.' },
		]);
		const account = { apiKey: 'none', url: model.url };
		const openAi = await api.createCredential('Model', 'openAiApi', account);
		try {
			const agent = await api.createAgent('Lost notes', openAi, [noteTool('NONE-1', {})]);
			await api.chat(agent, 'Add a note.');

			expect(model.toolResult<IDataObject>()).toEqual({
				error: expect.stringMatching(/NONE-1.*nextAction: /s) as string,
			});
		} finally {
			await model.close();
			await api.deleteCredential(openAi);
		}
	});
});
