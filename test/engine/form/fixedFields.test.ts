/**
 * A field that the author of Corrigo Desk fixes, while a model fills in all others: without the fixed
 * field, the same words of the model send or return something else, or the fixed field is refused. And
 * what a fixed field adds to the requests is the same with and without each other field that a model
 * may say. The forms are the cases of test/compat; a fixed value is never the default. If a part of a
 * search is fixed, filters and conditions of a model leave each condition that it has without them.
 */
import { createHash } from 'node:crypto';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { completeFixed, fillOperation } from '../../../nodes/Corrigo/actions/desk';
import { resources } from '../../../nodes/Corrigo/actions/resources';
import { narrowField } from '../../../nodes/Corrigo/operations/subject';
import type { Operation } from '../../../nodes/Corrigo/run/operation';
import { ValidationError } from '../../../nodes/Corrigo/values/errors';
import { isObject } from '../../../nodes/Corrigo/values/objects';
import { seed } from '../../../sandbox/seed';
import { cases } from '../../cases';
import { classes } from '../../compat/classes';
import { createRecorder } from '../../compat/recorder';
import { openCompany, type Company } from '../../compat/saved';
import { entryOf } from '../../compat/values';
import { byName } from '../../support/company';

/** The last ones follow from others that are filled in. */
const LEFT_OUT = [
	...['resource', 'operation', 'options', 'fields', 'autoFields', 'fieldsMode', 'customFields'],
	...['output', 'searchBy'],
];

/** What another field says as well, has nothing to act on in the sandbox, or names a file, which a tool does not show. */
const WITHOUT_EFFECT = [
	'document:download binaryPropertyName',
	'purchaseOrder:receive received',
	'workOrder:getChanges ignoreApi',
	'workOrder:getPerformance when',
	'workOrder:print binaryPropertyName',
	'workOrder:setEstimate amountAs',
	'workOrder:suggestAssignees customer',
	'workOrder:suggestAssignees workZone',
];

const known = createRecorder(classes, 'the operations').completeCases(seed({ workOrders: 40 }));
const names = resources.flatMap(({ value, operations }) =>
	operations.map((operation) => ({ ...operation, name: `${value}:${operation.value}` })),
);
const operations = names.flatMap((operation) => {
	const found = known.get(operation.name);
	return found ? [{ ...operation, ...found }] : [];
});
const desk = {
	reads: names.filter(({ reads }) => reads === true).map(({ name }) => name),
	writes: names.filter(({ reads }) => reads !== true).map(({ name }) => name),
};

const isGroup = (field?: INodeProperties) =>
	field?.type === 'collection' && field.name !== 'filters';
const isDefault = (field: INodeProperties | undefined, value: unknown) =>
	JSON.stringify(field?.default) === JSON.stringify(value);

type Called = (typeof operations)[number];

let company: Company;

beforeAll(async () => {
	company = await openCompany(classes);
});

afterAll(async () => {
	await company.sandbox.close();
});

async function call({ name, before }: Called, fixed: IDataObject, said: IDataObject) {
	company.begin(before);
	const { error, items } = await company.engine.runTool({
		node: 'corrigoDesk',
		parameters: { ...desk, fixed: JSON.stringify({ [name]: fixed }) },
		arguments: { operation: name, fields: JSON.stringify(said) },
	});
	const requests = company.sandbox
		.requestsTo('api')
		.map(({ method, path, query, body }) => ({ method, path, query, body }));
	return { requests, error: error?.message, items };
}

