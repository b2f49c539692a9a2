/** The node as a language model uses it: the descriptions of its parameters, and valid answers. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { CorrigoDesk } from '../../../nodes/Corrigo/CorrigoDesk.node';
import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import { CorrigoWebhookTrigger } from '../../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import { cases } from '../../cases';
import { byId, filledIn, shareCompany } from '../../support/company';
import { typeOfNode } from '../../support/nodes';

const { n8n, records, requests } = shareCompany();

const operations = resources.flatMap(({ value: resource, operations: all }) =>
	all.map(({ value, fields }) => ({ operation: `${resource}:${value}`, value, fields })),
);

interface Asked {
	/** Name that n8n gives the parameter for a model: its title, after the number of its row. */
	key: string;
	path: string;
	property: INodeProperties;
}

/** Types that only the person who builds the workflow fills in. */
const NEVER_ASKED = ['callout', 'hidden', 'notice', 'options'];

/** Every parameter that the editor lets a model define. */
function* asked(fields: readonly INodeProperties[], above = '', row = ''): Generator<Asked> {
	for (const property of fields) {
		const { name, displayName, type, typeOptions, options = [] } = property;
		const path = `${above}${name}`;
		if (type === 'collection') yield* asked(options as INodeProperties[], `${path}.`, row);
		else if (type === 'fixedCollection') {
			const next = typeOptions?.multipleValues ? `${row}0_` : row;
			for (const group of options as Array<{ values: INodeProperties[] }>) {
				yield* asked(group.values, `${path}.`, next);
			}
		} else if (!property.noDataExpression && !NEVER_ASKED.includes(type)) {
			yield { key: `${row}${displayName}`.replace(/[^a-zA-Z0-9-]/g, '_'), path, property };
		}
	}
}

const isHidden = (operation: string, { displayOptions }: INodeProperties) =>
	displayOptions?.hide?.['/operation']?.includes(operation) === true;

describe.each(operations)('$operation', ({ value, fields }) => {
	const all = [...asked(fields)].filter(({ property }) => !isHidden(value, property));

	it('describes each parameter', () => {
		const silent = all.filter(({ property }) => !(property.description ?? property.hint));
		expect(silent.map(({ path }) => path)).toEqual([]);
	});

	it('gives no two parameters one name, which a model could not distinguish', () => {
		const paths = new Map<string, Set<string>>();
		for (const { key, path } of all) paths.set(key, (paths.get(key) ?? new Set()).add(path));
		expect([...paths.values()].map((same) => [...same]).filter(({ length }) => length > 1)).toEqual(
			[],
		);
		expect([...paths.keys()].filter((key) => key.length > 63)).toEqual([]);
	});
});

describe('the hints for models that build workflows', () => {
	const nodes = [Corrigo, CorrigoDesk, CorrigoTrigger, CorrigoWebhookTrigger].map(
		(Node) => new Node(),
	);
	const names = nodes.map(({ description }) => typeOfNode(description.name));

	it.each(nodes.map(({ description }) => description))(
		'of $name name existing nodes',
		({ name, builderHint }) => {
			expect(builderHint?.searchHint).toMatch(/\.$/);
			const related = builderHint?.relatedNodes?.map(({ nodeType }) => nodeType) ?? [];
			expect(related.length).toBeGreaterThan(0);
			expect(names).toEqual(expect.arrayContaining(related));
			expect(related).not.toContain(typeOfNode(name));
		},
	);

	it('cover the common mistakes of models', () => {
		const hinted = operations
			.flatMap(({ fields }) => fields)
			.flatMap(({ name, builderHint }) => (builderHint ? [name] : []));
		expect(hinted).toEqual(expect.arrayContaining(['conditions', 'fieldsJson', 'searchBy']));
	});
});

type Value = IDataObject | boolean | number | string | string[] | null;

const NOTHING: Value[] = [
	...[null, 'null', ' NULL ', 'undefined', '', {}, [], '{}', '[]', ' [ ] ', '{ }'],
];

const SOMETHING: Value[] = [
	...['12', 12, 12.5, '12.0', -3, 'twelve', 'True', true, ' Open ', 'in progress', 'High'],
	...['room or area', '2026-01-31', '2026-01-31T17:30:00Z', '2026-02-30', 'tomorrow', 'N/A'],
];

interface Kind {
	label: string;
	/** Name of the parameter in error messages, where it differs. */
	says?: string | RegExp;
	operation: string;
	form: (x: string) => object;
	/** Value that is sent. */
	sent: () => unknown;
	takes: Array<[said: Value, meant: unknown]>;
	/** Values that Corrigo judges. */
	leaves?: Value[];
	/** Whether an empty value counts as a missing field. */
	canBeLeftOut?: true;
}

const buildParameters = (form: object, operation: string) => {
	const [resource, name] = operation.split(':');
	return { resource, operation: name, ...form };
};

