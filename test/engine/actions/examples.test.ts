import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DateTime } from 'luxon';
import {
	getGlobalState,
	type IBinaryKeyData,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import { CorrigoWebhookTrigger } from '../../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import { startSandbox, type Row, type Sandbox, type Store } from '../../../sandbox';
import { actAsColleague } from '../../../sandbox/desktop';
import { connectEngine, idsOf, jsonOf, quoteRefusal, rejection, some } from '../../support/company';
import type { Engine } from '../../support/engine';
import { typeOfNode } from '../../support/nodes';
import type { Run } from '../../support/run';
import { outside, runnable, runs, otherNodes, type WorkflowFile } from '../../support/otherNodes';

const MODIFIED = { ErrorCode: 'ERROR_CODE_6', ErrorMessage: 'Data was already modified' };
const NOT_NOW = { ErrorCode: 'BUSINESS_LOGIC_ERROR', ErrorMessage: 'Not now' };

/** The end-to-end suite runs the same files, with the real nodes of n8n around those of this package. */
const folder = join(__dirname, '..', '..', '..', 'examples');

/** The names of the files. */
const examples = readdirSync(folder).flatMap((file) => /(.+)\.json$/.exec(file)?.[1] ?? []);

const exampleNamed = (file: string) =>
	JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as WorkflowFile;

const nodesOf = (file: string, type: string) =>
	exampleNamed(file).nodes.filter((node) => node.type === type);

/** An engine with all nodes that the examples use. */
const connectNodes = (sandbox: Sandbox) =>
	connectEngine(sandbox, {
		corrigo: Corrigo,
		corrigoTrigger: CorrigoTrigger,
		corrigoWebhookTrigger: CorrigoWebhookTrigger,
		...otherNodes,
	});

const inHours = (hours: number) =>
	new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19);

