/**
 * What a tool leaves to a model by `$fromAI`, and what its author has filled in. The forms are the cases
 * of test/compat, which give each option a value; an option that several operations have is tried in one.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { deskProperties } from '../../../nodes/Corrigo/actions/desk';
import { nodeFields } from '../../../nodes/Corrigo/actions/resources';
import { listInside, splitLabels } from '../../../nodes/Corrigo/form/nodeForm';
import { seed } from '../../../sandbox/seed';
import { classes } from '../../compat/classes';
import { createRecorder } from '../../compat/recorder';
import { openCompany, type Company } from '../../compat/saved';
import { byId } from '../../support/company';

const FROM_MODEL = "={{ $fromAI('x', '', 'string') }}";
const ONLY_AUTHOR = 'Only the author of this tool can change that.';

const known = createRecorder(classes, 'the operations').completeCases(seed({ workOrders: 40 }));

let company: Company;

beforeAll(async () => {
	company = await openCompany(classes);
});

afterAll(async () => {
	await company.sandbox.close();
});

interface Place {
	path: string;
	parameters: INodeParameters;
	before?: Parameters<Company['begin']>[0];
}

/** Leaves each value in a group to the model. n8n drops a text in the place of a group. */
function* leaveEach(group: IDataObject, path: string): Generator<[string, IDataObject]> {
	for (const [name, value] of Object.entries(group)) {
		const inside = `${path}.${name}`;
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
			for (const [inner, left] of leaveEach(value as IDataObject, inside))
				yield [inner, { ...group, [name]: left }];
		} else yield [inside, { ...group, [name]: FROM_MODEL }];
	}
}

function* listOptions(): Generator<Place> {
	const tried = new Set<string>();
	for (const { node, before } of known.values()) {
		const options = (node.parameters.options ?? {}) as IDataObject;
		for (const [path, left] of leaveEach(options, 'options')) {
			if (tried.has(path)) continue;
			tried.add(path);
			yield { path, before, parameters: { ...node.parameters, options: left } as INodeParameters };
		}
	}
}

async function refuse(
	node: 'corrigo' | 'corrigoDesk',
	{ parameters, before }: Place,
	said: IDataObject,
) {
	company.begin(before);
	const { error, items } = await company.engine.runTool({ node, parameters, arguments: said });
	const text = String(items[0]?.json.response ?? error?.message);
	expect(company.sandbox.requestsTo('api')).toEqual([]);
	return (
		/'([^']+)' is left to the model, but only the author of the tool may choose it\n\nnextAction: (.+)/.exec(
			text,
		) ?? [text]
	);
}

