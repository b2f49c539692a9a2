/**
 * Whole workflows in the engine of the tests: the nodes of this package run as they are, and simple
 * replacements run for the nodes of n8n around them. The engine itself evaluates conditions and
 * assignments; forms, tables and the rest pass their items on.
 */
import {
	NodeConnectionTypes,
	type IConnections,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { descriptionOf, typeOfNode, type NodeClass } from './nodes';
import { changeRow, findRows } from './serviceNow';

/** A workflow as n8n exports it. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
}

/** The world outside n8n while a workflow runs, and the data that n8n stores between executions. */
export const outside = {
	/** Answers on the pages of a form. */
	answers: {} as IDataObject,
	/** Questions that a person received in a message. */
	asked: [] as string[],
	/** Texts of pages and mails. */
	shown: [] as string[],
	/** The person's answer; undefined when the time is over. */
	reply: undefined as boolean | undefined,
	/** Answers to messages with a form, one for each message. */
	decisions: [] as IDataObject[],
	/** The person who answered, as Slack and Telegram report it. */
	responder: undefined as IDataObject | undefined,
	/** Values that Remove Duplicates has passed on. */
	seen: new Set<unknown>(),
	/** Rows of a table. */
	rows: [] as IDataObject[],
	/** How many executions have waited until their time was over. */
	waits: 0,
	/** Prompts that the model received. */
	toldModel: [] as string[],
	/** The model's output. */
	understood: {} as IDataObject,
	reset() {
		this.answers = {};
		this.asked = [];
		this.shown = [];
		this.reply = undefined;
		this.decisions = [];
		this.responder = undefined;
		this.seen.clear();
		this.rows = [];
		this.waits = 0;
		this.toldModel = [];
		this.understood = {};
	},
};

const { Main } = NodeConnectionTypes;

const createNode = (
	name: string,
	properties: INodeProperties[],
	execute: (this: IExecuteFunctions) => INodeExecutionData[][] | Promise<INodeExecutionData[][]>,
	shape: Partial<INodeTypeDescription> = {},
): NodeClass =>
	class implements INodeType {
		description = descriptionOf(name, { properties, ...shape });

		async execute(this: IExecuteFunctions) {
			return await execute.call(this);
		}
	};

/** Fields that are texts. */
const texts = (...names: string[]): INodeProperties[] =>
	names.map((name) => ({ displayName: name, name, type: 'string', default: '' }));

/** Remembers what a page or a mail shows. */
function show(context: IExecuteFunctions, ...fields: string[]) {
	for (const item of context.getInputData().keys()) {
		const values = fields.map((field) => context.getNodeParameter(field, item));
		outside.shown.push(values.map((value) => JSON.stringify(value)).join(' '));
	}
}

/** Fields that are objects. */
const objects = (...names: string[]): INodeProperties[] =>
	names.map((name) => ({ displayName: name, name, type: 'json', default: {} }));

/** An output with the rows that each item becomes. */
const toOutputs = (
	context: IExecuteFunctions,
	toRows: (item: number, input: INodeExecutionData) => IDataObject[],
): INodeExecutionData[][] => [
	context
		.getInputData()
		.flatMap((input, item) => toRows(item, input).map((json) => ({ json, pairedItem: { item } }))),
];

const passOn = createNode('passOn', [], function () {
	return [this.getInputData().map((item, index) => ({ ...item, pairedItem: { item: index } }))];
});

const conditional = createNode(
	'conditional',
	[{ displayName: 'Conditions', name: 'conditions', type: 'filter', default: {} }],
	function () {
		const outputs: INodeExecutionData[][] = [[], []];
		for (const [index, item] of this.getInputData().entries()) {
			const met = this.getNodeParameter('conditions', index, false, { extractValue: true });
			outputs[met === true ? 0 : 1].push({ ...item, pairedItem: { item: index } });
		}
		return outputs;
	},
	{ outputs: [Main, Main] },
);

const assigned = createNode(
	'assigned',
	[
		{ displayName: 'Set', name: 'assignments', type: 'assignmentCollection', default: {} },
		...texts('mode'),
		...objects('jsonOutput'),
	],
	function () {
		return toOutputs(this, (item) => {
			if (this.getNodeParameter('mode', 0) === 'raw') {
				return [this.getNodeParameter('jsonOutput', item) as IDataObject];
			}
			const list = this.getNodeParameter('assignments.assignments', item) as IDataObject[];
			return [Object.fromEntries(list.map(({ name, value }) => [name, value])) as IDataObject];
		});
	},
);

const combined = createNode(
	'combined',
	[],
	function () {
		const [first, second] = [this.getInputData(0), this.getInputData(1)];
		const items = first.slice(0, second.length).map(({ json, binary }, item) => ({
			json: { ...json, ...second[item].json },
			binary: { ...binary, ...second[item].binary },
			pairedItem: [{ item, input: 0 }],
		}));
		return [items];
	},
	{ inputs: [Main, Main], requiredInputs: 1 },
);

/** A page of a form; the browser shows its texts as HTML. */
const answered = createNode(
	'answered',
	[...texts('completionTitle', 'completionMessage'), ...objects('options')],
	function () {
		const items = this.getInputData();
		show(this, 'completionTitle', 'completionMessage', 'options');
		return [items.map(({ json }) => ({ json: { ...json, ...outside.answers } }))];
	},
);

/** The rows of a file, as Extract from File reads them. */
const extracted = createNode(
	'extracted',
	[{ displayName: 'Input', name: 'binaryPropertyName', type: 'string', default: 'data' }],
	function () {
		return toOutputs(this, (item) => {
			const name = this.getNodeParameter('binaryPropertyName', item) as string;
			const { data } = this.helpers.assertBinaryData(item, name);
			const lines = Buffer.from(data, 'base64').toString().trim().split('\n');
			const [names, ...rows] = lines.map((line) => line.split(','));
			return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at], cell])));
		});
	},
);

