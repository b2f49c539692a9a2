import {
	NodeConnectionTypes,
	type INodeListSearchResult,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { commands } from '../../../nodes/Corrigo/catalogue/commands';
import {
	entities,
	findEntityMemberType,
	getEntity,
} from '../../../nodes/Corrigo/catalogue/entities';
import { getInnerType } from '../../../nodes/Corrigo/catalogue/members';
import { summaries } from '../../../nodes/Corrigo/catalogue/summaries';
import { listSearch } from '../../../nodes/Corrigo/methods/listSearch';
import type { Row } from '../../../sandbox';
import {
	byId,
	byName,
	byNumber,
	connectEngine,
	fromList,
	getId,
	quoteRefusal,
	rejection,
	shareCompany,
	some,
} from '../../support/company';

const inForms = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	modes: ['list', 'id', 'number'].map((mode) => ({
		name: mode,
		displayName: mode,
		type: 'string',
	})),
});

const choices = ['customer', 'contact', 'asset', 'task', 'workOrder'].map(inForms);

class Form implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Form',
		name: 'form',
		group: ['transform'],
		version: 1,
		description: 'Form',
		defaults: { name: 'Form' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'corrigoApi', required: true }],
		properties: [
			...choices,
			{ displayName: 'More', name: 'more', type: 'collection', default: {}, options: choices },
			{
				displayName: 'Rows',
				name: 'rows',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				default: {},
				options: [{ displayName: 'Row', name: 'values', values: choices }],
			},
		],
	};

	methods = { listSearch };
}

const company = shareCompany({ workOrders: 20 });
const { n8n, records, requests } = company;

/**
 * Each list: its entity, the properties that are searched, the first of which is the title, those that are
 * shown after the title, and the values of all its rows. Rows are sorted by title unless it says otherwise.
 */
const lists: Record<string, string> = {
	searchApStatuses: 'ApInvoiceStatus by DisplayAs; shows Description; only IsRemoved false',
	searchAssets:
		'Location by Name, Info.TagId, Info.SerialNumber; shows TypeId, Info.TagId, Info.SerialNumber; only IsTemplate false',
	searchAssetTemplates: 'AssetTemplate by DisplayAs',
	searchAttributes: 'AttributeDescriptor by Name; shows Type; only IsRemoved false',
	searchCancelReasons:
		'WoActionReasonLookup by DisplayAs; shows Descr; only ActionId Cancel, Hide false, IsRemoved false',
	searchContacts:
		'Contact by DisplayAs, Number, ContactAddresses.Address; shows TypeId, Number; only IsRemoved false; each once',
	searchCosts: 'FinancialItem by Comment; shows CostCategoryId, Amount; newest first',
	searchCostStatuses: 'InternalCostStatus by Name; shows Description',
	searchCustomers:
		'Customer by DisplayAs, Name, TenantCode; shows TenantCode, WorkZone.DisplayAs; only IsRemoved false',
	searchCustomerNotes: 'Note by NoteText; shows NoteTypeLookup.DisplayAs, CreatedAt; newest first',
	searchDocuments: 'Document by Title; shows DocType.DisplayAs, ActorTypeId; newest first',
	searchDocumentTypes: 'DocumentType by DisplayAs; shows Description',
	searchEmployees:
		'Employee by DisplayAs, Username, Number; shows ActorTypeId, Number, JobTitle; only IsRemoved false',
	searchFlags:
		'WoActionReasonLookup by DisplayAs; shows Descr; only ActionId Attention, Hide false, IsRemoved false',
	searchHoldReasons:
		'WoActionReasonLookup by DisplayAs; shows Descr; only ActionId OnHold, Hide false, IsRemoved false',
	searchInvoiceItems:
		'InvoiceDictionaryItem by DisplayAs; shows CostCategory; only IsRemoved false',
	searchLaborCodes: 'LaborCode by DisplayAs; shows Description; only IsRemoved false',
	searchNoteTypes: 'CustomerNoteType by DisplayAs; only IsRemoved false',
	searchNotes: 'WoNote by Body; shows NoteTypeId, CreatedDate; newest first',
	searchOfflineWorkZones:
		'WorkZone by DisplayAs, Number; shows Number; only IsOffline true, IsRemoved false',
	searchPortfolios: 'Portfolio by DisplayAs; shows TypeId; only IsRemoved false',
	searchPrintoutTemplates: 'PrintoutTemplate by DisplayAs; only ActorTypeId WO, IsHidden false',
	searchPriorities: 'WoPriority by DisplayAs',
	searchProducts:
		'Product by DisplayAs, PartNumber; shows PartNumber, Manufacturer; only IsRemoved false',
	searchProviders:
		'Employee by DisplayAs, Username, Number; shows ActorTypeId, Number, JobTitle; only ActorTypeId Provider, IsRemoved false',
	searchPurchaseOrders:
		'ReplenishmentOrder by Number, PoNumber, Description, Supplier.DisplayAs; shows StatusId, Supplier.DisplayAs; newest first',
	searchRecords: 'Team by DisplayAs; only IsRemoved false',
	searchRepairCodes: 'RepairCode by DisplayAs; shows ParentId; only IsRemoved false',
	searchRoles: 'Role by DisplayAs',
	searchSpaces:
		'Space by Asset.Name; shows StatusId, WorkZone.DisplayAs, CustomerId; only IsRemoved false',
	searchSpecialties: 'Specialty by DisplayAs; only IsRemoved false',
	searchSubTypes: 'WorkOrderType by DisplayAs, Abbr; shows TypeId, Abbr; only IsRemoved false',
	searchTasks:
		'Task by DisplayAs, Number; shows Specialty.DisplayAs, Priority.DisplayAs; only IsRemoved false',
	searchTeams: 'Team by DisplayAs; only IsRemoved false',
	searchTimeCardEntries:
		'TimeCardItem by Employee.DisplayAs; shows StartDate, Duration; newest first',
	searchUnits:
		'Location by Name, Info.TagId, Info.SerialNumber; shows TypeId, Info.TagId, Info.SerialNumber; only IsTemplate false',
	searchVendorInsurances: 'ProviderCoi by DisplayAs; shows StatusId, EndDate, EmployeeId',
	searchWorkOrders:
		'WorkOrder by Number, ShortLocation, ContactName, Customer.DisplayAs, PoNumber; shows ShortLocation, StatusId, Customer.DisplayAs; newest first',
	searchWorkZones:
		'WorkZone by DisplayAs, Number; shows Number; only IsOffline false, IsRemoved false',
};

