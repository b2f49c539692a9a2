import fc from 'fast-check';
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isSearchable, isSharedMember } from '../../../nodes/Corrigo/catalogue/audience';
import {
	carriesCustomFields,
	entities,
	getMemberTypes,
	toRowType,
} from '../../../nodes/Corrigo/catalogue/entities';
import { getNameProperties } from '../../../nodes/Corrigo/catalogue/targets';
import { outputFields } from '../../../nodes/Corrigo/form/form';
import { resources } from '../../../nodes/Corrigo/actions/resources';
import type { RunForm } from '../../../nodes/Corrigo/form/nodeForm';
import { RunContext, type ResolvingRun } from '../../../nodes/Corrigo/run/context';
import type { Row } from '../../../sandbox';
import {
	byId,
	byName,
	idsOf,
	itemsOf,
	jsonOf,
	rejection,
	shareCompany,
	where,
} from '../../support/company';

const company = shareCompany({ workOrders: 40 });
const { n8n, records, requests } = company;

const STAFF = 'Someone of the staff';
const PRIVATE = 'Not for customers';
const AMOUNT = 4242.42;
/** Of an order in CorrigoPro, the network of vendors. */
const WON_ID = 987_654_321;
const HIDDEN = [STAFF, PRIVATE, String(AMOUNT), String(WON_ID)];

/** Every text and amount that customers may not see, in records of all entities. */
function hideEverywhere() {
	const hiding: Record<string, unknown> = { string: PRIVATE, number: AMOUNT };
	for (const { name } of entities) {
		const hidden = Object.entries(getMemberTypes(name)).filter(
			([member, type]) => type in hiding && !isSharedMember(name, member),
		);
		const values = Object.fromEntries(hidden.map(([member, type]) => [member, hiding[type]]));
		for (const { Id } of records.rows(name)) records.change(name, Id, values);
	}
}

/** Whatever customers may not see has a value that is found in the output if it is there. */
beforeEach(() => {
	for (const { Id } of records.rows('Employee')) {
		records.change('Employee', Id, { DisplayAs: STAFF, FirstName: STAFF, LastName: STAFF });
	}
	const money = { CurrencyTypeId: 'USD', Value: AMOUNT };
	const [employee] = records.rows('Employee');
	const author = { Id: employee.Id, TypeId: 'Employee', DisplayAs: STAFF };
	for (const { Id, WorkOrderCost: cost } of records.rows('WorkOrder')) {
		const own = { VendorNte: money, Employee: { Id: employee.Id }, WonId: WON_ID };
		records.change('WorkOrder', Id, own);
		records.insert('WoAssignment', { WorkOrderId: Id, EmployeeId: employee.Id, IsPrimary: true });
		if (cost === undefined) records.change('WorkOrderCost', Id, { CustomerNte: money });
		const note = { WorkOrderId: Id, CreatedBy: author };
		records.insert('WoNote', { ...note, NoteTypeId: 'Private', Body: PRIVATE });
		records.insert('WoNote', { ...note, NoteTypeId: 'Public', Body: 'For all' });
		const document = { ActorTypeId: 'WO', ActorId: Id, UpdatedBy: author };
		records.insert('Document', { ...document, IsPublic: true, Title: 'For all' });
		records.insert('Document', { ...document, IsPublic: false, Title: PRIVATE });
	}
	for (const { Id } of records.rows('WoActionLog'))
		records.change('WoActionLog', Id, { Comment: PRIVATE });
});

const audience = { options: { audience: 'customer' } };

/** Every read that has an audience. */
const reads = resources.flatMap(({ value: resource, operations }) =>
	operations
		.filter(({ fields }) =>
			fields.some(
				({ name, options = [] }) =>
					name === 'options' && options.some((one) => one.name === 'audience'),
			),
		)
		.map(({ value, fields }) => ({
			resource,
			operation: value,
			hasOutput: fields.some(({ name }) => name === outputFields[0].name),
		})),
);

const ENTITIES: Record<string, string> = {
	customer: 'Customer',
	document: 'Document',
	note: 'WoNote',
	workOrder: 'WorkOrder',
};

