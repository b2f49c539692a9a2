/** Records a version: the state that it saves in n8n, and the results of running it. */
import crypto from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeParameters,
	INodeProperties,
	INodeTypeDescription,
} from 'n8n-workflow';

import type { WorkflowFile } from '../engine/standIns';
import { entryOf, operationCases, type OperationCase } from './cases';
import { credentialForm, fieldsIn, formOf, type Forms } from './form';
import {
	ended,
	openCompany,
	poll,
	pollAll,
	pushTo,
	run,
	runWorkflow,
	type Company,
	type NodeName,
	type Nodes,
	type SavedNode,
	type SavedOperation,
	type SavedTrigger,
	type SavedWebhook,
	type SavedWorkflow,
	type VersionClasses,
} from './saved';
import { triggerCases, webhookCases } from './triggerCases';
import { workflowCases } from './workflowCases';

const isOffered = (field: INodeProperties | undefined, name: string) =>
	(field?.options ?? []).some((option) => option.name === name);

/** The entries of a collection that the version has; `valueOf` gives values to those that have none. */
function entriesIn(
	field: INodeProperties,
	given: INodeParameters,
	valueOf?: (entry: INodeProperties) => INodeParameters[string],
): INodeParameters {
	const entries = (field.options ?? []) as INodeProperties[];
	return Object.fromEntries(
		entries
			.map((entry) => {
				const value = given[entry.name] ?? valueOf?.(entry);
				return entry.type === 'collection' && value !== undefined
					? [entry.name, entriesIn(entry, value as INodeParameters)]
					: [entry.name, value];
			})
			.filter(([, value]) => value !== undefined),
	) as INodeParameters;
}

