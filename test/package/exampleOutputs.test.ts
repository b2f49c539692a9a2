/** What a node of an example reads must be in the declared output of the node before it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IConnections, INode, INodeParameters } from 'n8n-workflow';

import { previews, type Schema } from '../../scripts/schema';

const folder = join(__dirname, '..', '..', 'examples');

interface WorkflowFile {
	nodes: INode[];
	connections: IConnections;
}

const examples = readdirSync(folder)
	.filter((file) => file.endsWith('.json'))
	.map((file) => ({
		file,
		...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowFile),
	}));

const files = previews();

function readPreview(operation: string): string[] | undefined {
	const text = files.get(`${operation}.json`);
	if (text === undefined) return undefined;
	const schema = JSON.parse(text) as Schema;
	return schema.type === 'object' ? Object.keys(schema.properties) : undefined;
}

/** Members that items of triggers have in addition to the record. */
const OF_TRIGGER = ['Change', 'ChangeKey', 'Deadline', 'LastActionDateUtc'];
const OF_ERROR = ['error', 'message'];
const OF_DRY_RUN = ['Outcome', 'Summary', 'ConfirmationKey', 'WouldChange', 'Then', 'WouldSend'];
const PASSED_ON = /\.(filter|if|removeDuplicates|splitInBatches)$/;

/** The paths that a node puts out; undefined if they are not known. */
function listOutput({ type, parameters, onError }: INode): string[] | undefined {
	const more = [
		...(onError === undefined ? [] : OF_ERROR),
		...(parameters.preventDuplicates === undefined ? [] : ['AlreadyExisted']),
	];
	const options = (parameters.options ?? {}) as INodeParameters;
	const isTrigger = type.endsWith('Trigger');
	if (options.compactOutput === true) return ['records', 'total', 'complete', ...more];
	if (options.dryRun === 'always') return [...OF_DRY_RUN, ...more];
	if (parameters.return === 'count') return ['Count'];
	if (parameters.return === 'groups') {
		const { value } = parameters.groupBy as INodeParameters;
		// A status has its label in place of its code.
		return ['Count', String(value).replace(/StatusId$/, 'Status')];
	}
	if (parameters.output === 'selected') {
		const { properties } = parameters;
		if (typeof properties === 'string' && properties.startsWith('=')) return undefined;
		const paths = Array.isArray(properties)
			? properties.map(String)
			: String(properties).split(/, */);
		if (paths.some((path) => path === '*')) return undefined;
		return [...paths, ...more, ...(isTrigger ? OF_TRIGGER : [])];
	}
	if (parameters.output === 'raw') return undefined;
	if (isTrigger) {
		const returnsOrder = parameters.entity === undefined && parameters.returns !== 'event';
		const summary = readPreview('workOrder/getMany') ?? [];
		return returnsOrder ? [...summary, ...OF_TRIGGER] : undefined;
	}
	const preview = readPreview(`${String(parameters.resource)}/${String(parameters.operation)}`);
	return preview && [...preview, ...more];
}

const isOwn = ({ type }: INode) => type.startsWith('n8n-nodes-corrigo.') && !type.endsWith('Tool');

/** The nodes that make the items of a node; undefined stands for nodes whose output is not declared. */
type Sources = Array<INode | undefined>;

/** The nodes that make the items that a node puts out or passes on. */
function findSources(example: WorkflowFile, name: string, seen = new Set<string>()): Sources {
	const node = example.nodes.find((one) => one.name === name);
	if (node === undefined || seen.has(name)) return [];
	seen.add(name);
	if (isOwn(node)) return [node];
	return PASSED_ON.test(node.type) ? findInputs(example, name, seen) : [undefined];
}

const findInputs = (example: WorkflowFile, name: string, seen = new Set<string>()): Sources =>
	Object.entries(example.connections).flatMap(([source, { main = [] }]) =>
		main.flatMap((targets, output) => {
			if (!targets?.some(({ node }) => node === name)) return [];
			// The error output passes on the input.
			return output > 0 && example.nodes.find((one) => one.name === source)?.onError
				? [undefined]
				: findSources(example, source, seen);
		}),
	);

