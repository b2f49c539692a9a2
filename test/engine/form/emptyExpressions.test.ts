/** A field whose expression gives nothing is an error; a field that a person left empty is left out. */
import fc from 'fast-check';
import {
	NodeHelpers,
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import { resources } from '../../../nodes/Corrigo/actions/resources';
import { NodeForm } from '../../../nodes/Corrigo/form/nodeForm';
import { filters } from '../../../nodes/Corrigo/form/filters';
import { isForPeople } from '../../../nodes/Corrigo/form/options';
import { subjects } from '../../../nodes/Corrigo/form/subjects';
import { RunContext } from '../../../nodes/Corrigo/run/context';
import { cases } from '../../cases';
import { operationCases } from '../../compat/cases';
import { byId, byName, connectEngine, filledIn, shareCompany } from '../../support/company';

const company = shareCompany({ workOrders: 40 });
const { n8n, records, requests } = company;

const GIVES_NOTHING = ['={{ $json.no }}', '={{ null }}', "={{ '' }}", '={{ $json.no?.name }}'];
const nothing = fc.constantFrom(...GIVES_NOTHING);
const LOCATOR = 'resourceLocator';

const operations = resources.flatMap(({ value: resource, operations: all }) =>
	all.map(({ value, fields }) => ({ operation: `${resource}:${value}`, fields })),
);

const locate = (type: string, value: unknown) =>
	(type === LOCATOR ? { __rl: true, mode: 'id', value } : value) as IDataObject;

interface Case {
	operation: string;
	fields: INodeProperties[];
	name: string;
	/** Values of other parameters that show the field. */
	shown: INodeParameters;
	label: string;
	type: string;
	/** Puts the value into the field, and returns the parameter that holds it. */
	fill: (value: unknown) => unknown;
}

/** Every optional field of the form, at any depth. */
function* listFields(
	fields: readonly INodeProperties[],
	wrap: (value: unknown) => unknown = (value) => value,
): Generator<Pick<Case, 'label' | 'type' | 'fill'> & { top: string }> {
	for (const { name, displayName, type, required, typeOptions, options = [] } of fields) {
		if (required || ['fields', 'filters', 'options'].includes(name)) continue;
		const inner =
			type === 'collection'
				? [...listFields(options as INodeProperties[], (value) => value)]
				: type === 'fixedCollection'
					? (options as Array<{ name: string; values: INodeProperties[] }>).flatMap((group) =>
							[...listFields(group.values)].map((one) => ({
								...one,
								fill: (value: unknown) => {
									const row = { [one.top]: one.fill(value) };
									return typeOptions?.multipleValues ? [{}, row] : row;
								},
								top: group.name,
							})),
						)
					: [];
		for (const one of inner) {
			yield { ...one, top: name, fill: (value) => wrap({ [one.top]: one.fill(value) }) };
		}
		yield { label: displayName, type, top: name, fill: (value) => wrap(locate(type, value)) };
	}
}

const all: Case[] = operations.flatMap(({ operation, fields }) =>
	[...listFields(fields)].map(({ top, ...one }) => {
		const variant = fields.find(({ name, required }) => name === top && !required);
		const { show = {} } = variant?.displayOptions ?? {};
		const shown = Object.fromEntries(
			Object.entries(show).map(([name, values]) => [name, values?.[0]]),
		) as INodeParameters;
		return { operation, fields, name: top, shown, ...one };
	}),
);

describe('every optional field', () => {
	const read = ({ fields, name, shown, fill }: Case, raw: unknown, value: unknown) => {
		const caller = {
			getNode: () => ({
				type: 'n8n-nodes-corrigo.corrigo',
				parameters: { ...shown, [name]: fill(raw) },
			}),
			getInputData: () => [{ json: {} }],
			getNodeParameter: () => fill(value),
		} as unknown as IExecuteFunctions;
		const field = fields.find((one) => one.name === name) as INodeProperties;
		return new RunContext(caller, new NodeForm(caller, fields)).contexts[0].getInput(field);
	};
	const oneOf = fc.constantFrom(
		...all.filter(({ name }) => !isForPeople({ name } as INodeProperties)),
	);
	const empty = fc.constantFrom(undefined, null, '', ' ');

	it('is refused by its label if its expression gives nothing', () => {
		fc.assert(
			fc.property(oneOf, nothing, empty, (one, raw, value) => {
				expect(() => read(one, raw, value)).toThrow(`'${one.label}' is empty`);
			}),
			{ numRuns: cases(300, 3000) },
		);
		const holdsObjects = ({ type }: Case) => /collection|json|mapper/i.test(type);
		fc.assert(
			fc.property(oneOf, (one) => {
				fc.pre(!holdsObjects(one));
				expect(() => read(one, '={{ $json.one }}', {})).toThrow(`'${one.label}' is empty`);
			}),
			{ numRuns: cases(300, 3000) },
		);
	});

	it('may be left empty by a person or a model, and takes what an expression gives', () => {
		const left = fc.constantFrom('', '=', '= ', undefined, "={{ $fromAI('x') }}");
		fc.assert(
			fc.property(oneOf, left, empty, (one, raw, value) => {
				expect(() => read(one, raw, value)).not.toThrow();
			}),
			{ numRuns: cases(300, 3000) },
		);
		fc.assert(
			fc.property(oneOf, nothing, fc.constantFrom(0, false, 'x', []), (one, raw, value) => {
				expect(() => read(one, raw, value)).not.toThrow();
			}),
			{ numRuns: cases(300, 3000) },
		);
	});
});

describe('a required field whose expression gives nothing', () => {
	/** Each field in the first operation that has it. Collections have no expression of their own. */
	function listRequired() {
		const filledIn = operationCases(company.sandbox.store);
		const found = new Map<string, () => Promise<{ error?: Error }>>();
		for (const { operation, fields } of operations) {
			const [{ parameters, input: items } = { parameters: {} }] = filledIn[operation] ?? [];
			for (const field of fields) {
				const { name, displayName: label, type, required, noDataExpression } = field;
				const isShown = NodeHelpers.displayParameter(parameters, field, null, null);
				const isOne =
					type !== 'resourceMapper' && type !== 'fixedCollection' && noDataExpression !== true;
				if (!required || !isShown || !isOne || found.has(label)) continue;
				const form = { ...parameters, [name]: locate(type, GIVES_NOTHING[0]) };
				found.set(label, () => n8n.run(operation, form, { items }));
			}
		}
		return found;
	}

	it('is refused with this reason, before anything is written', async () => {
		const fields = listRequired();
		expect(fields.size).toBeGreaterThan(20);
		for (const [label, run] of fields) {
			const { error } = await run();
			expect(error?.message).toContain(`${label}' `);
			expect(error?.message).toMatch(/ empty: its expression gives nothing$/);
		}
		expect(requests.writes()).toEqual([]);
	});

	it('is refused with this reason as a column, too', async () => {
		const columns = ['DisplayAs', 'Dba', 'Name', 'TenantCode', 'WorkZone.Id'];
		const schema = columns.map((id) => ({
			id,
			displayName: id === 'Dba' ? 'DBA (Doing Business As)' : id,
		}));
		const zone = records.rows('WorkZone')[0].Id;
		const values = {
			DisplayAs: 'x',
			Dba: "={{ '' }}",
			Name: 'x',
			TenantCode: 'x',
			'WorkZone.Id': zone,
		};
		const error = await n8n.refuse('customer:create', { fields: filledIn(values, schema) });
		expect(error).toMatchObject({
			message: "'DBA (Doing Business As)' is empty: its expression gives nothing",
			description:
				'A new customer needs a value for it. If the expression is right, check the data that it reads.',
		});
	});

	it.each([' ', '={{ $fromAI("x") }}'])('is only empty if it holds %j', async (body) => {
		const form = { workOrder: byId(1), body, type: 'Public' };
		expect(await n8n.refusal(n8n.run('note:create', form))).toBe("'Text' is empty");
	});
});

describe('a filter whose expression gives nothing', () => {
	const searches = Object.entries(subjects).flatMap(([resource, subject]) => {
		const entity = 'entity' in subject ? String(subject.entity) : '';
		const known = operations.filter(({ operation }) => /^\w+:(getMany|count)$/.test(operation));
		return (filters[entity] ?? []).flatMap((filter) =>
			known
				.filter(({ operation }) => operation.startsWith(`${resource}:`))
				.map(({ operation }) => ({ operation, filter })),
		);
	});

	it('is refused in every search, before anything is sent', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...searches),
				nothing,
				async ({ operation, filter }, raw) => {
					const { type } = filter.type.buildField(filter);
					const form = { actorTypeId: 'any', filters: { [filter.name]: locate(type, raw) } };
					// n8n drops an expression in place of a group.
					const reason = type === 'fixedCollection' ? '' : ': its expression gives nothing';
					expect(await n8n.refusal(n8n.run(operation, form))).toBe(
						`'${filter.label}' is empty${reason}`,
					);
				},
			),
			{ numRuns: cases(30, 300) },
		);
	});

	// n8n gives a trigger no $json.
	const ofTrigger = ['={{ [][0] }}', '={{ null }}', "={{ '' }}"];
	it.each(ofTrigger)('is refused by the polling trigger: %s', async (raw) => {
		const engine = connectEngine(company.sandbox, { corrigoTrigger: CorrigoTrigger });
		const parameters = { event: 'workOrderCreated', filters: { customer: byId(raw) } };
		const { items, error } = await engine.poll('corrigoTrigger', { mode: 'manual', parameters });
		expect(items ?? []).toEqual([]);
		expect(error?.message).toBe("'Customer' is empty: its expression gives nothing");
	});

	it('is refused in Get Changes', async () => {
		const form = { filters: { status: '={{ $json.no }}' }, from: '2020-01-01T00:00:00Z' };
		const { error } = await n8n.run('workOrder:getChanges', form);
		expect(error?.message).toBe("'Status' is empty: its expression gives nothing");
	});
});

