import {
	createEmptyRunExecutionData,
	UnexpectedError,
	type ICredentialTestRequest,
	type ICredentialType,
	type INodeExecutionData,
	type INodeType,
	type INodeTypes,
	type INodeTypeDescription,
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

/** Tests a credential without rules for its answer, as n8n does. */
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
		await request(helper, type, id, test, data);
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		const { message, cause: { code, response } = {} } = error as TestError;
		const said = response?.statusText || `Received HTTP status code: ${response?.status}`;
		return { status: 'Error', message: response === undefined ? (code ?? message) : said };
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
