/** Each expression that README and guide name does what its sentence says, in the field that it names. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import type { Sandbox } from '../../../sandbox';
import { actAsColleague } from '../../../sandbox/desktop';
import {
	asText,
	byId,
	byName,
	connectEngine,
	idsOf,
	itemsOf,
	jsonOf,
	shareCompany,
	some,
} from '../../support/company';
import type { Engine } from '../../support/engine';
import { TYPE, typeOfNode } from '../../support/nodes';
import { otherNodes, outside, runnable } from '../../support/otherNodes';

const company = shareCompany();
const { n8n, records, requests } = company;
let sandbox: Sandbox;
let engine: Engine;

beforeAll(() => {
	({ sandbox } = company);
	engine = connectEngine(sandbox, {
		corrigo: Corrigo,
		corrigoTrigger: CorrigoTrigger,
		...otherNodes,
	});
});

beforeEach(() => outside.reset());

const root = join(__dirname, '..', '..', '..');

const readPages = () => {
	const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
	return ['README.md', 'examples/README.md', ...docs.map((path) => `docs/${path}`)]
		.filter((path) => path.endsWith('.md'))
		.map((path) => readFileSync(join(root, path), 'utf8'));
};

/** The code spans and blocks with an expression, and `$now`, which needs no braces in a text. */
const named = readPages().flatMap((page) =>
	[...page.matchAll(/`(?:``text\s+)?([^`\n]*{{.*?}}[^`\n]*?|\$now)\s*`/g)].map(
		([, expression]) => expression,
	),
);

const firstOrder = () => records.rows('WorkOrder')[0];
const report = (members: IDataObject = {}) => actAsColleague(sandbox.world, { members });
const inDays = (days: number) =>
	new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19);

/** Runs nodes one after the other; those without a type are the Corrigo node. */
async function runChain(
	nodes: Array<{ name: string; type?: string; parameters: INodeParameters; executeOnce?: true }>,
	items = itemsOf(undefined),
) {
	const names = nodes.map(({ name }) => name);
	const workflow = runnable({
		name: 'Guide',
		nodes: nodes.map((node, index) => ({
			...{ id: String(index), typeVersion: 1, position: [0, 0] as [number, number] },
			...{ type: typeOfNode('corrigo'), ...node },
		})),
		connections: Object.fromEntries(
			names
				.slice(1)
				.map((node, index) => [
					names[index],
					{ main: [[{ node, type: 'main' as const, index: 0 }]] },
				]),
		),
	});
	const run = await engine.runWorkflow({ ...workflow, items });
	expect(run.error).toBeUndefined();
	return run;
}

const textNode = (value: string) => ({
	name: 'Message',
	type: 'n8n-nodes-base.set',
	parameters: {
		assignments: { assignments: [{ id: '1', name: 'text', type: 'string', value: `=${value}` }] },
	},
});

/** Returns what an expression gives for each test event of a trigger. */
async function evaluateTestEvents(event: string, expression: string) {
	const { items } = await engine.poll('corrigoTrigger', { parameters: { event }, mode: 'manual' });
	const run = await runChain([textNode(expression)], items ?? []);
	return idsOf(jsonOf(run.output('Message')), 'text');
}

/** Returns what a model reads of a tool. */
async function ask(parameters: INodeParameters, said: IDataObject) {
	const { items, error } = await engine.runTool({ parameters, arguments: said });
	expect(error).toBeUndefined();
	return JSON.parse(String(items[0].json.response)) as IDataObject[];
}

const search = (parameters: INodeParameters): INodeParameters => ({
	...{ resource: 'workOrder', operation: 'getMany', limit: 3 },
	...parameters,
});

/** The approval of vendor invoices, as docs/guide/costs-and-invoices.md builds it. */
const INVOICE = {
	order: '{{ $json.Id }}',
	number: '{{ $json.WorkOrderNumber }}',
	isWithin:
		'{{ $json.VendorInvoiceTotal?.Value > 0 && $json.VendorInvoiceTotal.Value <= $json.VendorNte?.Value && $json.VendorInvoiceTotal.CurrencyTypeId === $json.VendorNte.CurrencyTypeId }}',
	total: '{{ $json.VendorInvoiceTotal?.Value }}',
	nte: '{{ $json.VendorNte?.Value }}',
	status: "{{ $json.data.approved ? 'Authorized' : 'Disputed' }}",
	id: "{{ $('Get invoice').item.json.Id }}",
};

