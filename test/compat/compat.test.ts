/**
 * What earlier versions have saved goes on working: the same requests, the same items, triggers that
 * go on from the same place, credentials that need not be entered again. What is different on purpose
 * stands in differences.ts.
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
import { differences } from './differences';
import { credentialForm, fieldsOf, formOf, type Field } from './form';
import {
	openCompany,
	poll,
	run,
	runWorkflow,
	type Outcome,
	type SavedOperation,
	type SavedTrigger,
	type SavedWorkflow,
} from './saved';

type Node = 'corrigo' | 'corrigoTrigger';

const read = <T>(version: string, name: string) =>
	JSON.parse(readFileSync(join(__dirname, version, `${name}.json`), 'utf8')) as T;

const versions = readdirSync(__dirname, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

describe.each(versions)('what %s has saved', (version) => {
	const resources = readdirSync(join(__dirname, version))
		.map((file) => file.replace('.json', ''))
		.filter((name) => !['credential', 'forms', 'triggers', 'workflows'].includes(name));
	const operations = resources.flatMap((name) => read<SavedOperation[]>(version, name));
	const triggers = read<SavedTrigger[]>(version, 'triggers');
	const workflows = read<SavedWorkflow[]>(version, 'workflows');
	const forms = read<Record<Node | 'corrigoApi', Field[]>>(version, 'forms');
	const nodes = [...operations, ...triggers].map(({ node }) => node);

	let company: Awaited<ReturnType<typeof openCompany>>;

	beforeAll(async () => {
		company = await openCompany({ Corrigo, CorrigoTrigger, CorrigoApi });
		await company.engine.run({ parameters: { resource: 'company', operation: 'discover' } });
	});

	afterAll(async () => {
		await company.sandbox.close();
	});

	const ofNode = (name: string) =>
		differences.filter(({ since, nodes }) => since === version && nodes.test(name));

	/** What it came to then, with what is different now on purpose. */
	const expected = ({ node, requests, items }: SavedOperation | SavedTrigger): Outcome =>
		ofNode(node.name).reduce<Outcome>((outcome, { change }) => change(structuredClone(outcome)), {
			requests,
			items,
		});

	it.each(operations.map((saved) => [saved.node.name, saved]))('%s', async (_name, saved) => {
		expect(await run(company, saved)).toEqual(expected(saved));
	});

	it.each(triggers.map((saved) => [saved.node.name, saved]))(
		'%s goes on from the same place',
		async (_name, saved) => {
			const { node, before, state, after } = saved;
			company.begin(before);
			company.happen(after);
			const next = await poll(company, node, state);
			expect(next.outcome).toEqual(expected(saved));
			const again = await poll(company, node, next.state);
			expect(again.outcome.items).toEqual([]);
		},
	);

	it.each(workflows.map((saved) => [saved.workflow.name, saved]))(
		'the example "%s"',
		async (_name, saved) => {
			const { writes, items } = saved;
			expect(items).not.toEqual([]);
			expect(await runWorkflow(company, saved)).toEqual({ writes, items });
		},
	);

	it('keeps the session that is open when the update is installed', async () => {
		const type = new CorrigoApi();
		const stored = read<INodeParameters>(version, 'credential');
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
	});

	it('has every field of its forms in some node', () => {
		const places = new Map<string, Set<string>>();
		for (const { type, name, parameters } of nodes) {
			const place = `${type} ${name.split(',')[0]}`;
			const known = places.get(place) ?? new Set<string>();
			places.set(place, known);
			fieldsOf(parameters).forEach((path) => known.add(path));
		}
		const missing = (['corrigo', 'corrigoTrigger'] as const).flatMap((type) =>
			forms[type].flatMap(({ path, places: where }) =>
				where
					// Where they have their default, they have nothing else.
					.filter(() => !['event', 'operation', 'resource'].includes(path))
					.filter((place) => places.get(`${type} ${place}`)?.has(path) !== true)
					.map((place) => `${place}: ${path}`),
			),
		);
		expect(missing).toEqual([]);
	});

	it('differs nowhere but where the table says so, and there it does', () => {
		const all = [...operations, ...triggers];
		for (const { title, change, ...difference } of differences) {
			if (difference.since !== version) continue;
			const found = all.filter(({ node }) => difference.nodes.test(node.name));
			expect([title, found.length]).not.toEqual([title, 0]);
			for (const { requests, items } of found) {
				expect(change(structuredClone({ requests, items }))).not.toEqual({ requests, items });
			}
		}
	});

	const now: Record<string, Field[]> = {
		corrigo: formOf(new Corrigo().description),
		corrigoTrigger: formOf(new CorrigoTrigger().description),
		corrigoApi: credentialForm(new CorrigoApi()),
	};

	it.each(Object.entries(forms))('fits into the forms of %s', (name, fields) => {
		expect(fields.flatMap((field) => missingIn(now[name], field))).toEqual([]);
	});
});

/** A text that became a list to choose from: n8n and the node take a text in its place, as the saved nodes show. */
const tookText = (field: Omit<Field, 'places'>, was: Omit<Field, 'places' | 'path'>) =>
	was.type === 'string' && was.default === '' && field.type === 'resourceLocator';

/** The places where a field is gone, or is of another type, default or choice than it was. */
function missingIn(form: Field[], { path, places, ...was }: Field): string[] {
	const isSame = (field: Field) =>
		field.path === path &&
		(tookText(field, was) ||
			(field.type === was.type && JSON.stringify(field.default) === JSON.stringify(was.default))) &&
		(field.isRequired === was.isRequired || was.isRequired === true) &&
		(was.values ?? []).every((value) => field.values?.includes(value)) &&
		JSON.stringify(field.when) === JSON.stringify(was.when);
	const fitting = new Set(form.filter(isSame).flatMap((field) => field.places));
	return places.filter((place) => !fitting.has(place)).map((place) => `${place}: ${path}`);
}

it('tells users of each difference', () => {
	const guide = readFileSync(join(__dirname, '../../MIGRATION.md'), 'utf8');
	for (const { title } of differences) expect(guide).toContain(`**${title}.**`);
});
