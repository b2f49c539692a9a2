import { createEngine } from './engine';
import { Example, ExampleApi, ExampleTrigger, Service } from './example';
import { HOST_VERSION } from './host';
import { TYPE, typeOfNode } from './nodes';

let service: Service;

beforeEach(async () => {
	service = new Service();
	await service.open();
});

afterEach(async () => await service.close());

const options = (data = {}) => ({
	nodes: { example: Example, exampleTrigger: ExampleTrigger },
	credentialTypes: [ExampleApi],
	credentials: { exampleApi: { id: '1', data: { server: service.url, ...data } } },
});

const items = (...paths: string[]) => paths.map((path) => ({ json: { path } }));
const fromItem = { path: '={{ $json.path }}' };

describe('a run', () => {
	it('gives the items, hints and record of the node under test', async () => {
		const run = await createEngine(options()).run({ parameters: { path: 'a' } });
		expect(run.status).toBe('success');
		expect(run.items).toEqual([{ json: { path: '/a' }, pairedItem: { item: 0 } }]);
		expect(run.hints).toEqual([{ message: 'Asked 1 times' }]);
		expect(run.nodeData?.executionStatus).toBe('success');
		expect(run.serialized).toContain('"/a"');
		expect(run.serialized).not.toContain('token-1');
	});

	it('fills in the defaults of the form', async () => {
		const run = await createEngine(options()).run();
		expect(run.items[0].json).toEqual({ path: '/default' });
	});

	it('stops at a failing item', async () => {
		const engine = createEngine(options());
		const run = await engine.run({ parameters: fromItem, items: items('a', 'fail', 'b') });
		expect(run.status).toBe('error');
		expect(run.items).toEqual([]);
		expect(run.error).toMatchObject({ httpCode: '400', description: 'Not like this' });
	});

	it('sends a failing item to the error output', async () => {
		const run = await createEngine(options()).run({
			parameters: fromItem,
			items: items('a', 'fail', 'b'),
			onError: 'continueErrorOutput',
		});
		expect(run.items.map(({ json }) => json.path)).toEqual(['/a', '/b']);
		expect(run.errorItems).toHaveLength(1);
		expect(run.errorItems[0].json).toMatchObject({ path: 'fail', error: /Bad request/ });
	});

	it('reports a failing credential with its own message', async () => {
		const run = await createEngine(options({ server: '' })).run();
		expect(run.error).toMatchObject({
			message: 'Say which server',
			description: 'Fill in Server',
		});
	});

	it('lets a later node look back through the pairing', async () => {
		const run = await createEngine(options()).run({
			parameters: fromItem,
			items: items('a', 'b'),
			nodesAfter: [
				{
					name: 'After',
					type: TYPE.evaluate,
					parameters: { value: "={{ $('Start').item.json.path + $json.path }}" },
				},
			],
		});
		expect(run.output('After').map(({ json }) => json.value)).toEqual(['a/a', 'b/b']);
	});

	it('takes a whole workflow', async () => {
		const run = await createEngine(options()).runWorkflow({
			nodes: [
				{ name: 'Start', type: TYPE.start },
				{ name: 'One', type: typeOfNode('example'), parameters: { path: 'one' } },
				{
					name: 'Two',
					type: typeOfNode('example'),
					parameters: { path: '={{ $json.path.slice(1) }}/two' },
				},
			],
			connections: {
				Start: { main: [[{ node: 'One', type: 'main', index: 0 }]] },
				One: { main: [[{ node: 'Two', type: 'main', index: 0 }]] },
			},
		});
		expect(run.items[0].json).toEqual({ path: '/one/two' });
	});

	it('aborts the request in flight when it is cancelled', async () => {
		const started = createEngine(options()).start({ parameters: { path: 'hang' } });
		await service.arrived;
		started.cancel();
		await service.aborted;
		expect((await started.finished).status).toBe('canceled');
	});

	it('serves an agent as a tool', async () => {
		const run = await createEngine(options()).runTool({
			parameters: { path: "={{ $fromAI('path', 'Where to look', 'string') }}" },
			arguments: { path: 'asked' },
		});
		expect(run.items.map(({ json }) => json)).toEqual([
			{ name: 'Example', description: 'Asks the example service', response: '[{"path":"/asked"}]' },
		]);
	});
});

