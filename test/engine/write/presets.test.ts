/**
 * A form decides nothing for a person: every write of a new node, filled in with nothing but what its form
 * marks as required, sends what was filled in, and otherwise only what the table below explains. What is
 * filled in comes from the recorded cases, one for each operation. Options are left out.
 */
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import { isObject } from '../../../nodes/Corrigo/values/objects';
import { classes } from '../../compat/classes';
import { createRecorder } from '../../compat/recorder';
import { openCompany, type Company } from '../../compat/saved';

/** Members that a write sends although nobody has filled them in. */
const UNASKED: Readonly<Record<string, readonly string[]>> = {
	// The currency of the Company, if all of its work zones have the same.
	'cost:create': ['Entity.Amount.CurrencyTypeId "USD"'],
	'invoice:submitPayment': ['Command.PaymentAmount.CurrencyTypeId "USD"'],
	// A file is stored as one.
	'document:upload': ['Entity.StorageTypeId "Cloud"'],
	// The operation itself.
	'employee:suspend': ['Command.Reactivate false'],
	'workOrder:decideEstimate': ['Entity.Estimate.StatusId "Requested"'],
	'workOrder:decideQuote': ['Entity.Quote.StatusId "Requested"'],
	// The value in the input that is put back.
	'record:restoreValues': ['Entity.Comment "old"'],
	// The likely answer, which neither spends nor shows anything.
	'workOrder:assign': ['Command.Mode "Primary"'],
	// A unit is never created twice.
	'space:create': ['Command.IfUnitAlreadyExists "Reuse"'],
	// The code of the category that was filled in.
	'workOrder:create': ['Command.WorkOrder.TypeCategory 1'],
	'workOrder:upsert': ['Command.WorkOrder.TypeCategory 1'],
	// Corrigo expects the member in each call.
	'workOrder:verify': ['Command.Comment ""'],
	'workZone:takeOffline': ['Command.DeactivateCustomers false'],
};

/** An operation needs one of several amounts, or one of two ways to give them. */
const REFUSED = ['workOrder:setEstimate', 'workOrder:setNte'];

const operations = resources.flatMap(({ value: resource, operations: all }) =>
	all
		.filter(({ reads }) => !reads)
		.map(({ value: operation, fields }) => ({
			name: `${resource}:${operation}`,
			form: { resource, operation },
			fields,
		})),
);

let company: Company;
let cases: ReturnType<ReturnType<typeof createRecorder>['completeCases']>;

beforeAll(async () => {
	company = await openCompany(classes);
	cases = createRecorder(classes, 'presets').completeCases(company.sandbox.store);
});

afterAll(async () => {
	await company.sandbox.close();
});

const fillRequired = (
	fields: readonly INodeProperties[],
	values: INodeParameters,
): INodeParameters =>
	Object.fromEntries(
		fields
			.filter(({ name, required }) => required && name in values)
			.map((field) => [field.name, fillGroup(field, values[field.name])]),
	) as INodeParameters;

/** Each row of a group has fields of its own. */
function fillGroup({ type, typeOptions, options = [] }: INodeProperties, value: unknown) {
	if (type !== 'fixedCollection' || !isObject(value)) return value;
	const fields = options.flatMap((one) => ('values' in one ? one.values : []));
	return Object.fromEntries(
		Object.entries(value).map(([group, rows]) => {
			const filled = [rows].flat().map((row) => fillRequired(fields, row as INodeParameters));
			return [group, typeOptions?.multipleValues ? filled : filled[0]];
		}),
	);
}

type Leaf = [path: string, value: unknown];

const listLeaves = (value: unknown, path = ''): Leaf[] =>
	typeof value === 'object' && value !== null
		? Object.entries(value).flatMap(([name, one]) =>
				listLeaves(one, Array.isArray(value) ? path : [path, name].filter(Boolean).join('.')),
			)
		: [[path, value]];

/** The Id of a record follows from its name, its number, or the order that it belongs to. */
const isId = ([path, value]: Leaf) => /Ids?$/i.test(path) && typeof value === 'number';

/** Names of members, of the entity, of the request, and the content of the file. */
const isNoValue = ([path]: Leaf) => /^Properties|EntityType$|^RequestId$|Blob.Body$/.test(path);

it.each(operations)('$name', async ({ name, form, fields }) => {
	const { node, before, input = [{ json: {} }] } = cases.get(name)!;
	company.begin(before);
	const filled = fillRequired(fields, node.parameters);
	const { error, items } = await company.engine.run({
		parameters: { ...form, ...filled, options: { dryRun: 'always' } } as INodeParameters,
		items: input,
	});
	expect(error === undefined).toBe(!REFUSED.includes(name));
	// A day is sent as its midnight.
	const given = new Set(
		[...listLeaves(filled), ...listLeaves(input)].flatMap(([, value]) => [
			String(value),
			`${String(value)}T00:00:00`,
		]),
	);
	const unasked = items
		.flatMap(({ json }) => listLeaves((json.WouldSend as IDataObject).body ?? {}))
		.filter((leaf) => !isId(leaf) && !isNoValue(leaf) && !given.has(String(leaf[1])))
		.map(([path, value]) => `${path} ${JSON.stringify(value)}`);
	const place = 'sent although nobody filled it in (if that is right, explain it in UNASKED)';
	expect({ [place]: unasked }).toEqual({ [place]: UNASKED[name] ?? [] });
});

// n8n's editor fails on a group of one row if it begins with that row. If an expression decides whether a
// group is shown, n8n requires the fields of its first row.
it('a group of rows that a write always requires begins with one, in which the person sees what is missing', () => {
	const groups = operations.flatMap(({ name, fields }) =>
		fields
			.filter(({ typeOptions, required }) => typeOptions?.multipleValues && required)
			.map((group) => ({
				name,
				group: group.name,
				isConditional: group.displayOptions?.show !== undefined,
				initial: group.default,
			})),
	);
	const conditional = new Set(groups.map(({ isConditional }) => isConditional));
	expect(conditional).toEqual(new Set([true, false]));
	const isEmpty = ({ initial }: { initial: unknown }) =>
		Object.keys(initial as object).length === 0;
	expect(groups.filter((group) => isEmpty(group) !== group.isConditional)).toEqual([]);
});