describe('an expression that gives nothing is not left out', () => {
	const [raw] = GIVES_NOTHING;
	const order = () => records.rows('WorkOrder')[0].Id;
	const payment = () => ({
		id: byId(order()),
		paymentAmount: { money: { value: 5, currency: 'USD' } },
	});
	it.each<[string, () => object, string]>([
		['cost:getMany', () => ({ workOrder: byId(raw) }), 'Work Order'],
		['cost:getMany', () => ({ return: 'count', workOrder: byId(raw) }), 'Work Order'],
		['note:getMany', () => ({ workOrder: byId(raw) }), 'Work Order'],
		['asset:getMany', () => ({ treeOf: byName(raw) }), 'Tree of'],
		['workOrder:getHistory', () => ({ id: byId(order()), after: raw }), 'After'],
		['invoice:submitPayment', () => ({ ...payment(), checkNumber: raw }), 'Check Number'],
		['invoice:submitPayment', () => ({ ...payment(), apStatus: byId(raw) }), 'AP Status'],
		['workOrder:send', () => ({ id: byId(order()), additionalFields: { sendTo: raw } }), 'Send To'],
		[
			'workOrder:create',
			() => records.newOrder({ additionalFields: { externalNumber: raw } }),
			'External Number',
		],
	])('of %s', async (operation, form, label) => {
		expect(await n8n.refusal(n8n.run(operation, form()))).toBe(
			`'${label}' is empty: its expression gives nothing`,
		);
	});
});

