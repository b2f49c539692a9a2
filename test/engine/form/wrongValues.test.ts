/** Every field of every operation, with a value of another kind. The forms are the cases of test/compat, which give each field a value. */
import {
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
} from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { narrowField } from '../../../nodes/Corrigo/operations/subject';
import { seed } from '../../../sandbox/seed';
import { cases } from '../../cases';
import { classes } from '../../compat/classes';
import { createRecorder } from '../../compat/recorder';
import { openCompany, type Company } from '../../compat/saved';
import { errorsOf } from '../../support/company';
import { HOST_HALF } from '../../support/host';

const { description } = new Corrigo();

/** No message may be as long as this text. */
const LONG = 'x'.repeat(5_000);

/** A value that no field of this type takes. */
const WRONG: Partial<Record<INodeProperties['type'], unknown>> = {
	boolean: `perhaps${LONG}`,
	dateTime: `soon${LONG}`,
	multiOptions: [`Nonesuch${LONG}`],
	number: `much${LONG}`,
	options: `Nonesuch${LONG}`,
	resourceLocator: `-1${LONG.replace(/x/g, '1')}`,
	string: { a: LONG },
};

/** Fields that take any text, because only the service knows what exists, or that settle how the whole run works. */
const TAKES_ANY = ['advanced', 'conditions', 'properties', 'unitFloorPlan'];

/** Fields that narrow the list of the editor, or whose value n8n itself checks. */
const isUnread = (operation: string, { name, description: text }: INodeProperties) =>
	text === narrowField.description || (name === 'actorTypeId' && operation === 'document:getMany');

/** Labels of amounts and periods, whose fields have none of their own in an error. */
const OTHER_LABELS = ['Value', 'Completed Between'];

interface Leaf {
	/** The labels by which an error may name the field. */
	labels: string[];
	wrong: unknown;
	/** The object that holds the value of the field, under this key. */
	holder: IDataObject;
	key: string;
}

/** Lists the fields that a form shows and fills in, at any depth. */
function* listLeaves(
	fields: readonly INodeProperties[],
	given: IDataObject,
	form: INodeParameters,
	around: string[] = [],
): Generator<Leaf> {
	for (const field of fields) {
		const { name, displayName, type, options = [], noDataExpression } = field;
		const value = given[name] as IDataObject | undefined;
		const isShown = NodeHelpers.displayParameter(
			{ ...form, ...given } as INodeParameters,
			field,
			{ typeVersion: 1 },
			description,
			form,
		);
		const isNullish = value === undefined || value === null;
		const isExpression = String(value).startsWith('=');
		if (isNullish || isExpression || noDataExpression || !isShown || TAKES_ANY.includes(name))
			continue;
		const wrong = WRONG[type];
		const labels = [displayName, ...around, ...OTHER_LABELS];
		if (type === 'collection') {
			yield* listLeaves(options as INodeProperties[], value, form);
		} else if (type === 'fixedCollection') {
			for (const group of options as INodePropertyCollection[]) {
				const [row] = [value[group.name] ?? []].flat() as IDataObject[];
				if (row) yield* listLeaves(group.values, row, form, [displayName]);
			}
		} else if (type === 'resourceLocator' && typeof value === 'object') {
			value.mode = 'id';
			yield { labels, wrong, holder: value, key: 'value' };
		} else if (wrong !== undefined && type !== 'resourceLocator') {
			yield { labels, wrong, holder: given, key: name };
		}
	}
}

const recorder = createRecorder(classes, 'the operations');
const known = recorder.completeCases(seed({ workOrders: 40 }));
/** The newest n8n-core shows for all operations what no version changes, the oldest for a few. */
const isShown = (resource: string) => HOST_HALF === 1 || /^(customer|invoice)$/.test(resource);

const operations = resources.flatMap(({ value, operations: all }) =>
	all.flatMap(({ value: operation, fields, reads }) => {
		const found = isShown(value) ? known.get(`${value}:${operation}`) : undefined;
		return found ? [{ name: `${value}:${operation}`, fields, found, reads: reads === true }] : [];
	}),
);

let company: Company;

beforeAll(async () => {
	company = await openCompany(classes);
});

afterAll(async () => {
	await company.sandbox.close();
});