/** Fills in a page as the HTML node does, which also takes `$` in a value for a part of what it replaces. */
const generated = createNode(
	'generated',
	[{ displayName: 'HTML', name: 'html', type: 'string', default: '', noDataExpression: true }],
	function () {
		let html = this.getNodeParameter('html', 0) as string;
		for (const [expression] of html.matchAll(/{{[\s\S]*?}}/g)) {
			html = html.replace(expression, String(this.evaluateExpression(expression, 0)));
		}
		return [[{ json: { html }, pairedItem: { item: 0 } }]];
	},
);

/** Stores values between executions, as Remove Duplicates does. */
const unseen = createNode('unseen', texts('dedupeValue', 'fieldsToCompare'), function () {
	const field = this.getNodeParameter('fieldsToCompare', 0) as string;
	const seen = field ? new Set<unknown>() : outside.seen;
	const isNew = ({ json }: INodeExecutionData, index: number) => {
		const value = field ? json[field] : this.getNodeParameter('dedupeValue', index);
		return !seen.has(value) && seen.add(value);
	};
	return [this.getInputData().filter(isNew)];
});

const splitUp = createNode('splitUp', texts('fieldToSplitOut'), function () {
	return toOutputs(this, (item, { json }) => {
		const path = this.getNodeParameter('fieldToSplitOut', item) as string;
		return path
			.split('.')
			.reduce<unknown>((one, name) => (one as IDataObject)[name], json) as IDataObject[];
	});
});

/** Sends a message and waits; the item of an answer comes from outside and is paired with none. */
const messaged = createNode('messaged', texts('subject', 'message', 'text', 'html'), function () {
	show(this, 'subject', 'message', 'text', 'html');
	outside.asked.push(this.getNodeParameter('message', 0) as string);
	const respondedAt = '2026-03-02T09:30:00.000Z';
	const [decision] = outside.decisions.splice(0, 1);
	if (decision) return [[{ json: { data: { ...decision, respondedAt } } }]];
	if (outside.reply === undefined) return [this.getInputData()];
	const responder = outside.responder && { responder: { ...outside.responder } };
	return [[{ json: { data: { approved: outside.reply, ...responder, respondedAt } } }]];
});

/** Hands out its items one by one, each when the one before has come back. */
const oneByOne = createNode(
	'oneByOne',
	[],
	function () {
		const context = this.getContext('node') as { items?: INodeExecutionData[] };
		context.items ??= [...this.getInputData()];
		const next = context.items.shift();
		return next === undefined ? [this.getInputData(), []] : [[], [next]];
	},
	{ outputs: [Main, Main] },
);