const hideRandom = (text: string) =>
	text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\.\d{3}(\d{4})?(?=Z?\\*")|\d+ ms/g, '');

async function showCall(...given: Parameters<typeof call>) {
	const called = await call(...given);
	return called.requests.length > 0 && hideRandom(JSON.stringify(called));
}

const draw = (text: string) => createHash('sha1').update(text).digest().readUInt16BE();

/** Splits a form into a fixed field, alone in its group, and the others. */
function* listSplits({ fields, node }: Called) {
	const form = Object.entries(node.parameters as IDataObject).filter(
		([name]) =>
			!LEFT_OUT.includes(name) &&
			fields.some((field) => field.name === name && field !== narrowField),
	);
	for (const [name, value] of form) {
		const field = fields.find((one) => one.name === name);
		const others = Object.fromEntries(form.filter(([other]) => other !== name));
		if (!isGroup(field)) {
			if (!isDefault(field, value))
				yield { path: name, fixed: { [name]: value }, others, rest: {} };
			continue;
		}
		for (const [inner, one] of Object.entries(value as IDataObject)) {
			const rest = { ...(value as IDataObject) };
			delete rest[inner];
			yield {
				path: `${name}.${inner}`,
				fixed: { [name]: { [inner]: one } },
				others,
				rest: { [name]: rest },
			};
		}
	}
}

// Promise: What is fixed in Corrigo Desk takes effect, whatever the model says
it('a fixed field has an effect, whatever a model says for all others', async () => {
	const splits = operations.flatMap((operation) =>
		[...listSplits(operation)].map((split) => ({ operation, ...split })),
	);
	const tried = splits.filter(({ operation, path }) => {
		return cases(draw(`${operation.name} ${path}`) % 8, 0) === 0;
	});
	expect(tried.length).toBeGreaterThan(40);
	const without: string[] = [];
	for (const { operation, path, fixed, others, rest } of tried) {
		const given = await showCall(operation, fixed, { ...others, ...rest });
		if (given && given === (await showCall(operation, {}, others)))
			without.push(`${operation.name} ${path}`);
	}
	expect(without.filter((one) => !WITHOUT_EFFECT.includes(one))).toEqual([]);
});

/** A field of a form, or of a group in it, with its value. */
interface Part {
	path: string[];
	value: unknown;
}

/** The form that a model would fill in: the columns of a person are JSON there. */
function buildForm({ fields, node }: Called): IDataObject {
	const form = node.parameters as IDataObject;
	const { value, matchingColumns } = (form.fields ?? {}) as IDataObject;
	const pasted = { fieldsJson: value, matchOn: (matchingColumns as string[] | null)?.join() };
	return Object.fromEntries(
		Object.entries({ ...pasted, ...form }).filter(
			([name, one]) =>
				Boolean(one ?? false) &&
				!LEFT_OUT.includes(name) &&
				fields.some((field) => field.name === name && field !== narrowField),
		),
	) as IDataObject;
}

const listParts = ({ fields }: Operation, form: IDataObject): Part[] =>
	Object.entries(form).flatMap(([name, value]) => {
		const field = fields.find((one) => one.name === name);
		if (field?.type !== 'collection')
			return isDefault(field, value) ? [] : [{ path: [name], value }];
		return Object.entries(value as IDataObject).map(([inner, one]) => ({
			path: [name, inner],
			value: one,
		}));
	});

const build = ({ path, value }: Part): IDataObject =>
	path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as IDataObject;

function omit(form: IDataObject, { path: [name, inner] }: Part): IDataObject {
	const { [name]: value, ...others } = form;
	if (inner === undefined) return others;
	const group = { ...(value as IDataObject) };
	delete group[inner];
	return Object.keys(group).length > 0 ? { ...others, [name]: group } : others;
}

/** Tells whether a model may say a part next to a fixed one. */
function mayModelSay(operation: Operation, said: Part, fixed: Part): boolean {
	const isOwnGroup = said.path[0] === fixed.path[0] && said.path[0] !== 'filters';
	if (isOwnGroup) return false;
	try {
		fillOperation(operation, build(said), completeFixed(operation, build(fixed)));
		return true;
	} catch (refusal) {
		expect(refusal).toBeInstanceOf(ValidationError);
		return false;
	}
}

/** The conditions of a search, wherever they stand in it. */
const listConditions = ({ FilterOperator, Conditions, Filters }: IDataObject): string[] => {
	const own = [Conditions, Filters].flatMap((one) => (one ?? []) as IDataObject[]);
	const joint = FilterOperator === 'Or' && own.length > 1 ? ' or' : '';
	return own.flatMap((one) =>
		(isCondition(one) ? [JSON.stringify(one)] : listConditions(one)).map((text) => text + joint),
	);
};

const isCondition = (one: IDataObject) => 'PropertyName' in one;

const listValues = (value: unknown, path = ''): string[] => {
	if (path.endsWith('.Criteria')) return listConditions(value as IDataObject);
	if (Array.isArray(value) && !path.includes('.'))
		return value.flatMap((one) => listValues(one, path));
	if (Array.isArray(value)) return value.map((one) => `${path}: ${JSON.stringify(one)}`);
	if (!isObject(value)) return [`${path}: ${JSON.stringify(value)}`];
	return Object.entries(value).flatMap(([name, one]) => listValues(one, `${path}.${name}`));
};

/** Tells whether a request only looks up what other records refer to. */
const isLookUp = ({ body }: { body?: unknown }): boolean =>
	/"Criteria":{"Conditions":\[{"PropertyName":"Id","Operator":"In",[^{}]*}\]/.test(
		JSON.stringify(body ?? null),
	);

/** Returns what an operation sends: the writes of one that writes, and else what it searches for. */
async function send(operation: Called, said: IDataObject): Promise<string[] | undefined> {
	const { requests, error } = await call(operation, {}, said);
	const isOwn = (one: (typeof requests)[number]) =>
		operation.reads === true ? !isLookUp(one) : !/GET|\/query\//.test(one.method + one.path);
	return error === undefined ? listValues(requests.filter(isOwn)).map(hideRandom) : undefined;
}

// Promise: What is fixed in Corrigo Desk takes effect, whatever the model says
it('a fixed field means the same, whatever a model says for another one', async () => {
	const pairs = operations.flatMap((operation) => {
		const form = buildForm(operation);
		const parts = listParts(operation as Operation, form);
		return parts.flatMap((fixed) =>
			parts
				.filter((said) => said !== fixed)
				.map((said) => {
					const name = `${fixed.path.join('.')}, where a model says ${said.path.join('.')}`;
					return { name, operation, form, fixed, said };
				}),
		);
	});
	const tried = new Set<string>();
	const changed: string[] = [];
	for (const { name, operation, form, fixed, said } of pairs) {
		if (tried.has(name) || draw(name) % cases(24, 1) > 0) continue;
		if (!mayModelSay(operation as Operation, said, fixed)) continue;
		const both = await send(operation, form);
		const alone = both && (await send(operation, omit(form, said)));
		if (both === undefined || alone === undefined) continue;
		const neither = await send(operation, omit(omit(form, said), fixed));
		// A search without a required field would be another one as a whole.
		if (neither === undefined && operation.reads === true) continue;
		tried.add(name);
		const lost = alone.filter((one) => !neither?.includes(one) && !both.includes(one));
		if (lost.length > 0) changed.push(`${operation.name} ${name}: ${lost.join()}`);
	}
	expect(tried.size).toBeGreaterThan(20);
	expect(changed).toEqual([]);
});

const ATTRIBUTES = { values: [{ attribute: byName('Run Hours'), attributeValue: '1' }] };

/** Each filter with a value: the first of its choices, or the last. */
const sayFilters = (field: INodeProperties | undefined, choice: 0 | -1): IDataObject =>
	Object.fromEntries(
		(field?.options as INodeProperties[]).map((filter) => {
			const { name, type, options = [] } = filter;
			const chosen = options.slice(choice, choice === 0 ? 1 : undefined);
			const fill = entryOf(company.sandbox.store);
			const value =
				type === 'boolean'
					? choice === 0
					: fill(type === 'options' ? { ...filter, options: chosen } : filter);
			return [name, name === 'attributes' ? ATTRIBUTES : value];
		}),
	);

const SEARCH = ['conditions', 'criteriaJson', 'filters', 'match', 'properties'];

const isSearched = (value: string) => value.startsWith('{');

// Promise: What is fixed in Corrigo Desk takes effect, whatever the model says
it('filters and conditions of a model make a search with a fixed part narrower, never wider', async () => {
	const searches = operations.flatMap((operation) => {
		const filters = operation.fields.find(({ name }) => name === 'filters');
		return filters ? [{ operation, filters }] : [];
	});
	expect(searches.length).toBeGreaterThan(15);
	for (const { operation, filters } of searches) {
		const needed = Object.fromEntries(
			Object.entries(buildForm(operation)).filter(([name]) => !SEARCH.includes(name)),
		);
		// Attributes and owners are looked for in other tables.
		let main: string | undefined;
		const search = async (fixed: IDataObject, said: IDataObject) => {
			// Whether Corrigo takes a condition does not matter here: it was sent with the others.
			const { requests } = await call(operation, fixed, { ...needed, ...said });
			const sent = requests.filter((one) => !isLookUp(one));
			main ??= sent[0].path;
			return listValues(sent.filter(({ path }) => path === main))
				.filter(isSearched)
				.map(hideRandom);
		};
		const byConditions = { conditions: [{ property: 'Id', operator: 'GreaterThan', value: '0' }] };
		for (const [fixed, choice] of [
			[{ filters: {} }, 0],
			[byConditions, -1],
		] as const) {
			const alone = await search(fixed, {});
			const both = await search(fixed, { filters: sayFilters(filters, choice) });
			expect([operation.name, both]).toEqual([operation.name, expect.arrayContaining(alone)]);
			// *Get Changes* reads the log first, and then the orders that match.
			const isFirst = operation.name !== 'workOrder:getChanges';
			expect([operation.name, both.length > alone.length]).toEqual([operation.name, isFirst]);
			if (fixed === byConditions) continue;
			const conditions = alone.map((one) => {
				const { PropertyName, Values } = JSON.parse(one.replace(/ or$/, '')) as IDataObject;
				const [value] = Values as string[];
				return { property: PropertyName, operator: 'NotEqual', value: String(value) };
			});
			if (conditions.length === 0) continue;
			const other = await search(fixed, { searchBy: 'conditions', conditions });
			expect([operation.name, other]).toEqual([operation.name, expect.arrayContaining(alone)]);
		}
	}
});