/** What a number, a switch, and a status mean in several fields. */
const NUMBERS: Kind['takes'] = [
	['12', 12],
	[12, 12],
	['12.0', 12],
];
const SWITCH: Kind['takes'] = [
	['True', true],
	[true, true],
];
const STATUSES: Kind['takes'] = [
	[' Open ', 'Open'],
	['in progress', 'InProgress'],
];
const TEXTS: Kind['takes'] = SOMETHING.map((one) => [one, String(one)]);

let answer: IDataObject = {};

const wouldSend = (): IDataObject => (answer.WouldSend as IDataObject).body as IDataObject;
const readQuery = () =>
	(requests.sent().at(-1)?.body as { QueryExpression: IDataObject }).QueryExpression;
const criteria = () => JSON.stringify(readQuery().Criteria ?? null);

const first = (entity: string) => byId(records.ids(entity)[0]);
const dryRun = { options: { dryRun: 'always' } };
const column = (entity: string, id: string) => ({
	form: (x: string) => ({ id: first(entity), fields: filledIn({ [id]: x }), ...dryRun }),
	sent: () => (wouldSend().Entity as IDataObject)[id],
});
const option = (name: string, member: string) => ({
	operation: 'workOrder:pickUp',
	form: (x: string) => ({ id: first('WorkOrder'), additionalFields: { [name]: x }, ...dryRun }),
	sent: () => (wouldSend().Command as IDataObject)[member],
});

const kinds: Kind[] = [
	{
		label: 'Work Order',
		says: 'ork order',
		operation: 'note:create',
		form: (x) => ({
			workOrder: { __rl: true, mode: 'list', value: x },
			...{ body: 'Text', type: 'Public' },
			...dryRun,
		}),
		sent: () => (wouldSend().Entity as IDataObject).WorkOrderId,
		takes: NUMBERS,
	},
	{
		label: 'Text',
		operation: 'note:create',
		form: (x) => ({ workOrder: byId(1), body: x, type: 'Public', ...dryRun }),
		sent: () => (wouldSend().Entity as IDataObject).Body,
		takes: TEXTS,
	},
	{
		label: 'Limit',
		operation: 'workOrder:getMany',
		form: (x) => ({ limit: x }),
		sent: () => readQuery().Count,
		takes: NUMBERS,
	},
	{
		label: 'Return All',
		operation: 'workZone:getMany',
		form: (x) => ({ returnAll: x }),
		sent: () => Number(readQuery().Count) > 50,
		takes: SWITCH,
	},
	{
		label: 'Created After',
		operation: 'workOrder:getMany',
		form: (x) => ({ filters: { dates: { values: { when: 'after', time: x } } } }),
		sent: () =>
			/"PropertyName":"(DtCreated|CreatedDateUtc)".*?"Values":\["(.*?)"\]/.exec(criteria())?.[2],
		takes: [
			['2026-01-31', '2026-01-31T00:00:00'],
			['2026-01-31T17:30:00Z', '2026-01-31T17:30:00Z'],
		],
		canBeLeftOut: true,
	},
	{
		label: 'Conditions > Value of StatusId',
		operation: 'workOrder:getMany',
		form: (x) => ({
			searchBy: 'conditions',
			conditions: { values: [{ property: 'StatusId', operator: 'Equal', value: x }] },
		}),
		sent: () => /"Values":\["(.*?)"\]/.exec(criteria())?.[1],
		takes: STATUSES,
		// Only Corrigo knows which numbers stand for members.
		leaves: ['12', 12],
	},
	{
		label: 'Criteria (JSON)',
		operation: 'workOrder:getMany',
		form: (x) => ({ searchBy: 'json', criteriaJson: x }),
		sent: () => readQuery().Criteria,
		takes: [
			[
				{ Conditions: [{ PropertyName: 'StatusId', Operator: 'Equal', Values: ['open'] }] },
				{
					FilterOperator: 'And',
					Conditions: [{ PropertyName: 'StatusId', Operator: 'Equal', Values: ['Open'] }],
				},
			],
		],
		canBeLeftOut: true,
	},
	{
		label: 'Status',
		operation: 'workOrder:getMany',
		form: (x) => ({ filters: { status: x } }),
		sent: () => /"StatusId".*?"Values":\["(.*?)"\]/.exec(criteria())?.[1],
		takes: STATUSES,
		canBeLeftOut: true,
	},
	// n8n's button omits `__rl` in a filter that was just added.
	...[{ __rl: true }, {}].map((mark) => ({
		label: 'Priority',
		operation: 'workOrder:getMany',
		form: (x: string) => ({
			filters: { priority: { ...mark, mode: 'list', value: x } },
		}),
		sent: () => /"Priority.Id".*?"Values":\[(.*?)\]/.exec(criteria())?.[1],
		takes: [
			['12', '12'],
			[12, '12'],
			['12.0', '12'],
			['High', '2'],
		] as Kind['takes'],
		canBeLeftOut: true as const,
	})),
	{
		label: 'Comment',
		...option('comment', 'Comment'),
		takes: TEXTS,
		canBeLeftOut: true,
	},
	{
		label: 'Duration',
		says: /'(Duration|Values to Change)'/,
		operation: 'workOrder:update',
		...column('WorkOrder', 'Duration'),
		takes: [...NUMBERS, [-3, -3]],
	},
	{
		label: 'Fields (JSON)',
		operation: 'asset:update',
		form: (x) => ({ id: first('Location'), fieldsMode: 'json', fieldsJson: x, ...dryRun }),
		sent: () => wouldSend().Entity,
		takes: [[{ Name: 'Boiler' }, expect.objectContaining({ Name: 'Boiler' })]],
	},
];