const isShown = ({ IsPublic, NoteTypeId, ActorTypeId }: Row) =>
	IsPublic !== false && NoteTypeId !== 'Private' && ActorTypeId !== 'Employee';

const search = (resource: string) => ({
	returnAll: true,
	output: 'simplified',
	...(resource === 'document' && { actorTypeId: 'any' }),
});

const form = ({ resource, operation, hasOutput }: (typeof reads)[number]) =>
	operation === 'getMany'
		? search(resource)
		: {
				id: byId(records.rows(ENTITIES[resource]).filter(isShown).at(-1)?.Id),
				...(hasOutput && { output: 'simplified' }),
			};

it('the option is there for the records that customers may see, and for no others', () => {
	expect([...new Set(reads.map(({ resource, operation }) => `${resource}:${operation}`))]).toEqual([
		...['customer:get', 'customer:getMany', 'document:get', 'document:getMany'],
		...['note:get', 'note:getMany'],
		...['workOrder:get', 'workOrder:getDetails', 'workOrder:getHistory', 'workOrder:getMany'],
	]);
});

describe.each(reads)('$resource:$operation', (read) => {
	const name = `${read.resource}:${read.operation}`;
	const run = async (parameters: object) => await n8n.run(name, { ...form(read), ...parameters });

	// Promise: *Audience: Customer* shows no costs
	it('returns no costs, staff or private text to customers', async () => {
		for (const prepare of [() => undefined, hideEverywhere]) {
			prepare();
			const { error, items } = await run(audience);
			expect(error).toBeUndefined();
			expect(items.length).toBeGreaterThan(0);
			const text = JSON.stringify(jsonOf(items));
			for (const hidden of HIDDEN) expect(text).not.toContain(hidden);
		}
	});

	it('asks for nothing that customers may not see', async () => {
		await run(audience);
		const asked = requests.sent().flatMap(({ body, query, path }) => {
			const entity = path.split('/').at(-1) ?? '';
			const properties =
				(body as Partial<QueryBody> | undefined)?.QueryExpression?.PropertySet.Properties ??
				String(query.properties).split(',');
			return properties.filter((one) => !isShownPath(entity, one));
		});
		expect(asked).toEqual([]);
	});

	it('returns everything otherwise', async () => {
		const all = await run({});
		const internal = await run({ options: { audience: 'internal' } });
		expect(jsonOf(internal.items)).toEqual(jsonOf(all.items));
		const hasHidden = HIDDEN.some((hidden) => JSON.stringify(jsonOf(all.items)).includes(hidden));
		// Customers themselves, and the public document, have nothing of the kind.
		expect(hasHidden || ['customer:get', 'customer:getMany', 'document:get'].includes(name)).toBe(
			true,
		);
	});

	if (!read.hasOutput) return;

	it.each([{ output: 'raw' }, { output: 'selected', properties: ['Id'] }])(
		'refuses %j',
		async (parameters) => {
			expect(await n8n.refusal(run({ ...audience, ...parameters }))).toBe(
				"'Output' must be Simplified with 'Audience: Customer'",
			);
		},
	);
});

it('details of an order have the parts that customers may see, and the public rows of each', async () => {
	const [{ Id }] = records.rows('WorkOrder');
	const read = async (options: object) => {
		const { items } = await n8n.succeed('workOrder:getDetails', { id: byId(Id), options });
		return jsonOf(items)[0];
	};
	const shared = await read({ audience: 'customer' });
	const parts = ['Address', 'Contact', 'Customer', 'Documents', 'History', 'Items', 'Notes'];
	expect(Object.keys(shared)).toEqual(expect.arrayContaining([...parts, 'Verifications']));
	const { Notes, Documents, Items } = await read({});
	for (const [name, rows] of Object.entries({ Notes, Documents })) {
		const visible = (rows as Row[]).filter(isShown);
		expect(visible.length).toBeGreaterThan(0);
		expect(idsOf(shared[name] as Row[])).toEqual(idsOf(visible));
	}
	expect(idsOf(shared.Items as Row[])).toEqual(idsOf(Items as Row[]));
	const notes = await read({ audience: 'customer', include: ['notes', 'costs'] });
	expect(notes.Notes).toEqual(shared.Notes);
	expect(notes).not.toHaveProperty('Items');
	expect(notes).not.toHaveProperty('Costs');
});

