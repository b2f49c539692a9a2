/** Records a version: the state that it saves in n8n, and the results of running it. */
import crypto from 'node:crypto';
import { Readable } from 'node:stream';
import {
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

import type { Store } from '../../sandbox';
import { deskCases, operationCases } from './cases';
import { entryOf, type OperationCase } from './values';
import {
	CALL,
	credentialForm,
	listFields,
	namePlace,
	readForm,
	type Forms,
	type Place,
} from './form';
import {
	ended,
	openCompany,
	poll,
	pollAll,
	sendPush,
	run,
	type Company,
	type NodeName,
	type Nodes,
	type Outcome,
	type SavedNode,
	type SavedOperation,
	type SavedTrigger,
	type SavedWebhook,
	type VersionClasses,
} from './saved';
import { triggerCases, webhookCases, type TriggerCase, type WebhookCase } from './triggerCases';

const REFUSAL = { match: { server: 'api' }, kind: 'status', status: 400 } as const;

const isOffered = (field: INodeProperties | undefined, name: string) =>
	(field?.options ?? []).some((option) => option.name === name);

/** The entries of a collection that the version has; `valueOf` gives values to those that have none. */
function listEntries(
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
					? [entry.name, listEntries(entry, value as INodeParameters)]
					: [entry.name, value];
			})
			.filter(([, value]) => value !== undefined),
	) as INodeParameters;
}

/**
 * Fails if a case was rejected or had no result, because its recording would test little. Filters that
 * are all filled in let nothing pass.
 */
function expectItems<Row extends Outcome & { node: SavedNode }>(rows: Row[]): Row[] {
	const useless = rows.filter(
		({ node, items, refused }) =>
			refused !== undefined || (items.length === 0 && !node.name.endsWith(', filters and JSON')),
	);
	expect(useless.map(({ node, refused }) => [node.name, refused])).toEqual([]);
	return rows;
}

/** Returns whether an operation or event is recorded. */
type Wanted = (name: string) => boolean;

