/** Fields of an operation that Corrigo Desk fills in: whatever a model says, what the author fixed is shown. */
import fc from 'fast-check';
import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { completeFixed, fillOperation } from '../../nodes/Corrigo/actions/desk';
import { resources } from '../../nodes/Corrigo/actions/resources';
import { isEmpty } from '../../nodes/Corrigo/form/form';
import { narrowField } from '../../nodes/Corrigo/operations/subject';
import type { Operation } from '../../nodes/Corrigo/run/operation';
import { ValidationError } from '../../nodes/Corrigo/values/errors';
import type { JsonObject } from '../../nodes/Corrigo/values/objects';
import { cases } from '../cases';

const operations = resources.flatMap(({ value, operations: all }) =>
	all.map((operation) => ({
		name: `${value}:${operation.value}`,
		operation: operation as Operation,
	})),
);

const find = (wanted: string) => operations.find(({ name }) => name === wanted) ?? operations[0];

const isOffered = (field: INodeProperties) =>
	!['options', 'fieldsMode'].includes(field.name) &&
	field.type !== 'resourceMapper' &&
	field !== narrowField;

/** A value that the field takes; each choice of those that show others. */
function valueOf({ type, options = [] }: INodeProperties): fc.Arbitrary<unknown> {
	if (type === 'boolean') return fc.boolean();
	const choices = options as Array<{ name: string; value: unknown }>;
	if (type !== 'options') {
		const multiOptions = choices.slice(0, 1).map(({ value }) => value);
		const others = { collection: {}, dateTime: '2026-01-31', fixedCollection: [], multiOptions };
		return fc.constant({ ...others, json: { A: 1 } }[type as 'json'] ?? 1);
	}
	return fc.constantFrom(...choices.flatMap(({ name, value }) => [value, name]));
}

const filling = (fields: readonly INodeProperties[], maxLength: number) =>
	fc
		.uniqueArray(fc.constantFrom(...fields), { maxLength, selector: ({ name }) => name })
		.chain((some) =>
			fc.tuple(...some.map((field) => valueOf(field).map((value) => [field.name, value]))),
		)
		.map((members) => Object.fromEntries(members as Array<[string, unknown]>) as JsonObject);

/** The editor decides by the same rule whether a person sees the field. */
function isShown({ fields }: Operation, form: JsonObject, name: string): boolean {
	const parameters = NodeHelpers.getNodeParameters(
		[...fields],
		form as INodeParameters,
		true,
		true,
		null,
		null,
	);
	return fields
		.filter((field) => field.name === name)
		.some((field) => NodeHelpers.displayParameter(parameters ?? {}, field, null, null));
}

/** Undefined if the values are refused, by a message that says which field is in the way. */
function tryTo<T>(work: () => T, told: readonly string[] = []): T | undefined {
	try {
		return work();
	} catch (refusal) {
		expect(refusal).toBeInstanceOf(ValidationError);
		const { message, advice = '' } = refusal as ValidationError;
		expect(message).toMatch(
			/^'.+' (has no effect (while '|next to )|means something else with each value of '|would (change what|take the effect of) |must not be .+ next to a fixed field$)/,
		);
		expect(advice).toMatch(/^(Choose for|Leave out|Fix) '.+\.$/);
		const named = [...message.matchAll(/'([^']+)'/g)].map(([, label]) => label);
		// A field that shows another one may be chosen, too.
		const chosen = /\bchoose for '([^']+)'/i.exec(advice)?.[1];
		expect([...told, chosen]).toEqual(expect.arrayContaining(told.length > 0 ? named : []));
		return undefined;
	}
}

const pairs = operations.flatMap(({ name, operation }) => {
	const fields = operation.fields.filter(isOffered);
	return fields.flatMap((field) =>
		Object.keys({ ...field.displayOptions?.show, ...field.displayOptions?.hide }).flatMap((key) => {
			const control = fields.find((one) => one.name === key);
			return control ? [{ name, operation, field, control }] : [];
		}),
	);
});