/** The fields around some lists. A new work order starts with the category Request. */
const FORMS: Record<string, INodeParameters> = {
	searchRecords: { entity: byName('team'), resource: 'record', operation: 'get' },
	searchSubTypes: { operation: 'create' },
};

/** A list that shows the owners of its records, whose IDs these have, reads those of each entity with one query. */
const showsOwners = (entity: string, description: string) =>
	(/; shows ([^;]*)/.exec(description)?.[1] ?? '')
		.split(', ')
		.some((path) => findEntityMemberType(entity, path) === 'integer');

/** Properties and their values are chosen in `choosing.test.ts`. */
const fromCatalogue = [
	'searchCommands',
	'searchCompared',
	'searchDates',
	'searchEntities',
	'searchGroups',
	'searchSorted',
	'searchValues',
];

it('the tests have a case for every list search', () => {
	expect([...Object.keys(lists), ...fromCatalogue].sort()).toEqual(Object.keys(listSearch).sort());
});

const listNames = ({ results }: INodeListSearchResult) => results.map(({ name }) => name);
const listIds = ({ results }: INodeListSearchResult) => results.map(({ value }) => Number(value));
const equals = (PropertyName: string, value: unknown) => ({
	PropertyName,
	Operator: 'Equal',
	Values: [value],
});

interface Condition {
	PropertyName: string;
	Operator: string;
	Values: unknown[];
}

interface Query {
	PropertySet: { Properties: string[] };
	Criteria?: { Conditions: Condition[]; Filters?: Array<{ Conditions: Condition[] }> };
	Orders: Array<{ PropertyName: string; OrderType: string }>;
	Distinct?: true;
}

/** Reads what a query searches, shows and omits. */
function readQuery(query: Query) {
	const { Conditions = [], Filters = [] } = query.Criteria ?? {};
	const all = [...Conditions, ...Filters.flatMap((one) => one.Conditions)];
	const [, title, ...shown] = query.PropertySet.Properties;
	return {
		title,
		shown,
		searched: all.filter(({ Operator }) => Operator === 'Like'),
		where: all.filter(({ Operator }) => Operator === 'Equal'),
	};
}

/** The query in the words of `lists`. */
function describeQuery(entity: string, query: Query): string {
	const { shown, searched, where } = readQuery(query);
	const parts = {
		shows: shown,
		only: where.map(({ PropertyName, Values }) => `${PropertyName} ${String(Values[0])}`),
	};
	return [
		`${entity} by ${searched.map(({ PropertyName }) => PropertyName).join(', ')}`,
		...Object.entries(parts).flatMap(([word, list]) =>
			list.length > 0 ? [`${word} ${list.join(', ')}`] : [],
		),
		...(query.Orders[0].OrderType === 'Descending' ? ['newest first'] : []),
		...(query.Distinct ? ['each once'] : []),
	].join('; ');
}

