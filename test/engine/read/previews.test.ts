/**
 * What each operation returns, compared with its preview and with the item that its page shows. With
 * SAMPLES=1, the tests replace these items instead of comparing them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import { getSiblingName } from '../../../nodes/Corrigo/catalogue/members';
import { findMemberTarget, getNameProperties } from '../../../nodes/Corrigo/catalogue/targets';
import { findFieldTarget, findResourceSubject } from '../../../nodes/Corrigo/form/subjects';
import { showFound } from '../../../nodes/Corrigo/operations/specimens';
import { isBlank } from '../../../nodes/Corrigo/values/input';
import { filterMembers } from '../../../nodes/Corrigo/values/objects';
import { readSamples } from '../../../scripts/operationSamples';
import { referencePages } from '../../../scripts/reference';
import { previews, type Schema } from '../../../scripts/schema';
import { operationCases } from '../../compat/cases';
import { classes } from '../../compat/classes';
import { openCompany, type Company, type Step } from '../../compat/saved';
import type { OperationCase } from '../../compat/values';
import { byId, byName, fromList, getId, jsonOf } from '../../support/company';
import { checkSample } from '../../support/samples';

let company: Company;

beforeAll(async () => {
	company = await openCompany(classes);
});

const samples = readSamples();

afterAll(async () => {
	await company.sandbox.close();
	if (!process.env.SAMPLES) return;
	const root = join(__dirname, '..', '..', '..');
	for (const [file, page] of referencePages(samples)) writeFileSync(join(root, file), page);
});

/** The pages show nothing that differs from run to run: hosts, signatures of links, fractions of seconds. */
const VARYING: ReadonlyArray<readonly [RegExp, string]> = [
	[/http:\/\/127\.0\.0\.1:\d+/g, 'https://example.corrigo.com'],
	[/\?sig=[\w-]+/g, ''],
	[/(?<="\d{4}-\d\d-\d\dT[\d:]{8})\.\d+(?=Z?")/g, ''],
];

function toSample(item: IDataObject): IDataObject {
	const text = VARYING.reduce((json, [from, to]) => json.replace(from, to), JSON.stringify(item));
	return JSON.parse(text) as IDataObject;
}

const files = previews();

const readPreview = (operation: string) =>
	JSON.parse(files.get(`${operation.replace(':', '/')}.json`) ?? '') as Schema;

/** Paths at which a value does not match the preview. */
function differences(schema: Schema | undefined, value: unknown, path: string): string[] {
	if (schema === undefined) return [`${path} is not in the preview`];
	if (value === null) return [];
	if (schema.type === 'array') {
		return Array.isArray(value)
			? value.flatMap((one) => differences(schema.items, one, `${path}[]`))
			: [`${path} is not an array`];
	}
	// An object without members has names that a Company has given.
	if (schema.type === 'object' && Object.keys(schema.properties).length === 0) return [];
	if (schema.type === 'object') {
		return typeof value === 'object'
			? Object.entries(value).flatMap(([name, inner]) =>
					differences(schema.properties[name], inner, `${path}.${name}`),
				)
			: [`${path} is not an object`];
	}
	const isOfType =
		schema.type === 'integer' ? Number.isInteger(value) : typeof value === schema.type;
	return isOfType ? [] : [`${path} is no ${schema.type}`];
}

/** Members of the preview that no value has. */
function unused(schema: Schema, values: unknown[]): string[] {
	if (schema.type === 'array') return unused(schema.items, values.flat());
	if (schema.type !== 'object') return [];
	const objects = values.filter((one) => typeof one === 'object' && one !== null) as IDataObject[];
	return Object.entries(schema.properties).flatMap(([name, inner]) => {
		const having = objects.filter((one) => name in one);
		if (having.length === 0) return [name];
		return unused(
			inner,
			having.map((one) => one[name]),
		).map((one) => `${name}.${one}`);
	});
}

const isAddition = (difference: string) => difference.endsWith(' is not in the preview');