describe('a credential', () => {
	const expired = { accessToken: 'token-0', issued: 'yesterday' };

	it('is renewed once and kept', async () => {
		service.tokens = 5;
		const engine = createEngine(options(expired));
		const run = await engine.run({ parameters: fromItem, items: items('a', 'b') });
		expect(run.status).toBe('success');
		expect(service.requests).toEqual(['GET /a', 'POST /token', 'GET /a', 'GET /b']);
		expect(engine.store.get('1')).toEqual({
			server: service.url,
			accessToken: 'token-6',
			issued: 'today',
		});
		expect(engine.store.writes).toHaveLength(1);
	});

	it('renewed by one worker is found by the other', async () => {
		const first = createEngine(options());
		const second = createEngine({ ...options(), store: first.store });
		await first.run();
		await second.run();
		expect(service.tokens).toBe(1);
	});

	it('is renewed by both workers when they race', async () => {
		service.oneSession = false;
		const first = createEngine(options());
		const second = createEngine({ ...options(), store: first.store });
		let bothRead = () => {};
		const meeting = new Promise<void>((resolve) => (bothRead = resolve));
		let readers = 0;
		first.store.betweenReadAndWrite = async () => {
			if (++readers === 2) bothRead();
			await meeting;
		};
		await Promise.all([first.run(), second.run()]);
		expect(first.store.writes.map(({ accessToken }) => accessToken).sort()).toEqual([
			'token-1',
			'token-2',
		]);
	});

	it('is tested as n8n tests it', async () => {
		const engine = createEngine(options());
		expect(await engine.testCredential()).toEqual({
			status: 'OK',
			message: 'Connection successful!',
		});
		expect(engine.store.get('1').accessToken).toBe('token-1');
		expect(await engine.testCredential({ server: '', accessToken: '' })).toEqual({
			status: 'Error',
			message: 'Say which server',
		});
	});

	it('serves the HTTP Request node', async () => {
		const engine = createEngine(options());
		expect(await engine.httpRequest({ url: '/a', json: true })).toEqual({ path: '/a' });
		const request = { uri: `${service.url}/b`, method: 'GET' as const, json: true };
		expect(await engine.legacyRequest(request)).toEqual({ path: '/b' });
		const pages = await engine.legacyPaginated(
			{ ...request, resolveWithFullResponse: true },
			{ continue: '={{ $pageCount < 2 }}', request: {}, requestInterval: 0 },
		);
		expect(pages).toHaveLength(2);
	});
});

describe('the editor', () => {
	it('searches lists', async () => {
		const engine = createEngine(options());
		const search = { parameters: { path: 'now' }, filter: 'some', paginationToken: '1' };
		expect(await engine.listSearch('searchPaths', search)).toEqual({
			results: ['/some', 'now'].map((value) => ({ name: value, value })),
			paginationToken: '1+1',
		});
	});

	it('loads options for a field', async () => {
		const parameters = { conditions: { values: [{ field: 'Id', operator: '' }] } };
		const path = 'parameters.conditions.values[0].operator';
		expect(await createEngine(options()).loadOptions('getPaths', { parameters, path })).toEqual([
			{ name: 'Id', value: 'Id' },
		]);
	});

	it('maps columns', async () => {
		const { fields } = await createEngine(options()).mappingColumns('getColumns');
		expect(fields.map(({ id }) => id)).toEqual(['default']);
	});
});

describe('a poll', () => {
	it('keeps its state unless it fails', async () => {
		const engine = createEngine(options());
		const first = await engine.poll('exampleTrigger');
		expect(first).toEqual({ items: null, staticData: { polls: 1 }, warnings: [] });
		const second = await engine.poll('exampleTrigger', { ...first, budgetMs: 36_000 });
		const budget = HOST_VERSION.startsWith('2.0.') ? undefined : 36_000;
		expect(second.items?.[0].json).toEqual({ path: '/news', budget });
		const third = await engine.poll('exampleTrigger', second);
		expect(third.error?.message).toBe('Three is too many');
		expect(third.staticData).toEqual({ polls: 2 });
	});

	it('knows that it is run by hand', async () => {
		const { items: found, staticData } = await createEngine(options()).poll('exampleTrigger', {
			mode: 'manual',
		});
		expect(found).toHaveLength(1);
		expect(staticData).toEqual({});
	});
});