// Promise: What is fixed in Corrigo Desk takes effect, whatever the model says
it('a fixed field is shown with each value that a model says for a field that shows it', () => {
	expect(pairs.length).toBeGreaterThan(100);
	for (const { operation, field, control } of pairs) {
		const [value] = fc.sample(valueOf(field), 1);
		const fixed = tryTo(() => completeFixed(operation, { [field.name]: value }));
		if (fixed === undefined) continue;
		const choices = fc.sample(valueOf(control), 20);
		for (const choice of [undefined, ...choices]) {
			const form = tryTo(() => fillOperation(operation, { [control.name]: choice }, fixed));
			if (form === undefined) continue;
			expect(form[field.name]).toEqual(fixed[field.name]);
			expect([field.name, control.name, choice, isShown(operation, form, field.name)]).toEqual([
				...[field.name, control.name, choice, true],
			]);
		}
	}
});

it('no given field is without effect, and a fixed one keeps its value', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...operations).chain(({ name, operation }) => {
				const fields = operation.fields.filter(isOffered);
				return fields.length === 0
					? fc.constant({ name, said: {}, fixed: {} })
					: fc.record({
							name: fc.constant(name),
							said: filling(fields, 4),
							fixed: filling(fields, 3),
						});
			}),
			({ name: called, said, fixed: given }) => {
				const { operation } = find(called);
				const fixed = tryTo(() => completeFixed(operation, given));
				// An error names what was said.
				const told = operation.fields
					.filter(({ name }) => name in said)
					.flatMap(({ name, displayName }) => [name, displayName]);
				const form = fixed && tryTo(() => fillOperation(operation, said, fixed), told);
				if (form === undefined) return;
				for (const name of Object.keys({ ...said, ...given })) {
					if (name in form) expect([name, isShown(operation, form, name)]).toEqual([name, true]);
				}
				if (fixed) expect(form).toMatchObject(fixed);
			},
		),
		{ numRuns: cases(1_000, 20_000) },
	);
});

it.each([
	[
		'limit',
		{ limit: 2 },
		{ returnAll: true, return: 'count' },
		{ limit: 2, returnAll: false, return: 'records' },
	],
	['conditions', { conditions: [] }, { searchBy: 'filters' }, { searchBy: 'conditions' }],
	[
		'properties',
		{ properties: ['Number'] },
		{ output: 'raw' },
		{ output: 'selected', properties: ['Number'] },
	],
])('fixed %s decides what shows it', (_, given, said, form) => {
	const { operation } = find('workOrder:getMany');
	const fixed = completeFixed(operation, given);
	expect(fillOperation(operation, {}, fixed)).toMatchObject(form);
	expect(() => fillOperation(operation, said, fixed)).toThrow(/ has no effect next to a fixed/);
});

it.each([
	{ days: 1, until: '2026-01-01' },
	{ until: '2026-01-01', days: 1 },
])('fields that no choice shows together are refused, whichever comes first: %j', (said) => {
	const { operation } = find('workOrder:getPerformance');
	expect(() => fillOperation(operation, said, completeFixed(operation, {}))).toThrow(
		/ has no effect next to '/,
	);
});

it("fixed JSON is the author's as a whole, and filters of a model are in addition", () => {
	const { operation } = find('workOrder:getMany');
	const own = { Conditions: [{ PropertyName: 'Id', Operator: 'Equal', Values: [5] }] };
	const fixed = completeFixed(operation, { criteriaJson: own, filters: { open: true } });
	const said = { filters: { open: false, priority: 'High' } };
	expect(fillOperation(operation, said, fixed)).toMatchObject({
		...{ searchBy: 'json', criteriaJson: own, filters: { open: true } },
		narrowingFilters: said.filters,
	});
	const criteriaJson = { FilterOperator: 'Or', Filters: [] };
	expect(() => fillOperation(operation, { ...said, criteriaJson }, fixed)).toThrow(
		"'Criteria (JSON)' has no effect next to a fixed field",
	);
});