/** Values that not every record of the sandbox has, and names that only one has. */
const MISSING: Readonly<Record<string, (id: number) => IDataObject>> = {
	Employee: (id) => ({
		...{ DisplayAs: `Employee ${id}`, Number: `E-${id}`, JobTitle: 'Electrician' },
		Organization: { Id: 1 },
	}),
	FinancialItem: () => ({ Employee: { Id: 301 } }),
	ProviderCoi: (id) => ({ Comment: `C-${id}` }),
	Space: () => ({ EndDate: '2030-01-01T00:00:00', Instructions: 'x' }),
	TimeCardItem: (id) => ({ WorkOrder: { Id: 50_001 }, Comment: `C-${id}` }),
	WorkOrder: () => ({ Employee: { Id: 328 } }),
	WorkOrderCost: () => ({ Number: 'INV-1', VendorInvoiceDate: '2025-06-02T00:00:00' }),
};

/** Values of a written record that differ from those of the last record in the sandbox. */
const FIELDS: Readonly<Record<string, IDataObject>> = {
	Contact: { ContactAddresses: [{ AddrTypeId: 'PrimEmail', Address: 'ada@example.com' }] },
	ReplenishmentOrder: {
		Items: [{ Product: { DisplayAs: 'Pump seal' }, QtyOrdered: 3, QtyReceived: 1 }],
	},
	Location: {
		...{ Name: 'Boiler 7', ParentId: 'Suite 100', Attributes: { 'Run Hours Limit': '250' } },
		Info: { SerialNumber: 'S-7', TagId: 'TAG-7' },
	},
	Customer: { TenantCode: 'T-NEW', Instructions: 'Ring twice' },
	Employee: { Number: 'E-NEW', FirstName: 'Ada', LastName: 'Miller' },
	ProviderCoi: { Comment: 'new' },
	TimeCardItem: { Comment: 'new' },
};

/** An asset, a customer and a work order have their names in other members. */
const OWNERS = [
	['WO', 50_001],
	['Asset', 10_030],
	['CommLease', 101],
] as const;

const VENDOR = 325;

/** Restores the seeded data, and gives each record the values that it lacks. */
function begin(steps: readonly Step[] = []) {
	company.begin();
	const { store } = company.sandbox;
	for (const [entity, complete] of Object.entries(MISSING)) {
		for (const id of store.ids(entity)) {
			const record = store.existing(entity, id);
			const missing = filterMembers(complete(id), (member) => isBlank(record[member]));
			store.change(entity, id, missing);
		}
	}
	store
		.ids('Document')
		.slice(-OWNERS.length)
		.forEach((id, index) => {
			const [ActorTypeId, ActorId] = OWNERS[index];
			store.change('Document', id, { ActorTypeId, ActorId });
		});
	// Vendors send invoices, while the sandbox assigns these orders to employees.
	for (const { Id } of store
		.rows('WorkOrderCost')
		.filter(({ ApStateId }) => ApStateId !== 'None')) {
		store.change('WorkOrder', Id, { Employee: { Id: VENDOR } });
	}
	company.happen(steps);
}

type Given = Pick<OperationCase, 'parameters' | 'input'>;

async function run(resource: string, operation: string, { parameters, input: items }: Given) {
	const form = { resource, operation, ...parameters };
	const { error, items: returned } = await company.engine.run({
		parameters: form,
		...(items && { items }),
	});
	const place =
		'refused (a write repeats the last record of sandbox/seed, with the values of FIELDS)';
	expect({ [place]: [error?.message, error?.description] }).toEqual({
		[place]: [undefined, undefined],
	});
	return jsonOf(returned);
}

type Target = NonNullable<ReturnType<typeof findFieldTarget>>;

/** The fields of a form that select records. */
const listTargets = (fields: readonly INodeProperties[]): Array<[string, Target]> =>
	fields.flatMap((field) => {
		const target = findFieldTarget(field);
		const inner = (field.options ?? []).flatMap((option) =>
			'values' in option ? option.values : 'type' in option ? [option] : [],
		);
		return [...(target ? [[field.name, target] as [string, Target]] : []), ...listTargets(inner)];
	});

