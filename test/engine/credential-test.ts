import { createEmptyRunExecutionData, UnexpectedError } from 'n8n-workflow';
import type {
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	INodeTypeDescription,
} from 'n8n-workflow';

import type { CredentialData, StoredCredentialsHelper } from './credentials';
import { ExecuteContext, RoutingNode, withExpressions } from './host';
import { additionalDataFor, createWorkflow } from './run';

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

/** Name of the temporary declarative node with which n8n tests a credential. */
const TESTER = 'noOp';

const testerFor = (type: string, request: ICredentialTestRequest['request']): INodeType => ({
	description: {
		...({ name: TESTER, displayName: 'No Operation' } as INodeTypeDescription),
		version: 1,
		group: [],
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: type, required: true }],
		properties: [
			{ displayName: 'Temp', name: 'temp', type: 'string', routing: { request }, default: '' },
		],
	},
});

export async function runCredentialTest(
	helper: StoredCredentialsHelper,
	types: ICredentialType[],
	type: string,
	id: string,
): Promise<CredentialTestResult> {
	const test = types.find(({ name }) => name === type)?.test;
	if (test === undefined) throw new UnexpectedError(`"${type}" declares no test`);
	const data = await helper.withDefaults(helper.store.get(id), type, 'internal');
	try {
		const answer = await request(helper, type, id, test, data);
		return verdictOnAnswer(test, answer?.[0]?.[0]?.json ?? {});
	} catch (error) {
		return verdictOnError(test, error as TestError);
	}
}

async function request(
	helper: StoredCredentialsHelper,
	type: string,
	id: string,
	test: ICredentialTestRequest,
	data: CredentialData,
): Promise<INodeExecutionData[][] | undefined> {
	const tester = testerFor(type, test.request);
	const nodeTypes: INodeTypes = {
		getByName: () => tester,
		getByNameAndVersion: () => tester,
		getKnownTypes: () => ({}),
	};
	const workflow = createWorkflow(nodeTypes, [
		{
			id: 'temp',
			name: 'Temp-Node',
			type: TESTER,
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			credentials: { [type]: { id, name: type } },
		},
	]);
	const node = workflow.nodes['Temp-Node'];
	const context = new ExecuteContext(
		workflow,
		node,
		additionalDataFor(helper, { currentNodeParameters: node.parameters }),
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const routing = new RoutingNode(context, tester, { id, name: type, type, data });
	return await withExpressions(workflow, async () => await routing.runNode());
}

interface TestError {
	message: string;
	cause?: { code?: string; response?: { status: number; statusText?: string } };
}

const failed = (message: string): CredentialTestResult => ({ status: 'Error', message });

function verdictOnError({ rules = [] }: ICredentialTestRequest, error: TestError) {
	const { response, code } = error.cause ?? {};
	if (response === undefined) return failed(code ?? error.message);
	for (const rule of rules) {
		if (rule.type === 'responseCode' && rule.properties.value === response.status) {
			return failed(rule.properties.message);
		}
	}
	return failed(response.statusText || `Received HTTP status code: ${response.status}`);
}

function verdictOnAnswer({ rules = [] }: ICredentialTestRequest, answer: IDataObject) {
	for (const rule of rules) {
		if (
			rule.type === 'responseSuccessBody' &&
			valueAt(answer, rule.properties.key) === rule.properties.value
		) {
			return failed(rule.properties.message);
		}
	}
	return { status: 'OK' as const, message: 'Connection successful!' };
}

const valueAt = (value: unknown, path: string): unknown =>
	path.split('.').reduce<unknown>((inner, key) => (inner as IDataObject | undefined)?.[key], value);