it.each(['customer', 'workOrder'])('custom fields of a %s are refused', async (resource) => {
	const run = n8n.run(`${resource}:getMany`, {
		output: 'simplified',
		options: { audience: 'customer', flattenCustomFields: true },
	});
	expect(await n8n.refusal(run)).toBe(
		"'Flatten Custom Fields' is on, but customers see no custom fields",
	);
});

it('leaves out what Corrigo returns without having been asked', async () => {
	const Data = { Id: 1, Number: 'A1', Unknown: PRIVATE, Specialty: { Id: 2, Unknown: PRIVATE } };
	requests.fault(rejection('/query/WorkOrder', { Entities: [{ Data }] }, { status: 200 }));
	const { items } = await n8n.succeed('workOrder:getMany', { output: 'simplified', ...audience });
	expect(jsonOf(items)).toEqual([{ Id: 1, Number: 'A1', Specialty: { Id: 2 } }]);
});

interface QueryBody {
	QueryExpression: { PropertySet: { Properties: string[] } };
}

/** A path that leads through shared members alone, also to rows of which customers see some. */
function isShownPath(owner: string, path: string): boolean {
	const [member, ...rest] = path.split('.');
	const type = toRowType(getMemberTypes(owner)[member] ?? '');
	return isSharedMember(owner, member) && (rest.length === 0 || isShownPath(type, rest.join('.')));
}

describe('a search for customers', () => {
	/** Every path of up to three members, and a name that the catalogue does not know. */
	const listPaths = (owner: string, depth = 3): string[] =>
		Object.entries({ ...getMemberTypes(owner), Unknown: 'string' }).flatMap(([member, type]) => [
			member,
			...(depth > 1
				? listPaths(toRowType(type), depth - 1).map((path) => `${member}.${path}`)
				: []),
		]);
	const searches = reads.filter(({ operation }) => operation === 'getMany');
	const places = searches.flatMap(({ resource }) =>
		listPaths(ENTITIES[resource])
			.filter((path) => !isSearchable(ENTITIES[resource], path))
			.map((path) => ({ resource, path })),
	);
	/** The catalogue does not list the custom fields of a Company. */
	const customFields = searches
		.filter(({ resource }) => carriesCustomFields(ENTITIES[resource]))
		.map(({ resource }) => ({ resource, path: 'CustomFields.721' }));
	const ways: Record<string, (path: string) => object> = {
		conditions: (path) => where(path, undefined, 'NotNull'),
		'Criteria (JSON)': (PropertyName) => ({
			criteriaJson: { Filters: [{ Conditions: [{ PropertyName, Operator: 'NotNull' }] }] },
		}),
		sort: (property) => ({ sort: { values: [{ property, direction: 'Descending' }] } }),
	};
	const spellings = [(path: string) => path, (path: string) => path.toUpperCase()];

	it('refuses every hidden property before anything is sent, however it is used', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(fc.constantFrom(...places), fc.constantFrom(...customFields)),
				fc.constantFrom(...Object.values(ways)),
				fc.constantFrom(...spellings),
				async ({ resource, path }, use, spell) => {
					const parameters = { ...search(resource), ...use(spell(path)), ...audience };
					expect(await n8n.refusal(n8n.run(`${resource}:getMany`, parameters))).toMatch(
						/^'(Search By|Sort)' uses .* 'Audience: Customer' hides|^'Sort > Sort By' must be a field/,
					);
				},
			),
			{ numRuns: 100 },
		);
	});

	it('refuses what the issue of leaks named, and rows of which some are hidden', () => {
		for (const path of [
			...['VendorNte.Value', 'Specialty.Currencies.Nte', 'WorkZone.EscalationRules.UserId'],
			...['RequestorContact.Comment', 'WorkZone.BillingAccount.Balance', 'Employee.DisplayAs'],
			...['Notes.Body', 'Documents.Title', 'ActionLogRecords.TypeId', 'CustomFields.Value'],
		]) {
			expect(isSearchable('WorkOrder', path)).toBe(false);
		}
	});

	it('uses the ID of every record whose name it uses', () => {
		const ids = Object.values(ENTITIES).flatMap((entity) =>
			listPaths(entity)
				.filter((path) => /\.(DisplayAs|Name)$/.test(path) && isSearchable(entity, path))
				.map((path) => ({ entity, path: path.replace(/\w+$/, 'Id') })),
		);
		expect(ids.length).toBeGreaterThan(9);
		expect(ids.filter(({ entity, path }) => !isSearchable(entity, path))).toEqual([]);
	});

	it.each(Object.keys(ways))('finds by what customers see: %s', async (way) => {
		const parameters = { ...search('workOrder'), ...ways[way]('ContactName'), ...audience };
		await n8n.succeed('workOrder:getMany', parameters);
		expect(JSON.stringify(requests.sent().at(-1)?.body)).toContain('ContactName');
	});

	it.each([
		[{ assignee: byName('Someone of the stuff') }, 'Assignee'],
		[{ flagged: true }, 'Flagged'],
	])('a filter of work orders cannot be %j', async (filters, label) => {
		const parameters = { output: 'simplified', filters, ...audience };
		const { message, description } = await n8n.refuse('workOrder:getMany', parameters);
		expect(message).toMatch(`'${label}' uses `);
		expect(`${message} ${description}`).not.toContain(STAFF);
	});

	it('names no staff as owners of documents, and no hidden document', async () => {
		const owners = { actorTypeId: 'Employee', actorId: byName('Someone of the stuff') };
		const simplified = { output: 'simplified', ...audience };
		const many = n8n.run('document:getMany', { ...simplified, ...owners });
		expect(await n8n.refusal(many)).toMatch(/'Attached To' must be one of/);
		const one = n8n.run('document:get', { ...simplified, id: byName(PRIVATE) });
		expect(await n8n.refusal(one)).toMatch(/'Document' must be/);
	});
});