/** An invoice above its NTE is approved, one within it disputed, and a person decides about one without an NTE or a total. */
async function approveInvoices() {
	const orders = records.ids('WorkOrder').slice(0, 4);
	const usd = (Value: number) => ({ Value, CurrencyTypeId: 'USD' });
	const statuses = records.rows('ApInvoiceStatus');
	const received = statuses.find(({ DisplayAs }) => DisplayAs === 'Received')?.Id;
	orders.forEach((Id, index) => {
		const VendorInvoiceTotal = usd([280, 250, 1, 0][index]);
		const invoice = { ApStateId: 'Received', ApStatusId: received, VendorInvoiceTotal };
		records.change('WorkOrderCost', Id, invoice);
		records.change('WorkOrder', Id, { VendorNte: index === 2 ? null : usd(250) });
	});
	const assign = (name: string, type: string, value: string) => ({ id: name, name, type, value });
	const message = `=${INVOICE.number}: ${INVOICE.total}/${INVOICE.nte} ${INVOICE.isWithin}`;
	const changes: INodeParameters = {
		...{ resource: 'invoice', operation: 'changeApStatus', id: byId(`=${INVOICE.id}`) },
		apStatus: byName(`=${INVOICE.status}`),
		additionalFields: { expectedStatus: byName('Received') },
	};
	const asked = {
		assignments: {
			assignments: [
				assign('text', 'string', message),
				assign('data', 'object', '={{ { approved: $json.VendorInvoiceTotal.Value > 250 } }}'),
			],
		},
	};
	const get: INodeParameters = { resource: 'invoice', operation: 'get' };
	const run = await runChain(
		[
			{ name: 'Get invoice', parameters: { ...get, id: byId(`=${INVOICE.order}`) } },
			{ name: 'Ask', type: 'n8n-nodes-base.set', parameters: asked },
			{ name: 'Change AP Status', parameters: changes },
		],
		orders.map((Id) => ({ json: { Id } })),
	);
	const numbers = orders.map((Id) => records.get('WorkOrder', Id).Number);
	expect(idsOf(jsonOf(run.output('Ask')), 'text')).toEqual([
		`${numbers[0]}: 280/250 false`,
		`${numbers[1]}: 250/250 true`,
		expect.stringMatching(new RegExp(`^${numbers[2]}: 1/\\S* false$`)),
		`${numbers[3]}: 0/250 false`,
	]);
	expect(orders.map((Id) => records.get('WorkOrderCost', Id).ApStateId)).toEqual([
		...['Authorized', 'Disputed', 'Disputed', 'Disputed'],
	]);
}

/** One run tries all of its expressions. */
let approval: Promise<void> | undefined;
const approveOnce = async () => await (approval ??= approveInvoices());

/** The claim of a page about each expression, tried with the expression as it stands there. */
const YESTERDAY = "{{ $today.minus(1, 'day') }}";
const TODAY = '{{ $today }}';

async function findCompletedYesterday(): Promise<void> {
	// Workflows without a time zone of their own have that of n8n, which is New York by default.
	const today = DateTime.now().setZone('America/New_York').startOf('day');
	const yesterday = today.minus({ days: 1 });
	const [before, last] = [yesterday, today].map((start) => start.minus({ seconds: 1 }));
	const logged = [before, yesterday, last, today].map((moment) =>
		records.insert('WoActionLog', {
			...{ WorkOrderId: firstOrder().Id, TypeId: 'Complete' },
			SystemDateUtc: moment.toUTC().toISO(),
		}),
	);
	const run = await n8n.succeed('workOrder:getChanges', {
		...{ event: 'workOrderCompleted', from: `=${YESTERDAY}`, until: `=${TODAY}` },
		returns: 'event',
	});
	expect(idsOf(jsonOf(run.items))).toEqual(idsOf(logged.slice(1, 3)));
}

