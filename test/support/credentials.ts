import {
	ICredentials,
	ICredentialsHelper,
	isExpression,
	NodeHelpers,
	UnexpectedError,
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentialsEncrypted,
	type ICredentialsExpressionResolveValues,
	type ICredentialType,
	type IDataObject,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { restrictToCredentialDomains, withExpressions } from './host';

export type CredentialData = ICredentialDataDecryptedObject;

/**
 * The database of credentials. Records are stored as text, so that no caller shares a live object
 * and one store can serve several engines, as one database serves several workers.
 */
export class CredentialStore {
	private readonly records = new Map<string, string>();

	put(id: string, data: IDataObject): void {
		this.records.set(id, JSON.stringify(data));
	}

	get(id: string): CredentialData {
		const record = this.records.get(id);
		if (record === undefined) throw new UnexpectedError(`No credential is stored as "${id}"`);
		return JSON.parse(record) as CredentialData;
	}

	/** Stores a session after a renewal. */
	async write(id: string, data: CredentialData): Promise<void> {
		this.put(id, data);
	}
}

class StoredCredentials extends ICredentials {
	constructor(
		details: INodeCredentialsDetails,
		type: string,
		private stored: CredentialData,
	) {
		super(details, type);
	}

	async getData(): Promise<CredentialData> {
		return this.stored;
	}

	async setData(data: CredentialData): Promise<void> {
		this.stored = data;
	}

	async updateData(toUpdate: CredentialData, toDelete: string[] = []): Promise<void> {
		const kept = Object.entries({ ...this.stored, ...toUpdate });
		this.stored = Object.fromEntries(kept.filter(([key]) => !toDelete.includes(key)));
	}

	getDataToSave(): ICredentialsEncrypted {
		const { id, name, type } = this;
		return { id, name, type, data: JSON.stringify(this.stored) } as ICredentialsEncrypted;
	}
}

/** Node on which n8n evaluates the expressions of a credential, in a workflow of its own. */
const CREDENTIAL_NODE: INode = {
	id: 'credential',
	name: '',
	type: 'credential',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** n8n's own handling of credentials, with an in-memory store. */
export class StoredCredentialsHelper extends ICredentialsHelper {
	constructor(
		private readonly types: ICredentialType[],
		readonly store: CredentialStore,
		private readonly nodeTypes: INodeTypes,
	) {
		super();
	}

	private typeOf(name: string): ICredentialType {
		const type = this.types.find((candidate) => candidate.name === name);
		if (type === undefined) throw new UnexpectedError(`Unknown credential type "${name}"`);
		return type;
	}

	getParentTypes(name: string): string[] {
		return this.typeOf(name).extends ?? [];
	}

	isCredentialUsableByNode(credentialType: string, nodeType: string): boolean {
		const { restrictToSupportedNodes, supportedNodes = [] } = this.typeOf(credentialType);
		return !restrictToSupportedNodes || supportedNodes.includes(nodeType);
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.typeOf(type).properties;
	}

	async getCredentials(details: INodeCredentialsDetails, type: string): Promise<ICredentials> {
		return new StoredCredentials(details, type, this.store.get(idOf(details)));
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		details: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		resolve?: ICredentialsExpressionResolveValues,
	): Promise<CredentialData> {
		const stored = this.store.get(idOf(details));
		return raw ? stored : await this.withDefaults(stored, type, mode, executeData, resolve);
	}

	/** Applies declared defaults, drops undeclared values and evaluates expressions. */
	async withDefaults(
		stored: CredentialData,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		resolve?: ICredentialsExpressionResolveValues,
	): Promise<CredentialData> {
		const data = NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			stored as INodeParameters,
			true,
			false,
			null,
			null,
		) as CredentialData;
		if (resolve) {
			const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } =
				resolve;
			return workflow.expression.getParameterValue(
				data as INodeParameters,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
				mode,
				{},
				executeData,
				false,
				data,
			) as CredentialData;
		}
		const workflow = new Workflow({
			nodes: [CREDENTIAL_NODE],
			connections: {},
			active: false,
			nodeTypes: this.nodeTypes,
		});
		return await withExpressions(
			workflow,
			async () =>
				workflow.expression.getComplexParameterValue(
					CREDENTIAL_NODE,
					data as INodeParameters,
					mode,
					{},
					undefined,
					undefined,
					data,
				) as CredentialData,
		);
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: CredentialData,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<CredentialData | undefined> {
		const { properties, preAuthentication } = this.typeOf(typeName);
		const expirable = properties.find(
			({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true,
		);
		if (expirable === undefined || preAuthentication === undefined) return undefined;
		if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;

		const output = (await preAuthentication.call(
			restrictToCredentialDomains(helpers, credentials),
			credentials,
		)) as CredentialData;
		const details = node.credentials?.[typeName];
		if (output[expirable.name] === undefined || details === undefined) return undefined;

		const stored = this.store.get(idOf(details));
		const renewed = Object.entries(output).filter(
			([key]) => key === expirable.name || !isExpression(stored[key]),
		);
		await this.updateCredentials(details, typeName, {
			...stored,
			...Object.fromEntries(renewed),
		});
		return Object.assign(credentials, output);
	}

	async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: CredentialData,
		typeName: string,
	): Promise<CredentialData | undefined> {
		const output = await this.typeOf(typeName).preAuthentication?.call(
			restrictToCredentialDomains(helpers, credentials),
			credentials,
		);
		return output as CredentialData | undefined;
	}

	async authenticate(
		credentials: CredentialData,
		typeName: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.typeOf(typeName);
		return typeof authenticate === 'function' ? await authenticate(credentials, request) : request;
	}

	async updateCredentials(
		details: INodeCredentialsDetails,
		_type: string,
		data: CredentialData,
	): Promise<void> {
		await this.store.write(idOf(details), data);
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new UnexpectedError('Interactive OAuth is no part of these tests');
	}
}

function idOf({ id, name }: INodeCredentialsDetails): string {
	if (!id) throw new UnexpectedError(`The credential "${name}" has no id`);
	return id;
}
