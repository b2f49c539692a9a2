/** The cases of operations that many resources have in the same form. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Store } from '../../sandbox';
import { byId, byName, fromList } from '../support/company';
import type { Step } from './saved';
import {
	type OperationCase,
	OPTIONS,
	FOR_MODELS,
	CUSTOMERS,
	ALL,
	variant,
	inBoth,
	columns,
	flattenReferences,
	searchByIds,
	IN_DAYS,
} from './values';

export interface Alike {
	entity: string;
	create?: IDataObject;
	moreColumns?: IDataObject;
	/** The members that an update sets, if the records can be updated. */
	change?: IDataObject;
	/** A property with texts, by which Create or Update finds a record. */
	by?: string;
	/** A property with texts. */
	text: string;
	/** Filters that need more than a value by their type. */
	filters?: INodeParameters;
	/** A change without which no record has a date to search by. */
	dated?: IDataObject;
	/** Fields that shorten the list of records. */
	narrowed?: INodeParameters;
}

/** The operations that every entity has in the same form. */
export function alikeCases(store: Store, resource: string, { entity, ...own }: Alike) {
	const isRecord = resource === 'record';
	const of = isRecord ? { entity: byName(entity) } : {};
	const listed = isRecord ? { entity: fromList(entity, entity) } : {};
	// Private notes, and orders without an invoice, are left out where nobody asks for them.
	const shown = store
		.rows(entity)
		.filter(({ NoteTypeId, ApStateId }) => NoteTypeId !== 'Private' && ApStateId !== 'None');
	if (shown.length < 2) throw new Error(`sandbox/seed needs two records of ${entity}`);
	const [first, second] = shown;
	const [id, otherId] = [first.Id, second.Id];
	const any = resource === 'document' ? { actorTypeId: 'any' } : {};
	const selected = { output: 'selected', properties: ['Id', own.text] };
	const json = (fields: object) => ({ fieldsMode: 'json', fieldsJson: JSON.stringify(fields) });
	const versioned = { ...OPTIONS, ifChanged: 'skip', expectedVersion: String(first.ConcurrencyId) };
	const marked: Step[] | undefined =
		own.by === undefined || own.by in first
			? undefined
			: [['change', entity, id, { [own.by]: 'K-1' }]];
	const key = own.by === undefined ? {} : { [own.by]: (first[own.by] ?? 'K-1') as string };
	const criteria = {
		FilterOperator: 'Or',
		Conditions: [{ PropertyName: 'Id', Operator: 'GreaterOrEqual', Values: [otherId] }],
	};
	const forCustomers = (parameters: INodeParameters): OperationCase[] =>
		['customer', 'document', 'note', 'workOrder'].includes(resource)
			? [variant('for customers', { ...parameters, options: CUSTOMERS })]
			: [];
	const searched = (more: INodeParameters): OperationCase[] => [
		variant(
			'filters and JSON',
			{
				...of,
				...any,
				...more,
				searchBy: 'json',
				criteriaJson: JSON.stringify(criteria),
				options: FOR_MODELS,
				...(own.filters && { filters: own.filters }),
			},
			{ isFiltered: true },
		),
		...(isRecord
			? []
			: [
					variant(
						'days',
						{ ...any, ...more, filters: IN_DAYS },
						own.dated && { before: [['change', entity, id, own.dated]] },
					),
				]),
		variant('all', {
			...listed,
			...any,
			...searchByIds(own.text, [id, otherId]),
			...selected,
			returnAll: true,
			sort: {
				values: [
					{ property: fromList(own.text), direction: 'Descending' },
					{ property: byName('Id') },
				],
			},
			options: OPTIONS,
		} as INodeParameters),
		variant('count', { ...of, ...any, return: 'count', options: OPTIONS }),
		variant('groups', { ...listed, ...any, return: 'groups', groupBy: byName(own.text) }),
	];
	return {
		create: own.create && [
			variant('JSON', { ...of, ...json(own.create) }),
			variant('all', {
				...listed,
				fields: columns({ ...flattenReferences(own.create), ...own.moreColumns }),
				...ALL,
			}),
		],
		upsert: own.by !== undefined && [
			variant(
				'JSON',
				{ ...of, ...json({ ...key, ...own.change }), matchOn: own.by },
				{ before: marked },
			),
			variant('new', { ...of, ...json({ ...own.create, [own.by]: 'NEW-1' }), matchOn: own.by }),
			variant(
				'all',
				{
					...listed,
					fields: columns({ ...key, ...own.change }, [own.by]),
					output: 'raw',
					options: {
						...versioned,
						expectedVersion: String(Number(first.ConcurrencyId) + (marked?.length ?? 0)),
					},
				},
				{ before: marked },
			),
		],
		update: own.change !== undefined && [
			variant('JSON', { ...of, id: byId(String(id)), ...json(own.change) }),
			variant('all', {
				...listed,
				...own.narrowed,
				id: fromList(id),
				fields: columns(own.change),
				output: 'raw',
				options: versioned,
			}),
		],
		delete: inBoth({ ...of, id: byId(id) }, { ...listed, ...own.narrowed, id: fromList(otherId) }),
		get: [
			...inBoth(
				{ ...of, id: byId(String(id)) },
				{
					...listed,
					...own.narrowed,
					id: fromList(id),
					...selected,
					options: { ...OPTIONS, audience: 'internal' },
				},
			),
			...forCustomers({ id: byId(id) }),
			variant(
				'all properties of several',
				{ ...of, id: byId('={{ $json.x }}'), output: 'raw' },
				{ input: [id, otherId].map((x) => ({ json: { x } })) },
			),
		],
		getMany: [
			variant('little', { ...of, ...any, limit: 1 }),
			...searched({ limit: 2 }),
			...forCustomers({ ...any, limit: 2 }),
		],
		restore: inBoth(
			{ ...of, id: byId(id) },
			{ ...listed, id: fromList(id) },
			{ before: [['change', entity, id, { IsRemoved: true }]] },
		),
	} as Record<string, OperationCase[] | false | undefined>;
}