const claims: Record<string, (expression: string) => Promise<void>> = {
	// The orders that were completed yesterday.
	[YESTERDAY]: findCompletedYesterday,
	[TODAY]: findCompletedYesterday,

	// A date of a condition moves with every poll.
	"{{ $now.plus(2, 'days') }}": async (expression) => {
		const poll = async (staticData?: IDataObject) =>
			await engine.poll('corrigoTrigger', {
				parameters: {
					event: 'workOrderCreated',
					searchBy: 'conditions',
					conditions: {
						values: [
							{
								property: byName('DtDue'),
								operator: 'LessOrEqual',
								value: asText(`=${expression}`),
							},
						],
					},
				},
				staticData,
			});
		const { staticData } = await poll();
		const [soon] = [1, 3].map((days) => report({ DtDue: inDays(days), DueDateUtc: inDays(days) }));
		const { items, error } = await poll(staticData);
		expect(error).toBeUndefined();
		expect(idsOf(jsonOf(items ?? []))).toEqual([soon.Id]);
	},

	// A tool takes what its model must not change from another node.
	"{{ $('Webhook').item.json.body.site }}": async (expression) => {
		const [site, other] = idsOf(records.rows('Customer'), 'DisplayAs').map(String);
		const said = JSON.stringify(JSON.stringify({ site: other }));
		const run = await engine.runWorkflow({
			nodes: [
				{ name: 'Webhook', type: TYPE.start },
				{
					name: 'Tool',
					type: `${typeOfNode('corrigo')}Tool`,
					parameters: search({ filters: { customer: byName(`=${expression}`) } }),
				},
				{
					name: 'Agent',
					type: TYPE.requestingAgent,
					parameters: { arguments: `={{ JSON.parse(${said}) }}` },
				},
			],
			connections: {
				Webhook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
				Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
			},
			items: [{ json: { body: { site } } }],
		});
		expect(run.error).toBeUndefined();
		expect(JSON.stringify(jsonOf(run.items))).toContain(site);
		expect(JSON.stringify(jsonOf(run.items))).not.toContain(other);
	},

	// Remove Duplicates lets each change through once.
	'{{ $json.ChangeKey }}': async (expression) => {
		const polled = await engine.poll('corrigoTrigger', {
			parameters: { event: 'workOrderCreated' },
			mode: 'manual',
		});
		const items = polled.items ?? [];
		const once = {
			name: 'Remove Duplicates',
			type: 'n8n-nodes-base.removeDuplicates',
			parameters: { dedupeValue: `=${expression}`, fieldsToCompare: '' },
		};
		const passed = async () => (await runChain([once], items)).output(once.name);
		expect(await passed()).toHaveLength(items.length);
		expect(items.length).toBeGreaterThan(0);
		expect(await passed()).toEqual([]);
	},

	...Object.fromEntries(Object.values(INVOICE).map((expression) => [expression, approveOnce])),

	// The output of an update puts the old values back.
	'{{ $json.Before }}': async (expression) => {
		const { Id, PoNumber } = firstOrder();
		const options = { returnBefore: true };
		const form = { id: byId(Id), fieldsMode: 'json', fieldsJson: '{"PoNumber": "Y-1"}', options };
		const { items } = await n8n.succeed('workOrder:update', form);
		expect(firstOrder().PoNumber).toBe('Y-1');
		const undo = { entity: byName('WorkOrder'), before: `=${expression}` };
		await n8n.succeed('record:restoreValues', undo, { items });
		expect(firstOrder().PoNumber).toEqual(PoNumber);
	},

	// And so does what was read before an update, but for what somebody else has changed since.
	"{{ { EntityType: 'WorkOrder', Id: $json.Id, PoNumber: $json.PoNumber, Written: { PoNumber: 'Y-1' } } }}":
		async (expression) => {
			const [old, other] = records.ids('WorkOrder');
			records.change('WorkOrder', old, { PoNumber: 'X-1' });
			records.change('WorkOrder', other, { PoNumber: 'X-2' });
			const items = [old, other].map((Id, index) => ({ json: { Id, PoNumber: `X-${index + 1}` } }));
			records.change('WorkOrder', old, { PoNumber: 'Y-1' });
			records.change('WorkOrder', other, { PoNumber: 'Z-1' });
			const undo = { entity: byName('WorkOrder'), before: `=${expression}` };
			await n8n.succeed('record:restoreValues', undo, { items });
			expect(records.get('WorkOrder', old).PoNumber).toBe('X-1');
			expect(records.get('WorkOrder', other).PoNumber).toBe('Z-1');

			// A field that was empty needs the other spelling that the page names.
			const orNull = expression.replace(': $json.PoNumber', ': $json.PoNumber ?? null');
			records.change('WorkOrder', old, { PoNumber: 'Y-1' });
			await n8n.succeed(
				'record:restoreValues',
				{ ...undo, before: `=${orNull}` },
				{ items: [{ json: { Id: old } }] },
			);
			expect(records.get('WorkOrder', old).PoNumber).toBeUndefined();
		},

	// Work orders that are read, written or delivered by a trigger have their address.
	'{{ $json.Url }}': async (expression) => {
		const { Id } = firstOrder();
		const operations: INodeParameters[] = [
			{ resource: 'workOrder', operation: 'get', id: byId(Id) },
			{ resource: 'workOrder', operation: 'update', id: byId(Id), fieldsJson: '{"PoNumber": "1"}' },
		];
		const texts: unknown[] = [];
		for (const form of operations) {
			const parameters = { ...form, fieldsMode: 'json' };
			const run = await runChain([{ name: 'Order', parameters }, textNode(expression)]);
			texts.push(...idsOf(jsonOf(run.output('Message')), 'text'));
		}
		const delivered = await evaluateTestEvents('workOrderCreated', expression);
		expect(texts).toEqual([
			expect.stringMatching(`^http.*/${Id}$`),
			expect.stringMatching(`^http.*/${Id}$`),
		]);
		expect(delivered).toContainEqual(expect.stringMatching(/^http.*\/\d+$/));
	},

	'{{ $json.WorkOrder.Url }}': async (expression) => {
		for (const event of ['noteAdded', 'documentAdded', 'workOrderCompleted']) {
			const delivered = await evaluateTestEvents(event, expression);
			expect(delivered).toContainEqual(expect.stringMatching(/^http.*\/\d+$/));
		}
	},

	// The same operation with the key writes what was approved.
	"{{ $('Preview').item.json.ConfirmationKey }}": async (expression) => {
		const ids = records.ids('WorkOrder').slice(0, 2);
		const update = (options: INodeParameters): INodeParameters => ({
			...{ resource: 'workOrder', operation: 'update', options },
			...{ id: byId("={{ $('Start').item.json.x }}"), fieldsMode: 'json' },
			fieldsJson: '={{ { PoNumber: "P" + $("Start").item.json.x } }}',
		});
		await runChain(
			[
				{ name: 'Start', type: 'n8n-nodes-base.noOp', parameters: {} },
				{ name: 'Preview', parameters: update({ dryRun: 'always' }) },
				{ name: 'Write', parameters: update({ confirmationKey: `=${expression}` }) },
			],
			itemsOf(...ids),
		);
		expect(ids.map((id) => records.get('WorkOrder', id).PoNumber)).toEqual(
			ids.map((id) => `P${id}`),
		);
	},

	// The input of the second node is the dry run, which has the orders no longer.
	"{{ $('Get many work orders').item.json.Id }}": async (expression) => {
		const update = (id: string, options: INodeParameters): INodeParameters => ({
			...{ resource: 'workOrder', operation: 'update', id: byId(id), options },
			...{ fieldsMode: 'json', fieldsJson: '{ "PoNumber": "Approved" }' },
		});
		const search = { resource: 'workOrder', operation: 'getMany', limit: 2 };
		const confirmationKey = '={{ $json.ConfirmationKey }}';
		const run = await runChain([
			{ name: 'Get many work orders', parameters: search },
			{ name: 'Preview', parameters: update('={{ $json.Id }}', { dryRun: 'always' }) },
			{ name: 'Write', parameters: update(`=${expression}`, { confirmationKey }) },
		]);
		const ids = jsonOf(run.output('Get many work orders')).map(({ Id }) => Number(Id));
		expect(ids.map((id) => records.get('WorkOrder', id).PoNumber)).toEqual([
			...['Approved', 'Approved'],
		]);
	},

	// Two photos with one file name are two, and a photo that is sent again is not stored again.
	'Photo of {{ $json.submittedAt }}': async (title) => {
		const file = { data: 'UA==', mimeType: 'image/jpeg', fileName: 'photo.jpg' };
		const order = records.newOrder({
			attachments: { values: [{ documentType: byId(3), title: `=${title}` }] },
			preventDuplicates: { skipIfExternalNumberExists: true, addFilesToExistingOrder: true },
			additionalFields: { externalNumber: 'T-22' },
		});
		const [first, second] = ['2026-03-02T09:00:00Z', '2026-03-02T09:05:00Z'];
		for (const submittedAt of [first, second, second, first]) {
			const items = [{ json: { submittedAt }, binary: { data: file } }];
			await n8n.succeed('workOrder:create', order, { items });
		}
		const titles = idsOf(records.rows('Document'), 'Title').filter((one) =>
			/^Photo of 2026/.test(String(one)),
		);
		expect(titles).toEqual([`Photo of ${first}`, `Photo of ${second}`]);
	},

	// Optional input.
	"{{ $json.name || 'Unknown' }}": async (expression) => {
		const body = `=${expression}`;
		const form = { workOrder: byId(firstOrder().Id), body, type: 'Public' };
		const items = [{ json: { name: 'Ava' } }, { json: {} }, { json: { name: '' } }];
		await n8n.succeed('note:create', form, { items });
		const sent = requests.bodies().map(({ Entity }) => Entity.Body);
		expect(sent).toEqual(['Ava', 'Unknown', 'Unknown']);
	},

	// The choices of a field are one text, and fields without choices have none.
	"{{ $json.Choices?.join(', ') }}": async (expression) => {
		const describe: INodeParameters = {
			...{ resource: 'record', operation: 'describe', entity: byName('WorkOrder') },
		};
		const run = await runChain([{ name: 'Describe', parameters: describe }, textNode(expression)]);
		const names = idsOf(jsonOf(run.output('Describe')), 'Name');
		const texts = idsOf(jsonOf(run.output('Message')), 'text');
		expect(texts[names.indexOf('Priority.Id')]).toBe('Emergency, High, Low, Standard');
		expect(texts[names.indexOf('PoNumber')] ?? '').toBe('');
	},

	// A model fills in a field.
	"{{ $fromAI('site', 'Name of the site', 'string') }}": async (expression) => {
		const site = String(records.rows('Customer')[0].DisplayAs);
		const filters = { customer: byName(`=${expression}`) };
		const found = await ask(search({ filters }), { site });
		expect(found.length).toBeGreaterThan(0);
		for (const order of found) expect(JSON.stringify(order.Customer)).toContain(site);
	},

	// A model searches as it likes.
	[`{{ $fromAI('criteria', 'Conditions in the format of Corrigo, such as {"Conditions": [{"PropertyName": "StatusId", "Operator": "In", "Values": ["New"]}]}', 'json') }}`]:
		async (expression) => {
			const [, criteria] = /such as (.*)', 'json'/.exec(expression) ?? [];
			const form = search({ searchBy: 'json', criteriaJson: `=${expression}` });
			const found = await ask(form, { criteria: JSON.parse(criteria) as IDataObject });
			expect(found.length).toBeGreaterThan(0);
			expect(new Set(found.map(({ StatusId, Status }) => StatusId ?? Status))).toEqual(
				new Set(['New']),
			);
		},

	// A text of a model that looks like an expression stays text.
	'={{ $json.id }}': async (text) => {
		const body = "={{ $fromAI('text', 'Text of the note', 'string') }}";
		const workOrder = byId(firstOrder().Id);
		await ask({ resource: 'note', operation: 'create', workOrder, body, type: 'Public' }, { text });
		expect(requests.bodies()).toEqual([some({ Entity: some({ Body: text }) })]);
	},

	// A time with a zone is written by the clock of the work zone.
	$now: async () => {
		const { Id } = records.orderIn('New');
		records.change('WorkOrder', Id, { TimeZone: 110 });
		const fieldsJson = '={{ { DtDue: $now } }}';
		await n8n.succeed('workOrder:update', { id: byId(Id), fieldsMode: 'json', fieldsJson });
		const { DueDateUtc } = records.get('WorkOrder', Id);
		expect(Math.abs(Date.parse(`${String(DueDateUtc)}Z`) - Date.now())).toBeLessThan(60_000);
	},
};

it('every expression of README and guide is tried', () => {
	expect([...new Set(named)].sort()).toEqual(Object.keys(claims).sort());
});

it.each(Object.entries(claims))('%s', async (expression, claim) => await claim(expression));
