import {
	NodeConnectionTypes,
	UnexpectedError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
} from 'n8n-workflow';

export type NodeClass = new () => INodeType;

const PACKAGE = 'n8n-nodes-corrigo';

export const TYPE = {
	start: 'n8n-nodes-base.manualTrigger',
	/** The one type that n8n lets use any credential. */
	httpRequest: 'n8n-nodes-base.httpRequest',
	/** Calls each connected tool with the parameter `arguments`. */
	agent: 'n8n-nodes-base.agent',
	/** Asks n8n to run the connected tool with the parameter `arguments`, as newer agents do. */
	requestingAgent: 'n8n-nodes-base.requestingAgent',
	/** Node on which n8n evaluates the expressions of a credential. */
	credential: 'credential',
} as const;

export const typeOfNode = (name: string): string => `${PACKAGE}.${name}`;

const { Main, AiTool } = NodeConnectionTypes;

export const descriptionOf = (
	name: string,
	overrides: Partial<INodeTypeDescription> = {},
): INodeTypeDescription => ({
	name,
	displayName: name,
	description: name,
	group: ['transform'],
	version: 1,
	defaults: { name },
	inputs: [Main],
	outputs: [Main],
	properties: [],
	...overrides,
});

const passOn = async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return [this.getInputData()];
};

interface Tool {
	name: string;
	description: string;
	invoke(toolArguments: unknown): Promise<string>;
}

/** The nodes around the one under test. */
const surroundings: Record<string, INodeType> = {
	[TYPE.start]: {
		description: descriptionOf('manualTrigger', { group: ['trigger'], inputs: [] }),
		execute: passOn,
	},
	[TYPE.httpRequest]: { description: descriptionOf('httpRequest'), execute: passOn },
	[TYPE.credential]: { description: descriptionOf('credential') },
	[TYPE.agent]: {
		description: descriptionOf('agent', {
			inputs: [Main, { type: AiTool, required: true }],
			properties: [{ displayName: 'Arguments', name: 'arguments', type: 'json', default: {} }],
		}),
		async execute() {
			const tools = (await this.getInputConnectionData(AiTool, 0)) as Tool[];
			const items: INodeExecutionData[] = [];
			for (const tool of tools) {
				const response = await tool.invoke(this.getNodeParameter('arguments', 0));
				const { name, description } = tool;
				items.push({ json: { name, description, response }, pairedItem: { item: 0 } });
			}
			return [items];
		},
	},
};

surroundings[TYPE.requestingAgent] = {
	description: { ...surroundings[TYPE.agent].description, name: 'requestingAgent' },
	async execute(response) {
		const answers = response?.actionResponses ?? [];
		if (answers.length > 0) {
			const json = answers.map(({ data }) => data.data?.ai_tool?.[0]?.[0].json);
			return [[{ json: { response: JSON.stringify(json) }, pairedItem: { item: 0 } }]];
		}
		const [tool] = this.getParentNodes(this.getNode().name, { connectionType: AiTool });
		const input = this.getNodeParameter('arguments', 0) as IDataObject;
		const action = {
			nodeName: tool.name,
			input,
			type: AiTool,
			id: '1',
			metadata: { itemIndex: 0 },
		};
		return { actions: [{ actionType: 'ExecutionNodeAction', ...action }], metadata: {} };
	},
};

/** n8n registers each node that is usable as a tool under a second name, with a tool's output. */
function asTool(nodeType: INodeType): INodeType {
	if (!nodeType.description.usableAsTool) {
		throw new UnexpectedError(`"${nodeType.description.name}" is not usable as a tool`);
	}
	const tool = Object.create(nodeType) as INodeType;
	tool.description = {
		...nodeType.description,
		name: `${nodeType.description.name}Tool`,
		displayName: `${nodeType.description.displayName} Tool`,
		inputs: [],
		outputs: [AiTool],
		properties: [
			{ displayName: 'Description', name: 'toolDescription', type: 'string', default: '' },
			...nodeType.description.properties,
		],
	};
	return tool;
}

export function createNodeTypes(classes: Record<string, NodeClass>): INodeTypes {
	const known = new Map(Object.entries(surroundings));
	for (const [name, NodeUnderTest] of Object.entries(classes)) {
		const nodeType = new NodeUnderTest();
		known.set(typeOfNode(name), nodeType);
		if (nodeType.description.usableAsTool) known.set(typeOfNode(`${name}Tool`), asTool(nodeType));
	}
	const getByName = (name: string): INodeType => {
		const nodeType = known.get(name);
		if (nodeType === undefined) throw new UnexpectedError(`Unknown node type "${name}"`);
		return nodeType;
	};
	return { getByName, getByNameAndVersion: getByName, getKnownTypes: () => ({}) };
}
