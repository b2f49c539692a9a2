/**
 * A field that the author of Corrigo Desk fixes, while a model fills in all others: without the fixed
 * field, the same words of the model send or return something else, or the fixed field is refused. The
 * forms are the cases of test/compat; a fixed value is never the default.
 */
import { createHash } from 'node:crypto';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import { narrowField } from '../../../nodes/Corrigo/operations/subject';
import { seed } from '../../../sandbox/seed';
import { cases } from '../../cases';
import { classes } from '../../compat/classes';
import { createRecorder } from '../../compat/recorder';
import { openCompany, type Company } from '../../compat/saved';

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

let company: Company;

beforeAll(async () => {
	company = await openCompany(classes);
});

afterAll(async () => {
	await company.sandbox.close();
});

async function call(operation: (typeof operations)[number], fixed: IDataObject, said: IDataObject) {
	company.begin(operation.before);
	const { error, items } = await company.engine.runTool({
		node: 'corrigoDesk',
		parameters: { ...desk, fixed: JSON.stringify({ [operation.name]: fixed }) },
		arguments: { operation: operation.name, fields: JSON.stringify(said) },
	});
	const requests = company.sandbox
		.requestsTo('api')
		.map(({ method, path, query, body }) => ({ method, path, query, body }));
	const shown = JSON.stringify([requests, error?.message, items]);
	const isSent = requests.length > 0;
	return isSent && shown.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\.\d{3}(\d{4})?(?=Z?\\*")|\d+ ms/g, '');
}

/** Splits a form into a fixed field, alone in its group, and the others. */
function* listSplits({ fields, node }: (typeof operations)[number]) {
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
		const [draw] = createHash('sha1').update(`${operation.name} ${path}`).digest();
		return cases(draw % 8, 0) === 0;
	});
	expect(tried.length).toBeGreaterThan(40);
	const without: string[] = [];
	for (const { operation, path, fixed, others, rest } of tried) {
		const given = await call(operation, fixed, { ...others, ...rest });
		if (given && given === (await call(operation, {}, others)))
			without.push(`${operation.name} ${path}`);
	}
	expect(without.filter((one) => !WITHOUT_EFFECT.includes(one))).toEqual([]);
});