/** Chooses the same records from lists, which know the names. */
function choose(value: unknown, targets: ReadonlyMap<string, Target>, field = ''): unknown {
	if (Array.isArray(value)) return value.map((one) => choose(one, targets, field));
	if (typeof value !== 'object' || value === null) return value;
	if (!('__rl' in value)) {
		return Object.fromEntries(
			Object.entries(value).map(([name, one]) => [name, choose(one, targets, name)]),
		);
	}
	const { mode, value: id } = value as unknown as { mode: string; value: unknown };
	const entity = targets.get(field)?.entity ?? '';
	const [name = ''] = getNameProperties(entity);
	const isKnown = name !== '' && /^(id|list)$/.test(mode);
	const text = isKnown && company.sandbox.store.get(entity, Number(id))?.[name];
	return typeof text === 'string' ? fromList(id, text) : value;
}

/** The first name of a record that no other record has. */
function findOwnName(entity: string, id: unknown): string | undefined {
	const { store } = company.sandbox;
	const record = store.get(entity, Number(id));
	const property = getNameProperties(entity).find(
		(name) => store.rows(entity).filter((row) => row[name] === record?.[name]).length === 1,
	);
	return property && String(record?.[property]);
}

/** The fields of a form, filled with what a record has, and with names in place of IDs. */
async function fill(resource: string, entity: string, id: number): Promise<IDataObject> {
	const read = async (output: string) =>
		(await run(resource, 'get', { parameters: { id: byId(id), output } }))[0];
	const [raw, simplified] = [await read('raw'), await read('simplified')];
	return Object.fromEntries(
		Object.entries(simplified).flatMap(([name, value]) => {
			const { Id, DisplayAs, Name = DisplayAs, Number: text = Name } = (value ?? {}) as IDataObject;
			const member = Object.keys(raw).find((one) => getSiblingName(one) === name);
			const target =
				findMemberTarget(entity, `${name}.Id`) ?? findMemberTarget(entity, member ?? name);
			const own = target && findOwnName(target.entity, Id);
			if (member !== undefined) return [[member, own ?? text ?? raw[member]]];
			return getSiblingName(name) in simplified ? [] : [[name, own ?? text ?? value]];
		}),
	);
}

const previewed = resources.flatMap(({ value: resource, operations }) =>
	operations
		.filter(({ value }) => files.has(`${resource}/${value}.json`))
		.map((operation) => ({ name: `${resource}:${operation.value}`, resource, operation })),
);

/** Operations that return all members that Corrigo has; few of these are ever set. */
const RETURNS_ALL = /:get(Details|Estimates|History|Procedures|Quotes)$/;

/** Cases with what those of the recordings lack. */
const MORE: Readonly<Record<string, (cases: OperationCase[]) => Array<Partial<OperationCase>>>> = {
	// Corrigo has returned no parents of assets so far.
	'asset:getMany': () => {
		const [id, ParentId] = [...company.sandbox.store.ids('Location')].reverse();
		return [{ parameters: {}, before: [['change', 'Location', id, { ParentId }]] }];
	},
	'company:checkAccess': ([all]) => {
		const [zone] = company.sandbox.store.ids('WorkZone');
		return [{ ...all, before: [['change', 'WorkZone', zone, { TimeZone: 999 }]] }];
	},
	'document:upload': ([upload]) =>
		OWNERS.map(([actorTypeId, id]) => ({
			...upload,
			parameters: { ...upload.parameters, actorTypeId, actorId: fromList(id, 'Main Street') },
		})),
	'invoice:submitPayment': ([{ parameters }]) => [
		{ parameters: { ...parameters, apStatus: byName('Paid') } },
	],
	'record:restoreValues': ([restore]) => [
		{ ...restore, before: [['change', 'ProviderCoi', 471, { Comment: 'other' }]] },
	],
	'workOrder:create': ([{ parameters }]) => {
		const { Priority } = company.sandbox.store.rows('Task')[0];
		return [{ parameters: { ...parameters, priority: byId(getId(Priority)) } }];
	},
	'workOrder:upsert': (cases) => {
		const { before } = cases.find(({ variant }) => variant === 'update only') as OperationCase;
		return [
			{ ...cases[0], before },
			{ ...cases[2], before, parameters: { ...cases[2].parameters, externalNumber: 'T-3' } },
		];
	},
};