/** Members that the texts of a node read: from its input, and from other nodes by name. */
function listReads(example: WorkflowFile, { name, parameters }: INode) {
	const text = JSON.stringify(parameters).replace(/\\n/g, '\n').replace(/\\"/g, '"');
	const MEMBER = String.raw`\??\.(?!all\b)([A-Za-z]\w*(?:\??\.[A-Z]\w*)?)`;
	const own = [...text.matchAll(new RegExp(String.raw`\$json${MEMBER}`, 'g'))].map(([, path]) => ({
		path,
		sources: findInputs(example, name),
	}));
	const NAMED = String.raw`\$\('([^']+)'\)\.(?:item|first\(\))\.json${MEMBER}`;
	const named = [...text.matchAll(new RegExp(NAMED, 'g'))].map(([, from, path]) => ({
		path,
		sources: findSources(example, from),
	}));
	return [...own, ...named].map((read) => ({ ...read, path: read.path.replaceAll('?', '') }));
}

const isPutOut = (output: readonly string[], path: string) =>
	output.some((one) => {
		const [first] = path.split('.');
		return one === path || one === first || one === `${first}.*` || one.startsWith(`${path}.`);
	});

it.each(examples)('$file reads only what the nodes before put out', (example) => {
	const missing = example.nodes.flatMap((node) =>
		listReads(example, node).flatMap(({ path, sources }) => {
			const outputs = sources.map((source) => source && listOutput(source));
			// Where several branches meet, one of them has the member.
			const known = outputs.flatMap((output) => output ?? []);
			if (outputs.length === 0 || outputs.includes(undefined) || isPutOut(known, path)) return [];
			return [`${node.name} reads ${path} of ${sources.map((one) => one?.name).join(', ')}`];
		}),
	);
	expect(missing).toEqual([]);
});

describe('what others wrote is shown as text', () => {
	const HOSTILE = `<img src=x onerror="alert('x')"> [decide](https://x.example) <!channel> \\n *_\``;
	/** The node and the example write these values themselves. */
	const OWN = { Url: 'https://corrigo.example', reason: 'the amount is high' };
	const isOfText = (name: string | symbol) => typeof name === 'symbol' || name in String.prototype;
	const createHostile = (known: object): object => {
		const hostile: object = new Proxy(known, {
			get: (_, name) => {
				if (Object.hasOwn(known, name)) return known[name as keyof typeof known];
				const own = isOfText(name) ? HOSTILE[name as keyof string] : hostile;
				return typeof own === 'function' ? (own.bind(HOSTILE) as unknown) : own;
			},
		});
		return hostile;
	};
	const evaluate = (code: string, known: object) => {
		const hostile = createHostile(known);
		const getNode = () => ({ isExecuted: true, first: () => ({ json: hostile }) });
		return String(new Function('$json', '$', `return ${code}`)(hostile, getNode));
	};
	const listTexts = (parameter: string) =>
		examples.flatMap(({ file, nodes }) =>
			nodes
				.filter(({ parameters }) => parameters[parameter] !== undefined)
				.map(({ name, parameters }) => ({ file, name, text: String(parameters[parameter]) })),
		);
	const show = (text: string, known = {}) =>
		text.replace(/\{\{(.*?)\}\}(?!\})/gs, (_, code: string) => evaluate(code, known));

	it.each(listTexts('completionMessage'))('on a page after a form: $file: $name', ({ text }) => {
		expect(show(text)).not.toMatch(/[<"']/);
	});

	// n8n shows such a message as HTML on the page of a form, and breaks its lines at \n. Telegram refuses
	// a message in which markup does not end.
	it.each(listTexts('message'))('in a request for a decision: $file: $name', ({ file, text }) => {
		expect(show(text)).not.toMatch(/[<>[\]\\]/);
		const isForTelegram = readFileSync(join(folder, file), 'utf8').includes('Telegram');
		if (isForTelegram) expect(show(text, OWN)).not.toMatch(/[*_`]/);
	});
});