// Promise: What a language model may do is for the author of its tool to decide
describe('what only the author of a tool may choose, and is left to a model, is refused', () => {
	it('every option of every operation', async () => {
		const labels = splitLabels(listInside(nodeFields)).fields;
		const places = [...listOptions()];
		expect(places.length).toBeGreaterThan(20);
		for (const place of places) {
			for (const x of ['never', 'internal']) {
				const [, label, next] = await refuse('corrigo', place, { x });
				expect([place.path, next]).toEqual([place.path, ONLY_AUTHOR]);
				expect(labels).toContain(label);
			}
		}
	});

	it('the operation', async () => {
		const { node, before } = [...known.values()][0];
		for (const name of ['resource', 'operation']) {
			const parameters = { ...node.parameters, [name]: FROM_MODEL };
			const said = { x: String(node.parameters[name]) };
			const [text, label] = await refuse('corrigo', { path: name, parameters, before }, said);
			// Without a resource, n8n shows no operation.
			expect([name, label ?? text]).toEqual([
				...[name, expect.stringMatching(name === 'operation' ? /^operation$/ : /./)],
			]);
		}
	});

	it('every field of Corrigo Desk but the two that a model fills in', async () => {
		const own = { writes: ['note:create'], fixed: '{}' };
		const said = { operation: 'note:create', fields: '{}', x: '["note:create"]' };
		const others = deskProperties.filter(({ name }) => !['call', 'fields'].includes(name));
		expect(others.length).toBeGreaterThan(3);
		for (const { name, type, options = [] } of others) {
			const inner = type === 'collection' ? options.map((one) => one.name) : [];
			const left =
				inner.length > 0 ? Object.fromEntries(inner.map((one) => [one, FROM_MODEL])) : FROM_MODEL;
			const parameters = { ...own, [name]: left };
			const [, label, next] = await refuse('corrigoDesk', { path: name, parameters }, said);
			expect(next).toBe(ONLY_AUTHOR);
			expect(splitLabels(listInside(deskProperties)).fields).toContain(label);
		}
	});

	describe('what a model says for another field, by the name of that field', () => {
		const desk = "$node['Corrigo Desk']";

		it.each([
			'$parameter.call',
			'$rawParameter.call',
			'$param\\u0065ter.call',
			`${desk}.parameter.call`,
			`${desk}["parameter"].call`,
			`${desk}["para" + "meter"].call`,
			`${desk}/**/["para" + "meter"].call`,
			`${desk}?.["para" + "meter"].call`,
			`$node["Corrigo \\x44esk"]["para" + "meter"].call`,
			`((name) => ${desk}[name].call)("parameter")`,
			`[${desk}].map(({ parameter }) => parameter.call)[0]`,
			'Object.values($node)[0]["para" + "meter"].call',
			'$("Corrigo Desk")["par" + "ams"].call',
			'$(`Corrigo Desk`)[`par${"ams"}`].call',
			'$item(0)["$fromAI"]("operation")',
			`$item(0)["$no" + "de"]["Corrigo Desk"]["para" + "meter"].call`,
			`$evaluateExpression("{" + "{ $para" + "meter.call }" + "}")`,
			'$tool.name',
			'this["$para" + "meter"].call',
			'globalThis["$para" + "meter"].call',
		])('%s', async (from) => {
			const said = { operation: 'note:create', fields: '{}', tool: 'note:create' };
			const parameters = { writes: `={{ [${from}] }}`, fixed: '{}' };
			const found = await refuse('corrigoDesk', { path: from, parameters }, said);
			expect(found.slice(1)).toEqual(['Operations That Write', ONLY_AUTHOR]);
		});

		it.each([
			'$("Chat").item.json["body"]',
			"$('A (b)').first().json['a b'] / 2",
			'$("Chat")\n.all()[0].json.parameters',
			'$("Chat")["item"]?.json[$now.year]',
			'$node["Chat"].json["y"]',
			'$node.Chat.json.y',
			"$node['Chat']['json'][`parameter`]",
			'$item(0).$node["Chat"].json["y"]',
			"['parameter', 'call'].join()",
			'$now["year"]',
			'$vars["a b"] || $execution.id',
			'/^[a-z]$/.test($workflow.name)',
		])('but not what nobody says: %s', async (from) => {
			const parameters = { writes: `={{ [] || ${from} }}`, fixed: '{}' };
			const said = { operation: 'describe', fields: '{}' };
			const [text] = await refuse('corrigoDesk', { path: from, parameters }, said);
			expect(text).toContain('customer:getMany');
		});
	});

	it('but words about it are words', async () => {
		const { sandbox, engine } = company;
		company.begin();
		const [order] = sandbox.store.ids('WorkOrder');
		const body = "={{ 'See $fromAI' }}";
		const note = { resource: 'note', operation: 'create', workOrder: byId(order), body };
		const options = { advanced: { requestId: "={{ 'of $fromAI' }}" } };
		const { error } = await engine.runTool({ parameters: { ...note, type: 'Public', options } });
		expect([error?.message, sandbox.requestsTo('api').length]).toEqual([undefined, 1]);
	});
});

