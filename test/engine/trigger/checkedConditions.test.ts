/** Conditions that the node itself checks: a record that does not match is unknown, and new when it begins to match. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { cases } from '../../cases';
import { activate } from '../../support/activeTrigger';
import { byId, byName } from '../../support/company';

/** The trigger looks at each action once. */
const ACTION = 'Work Order Action';

const EVENTS: Record<string, object> = {
	'Work Order Created': { event: 'workOrderCreated' },
	'Work Order Updated': { event: 'workOrderUpdated' },
	'Record by Date': {
		event: 'record',
		entity: byName('WorkOrder'),
		dateProperty: 'CreatedDateUtc',
	},
	'Record by ID': { event: 'record', entity: byName('WorkOrder') },
	'Record by Comparison': { event: 'recordEdited', entity: byName('WorkOrder') },
	[ACTION]: { event: 'workOrderAction', actionTypes: ['Create'], returns: 'event' },
};

type Values = ReadonlyArray<string | undefined>;

interface Kind {
	/** The operator and value of a condition on each field; undefined leaves it out. */
	wanted: Array<object | undefined>;
	match: 'all' | 'any';
	holds: (values: Values) => boolean;
}

const isYes = { operator: 'Equal', value: 'yes' };
const isEmpty = { operator: 'Null' };

const KINDS: Record<string, Kind> = {
	'two fields': {
		...{ wanted: [isYes, isYes], match: 'all' },
		holds: ([one, other]) => one === 'yes' && other === 'yes',
	},
	'an empty field': {
		...{ wanted: [isEmpty], match: 'all' },
		holds: ([one]) => !one,
	},
	'an empty field or another one': {
		...{ wanted: [isEmpty, isYes], match: 'any' },
		holds: ([one, other]) => !one || other === 'yes',
	},
};

type Step =
	| { do: 'create'; values: Values }
	| { do: 'set'; which: number; field: number; value: string | undefined }
	| { do: 'poll' };

const value = fc.constantFrom('yes', 'no', '', undefined);
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ do: fc.constant('create' as const), values: fc.tuple(value, value) }),
	fc.record({
		...{ do: fc.constant('set' as const), which: fc.nat(9) },
		...{ field: fc.nat(1), value },
	}),
	fc.record({ do: fc.constant('poll' as const) }),
);

const BEGINS_TO_MATCH: Step[] = [
	{ do: 'create', values: ['yes', 'no'] },
	{ do: 'poll' },
	{ do: 'set', which: 0, field: 1, value: 'yes' },
	{ do: 'poll' },
	{ do: 'set', which: 0, field: 0, value: undefined },
];

const RUNS = cases(4, 60);
jest.setTimeout(60_000 + RUNS * 5_000);

const combinations = Object.keys(EVENTS).flatMap((event) =>
	Object.keys(KINDS).map((kind) => [event, kind] as const),
);

it.each(combinations)('%s delivers what matches %s', async (event, name) => {
	const { wanted, match, holds } = KINDS[name];
	const isComparison = event === 'Record by Comparison';
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), async (steps) => {
			const { store, sandbox, person, poll, orders } = await activate({}, { workOrders: 3 });
			const descriptors = [0, 1].map(
				(field) =>
					store.insert('CustomFieldDescriptor', {
						...{ ActorTypeId: 'WO', Name: `Field ${field}`, Type: 'String' },
					}).Id,
			);
			const conditions = wanted.flatMap((one, field) =>
				one === undefined ? [] : [{ property: `CustomFields.${descriptors[field]}`, ...one }],
			);
			const parameters = {
				...EVENTS[event],
				...{ searchBy: 'conditions', match, conditions: { values: conditions } },
			};
			const getRow = (id: number, field: number) =>
				store
					.children('CustomField2', 'ObjectId', id)
					.find(({ Descriptor }) => (Descriptor as IDataObject).Id === descriptors[field]);
			const set = (id: number, field: number, Value: string | undefined): void => {
				const row = getRow(id, field);
				if (row !== undefined) store.remove('CustomField2', row.Id);
				const own = { ObjectId: id, ObjectTypeId: 'WO', Descriptor: { Id: descriptors[field] } };
				if (Value !== undefined) store.insert('CustomField2', { ...own, Value });
			};
			const matches = (id: number) =>
				holds([0, 1].map((field) => getRow(id, field)?.Value as string | undefined));
			const listMatching = () => orders().flatMap(({ Id }) => (matches(Id) ? [Id] : []));
			expect(await poll(parameters)).toEqual([]);
			const created: number[] = [];
			let known = new Set(isComparison ? listMatching() : []);
			const check = async (): Promise<void> => {
				const found = await poll(parameters);
				const told = found.map(
					({ Id, WorkOrderId = Id, Change = 'added' }) =>
						`${String(WorkOrderId)} ${String(Change)}`,
				);
				const matching = isComparison ? listMatching() : created.filter(matches);
				const added = matching.filter((id) => !known.has(id)).map((id) => `${id} added`);
				const deleted = isComparison ? [...known].filter((id) => !matching.includes(id)) : [];
				expect(told.sort()).toEqual([...added, ...deleted.map((id) => `${id} deleted`)].sort());
				const looked = event === ACTION ? created : matching;
				known = new Set(isComparison ? matching : [...known, ...looked]);
			};
			for (const one of steps) {
				if (one.do === 'poll') await check();
				if (one.do === 'create') {
					const Id = Number(person({}).Id);
					created.push(Id);
					one.values.forEach((own, field) => set(Id, field, own));
				}
				const ids = isComparison ? store.ids('WorkOrder') : created;
				if (one.do === 'set' && ids.length > 0) {
					set(ids[one.which % ids.length], one.field, one.value);
				}
			}
			await check();
			await check();
			await sandbox.close();
		}),
		{ numRuns: RUNS, seed: 20_310_508, endOnFailure: true, examples: [[BEGINS_TO_MATCH]] },
	);
});