/** A name that breaks careless quoting, escaping and encoding. */
const AWKWARD = `100% O'Brien_[West] "Köln" <東京> & \\ 🌞`;

describe.each(Object.entries(lists))('%s', (method, description) => {
	const [entity] = description.split(' ');
	const byTitle = method === 'searchAssetTemplates';

	const ask = async (filter?: string, paginationToken?: string) =>
		await n8n.engine.listSearch(method, { parameters: FORMS[method], filter, paginationToken });

	/** Returns the only query, and forgets it. */
	const takeQuery = () => {
		const [sent, ...owners] = requests.sent();
		const asked = owners.map(({ path }) => path);
		expect(asked).toEqual(showsOwners(entity, description) ? [...new Set(asked)] : []);
		expect(`${sent.method} ${sent.path}`).toBe(`POST /api/v1/query/${entity}`);
		company.sandbox.forgetRequests();
		return (sent.body as { QueryExpression: Query }).QueryExpression;
	};

	const expectPage = (filter: string, FirstResultIndex = 0) => {
		const query = takeQuery();
		expect(describeQuery(entity, query)).toBe(description);
		expect(description.includes('IsRemoved')).toBe(getEntity(entity)?.softDelete === true);
		for (const { Values } of readQuery(query).searched) expect(Values).toEqual([`%${filter}%`]);
		expect(query).toMatchObject({ Count: 100, FirstResultIndex });
	};

	/** Returns a function that inserts a row of the list with a name. */
	async function prepareRows() {
		await ask();
		const { title, where } = readQuery(takeQuery());
		const fixed = Object.fromEntries(
			where.map(({ PropertyName, Values: [value] }) => [PropertyName, value]),
		);
		const [member, inner] = title.split('.');
		return (name: string, more: object = {}) => {
			const titled = inner
				? { Id: records.insert(getInnerType(entity, member), { [inner]: name }).Id }
				: name;
			return records.insert(entity, { ...fixed, [member]: titled, ...more }).Id;
		};
	}

	it('lists all rows with one query', async () => {
		(await prepareRows())('Any name');
		const { results } = await ask();
		expect(results.length).toBeGreaterThan(0);
		expect(results.length).toBeLessThanOrEqual(100);
		expect(readQuery(takeQuery()).searched).toEqual([]);
	});

	it('finds a typed text', async () => {
		const insert = await prepareRows();
		const id = insert('A zyzzyva');
		insert('Another name');
		const { results } = await ask(' zyzzyva ');
		expect(results).toEqual([some({ value: byTitle ? 'A zyzzyva' : String(id) })]);
		expectPage('zyzzyva');
	});

	// All lists share the rest, so it is tried with one that shows the newest first, one with another title,
	// one with distinct rows, and one with owners.
	const typical = ['searchAssetTemplates', 'searchContacts', 'searchSpaces', 'searchWorkOrders'];
	if (!typical.includes(method)) return;

	it('shows what it finds page by page, each row once', async () => {
		const insert = await prepareRows();
		const ids = Array.from({ length: 130 }, (_, index) =>
			insert(`Zyzzyva ${String((index * 37) % 130).padStart(3, '0')}`),
		);
		const first = await ask(' zyzzyva ');
		expect(first).toMatchObject({ paginationToken: '100' });
		expectPage('zyzzyva');

		const second = await ask(' zyzzyva ', first.paginationToken as string);
		expectPage('zyzzyva', 100);
		// Only an empty page is known to be the last.
		const last = await ask(' zyzzyva ', second.paginationToken as string);
		expect(last).toEqual({ results: [] });

		const found = [...first.results, ...second.results];
		const names = found.map(({ name }) => name);
		const isNewestFirst = description.includes('newest first');
		const sorted = isNewestFirst ? [...ids].reverse().map(String) : [...names].sort();
		expect(isNewestFirst ? found.map(({ value }) => value) : names).toEqual(sorted);
		expect(new Set(found.map(({ value }) => value)).size).toBe(ids.length);
	});

	it('returns an empty list without an error', async () => {
		expect(await ask('no such thing at all')).toEqual({ results: [] });
		expectPage('no such thing at all');
	});

	it('finds a name with special characters', async () => {
		const insert = await prepareRows();
		const id = insert(AWKWARD);
		insert('100 Somebody else');
		const { results } = await ask(AWKWARD);
		expect(results).toEqual([some({ value: byTitle ? AWKWARD : String(id) })]);
		expect(results[0].name.startsWith(AWKWARD)).toBe(true);
		expectPage(AWKWARD.replace('[', '%'));
	});

	it('shows the error message of the service', async () => {
		const body = { ErrorCode: 'ERROR_CODE_1002', ErrorMessage: 'No {!{Work Order}!} for you' };
		requests.fault(rejection('/query/', body));
		await expect(ask()).rejects.toMatchObject({
			message: quoteRefusal('No Work Order for you'),
			description: expect.stringContaining('ERROR_CODE_1002'),
		});
	});
});

