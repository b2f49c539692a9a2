/** The option Maximum Items, which operations.test.ts shows for every operation, and what a language model may write. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import { byId, itemsOf, shareCompany, rejection } from '../../support/company';
import { HOST_VERSION } from '../../support/host';

const { n8n, records, requests } = shareCompany();

const order = () => records.ids('WorkOrder')[0];
const note = (options: INodeParameters = {}) => ({
	workOrder: byId(order()),
	body: 'text',
	type: 'Public',
	options,
});
const three = { items: itemsOf('a', 'b', 'c') };

describe('Maximum Items', () => {
	it('stops the run before anything is sent, and says how many items came in', async () => {
		const error = await n8n.refuse('note:create', note({ advanced: { maxItems: 2 } }), three);
		expect(error).toMatchObject({
			message: "There are 3 items, but 'Maximum Items' is 2: nothing was written",
			description: "Check which items come in. If all of them are right, raise 'Maximum Items'.",
		});
	});

	it('is checked by a dry run, too', async () => {
		const dry = note({ advanced: { maxItems: 2 }, dryRun: 'always' });
		const { message } = await n8n.refuse('note:create', dry, three);
		expect(message).toMatch(/^There are 3 items, but 'Maximum Items' is 2/);
	});

	it('is the smallest number that an expression gives an item', async () => {
		const maxItems = '={{ { a: 9, b: 2, c: 9 }[$json.x] }}';
		const { message } = await n8n.refuse('note:create', note({ advanced: { maxItems } }), three);
		expect(message).toMatch(/^There are 3 items, but 'Maximum Items' is 2/);
	});

	it.each([{ advanced: { maxItems: 3 } }, { advanced: { maxItems: '3' } }, {}])(
		'lets through 3 items with %j',
		async (options) => {
			await n8n.succeed('note:create', note(options), three);
			expect(requests.sent()).toHaveLength(3);
		},
	);

	it.each([0, -1, 1.5, '', 'many', null, '={{ $json.none }}'])(
		'must be a number: %j',
		async (maxItems) => {
			const { message } = await n8n.refuse('note:create', note({ advanced: { maxItems } }));
			expect(message).toMatch(/^'Maximum Items' must be a whole number, 1 or more/);
		},
	);
});

describe('as a tool of a language model', () => {
	const asTool = { settings: { type: 'n8n-nodes-corrigo.corrigoTool' }, ...three };

	it('writes one item per call', async () => {
		const { message } = await n8n.refuse('note:create', note(), asTool);
		expect(message).toMatch(/^There are 3 items, but 'Maximum Items' is 1/);
	});

	it('writes as many items as Maximum Items allows', async () => {
		await n8n.succeed('note:create', note({ advanced: { maxItems: 3 } }), asTool);
		expect(requests.sent()).toHaveLength(3);
	});

	const ofAgents = { settings: asTool.settings, mode: 'internal' as const };

	// Promise: What is fixed in Corrigo Desk takes effect, whatever the model says
	it.each([
		'={{ $json.body }}',
		'=Note: {{ $json["body"] }}',
		'={{ $input.first().json.body }}',
		"={{ 'a' + $items()[0].json.body }}",
		'={{ `It is ${$json.body}` }}',
		String.raw`={{ "it's \" + $json.body }}`,
		`={{ "a".replace(/'/, $json.body) + '' }}`,
		"={{ $evaluateExpression('$json.body') }}",
		String.raw`={{ 'a \}}' + $json.body }}`,
		'={{ $json.body',
	])('takes nothing from the item that an agent of n8n itself gives it: %s', async (body) => {
		const agent = { ...ofAgents, items: [{ json: { body: 'of a model' } }] };
		const { message } = await n8n.refuse('note:create', { ...note(), body }, agent);
		expect(message).toMatch(
			/^'Text' reads the input item, in which the model can replace any value/,
		);
		expect(requests.sent()).toEqual([]);
	});

	it('takes nothing from there by any name that n8n gives to data', async () => {
		const source = join(dirname(require.resolve('n8n-workflow')), 'workflow-data-proxy.js');
		const names = [...new Set(readFileSync(source, 'utf8').match(/\$[a-z]\w+/gi))];
		expect(names).toEqual(expect.arrayContaining(['$json', '$thisItem']));
		const agent = { ...ofAgents, items: [{ json: { body: 'of a model' } }] };
		for (const name of names) {
			const body = `={{ 'x' + JSON.stringify(${name}) }}`;
			await n8n.run('note:create', { ...note(), body }, agent);
			expect([name, JSON.stringify(requests.bodies())]).toEqual([
				...[name, expect.not.stringContaining('of a model')],
			]);
		}
	});

	it.each([
		['=The $items are in $json', 'The $items are in $json'],
		[`={{ "The $items aren't " + 'in "$json"' }}`, `The $items aren't in "$json"`],
		["={{ $fromAI('said', 'Name the $items of $json', 'string') }}", '={{ $json.said }} of $items'],
	])('lets words be that look like parts of an expression: %s', async (body, sent) => {
		const agent = { ...ofAgents, items: [{ json: { said: '={{ $json.said }} of $items' } }] };
		await n8n.succeed('note:create', { ...note(), body }, agent);
		expect(requests.bodies()[0].Entity).toMatchObject({ Body: sent });
	});

	it('reads any number of items', async () => {
		const run = await n8n.succeed('workOrder:get', { id: byId(order()) }, asTool);
		expect(run.items).toHaveLength(3);
	});

	it.each([undefined, 'continueRegularOutput'] as const)(
		'sends nothing once the agent has answered, with On Error %s',
		async (onError) => {
			const run = await n8n.engine.runTool({
				parameters: { resource: 'note', operation: 'create', ...note() },
				isRequested: true,
				workflowSettings: { executionOrder: 'v0' },
				...(onError && { settings: { onError } }),
			});
			// The oldest host does not tell nodes about the order.
			const isKnown = !HOST_VERSION.startsWith('2.0.');
			expect(requests.sent()).toHaveLength(isKnown ? 0 : 1);
			expect(run.serialized.includes('AI Agent answered before this tool ran')).toBe(isKnown);
			expect(run.error === undefined).toBe(onError !== undefined || !isKnown);
		},
	);

	describe.each([{}, { isRequested: true as const }])('of an agent with %j', (agent) => {
		async function readAnswer(more: object = {}, settings: Partial<INode> = {}) {
			const parameters = { resource: 'note', operation: 'create', ...note(), ...more };
			const run = await n8n.engine.runTool({ parameters, settings, ...agent });
			return String(run.items[0]?.json.response ?? run.error?.message);
		}
		const FAILURE = rejection(
			{ server: 'api' },
			{ ErrorCode: 'NO_SUCH_CODE', ErrorMessage: 'Not today' },
		);

		it('returns what was written', async () => {
			expect(await readAnswer()).toContain('"NoteTypeId":"Public"');
			expect(requests.sent()).toHaveLength(1);
		});

		// Promise: Errors contain Corrigo's own message
		it('tells what to do about an error of Corrigo, once', async () => {
			requests.fault(FAILURE);
			const answer = await readAnswer();
			expect(answer).toMatch(/Not today.*nextAction: Check the values of this node\./s);
			expect(answer.match(/Check the values/g)).toHaveLength(1);
		});

		const search = { resource: 'workOrder', operation: 'getMany' };
		const sort = { values: [{ property: { mode: 'name', value: 'VendorNte.Value' } }] };
		const reasons = () =>
			records.rows('WoActionReasonLookup').filter(({ ActionId }) => ActionId === 'OnHold');
		const hold = (index: number): INodeParameters => ({
			...{ resource: 'workOrder', operation: 'hold', id: byId(records.orderIn('Open').Id) },
			...{ reason: byId(reasons()[index].Id), options: { ifAlreadySo: 'succeed' } },
		});
		const fromModel = "={{ $fromAI('x', '', 'string') }}";
		const sortByModel = { values: [{ property: { mode: 'name', value: fromModel } }] };
		interface Asked {
			parameters: INodeParameters;
			/** The part that a model fills in, with its words. */
			left?: INodeParameters;
			x?: string;
		}
		it.each<[option: string, next: RegExp, build: () => Asked | Promise<Asked>]>([
			[
				'Audience',
				/^Use another field\.$/,
				() => ({
					parameters: { ...search, sort, options: { audience: 'customer' } },
					...{ left: { sort: sortByModel }, x: 'VendorNte.Value' },
				}),
			],
			[
				'Audience',
				/^Only the author of this tool can change that\.$/,
				() => ({ parameters: { ...search, sort, options: { audience: 'customer' } } }),
			],
			[
				'Paging Method',
				/^Only the author of this tool can change that\.$/,
				() => ({
					parameters: { ...search, sort, options: { advanced: { pagingMethod: 'byId' } } },
					...{ left: { sort: sortByModel }, x: 'VendorNte.Value' },
				}),
			],
			[
				'Skip if External Number Exists',
				/^Give it in 'Additional Fields'\.$/,
				() => ({
					parameters: {
						...{ resource: 'workOrder', operation: 'create', ...records.newOrder({}) },
						preventDuplicates: { skipIfExternalNumberExists: true },
					},
					...{ left: { additionalFields: { externalNumber: fromModel } }, x: '' },
				}),
			],
			[
				'If Already So',
				/^If both mean the same, leave 'Reason' empty\.$/,
				async () => {
					const first = hold(0);
					await n8n.succeed('workOrder:hold', first);
					return {
						parameters: { ...hold(1), id: first.id },
						...{ left: { reason: byId(fromModel) }, x: String(reasons()[1].Id) },
					};
				},
			],
		])(
			'tells a person what to do about the option %s, and no model',
			async (option, next, build) => {
				const { parameters, left, x } = await build();
				const { error } = await n8n.engine.run({ parameters });
				expect(error?.description).toContain(option);
				const called = await n8n.engine.runTool({
					...{ parameters: { ...parameters, ...left }, arguments: { x } },
					...agent,
				});
				const answer = String(called.items[0]?.json.response ?? called.error?.message);
				expect(/nextAction: ([^"]+)/.exec(answer)?.[1]).toMatch(next);
			},
		);

		it('tells what to do about wrong input', async () => {
			expect(await readAnswer(note({ advanced: { timeout: 0 } }))).toMatch(
				/'Timeout' must be .*nextAction: Only the author of this tool can change that\./s,
			);
			expect(requests.sent()).toEqual([]);
		});

		it('returns the error and what to do in one item with Continue', async () => {
			requests.fault(FAILURE);
			const answer = await readAnswer({}, { onError: 'continueRegularOutput' });
			const [failed] = (JSON.parse(answer) as IDataObject[]).flat();
			expect(failed).toEqual({
				error: expect.stringMatching(/Not today/) as unknown,
				nextAction: expect.stringMatching(/^Check the values of this node\./) as unknown,
			});
		});
	});
});

it('the descriptions of tools that write begin with other verbs than those of tools that only read', () => {
	const listVerbs = (writes: boolean) =>
		new Set(
			resources
				.flatMap(({ operations }) => operations)
				.filter((operation) => writes !== Boolean(operation.reads))
				.map(({ action }) => action.split(' ')[0]),
		);
	const reading = listVerbs(false);
	expect(reading.size).toBeGreaterThan(1);
	expect([...listVerbs(true)].filter((verb) => reading.has(verb))).toEqual([]);
});