/** `seed` makes the keys of confirmations those of this recording only: a key is good once. */
export function createRecorder(classes: VersionClasses, seed: string) {
	const descriptions: Record<NodeName, INodeTypeDescription> = {
		corrigo: new classes.Corrigo().description,
		corrigoDesk: new classes.CorrigoDesk().description,
		corrigoTrigger: new classes.CorrigoTrigger().description,
		corrigoWebhookTrigger: new classes.CorrigoWebhookTrigger().description,
	};
	const names = Object.keys(descriptions) as NodeName[];

	const knownForms = new Map<string, INodeProperties[]>();
	const listForm = (type: NodeName, place: Place) => {
		const key = JSON.stringify([type, place]);
		const form = knownForms.get(key) ?? listFields(descriptions[type], place);
		knownForms.set(key, form);
		return form;
	};

	/** The operations or events that the version has. */
	const listPlaces = (type: NodeName) =>
		new Set(readForm(descriptions[type]).flatMap(({ places }) => places));

	/**
	 * A node as n8n stores it: without defaults and without fields that the form hides. A version that
	 * lacks one of the options gets the remaining ones.
	 */
	function buildNode(
		store: Store,
		type: NodeName,
		place: Place,
		{ variant, parameters, isFiltered }: OperationCase | TriggerCase | WebhookCase,
	): SavedNode {
		const form = listForm(type, place);
		const values: INodeParameters = { ...place, ...parameters };
		for (const name of ['options', 'filters', 'additionalFields']) {
			const field = form.find((one) => one.name === name);
			if (field === undefined || (name === 'additionalFields' && !(name in values))) continue;
			const given = (values[name] ?? {}) as INodeParameters;
			values[name] = listEntries(
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
		return {
			name: `${namePlace(place)}, ${variant}`,
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

	/** A case with fields to fill in also takes them from the input. */
	function withMapping(cases: OperationCase[]): OperationCase[] {
		const filledIn = cases.find(({ parameters }) => 'fields' in parameters);
		if (filledIn === undefined) return cases;
		const { fields, ...others } = filledIn.parameters;
		const { value, ...mapping } = fields as INodeParameters;
		const mappingMode = 'autoMapInputData';
		const autoFields = { ...mapping, mappingMode, value: null };
		return [
			{
				...filledIn,
				variant: 'by name',
				parameters: { ...others, fieldsMode: mappingMode, autoFields },
				input: [{ json: { ...filledIn.input?.[0].json, ...(value as IDataObject) } }],
			},
			...cases,
		];
	}

	/** The last case of an operation that writes also runs dry. */
	function withDryRun(place: Place, cases: OperationCase[]): OperationCase[] {
		const offered = listForm('corrigo', place).find(({ name }) => name === 'options');
		if (!isOffered(offered, 'dryRun')) return cases;
		const last = cases[cases.length - 1];
		const options = (last.parameters.options ?? {}) as INodeParameters;
		const confirmationKey = '={{ $json.ConfirmationKey }}';
		const all = { ...options, dryRun: 'always', confirmationKey };
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

	/** The cases of operations, such as `workOrder:create`. */
	function listCases(store: Store, isWanted: Wanted = () => true) {
		const offered = listPlaces('corrigo');
		return Object.entries(operationCases(store))
			.filter(([name]) => offered.has(name) && isWanted(name))
			.flatMap(([name, cases]) => {
				const [resource, operation] = name.split(':');
				const place = { resource, operation };
				return withDryRun(place, withMapping(cases)).map((one) => ({ one, place }));
			});
	}

	const operationNodes = (store: Store, isWanted: Wanted = () => true) => [
		...listCases(store, isWanted).map(({ one, place }) => ({
			one,
			place,
			node: buildNode(store, 'corrigo', place, one),
		})),
		...(isWanted(CALL) ? deskCases(store) : []).map((one) => ({
			one,
			place: {},
			node: buildNode(store, 'corrigoDesk', {}, one),
		})),
	];

	const eventNodes =
		<Case extends TriggerCase | WebhookCase>(
			type: NodeName,
			casesIn: (store: Store) => Record<string, Case[]>,
		) =>
		(store: Store, isWanted: Wanted = () => true) => {
			const offered = listPlaces(type);
			return Object.entries(casesIn(store))
				.filter(([event]) => offered.has(event) && isWanted(event))
				.flatMap(([event, cases]) =>
					cases.map((one) => ({ one, node: buildNode(store, type, { event }, one) })),
				);
		};

	const triggerNodes = eventNodes('corrigoTrigger', triggerCases);
	const webhookNodes = eventNodes('corrigoWebhookTrigger', webhookCases);

	return {
		/** The case with all fields of each operation, or its last one, as n8n stores its node. */
		completeCases: (store: Store) => {
			const last = listCases(store).filter(({ one }) => one.variant !== 'dry run');
			const complete = last.filter(({ one }) => one.variant === 'all');
			const byOperation = new Map(
				[...last, ...complete].map((found) => [Object.values(found.place).join(':'), found]),
			);
			return new Map(
				[...byOperation].map(([name, { one, place }]) => {
					const node = buildNode(store, 'corrigo', place, one);
					return [name, { node, before: one.before, input: one.input }];
				}),
			);
		},

		/** The nodes of all cases. */
		saved: (store: Store): SavedNode[] =>
			[operationNodes, triggerNodes, webhookNodes].flatMap((nodesIn) =>
				nodesIn(store).map(({ node }) => node),
			),

		operations: async (isWanted?: Wanted) =>
			await inCompany(async (company) => {
				const rows: SavedOperation[] = [];
				for (const { one, place, node } of operationNodes(company.sandbox.store, isWanted)) {
					const { before } = one;
					const input = one.isConfirmed ? await confirmed(company, one, place) : one.input;
					const given = { node, ...(before && { before }), ...(input && { input }) };
					rows.push({ ...given, ...(await run(company, structuredClone(given))) });
				}
				return expectItems(rows);
			}),

		triggers: async (isWanted?: Wanted) =>
			await inCompany(async (company) => {
				const rows: SavedTrigger[] = [];
				for (const { one, node } of triggerNodes(company.sandbox.store, isWanted)) {
					const { before, after, isFailing } = one;
					company.begin();
					const activated = await poll(company, node, {});
					company.happen(before);
					if (isFailing) company.sandbox.fault(REFUSAL);
					const polled = await poll(company, node, activated.state);
					company.sandbox.clearFaults();
					expect(polled.outcome.refused !== undefined).toBe(isFailing === true);
					const given = { node, before, state: ended(polled.state), after };
					rows.push({ ...given, ...(await pollAll(company, structuredClone(given))) });
				}
				return expectItems(rows);
			}),

		webhooks: async (isWanted?: Wanted) =>
			await inCompany(async (company) => {
				const rows: SavedWebhook[] = [];
				for (const { one, node } of webhookNodes(company.sandbox.store, isWanted)) {
					const { before, after, push, credentials } = one;
					company.begin();
					const made = { node, push, credentials };
					const { state } = await sendPush(company, made, undefined, before);
					const given = { ...made, before, state: ended(state), after };
					const { outcome } = await sendPush(company, made, structuredClone(given.state), after);
					rows.push({ ...given, ...outcome });
				}
				return expectItems(rows);
			}),

		forms: () =>
			({
				...Object.fromEntries(names.map((type) => [type, readForm(descriptions[type])])),
				corrigoApi: credentialForm(new classes.CorrigoApi()),
			}) as Forms,

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
			const httpRequest = async ({ encoding, url }: IHttpRequestOptions) => {
				const body = url.endsWith('/OAuth/token')
					? { access_token: 'token', token_type: 'bearer', expires_in: 1200 }
					: { CommandResult: { CompanyId: 1, Protocol: 'HTTPS', Url: 'https://a.corrigo.com/' } };
				const content = Readable.from([Buffer.from(JSON.stringify(body))]);
				return { statusCode: 200, headers: {}, body: encoding === 'stream' ? content : body };
			};
			const completeParameters = (data: IDataObject, withDefaults: boolean) =>
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
					const settings = completeParameters(given, true) as ICredentialDataDecryptedObject;
					const session = await type.preAuthentication?.call(
						{ helpers: { httpRequest } },
						settings,
					);
					const n8n_expires_at = Date.UTC(2100, 0);
					return completeParameters({ ...settings, ...session, n8n_expires_at }, false);
				}),
			);
		},
	};
}
