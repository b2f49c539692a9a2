/** Records a version: the state that it saves in n8n, and the results of running it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers } from 'n8n-workflow';
import type {
	IHttpRequestOptions,
	INode,
	INodeParameters,
	INodeTypeDescription,
} from 'n8n-workflow';

import type { WorkflowFile } from '../engine/standIns';
import { operationCases, triggerCases, workflowCases } from './cases';
import { credentialForm, fieldsIn, formOf, type Forms } from './form';
import {
	openCompany,
	poll,
	run,
	runWorkflow,
	type VersionClasses,
	type SavedNode,
	type SavedOperation,
	type SavedTrigger,
	type SavedWorkflow,
} from './saved';

const named = (place: string, variant: string) => `${place}, ${variant}`;

export function recorderOf(classes: VersionClasses) {
	const descriptions = {
		corrigo: new classes.Corrigo().description,
		corrigoTrigger: new classes.CorrigoTrigger().description,
	};

	/**
	 * Parameters as n8n stores them: without defaults and without fields that the form hides. A
	 * version that lacks one of the options gets the remaining ones.
	 */
	function saved(type: SavedNode['type'], name: string, given: INodeParameters): SavedNode {
		const description: INodeTypeDescription = descriptions[type];
		const { resource, operation, event } = given as Record<string, string>;
		const offered = fieldsIn(
			description,
			type === 'corrigoTrigger' ? { event } : { resource, operation },
		);
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

	const open = async () => await openCompany(classes);

	async function inCompany<T>(work: (company: Awaited<ReturnType<typeof open>>) => Promise<T>) {
		const company = await open();
		try {
			return await work(company);
		} finally {
			await company.sandbox.close();
		}
	}

	return {
		/** The cases of the operations that the version has, such as `workOrder:create`. */
		operations: async (isWanted: (place: string) => boolean = () => true) =>
			await inCompany(async (company) => {
				const rows: SavedOperation[] = [];
				const offered = new Set(formOf(descriptions.corrigo).flatMap(({ places }) => places));
				await company.engine.run({ parameters: { resource: 'company', operation: 'discover' } });
				company.begin();
				for (const [place, cases] of Object.entries(operationCases(company.sandbox.store))) {
					if (!offered.has(place) || !isWanted(place)) continue;
					const [resource, operation] = place.split(':');
					for (const { variant, parameters, before, input } of cases) {
						const form = { resource, operation, ...parameters };
						const node = saved('corrigo', named(place, variant), form);
						const given = { node, ...(before && { before }), ...(input && { input }) };
						rows.push({ ...given, ...(await run(company, structuredClone(given))) });
					}
				}
				return rows;
			}),

		triggers: async (isWanted: (event: string) => boolean = () => true) =>
			await inCompany(async (company) => {
				const rows: SavedTrigger[] = [];
				for (const [event, cases] of Object.entries(triggerCases(company.sandbox.store))) {
					if (!isWanted(event)) continue;
					for (const { variant, parameters, before, after } of cases) {
						const node = saved('corrigoTrigger', named(event, variant), { event, ...parameters });
						company.begin();
						const activated = await poll(company, node, {});
						company.happen(before);
						const { state: last } = await poll(company, node, activated.state);
						// With At Least Once the state names its process, which has ended by the time of the replay.
						const state = { ...last, ...(last.process !== undefined && { process: 'over' }) };
						company.happen(after);
						const { outcome } = await poll(company, node, structuredClone(state));
						rows.push({ node, before, state, after, ...outcome });
					}
				}
				return rows;
			}),

		/** The examples in the folder of the version. */
		workflows: async (folder: string, isWanted: (file: string) => boolean = () => true) =>
			await inCompany(async (company) => {
				const rows: SavedWorkflow[] = [];
				const cases = workflowCases(company.sandbox.store);
				for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
					if (!isWanted(file)) continue;
					const workflow = JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowFile;
					const { json = {}, binary, ...more } = cases[file.replace('.json', '')] ?? {};
					const input = [{ json, ...(binary && { binary }) }];
					const given = { workflow, input, ...more };
					rows.push({ ...given, ...(await runWorkflow(company, structuredClone(given))) });
				}
				return rows;
			}),

		forms: (): Forms => ({
			corrigo: formOf(descriptions.corrigo),
			corrigoTrigger: formOf(descriptions.corrigoTrigger),
			corrigoApi: credentialForm(new classes.CorrigoApi()),
		}),

		credential: async (): Promise<INodeParameters> => {
			const type = new classes.CorrigoApi();
			const settings = {
				region: 'americas',
				tokenUrl: type.properties.find(({ name }) => name === 'tokenUrl')?.default as string,
				companyName: 'Sandbox Facilities',
				clientId: 'client',
				clientSecret: 'secret',
			};
			/** Replaces the public servers, whose addresses are part of a session's key. */
			const httpRequest = async ({ url }: IHttpRequestOptions) => ({
				statusCode: 200,
				body: url.endsWith('/OAuth/token')
					? { access_token: 'token', token_type: 'bearer', expires_in: 1200 }
					: { CommandResult: { CompanyId: 1, Protocol: 'HTTPS', Url: 'https://a.corrigo.com/' } },
			});
			const session = await type.preAuthentication?.call({ helpers: { httpRequest } }, settings);
			const open = { n8n_expires_at: Date.UTC(2100, 0) };
			const data = { ...settings, ...session, ...open } as INodeParameters;
			return NodeHelpers.getNodeParameters(type.properties, data, false, false, null, null) ?? {};
		},
	};
}