it.each([
	['2026-01-31T17:30:00', 'Late (Public, 2026-01-31 17:30)'],
	['2026-01-31T00:00:00', 'Late (Public, 2026-01-31)'],
])('a list shows the time %s as people read it', async (CreatedDate, name) => {
	const order = records.rows('WorkOrder')[0].Id;
	records.insert('WoNote', { WorkOrderId: order, Body: 'Late', NoteTypeId: 'Public', CreatedDate });
	const parameters = { resource: 'note', operation: 'get', workOrder: byId(order) };
	const { results } = await n8n.engine.listSearch('searchNotes', { parameters, filter: 'Late' });
	expect(results).toEqual([some({ name })]);
});

// Promise: Records can be chosen without their ID
describe('lists that the service user may not read', () => {
	const forbid = (...unreadable: string[]) => company.sandbox.set({ unreadable });

	const order = () => records.rows('WorkOrder')[0].Id;
	const log = (TypeId: string, ActionReasonId: number | undefined, Comment?: string) =>
		records.insert('WoActionLog', { WorkOrderId: order(), TypeId, ActionReasonId, Comment });

	it.each(['searchCustomers', 'searchApStatuses', 'searchWorkOrders'])(
		'%s shows a message in place of the list',
		async (method) => {
			const [entity] = lists[method].split(' ');
			forbid(entity);
			const refusal = quoteRefusal(`You do not have permission to read ${entity}`);
			const name = `${refusal}: choose 'By ID' and enter the ID`;
			const { results } = await n8n.engine.listSearch(method, {});
			expect(results).toEqual([{ name, value: '' }]);
		},
	);

	it.each([
		['searchCancelReasons', 'Cancel', 'Complete'],
		['searchHoldReasons', 'OnHold', 'Cancel'],
	])('%s offers the reasons seen in the log of actions', async (method, action, other) => {
		forbid('WoActionReasonLookup');
		for (const { Id } of records.rows('WoActionLog')) {
			records.change('WoActionLog', Id, { TypeId: 'Create' });
		}
		log(action, 7, 'Duplicate of another order, as the tenant called twice');
		log(action, 7);
		log(action, 8, '');
		log(action, undefined, 'without a reason');
		log(other, 9);
		const last = 'Duplicate of another order, as the tenan…';
		expect((await n8n.engine.listSearch(method, {})).results).toEqual([
			{ name: `ID 7 (used 2 times, last: ${last})`, value: '7' },
			{ name: 'ID 8 (used once)', value: '8' },
		]);
		expect(listIds(await n8n.engine.listSearch(method, { filter: ' DUPLICATE ' }))).toEqual([7]);
	});

	it.each([[['WoActionReasonLookup', 'WoActionLog']], [['WoActionReasonLookup']]])(
		'show a message where the log has no reasons either: %j',
		async (unreadable) => {
			forbid(...unreadable);
			for (const { Id } of records.rows('WoActionLog')) {
				records.change('WoActionLog', Id, { ActionReasonId: 0 });
			}
			const { results } = await n8n.engine.listSearch('searchCancelReasons', {});
			expect(results).toEqual([{ name: expect.stringContaining("choose 'By ID'"), value: '' }]);
		},
	);
});

it('the list of work orders finds them by number, place, contact and customer, and shows place, status and customer', async () => {
	const { Id, Number: number, ShortLocation, Customer } = records.rows('WorkOrder')[0];
	const { DisplayAs } = records.get('Customer', (Customer as Row).Id);
	records.change('WorkOrder', Id, { ContactName: 'Zyzzyva', StatusId: 'OnHold' });
	const description = `${String(ShortLocation)}, On Hold, ${String(DisplayAs)}`;
	const found = { name: `${String(number)} (${description})`, value: String(Id), description };
	for (const filter of [number, 'Zyzzyva', ShortLocation, DisplayAs].map(String)) {
		const { results } = await n8n.engine.listSearch('searchWorkOrders', { filter });
		expect(results).toContainEqual(found);
		if (filter === number || filter === 'Zyzzyva') expect(results).toHaveLength(1);
	}
});