type ItemStep =
	| { do: 'create' | 'poll' }
	| { do: 'set'; which: number; item: number; isAsset: boolean; hasComment: boolean };

const itemStep: fc.Arbitrary<ItemStep> = fc.oneof(
	fc.record({ do: fc.constantFrom('create' as const, 'poll' as const) }),
	{
		weight: 2,
		arbitrary: fc.record({
			...{ do: fc.constant('set' as const), which: fc.nat(3), item: fc.nat(1) },
			...{ isAsset: fc.boolean(), hasComment: fc.boolean() },
		}),
	},
);

/** One item has the asset and another one the comment, and then the first one has both. */
const BECOMES_ONE: ItemStep[] = [
	{ do: 'create' },
	{ do: 'set', which: 0, item: 0, isAsset: true, hasComment: false },
	{ do: 'set', which: 0, item: 1, isAsset: false, hasComment: true },
	{ do: 'poll' },
	{ do: 'set', which: 0, item: 0, isAsset: true, hasComment: true },
];

it.each(['workOrderCreated', 'workOrderUpdated'])(
	'%s delivers an order when one of its items matches all filters on items',
	async (event) => {
		await fc.assert(
			fc.asyncProperty(fc.array(itemStep, { minLength: 6, maxLength: 20 }), async (steps) => {
				const { store, sandbox, person, poll } = await activate(
					{},
					{ workOrders: 3, joinsRows: false },
				);
				const [wanted, other] = store.ids('Location');
				const parameters = { event, filters: { asset: byId(wanted), comment: 'leak' } };
				const created: number[] = [];
				const listItems = (id: number) => store.children('WoItem', 'WorkOrderId', id);
				const set = (id: number, item: number, isAsset: boolean, hasComment: boolean): void => {
					const row = listItems(id)[item];
					const Asset = { Id: isAsset ? wanted : other };
					store.change('WoItem', row.Id, { Asset, Comment: hasComment ? 'A leak' : 'Noise' });
				};
				const matches = (id: number) =>
					listItems(id).some(
						({ Asset, Comment }) =>
							(Asset as IDataObject).Id === wanted && String(Comment).includes('leak'),
					);
				let known = new Set<number>();
				const check = async (): Promise<void> => {
					const told = (await poll(parameters)).map(({ Id }) => Number(Id));
					const matching = created.filter(matches);
					expect(told.sort()).toEqual(matching.filter((id) => !known.has(id)).sort());
					known = new Set([...known, ...matching]);
				};
				await check();
				for (const one of steps) {
					if (one.do === 'poll') await check();
					if (one.do === 'create') {
						const Id = Number(person({}).Id);
						created.push(Id);
						while (listItems(Id).length < 2) store.insert('WoItem', { WorkOrderId: Id });
						[0, 1].forEach((item) => set(Id, item, false, false));
					}
					if (one.do === 'set' && created.length > 0) {
						set(created[one.which % created.length], one.item, one.isAsset, one.hasComment);
					}
				}
				await check();
				await check();
				await sandbox.close();
			}),
			{ numRuns: RUNS, seed: 20_310_509, endOnFailure: true, examples: [[BECOMES_ONE]] },
		);
	},
);