it.each([
	['note', { NoteTypeId: 'Private' }],
	['document', { IsPublic: false }],
	['document', { ActorTypeId: 'Employee' }],
])(
	'for customers, a private %s is in no list, and has the error of one that is missing: %j',
	async (resource, hidden) => {
		const entity = ENTITIES[resource];
		const [{ Id: own }] = records.rows(entity);
		records.change(entity, own, hidden);
		const { items } = await n8n.run(`${resource}:getMany`, { ...search(resource), ...audience });
		expect(idsOf(jsonOf(items))).toEqual(idsOf(records.rows(entity).filter(isShown)));
		const failures = [];
		for (const combineItems of [true, false]) {
			for (const id of [own, 987_654]) {
				const options = { audience: 'customer', advanced: { combineItems } };
				const form = { output: 'simplified', id: byId(id), options };
				const { error } = await n8n.run(`${resource}:get`, form);
				const { message, description, httpCode } = error ?? {};
				failures.push([message?.replace(String(id), 'X'), description, httpCode]);
			}
		}
		expect(failures).toEqual(Array(4).fill(failures[0]));
		expect(failures[0][2]).toBe('404');
	},
);

describe('a name that leads to no record, or to several, tells customers nothing about others', () => {
	const PEAK = 'Twin Peaks';
	const [WRONG, AMBIGUOUS] = ['Twin Peak', 'Twin Tower'];

	interface Place {
		name: string;
		build: (value: string) => object;
	}

	/** Every field of the reads that takes the name of a record, at any depth. */
	function* listPlaces(fields: readonly INodeProperties[]): Generator<Place> {
		for (const { name, type, options = [] } of fields) {
			if (type === 'resourceLocator') yield { name, build: (value) => ({ [name]: byName(value) }) };
			if (type === 'collection') {
				for (const { name: inner, build } of listPlaces(options as INodeProperties[]))
					yield { name: `${name}.${inner}`, build: (value) => ({ [name]: build(value) }) };
			}
		}
	}

	const places = resources.flatMap(({ value: resource, operations }) =>
		operations
			.filter(({ value }) =>
				reads.some((one) => one.resource === resource && one.operation === value),
			)
			.flatMap(({ value, fields }) => {
				const read = reads.find((one) => one.resource === resource && one.operation === value)!;
				return [...listPlaces(fields)].map((place) => ({ read, ...place }));
			}),
	);

	beforeEach(() => {
		for (const { name } of entities) {
			const [property] = getNameProperties(name);
			const [first, second, third] = records.rows(name);
			if (property === undefined || third === undefined) continue;
			records.change(name, first.Id, { [property]: PEAK });
			for (const { Id } of [second, third]) records.change(name, Id, { [property]: AMBIGUOUS });
		}
	});

	// Promise: *Audience: Customer* shows no costs
	it('in any field', async () => {
		let told = 0;
		for (const { read, name, build } of places) {
			for (const wrong of [WRONG, AMBIGUOUS]) {
				const describe = async (audienceOption: string) => {
					const parameters = {
						...form(read),
						...build(wrong),
						options: { audience: audienceOption },
					};
					const { error } = await n8n.run(`${read.resource}:${read.operation}`, parameters);
					return JSON.stringify([error?.message, error?.description]);
				};
				const shown = (await describe('customer')).replaceAll(wrong, '');
				expect([name, shown]).toEqual([name, expect.not.stringMatching(/Twin|ID \d/)]);
				if (/Twin|ID \d/.test((await describe('internal')).replaceAll(wrong, ''))) told++;
			}
		}
		expect(told).toBeGreaterThan(20);
	});

	// Hosts before 2.41 evaluate an expression for all options.
	it.each([0, 1])('in any item, if the item %i alone is for customers', (item) => {
		const options = (index: number) => ({ audience: index === item ? 'customer' : 'internal' });
		const form: Partial<RunForm> = {
			createReader: (index) => (name, fallback) => (name === 'options' ? options(index) : fallback),
			share: (reading) => reading(),
		};
		const caller: Partial<IExecuteFunctions> = { getInputData: () => itemsOf(1, 2) };
		const run = new RunContext(caller as IExecuteFunctions, form as RunForm);
		expect((run as ResolvingRun).resolver.mayShowOthers()).toBe(false);
	});

	it('where Corrigo refuses the look-up in its own words', async () => {
		requests.fault(
			rejection('/query/WorkZone', { ErrorCode: 'X', ErrorMessage: `${PEAK} is yours` }),
		);
		const filters = { workZone: byName(WRONG) };
		const { error } = await n8n.run('workOrder:getMany', {
			output: 'simplified',
			filters,
			...audience,
		});
		expect(error?.message).toMatch(/^'Work Zone' is "Twin Peak", which cannot be looked up$/);
	});

	it.each([
		['workOrder:get', { id: byId(50001) }],
		['workOrder:getHistory', { id: byId(50001) }],
		['workOrder:getMany', {}],
		['note:getMany', { workOrder: byId(50001) }],
		['document:getMany', { actorTypeId: 'WO', actorId: byId(50001) }],
		['customer:get', { id: byId(101) }],
	])('where Corrigo refuses the records of %s in its own words', async (operation, form) => {
		const ErrorMessage = `User Page Long may not read what belongs to ${PEAK}`;
		const tell = async (options: object) => {
			for (const path of ['/query/', '/base/', '/cmd/']) {
				requests.fault(rejection(path, { ErrorCode: 'X', ErrorMessage }));
			}
			const { error } = await n8n.run(operation, {
				...{ output: 'simplified', ...form, ...options },
			});
			company.sandbox.clearFaults();
			return `${error?.message} ${error?.description} ${JSON.stringify(error?.context)}`;
		};
		expect(await tell({})).toContain('Page Long');
		expect(await tell(audience)).not.toMatch(/Page Long|Twin/);
		expect(await tell(audience)).toContain('Corrigo refused the request');
	});
});