describe('the example workflows', () => {
	let sandbox: Sandbox;
	let store: Store;
	let engine: Engine;

	beforeAll(async () => {
		sandbox = await startSandbox({ workOrders: 200, strict: true });
		engine = connectNodes(sandbox);
	});

	afterAll(async () => await sandbox?.close());

	beforeEach(() => {
		sandbox.world.reset();
		({ store } = sandbox);
		outside.reset();
	});

	const parametersOf = (file: string, type: string) => nodesOf(file, type)[0].parameters;

	/** Runs a workflow from the node `from`, or from its first one. */
	async function runItems(file: string | WorkflowFile, items: INodeExecutionData[], from?: string) {
		const workflow = typeof file === 'string' ? exampleNamed(file) : file;
		const run = await engine.runWorkflow({ ...runnable(workflow, from), items });
		expect(run.error).toBeUndefined();
		return run;
	}

	const runExample = async (file: string, json: IDataObject = {}, from?: string) =>
		await runItems(file, [{ json }], from);

	const runWithFile = async (file: string, json: IDataObject, binary: IBinaryKeyData) =>
		await runItems(file, [{ json, binary }]);

	/** Polls the trigger of a workflow, from the state of an earlier poll. */
	async function pollTrigger(file: string, staticData: IDataObject = {}, mode?: 'manual') {
		const parameters = parametersOf(file, typeOfNode('corrigoTrigger'));
		const polled = await engine.poll('corrigoTrigger', { parameters, staticData, mode });
		expect(polled.error).toBeUndefined();
		return { ...polled, items: polled.items ?? [] };
	}

	/** Polls again, and runs the part of the workflow that follows changes of status. */
	async function followStatus(file: string, staticData: IDataObject) {
		const { items } = await pollTrigger(file, staticData);
		return { items, run: await runItems(file, items, 'Status changed') };
	}

	const listRequests = (place: RegExp) =>
		sandbox.requestsTo('api').filter(({ path }) => place.test(path));

	const outputOf = (run: Run, node: string) => jsonOf(run.output(node));

	const textsOf = (run: Run, node: string) => outputOf(run, node).map(({ text }) => text);

	const orders = () => store.rows('WorkOrder');
	const order = (id: unknown) => store.existing('WorkOrder', Number(id));
	const change = (id: unknown, values: IDataObject) =>
		store.change('WorkOrder', Number(id), values);
	const notesOf = (id: unknown) => store.children('WoNote', 'WorkOrderId', Number(id));
	const costs = (id: unknown) => store.existing('WorkOrderCost', Number(id));

	/** The record that a member of another record refers to. */
	const findReferred = (entity: string, reference: unknown) =>
		store.existing(entity, (reference as Row).Id);

	/** Equipment without a work order, by its tag, and a fault that it may have. */
	const idleSensors = () => {
		const busy = store.rows('WoItem').map(({ Asset }) => (Asset as Row | undefined)?.Id);
		const idle = store.rows('AssetInfo').filter(({ Id }) => !busy.includes(Id));
		return idle.map(({ Id, TagId }) => {
			const { ModelId } = store.existing('Location', Id);
			const task = store.rows('Task').find((one) => one.ModelId === ModelId);
			return { tag: String(TagId), fault: String(task?.DisplayAs) };
		});
	};

	/** A colleague reports an order. */
	const report = (members: IDataObject = {}) => actAsColleague(sandbox.world, { members });
	/** Commands that a colleague runs on a work order. */
	const act = (id: unknown, ...commands: string[]) => {
		for (const command of commands) {
			actAsColleague(sandbox.world, { id: Number(id), command, members: {} });
		}
	};
	const complete = (id: unknown) =>
		act(id, 'WoPickUpCommand', 'WoStartCommand', 'WoCompleteCommand');
	const orderWith = (externalNumber: string) => {
		const [{ Id }] = store.children('WoLastAction', 'XNumber', externalNumber);
		return order(Id);
	};
	/** A ticket of another system, with the names in Corrigo. */
	const ticket = {
		ticket: 'T-4711 ',
		site: 'Contoso Pharmacy',
		equipment: 'Water Heater',
		task: 'No hot water',
		text: 'Cold since Monday',
	};

	it('are those of the table, can be imported, and contain no data of another instance', () => {
		const table = readFileSync(join(folder, 'README.md'), 'utf8');
		const listed = table.matchAll(/^\| \[(.+?)\.json\]\(\1\.json\) \|/gm);
		expect([...listed].map(([, file]) => file).sort()).toEqual([...examples].sort());
		const readme = readFileSync(join(folder, '..', 'README.md'), 'utf8');
		const recipes = [...readme.matchAll(/^\*\*\[(.+)\]\(examples\/(.+)\.json\)\.\*\*$/gm)];
		expect(recipes).toHaveLength(6);
		expect(recipes.map(([, title]) => title)).toEqual(
			recipes.map(([, , file]) => exampleNamed(file).name),
		);
		for (const file of examples) {
			const { nodes, connections } = exampleNamed(file);
			const names = nodes.map(({ name }) => name);
			expect(new Set(names).size).toBe(names.length);
			const used = [...JSON.stringify(nodes).matchAll(/\$\('(.+?)'\)/g)].map(([, name]) => name);
			expect(names).toEqual(expect.arrayContaining(used));
			for (const [source, outputs] of Object.entries(connections)) {
				const targets = Object.values(outputs).flat(2);
				expect(names).toEqual(expect.arrayContaining(targets.map((target) => target?.node)));
				expect(names).toContain(source);
			}
			expect(nodes.every(({ credentials }) => credentials === undefined)).toBe(true);
			expect(nodes.filter((node) => !runs(node)).length).toBeGreaterThan(1);
		}
	});

	it('and pages of the guide copy no list for each item, which makes a run quadratic and stops all of n8n meanwhile', () => {
		const lists = examples.flatMap((file) =>
			exampleNamed(file)
				.nodes.filter(({ parameters }) => /\.(all|itemMatching)\(/.test(JSON.stringify(parameters)))
				.filter(runs)
				.map(({ name, executeOnce }) => [file, name, executeOnce]),
		);
		expect(lists.length).toBeGreaterThan(5);
		expect(lists.filter(([, , once]) => once !== true)).toEqual([]);
		const notes = examples.map((file) =>
			exampleNamed(file).nodes.map(({ parameters }) => parameters.content),
		);
		const root = join(folder, '..');
		const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
		const pages = ['README.md', 'examples/README.md', ...docs.map((path) => `docs/${path}`)]
			.filter((path) => path.endsWith('.md'))
			.map((path) => readFileSync(join(root, path), 'utf8'));
		expect(pages.length).toBeGreaterThan(20);
		expect([...pages, JSON.stringify(notes)].filter((text) => /all\(\)\s*\[/.test(text))).toEqual(
			[],
		);
	});

	it('say in a note that anyone with the URL of their form can use it', () => {
		const forms = examples.flatMap((file) =>
			nodesOf(file, 'n8n-nodes-base.formTrigger').map(({ name }) => ({ file, name })),
		);
		expect(forms.length).toBeGreaterThan(5);
		for (const { file, name } of forms) {
			const notes = exampleNamed(file).nodes.map(({ parameters }) => parameters.content);
			const advice = `set *Authentication* in **${name}**`;
			expect([file, notes.some((note) => String(note).includes(advice))]).toEqual([file, true]);
		}
	});

	it('have tables that n8n finds by their names, which it searches for in the names of all tables', () => {
		const tables = examples
			.flatMap((file) => exampleNamed(file).nodes)
			.flatMap(({ type, parameters: { resource, tableName } }) =>
				type.endsWith('.dataTable') && resource === 'table' ? String(tableName).toLowerCase() : [],
			);
		expect(tables).toHaveLength(9);
		for (const table of tables) {
			expect(tables.filter((other) => other.includes(table))).toEqual([table]);
		}
	});

	it('show choices by the names that the lists give them', async () => {
		const methods: Record<string, string> = {
			entity: 'searchEntities',
			groupBy: 'searchGroups',
			property: 'searchCompared',
			value: 'searchValues',
		};
		const shown: string[] = [];
		const listed: string[] = [];
		async function visit(node: INode, value: unknown, path: string): Promise<void> {
			if (typeof value !== 'object' || value === null) return;
			if (!('cachedResultName' in value && 'value' in value)) {
				for (const [key, inner] of Object.entries(value)) {
					const place = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
					await visit(node, inner, place);
				}
				return;
			}
			const method = methods[path.split('.').at(-1) ?? ''];
			const { results } = await engine.listSearch(method, {
				node: node.type.replace('n8n-nodes-corrigo.', '').replace('Tool', ''),
				parameters: node.parameters,
				path,
				filter: method === 'searchValues' ? '' : String(value.value),
			});
			shown.push(String(value.cachedResultName));
			listed.push(String(results.find((choice) => choice.value === value.value)?.name));
		}
		for (const file of examples) {
			for (const node of exampleNamed(file).nodes) {
				if (node.type.startsWith('n8n-nodes-corrigo.')) {
					await visit(node, node.parameters, 'parameters');
				}
			}
		}
		expect(shown).toEqual(listed);
		expect(shown).toContain('Last Action > External Number (LastAction.XNumber)');
	});

	it('create a work order for every site and problem that the request form offers', async () => {
		const file = 'request-form-to-work-order';
		const { formFields } = parametersOf(file, 'n8n-nodes-base.formTrigger');
		const choices = (label: string) => {
			const { values } = formFields as { values: IDataObject[] };
			const field = values.find(({ fieldLabel }) => fieldLabel === label);
			const { values: options } = field?.fieldOptions as { values: Array<{ option: string }> };
			return options.map(({ option }) => option);
		};
		const requests = choices('Site').flatMap((Site) =>
			choices('Problem').map((Problem) => ({
				json: { Site, Problem, 'Phone or email': Site + Problem },
			})),
		);
		const run = await runItems(file, requests);
		expect(run.output('Create work order')).toHaveLength(requests.length);
	});

	it('create a work order with the photo of a request, and only one when it is sent twice on one day', async () => {
		const request = {
			Site: 'Contoso Pharmacy',
			Problem: 'Water Heater: No hot water',
			'What is wrong?': 'No hot water in the kitchen',
			'Your name': 'Ava Brown',
			'Phone or email': '+1 555 0100',
			submittedAt: '2026-03-02T09:00:00.000Z',
		};

		const Photo = { data: 'AAAA', mimeType: 'image/jpeg', fileName: 'leak.jpg' };

		const send = async (edits: IDataObject) => {
			const json = { ...request, ...edits };
			const run = await runWithFile('request-form-to-work-order', json, { Photo });
			return outputOf(run, 'Create work order');
		};
		const first = await send({});
		const again = await send({ submittedAt: '2026-03-02T09:00:20.000Z' });
		const other = await send({ 'What is wrong?': 'No hot water, again.\n'.repeat(30) });

		const leaking = store.children('Task', 'DisplayAs', 'Leaking');
		for (const { Id } of leaking) store.change('Task', Id, { DisplayAs: 'Leak: a lot' });
		expect(await send({ Problem: 'Water Heater: Leak: a lot' })).toEqual([
			some({ AlreadyExisted: false }),
		]);

		expect(first).toEqual([some({ Status: 'New', AlreadyExisted: false })]);
		const [{ Id, Number: number }] = first;
		expect(again).toEqual([some({ Number: number, AlreadyExisted: true })]);
		expect(other).toEqual([some({ AlreadyExisted: false })]);
		expect(store.rows('Document').filter(({ ActorId }) => ActorId === Id)).toEqual([
			some({ ActorTypeId: 'WO', Title: 'leak.jpg' }),
		]);
		const [item] = store.children('WoItem', 'WorkOrderId', Number(Id));
		expect(item).toMatchObject({ Comment: 'No hot water in the kitchen' });
		const { Name, ModelId } = findReferred('Location', item.Asset);
		expect(Name).toBe('Water Heater');
		expect(findReferred('Task', item.Task)).toMatchObject({ DisplayAs: 'No hot water', ModelId });
	});

	const reportAlarms = async (...alarms: IDataObject[]) =>
		await runExample('sensor-alarms-to-one-work-order', { body: { alarms } } as IDataObject);

	it('create one work order for the alarms of one sensor, with the later alarms as notes', async () => {
		const [sensor, other] = idleSensors();
		const alarms = Array.from({ length: 5 }, (_, index) => ({
			...sensor,
			message: `${60 + index} °C`,
		}));
		const created = outputOf(await reportAlarms(...alarms), 'Create work order');
		const later = await reportAlarms(
			{ ...sensor, message: 'still' },
			{ ...other, message: 'leaks' },
		);

		const [{ Id }] = created;
		expect(idsOf(created)).toEqual(alarms.map(() => Id));
		expect(outputOf(later, 'Create work order')).toEqual([
			some({ Id, AlreadyExisted: true }),
			some({ AlreadyExisted: false }),
		]);
		const [item] = store.children('WoItem', 'WorkOrderId', Number(Id));
		expect(item).toMatchObject({ Comment: '60 °C' });
		expect(notesOf(Id)).toHaveLength(5);
		expect(notesOf(Id).at(-1)).toMatchObject({ Body: 'Alarm again: still', NoteTypeId: 'Private' });
	});

	describe('when an alarm ends', () => {
		let raised: IDataObject;
		let ended: IDataObject;

		beforeEach(() => {
			raised = { ...idleSensors()[0], message: '68 °C' };
			ended = { ...raised, message: '40 °C', ended: true };
		});

		const raise = async () => outputOf(await reportAlarms(raised), 'Create work order')[0].Id;
		const outcomeOf = (id: unknown) => [order(id).StatusId, idsOf(notesOf(id), 'Body')];

		it('complete its order if nobody has picked it up', async () => {
			const id = await raise();
			await reportAlarms(ended);
			const log = store.children('WoActionLog', 'WorkOrderId', Number(id)).at(-1);
			expect(log).toMatchObject({ TypeId: 'Complete', Comment: 'Alarm ended: 40 °C' });
			expect(outcomeOf(id)).toEqual(['Completed', []]);
		});

		it.each<[string, string, (id: unknown) => unknown]>([
			['if somebody has picked it up', 'Open', (id) => act(id, 'WoPickUpCommand')],
			[
				'if somebody picks it up at this moment',
				'New',
				() => sandbox.fault(rejection('WoPickUpCommand', MODIFIED)),
			],
			['if a person has made it', 'New', (id) => change(id, { ContactName: 'Ava Brown' })],
		])('only add a note to its order %s', async (_, status, happen) => {
			const id = await raise();
			happen(id);
			await reportAlarms(ended);
			expect(outcomeOf(id)).toEqual([status, ['Alarm ended: 40 °C']]);
		});

		it('leave the order open if the alarm comes back in the same call', async () => {
			const id = await raise();
			await reportAlarms(ended, raised);
			expect(outcomeOf(id)).toEqual(['New', ['Alarm again: 68 °C']]);
		});
	});

	it('report in the morning how many work orders there are in each status, and how many are overdue', async () => {
		const lines = async () => {
			const reports = textsOf(await runExample('daily-report'), 'Report');
			expect(reports).toHaveLength(1);
			return String(reports[0]).split('\n');
		};
		for (const { Id } of orders()) {
			change(Id, { StatusId: 'Cancelled', LastActionDateUtc: '2001-01-01T00:00:00' });
		}
		const [title, ...none] = await lines();
		expect(title).toMatch(/^Work orders on \d{4}-\d\d-\d\d$/);
		expect(none).toEqual(['Overdue: 0']);

		const [late, open, done, held] = store.ids('WorkOrder');
		change(late, { StatusId: 'New', DueDateUtc: '2001-01-01T00:00:00' });
		change(open, { StatusId: 'New', DueDateUtc: '2999-01-01T00:00:00' });
		change(done, { StatusId: 'Completed', LastActionDateUtc: inHours(0) });
		change(held, { StatusId: 'OnHold', DueDateUtc: '2999-01-01T00:00:00' });
		const counts = await lines();
		expect(counts.at(-1)).toBe('Overdue: 1');
		expect(counts.sort()).toEqual(['Completed: 1', 'New: 2', 'On Hold: 1', 'Overdue: 1', title]);
	});

	it.each(['Customer', 'Customer.DisplayAs'])('report the counts by %s, too', async (value) => {
		const workflow = exampleNamed('daily-report');
		const count = workflow.nodes.find(({ name }) => name === 'Count by status');
		Object.assign((count as INode).parameters.groupBy as IDataObject, { value });
		const [{ Id, Customer }, ...others] = orders();
		for (const one of others) change(one.Id, { StatusId: 'Cancelled' });
		change(Id, { StatusId: 'New', LastActionDateUtc: inHours(0) });
		for (const one of others) change(one.Id, { LastActionDateUtc: '2001-01-01T00:00:00' });
		store.change('Customer', Number((Customer as Row).Id), { DisplayAs: '<!channel> [x]' });
		const [text] = textsOf(await runItems(workflow, [{ json: {} }]), 'Report');
		expect(String(text).split('\n')[1]).toBe('＜!channel＞ ［x］: 1');
	});

	/** The page that an example sends once. */
	async function readPage(file: string, sender: string) {
		const run = await runExample(file);
		expect(run.output(sender)).toHaveLength(1);
		return String(run.output('Page')[0].json.html);
	}

	/** The cells of a row by its first one. */
	const cellsOf = (html: string, name: string) =>
		[...html.matchAll(/<tr[^>]*>(.*)<\/tr>/g)]
			.map(([, row]) => [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell))
			.find(([first]) => first === name);
	const usd = (Value: number) => ({ CurrencyTypeId: 'USD', Value });
	/** A name that HTML and expressions would misread, and as a page shows it. */
	const unsafe = `A<b> & "Sons" $& {{ 1 + 1 }}`;
	/** Names that objects of JavaScript have for themselves. */
	const INHERITED = ['__proto__', 'constructor', 'toString'];
	const shown = 'A&#60;b&#62; &#38; &#34;Sons&#34; &#36;&#38; &#123;&#123; 1 + 1 &#125;&#125;';

	describe('report on the last week', () => {
		const monday = DateTime.now()
			.setZone(getGlobalState().defaultTimezone)
			.startOf('week')
			.minus({ weeks: 1 });
		const page = async () => await readPage('weekly-report', 'Send report');

		it('with its figures, and names in no other way than as text', async () => {
			const zone = Number(store.rows('WorkZone')[0].Id);
			store.change('WorkZone', zone, { DisplayAs: unsafe });
			const done = orders().filter(({ StatusId }) => StatusId === 'Completed');
			const utc = (hours: number) => monday.plus({ hours }).toUTC().toISO()?.slice(0, 19);
			for (const [index, { Id }] of done.slice(0, 3).entries()) {
				change(Id, {
					WorkZone: { Id: zone },
					...{ CreatedDateUtc: utc(40), DtCreated: utc(40), LastActionDateUtc: utc(60) },
					DueDateUtc: utc(index === 0 ? 45 : 70),
				});
				for (const action of store.children('WoActionLog', 'WorkOrderId', Id)) {
					const hours = { PickUp: 42, Complete: 50 }[String(action.TypeId)] ?? 40;
					const times = { SystemDateUtc: utc(hours), ActionDate: utc(hours) };
					store.change('WoActionLog', action.Id, times);
				}
			}

			const html = await page();

			expect(cellsOf(html, shown)).toEqual(
				expect.arrayContaining([shown, '3', '67%', '2 h', '10 h']),
			);
			expect(cellsOf(html, 'Total')?.slice(0, 3)).toEqual(['Total', '3', '67%']);
			expect(html).toContain('<b>3</b>completed');
			expect(html).toContain(`<h1>Work orders, week of ${monday.toFormat('LLLL d, yyyy')}</h1>`);
			const [bars] = html.split('</svg>');
			expect(bars.match(/<rect/g)).toHaveLength(16);
			expect(html).not.toMatch(/<b>(?!\d|–)|{{|undefined|NaN|null/);
		});

		it('without orders, too', async () => {
			const html = await page();
			expect(cellsOf(html, 'Total')).toEqual(['Total', '0', '–', '– h', '– h', '– h', '0', '–']);
			expect(html).not.toMatch(/undefined|NaN|null|Infinity/);
		});
	});

	describe('score vendors', () => {
		const today = DateTime.now().setZone(getGlobalState().defaultTimezone).startOf('day');
		const page = async () => await readPage('vendor-scorecard', 'Send scorecard');

		it('by their orders of 90 days and insurance that ends, and no employees', async () => {
			const [employee, vendor] = ['Employee', 'Provider'].map(
				(type) => store.children('Employee', 'ActorTypeId', type)[0].Id,
			);
			store.change('Employee', vendor, { DisplayAs: unsafe });
			const done = orders().filter(({ StatusId }) => StatusId === 'Completed');
			const utc = (hours: number) => today.minus({ days: 80 }).plus({ hours }).toUTC().toISO();
			const at = (hours: number) => utc(hours)?.slice(0, 19);
			for (const [index, { Id }] of done.slice(0, 4).entries()) {
				change(Id, {
					Employee: { Id: index === 3 ? employee : vendor },
					VendorNte: { CurrencyTypeId: 'USD', Value: 250 },
					...{ CreatedDateUtc: at(40), DtCreated: at(40), LastActionDateUtc: at(60) },
					DueDateUtc: at(index === 0 ? 45 : 70),
				});
				const VendorInvoiceTotal = { CurrencyTypeId: 'USD', Value: 200 + 40 * index };
				store.change('WorkOrderCost', Id, { VendorInvoiceTotal });
				const log = (TypeId: string, hours: number) => {
					const times = { SystemDateUtc: at(hours), ActionDate: at(hours) };
					store.insert('WoActionLog', { WorkOrderId: Id, TypeId, ...times });
				};
				for (const kind of ['WoOnSite', 'WoVerification', 'WoActionLog']) {
					for (const row of store.children(kind, 'WorkOrderId', Id)) store.remove(kind, row.Id);
				}
				for (const [type, hours] of Object.entries({ Create: 40, Start: 43, Complete: 50 })) {
					log(type, hours);
				}
				if (index === 1) for (const type of ['Reopen', 'Complete']) log(type, 60);
				const WoRatingId = index === 2 ? 'Negative' : 'Positive';
				store.insert('WoVerification', { WorkOrderId: Id, Idx: 0, WoRatingId });
			}
			const [insurance, other] = store.children('ProviderCoi', 'EmployeeId', vendor);
			const ends = (days: number) => today.plus({ days }).toISODate();
			store.change('ProviderCoi', insurance.Id, { EndDate: `${ends(60)}T00:00:00` });
			store.change('ProviderCoi', other.Id, { EndDate: `${ends(62)}T00:00:00` });

			const html = await page();

			const figures = ['3 h', '10 h', '1', '1', 'USD 720.00', '2', '0', '1'];
			const [name, completed, onTime, ...rest] = cellsOf(html, shown) ?? [];
			expect([name, completed, ...rest]).toEqual([shown, '3', ...figures]);
			expect(onTime).toBe('<span class="bar" style="width: 33px"></span>67%');
			expect(cellsOf(html, 'Total')).toEqual(['Total', '3', '67%', ...figures]);
			const [, section] = html.split('Insurance that ends');
			expect(cellsOf(section, shown)).toEqual([shown, 'General Liability', ends(60), '60']);
			expect(section.match(/<tr>/g)).toHaveLength(2);
			expect(html).not.toMatch(/{{|undefined|NaN|null/);
		});

		it('with currencies in no other way than as text', async () => {
			const [vendor] = store.children('Employee', 'ActorTypeId', 'Provider');
			const [{ Id }] = orders().filter(({ StatusId }) => StatusId === 'Completed');
			const LastActionDateUtc = today.minus({ days: 10 }).toUTC().toISO()?.slice(0, 19);
			change(Id, { Employee: { Id: vendor.Id }, LastActionDateUtc });
			for (const TypeId of ['Create', 'Complete']) {
				const times = { SystemDateUtc: LastActionDateUtc, ActionDate: LastActionDateUtc };
				store.insert('WoActionLog', { WorkOrderId: Id, TypeId, ...times });
			}
			const VendorInvoiceTotal = { CurrencyTypeId: unsafe, Value: 4242 };
			store.change('WorkOrderCost', Id, { VendorInvoiceTotal });
			expect(await page()).toContain(`${shown} 4242.00`);
		});

		it('without orders and insurance, too', async () => {
			const html = await page();
			expect(cellsOf(html, 'Total')?.slice(0, 5)).toEqual(['Total', '0', '–', '– h', '– h']);
			expect(cellsOf(html, 'None')).toEqual(['None', '', '', '']);
			expect(html).not.toMatch(/undefined|NaN|null|Infinity/);
		});
	});

	describe('list overdue orders', () => {
		const file = 'overdue-orders-by-vendor';
		const link = (id: unknown, number: unknown) =>
			new RegExp(`^<a href="http\\S+/${String(id)}">${String(number)}</a>$`);

		it('by vendor, the longest overdue first, with names in no other way than as text', async () => {
			const [vendor] = store.children('Employee', 'ActorTypeId', 'Provider');
			store.change('Employee', vendor.Id, { DisplayAs: unsafe });
			for (const { Id } of orders()) change(Id, { StatusId: 'Completed' });
			const [late, later, own, nobody] = store.ids('WorkOrder');
			const open = (hours: number) => ({ StatusId: 'Open', DueDateUtc: inHours(-hours) });
			change(late, { ...open(3), Employee: { Id: vendor.Id } });
			change(later, { ...open(100), Employee: { Id: vendor.Id }, TaskRefinement: undefined });
			const [{ Id: employee }] = store.children('Employee', 'ActorTypeId', 'Employee');
			change(own, { ...open(1), Employee: { Id: employee } });
			change(nobody, { ...open(2), Employee: undefined, ShortLocation: unsafe });

			const run = await runExample(file);
			const html = String(run.output('Page')[0].json.html);

			expect(run.output('Send list')).toHaveLength(1);
			const [{ vendors }] = outputOf(run, 'Vendors') as unknown as Array<{
				vendors: IDataObject[];
			}>;
			expect(idsOf(vendors, 'id')).toEqual([vendor.Id, undefined, undefined]);
			const headings = [...html.matchAll(/<h2>(.*)<\/h2>/g)].map(([, heading]) => heading);
			expect(headings[0]).toBe(`${shown}: 2`);
			expect(headings.slice(1).sort()).toEqual(['Employees: 1', 'Not assigned: 1']);
			const rows = [...html.matchAll(/<tr><td>(.*)<\/td><\/tr>/g)].map(([, row]) =>
				row.split(/<\/td><td[^>]*>/),
			);
			expect(rows[0]).toEqual([
				expect.stringMatching(link(later, order(later).Number)),
				...[expect.any(String), '–', expect.any(String), '4 days'],
			]);
			expect(rows.map((cells) => cells.at(-1)).sort()).toEqual(['1 h', '2 h', '3 h', '4 days']);
			expect(html).toContain('<h1>4 overdue work orders</h1>');
			expect(html).toContain(shown);
			expect(html).not.toMatch(/undefined|NaN|null|\{\{|<b>/);
		});

		it('by vendor, also if two have one name', async () => {
			const twins = store.children('Employee', 'ActorTypeId', 'Provider').slice(0, 2);
			for (const { Id } of orders()) change(Id, { StatusId: 'Completed' });
			for (const [index, { Id }] of twins.entries()) {
				store.change('Employee', Id, { DisplayAs: 'Twin' });
				const due = { StatusId: 'Open', DueDateUtc: inHours(-2) };
				change(orders()[index].Id, { ...due, Employee: { Id } });
			}
			const [{ vendors }] = outputOf(await runExample(file), 'Vendors');
			expect(vendors).toEqual(
				twins.map(({ Id }) => some({ id: Id, name: 'Twin', orders: [some({ hours: 2 })] })),
			);
		});

		it.each(INHERITED)('also those of a vendor named %s', async (DisplayAs) => {
			const [vendor] = store.children('Employee', 'ActorTypeId', 'Provider');
			store.change('Employee', vendor.Id, { DisplayAs });
			for (const { Id } of orders()) change(Id, { StatusId: 'Completed' });
			const [late] = store.ids('WorkOrder');
			const Employee = { Id: vendor.Id };
			change(late, { StatusId: 'Open', DueDateUtc: inHours(-3), Employee });
			expect(await readPage(file, 'Send list')).toContain(`<h2>${DisplayAs}: 1</h2>`);
		});

		it('and send no mail without one', async () => {
			for (const { Id } of orders()) change(Id, { StatusId: 'Completed' });
			const run = await runExample(file);
			expect(run.output('Send list')).toEqual([]);
		});
	});

	describe('show the spend of a quarter', () => {
		const file = 'spend-by-vendor';
		const quarter = DateTime.now()
			.setZone(getGlobalState().defaultTimezone)
			.startOf('quarter')
			.minus({ quarters: 1 });

		it('by vendor and currency, without what has no amount or another date', async () => {
			const [one, other] = store.children('Employee', 'ActorTypeId', 'Provider');
			store.change('Employee', one.Id, { DisplayAs: unsafe });
			const invoice = (
				index: number,
				total: unknown,
				vendor: unknown,
				{ days = 10, ApStateId = 'Received' } = {},
			) => {
				const [id] = store.ids('WorkOrder').slice(index);
				change(id, { Employee: vendor as IDataObject });
				const VendorInvoiceDate = `${String(quarter.plus({ days }).toISODate())}T00:00:00`;
				store.change('WorkOrderCost', id, {
					...{ ApStateId, VendorInvoiceDate, VendorInvoiceTotal: total as IDataObject },
				});
			};
			for (const { Id } of store.rows('WorkOrderCost')) {
				store.change('WorkOrderCost', Id, { ApStateId: 'None', VendorInvoiceDate: undefined });
			}
			invoice(0, usd(1200.5), { Id: one.Id }, { days: 0 });
			invoice(1, usd(34.5), { Id: one.Id }, { ApStateId: 'Paid' });
			invoice(2, usd(617.5), { Id: other.Id });
			invoice(3, { CurrencyTypeId: 'EUR', Value: 90 }, { Id: one.Id });
			invoice(4, null, { Id: one.Id });
			invoice(5, usd(5000), { Id: one.Id }, { ApStateId: 'Disputed' });
			invoice(6, usd(6000), { Id: one.Id }, { days: -1 });
			invoice(7, usd(7000), { Id: one.Id }, { days: 93 });
			invoice(8, usd(1), undefined);

			const html = await readPage(file, 'Send page');

			const rows = [...html.matchAll(/<tr[^>]*><td>(.*)<\/td><\/tr>/g)].map(([, row]) =>
				row.split(/<\/td><td[^>]*>/),
			);
			const bar = (width: number) => `<span class="bar" style="width: ${width}px"></span>`;
			expect(rows).toEqual([
				[shown, bar(240), '2', '1,235.00'],
				[String(store.existing('Employee', other.Id).DisplayAs), bar(120), '1', '617.50'],
				['No vendor', bar(0), '1', '1.00'],
				['Total', '', '', '1,853.50'],
				[shown, bar(240), '1', '90.00'],
				['Total', '', '', '90.00'],
			]);
			expect(html).toContain(`<h1>Spend by vendor, ${quarter.toFormat("'Q'q yyyy")}</h1>`);
			expect(html).toContain('and so are 1 without an amount.');
			expect(html).not.toMatch(/undefined|NaN|null|\{\{/);
		});

		it.each(INHERITED)('also that with a vendor named %s', async (DisplayAs) => {
			const [vendor] = store.children('Employee', 'ActorTypeId', 'Provider');
			store.change('Employee', vendor.Id, { DisplayAs });
			const [id] = store.ids('WorkOrder');
			change(id, { Employee: { Id: vendor.Id } });
			const VendorInvoiceDate = `${String(quarter.plus({ days: 10 }).toISODate())}T00:00:00`;
			store.change('WorkOrderCost', id, {
				...{ ApStateId: 'Received', VendorInvoiceDate, VendorInvoiceTotal: usd(4242) },
			});
			expect(await readPage(file, 'Send page')).toMatch(
				new RegExp(`<td>${DisplayAs}</td>.*<td[^>]*>1</td><td[^>]*>4,242.00</td>`),
			);
		});

		it('without invoices, too', async () => {
			for (const { Id } of store.rows('WorkOrderCost')) {
				store.change('WorkOrderCost', Id, { ApStateId: 'None' });
			}
			expect(await readPage(file, 'Send page')).toContain('<p>No vendor invoices.</p>');
		});
	});

	it('flag an emergency that is due soon, with a note and a message', async () => {
		const file = 'escalate-before-a-deadline';
		const isEmergency = ({ Priority }: Row) => findReferred('WoPriority', Priority).IsEmergency;
		const created = orders().filter(({ StatusId }) => StatusId === 'New');
		const [emergency] = created.filter(isEmergency);
		const [other] = created.filter((one) => !isEmergency(one));
		for (const { Id } of [emergency, other]) change(Id, { DueDateUtc: inHours(25 / 60) });

		const { items } = await pollTrigger(file);
		const [escalated, ...more] = jsonOf(items);
		const run = await runExample(file, escalated);

		expect(escalated).toMatchObject({ Id: emergency.Id, Number: emergency.Number });
		expect(more).toEqual([]);
		const time = String(outputOf(run, 'Due time')[0].due).replace(/^is due /, '');
		expect(time).toMatch(/^on \w{3} \d+, \d{4}, \d+:\d\d [AP]M [A-Z]{3,4}$/);
		expect(textsOf(run, 'Message to duty manager')[0]).toMatch(
			new RegExp(
				`^Emergency \\w+ at .* It is due ${time} \\(in 2[45] minutes\\), assigned to .*\\. http\\S+/\\d+$`,
			),
		);
		expect(notesOf(emergency.Id).at(-1)?.Body).toBe(
			`Escalated to the duty manager: this emergency is due ${time}.`,
		);
		expect(order(emergency.Id).FlagId).toBeGreaterThan(0);
	});

	it('say that an emergency was due once it is, in the zone of the site, where much is unknown', async () => {
		const [{ Id, Number: number }] = orders();
		const Deadline = { Type: 'due', Utc: '2026-03-02T20:30:00Z', TimeZone: 'America/New_York' };
		const item = { Id, Number: number, Url: 'https://c.test/1' } as IDataObject;
		const run = await runExample('escalate-before-a-deadline', {
			...item,
			Deadline: { ...Deadline, MinutesLeft: 0, MinutesOver: 12 },
		});
		const due = 'was due on Mar 2, 2026, 3:30 PM EST';
		expect(textsOf(run, 'Message to duty manager')).toEqual([
			`Emergency ${String(number)} at an unknown site: no task. It ${due} (12 minutes ago), assigned to nobody. https://c.test/1`,
		]);
		expect(notesOf(Id).at(-1)?.Body).toBe(`Escalated to the duty manager: this emergency ${due}.`);
		const log = JSON.stringify(store.children('WoActionLog', 'WorkOrderId', Id));
		expect(log).toContain(`This emergency ${due}`);
	});

	const RECEIVED = { ApStateId: 'Received', ApStatusId: 2 };

	const eur = { CurrencyTypeId: 'EUR', Value: 200 };
	/** Figures of invoices that nothing can be compared with, and the words for a person. */
	const INCOMPARABLE: ReadonlyArray<[string, unknown, unknown]> = [
		['the invoice has no total', undefined, usd(250)],
		['the invoice has no total', null, usd(250)],
		['the invoice has no total', { CurrencyTypeId: 'USD' }, usd(250)],
		['the invoice has no total', usd(0), usd(250)],
		['the work order has no vendor NTE', usd(100), undefined],
		['the work order has no vendor NTE', usd(100), null],
		['the work order has no vendor NTE', usd(100), usd(0)],
	];

	/** A received invoice, whose customer NTE must not decide. */
	const receiveInvoice = (total: unknown, nte: unknown, customer = 10_000) => {
		const [id] = store.ids('WorkOrder');
		const CustomerNte = usd(customer);
		change(id, { VendorNte: nte as IDataObject });
		const VendorInvoiceTotal = total as IDataObject;
		store.change('WorkOrderCost', id, { ...RECEIVED, CustomerNte, VendorInvoiceTotal });
		return { Id: id, Number: String(order(id).Number), VendorNte: nte as IDataObject, Url };
	};
	const Url = 'https://c.test/1';

	describe('judge a received vendor invoice by the vendor NTE', () => {
		const file = 'vendor-invoice-approval';
		const messages = (run: Run) => textsOf(run, 'Message to approver');

		it.each([
			['authorize', 250, 1, 'Authorized', 'Authorized: within the vendor NTE of the work order'],
			['dispute', 250.5, 10_000, 'Disputed', 'Above the vendor NTE by 0.50 USD'],
		])('and %s one of %d', async (_, Value, customer, ApStateId, PaymentNotes) => {
			const { Id: id, ...received } = receiveInvoice(usd(Value), usd(250), customer);

			const run = await runExample(file, { Id: id, ...received });

			expect(costs(id)).toMatchObject({ ApStateId, PaymentNotes });
			expect(messages(run)).toEqual([]);
		});

		it.each([
			...INCOMPARABLE,
			['the invoice is in EUR, and the vendor NTE in USD', eur, usd(250)],
			['the invoice is in no currency, and the vendor NTE in USD', { Value: 5 }, usd(250)],
		] as typeof INCOMPARABLE)('or let a person decide: %s (%j, %j)', async (reason, total, nte) => {
			const received = receiveInvoice(total, nte);

			const run = await runExample(file, received);

			expect(messages(run)).toEqual([
				`Decide about the vendor invoice of work order ${String(received.Number)}: ${reason}. ${Url}`,
			]);
			expect(costs(received.Id)).toMatchObject(RECEIVED);
		});

		it.each([
			[500, 'Authorized'],
			[500.5, 'Disputed'],
		])('or by a fixed amount, as the note says: %d is %s', async (Value, ApStateId) => {
			const limit = "{ Value: 500, CurrencyTypeId: 'USD' }";
			const source = JSON.stringify(exampleNamed(file));
			expect(source).toContain(`Enter \`${limit}\` in place of \`$json.VendorNte\` in both fields`);
			const workflow = exampleNamed(file);
			const compare = workflow.nodes.find(({ name }) => name === 'Compare') as INode;
			const parameters = JSON.stringify(compare.parameters);
			expect(parameters.match(/\$json\.VendorNte/g)).toHaveLength(2);
			compare.parameters = JSON.parse(
				parameters.replaceAll('$json.VendorNte', limit),
			) as INode['parameters'];
			const { Id: id, ...received } = receiveInvoice(usd(Value), undefined);

			const run = await runItems(workflow, [{ json: { Id: id, ...received } }]);

			expect(messages(run)).toEqual([]);
			expect(costs(id)).toMatchObject({ ApStateId });
		});

		it('and go on with the other ones if Corrigo refuses one', async () => {
			const received = receiveInvoice(usd(100), usd(250));
			const [, other] = store.ids('WorkOrder');
			change(other, { VendorNte: usd(250) });
			store.change('WorkOrderCost', other, { ...RECEIVED, VendorInvoiceTotal: usd(300) });
			sandbox.fault(rejection('ApStatusChangeCommand', NOT_NOW));

			const run = await runItems(file, [{ json: received }, { json: { Id: other, Url } }]);

			expect(messages(run)).toEqual([
				expect.stringContaining(': Corrigo refused the request: "Not now"'),
			]);
			expect([costs(received.Id), costs(other)]).toMatchObject([
				RECEIVED,
				{ ApStateId: 'Disputed' },
			]);
		});
	});

	describe('ask a person about a vendor invoice', () => {
		const file = 'vendor-invoice-approval-by-message';
		const above = 'it is 112.50 USD above the vendor NTE';

		it.each([
			[true, 'Authorized'],
			[false, 'Disputed'],
			[undefined, 'Received'],
		])('who answers %s: it is %s', async (said, ApStateId) => {
			outside.reply = said;
			outside.responder = { name: 'Ava Brown' };
			const received = receiveInvoice(usd(612.5), usd(500));

			const run = await runExample(file, received);

			expect(outside.asked).toEqual([
				`The vendor asks for 612.50 USD. The vendor NTE of the work order is 500.00 USD. You are asked because ${above}. ${Url}`,
			]);
			expect(outputOf(run, 'Change AP status')).toHaveLength(said === undefined ? 0 : 1);
			expect(costs(received.Id)).toMatchObject({
				ApStateId,
				...(said !== undefined && {
					PaymentNotes: `${ApStateId} by Ava Brown at 2026-03-02 09:30 UTC`,
				}),
			});
		});

		it.each([
			...INCOMPARABLE,
			[above, usd(612.5), usd(500)],
			['it is above 1000.00 USD', usd(1000.5), usd(5000)],
			['the invoice and the vendor NTE have different currencies', eur, usd(250)],
			['it is not in USD', eur, eur],
		] as typeof INCOMPARABLE)('because %s (%j, %j)', async (reason, total, nte) => {
			const received = receiveInvoice(total, nte);
			await runExample(file, received);
			expect(outside.asked).toEqual([expect.stringContaining(`You are asked because ${reason}.`)]);
			expect(outside.asked.join()).not.toMatch(/undefined|NaN|null/);
			expect(costs(received.Id)).toMatchObject(RECEIVED);
		});

		it('except within the vendor NTE and the limit, where it is authorized', async () => {
			const received = receiveInvoice(usd(1000), usd(1000), 1);
			await runExample(file, received);
			expect(outside.asked).toEqual([]);
			expect(costs(received.Id)).toMatchObject({ ApStateId: 'Authorized' });
		});

		it('and write nothing if a sum has changed before the answer', async () => {
			const received = receiveInvoice(usd(612.5), usd(500));
			outside.responder = {
				get name() {
					store.change('WorkOrderCost', received.Id, { VendorInvoiceTotal: usd(999) });
					return 'Ava Brown';
				},
			};
			outside.reply = true;
			const run = await runExample(file, received);
			expect(textsOf(run, 'Message to approver')).toEqual([
				expect.stringMatching(
					`^Check the vendor invoice of work order ${received.Number}: .*(changed|modified).*\\. ${Url}$`,
				),
			]);
			expect(costs(received.Id)).toMatchObject(RECEIVED);
		});
	});

	describe('ask a person about a quote', () => {
		const askAbout = async (said: boolean | undefined, Amount: unknown, VendorNte: unknown) => {
			outside.reply = said;
			const [{ Id: quote, WoId }] = store.rows('WoQuote');
			store.change('WoQuote', quote, {
				...{
					StatusId: 'WaitingForApproval',
					Description: 'New\u202e\npump',
					CurrencyTypeId: 'USD',
				},
				Amount: Amount as IDataObject,
			});
			change(WoId, { VendorNte: VendorNte as IDataObject });
			const quoted = { Id: Number(WoId), Number: 'CHL1', VendorNte: VendorNte as IDataObject, Url };
			await runExample('quote-approval-by-message', quoted);
			return { ...store.existing('WoQuote', quote), VendorNte: order(WoId).VendorNte };
		};
		const reasons = () =>
			listRequests(/base\/WorkOrder|Quote/).map(({ body }) => JSON.stringify(body));

		it.each([
			[true, 'Approved', 450],
			[false, 'Rejected', 300],
			[undefined, 'WaitingForApproval', 300],
		])('who answers %s: it is %s', async (said, StatusId, limit) => {
			sandbox.forgetRequests();

			const decided = await askAbout(said, usd(450), usd(300));

			expect(outside.asked).toEqual([
				`The vendor asks for 450.00 USD. The vendor NTE of the work order is 300.00 USD. ${Url}\n\nThe vendor describes it as "New pump".`,
			]);
			expect(decided).toMatchObject({ StatusId, VendorNte: usd(limit) });
			const reason = `${StatusId} by message at 2026-03-02 09:30 UTC`;
			expect(reasons().some((body) => body.includes(reason))).toBe(said !== undefined);
		});

		it.each([
			['a higher limit stays', usd(450), usd(500), '450.00 USD', '500.00 USD', usd(500)],
			['no limit becomes the amount', usd(450), undefined, '450.00 USD', 'no amount', usd(450)],
			['without an amount, the limit stays', null, usd(300), 'no amount', '300.00 USD', usd(300)],
		])('and approves it: %s', async (_, amount, nte, asked, limit, VendorNte) => {
			expect(await askAbout(true, amount, nte)).toMatchObject({ StatusId: 'Approved', VendorNte });
			expect(outside.asked).toEqual([
				`The vendor asks for ${asked}. The vendor NTE of the work order is ${limit}. ${Url}\n\nThe vendor describes it as "New pump".`,
			]);
		});
	});

	it('ask nobody about a vendor invoice whose status has changed', async () => {
		const [id] = store.ids('WorkOrder');
		store.change('WorkOrderCost', id, { ApStateId: 'Authorized', ApStatusId: 5 });
		await runExample('vendor-invoice-approval-by-message', { Id: id });
		expect(outside.asked).toEqual([]);
	});

	it('keep ServiceNow incidents and work orders in step, also where one is canceled', async () => {
		const file = 'servicenow-incidents-in-step';
		const sync = async () => await runExample(file, {}, 'Every five minutes');
		const changing = {
			...{ sys_id: '1', number: 'INC0010023', state: '1', assignment_group: 'Facilities' },
			...{ short_description: 'No hot water', description: 'Cold since Monday' },
			...{ location: 'Contoso Pharmacy', cmdb_ci: 'Water Heater', subcategory: 'No hot water' },
			...{ caller_id: 'Ava Brown', correlation_id: '' },
		};
		const canceled = { ...changing, sys_id: '2', number: 'INC0010024' };
		outside.rows = [changing, canceled];
		const { staticData } = await pollTrigger(file);
		const follow = async () => (await followStatus(file, staticData)).run;
		await sync();
		const [id, canceledId] = outside.rows.map(({ number }) => orderWith(String(number)).Id);

		canceled.state = '8';
		sandbox.fault(rejection('WoCancelCommand', NOT_NOW));
		expect(textsOf(await sync(), 'Message to service desk')).toEqual([
			expect.stringMatching(
				`^The work order of incident INC0010024 is still open \\(http\\S+/${canceledId}\\): Corrigo refused the request: "Not now"`,
			),
		]);
		await sync();
		expect(order(canceledId).StatusId).toBe('Cancelled');
		sandbox.forgetRequests();
		await sync();
		expect(listRequests(/Wo\w+Command$|base\/WorkOrder$/)).toEqual([]);
		expect((await follow()).output('Update incident')).toEqual([]);
		expect(canceled.state).toBe('8');

		changing.caller_id = 'Ben Miller';
		await sync();
		expect(order(id).ContactName).toBe('Ben Miller');
		act(id, 'WoPickUpCommand', 'WoStartCommand');
		await follow();
		expect(changing.state).toBe('2');
		const [reason] = store.children('WoActionReasonLookup', 'ActionId', 'Cancel');
		const members = { ActionReasonId: reason.Id };
		actAsColleague(sandbox.world, { id, command: 'WoCancelCommand', members });
		await follow();
		const work_notes = expect.stringMatching(/: Cancelled$/) as unknown;
		expect(changing).toMatchObject({ state: '1', work_notes });
	});

	describe('let ServiceNow send its workplace cases', () => {
		const file = 'servicenow-workplace-cases';
		const body = { number: 'WCASE0001207', workplace_location: 'Contoso Pharmacy' };
		const create = async () =>
			outputOf(await runExample(file, { body }, 'Create requested'), 'Answer')[0];

		it('and cancel the second order that another request of the case has made at the same moment', async () => {
			const first = await create();
			const look = { pathIncludes: '/query/WorkOrder', bodyIncludes: 'XNumber' };
			for (const canceled of [false, true]) {
				sandbox.fault({ match: look, kind: 'status', status: 200, body: { Entities: [] } });
				if (!canceled) sandbox.fault(rejection('WoCancelCommand', NOT_NOW));
				const answer = await create();
				const { Number: second, StatusId } = orders().at(-1) as Row;
				expect(StatusId).toBe(canceled ? 'Cancelled' : 'New');
				expect(answer).toEqual({
					...first,
					Message: expect.stringMatching(
						`^Another .+ Its second order, ${String(second)}, ${canceled ? 'was canceled.$' : 'could .+ "Not now"'}`,
					),
				});
			}
			expect(await create()).toEqual(first);
		});

		it('and succeed where a case is canceled whose order somebody has canceled, and say so', async () => {
			const { 'FM Work Order Id': number } = await create();
			const { Id } = orderWith(body.number);
			const [, reason] = store.children('WoActionReasonLookup', 'ActionId', 'Cancel');
			const members = { ActionReasonId: reason.Id };
			actAsColleague(sandbox.world, { id: Id, command: 'WoCancelCommand', members });

			const cancel = { body: { ...body, fm_work_order_id: number } };
			const answer = await runExample(file, cancel, 'Cancel requested');

			expect(outputOf(answer, 'Answer')).toEqual([
				some({
					Status: 'success',
					Message: expect.stringMatching(/^Already so: .+Nothing was sent/),
				}),
			]);
		});

		it('and give the case the comments and the state of its first order', async () => {
			const workflow = exampleNamed(file);
			const states = workflow.nodes.find(({ name }) => name === 'States of the case');
			const { assignments } = states?.parameters.assignments as { assignments: IDataObject[] };
			Object.assign(assignments[0], { value: '18' });
			const row: IDataObject = { sys_id: '1', number: body.number, state: '1' };
			outside.rows = [row];
			const { staticData } = await pollTrigger(file);
			await create();
			const { Id, Number: number } = orderWith(body.number);
			const { Id: second } = report();
			store.change('WoLastAction', Number(second), { XNumber: body.number });
			act(Id, 'WoPickUpCommand');
			act(second, 'WoPickUpCommand', 'WoStartCommand');

			const { items } = await pollTrigger(file, staticData);
			expect(idsOf(jsonOf(items)).sort()).toEqual([Id, second, second]);
			await runItems(workflow, items, 'Status changed');
			expect(row).toMatchObject({
				...{ state: '18', comments: `From Corrigo: work order ${String(number)} is Open` },
			});

			const notes = ['Public', 'Private', 'Public'].map((NoteTypeId, index) => {
				const Body = ['A<b> {{ 1 }} [Code]<i>[/code]', 'Staff only', 'From ServiceNow: hello'][
					index
				];
				return { json: { WorkOrderId: Id, NoteTypeId, Body } };
			});
			const run = await runItems(workflow, notes, 'Note added');
			expect(run.output('Update case')).toHaveLength(1);
			// ServiceNow shows what is between these tags as HTML.
			const comments = 'From Corrigo: A<b> {{ 1 }} ［Code]<i>［/code]';
			expect(row).toMatchObject({ state: '18', comments });
		});
	});

	describe('hand authorized vendor invoices to accounting', () => {
		const file = 'vendor-invoices-to-accounting';
		const AUTHORIZED = { ApStateId: 'Authorized', ApStatusId: 5 };

		/** The invoice of a work order with cost lines. */
		const authorize = () => {
			// No other invoice is authorized.
			for (const { Id } of store.children('WorkOrderCost', 'ApStateId', 'Authorized')) {
				store.change('WorkOrderCost', Id, { ApStateId: 'Paid', ApStatusId: 3 });
			}
			const [{ WoId }] = store.rows('FinancialItem');
			return store.change('WorkOrderCost', Number(WoId), { ...AUTHORIZED, Number: 'V-1' });
		};

		it('and set them to Exported where an accounting system, with its own answer, replaces the table', async () => {
			const { Id } = authorize();
			const { nodes, ...example } = exampleNamed(file);
			const { nodes: others } = exampleNamed('completed-orders-to-accounting');
			const [create] = others.filter(({ name }) => name === 'Create entry');
			const replaced = nodes.map((node) =>
				node.name === 'Save invoices' ? { ...create, name: node.name } : node,
			);

			const run = await runItems({ ...example, nodes: replaced }, [{ json: {} }]);

			expect(outputOf(run, 'Save invoices')[0]).not.toHaveProperty('workOrderId');
			expect(outputOf(run, 'Set to Exported')).toEqual([some({ Id, ApState: 'Exported' })]);
		});

		it('with billing account and lines in one row, until they are Exported, and record what was paid', async () => {
			const { Id, ConcurrencyId } = authorize();
			sandbox.fault(rejection('ApStatusChangeCommand', NOT_NOW));

			const failed = await runExample(file);
			sandbox.forgetRequests();
			const again = await runExample(file);
			const idle = await runExample(file);

			const workOrder = String(order(Id).Number);
			expect(textsOf(failed, 'Message to accounting')).toEqual([
				expect.stringMatching(
					`^Check the vendor invoice of work order ${workOrder} \\(http\\S+/${Id}\\): Corrigo refused the request: "Not now"`,
				),
			]);
			expect(outside.rows).toEqual([
				some({
					...{ workOrderId: Id, workOrder, invoice: 'V-1', currency: 'USD' },
					billingAccount: expect.stringMatching(/^BA-88[12]$/),
				}),
			]);
			expect(JSON.parse(String(outside.rows[0].lines))).toEqual([
				{ item: 'Labor', quantity: 1.5, amount: 90, comment: 'On site' },
				some({ item: 'Parts', quantity: 1 }),
			]);
			expect(outputOf(again, 'Set to Exported')).toEqual([some({ Id, ApState: 'Exported' })]);
			expect(textsOf(again, 'Message to accounting')).toEqual([]);
			const [{ body }] = listRequests(/ApStatusChangeCommand$/);
			expect(body).toMatchObject({ Command: { FinancialConcurrencyId: ConcurrencyId } });
			expect(outputOf(idle, 'Set to Exported')).toEqual([]);

			const payment = { workOrder, amount: 612.5, currency: 'USD', date: '2026-03-31' };
			const payments = [{ ...payment, check: '10023' }];
			await runExample(file, { body: { payments } }, 'Payments');
			expect(costs(Id)).toMatchObject({
				...{ ApStateId: 'Paid', CheckNumber: '10023', CheckCutDate: '2026-03-31T00:00:00' },
				PaymentAmount: { Value: 612.5, CurrencyTypeId: 'USD' },
			});
		});
	});

	it('export changed orders to a table with a value in every column, and no time where an order has none', async () => {
		const [first, second] = store.ids('WorkOrder');
		const changed = { LastActionDateUtc: inHours(-1) };
		change(first, { ...changed, DueDateUtc: '0001-01-01T00:00:00', Employee: undefined });
		change(second, { ...changed, Employee: { Id: store.ids('Employee')[0] } });
		await runExample('nightly-export-to-a-table');

		const tables = exampleNamed('nightly-export-to-a-table').nodes.flatMap(
			({ parameters: { columns } }) =>
				((columns as IDataObject | undefined)?.column ?? []) as Row[],
		);
		const columns = tables.map(({ name }) => String(name));
		const full = columns.filter((column) => outside.rows.some((row) => (row[column] ?? '') !== ''));
		expect(full).toEqual(columns);
		const [row] = outside.rows.filter(({ workOrderId }) => workOrderId === first);
		expect(row).toMatchObject({
			assignedTo: '',
			due: null,
			lastAction: `${changed.LastActionDateUtc}.000Z`,
		});
	});

	it('record a completed work order only after its entry was made', async () => {
		const file = 'completed-orders-to-accounting';
		const { staticData } = await pollTrigger(file);
		complete(report().Id);
		const { items } = await pollTrigger(file, staticData);
		const workflow = exampleNamed(file);
		const entry = workflow.nodes.find(({ name }) => name === 'Create entry');
		Object.assign(entry?.parameters ?? {}, {
			assignments: { assignments: [{ name: 'x', value: '={{ $ifEmpty() }}' }] },
		});
		const run = await engine.runWorkflow({ ...runnable(workflow), items });
		expect([items.length, run.error]).toEqual([1, expect.anything()]);
		expect(outside.rows).toEqual([]);
	});

	describe('let failed tickets wait in a table', () => {
		const file = 'failed-items-in-a-table';
		const send = async (...tickets: IDataObject[]) =>
			await runExample(file, { body: { tickets } }, 'New tickets');
		const tryAgain = async () => await runExample(file, {}, 'Every 15 minutes');
		const messages = (run: Run) => outputOf(run, 'Message to team');
		const created = () => store.children('WoLastAction', 'XNumber', 'T-4711').length;

		it('until their work orders are created, and never twice', async () => {
			// Corrigo reports an error for an order that it has created.
			sandbox.fault(rejection('/WoCreateCommand', NOT_NOW, { commit: true }));
			await send(ticket, { ...ticket, ticket: 'T-4712' });
			const failed = { ...ticket, ticket: 'T-4711', tries: 1, error: quoteRefusal('Not now') };
			expect(outside.rows).toEqual([{ ...failed, message: expect.any(String) }]);

			const again = await tryAgain();
			expect(outputOf(again, 'Create work order')).toMatchObject([{ AlreadyExisted: true }]);
			expect([created(), outside.rows]).toEqual([1, []]);
			expect((await tryAgain()).output('Create work order')).toEqual([]);
		});

		it('but notify the team at once of a ticket without a number', async () => {
			expect(messages(await send({ ...ticket, ticket: undefined }))).toEqual([
				{
					text: expect.stringMatching(
						/Ticket without a number \(Contoso.*'External Number' is empty/,
					),
				},
			]);
		});
	});

	it('create the order of a ticket once, with priority and work zone, and follow its status alone', async () => {
		const file = 'ticket-to-work-order';
		const body = { ...ticket, zone: 'Midtown Manhattan', priority: 'High' };
		const { staticData } = await pollTrigger(file);
		sandbox.forgetRequests();
		await runExample(file, { body });
		await runExample(file, { body });

		const { Id: id, ...created } = orderWith('T-4711');
		expect(findReferred('WorkZone', created.WorkZone).DisplayAs).toBe(body.zone);
		expect(findReferred('WoPriority', created.Priority).DisplayAs).toBe('High');
		expect(listRequests(/WoCreateCommand$/)).toHaveLength(1);
		const row = { ticket: 'T-4711', workOrder: expect.stringMatching(/^MTM\d+$/) };
		expect(outside.rows).toEqual([{ ...row, status: 'New' }]);

		act(id, 'WoPickUpCommand', 'WoStartCommand');
		act(report().Id, 'WoPickUpCommand');
		const { items } = await followStatus(file, staticData);
		expect(new Set(idsOf(jsonOf(items)))).toEqual(new Set([id]));
		expect(outside.rows).toMatchObject([{ ticket: 'T-4711', status: 'In Progress' }]);
		await runExample(file, { body });
		expect(outside.rows).toMatchObject([{ ticket: 'T-4711', status: 'In Progress' }]);
	});

	it.each([
		['Only a ticket', { ticket: '<!channel>' }, 'Ticket ＜!channel＞ has no work order'],
		[
			'Different',
			{
				...{ keys: { ticket: 'T-1' }, skipped: { url: { inputB: 'http://a' } } },
				different: { contact: { inputA: '@here', inputB: '[x](//y)' } },
			},
			'Ticket T-1 and its work order differ: contact ＠here / ［x］(//y). http://a',
		],
		[
			'Only a work order',
			{ ticket: '<!here>', workOrder: 'DTC0000001', url: 'http://a' },
			'Work order DTC0000001 belongs to ticket ＜!here＞, which is missing: http://a',
		],
	])('report differing tickets without a mention or a link: %s', async (node, json, text) => {
		const run = await runExample('tickets-and-work-orders-in-step', json, node);
		expect(jsonOf(run.output(node))).toEqual([{ text }]);
	});

	it('answer a ticket that the workflow itself has changed, and list all differences in one text', async () => {
		const file = 'tickets-and-work-orders-in-step';
		const values = { ticket: 'T-1', poNumber: 'PO-1', contact: 'Ava' };
		sandbox.forgetRequests();
		const echo = await runExample(file, { body: { ...values, changedBy: 'Corrigo' } });
		expect(outputOf(echo, 'Values from Corrigo')).toEqual([values]);
		expect(listRequests(/./)).toEqual([]);

		const differences = ['One', '', 'Two'].map((text) => ({ json: { text } }));
		const reported = await runItems(file, differences, 'Skip empty sides');
		expect(textsOf(reported, 'Report')).toEqual(['One\nTwo']);
	});

	it('report once each new order that is scheduled or needed on site soon', async () => {
		const file = 'new-and-changed-visits';
		const triggers = nodesOf(file, typeOfNode('corrigoTrigger'));
		const before = await Promise.all(
			triggers.map(async ({ parameters }) => await engine.poll('corrigoTrigger', { parameters })),
		);
		const visits = [
			{ DtScheduledStart: inHours(20) },
			{ DtScheduledStart: inHours(20), DtOnSiteBy: inHours(21) },
			{ DtOnSiteBy: inHours(20) },
			{ DtScheduledStart: inHours(200), DtOnSiteBy: inHours(200) },
			{},
		];
		const numbers = visits.map((visit) => String(report(visit).Number));
		const texts: unknown[] = [];
		for (const [index, { name, parameters }] of triggers.entries()) {
			const { staticData } = before[index];
			const { items } = await engine.poll('corrigoTrigger', { parameters, staticData });
			const run = await runItems(file, items ?? [], name);
			texts.push(...textsOf(run, 'Message to dispatcher'));
		}
		expect(texts).toEqual(
			numbers.slice(0, 3).map((number) => {
				const text = `^New work order ${number} at .* https?://.*\\.aspx/\\d+$`;
				return expect.stringMatching(text) as unknown;
			}),
		);
		const time = String.raw`\w{3}, \w{3} \d+, \d+:\d\d [AP]M`;
		const said = [
			[time, 'no time'],
			[time, time],
			['no time', time],
		];
		for (const [index, [start, onSite]] of said.entries()) {
			expect(texts[index]).toMatch(
				new RegExp(
					`: scheduled for ${start}, on site by ${onSite} \\(time of the site\\), assigned to `,
				),
			);
		}
	});

	it('wait thirty days for the status of the order of a ticket, and not at all if it is completed', async () => {
		const read = async () => {
			const [{ status }] = outputOf(
				await runExample('waiting-for-a-status', { body: ticket }),
				'Result',
			);
			return [status, outside.waits, outside.rows];
		};
		expect(await read()).toEqual(['Still open', 1, []]);
		complete(orderWith('T-4711').Id);
		expect(await read()).toEqual(['Completed', 1, []]);
	});

	it('notify a chat of each emergency once, and of no other order, whether it is pushed or polled', async () => {
		const file = 'emergency-to-a-chat-message';
		const [pushed, polled] = ['corrigoWebhookTrigger', 'corrigoTrigger'].map((name) =>
			parametersOf(file, typeOfNode(name)),
		);
		expect(pushed.conditions).toEqual(polled.conditions);
		const { staticData } = await pollTrigger(file);
		const [emergency] = [true, false].map((IsEmergency) => {
			const [{ Id }] = store.children('WoPriority', 'IsEmergency', IsEmergency);
			// The priority is set afterwards, because the service derives one from asset and task.
			return change(report().Id, { Priority: { Id } });
		});
		const { items } = await pollTrigger(file, staticData);
		const run = await runItems(file, [...items, ...items]);
		const workOrder = String(emergency.Number);
		const text = expect.stringMatching(
			`^Emergency ${workOrder} at .*: .* http\\S+/\\d+$`,
		) as unknown;
		expect(outputOf(run, 'Chat message')).toEqual([{ text, workOrder }]);
	});

	it('create one order for each flagged step of an inspection, also when it is completed twice', async () => {
		const file = 'failed-inspection-step-to-work-order';
		const { items: found } = await pollTrigger(file, {}, 'manual');
		const [{ WorkOrderId }] = store.rows('WoProcedure');
		const items = found.filter(({ json }) => json.Id === WorkOrderId);
		const first = await runItems(file, items);
		const [step] = outputOf(first, 'Flagged?');
		const [created, ...others] = outputOf(first, 'Create work order');
		expect([created.AlreadyExisted, others]).toEqual([false, []]);
		const inspected = order((step.WorkOrder as Row).Id);
		expect(order(created.Id)).toMatchObject({ Customer: { Id: (inspected.Customer as Row).Id } });
		const [item] = store.children('WoItem', 'WorkOrderId', Number(created.Id));
		expect(item).toMatchObject({
			Asset: { Id: (step.Asset as Row).Id },
			Comment: `Work order ${String(inspected.Number)}, Fire Door Check, step 3, Photo of the seal: Parts Missing. The seal is torn`,
		});

		// A procedure may belong to no asset, and a step may have no comment.
		const { Id } = step.Procedure as Row;
		store.change('WoProcedure', Id, { Asset: undefined });
		for (const { Id: each } of store.children('WoProcedureStep', 'WoProcedureId', Id)) {
			store.change('WoProcedureStep', each, { Flag: { Id: 1 }, Comment: undefined });
		}
		const flagged = outputOf(await runItems(file, items), 'Create work order');
		expect(flagged).toMatchObject([
			{ AlreadyExisted: false },
			{ AlreadyExisted: false },
			{ Id: created.Id, AlreadyExisted: true },
		]);
		const [{ Asset, Comment }] = store.children('WoItem', 'WorkOrderId', Number(flagged[0].Id));
		expect(Asset).toMatchObject({ Id: (inspected.MainAsset as Row).Id });
		expect(Comment).toMatch(/Door closes by itself: No Access$/);
	});

	it('create orders with the answers of steps without a flag, if those count, too', async () => {
		const workflow = exampleNamed('failed-inspection-step-to-work-order');
		const counted = workflow.nodes.find(({ name }) => name === 'Flagged?') as INode;
		const { conditions } = counted.parameters.conditions as { conditions: IDataObject[] };
		conditions[0].leftValue = '={{ { Answer: 100.5 } }}';
		const { items } = await pollTrigger('failed-inspection-step-to-work-order', {}, 'manual');
		const [{ WorkOrderId }] = store.rows('WoProcedure');
		const inspected = items.filter(({ json }) => json.Id === WorkOrderId);
		const made = outputOf(await runItems(workflow, inspected), 'Create work order');
		const comments = made.map(({ Id }) =>
			String(store.children('WoItem', 'WorkOrderId', Number(Id))[0].Comment),
		);
		expect(comments.map((comment) => comment.replace(/^.*: /, ''))).toEqual([
			...['no answer', '100.5', 'Parts Missing. The seal is torn'],
		]);
	});

	describe('turn mails into work orders', () => {
		const file = 'mail-to-work-order';
		const photo = { data: 'AAAA', mimeType: 'image/jpeg', fileName: 'leak.jpg' };
		const addressOf = (contact: Row) =>
			store
				.children('ContactInfo', 'ActorId', contact.Id)
				.map(({ Address }) => String(Address))
				.find((address) => address.includes('@'));
		const buildMail = (address: string, edits: IDataObject = {}) => ({
			from: { value: [{ address, name: 'Ava Brown' }] },
			...{ subject: 'Water on the floor', text: 'Since this morning\n', headers: {} },
			...{ messageId: '<1@tenant.example>', ...edits },
		});
		const receive = async (...mails: IDataObject[]) =>
			await runItems(
				file,
				mails.map((json) => ({ json, binary: { attachment_0: photo } })),
			);
		let contacts: Row[];
		let addresses: string[];

		beforeEach(() => {
			const reachable = store.rows('Contact').filter((one) => addressOf(one) !== undefined);
			const customers = reachable.map(({ CustomerId }) => CustomerId);
			contacts = reachable.filter(({ CustomerId }, at) => customers.indexOf(CustomerId) === at);
			addresses = contacts.map((one) => String(addressOf(one)));
		});

		it('for the customer of the sender, and notify the team of those of strangers', async () => {
			const run = await receive(
				buildMail('nobody@elsewhere.example', { messageId: '<0@x>' }),
				buildMail(addresses[0]),
				buildMail(addresses[1], { messageId: '<2@tenant.example>' }),
			);
			const made = outputOf(run, 'Create work order');
			expect(made).toEqual([some({ AlreadyExisted: false }), some({ AlreadyExisted: false })]);
			expect(run.output('Answer')).toHaveLength(2);
			expect(textsOf(run, 'Message to team')).toEqual([
				expect.stringMatching(/"Water on the floor" from nobody@elsewhere.example: 'Contact'/),
			]);
			for (const [at, { Id }] of made.entries()) {
				expect(order(Id)).toMatchObject({
					Customer: { Id: contacts[at].CustomerId },
					ContactName: 'Ava Brown',
				});
				const [item] = store.children('WoItem', 'WorkOrderId', Number(Id));
				expect(item.Comment).toBe('Water on the floor\n\nSince this morning');
			}
		});

		it('and replies and further mails of a thread into notes, once, if the order is open and belongs to the customer', async () => {
			const [mine, theirs] = addresses;
			const more = (address: string, id: string, edits: IDataObject) =>
				buildMail(address, { text: `Mail ${id}`, messageId: `<${id}>`, ...edits });
			const inThread = (header: string) => ({
				subject: 'Re: Water on the floor',
				headers: { [header.toLowerCase()]: `${header}: <1@tenant.example>\r\n <9@tenant.example>` },
			});
			const mails = [
				buildMail(mine),
				more(mine, '2', inThread('References')),
				more(theirs, '3', inThread('References')),
			];
			const made = outputOf(await receive(...mails), 'Create work order');
			expect(idsOf(made, 'AlreadyExisted')).toEqual([false, true, false]);
			const [{ Id, Number: number }, , { Id: ofOther }] = made;
			const reply = { subject: `Re: Work order ${String(number)}: Water on the floor` };
			const again = await receive(
				...[...mails, more(mine, '4', inThread('In-Reply-To'))],
				...[more(mine, '5', reply), more(mine, '5', reply)],
			);
			expect(again.output('Answer')).toEqual([]);
			expect(idsOf(notesOf(Id), 'Body').sort()).toEqual(
				[2, 4, 5].map((id) => `${mine}:\nMail ${id}`),
			);
			expect([ofOther === Id, notesOf(ofOther)]).toEqual([false, []]);
			const other = await receive(more(theirs, '6', reply));
			expect(outputOf(other, 'Create work order')).toMatchObject([{ AlreadyExisted: false }]);

			complete(Id);
			const late = await receive(more(mine, '7', reply), more(mine, '8', inThread('References')));
			const created = outputOf(late, 'Create work order');
			expect(idsOf(created, 'AlreadyExisted').sort()).toEqual([false, true]);
			expect(notesOf(Id)).toHaveLength(3);
			expect(textsOf(late, 'Message to team')).toEqual([
				expect.stringMatching(`work order ${order(Id).Number}, which is closed. http\\S+/${Id}$`),
			]);
		});

		it('also without a subject or a text', async () => {
			const empty = { subject: undefined, text: undefined };
			const [mine] = addresses;
			const run = await receive(
				buildMail(mine, { ...empty, text: 'Cold' }),
				buildMail(mine, { ...empty, messageId: '<2@tenant.example>' }),
				buildMail('nobody@elsewhere.example', { ...empty, messageId: '<0@x>' }),
			);
			const comments = outputOf(run, 'Create work order').map(
				({ Id }) => store.children('WoItem', 'WorkOrderId', Number(Id))[0].Comment,
			);
			expect(comments).toEqual(['Cold', 'A mail without text']);
			expect(textsOf(run, 'Message to team')).toEqual([
				expect.stringContaining('the mail "" from nobody@elsewhere.example'),
			]);

			const headers = { references: 'References: <1@tenant.example>' };
			await receive(buildMail(mine, { ...empty, headers, messageId: '<3@tenant.example>' }));
			const [{ Id }] = outputOf(run, 'Create work order');
			expect(idsOf(notesOf(Id), 'Body')).toEqual([`${mine}:\nA mail without text`]);
		});

		it('but not those that programs send', async () => {
			const headers = { 'auto-submitted': 'Auto-Submitted: auto-replied' };
			sandbox.forgetRequests();
			await receive(buildMail(addresses[0], { headers }));
			expect(sandbox.requestsTo('api')).toEqual([]);
		});
	});

	describe('let a person decide about a mail', () => {
		const file = 'mail-approval-to-work-order';
		const FORWARD = { Decision: 'Forward', 'Forward to': 'manager@example.com', Comment: 'Yours?' };

		const decide = async (decisions: IDataObject[], edits: IDataObject = {}) => {
			outside.shown = [];
			outside.asked = [];
			outside.decisions = decisions;
			const [{ Address: address }] = store
				.rows('ContactInfo')
				.filter((row) => row.ActorTypeId === 'LeaseUser' && /@/.test(String(row.Address)));
			const mail = {
				...{ from: { value: [{ address, name: 'Ava Brown' }] }, headers: {} },
				...{ subject: 'Water <b>', text: 'Since {{ 1 + 1 }}', messageId: '<1@x>', ...edits },
			};
			const photo = { data: 'AAAA', mimeType: 'image/jpeg', fileName: 'leak.jpg' };
			return await runItems(file, [{ json: mail, binary: { attachment_0: photo } }], 'One mail');
		};
		const creates = () => listRequests(/WoCreateCommand/).length;

		beforeEach(() => {
			sandbox.forgetRequests();
		});

		it('and create the order with its photo, once, after an approval, also of somebody to whom it was forwarded', async () => {
			const run = await decide([FORWARD, { Decision: 'Approve' }]);
			const [{ Id, Number: number }] = outputOf(run, 'Create work order');

			expect(outputOf(run, 'Next approver')).toMatchObject([{ approver: 'manager@example.com' }]);
			expect(outside.asked.slice(0, 2)).toEqual([
				expect.stringMatching(
					/^Would create a work order .+\.\n\n"Ava Brown" writes: "Since {{ 1 \+ 1 }}"$/,
				),
				expect.stringMatching(/^This mail was forwarded to you \(Yours\?\)\.\n\nWould create/),
			]);
			expect(outside.shown.at(-1)).toContain(`Your request is work order ${String(number)}: http`);
			expect(store.children('Document', 'ActorId', Id)).toHaveLength(1);
			const again = await decide([{ Decision: 'Approve' }]);
			expect(outputOf(again, 'Create work order')).toEqual([some({ Id, AlreadyExisted: true })]);
			expect(creates()).toBe(1);
		});

		it('and create nothing without an approval', async () => {
			await decide([{ Decision: 'Deny', Comment: 'Call the landlord.' }]);
			expect(outside.shown.at(-1)).toContain('did not become a work order. Call the landlord.');

			const silent = await decide([FORWARD]);
			expect(textsOf(silent, 'Message to team')).toEqual([
				expect.stringMatching(/"Water ＜b＞" from .+: nobody has decided within two days\.$/),
			]);

			const stranger = { from: { value: [{ address: 'nobody@elsewhere.example' }] } };
			const unknown = await decide([{ Decision: 'Approve' }], stranger);
			expect(textsOf(unknown, 'Message to team')).toEqual([
				expect.stringMatching(/from nobody@elsewhere\.example: 'Contact'/),
			]);
			expect(outside.asked).toEqual([]);
			expect(creates()).toBe(0);
		});

		it('but ask about no mail twice, and about none of a program', async () => {
			const mail = (messageId: string, headers = {}) => ({ json: { messageId, headers } });
			const automatic = { 'auto-submitted': 'Auto-Submitted: auto-replied' };
			const run = await runItems(file, [mail('1'), mail('1'), mail('2', automatic)], 'Mail');
			expect(run.output('Each mail')).toHaveLength(1);
		});
	});

	describe('watch meters', () => {
		/** Runs the example with readings in place of its own. */
		const read = async (...readings: IDataObject[]) =>
			await runExample('meter-passes-its-limit', { readings } as IDataObject, 'Split readings');
		const [tag, other] = ['TAG10032', 'TAG10040'];
		const meter = 'Run Hours';
		const readValues = (asset: number) =>
			store
				.children('AssetAttribute', 'AssetId', asset)
				.filter(({ Descriptor }) => findReferred('AttributeDescriptor', Descriptor).Name === meter)
				.map(({ Value }) => Number(Value));

		it('and create one order for a fault, with later readings as notes', async () => {
			const first = await runExample('meter-passes-its-limit');
			const [created, ...others] = outputOf(first, 'Create work order');
			expect([created.AlreadyExisted, others]).toEqual([false, []]);
			const [item] = store.children('WoItem', 'WorkOrderId', Number(created.Id));
			expect(item).toMatchObject({
				Asset: { Id: 10_032 },
				Comment: 'Run Hours: 204.5, above the limit of 200',
			});

			const later = await read({ tag, meter, value: 205 }, { tag: other, meter, value: 199 });
			expect(outputOf(later, 'Create work order')).toMatchObject([
				{ Id: created.Id, AlreadyExisted: true },
			]);
			expect(idsOf(notesOf(created.Id), 'Body')).toEqual(['Run Hours: 205']);
			expect([readValues(10_032), readValues(10_040)]).toEqual([
				[32, 132.5, 204.5, 205],
				[40, 140.5, 150.25, 199],
			]);

			await reportAlarms({ tag, message: 'Quiet', ended: true });
			expect(order(created.Id).StatusId).toBe('New');
		});

		it.each(['', null])('and create no order where the limit is %p', async (Value) => {
			const limit = store.rows('AttributeDescriptor').find(({ Name }) => Name === `${meter} Limit`);
			for (const row of store.children('AssetAttribute', 'AssetId', 10_032)) {
				const isLimit = (row.Descriptor as Row).Id === limit?.Id;
				if (isLimit) store.change('AssetAttribute', row.Id, { Value });
			}
			const run = await read({ tag, meter, value: 204.5 });
			expect(run.output('Create work order')).toEqual([]);
		});

		it('and add a repeated reading once, and none without a limit to compare it with', async () => {
			const limit = store.rows('AttributeDescriptor').find(({ Name }) => Name === `${meter} Limit`);
			for (const row of store.children('AssetAttribute', 'AssetId', 10_032)) {
				if ((row.Descriptor as Row).Id === limit?.Id) store.remove('AssetAttribute', row.Id);
			}
			for (const value of [204.5, 204.5, '204.5']) {
				const run = await read({ tag, meter, value });
				expect(run.output('Create work order')).toEqual([]);
			}
			expect(readValues(10_032)).toEqual([32, 132.5, 204.5]);
		});
	});

	it('write a building of a work zone below its asset, and not one of the same name elsewhere', async () => {
		const file = 'building-of-a-work-zone';
		const entered = {
			...{ Building: 'Annex', Street: '12 Main Street', City: 'Chicago' },
			...{ State: 'IL', ZIP: '60601', Country: 'US' },
		};
		const moved = {
			...{ Building: ' Annex', Street: '1 Lake Street', City: '', State: '', ZIP: '60602' },
		};
		const zones = ['Chicago Loop', 'Boston Seaport'];
		for (const zone of zones) await runExample(file, { ...entered, 'Work zone': zone });
		await runExample(file, { ...entered, ...moved, 'Work zone': zones[0] });

		const buildings = store.rows('Location').filter(({ Name }) => Name === 'Annex');
		expect(buildings).toMatchObject(zones.map(() => ({ TypeId: 'Building', Orphan: true })));
		for (const [index, name] of zones.entries()) {
			const [zone] = store.children('WorkZone', 'DisplayAs', name);
			expect(store.children('AssetTree', 'ChildId', buildings[index].Id)).toContainEqual(
				some({ ParentId: (zone.Asset as Row).Id, Distance: 1 }),
			);
		}
		const address = { TypeId: 'Primary', City: 'Chicago', State: 'IL', Country: 'US' };
		expect(buildings.map(({ Address }) => findReferred('Address2', Address))).toMatchObject([
			{ ...address, Street: '1 Lake Street', Zip: '60602' },
			{ ...address, Street: '12 Main Street', Zip: '60601' },
		]);

		const named = { ...entered, 'Work zone': zones[0], Building: unsafe };
		for (const outcome of ['was created', 'has its new address']) {
			const run = await runExample(file, named);
			expect(run.output('Show confirmation')).toHaveLength(1);
			expect(outside.shown.at(-1)).toContain(` "${shown} ${outcome}." `);
		}
	});

	describe('keep employees as an HR file has them', () => {
		const file = 'employees-from-an-hr-file';
		const COLUMNS = ['Employee number', 'First name', 'Last name', 'Job title', 'Username', 'Role'];

		/** `meanwhile` runs between the preview and the answer. */
		const upload = async (content: string, answer = 'Yes', meanwhile = () => {}) => {
			sandbox.forgetRequests();
			outside.answers = {
				get 'Go ahead?'() {
					meanwhile();
					return answer;
				},
			};
			const data = Buffer.from(content).toString('base64');
			const Employees = { data, mimeType: 'text/csv', fileName: 'employees.csv' };
			return await runWithFile(file, {}, { Employees });
		};

		const toCsv = (rows: IDataObject[]) => {
			const columns = [...COLUMNS, 'Outcome'];
			const lines = rows.map((row) => columns.map((name) => String(row[name] ?? '')).join(','));
			return [columns.join(','), ...lines].join('\n');
		};

		/** The rows of all employees with a number, and one more. */
		const listAll = (): IDataObject[] => [
			...store
				.rows('Employee')
				.flatMap(({ Number: number }) => (number ? [{ 'Employee number': number }] : [])),
			{
				...{ 'Employee number': 'NEW-1', 'First name': '<b>', 'Last name': 'New' },
				...{ Username: 'new', Role: 'Technician' },
			},
		];

		const writes = () =>
			listRequests(/base\/Employee|cmd\//).map(({ path }) => path.split('/').at(-1));
		const suspensions = () => writes().filter((path) => path?.includes('Suspend'));
		const readSummary = (run: Run) => String(textsOf(run, 'Summarize changes')[0]);

		it('from the sample, which suspends nobody, because it lacks more employees than the limit', async () => {
			const run = await upload(readFileSync(`examples/${file}.csv`, 'utf8'));

			expect(readSummary(run)).toMatch(
				/^Employees to create: 2, to change: 0, unchanged: 0, to suspend: 0\.<br>Nobody would be suspended, because the file lacks more employees than the limit of 5\. Is it complete\? It lacks 24: .+ and 4 more/,
			);
			expect(outputOf(run, 'Result')).toMatchObject([
				{ Outcome: 'created', 'Employee number': 'SAMPLE-1' },
				{ Outcome: 'created', 'Employee number': 'SAMPLE-2' },
			]);
			expect(suspensions()).toEqual([]);
		});

		it.each(['', COLUMNS.join(','), `${COLUMNS.join(',')}\n,,,,,`])(
			'but nobody from a file without employees: %j',
			async (content) => {
				const run = await upload(content);

				expect(run.output('Show empty file')).toHaveLength(1);
				expect(outside.shown.join()).toContain('nobody is suspended either');
				expect(writes()).toEqual([]);
			},
		);

		it('and suspend who is not in it, once, after a person has seen who that is', async () => {
			const [first, second, third, ...others] = listAll();
			const left = [first, second].map(
				({ 'Employee number': number }) => store.children('Employee', 'Number', number)[0],
			);
			store.change('Employee', left[0].Id, { DisplayAs: 'Ann <i>' });
			const names = ['Ann &#60;i&#62;', String(left[1].DisplayAs)];
			const shown = names
				.map((name, index) => `${name} (${String(left[index].Number)})`)
				.join(', ');
			const content = toCsv([{ ...third, 'Job title': 'Lead' }, ...others]);
			const counts = 'Employees to create: 1, to change: 1, unchanged: 21, to suspend: 2.';

			const refused = await upload(content, 'No');
			expect(readSummary(refused)).toMatch(
				`${counts}<br>Would suspend, because they are not in the file: ${shown}<br>Would `,
			);
			const unnumbered = await upload(`${content}\n,Ben,New,,ben,Technician,`, 'No');
			expect(readSummary(unnumbered)).toContain(
				'because a row of the file has no employee number: Ann',
			);
			expect(writes()).toEqual([]);

			const change = () => store.change('Employee', left[0].Id, { JobTitle: 'Moved' });
			const half = outputOf(await upload(content, 'Yes', change), 'Result');
			expect(half.slice(-3)).toMatchObject([
				{ 'Employee number': 'NEW-1', Outcome: 'created', 'First name': '<b>' },
				{ Outcome: 'not suspended', 'What to do': expect.stringContaining('Changed since') },
				{ Outcome: 'suspended', 'Employee number': left[1].Number },
			]);
			expect(outside.rows).toMatchObject([{ employee: left[1].Id, number: left[1].Number }]);

			const again = await upload(toCsv(half), 'Yes, but suspend nobody');
			expect(readSummary(again)).toContain('to change: 0, unchanged: 23, to suspend: 1.');
			expect(writes()).toEqual([]);
			sandbox.fault(rejection('UserOrProviderSuspendCommand', NOT_NOW));
			expect(outputOf(await upload(content), 'Result').at(-1)).toMatchObject({
				Outcome: 'not suspended',
				'What to do': expect.stringContaining('Not now'),
			});
			await upload(content);
			expect(suspensions()).toHaveLength(1);
			const last = await upload(content);
			expect(readSummary(last)).toMatch(/unchanged: 23, to suspend: 0\.$/);
			expect(writes()).toEqual([]);

			const back = await upload(toCsv([third, ...others, second]));
			expect(readSummary(back)).toContain(
				`suspended by an earlier file, and their rows are left out until you reactivate them in Corrigo and delete their rows from the table: ${names[1]} (`,
			);
			expect(writes()).toEqual([]);
		});
	});

	describe('import customers from a file', () => {
		const HEAD = ['Tenant code', 'Name', 'DBA', 'Work zone', 'Tax exempt', 'Instructions'];

		const uploadFile = async (content: Buffer, answers: IDataObject = { 'Go ahead?': 'Yes' }) => {
			sandbox.forgetRequests();
			outside.answers = answers;
			const data = content.toString('base64');
			const Customers = { data, mimeType: 'text/csv', fileName: 'customers.csv' };
			return await runWithFile('customers-from-a-file', {}, { Customers });
		};

		const upload = async (rows: IDataObject[], answers?: IDataObject) => {
			const columns = [...HEAD, 'Outcome'];
			const lines = rows.map((row) => columns.map((name) => String(row[name] ?? '')).join(','));
			return await uploadFile(Buffer.from([columns.join(','), ...lines].join('\n')), answers);
		};

		const writes = () => listRequests(/base\/Customer/).map(({ method }) => method);

		const zone = () => String(store.rows('WorkZone')[0].DisplayAs);

		/** One row without changes, one with a change, a new one, and one with an unknown work zone. */
		const file = (): IDataObject[] => {
			const [stays, changes] = store.rows('Customer');
			return [
				{ 'Tenant code': stays.TenantCode, Name: stays.DisplayAs },
				{ 'Tenant code': changes.TenantCode, Instructions: 'Ring twice' },
				{ 'Tenant code': 'NEW-1', Name: 'New one', 'Work zone': zone(), 'Tax exempt': 'no' },
				{ 'Tenant code': 'NEW-2', Name: 'Other', 'Work zone': 'Nowhere', 'Tax exempt': 'yes' },
			] as IDataObject[];
		};

		it('from the sample', async () => {
			const run = await uploadFile(readFileSync('examples/customers-from-a-file.csv'));

			expect(outputOf(run, 'Download result file')).toMatchObject([
				{ Outcome: 'created', 'Tenant code': 'SAMPLE-1' },
				{ Outcome: 'created', 'Tenant code': 'SAMPLE-2' },
			]);
		});

		it('only after a person has seen and approved the changes', async () => {
			const [, { DisplayAs, Instructions }] = store.rows('Customer');
			const run = await upload(file(), { 'Go ahead?': 'No' });
			const shownName = String(DisplayAs).replace("'", '&#39;').replace(' & ', ' &#38; ');
			const before = Instructions ? `&#34;${String(Instructions)}&#34;` : 'empty';

			expect(outputOf(run, 'Summarize changes')).toEqual([
				{
					text:
						'Customers to create: 1, to change: 1, unchanged: 1.' +
						`<br><br>Would set Instructions of customer &#34;${shownName}&#34; from ${before} to &#34;Ring twice&#34;` +
						`<br>Would create customer &#34;New one&#34;, with DBA (Doing Business As) &#34;New one&#34;, Name &#34;New one&#34;, Tax Exempt no, Tenant Code NEW-1 and Work Zone &#34;${zone()}&#34;`,
					wrong: expect.stringMatching(
						/^Row 5 \(Other\): &#39;Work Zone&#39;: no work zone is named &#34;Nowhere&#34;/,
					),
				},
			]);
			expect(run.output('Show cancellation')).toHaveLength(1);
			expect(run.output('Create result file')).toEqual([]);
			expect(writes()).toEqual([]);
		});

		const WRONG = ['maybe', 'Y', 'x', 'constructor'];

		it('and name the row of what is wrong, with what may have been meant', async () => {
			const rows = [
				{ 'Tenant code': 'NEW-1', Name: 'One', 'Work zone': zone().slice(0, -1) + 'x' },
				...WRONG.map((text) => ({
					'Tenant code': `NEW-${text}`,
					...{ Name: '<img src=x>', 'Work zone': zone(), 'Tax exempt': text },
				})),
			];
			const run = await upload(rows);

			const [{ wrong }] = outputOf(run, 'Summarize changes');
			const lines = String(wrong).split('<br>');
			expect(lines).toEqual([
				expect.stringMatching(`^Row 2 \\(One\\): .*${zone()}`),
				...WRONG.map((text, index) =>
					expect.stringMatching(
						`^Row ${index + 3} \\(&#60;img src=x&#62;\\): &#39;Tax Exempt&#39; .*&#34;${text.toLowerCase()}&#34;`,
					),
				),
			]);
			expect(writes()).toEqual([]);
			expect(outputOf(run, 'Result').map(({ Outcome }) => Outcome)).toEqual(
				rows.map(() => 'failed'),
			);
		});

		it('and return cells that a spreadsheet would take for formulas as texts, which the next upload reads', async () => {
			const formulas = ['=1+1', ' =1+1', '\u00a0@SUM(1)', '-1+1', '＝1+1'];
			const rows = formulas.map((Name, index) => ({
				...{ 'Tenant code': `NEW-${index}`, Name, 'Work zone': zone() },
			}));
			const first = outputOf(await upload(rows), 'Result');
			expect(first).toMatchObject(
				formulas.map((Name) => ({ Name: `'${Name}`, Outcome: 'created' })),
			);
			const stored = rows.map(
				(row) => store.children('Customer', 'TenantCode', row['Tenant code'])[0].DisplayAs,
			);
			expect(stored).toEqual(formulas.map((Name) => Name.trim()));
			const again = await upload(first.map((row) => ({ ...row, Outcome: '' })));
			expect(outputOf(again, 'Result')).toMatchObject(
				formulas.map(() => ({ Outcome: 'unchanged' })),
			);
		});

		it('and not over a change made while the person looked at the preview, until the file comes again', async () => {
			const [, { Id, TenantCode }] = store.rows('Customer');
			const run = await upload(file(), {
				get 'Go ahead?'() {
					store.change('Customer', Id, { Dba: 'Theirs' });
					return 'Yes';
				},
			});

			const first = outputOf(run, 'Result');
			expect(first).toMatchObject([
				{ Outcome: 'unchanged' },
				{
					Outcome: 'failed',
					'Tenant code': TenantCode,
					'What to do': expect.stringMatching(/^Changed since the dry run: /) as unknown,
				},
				{ Outcome: 'created' },
				{ Outcome: 'failed' },
			]);
			expect(writes()).toEqual(['POST']);

			const corrected = first.map((row) => ({
				...row,
				'Work zone': row['Work zone'] === 'Nowhere' ? zone() : row['Work zone'],
			}));
			const second = await upload(corrected);

			const later = ['unchanged', 'updated', 'unchanged', 'created'];
			expect(idsOf(outputOf(second, 'Result'), 'Outcome')).toEqual(later);
			expect(writes()).toEqual(['PUT', 'POST']);
		});
	});

	describe('triage requests with a model and a person', () => {
		const file = 'triage-of-requests';
		const request = {
			'What is wrong, and where?': 'The kitchen of the pharmacy has no hot water',
			'Your name': 'Ava Brown',
			'Phone or email': '+1 555 0100',
		};
		const meant = {
			site: 'contoso pharmacy',
			equipment: 'Water Heater',
			task: 'No hot water',
			summary: 'No hot water in the kitchen',
			urgent: false,
		};
		const count = () => orders().length;

		it.each([
			[true, 1],
			[false, 0],
			[undefined, 0],
		])('who answers %s: %d orders are created', async (reply, made) => {
			outside.reply = reply;
			outside.understood = meant;
			const before = count();

			const run = await runExample(file, request);

			expect(outside.toldModel.join()).toMatch(
				/has no hot water.*Contoso Pharmacy; .*No hot water; /s,
			);
			expect(outputOf(run, 'Preview work order')).toEqual([some({ Outcome: 'wouldCreate' })]);
			expect(outside.asked).toEqual([
				expect.stringMatching(
					/^Would create a work order for customer "Contoso Pharmacy", with .*Items "?Water Heater.* \/ "No hot water".*\.\n\n"Ava Brown" reports: "The kitchen .*"$/,
				),
			]);
			expect(count() - before).toBe(made);
			const created = outputOf(run, 'Create work order');
			expect(created).toHaveLength(made);
			for (const { Id } of created) {
				expect(order(Id)).toMatchObject({ ContactName: 'Ava Brown', Customer: { Id: 109 } });
				expect(store.children('WoItem', 'WorkOrderId', Number(Id))).toEqual([
					some({ Comment: 'No hot water in the kitchen' }),
				]);
			}
		});

		it.each([
			['a site that there is not', { site: 'Pharmacy' }, /"Pharmacy".*Contoso Pharmacy/s],
			['no site at all', { site: null }, /'Customer' is empty/],
		])('and notify the team where the model found %s', async (_, wrong, text) => {
			outside.understood = { ...meant, ...wrong };
			const before = count();

			const run = await runExample(file, request);

			const messages = textsOf(run, 'Message to team');
			expect(messages).toEqual([
				expect.stringMatching(/^A request did not become a work order\. Ava Brown .*no hot water/s),
			]);
			expect(messages[0]).toMatch(text);
			expect(outside.asked).toEqual([]);
			expect(count()).toBe(before);
		});
	});

	/** Returns the output of the first tool of an example, which the model reads. */
	async function ask(file: string, said: IDataObject): Promise<IDataObject[]> {
		const parameters = parametersOf(file, typeOfNode('corrigoTool'));
		const { items, error } = await engine.runTool({ parameters, arguments: said });
		expect(error).toBeUndefined();
		return JSON.parse(String(items[0].json.response)) as IDataObject[];
	}

	it('serve other programs with a model, which may leave search fields empty', async () => {
		const search = { site: '', open: true, days: 9999, words: 'null' };
		const [{ records }] = await ask('desk-for-language-models', search);
		const ids = (records as IDataObject[]).map(({ Id }) => Number(Id));
		expect(ids.length).toBeGreaterThan(1);
		expect(ids).toEqual([...ids].sort((a, b) => b - a));
	});

	it('give an agent the open work orders of the requested site, and no others', async () => {
		const [answer] = await ask('ask-what-is-open', { site: 'Contoso' });
		const records = answer.records as IDataObject[];
		expect([records.length > 0, answer.total]).toEqual([true, records.length]);
		for (const row of records) {
			expect(row.StatusId).toMatch(/^(New|Open|InProgress|Paused|OnHold)$/);
			expect(row.Url).toMatch(/^http.*\/\d+$/);
			expect(row.Customer).toMatchObject({ DisplayAs: expect.stringContaining('Contoso') });
		}
		expect(await ask('ask-what-is-open', { site: 'Nowhere' })).toEqual([
			{ records: [], total: 0, order: 'newest first', complete: true },
		]);
	});

	it('continue on errors in every tool, so that a model reads what went wrong', () => {
		const tools = examples.flatMap((file) => nodesOf(file, typeOfNode('corrigoTool')));
		expect(tools).toHaveLength(5);
		expect(new Set(tools.map(({ onError }) => onError))).toEqual(
			new Set(['continueRegularOutput']),
		);
	});
});