describe('a model is told whether it can correct what is wrong', () => {
	const build = (text: string, more: object = {}) => {
		const note = { resource: 'note', operation: 'create', workOrder: byId(1), body: text };
		return { ...note, type: 'Public', ...more } as INodeParameters;
	};
	const ask = async (parameters: INodeParameters, said: IDataObject) => {
		company.begin();
		const { error, items } = await company.engine.runTool({ parameters, arguments: said });
		expect(company.sandbox.requestsTo('api')).toEqual([]);
		return String(items[0]?.json.response ?? error?.message).split('\n\nnextAction: ');
	};

	it.each([
		['gives nothing', '={{ $self.none }}', /^'Text' is empty: its expression gives nothing$/],
		['gives an object', '={{ ({ a: 1 }) }}', /^'Text' must be a text, but it is/],
		[
			'reads a node that has not run',
			'={{ $node["Agent"].json.x }}',
			/^'Text' cannot be calculated: .*Agent/,
		],
		['is empty', '', /^'Text' is empty$/],
	])("the author's expression %s", async (_, body, message) => {
		for (const more of [{}, { type: FROM_MODEL }]) {
			expect(await ask(build(body, more), { x: 'Public' })).toEqual([
				expect.stringMatching(message),
				ONLY_AUTHOR,
			]);
		}
	});

	const search = { resource: 'workOrder', operation: 'getMany' };
	const compare = (...conditions: object[]) =>
		({ searchBy: 'conditions', conditions: { values: conditions } }) as INodeParameters;
	const isEqual = (property: string, value: string) => ({ property, operator: 'Equal', value });
	const update = { resource: 'workOrder', operation: 'update', id: byId('1') };
	const map = (value: string) =>
		({
			fields: {
				mappingMode: 'defineBelow',
				value: { Duration: value },
				schema: [{ id: 'Duration', displayName: 'Duration', type: 'number' }],
			},
		}) as INodeParameters;
	const json = "={{ $fromAI('x', '', 'json') }}";

	it.each<[string, boolean, INodeParameters, IDataObject | string, RegExp]>([
		['field', true, build(FROM_MODEL, { type: FROM_MODEL }), 'Nonesuch', /^'Note Type' must be/],
		[
			...(['row', true, { ...search, ...compare(isEqual('DtCreated', FROM_MODEL)) }] as const),
			...(['soon', /^'Conditions > Value of DtCreated' must be/] as const),
		],
		[
			'row',
			false,
			{ ...search, ...compare(isEqual('DtCreated', 'soon')), filters: {}, limit: FROM_MODEL },
			...(['5', /^'Conditions > Value of DtCreated' must be/] as const),
		],
		['column', true, { ...update, ...map(FROM_MODEL) }, 'long', /^'Duration' must be/],
		['column', false, { ...update, id: byId(FROM_MODEL), ...map('long') }, '1', /^'Duration' must/],
		[
			...(['JSON', true, { ...update, fieldsMode: 'json', fieldsJson: json }] as const),
			...([{ Duration: 'long' }, /^'Fields \(JSON\) > Duration' must be/] as const),
		],
	])('a wrong %s is of the model: %s', async (_, isOfModel, parameters, x, message) => {
		const [text, next] = await ask(parameters, { x });
		expect(text).toMatch(message);
		expect(next === ONLY_AUTHOR).toBe(!isOfModel);
	});

	it('a fixed field or an option of Corrigo Desk is wrong', async () => {
		const call = async (fixed: object, said: object, options = {}) => {
			company.begin();
			const { error, items } = await company.engine.runTool({
				node: 'corrigoDesk',
				parameters: {
					...{ writes: ['note:create'], options },
					fixed: JSON.stringify({ 'note:create': fixed }),
				},
				arguments: { operation: 'note:create', fields: JSON.stringify(said) },
			});
			expect(company.sandbox.requestsTo('api').filter(({ path }) => !/query/.test(path))).toEqual(
				[],
			);
			return String(items[0]?.json.response ?? error?.message).split('\n\nnextAction: ');
		};
		const [right, wrong] = [{ body: 'A', type: 'Public' }, { workOrder: 'Nonesuch' }];
		expect(await call(wrong, right)).toEqual([
			expect.stringMatching(/^'Work Order': no work order .*"Nonesuch"/),
			ONLY_AUTHOR,
		]);
		const [message, next] = await call(right, wrong);
		expect(message).toMatch(/^'Work Order': no work order .*"Nonesuch"/);
		expect(next).not.toBe(ONLY_AUTHOR);
		expect(await call({}, { ...right, workOrder: 1 }, { dryRun: 'sometimes' })).toEqual([
			expect.stringMatching(/^'Dry Run' must be one of/),
			ONLY_AUTHOR,
		]);
	});
});