it('a list shows amounts with their currency, where it is known', async () => {
	const Amount = { Value: 120.5, CurrencyTypeId: 'EUR' };
	const line = { WoId: 50001, CostCategoryId: 'SpotPurchase' };
	records.insert('FinancialItem', { ...line, Comment: 'Zyzzyva', Amount });
	records.insert('FinancialItem', { ...line, Comment: 'Zyzzyvas' });
	const { results } = await n8n.engine.listSearch('searchCosts', { filter: 'zyzzyva' });
	expect(results.map(({ name }) => name)).toEqual([
		'Zyzzyvas (Spot Purchase)',
		'Zyzzyva (Spot Purchase, 120.5 EUR)',
	]);
});

it('a list shortens long texts', async () => {
	records.insert('WoNote', { Body: `Zyzzyva ${'x'.repeat(200)}`, WorkOrderId: 1 });
	const { results } = await n8n.engine.listSearch('searchNotes', { filter: 'zyzzyva' });
	expect(results[0].name).toMatch(/^Zyzzyva x{72}…/);
});

describe('lists that depend on another choice', () => {
	/** The last condition in the newest query for records of an entity. */
	const lastCondition = (entity: string) => {
		const queries = requests.sent().filter(({ path }) => path.endsWith(`/query/${entity}`));
		const { QueryExpression } = queries.at(-1)?.body as {
			QueryExpression: { Criteria: { Conditions: unknown[] } };
		};
		return QueryExpression.Criteria.Conditions.at(-1);
	};

	/** The lists of the node in a form that has the choice at every place. */
	const inForm = async (method: string, parameters: INodeParameters, path: string) => {
		const forms = connectEngine(company.sandbox, { form: Form }, n8n.engine.store);
		return await forms.listSearch(method, { parameters, path });
	};

	const chosen = (id: unknown) => fromList(String(id));
	const other = byId(4711);

	describe.each([
		['searchContacts', 'Contact'],
		['searchSpaces', 'Space'],
	])('%s', (method, entity) => {
		const row = () => records.rows(entity)[1];

		it.each<[string, (id: unknown) => INodeParameters, string]>([
			['at the top by its ID', (id) => ({ customer: byId(id) }), 'contact'],
			['at the top from the list', (id) => ({ customer: chosen(id) }), 'contact'],
			['at the top by a value alone', (id) => ({ customer: id as number }), 'contact'],
			['at the top, asked from a collection', (id) => ({ customer: chosen(id) }), 'more.contact'],
			[
				'next to it in the collection',
				(id) => ({ customer: other, more: { customer: chosen(id), contact: byId('') } }),
				'more.contact',
			],
			[
				'next to it in its row',
				(id) => ({
					customer: other,
					rows: { values: [{ customer: other }, { customer: chosen(id) }] },
				}),
				'rows.values[1].contact',
			],
			[
				'at the top while its row has none',
				(id) => ({ customer: chosen(id), rows: { values: [{ customer: byId('') }] } }),
				'rows.values[0].contact',
			],
		])('shows the records of the customer chosen %s', async (_, parametersFor, path) => {
			const { CustomerId } = row();
			const result = await inForm(method, parametersFor(CustomerId), `parameters.${path}`);
			expect(listIds(result)).toEqual(
				company.sandbox.store.idsWhere(entity, 'CustomerId', CustomerId),
			);
			expect(lastCondition(entity)).toEqual(equals('CustomerId', CustomerId));
			expect(requests.sent()).toHaveLength(1);
		});

		it.each<INodeParameters>([
			{},
			{ customer: byId('') },
			{ customer: byId('={{ $json.customer }}') },
			{ customer: '={{ $json.customer }}' },
			{ customer: byName('No such customer') },
			{ customer: byName('Twin') },
		])('shows all unless exactly one customer is chosen: %j', async (parameters) => {
			for (const Name of ['Twin', 'Twin']) records.insert('Customer', { Name, DisplayAs: Name });
			await inForm(method, parameters, 'parameters.contact');
			expect(lastCondition(entity)).toEqual(equals('IsRemoved', false));
		});

		it.each([
			['name', byName],
			['id', byId],
		])('shows the records of the customer named by %s', async (_, by) => {
			const { CustomerId } = row();
			const customer = by(records.get('Customer', Number(CustomerId)).TenantCode);
			const result = await inForm(method, { customer }, 'parameters.contact');
			expect(listIds(result)).toEqual(
				company.sandbox.store.idsWhere(entity, 'CustomerId', CustomerId),
			);
			expect(requests.paths()).toEqual(['POST query/Customer', `POST query/${entity}`]);
		});
	});

	describe('searchAssets', () => {
		const listUnits = (customer: number) =>
			records.children('Space', 'CustomerId', customer).map((space) => (space.Asset as Row).Id);
		const customer = () => Number(records.rows('Space')[1].CustomerId);
		const ascending = (ids: number[]) => [...ids].sort((a, b) => a - b);
		/** The assets in the spaces of the customer. */
		const own = () => {
			const units = listUnits(customer());
			const inside = records
				.rows('AssetTree')
				.filter((row) => units.includes(Number(row.ParentId)));
			return ascending([...new Set(inside.map(({ ChildId }) => Number(ChildId)))]);
		};
		const ask = async (parameters: INodeParameters, filter?: string, paginationToken?: string) =>
			await n8n.engine.listSearch('searchAssets', {
				parameters: { resource: 'workOrder', operation: 'create', ...parameters },
				path: 'parameters.items.values[0].asset',
				filter,
				paginationToken,
			});

		it('shows the assets in the spaces of the chosen customer, units included, with two requests', async () => {
			const result = await ask({ customer: chosen(customer()) });
			expect(own().length).toBeGreaterThan(2);
			expect(own().length).toBeLessThan(records.rows('Location').length);
			expect(ascending(listIds(result))).toEqual(own());
			expect(listNames(result)).toEqual([...listNames(result)].sort());
			expect(requests.queries()).toEqual(['Space', 'AssetTree']);
		});

		it('searches in these spaces, and elsewhere only if nothing is found there', async () => {
			const [unit] = listUnits(customer());
			const { Name: name } = records.get('Location', unit);
			const parameters = { customer: chosen(customer()) };
			expect(listIds(await ask(parameters, String(name)))).toEqual([unit]);
			expect(requests.queries()).toEqual(['Space', 'AssetTree']);
			company.sandbox.forgetRequests();

			const { Id } = records.insert('Location', { Name: 'Zyzzyva', IsTemplate: false });
			const results = [some({ value: String(Id) })];
			expect(await ask(parameters, 'zyzzyva')).toEqual({ results });
			expect(requests.queries()).toEqual(['Space', 'AssetTree', 'Location']);
		});

		it('continues page by page', async () => {
			const [unit] = listUnits(customer());
			const ids = Array.from({ length: 130 }, (_, index) => {
				const Name = `Zyzzyva ${String(index).padStart(3, '0')}`;
				const { Id } = records.insert('Location', { Name, IsTemplate: false });
				records.insert('AssetTree', { ParentId: unit, ChildId: Id, Child: { Id } });
				return Id;
			});
			records.insert('Location', { Name: 'Zyzzyva elsewhere', IsTemplate: false });
			const parameters = { customer: chosen(customer()) };
			const first = await ask(parameters, 'zyzzyva');
			const second = await ask(parameters, 'zyzzyva', first.paginationToken as string);
			expect([...listIds(first), ...listIds(second)]).toEqual(ids);
			expect(second.paginationToken).toBe('130');
			expect(await ask(parameters, 'zyzzyva', '130')).toEqual({ results: [] });
		});

		it('shows all for a customer without spaces, and where the spaces or their assets may not be read', async () => {
			const all = (await ask({})).results;
			expect((await ask({ customer: chosen(4711) })).results).toEqual(all);
			const refusal = { ErrorCode: 'ERROR_CODE_1002', ErrorMessage: 'No' };
			requests.fault(rejection('/query/AssetTree', refusal));
			expect((await ask({ customer: chosen(customer()) })).results).toEqual(all);
			company.sandbox.set({ unreadable: ['Space'] });
			expect((await ask({ customer: chosen(customer()) })).results).toEqual(all);
		});

		it('shows all units where a unit is to be assigned to a customer', async () => {
			const parameters = { customer: chosen(customer()) };
			expect(await n8n.engine.listSearch('searchUnits', { parameters })).toEqual(await ask({}));
		});

		it('is limited to the customer in filters as well', async () => {
			const result = await n8n.engine.listSearch('searchAssets', {
				parameters: {
					resource: 'workOrder',
					operation: 'getMany',
					filters: { customer: chosen(customer()), asset: byId('') },
				},
				path: 'parameters.filters.asset',
			});
			expect(ascending(listIds(result))).toEqual(own());
		});
	});

	it.each([
		['searchNotes', 'WoNote', 'note', 'WorkOrderId'],
		['searchDocuments', 'Document', 'document', 'ActorId'],
		['searchCosts', 'FinancialItem', 'cost', 'WoId'],
	])(
		'%s shows the records of the work order, with one request after the look-up of its number',
		async (method, entity, resource, member) => {
			const [{ Id: order, Number: number }] = records.rows('WorkOrder');
			const mine = records.insert(entity, { [member]: order, ActorTypeId: 'WO' }).Id;
			records.insert(entity, { [member]: order + 1, ActorTypeId: 'WO' });
			records.insert(entity, { [member]: 0, ActorId: order, ActorTypeId: 'Asset' });
			const fitting = records.idsWhere(
				entity,
				(row) => row[member] === order && (entity !== 'Document' || row.ActorTypeId === 'WO'),
			);
			for (const operation of ['delete', 'get', 'update']) {
				company.sandbox.forgetRequests();
				const result = await n8n.engine.listSearch(method, {
					parameters: { resource, operation, workOrder: chosen(order) },
				});
				expect(listIds(result)).toEqual([...fitting].reverse());
				expect(listIds(result)).toContain(mine);
				expect(requests.sent()).toHaveLength(1);

				const parameters = { resource, operation, workOrder: byNumber(number) };
				expect(await n8n.engine.listSearch(method, { parameters })).toEqual(result);
				expect(requests.sent()).toHaveLength(3);
			}
		},
	);

	it.each([
		'note:get',
		'note:update',
		'note:delete',
		'cost:get',
		'cost:update',
		'cost:delete',
		'document:get',
		'document:delete',
		'document:download',
	])('%s neither needs nor sends the fields that limit its list', async (operation) => {
		const [resource] = operation.split(':');
		const [Id] = records.ids(
			{ note: 'WoNote', cost: 'FinancialItem', document: 'Document' }[resource]!,
		);
		const send = async (parameters: INodeParameters) => {
			company.fresh();
			const run = await n8n.run(operation, {
				id: byId(Id),
				fieldsJson: { [resource === 'cost' ? 'Comment' : 'Body']: 'x' },
				...parameters,
			});
			// The request ID is random.
			const withoutId = (body: unknown) => ({ ...(body as object), RequestId: undefined });
			const sent = requests.sent().map(({ path, body }) => ({ path, body: withoutId(body) }));
			return { error: run.error, sent };
		};
		const without = await send({});
		expect(without.sent.length).toBeGreaterThan(0);
		for (const workOrder of [byId(4711), byId('no ID'), byId('={{ $json.nothing }}')]) {
			expect(await send({ workOrder })).toEqual(without);
		}
	});

	it('shows the contacts of the customer whose order gets an estimate, with two requests', async () => {
		const { Id, Customer } = records.rows('WorkOrder')[0];
		const result = await n8n.engine.listSearch('searchContacts', {
			parameters: { resource: 'workOrder', operation: 'setEstimate', id: byId(Id) },
			path: 'parameters.contact',
		});
		expect(listIds(result)).toEqual(
			company.sandbox.store.idsWhere('Contact', 'CustomerId', getId(Customer)),
		);
		expect(requests.queries()).toEqual(['WorkOrder', 'Contact']);
	});

	it('shows the tasks that fit the asset of the same row, with two requests', async () => {
		const { Id } = records.find('Location', { ModelId: 401 });
		const items = { values: [{ asset: byId(1) }, { asset: byId(Id) }] };
		const result = await n8n.engine.listSearch('searchTasks', {
			parameters: { resource: 'workOrder', operation: 'create', items },
			path: 'parameters.items.values[1].task',
		});
		expect(requests.queries()).toEqual(['Location', 'Task']);
		expect(lastCondition('Task')).toEqual(equals('ModelId', 401));
		expect(listIds(result).sort()).toEqual(
			records.idsWhere('Task', ({ ModelId }) => ModelId === 401),
		);
	});

	it('shows all tasks while no asset is chosen, and for an asset that is not there', async () => {
		const parameters = { items: { values: [{ asset: byId('') }] } };
		const path = 'parameters.items.values[0].task';
		await n8n.engine.listSearch('searchTasks', { parameters, path });
		expect(requests.sent()).toHaveLength(1);
		expect(lastCondition('Task')).toEqual(equals('IsRemoved', false));

		await inForm('searchTasks', { asset: other }, 'parameters.task');
		expect(lastCondition('Task')).toEqual(equals('IsRemoved', false));
	});

	it('shows the sub types of the chosen category', async () => {
		const { results } = await n8n.engine.listSearch('searchSubTypes', {
			parameters: { resource: 'workOrder', operation: 'create', typeCategory: 'Request' },
		});
		expect(results.map(({ name }) => name)).toEqual(['Service Request (Request, SR)']);
		expect(lastCondition('WorkOrderType')).toEqual(equals('TypeId', 'Request'));

		await n8n.engine.listSearch('searchSubTypes', {
			parameters: { typeCategory: '={{ $json.category }}' },
		});
		expect(lastCondition('WorkOrderType')).toEqual(equals('IsRemoved', false));
	});
});

