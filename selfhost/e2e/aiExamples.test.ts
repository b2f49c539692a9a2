/** The examples with a language model in them, whose part a script plays; all else is real. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';

import { itemsOf, type Credential, type WorkflowFile } from '../n8n/api';
import { openBrowser } from '../browser/editor';
import { withCredential } from '../n8n/instance';
import { until } from '../waitFor';
import { Control } from './sandboxClient';
import { LanguageModel } from './languageModel';
import { Mailbox } from './mailbox';
import { ownerAt, world } from './environment';

const examples = join(__dirname, '..', '..', 'examples');

const PERSON =
	'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const { url, controlUrl, credential } = world();
const sandbox = new Control(controlUrl);
const api = ownerAt(world());

/** An example with the credentials that its other nodes need, by the ends of their types. */
async function imported(file: string, credentials: Record<string, Credential>) {
	const example = JSON.parse(readFileSync(join(examples, `${file}.json`), 'utf8')) as WorkflowFile;
	const { nodes, ...rest } = withCredential(example, credential);
	const given = (node: INode): INode => {
		const found = Object.entries(credentials).find(([end]) => node.type.endsWith(end))?.[1];
		if (found === undefined) return node;
		return { ...node, credentials: { [found.type]: { id: found.id, name: found.name } } };
	};
	return await api.createWorkflow({
		...rest,
		name: `${rest.name} (models)`,
		nodes: nodes.map(given),
	});
}

beforeEach(async () => {
	await sandbox.forgetRequests();
});

it('a request in plain words becomes a work order once a person has said so', async () => {
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
		const example = await imported('triage-of-requests', {
			'.lmChatOpenAi': openAi,
			'.emailSend': smtp,
		});
		const active = await api.activate(example);
		const page = await browser.newPage();
		const trigger = example.nodes.find(({ type }) => type.endsWith('.formTrigger'));
		await page.goto(`${url}/form/${trigger?.webhookId}`);
		await page
			.getByLabel('What is wrong, and where?')
			.fill('The papers of the lift at the clinic end tomorrow');
		await page.getByLabel('Your name').fill('Ava Brown');
		await page.getByLabel('Phone or email').fill('+1 555 0100');
		await page.getByRole('button', { name: 'Submit' }).click();

		const mail = await mailbox.first();
		expect(mail).toContain('Urgent: a request at harbor view clinic');
		expect(mail).toContain('Ava Brown reports: The papers of the lift at the clinic end tomorrow');
		expect(await sandbox.bodiesSentTo('/cmd/WoCreateCommand')).toEqual([]);

		const [answer] = mail.match(/https?:\/\/[^\s"<>]*approved=true[^\s"<>]*/) ?? [];
		await until(
			'the workflow waits for the answer',
			async () => await api.executions(example.id, 'waiting'),
			({ length }) => length > 0,
		);
		// n8n takes no answer from programs that look links up.
		await fetch(String(answer).replaceAll('&amp;', '&'), { headers: { 'user-agent': PERSON } });
		const [{ id }] = await until(
			'the request was worked on',
			async () => await api.executions(example.id, 'success'),
			({ length }) => length > 0,
		);
		await api.deactivate(active);

		const [{ json }] = itemsOf(await api.execution(id), 'Create the work order');
		expect(json).toMatchObject({
			StatusId: 'New',
			ContactName: 'Ava Brown',
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

it('a desk for programs with a model finds, reads, creates and adds notes', async () => {
	const token = 'a secret of the desk';
	const bearer = await api.createCredential('Desk', 'httpBearerAuth', { token });
	const example = await imported('desk-for-language-models', { '.mcpTrigger': bearer });
	const active = await api.activate(example);
	const client = new Client({ name: 'test', version: '1.0.0' });
	const connect = async (secret: string) =>
		await client.connect(
			new StreamableHTTPClientTransport(new URL(`${url}/mcp/corrigo-desk`), {
				requestInit: { headers: { authorization: `Bearer ${secret}` } },
			}),
		);
	const use = async (name: string, said: IDataObject) => {
		const { content } = await client.callTool({ name, arguments: said });
		return (content as Array<{ text: string }>).map(({ text }) => text).join('');
	};
	const first = (text: string) => (JSON.parse(text) as IDataObject[])[0];
	try {
		await expect(connect('another one')).rejects.toThrow();
		await connect(token);
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name).sort()).toEqual([
			'Add_a_note',
			'Create_a_work_order',
			'Find_work_orders',
			'Work_order_details',
		]);
		for (const { inputSchema } of tools) {
			for (const one of Object.values(inputSchema.properties ?? {})) {
				expect((one as IDataObject).description).toBeTruthy();
			}
		}

		const site = 'Pine Street Dental';
		const report = { site, equipment: 'Roof', task: 'Leak > 1 gallon/hour', comment: 'It drips' };
		const created = first(
			await use('Create_a_work_order', { ...report, contact: 'null', phone: '' }),
		);
		const found = await use('Find_work_orders', { site, open: true, days: 1, words: 'drips' });
		await use('Add_a_note', { number: created.Number, text: 'A bucket is in place' });
		const details = await use('Work_order_details', { number: created.Number });
		const refused = await use('Create_a_work_order', {
			...report,
			site: 'Pine Street',
			contact: '',
			phone: '',
		});

		expect(found).toContain(String(created.Number));
		expect(details).toContain('Assistant: A bucket is in place');
		expect(refused).toMatch(/'Customer' is \\?"Pine Street\\?"/);
		expect(refused).toMatch(/Pine Street Dental, T\d+ \(ID 111\)/);
		expect(await sandbox.bodiesSentTo('/cmd/WoCreateCommand')).toHaveLength(1);
	} finally {
		await client.close();
		await api.deactivate(active);
		await api.deleteCredential(bearer);
	}
});