/** `seed` makes the keys of confirmations those of this recording only: a key is good once. */
export function recorderOf(classes: VersionClasses, seed: string) {
	const descriptions: Record<NodeName, INodeTypeDescription> = {
		corrigo: new classes.Corrigo().description,
		corrigoTrigger: new classes.CorrigoTrigger().description,
		corrigoWebhookTrigger: new classes.CorrigoWebhookTrigger().description,
	};
	const names = Object.keys(descriptions) as NodeName[];

	const formIn = (type: NodeName, { resource, operation, event }: Record<string, unknown>) =>
		fieldsIn(
			descriptions[type],
			(type === 'corrigo' ? { resource, operation } : { event }) as Record<string, string>,
		);

	/**
	 * A node as n8n stores it: without defaults and without fields that the form hides. A version that
	 * lacks one of the options gets the remaining ones.
	 */
	function nodeOf(
		{ sandbox: { store } }: Company,
		type: NodeName,
		place: INodeParameters,
		{
			variant,
			parameters,
			isFiltered,
		}: Pick<OperationCase, 'variant' | 'parameters' | 'isFiltered'>,
	): SavedNode {
		const form = formIn(type, place);
		const values: INodeParameters = { ...place, ...parameters };
		for (const name of ['options', 'filters']) {
			const field = form.find((one) => one.name === name);
			if (field === undefined) continue;
			const given = (values[name] ?? {}) as INodeParameters;
			values[name] = entriesIn(
				field,
				given,
				name === 'filters' && isFiltered ? entryOf(store) : undefined,
			);
		}
		const description = descriptions[type];
		const stored = NodeHelpers.getNodeParameters(
			description.properties,
			values,
			false,
			false,
			{ typeVersion: 1 } as INode,
			description,
		);
		const title = [place.event ?? `${place.resource as string}:${place.operation as string}`];
		return {
			name: `${title.join()}, ${variant}`,
			type,
			typeVersion: 1,
			parameters: stored ?? {},
		};
	}

	async function inCompany<T>(work: (company: Company) => Promise<T[]>): Promise<T[]> {
		const company = await openCompany(classes);
		try {
			return await work(company);
		} finally {
			await company.sandbox.close();
		}
	}

	/** The cases of an operation that writes also run dry, and one of them with the key of its dry run. */
	function withDryRun(place: INodeParameters, cases: OperationCase[]): OperationCase[] {
		const options = formIn('corrigo', place).find(({ name }) => name === 'options');
		if (!isOffered(options, 'dryRun')) return cases;
		const last = cases[cases.length - 1];
		const dryRun = { dryRun: 'always', confirmationKey: '={{ $json.ConfirmationKey }}' };
		const all = { ...(last.parameters.options as INodeParameters), ...dryRun };
		return [
			...cases,
			{ ...last, variant: 'dry run', parameters: { ...last.parameters, options: all } },
		];
	}

	/** The input of a node that writes with the key of its dry run, which begins with random bytes. */
	async function confirmed(
		company: Company,
		{ parameters, before }: OperationCase,
		place: INodeParameters,
	) {
		const salted = jest
			.spyOn(crypto, 'randomBytes')
			.mockImplementation((size: number) => Buffer.alloc(size, seed));
		company.begin(before);
		const options = { dryRun: 'always' };
		const dry = await company.engine.run({ parameters: { ...place, ...parameters, options } });
		salted.mockRestore();
		return [{ json: { ConfirmationKey: dry.items[0].json.ConfirmationKey } }];
	}

	return {
		/** The cases of the operations that the version has, such as `workOrder:create`. */
		operations: async (isWanted: (place: string) => boolean = () => true) =>
			await inCompany(async (company) => {
				const rows: SavedOperation[] = [];
				const offered = new Set(formOf(descriptions.corrigo).flatMap(({ places }) => places));
				for (const [name, cases] of Object.entries(operationCases(company.sandbox.store))) {
					if (!offered.has(name) || !isWanted(name)) continue;
					const [resource, operation] = name.split(':');
					const place = { resource, operation };
					for (const one of withDryRun(place, cases)) {
						const node = nodeOf(company, 'corrigo', place, one);
						const { before } = one;
						const input = one.isConfirmed ? await confirmed(company, one, place) : one.input;
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
					for (const { before, after, isFailing, ...form } of cases) {
						company.begin();
						const node = nodeOf(company, 'corrigoTrigger', { event }, form);
						const activated = await poll(company, node, {});
						company.happen(before);
						if (isFailing)
							company.sandbox.fault({ match: { server: 'api' }, kind: 'status', status: 400 });
						const polled = await poll(company, node, activated.state);
						company.sandbox.clearFaults();
						const given = { node, before, state: ended(polled.state), after };
						rows.push({ ...given, ...(await pollAll(company, structuredClone(given))) });
					}
				}
				return rows;
			}),

		webhooks: async (isWanted: (event: string) => boolean = () => true) =>
			await inCompany(async (company) => {
				const rows: SavedWebhook[] = [];
				for (const [event, cases] of Object.entries(webhookCases(company.sandbox.store))) {
					if (!isWanted(event)) continue;
					for (const { before, after, push, credentials, ...form } of cases) {
						company.begin();
						const node = nodeOf(company, 'corrigoWebhookTrigger', { event }, form);
						const made = { node, push, credentials };
						const { state } = await pushTo(company, made, undefined, before);
						const given = { ...made, before, state: ended(state), after };
						const { outcome } = await pushTo(company, made, structuredClone(given.state), after);
						rows.push({ ...given, ...outcome });
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
			corrigoWebhookTrigger: formOf(descriptions.corrigoWebhookTrigger),
			corrigoApi: credentialForm(new classes.CorrigoApi()),
		}),

		/** The names by which saved workflows refer to the nodes, and how n8n connects them. */
		nodes: (): Nodes =>
			Object.fromEntries(
				names.map((type) => {
					const { name, inputs, outputs, webhooks, usableAsTool } = descriptions[type];
					const credentials = descriptions[type].credentials?.map((one) => one.name);
					return [type, { name, inputs, outputs, credentials, webhooks, usableAsTool }];
				}),
			) as Nodes,

		/** A credential with few fields and one with all, as n8n stores them with an open session. */
		credentials: async (): Promise<INodeParameters[]> => {
			const type = new classes.CorrigoApi();
			const client = {
				companyName: 'Sandbox Facilities',
				clientId: 'client',
				clientSecret: 'secret',
			};
			const all = {
				region: 'custom',
				locatorUrl: 'https://locator.corrigo.com',
				tokenUrl: 'https://tokens.corrigo.com',
				access: 'readOnly',
				useWebhook: true,
				signingSecret: 'signing',
				formerSigningSecret: 'former',
			};
			/** Replaces the public servers, whose addresses are part of a session's key. */
			const httpRequest = async ({ url }: IHttpRequestOptions) => ({
				statusCode: 200,
				body: url.endsWith('/OAuth/token')
					? { access_token: 'token', token_type: 'bearer', expires_in: 1200 }
					: { CommandResult: { CompanyId: 1, Protocol: 'HTTPS', Url: 'https://a.corrigo.com/' } },
			});
			const parametersOf = (data: IDataObject, withDefaults: boolean) =>
				NodeHelpers.getNodeParameters(
					type.properties,
					data as INodeParameters,
					withDefaults,
					false,
					null,
					null,
				) ?? {};
			return await Promise.all(
				[client, { ...client, ...all }].map(async (given) => {
					const settings = parametersOf(given, true) as ICredentialDataDecryptedObject;
					const session = await type.preAuthentication?.call(
						{ helpers: { httpRequest } },
						settings,
					);
					const n8n_expires_at = Date.UTC(2100, 0);
					return parametersOf({ ...settings, ...session, n8n_expires_at }, false);
				}),
			);
		},
	};
}