/** Entities that have to be read before a value can be judged: by the type of a meter or custom field, by the model of an asset, or by an order. */
const NEEDED: Record<string, string[]> = {
	'asset:addReading': ['AttributeDescriptor', 'Location'],
	'asset:getReadings': ['AttributeDescriptor'],
	'workOrder:create': ['CustomFieldDescriptor'],
	'workOrder:getChanges': ['Employee'],
	'workOrder:suggestAssignees': ['WorkOrder'],
	'workOrder:upsert': ['CustomFieldDescriptor', 'WorkOrder'],
};

// Promise: Wrong input fails before anything is sent
it.each(operations)(
	'$name refuses a wrong value in each field, by its label',
	async (operation) => {
		const { name, fields, found } = operation;
		const parameters = structuredClone(found.node.parameters);
		delete (parameters.options as IDataObject | undefined)?.advanced;
		const own = fields.filter((field) => !isUnread(name, field));
		const leaves = [...listLeaves(own, parameters as IDataObject, parameters)];
		// Each item has a wrong value in a field of its own.
		for (const [index, { holder, key, wrong }] of leaves.entries()) {
			const [bad, good] = [wrong, holder[key]].map((value) => JSON.stringify(value));
			holder[key] = `={{ $itemIndex === ${index} ? ${bad} : ${good} }}`;
		}
		company.begin(found.before);
		const [item = { json: {} }] = found.input ?? [];
		const run = await company.engine.run({
			parameters,
			items: leaves.map(() => structuredClone(item)),
			onError: 'continueErrorOutput',
		});

		expect(run.items).toEqual([]);
		expect(errorsOf(run)).toEqual(
			leaves.map(({ labels, wrong }) => {
				const value = typeof wrong === 'object' ? '(Nonesuch|"a)' : `"${String(wrong).slice(0, 4)}`;
				const pattern = `^(?!.*[x1]{100}).*(${labels.join('|')})'( must be| has |: no ).*${value}`;
				return expect.stringMatching(pattern) as unknown;
			}),
		);
		const sent = company.sandbox.requestsTo('api').map(({ path }) => path.split('/').at(-1));
		// A field, or an option, that an operation reads only after its first request, is refused too late.
		expect(sent.filter((entity) => !NEEDED[name]?.includes(String(entity)))).toEqual([]);
	},
);

const FOR_PEOPLE = ['resource', 'operation', 'options', 'fields', 'autoFields', 'fieldsMode'];

/** Each operation with one wrong value in a form that a program fills in with names, as far as it has any. */
const calls = operations.map((operation) => {
	const { parameters } = structuredClone(operation.found.node);
	const own = operation.fields.filter(
		(field) =>
			!isUnread(operation.name, field) &&
			!FOR_PEOPLE.includes(field.name) &&
			field.type !== 'resourceMapper',
	);
	const leaves = [...listLeaves(own, parameters as IDataObject, parameters)];
	return { ...operation, parameters, leaves };
});

// Promise: Wrong input fails before anything is sent
it.each(calls.filter(({ leaves }) => leaves.length > 0))(
	'$name, called through Corrigo Desk, looks nothing up for a form with a wrong value',
	async ({ name, reads, found, parameters, leaves }) => {
		const tried = leaves.filter((_, index) => (index + name.length) % cases(5, 1) === 0);
		for (const { holder, key, labels, wrong } of tried.length > 0 ? tried : leaves.slice(0, 1)) {
			const right = holder[key];
			holder[key] = wrong as IDataObject;
			const said = Object.fromEntries(
				Object.entries(parameters).filter(([field]) => !FOR_PEOPLE.includes(field)),
			);
			company.begin(found.before);
			const { error, items } = await company.engine.runTool({
				node: 'corrigoDesk',
				parameters: { reads: [], writes: [], [reads ? 'reads' : 'writes']: [name] },
				arguments: { operation: name, fields: JSON.stringify(said) },
			});
			holder[key] = right;
			const sent = company.sandbox.requestsTo('api').map(({ path }) => path);
			expect([key, labels[0], sent]).toEqual([key, labels[0], []]);
			expect(String(items[0]?.json.response ?? error?.message)).toMatch(/nextAction: /);
		}
	},
);
