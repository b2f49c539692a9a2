import fc from 'fast-check';

import { listIds, sharedClient } from './client';
import { cases } from '../cases';

interface Contact {
	Id: number;
	FirstName?: string;
	PriorityThreshold: number;
	CanCreateRequest: boolean;
	TypeId: string;
	addresses: Array<{ Address: string }>;
}

interface Condition {
	PropertyName: string;
	Operator: string;
	Values: unknown[];
}

interface Filter {
	FilterOperator: string;
	Conditions: Condition[];
	Filters?: Filter[];
}

const TYPES = ['Unknown', 'Alternate', 'Emergency', 'Primary'];
const NAMES = ['anna', 'Ben', 'Chloé', 'a%b', ''];
const MAILS = ['a@example.org', 'B@example.org', 'c'];

type Scalar = string | number | undefined;

const plain = (value: unknown): Scalar => {
	if (value === undefined) return undefined;
	if (typeof value === 'boolean') return value ? 1 : 0;
	return typeof value === 'number' ? value : String(value).toLowerCase();
};

function readValue(
	contact: Contact,
	address: { Address: string } | undefined,
	name: string,
): Scalar {
	if (name === 'ContactAddresses.Address') return plain(address?.Address);
	if (name === 'TypeId') return TYPES.indexOf(contact.TypeId);
	return plain(contact[name as keyof Contact]);
}