describe('the owner of a record', () => {
	it('is shown of a space, with one request for all, and not where the form says so', async () => {
		const owner = records.insert('Customer', { DisplayAs: 'Stores', TenantCode: 'Z1' }).Id;
		const Asset = { Id: records.insert('Location', { Name: 'Zyzzyva' }).Id };
		records.insert('Space', { Asset, CustomerId: owner, StatusId: 'Current' });
		records.insert('Space', { Asset, CustomerId: 0, StatusId: 'Current' });
		const ask = async (parameters: INodeParameters) =>
			listNames(await n8n.engine.listSearch('searchSpaces', { filter: 'zyzzyva', parameters }));
		expect(await ask({})).toEqual(['Zyzzyva (Stores, Current)', 'Zyzzyva (Current)']);
		expect(requests.sent()).toHaveLength(2);
		company.sandbox.forgetRequests();
		expect(await ask({ operation: 'create', customer: byId(owner) })).toEqual([
			'Zyzzyva (Current)',
		]);
		expect(requests.sent()).toHaveLength(1);

		company.sandbox.set({ unreadable: ['Customer'] });
		expect(await ask({})).toEqual(['Zyzzyva (Current)', 'Zyzzyva (Current)']);
	});

	it('is shown for a repair code by the name of its parent', async () => {
		const ParentId = records.insert('RepairCode', { DisplayAs: 'Plumbing' }).Id;
		records.insert('RepairCode', { DisplayAs: 'Zyzzyva', ParentId });
		const result = await n8n.engine.listSearch('searchRepairCodes', { filter: 'zyzzyva' });
		expect(listNames(result)).toEqual(['Zyzzyva (Plumbing)']);
		expect(requests.sent()).toHaveLength(2);
	});
});