/** The parameter as the tool stores it, and the model's answer. n8n does not pass on null unchanged. */
const saying = (value: Value) =>
	typeof value === 'object'
		? { x: `={{ $fromAI('x') && (${JSON.stringify(value)}) }}`, arguments: { x: 'yes' } }
		: { x: `={{ $fromAI('x', '', '${typeof value}') }}`, arguments: { x: value } };

describe.each(kinds.map((kind, index) => ({ ...kind, index })))('$label of $operation', (kind) => {
	const { label, says = `'${label}`, operation, form, sent, takes, leaves = [] } = kind;

	async function say(value: Value) {
		const { x, arguments: said } = saying(value);
		const parameters = buildParameters(form(x), operation);
		const run = await n8n.engine.runTool({ parameters, arguments: said });
		const text = String(run.items[0]?.json.response ?? run.error?.message ?? '');
		answer = text.startsWith('[') ? ((JSON.parse(text) as IDataObject[])[0] ?? {}) : {};
		return 'error' in answer || !text.startsWith('[') ? text : undefined;
	}

	/** Each kind tries a third of the values that it does not take, and all kinds together try all. */
	const others = [...NOTHING, ...SOMETHING].filter(
		(value, at) =>
			(at + kind.index) % cases(3, 1) === 0 &&
			!leaves.includes(value) &&
			!takes.some(([said]) => said === value),
	);

	// Promise: The node works as a tool for AI agents
	it.each(takes)('takes %j', async (said, meant) => {
		expect(await say(said)).toBeUndefined();
		expect(sent()).toEqual(meant);
	});

	it.each(others.map((value) => [value]))('passes on, rejects or omits %j', async (value) => {
		const refusal = await say(value);
		if (kind.canBeLeftOut && NOTHING.includes(value)) {
			expect(refusal).toBeUndefined();
			expect(sent()).toBeUndefined();
			return;
		}
		expect(refusal).toMatch(says);
		expect(refusal).not.toContain('[object');
		expect(requests.writes()).toEqual([]);
	});
});

describe('a date whose times a model fills in', () => {
	const time = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
	const values = { date: 'due', when: 'between', time: time('from'), until: time('until') };
	const parameters = buildParameters(
		{ filters: { open: true, dates: { values } } },
		'workOrder:getMany',
	);
	const compared = () => criteria().match(/"PropertyName":"\w+"/g);
	const search = async (from: string, until: string) =>
		await n8n.engine.runTool({ parameters, arguments: { from, until } });

	it('is left out if the model left both empty, and other filters stay', async () => {
		await search('', 'null');
		expect(compared()).toContain('"PropertyName":"StatusId"');
		expect(compared()).not.toContain('"PropertyName":"DtDue"');
	});

	it('is refused if the model left one empty, because the search would find more', async () => {
		const { items, error } = await search('', '2026-01-31');
		expect(JSON.stringify([items, error?.message])).toContain("'Due Between' is empty");
		expect(requests.sent()).toEqual([]);
	});
});

describe('Fields (JSON) from a model', () => {
	const fieldsJson = "={{ $fromAI('x', '', 'json') }}";
	const write = async (x: unknown) => {
		const form = { id: first('WorkOrder'), fieldsMode: 'json', fieldsJson };
		const parameters = buildParameters(form, 'workOrder:update');
		await n8n.engine.runTool({ parameters, arguments: { x } as IDataObject });
		return requests.bodies();
	};

	it.each([null, 'null', '', {}, [], { Id: null }])(
		'do not clear a field by %j',
		async (nothing) => {
			const [body] = await write({ TaskRefinement: 'roof', PoNumber: nothing });
			expect(body).toMatchObject({ Entity: { TaskRefinement: 'roof' } });
			expect(JSON.stringify(body)).not.toContain('PoNumber');
		},
	);
});

it('a value that a person typed is a text, even if it is the word null', async () => {
	await n8n.succeed('note:create', { workOrder: first('WorkOrder'), body: 'null', type: 'Public' });
	expect(requests.bodies().at(-1)?.Entity.Body).toBe('null');
});