/** Fields that decide what others mean, in whatever operation has them. */
const DECIDING: ReadonlyArray<[deciding: string, decided: string, isRequired?: 'required']> = [
	['quantity', 'amount'],
	['contactName', 'contact'],
	['due', 'computeSchedule'],
	['computeSchedule', 'due'],
	['currency', 'amount'],
	['currency', 'lines'],
	['match', 'conditions'],
	['matchOn', 'fieldsJson'],
	['commandName', 'commandBody', 'required'],
	['date', 'days'],
	['mode', 'assignees'],
	['customer', 'workOrder'],
	['entity', 'id', 'required'],
	['entity', 'criteriaJson', 'required'],
	['otherProperties', 'subType'],
];

const listInner = ({ type, options = [] }: INodeProperties) =>
	type === 'collection' ? (options as INodeProperties[]) : [];

/** Gives a field a value, in the group that has it. */
function give(operation: Operation, name: string): JsonObject | undefined {
	for (const field of operation.fields.filter(isOffered)) {
		const [value] = fc.sample(valueOf(field), 1);
		if (field.name === name) return { [name]: value };
		const inner = listInner(field).find((one) => one.name === name);
		if (inner) return { [field.name]: { [name]: fc.sample(valueOf(inner), 1)[0] } };
	}
	return undefined;
}

// Promise: What is fixed in Corrigo Desk takes effect, whatever the model says
it.each(DECIDING)('a model does not say %s, which decides what fixed %s means', (...row) => {
	const [deciding, decided, isRequired] = row;
	const found = operations.flatMap(({ operation }) => {
		const namesEntity = operation.fields.some(({ name }) => name === 'entity');
		if (namesEntity && deciding !== 'entity') return [];
		const [fixed, said] = [decided, deciding].map((name) => give(operation, name));
		return fixed && said ? [{ operation, fixed, said }] : [];
	});
	expect(found.length).toBeGreaterThan(0);
	for (const { operation, fixed, said } of found) {
		const complete = () => completeFixed(operation, fixed);
		if (isRequired) {
			expect(complete).toThrow(
				`'${decided}' means something else with each value of '${deciding}'`,
			);
		} else {
			expect(() => fillOperation(operation, said, complete())).toThrow(
				`'${deciding}' would change what a fixed field means`,
			);
		}
		const both = completeFixed(operation, { ...said, ...fixed });
		expect(fillOperation(operation, {}, both)).toMatchObject(both);
	}
});

/** The rows of a field with the parts that each of them needs. */
function listRows(operation: Operation) {
	const fields = operation.fields.filter(isOffered).flatMap((field) => [
		{ field, wrap: (value: JsonObject): JsonObject => ({ [field.name]: value }) },
		...listInner(field).map((inner) => ({
			field: inner,
			wrap: (value: JsonObject): JsonObject => ({ [field.name]: { [inner.name]: value } }),
		})),
	]);
	return fields.flatMap(({ field, wrap }) => {
		const [group] = (field.options ?? []) as Array<{ values?: INodeProperties[] }>;
		const needed = (group?.values ?? []).filter(
			({ required, default: initial }) => required === true && isEmpty(initial),
		);
		return needed.length > 0 ? [{ operation, wrap, needed }] : [];
	});
}

it('a fixed row that lacks what it needs is refused, by the name of the part', () => {
	const rows = operations.flatMap(({ operation }) => listRows(operation));
	expect(rows.length).toBeGreaterThan(15);
	for (const { operation, wrap, needed } of rows) {
		// No part that is always needed depends on another one.
		expect(needed.filter(({ displayOptions }) => displayOptions)).toEqual([]);
		const row = Object.fromEntries(
			needed.map((part) => [part.name, fc.sample(valueOf(part), 1)[0]]),
		);
		tryTo(() => completeFixed(operation, wrap(row)));
		for (const { name, displayName } of needed) {
			const others = { ...row };
			delete others[name];
			expect(() => completeFixed(operation, wrap(others))).toThrow(
				new RegExp(`^'.+ > ${displayName}' is empty$`),
			);
		}
	}
});

it('a fixed ID of a record of several kinds needs its kind', () => {
	const { operation } = find('document:upload');
	expect(() => completeFixed(operation, { actorId: 5 })).toThrow(
		/^'.+' means something else with each value of 'Attached To'$/,
	);
	expect(completeFixed(operation, { actorId: 5, actorTypeId: 'WO' })).toMatchObject({
		actorId: { mode: 'id', value: 5 },
	});
});
