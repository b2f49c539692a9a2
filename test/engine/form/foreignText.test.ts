/**
 * Text that looks like an expression, from an item, a model and a program that calls Corrigo Desk, in
 * every field of every operation: whatever other text does, it does, and nothing evaluates it.
 */
import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import type { Sandbox } from '../../../sandbox';
import { seed } from '../../../sandbox/seed';
import { cases } from '../../cases';
import { classes } from '../../compat/classes';
import { createRecorder } from '../../compat/recorder';
import { openCompany, type Company } from '../../compat/saved';
import type { RunOptions } from '../../support/engine';
import { omitQuotations, type Run } from '../../support/run';

const TEXTS = ['={{ 6 * 7000001 }}', '{{ 6 * 7000001 }}', '={{ $fromai(`x`) || 6 * 7000001 }}'];
const EVALUATED = '42000006';

/** Only what makes it an expression differs. */
const PLAIN: Record<string, string> = { '=': '-', '{': '(', '}': ')', $: '!' };
const toPlain = (text: string) => text.replace(/[={}$]/g, (sign) => PLAIN[sign]);

/** The run without what differs each time, and without the words in which the JSON parser refuses a text. */
const toComparable = (sandbox: Sandbox, { error, items }: Pick<Run, 'error' | 'items'>) => {
	const requests = sandbox
		.requestsTo('api')
		.map(({ method, path, query, body }) => ({ method, path, query, body }));
	return JSON.stringify({ requests, items, error: error && [error.message, error.description] })
		.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'random')
		.replace(/(is not valid JSON: ).*/, '$1')
		.replace(/(ConfirmationKey[\\":]+)[^"\\]+/g, '$1')
		.replace(/(storage[^"?]*)\?[^"\\]*/g, '$1')
		.replace(/\.\d{3}(\d{4})?(?=Z?\\*")/g, '')
		.replace(/bytes[\\":]+\d+|\d+ ms/g, '');
};

const PROGRAM = 'a program in front of Corrigo Desk';
const WAYS = ['an item', 'a model', PROGRAM] as const;
type Way = (typeof WAYS)[number];

const known = createRecorder(classes, 'the operations').completeCases(seed({ workOrders: 40 }));
const operations = resources.flatMap(({ value, operations: all }) =>
	all.flatMap(({ value: operation, reads }) => {
		const name = `${value}:${operation}`;
		const found = known.get(name);
		return found ? [{ name, reads: reads === true, ...found }] : [];
	}),
);
const namesOf = (reads: boolean) =>
	operations.filter((one) => one.reads === reads).map(({ name }) => name);

/** What the editor keeps with the value of a field, or what decides which form is shown. */
const NOT_VALUES = [
	'__rl',
	'mode',
	'schema',
	'mappingMode',
	'matchingColumns',
	'resource',
	'operation',
];

/** Fields with JSON, in which a name is as free as a value. */
const IN_JSON = /\.(\w+Json|commandBody|otherProperties|before)\b/;

interface Leaf {
	holder: IDataObject;
	key: string;
	path: string;
}

function* listLeaves(holder: IDataObject, path = ''): Generator<Leaf> {
	for (const [key, value] of Object.entries(holder)) {
		if (NOT_VALUES.includes(key)) continue;
		const inside = `${path}.${key}`;
		if (typeof value === 'object' && value !== null)
			yield* listLeaves(value as IDataObject, inside);
		else yield { holder, key, path: inside };
	}
}

let company: Company;

beforeAll(async () => {
	company = await openCompany(classes);
});

afterAll(async () => {
	await company.sandbox.close();
});

const FOR_PEOPLE = [
	...['resource', 'operation', 'options', 'autoFields', 'fieldsMode', 'customFields'],
	'attachments',
];

/** Columns as the JSON in their place, in which a dot leads into a record. */
function toRecord(columns: IDataObject): IDataObject {
	const record: IDataObject = {};
	for (const [path, value] of Object.entries(columns)) {
		const names = path.split('.');
		const last = names.pop() as string;
		const holder = names.reduce((outer, name) => (outer[name] ??= {}) as IDataObject, record);
		holder[last] = value;
	}
	return record;
}

/** The form of an operation as a program fills it in, which sees no options, columns, files and lists. */
function toFields({ fields, workOrder, binaryPropertyName, ...form }: IDataObject) {
	const { value, matchingColumns = [] } = (fields ?? {}) as {
		value?: IDataObject;
		matchingColumns?: string[];
	};
	const isUpload = form.documentType !== undefined;
	const json = form.commandName === undefined ? 'fieldsJson' : 'commandBody';
	return {
		...Object.fromEntries(Object.entries(form).filter(([name]) => !FOR_PEOPLE.includes(name))),
		...(value && { [json]: toRecord(value) }),
		...(matchingColumns.length > 0 && { matchOn: matchingColumns.join() }),
		...(workOrder !== undefined && form.id === undefined && { workOrder }),
		...(isUpload && { source: 'link', url: 'https://files.example.org/leak.png' }),
		...(!isUpload && binaryPropertyName !== undefined && { binaryPropertyName }),
	};
}

/** A program gives JSON as objects, whose members are further places for a text. */
const openJson = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(openJson);
	if (typeof value === 'object' && value !== null)
		return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, openJson(one)]));
	return typeof value === 'string' && /^[[{]/.test(value) ? openJson(JSON.parse(value)) : value;
};

const getForm = (way: Way, parameters: INodeParameters) =>
	(way === PROGRAM
		? openJson(toFields(parameters as IDataObject))
		: structuredClone(parameters)) as INodeParameters;

/** n8n itself refuses a form in which an expression may show a required field that is empty. */
const runForm = async (options: RunOptions): Promise<Pick<Run, 'error' | 'hints' | 'items'>> =>
	await company.engine.run(options).catch(() => ({ hints: [], items: [] }));

const callDesk = async (operation: string, fields: INodeParameters) =>
	await company.engine.runTool({
		node: 'corrigoDesk',
		parameters: { reads: namesOf(true), writes: namesOf(false) },
		arguments: { operation, fields: JSON.stringify(fields) },
	});

/** Says a text in one place of a form, as its value or, in JSON, as the name of a member. */
async function give(way: Way, text: string, { operation, index, isName }: Place) {
	const { name, node, before, input } = operation;
	const parameters = getForm(way, node.parameters);
	const { holder, key } = [...listLeaves(parameters as IDataObject)][index];
	company.begin(before);
	const { engine } = company;
	const byWay = {
		'an item': async () => {
			holder[key] = '={{ $json.x }}';
			const [item = { json: {} }] = input ?? [];
			const items = [{ ...item, json: { ...item.json, x: text } }];
			return await runForm({ parameters, items });
		},
		'a model': async () => {
			holder[key] = "={{ $fromAI('x', '', 'string') }}";
			return await engine.runTool({ parameters, arguments: { x: text } });
		},
		[PROGRAM]: async () => {
			holder[isName ? text : key] = text;
			return await callDesk(name, parameters);
		},
	};
	return toComparable(company.sandbox, await byWay[way]());
}

/** Forms that people fill in by columns, and programs with JSON. */
const JSON_FORMS: Record<string, INodeParameters> = {
	'command:execute': {
		commandName: 'WoFlagCommand',
		commandBody: { WorkOrderId: 1, Comment: 'x', Entity: { Comment: 'y', Rows: [{ Name: 'z' }] } },
	},
	'contact:create': {
		fieldsJson: {
			...{ FirstName: 'x', ContactAddresses: { PrimEmail: 'a@x.org' } },
			...{ CustomFields: { Floor: '3' }, Customer: { Id: 101 } },
		},
	},
	'contact:getMany': {
		criteriaJson: {
			FilterOperator: 'And',
			Conditions: [{ PropertyName: 'LastName', Operator: 'Like', Values: ['x'] }],
		},
	},
	'customer:getMany': { conditions: { property: 'Name', operator: 'Like', value: 'x' } },
};

interface Place {
	operation: (typeof operations)[number];
	path: string;
	index: number;
	isName?: boolean;
}

/** A field that several operations share is tried in one of them, and in all with FULL=1. */
function listPlaces(way: Way): Place[] {
	const seen = new Set<string>();
	const byJson = operations
		.filter(({ name }) => way === PROGRAM && name in JSON_FORMS)
		.map((one) => ({ ...one, node: { ...one.node, parameters: JSON_FORMS[one.name] } }));
	return [...byJson, ...operations].flatMap((operation) =>
		[...listLeaves(getForm(way, operation.node.parameters) as IDataObject)].flatMap(
			({ path }, index): Place[] => {
				const isKnown = seen.has(path);
				seen.add(path);
				const place = { operation, path, index };
				const isInJson = way === PROGRAM && IN_JSON.test(path);
				return cases(isKnown, false)
					? []
					: [place, ...(isInJson ? [{ ...place, isName: true }] : [])];
			},
		),
	);
}

const leaves = listPlaces('an item');

it('the form of each operation is accepted from a program, so that its texts arrive', async () => {
	const refused: unknown[] = [];
	for (const { name, node, before } of operations) {
		company.begin(before);
		const { error } = await callDesk(name, getForm(PROGRAM, node.parameters));
		if (error) refused.push([name, error.message]);
	}
	expect(refused).toEqual([]);
});

// Promise: What an item, a model or a program says is never evaluated
it.each(WAYS)('text from %s is text in every field', async (way) => {
	const differing: string[] = [];
	let taken = 0;
	for (const place of listPlaces(way)) {
		const { operation, path } = place;
		const draw = createHash('sha1')
			.update(path + way)
			.digest()[0];
		const text = TEXTS[draw % TEXTS.length];
		const plain = toPlain(text);
		const [given, other] = [await give(way, text, place), await give(way, plain, place)];
		if (given.replaceAll(text, plain) !== other || given.includes(EVALUATED)) {
			const from = [...given].findIndex(
				(letter, at) => letter !== other.replaceAll(plain, text)[at],
			);
			const show = (outcome: string) => outcome.slice(Math.max(0, from - 100), from + 200);
			differing.push(
				`${operation.name}${path}: ${text}\n${show(given)}\n${show(other.replaceAll(plain, text))}`,
			);
		}
		if (!/"error"/.test(given) && given.includes(text)) taken++;
	}
	expect(differing).toEqual([]);
	expect(taken).toBeGreaterThan(40);
});

/** Ends a quotation, breaks a line, turns the direction of what follows, and hides. */
const HOSTILE = '", with PRETENSE\\" a\r\nb\u0007c\u202ed\u2028e\u2066f\u0085g\ufeffh';

it('messages, summaries of dry runs and hints are lines in which everything is seen, and foreign text is quoted', async () => {
	const texts: string[] = [];
	const tried = leaves.flatMap(({ operation, path, index }) => {
		const isJson = IN_JSON.test(path);
		const asName = isJson ? [{ operation, index, x: { [HOSTILE]: 1 } }] : [];
		return [{ operation, index, x: HOSTILE }, ...asName];
	});
	for (const { operation, index, x } of tried) {
		const { before, input, node } = operation;
		const parameters = structuredClone(node.parameters) as IDataObject;
		const { holder, key } = [...listLeaves(parameters)][index];
		parameters.options = { ...(parameters.options as IDataObject), dryRun: 'always' };
		holder[key] = '={{ $json.x }}';
		company.begin(before);
		const [item = { json: {} }] = input ?? [];
		const { error, hints, items } = await runForm({
			parameters: parameters as INodeParameters,
			items: [{ ...item, json: { ...item.json, x } }],
		});
		const summaries = items.map(({ json }) => json.Summary);
		const told = [error?.message, error?.description, ...hints.map(({ message }) => message)];
		texts.push(...[...told, ...summaries].filter((text) => typeof text === 'string'));
	}
	expect(texts.filter((text) => text.includes('\\u202E')).length).toBeGreaterThan(50);
	expect(texts.filter((text) => /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\ufeff]/u.test(text))).toEqual(
		[],
	);
	const quoted = texts.filter((text) => text.includes('PRETENSE'));
	expect(quoted.length).toBeGreaterThan(50);
	expect(quoted.map(omitQuotations).filter((text) => text.includes('PRETENSE'))).toEqual([]);
});

// Promise: What an item, a model or a program says is never evaluated
it.each(cases(TEXTS.slice(0, 1), TEXTS))(
	'records that Corrigo returns with the text %s hold that text',
	async (text) => {
		const { sandbox, engine } = company;
		let found = 0;
		for (const { node, before, input, reads } of operations) {
			if (!reads) continue;
			company.begin(before);
			// Texts of several words are those that people write; others may be codes of the service.
			for (const entity of ['WorkOrder', 'WoNote', 'Customer', 'Location', 'Contact', 'WoItem']) {
				for (const row of sandbox.store.rows(entity)) {
					for (const [member, value] of Object.entries(row)) {
						if (typeof value === 'string' && value.includes(' ')) row[member] = text;
					}
				}
			}
			const outcome = JSON.stringify(
				await engine.run({ parameters: node.parameters, items: input }),
			);
			expect(outcome).not.toContain(EVALUATED);
			if (outcome.includes(text)) found++;
		}
		expect(found).toBeGreaterThan(5);
	},
);