const like = (text: unknown, pattern: unknown): boolean => {
	const parts = String(pattern).split('%');
	const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${escaped.join('.*')}$`).test(String(text));
};

type Comparison = (value: string | number, a: string | number, b: string | number) => boolean;

const COMPARISONS: Record<string, Comparison> = {
	NotNull: () => true,
	NotEqual: (value, a) => value !== a,
	GreaterThan: (value, a) => value > a,
	GreaterOrEqual: (value, a) => value >= a,
	LessThan: (value, a) => value < a,
	LessOrEqual: (value, a) => value <= a,
	Between: (value, a, b) => value >= a && value <= b,
	NotBetween: (value, a, b) => value < a || value > b,
	Like: like,
	NotLike: (value, a) => !like(value, a),
};

function holds(value: Scalar, { PropertyName, Operator, Values }: Condition): boolean {
	if (Operator === 'Null') return value === undefined;
	if (value === undefined) return false;
	const all = Values.map((wanted) =>
		PropertyName === 'TypeId' ? TYPES.indexOf(String(wanted)) : plain(wanted),
	);
	if (Operator === 'Equal' || Operator === 'In') return all.includes(value);
	if (Operator === 'NotIn') return !all.includes(value);
	const [a = '', b = ''] = all;
	return COMPARISONS[Operator](value, a, b);
}

function matches(
	contact: Contact,
	address: { Address: string } | undefined,
	filter: Filter,
): boolean {
	const results = [
		...filter.Conditions.map((one) => holds(readValue(contact, address, one.PropertyName), one)),
		...(filter.Filters ?? []).map((inner) => matches(contact, address, inner)),
	];
	if (results.length === 0) return true;
	return filter.FilterOperator === 'And' ? results.every(Boolean) : results.some(Boolean);
}

const mentionsCollection = ({ Conditions, Filters = [] }: Filter): boolean =>
	Conditions.some(({ PropertyName }) => PropertyName.includes('.')) ||
	Filters.some(mentionsCollection);

function naive(contacts: Contact[], filter: Filter, distinct: boolean): number[] {
	const found = contacts.flatMap((contact) => {
		const joined = mentionsCollection(filter) ? contact.addresses : [];
		const rows = joined.length > 0 ? joined : [undefined];
		return rows.filter((row) => matches(contact, row, filter)).map(() => contact.Id);
	});
	return distinct ? [...new Set(found)] : found;
}

const valuesFor: Record<string, fc.Arbitrary<unknown>> = {
	Id: fc.integer({ min: 2001, max: 2100 }),
	PriorityThreshold: fc.integer({ min: -1, max: 4 }),
	CanCreateRequest: fc.boolean(),
	TypeId: fc.constantFrom(...TYPES),
	FirstName: fc.constantFrom(...NAMES, '%n%', 'a%', '%'),
	'ContactAddresses.Address': fc.constantFrom(...MAILS, '%example%', '%a%'),
};

const counts: Record<string, [number, number]> = {
	Null: [0, 0],
	NotNull: [0, 0],
	Between: [2, 2],
	NotBetween: [2, 2],
	In: [1, 4],
	NotIn: [1, 4],
};

const OPERATORS = [
	...['Between', 'Equal', 'GreaterOrEqual', 'GreaterThan', 'In', 'LessOrEqual', 'LessThan'],
	...['Like', 'NotBetween', 'NotEqual', 'NotIn', 'NotLike', 'NotNull', 'Null'],
];

/** Any operator on a property, with as many values as it takes. */
function on(PropertyName: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Condition> {
	const isText = PropertyName === 'FirstName' || PropertyName.includes('.');
	const operators = OPERATORS.filter((name) => isText || !name.endsWith('Like'));
	return fc.constantFrom(...operators).chain((Operator) => {
		const [minLength, maxLength] = counts[Operator] ?? [1, 1];
		return fc
			.array(value, { minLength, maxLength })
			.map((Values) => ({ PropertyName, Operator, Values }));
	});
}

const condition = fc.oneof(...Object.entries(valuesFor).map(([name, value]) => on(name, value)));

/** Filters nested up to a depth. */
const drawFilter = (depth: number): fc.Arbitrary<Filter> =>
	fc.record({
		FilterOperator: fc.constantFrom('And', 'Or'),
		Conditions: fc.array(condition, { maxLength: 3 }),
		Filters: depth === 0 ? fc.constant([]) : fc.array(drawFilter(depth - 1), { maxLength: 2 }),
	});

/** Conditions that use the index on Id: every operator, with existing Ids and Ids between them. */
const onId = on('Id', fc.integer({ min: 1995, max: 2080 })).map(
	(one): Filter => ({ FilterOperator: 'And', Conditions: [one] }),
);

describe('the query engine', () => {
	const client = sharedClient({ workOrders: 0, customers: 0 });
	let contacts: Contact[];

	beforeAll(() => {
		const { store } = client;
		contacts = Array.from({ length: 24 }, (_, index) => {
			const members = {
				Id: 2001 + index * 3,
				FirstName: index % 6 === 5 ? undefined : NAMES[index % NAMES.length],
				PriorityThreshold: index % 4,
				CanCreateRequest: index % 3 === 0,
				TypeId: TYPES[index % TYPES.length],
			};
			const addresses = MAILS.slice(0, index % 4).map((Address) => ({ Address }));
			store.insert('Contact', { ...members });
			for (const address of addresses) {
				const owner = { ActorTypeId: 'LeaseUser', ActorId: members.Id };
				store.insert('ContactInfo', { ...owner, ...address });
			}
			return { ...members, addresses };
		});
	});

	it.each([
		['any criteria', drawFilter(2)],
		['any condition on Id', onId],
	])('a query with %s finds the same rows as a full scan', async (_case, filters) => {
		await fc.assert(
			fc.asyncProperty(filters, fc.boolean(), async (Criteria, Distinct) => {
				const query = { Criteria, Distinct, PropertySet: { Properties: ['Id'] } };
				const expected = naive(contacts, Criteria, Distinct);
				const Orders = [{ PropertyName: 'Id' }];
				expect(listIds(await client.query('Contact', { ...query, Orders }))).toEqual(expected);
				const scattered = listIds(await client.query('Contact', query));
				expect(scattered.sort((a, b) => a - b)).toEqual(expected);
			}),
			{ numRuns: cases(50, 200) },
		);
	});
});