/** A table inside n8n: adds, changes, finds and deletes rows, and passes its items on otherwise. */
const table = createNode(
	'table',
	[...texts('operation'), ...objects('columns', 'filters')],
	function () {
		const found = (item: number) => {
			const conditions = this.getNodeParameter('filters.conditions', item, []) as IDataObject[];
			if (conditions.length === 0) return [...outside.rows];
			const [{ keyName, keyValue, condition }] = conditions;
			const fits = (value: unknown) =>
				condition === 'lt' ? Number(value) < Number(keyValue) : value === keyValue;
			return outside.rows.filter((row) => fits(row[String(keyName)]));
		};
		const insert = (row: IDataObject) => {
			outside.rows.push(row);
			return [row];
		};
		const operations: Record<string, Parameters<typeof toOutputs>[1] | undefined> = {
			insert: (item) => {
				const row = this.getNodeParameter('columns.value', item) as IDataObject;
				return insert({ ...row, id: outside.rows.length + 1 });
			},
			upsert: (item, { json }) => {
				const rows = found(item).map((row) => Object.assign(row, json));
				return rows.length === 0 ? insert({ ...json }) : rows;
			},
			update: (item) => {
				const values = this.getNodeParameter('columns.value', item) as IDataObject;
				return found(item).map((row) => Object.assign(row, values));
			},
			get: found,
			rowNotExists: (item, { json }) => (found(item).length > 0 ? [] : [json]),
			deleteRows: (item) => {
				const gone = found(item);
				outside.rows = outside.rows.filter((row) => !gone.includes(row));
				return gone;
			},
		};
		const operation = operations[this.getNodeParameter('operation', 0) as string];
		return toOutputs(this, operation ?? ((_, { json }) => [json]));
	},
);

/** Reads and changes incidents, which are the rows of the table. */
const incidents = createNode(
	'incidents',
	[...texts('operation', 'id'), ...objects('options', 'fieldsToSend')],
	function () {
		const run = (item: number) => {
			if (this.getNodeParameter('operation', item) === 'getAll') {
				const query = this.getNodeParameter('options.sysparm_query', item) as string;
				return findRows(outside.rows, query);
			}
			const id = this.getNodeParameter('id', item) as string;
			const fields = this.getNodeParameter('fieldsToSend.field', item) as IDataObject[];
			const members = fields.map(({ column, value }) => [column, value] as const);
			const rows = findRows(outside.rows, `sys_id=${id}`);
			return rows.map((row) => changeRow(row, Object.fromEntries(members) as IDataObject));
		};
		return toOutputs(this, (item) => run(item).map((row) => ({ ...row })));
	},
);

/** Waits until its time is over. */
const paused = createNode('paused', [], function () {
	outside.waits++;
	return [this.getInputData()];
});

/** The output of a language model for a text, paired with no item, as the real node's. */
const understood = createNode(
	'understood',
	[...texts('text'), ...objects('attributes')],
	function () {
		outside.toldModel.push(
			JSON.stringify([this.getNodeParameter('text', 0), this.getNodeParameter('attributes', 0)]),
		);
		return [[{ json: { output: outside.understood } }]];
	},
);

const REPLACEMENTS: Readonly<Record<string, string>> = {
	'n8n-nodes-base.dataTable': 'table',
	'@n8n/n8n-nodes-langchain.informationExtractor': 'understood',
	'n8n-nodes-base.emailSend': 'messaged',
	'n8n-nodes-base.extractFromFile': 'extracted',
	'n8n-nodes-base.filter': 'conditional',
	'n8n-nodes-base.form': 'answered',
	'n8n-nodes-base.html': 'generated',
	'n8n-nodes-base.if': 'conditional',
	'n8n-nodes-base.merge': 'combined',
	'n8n-nodes-base.removeDuplicates': 'unseen',
	'n8n-nodes-base.serviceNow': 'incidents',
	'n8n-nodes-base.set': 'assigned',
	'n8n-nodes-base.splitInBatches': 'oneByOne',
	'n8n-nodes-base.splitOut': 'splitUp',
	'n8n-nodes-base.wait': 'paused',
};

/** The node with its replacement's type, as the engine of the tests runs it. */
const withStandIn = (node: INode): INode =>
	node.type === typeOfNode('corrigo')
		? node
		: { ...node, type: typeOfNode(REPLACEMENTS[node.type] ?? 'passOn'), typeVersion: 1 };

export const runs = ({ type }: INode) => type !== 'n8n-nodes-base.stickyNote';

/** Replacements to register in the engine besides the nodes under test. */
export const otherNodes: Record<string, NodeClass> = {
	passOn,
	answered,
	conditional,
	assigned,
	combined,
	extracted,
	generated,
	unseen,
	splitUp,
	oneByOne,
	messaged,
	table,
	incidents,
	paused,
	understood,
};

/** The part of a workflow that the engine runs: from its first node on, or from the named one. */
export function runnable({ nodes, connections }: WorkflowFile, from?: string) {
	const all = nodes.filter(runs).map(withStandIn);
	const first = all.filter(({ name }) => name === from);
	return { nodes: [...first, ...all.filter(({ name }) => name !== from)], connections };
}
