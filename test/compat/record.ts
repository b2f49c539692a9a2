/**
 * Writes down what a version saves, and what comes of it: `COMPAT_HOUSE` is a checkout of that
 * version, whose package is run against the sandbox of this one. See README.md.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NodeHelpers } from 'n8n-workflow';
import type {
	IHttpRequestOptions,
	INode,
	INodeParameters,
	INodeTypeDescription,
} from 'n8n-workflow';

import { operationCases, triggerCases, workflowCases } from './cases';
import type { WorkflowFile } from '../engine/standIns';
import { credentialForm, fieldsIn, formOf } from './form';
import { inLines } from './lines';
import {
	openCompany,
	poll,
	run,
	runWorkflow,
	type House,
	type SavedNode,
	type SavedOperation,
	type SavedTrigger,
	type SavedWorkflow,
} from './saved';

const root = resolve(String(process.env.COMPAT_HOUSE));
const from = <T extends object>(path: string) => jest.requireActual<T>(join(root, path));
const house: House = {
	...from<Pick<House, 'Corrigo'>>('nodes/Corrigo/Corrigo.node'),
	...from<Pick<House, 'CorrigoTrigger'>>('nodes/Corrigo/CorrigoTrigger.node'),
	...from<Pick<House, 'CorrigoApi'>>('credentials/CorrigoApi.credentials'),
};
const { version } = from<{ version: string }>('package.json');
const folder = join(__dirname, version);

const descriptions = {
	corrigo: new house.Corrigo().description,
	corrigoTrigger: new house.CorrigoTrigger().description,
};

function write(name: string, data: unknown): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, `${name}.json`), `${inLines(data)}\n`);
}

/**
 * As n8n stores it: without what equals the default, and without what the form does not show. A
 * version that lacks one of the options gets the others.
 */
function saved(type: SavedNode['type'], name: string, given: INodeParameters): SavedNode {
	const description: INodeTypeDescription = descriptions[type];
	const { resource, operation, event } = given as Record<string, string>;
	const offered = fieldsIn(description, event ? { event } : { resource, operation });
	const known = offered.find((field) => field.name === 'options')?.options ?? [];
	const options = Object.entries((given.options ?? {}) as INodeParameters).filter(([key]) =>
		known.some((option) => option.name === key),
	);
	const values = { ...given, options: Object.fromEntries(options) };
	const node = { typeVersion: 1 } as INode;
	const parameters =
		NodeHelpers.getNodeParameters(
			description.properties,
			values,
			false,
			false,
			node,
			description,
		) ?? {};
	return { name, type, typeVersion: 1, parameters };
}

type Company = Awaited<ReturnType<typeof openCompany>>;

async function inCompany<T>(work: (company: Company) => Promise<T>): Promise<T> {
	const company = await openCompany(house);
	try {
		return await work(company);
	} finally {
		await company.sandbox.close();
	}
}

const named = (place: string, variant: string) => `${place}, ${variant}`;

it(`writes down what ${version} does for operations`, async () => {
	const byResource: Record<string, SavedOperation[]> = {};
	const offered = new Set(formOf(descriptions.corrigo).flatMap(({ places }) => places));
	await inCompany(async (company) => {
		await company.engine.run({ parameters: { resource: 'company', operation: 'discover' } });
		company.begin();
		const all = Object.entries(operationCases(company.sandbox.store)).filter(([place]) =>
			offered.has(place),
		);
		for (const [place, cases] of all) {
			const [resource, operation] = place.split(':');
			for (const { variant, parameters, before, input } of cases) {
				const node = saved('corrigo', named(place, variant), {
					resource,
					operation,
					...parameters,
				});
				const given = { node, ...(before && { before }), ...(input && { input }) };
				const outcome = await run(company, structuredClone(given));
				expect({ name: node.name, refused: outcome.refused }).toEqual({ name: node.name });
				(byResource[resource] ??= []).push({ ...given, ...outcome });
			}
		}
	});
	for (const [resource, rows] of Object.entries(byResource)) write(resource, rows);
});

it(`writes down where the triggers of ${version} stand`, async () => {
	const rows: SavedTrigger[] = [];
	await inCompany(async (company) => {
		for (const [event, cases] of Object.entries(triggerCases(company.sandbox.store))) {
			for (const { variant, parameters, before, after } of cases) {
				const node = saved('corrigoTrigger', named(event, variant), { event, ...parameters });
				company.begin();
				const activated = await poll(company, node, {});
				company.happen(before);
				const { state } = await poll(company, node, activated.state);
				company.happen(after);
				const { outcome } = await poll(company, node, state);
				expect({ name: node.name, refused: outcome.refused }).toEqual({ name: node.name });
				rows.push({ node, before, state, after, ...outcome });
			}
		}
	});
	write('triggers', rows);
});

it(`writes down what the examples of ${version} do`, async () => {
	const rows: SavedWorkflow[] = [];
	const examples = join(root, 'examples');
	await inCompany(async (company) => {
		const cases = workflowCases(company.sandbox.store);
		for (const file of readdirSync(examples).filter((name) => name.endsWith('.json'))) {
			const workflow = JSON.parse(readFileSync(join(examples, file), 'utf8')) as WorkflowFile;
			const { before, json = {}, binary, asks } = cases[file.replace('.json', '')];
			const input = [{ json, ...(binary && { binary }) }];
			const given = { workflow, ...(before && { before }), input, ...(asks && { asks }) };
			const outcome = await runWorkflow(company, structuredClone(given));
			expect({ file, refused: outcome.refused }).toEqual({ file });
			rows.push({ ...given, ...outcome });
		}
	});
	write('workflows', rows);
});

it(`writes down the forms of ${version}`, () => {
	write('forms', {
		corrigo: formOf(descriptions.corrigo),
		corrigoTrigger: formOf(descriptions.corrigoTrigger),
		corrigoApi: credentialForm(new house.CorrigoApi()),
	});
});

it(`writes down a credential of ${version}`, async () => {
	const type = new house.CorrigoApi();
	const settings = {
		region: 'americas',
		tokenUrl: type.properties.find(({ name }) => name === 'tokenUrl')?.default as string,
		companyName: 'Sandbox Facilities',
		clientId: 'client',
		clientSecret: 'secret',
	};
	/** In the place of the public servers, which are part of what a session is tied to. */
	const httpRequest = async ({ url }: IHttpRequestOptions) => ({
		statusCode: 200,
		body: url.endsWith('/OAuth/token')
			? { access_token: 'token', token_type: 'bearer', expires_in: 1200 }
			: { CommandResult: { CompanyId: 1, Protocol: 'HTTPS', Url: 'https://a.corrigo.com/' } },
	});
	const session = await type.preAuthentication?.call({ helpers: { httpRequest } }, settings);
	const open = { n8n_expires_at: Date.UTC(2100, 0) };
	const data = { ...settings, ...session, ...open } as INodeParameters;
	write(
		'credential',
		NodeHelpers.getNodeParameters(type.properties, data, false, false, null, null),
	);
});