describe('records of any entity', () => {
	const ask = async (entity: unknown, operation = 'get', filter?: string) =>
		await n8n.engine.listSearch('searchRecords', {
			parameters: { resource: 'record', operation, entity: byName(entity) },
			filter,
		});

	it('are shown as in their own list, including templates and hidden ones', async () => {
		records.insert('Location', { Name: 'Zyzzyva', IsTemplate: true, TypeId: 'Building' });
		for (const entity of ['Location', 'Asset']) {
			expect(listNames(await ask(entity, 'get', 'zyzzyva'))).toEqual(['Zyzzyva (Building)']);
		}
	});

	it('are the deleted ones where they can be restored', async () => {
		const { Id } = records.insert('Contact', { DisplayAs: 'Zyzzyva (deleted)', IsRemoved: true });
		expect(listIds(await ask('Contact', 'restore', 'zyzzyva'))).toEqual([Id]);
		expect(listIds(await ask('Contact', 'delete', 'zyzzyva'))).toEqual([]);
	});

	it('are listed by what they are about, newest first, where they have no name', async () => {
		const { results } = await ask('WoItem');
		const ids = records.ids('WoItem').reverse();
		expect(results.map(({ value }) => Number(value))).toEqual(ids);
		expect(results[0].name).toBe('DFW0000003 (Roof, Leak > 1 gallon/hour, ID 20)');
		expect(listIds(await ask('WoItem', 'get', String(ids[2])))).toEqual([ids[2]]);
		for (const none of ['text', `x${ids[2]}`, `${ids[2]}x`]) {
			expect(listIds(await ask('WoItem', 'get', none))).toEqual([]);
		}
	});

	it.each([undefined, '', '={{ $json.entity }}', 'NoSuchThing'])(
		'are empty while the entity is %j, and nothing is sent',
		async (entity) => {
			expect(await ask(entity)).toEqual({ results: [] });
			expect(company.sandbox.requests).toEqual([]);
		},
	);
});

it('the list of entities begins with those that people use most', async () => {
	const { results } = await n8n.engine.listSearch('searchEntities', {});
	const used = Object.keys(summaries);
	expect(results.slice(0, used.length).map(({ value }) => value)).toEqual(
		entities.flatMap(({ name }) => (used.includes(name) ? name : [])),
	);
});

describe.each([
	['searchEntities', 'work order', 'WorkOrder', entities.length],
	['searchEntities', 'vendor', 'Employee', entities.length],
	['searchEntities', 'inspection', 'WoProcedure', entities.length],
	['searchEntities', 'store', 'Customer', entities.length],
	['searchEntities', 'meter', 'AssetAttribute', entities.length],
	['searchCommands', 'CANCEL', 'WoCancelCommand', commands.length],
])('%s for %j', (method, filter, value, count) => {
	it('lists its choices without a request', async () => {
		const all = await n8n.engine.listSearch(method, {});
		expect(all.results).toHaveLength(count);
		const some = await n8n.engine.listSearch(method, { filter });
		expect(some.results.map((one) => one.value)).toContain(value);
		expect(await n8n.engine.listSearch(method, { filter: 'no such' })).toEqual({ results: [] });
		expect(company.sandbox.requests).toEqual([]);
	});
});