const runsByDefault = ({ parameters, isConfirmed, isFiltered, variant }: OperationCase) =>
	!isConfirmed &&
	!isFiltered &&
	parameters.return === undefined &&
	parameters.output !== 'selected' &&
	variant !== 'update only';

/** Options and limits change the output. */
const CHANGES_OUTPUT = ['limit', 'options', 'output', 'preventDuplicates', 'properties'];

const omitChanges = ({ parameters, ...more }: OperationCase): OperationCase => ({
	...more,
	parameters: Object.fromEntries(
		Object.entries(parameters).filter(([name]) => !CHANGES_OUTPUT.includes(name)),
	),
});

let known: Record<string, OperationCase[]> | undefined;

/** The cases of an operation, the first of which has only what the preview shows. */
async function listCases(name: string, resource: string) {
	begin();
	const { store } = company.sandbox;
	known ??= operationCases(store);
	const all = known[name];
	const more = (MORE[name]?.(all) ?? []).map((one) => ({
		...all[0],
		before: [],
		...one,
		variant: 'more',
	}));
	const cases = [...all, ...more].filter(runsByDefault).map(omitChanges);
	const { entity } = findResourceSubject(resource) ?? {};
	const isFree = cases.some(
		({ parameters }) => 'fields' in parameters || 'fieldsJson' in parameters,
	);
	if (entity === undefined || !isFree) return cases;
	const { matchOn = '' } = cases[0].parameters;
	const everything: OperationCase[] = [];
	// Records of several owners have a specimen for each of them.
	for (const id of store.ids(entity).slice(-showFound(entity).length).reverse()) {
		const fields: IDataObject = { ...(await fill(resource, entity, id)), ...FIELDS[entity] };
		const parameters = {
			id: byId(id),
			...(matchOn && { matchOn: String(matchOn) in fields ? matchOn : 'Number' }),
			fieldsMode: 'json',
			fieldsJson: JSON.stringify(fields),
		} as INodeParameters;
		everything.push({ variant: 'everything', parameters });
	}
	return [...everything, ...cases];
}

// Promise: Output previews show exactly the fields of the output
it.each(previewed)(
	'the preview of $name, and the item on its page, are what it returns, and nothing else',
	async ({ name, resource, operation }) => {
		const schema = readPreview(name);
		const targets = new Map(listTargets(operation.fields));
		const wrong = new Set<string>();
		const items: IDataObject[] = [];
		const cases = await listCases(name, resource);
		for (const [index, { before, parameters, input }] of cases.entries()) {
			begin(before);
			const chosen = choose(parameters, targets) as INodeParameters;
			const returned = await run(resource, operation.value, { parameters: chosen, input });
			// Optional fields, and the fields of an entity that the user names, add members.
			const isExact = index === 0 && resource !== 'record';
			returned
				.flatMap((item) => differences(schema, item, name))
				.filter((difference) => isExact || !isAddition(difference))
				.forEach((difference) => wrong.add(difference));
			if (index === 0) checkSample(samples, name, toSample(returned[0]));
			items.push(...returned);
		}
		expect([...wrong]).toEqual([]);
		expect(items.length).toBeGreaterThan(0);
		if (operation.value === 'get') {
			expect(schema).toEqual(readPreview(`${resource}:getMany`));
		} else if (!RETURNS_ALL.test(name)) {
			const place =
				'in no item (give the last record of sandbox/seed a value, which writes repeat, or add a case to MORE)';
			expect({ [place]: unused(schema, items) }).toEqual({ [place]: [] });
		}
	},
);