/** The guide no longer has to warn of it as soon as this fails. */
it.each(['options', 'filters'])(
	'an expression in place of all %s is dropped by n8n before the node can see it',
	async (name) => {
		let seen: unknown;
		class Seeing extends Corrigo {
			execute = async function (this: IExecuteFunctions) {
				const asked = { rawExpressions: true };
				seen = [this.getNode().parameters[name], this.getNodeParameter(name, 0, null, asked)];
				return await Promise.resolve([[]]);
			};
		}
		const engine = connectEngine(company.sandbox, { corrigo: Seeing });
		const parameters = { resource: 'workOrder', operation: 'getMany', [name]: '={{ ({ a: 1 }) }}' };
		await engine.run({ parameters });
		expect(seen).toEqual([{}, {}]);
	},
);

it.each([
	'={{ $json.text }}',
	'=a {{ $json.number }}',
	'={{ $json.number }}',
	'={{ [$json.text, $json.number] }}',
	"={{ DateTime.fromISO('2026-01-31') }}",
	'={{ $parameter["&type"] }}',
	'={{ $json.no }}',
])('the expression %s gives in each item what n8n itself reads there', async (body) => {
	const seen: unknown[] = [];
	const { fields } = operations.find((one) => one.operation === 'workOrder:create') ?? {};
	const notes = fields?.find(({ name }) => name === 'notes') as INodeProperties;
	class Seeing extends Corrigo {
		execute = async function (this: IExecuteFunctions) {
			for (const context of new RunContext(this, new NodeForm(this, [notes])).contexts)
				seen.push(context.getInput(notes), this.getNodeParameter('notes', context.index));
			return await Promise.resolve([[]]);
		};
	}
	const engine = connectEngine(company.sandbox, { corrigo: Seeing });
	const values = ['Public', 'Private'].map((type) => ({ body, type }));
	const form = records.newOrder({ notes: { values } });
	const parameters = { resource: 'workOrder', operation: 'create', ...form };
	const items = ['one', 'two'].map((text, number) => ({ json: { text, number } }));
	await engine.run({ parameters, items });
	expect(seen).toHaveLength(4);
	expect([seen[0], seen[2]]).toEqual([seen[1], seen[3]]);
});
