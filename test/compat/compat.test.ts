/**
 * Saved workflows keep working: the current package does the same as the recording of a version.
 * The recorder is tested too: a recording can be made, and fails where something changes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeParameters,
} from 'n8n-workflow';

import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import { Corrigo } from '../../nodes/Corrigo/Corrigo.node';
import { CorrigoTrigger } from '../../nodes/Corrigo/CorrigoTrigger.node';
import { fieldsOf, missingIn, type Field, type Forms } from './form';
import { inLines } from './lines';
import { recorderOf } from './recorder';
import {
	openCompany,
	poll,
	run,
	runWorkflow,
	type SavedOperation,
	type SavedTrigger,
	type SavedWorkflow,
} from './saved';

const recorder = recorderOf({ Corrigo, CorrigoTrigger, CorrigoApi });

let company: Awaited<ReturnType<typeof openCompany>>;

beforeAll(async () => {
	company = await openCompany({ Corrigo, CorrigoTrigger, CorrigoApi });
	await company.engine.run({ parameters: { resource: 'company', operation: 'discover' } });
});

afterAll(async () => {
	await company.sandbox.close();
});

async function expectSameRun(saved: SavedOperation): Promise<void> {
	const { requests, items } = saved;
	expect(await run(company, saved)).toEqual({ requests, items });
}

async function expectSamePoll({ node, before, state, after, ...then }: SavedTrigger) {
	company.begin(before);
	company.happen(after);
	const next = await poll(company, node, state);
	expect(next.outcome).toEqual(then);
	const again = await poll(company, node, next.state);
	expect(again.outcome.items).toEqual([]);
}

async function expectSameWorkflow(saved: SavedWorkflow): Promise<void> {
	const { writes, items } = saved;
	expect(items).not.toEqual([]);
	expect(await runWorkflow(company, saved)).toEqual({ writes, items });
}

async function expectSameSession(stored: INodeParameters): Promise<void> {
	const type = new CorrigoApi();
	const { properties } = type;
	const complete = NodeHelpers.getNodeParameters(properties, stored, true, false, null, null);
	const sign = type.authenticate as (
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	) => Promise<IHttpRequestOptions>;
	const url = '/api/v1/base/WorkOrder';
	expect(await sign(complete as ICredentialDataDecryptedObject, { url })).toMatchObject({
		url,
		baseURL: stored.baseUrl,
		headers: { Authorization: `Bearer ${stored.accessToken}`, CompanyName: stored.companyName },
	});
}

const versions = readdirSync(__dirname, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

for (const version of versions) {
	describe(`the recording of ${version}`, () => {
		const read = <T>(name: string) =>
			JSON.parse(readFileSync(join(__dirname, version, `${name}.json`), 'utf8')) as T;
		const resources = readdirSync(join(__dirname, version))
			.map((file) => file.replace('.json', ''))
			.filter((name) => !['credential', 'forms', 'triggers', 'workflows'].includes(name));
		const operations = resources.flatMap((name) => read<SavedOperation[]>(name));
		const triggers = read<SavedTrigger[]>('triggers');
		const workflows = read<SavedWorkflow[]>('workflows');
		const forms = read<Forms>('forms');

		it.each(operations.map((saved) => [saved.node.name, saved]))(
			'%s sends and returns what was recorded',
			async (_name, saved) => await expectSameRun(saved),
		);

		it.each(triggers.map((saved) => [saved.node.name, saved]))(
			'%s continues from the recorded state',
			async (_name, saved) => await expectSamePoll(saved),
		);

		it.each(workflows.map((saved) => [saved.workflow.name, saved]))(
			'the example "%s" sends and returns what was recorded',
			async (_name, saved) => await expectSameWorkflow(saved),
		);

		it('has a session that the package still uses', async () =>
			await expectSameSession(read('credential')));

		it('uses every field of its forms in at least one node', () => {
			const places = new Map<string, Set<string>>();
			for (const { type, name, parameters } of [...operations, ...triggers].map(
				({ node }) => node,
			)) {
				const place = `${type} ${name.split(',')[0]}`;
				const known = places.get(place) ?? new Set<string>();
				places.set(place, known);
				fieldsOf(parameters).forEach((path) => known.add(path));
			}
			const missing = (['corrigo', 'corrigoTrigger'] as const).flatMap((type) =>
				forms[type].flatMap(({ path, places: where }) =>
					where
						// Fields with their default values have nothing else set.
						.filter(() => !['event', 'operation', 'resource'].includes(path))
						.filter((place) => places.get(`${type} ${place}`)?.has(path) !== true)
						.map((place) => `${place}: ${path}`),
				),
			);
			expect(missing).toEqual([]);
		});

		it.each(['corrigo', 'corrigoTrigger', 'corrigoApi'] as const)(
			'has no field that is missing in the current form of %s',
			(name) => {
				const now = recorder.forms()[name];
				expect(forms[name].flatMap((field) => missingIn(now, field))).toEqual([]);
			},
		);
	});
}

describe('a new recording', () => {
	const asWritten = <T>(recording: T) => JSON.parse(inLines(recording)) as T;

	it('has operations that replay with equal results', async () => {
		const wanted = ['company:discover', 'contact:getMany', 'document:upload', 'workOrder:create'];
		const operations = asWritten(await recorder.operations((place) => wanted.includes(place)));
		expect(new Set(operations.map(({ node }) => node.name.split(',')[0]))).toEqual(new Set(wanted));
		for (const saved of operations) {
			expect([...saved.requests, ...saved.items]).not.toEqual([]);
			await expectSameRun(saved);
		}
	});

	it('has triggers that continue from the recorded state', async () => {
		const triggers = asWritten(await recorder.triggers((event) => event === 'noteAdded'));
		for (const saved of triggers) {
			expect(saved.items).not.toEqual([]);
			await expectSamePoll(saved);
		}
	});

	it('has examples that replay with equal results', async () => {
		const examples = join(__dirname, '../../examples');
		const isWanted = (file: string) => file === 'request-form-to-work-order.json';
		const workflows = asWritten(await recorder.workflows(examples, isWanted));
		expect(workflows).toHaveLength(1);
		for (const saved of workflows) await expectSameWorkflow(saved);
	});

	it('has a session that the package still uses', async () => {
		await expectSameSession(asWritten(await recorder.credential()));
	});

	it('has forms that reveal changes', () => {
		const { corrigo: now } = recorder.forms();
		const then = asWritten(now);
		expect(then.flatMap((field) => missingIn(now, field))).toEqual([]);
		const changes: Array<Partial<Field>> = [
			{ default: 'another' },
			{ type: 'another' },
			{ path: 'another' },
			{ values: ['another'] },
			{ when: { another: [true] } },
			{ places: ['another:place'] },
		];
		for (const change of changes) {
			expect(missingIn(now, { ...then[0], ...change })).not.toEqual([]);
		}
	});
});
