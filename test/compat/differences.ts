/**
 * What saved workflows do otherwise than in the version that saved them, and why that is wanted. Each
 * row is told to users in MIGRATION.md, by its title.
 */
import type { IDataObject } from 'n8n-workflow';

import type { Outcome, Sent } from './saved';

interface Difference {
	/** The last version that did it the old way. */
	since: string;
	title: string;
	reason: string;
	/** The names of the saved nodes in which it shows. */
	nodes: RegExp;
	/** What it came to then made into what it comes to now. */
	change: (then: Outcome) => Outcome;
}

const ORDER_BY_ID = { PropertyName: 'Id', OrderType: 'Ascending' };

const expressionOf = ({ body }: Sent) =>
	(body as { QueryExpression?: IDataObject } | undefined)?.QueryExpression;

const inRequests = (outcome: Outcome, ...replaced: Array<[RegExp, string]>): Outcome => ({
	...outcome,
	requests: replaced.reduce<Sent[]>(
		(requests, [was, is]) => JSON.parse(JSON.stringify(requests).replace(was, is)) as Sent[],
		outcome.requests,
	),
});

const ordered = (then: Outcome): Outcome => ({
	...then,
	requests: then.requests.map((request) => {
		const expression = expressionOf(request);
		return expression === undefined || 'Orders' in expression
			? request
			: { ...request, body: { QueryExpression: { ...expression, Orders: [ORDER_BY_ID] } } };
	}),
});

const refused = (message: string) => (): Outcome => ({
	requests: [],
	items: [],
	refused: message,
});

const equal = (PropertyName: string, value: unknown) => ({
	FilterOperator: 'And',
	Conditions: [{ PropertyName, Operator: 'Equal', Values: [value] }],
});

const customFieldNamed = (name: string) => ({
	PropertySet: { Properties: ['Id', 'Name'] },
	Criteria: {
		FilterOperator: 'And',
		Filters: [
			{
				FilterOperator: 'Or',
				Conditions: [{ PropertyName: 'Name', Operator: 'In', Values: [name] }],
			},
			{
				FilterOperator: 'And',
				Filters: [equal('IsRemoved', false), equal('ActorTypeId', 'WO')],
			},
		],
	},
	Orders: [ORDER_BY_ID],
	Count: 1000,
	FirstResultIndex: 0,
});

export const differences: Difference[] = [
	{
		since: '0.1.0',
		title: 'Times with a zone',
		reason:
			'The service takes the UTC of a time with a zone for the clock of the work zone: hours off',
		nodes: /^workOrder:update, time with a zone$/,
		change: ({ requests: [write], ...rest }) => ({
			...rest,
			requests: [
				{
					method: 'POST',
					path: '/api/v1/query/WorkOrder',
					body: {
						QueryExpression: {
							PropertySet: { Properties: ['Id', 'TimeZone'] },
							Criteria: {
								FilterOperator: 'And',
								Conditions: [{ PropertyName: 'Id', Operator: 'In', Values: [50_005] }],
							},
							Count: 1,
							FirstResultIndex: 0,
						},
					},
				},
				...inRequests({ requests: [write], items: [] }, [
					/2026-01-16T12:00:00Z/,
					'2026-01-16T07:00:00',
				]).requests,
			],
		}),
	},
	{
		since: '0.1.0',
		title: 'Times with a zone',
		reason: 'A search goes over many work zones, whose clocks cannot be compared with one time',
		nodes: /^workOrder:getMany, time with a zone$/,
		change: (then) => inRequests(then, [/"PropertyName":"DtDue"/, '"PropertyName":"DueDateUtc"']),
	},
	{
		since: '0.1.0',
		title: 'Date properties of triggers',
		reason:
			'Times of many zones are in no order, so changes were lost; those in UTC are another queue',
		nodes: /^record, local time$/,
		change: ({ requests: [asked] }) => ({
			items: [],
			requests: [
				{
					...asked,
					body: {
						QueryExpression: {
							PropertySet: { Properties: ['Id', 'LastActionDateUtc'] },
							Criteria: {
								FilterOperator: 'And',
								Conditions: [
									{
										PropertyName: 'LastActionDateUtc',
										Operator: 'GreaterOrEqual',
										Values: ['1900-01-01T00:00:00'],
									},
								],
							},
							Orders: [
								{ PropertyName: 'LastActionDateUtc', OrderType: 'Descending' },
								{ PropertyName: 'Id', OrderType: 'Descending' },
							],
							Count: 1001,
							FirstResultIndex: 0,
						},
					},
				},
			],
		}),
	},
	{
		since: '0.1.0',
		title: 'Rows that share an ID',
		reason: 'Read by Id, rows of Asset Tree with the same Id were lost',
		nodes: /^record:getMany, asset tree$/,
		change: ({ requests: [asked] }) => ({
			items: [
				{ json: { ParentId: 10_002, ChildId: 10_002 }, pairedItem: { item: 0 } },
				{ json: { ParentId: 10_002, ChildId: 10_003 }, pairedItem: { item: 0 } },
			],
			requests: inRequests(
				{ requests: [asked], items: [] },
				[/"Id","ParentId"/, '"ParentId"'],
				[
					/(\{[^{}]*)"Id"([^{}]*\})/,
					'$1"ParentId"$2,{"PropertyName":"ChildId","OrderType":"Ascending"}',
				],
			).requests,
		}),
	},
	{
		since: '0.1.0',
		title: 'Rows that share an ID',
		reason: 'The assets below another one are read by what tells the rows of Asset Tree apart',
		nodes: /^asset:getMany, tree$/,
		change: (then) => inRequests(then, [/"Id"(?=,"Child\.Id")|"Id"(?=,"OrderType")/g, '"ChildId"']),
	},
	{
		since: '0.1.0',
		title: 'Switches set by expressions',
		reason: 'Any text counted as off, so that Return All could return 50 rows of 300 in silence',
		nodes: /^contact:getMany, switch by text$/,
		change: refused(`'Return All' must be one of true, false, but it is "yes"`),
	},
	{
		since: '0.1.0',
		title: 'IDs with zeros in front',
		reason: 'Such a text is a number of another kind, of a work order for example',
		nodes: /^contact:get, zeros in front$/,
		change: refused(`'Contact' must be a positive whole number, but it is "002001"`),
	},
	{
		since: '0.1.0',
		title: 'Type of an address',
		reason: 'What nobody has chosen is for Corrigo to choose',
		nodes: /^space:create, address without a type$/,
		change: (then) => inRequests(then, [/"TypeId":"Primary",?/, ''], [/,\}/, '}']),
	},
	{
		since: '0.1.0',
		title: 'Summary of invoices',
		reason: 'Amounts are known to come back as a whole, with their currency',
		nodes: /^invoice:(get, summary|getMany, JSON)$/,
		change: ({ items, ...rest }) => ({
			...inRequests({ ...rest, items: [] }, [/(\w+(?:Total|Nte|Amount))\.Value/g, '$1']),
			items: items.map(({ json, ...item }) => ({
				...item,
				json: Object.fromEntries(
					Object.entries(json).map(([name, value]) => [
						name,
						typeof value === 'object' && value !== null && 'Value' in value
							? { ...value, CurrencyTypeId: 'USD' }
							: value,
					]),
				),
			})),
		}),
	},
	{
		since: '0.1.0',
		title: 'Requests of triggers',
		reason: 'In order by Id, no page of work orders can repeat or skip one',
		nodes:
			/^(documentAdded|noteAdded|invoiceEnteredApStatus|workOrderAction|workOrderEnteredStatus), |^workOrder(Created|Updated), all$/,
		change: ordered,
	},
	{
		since: '0.1.0',
		title: 'Requests of triggers',
		reason: 'A note that the API changed is told from one that it made by who did what, one by one',
		nodes: /^noteAdded, all$/,
		change: (then) =>
			inRequests(
				then,
				[/,\{"PropertyName":"UiTypeId","Operator":"Equal","Values":\["IntegrationWS"\]\}/, ''],
				[/"ObjectId"\]/, '"ObjectId","UiTypeId"]'],
				[/"Count":1,"FirstResultIndex":0,"Orders"/, '"Count":4000,"FirstResultIndex":0,"Orders"'],
			),
	},
	{
		since: '0.1.0',
		title: 'Look-ups',
		reason: 'Numbers of work orders are looked up as every other key is',
		nodes:
			/^document:upload, link$|^note:create, all$|^workOrder:(?!recall|create|get|update|delete).*, all$/,
		change: (then) =>
			inRequests(ordered(then), [
				/"And"(,"Conditions":\[\{"PropertyName":"Number"[^}]*\}\]\},)"Count":2,/,
				'"Or"$1"Count":1000,',
			]),
	},
	{
		since: '0.1.0',
		title: 'Look-ups',
		reason: 'Custom fields are looked up by their names as every other record is',
		nodes: /^workOrder:create, all$/,
		change: ({ requests, ...rest }) => ({
			...rest,
			requests: requests.map((request) =>
				request.path.endsWith('/CustomFieldDescriptor')
					? { ...request, body: { QueryExpression: customFieldNamed('Cost Center') } }
					: request,
			),
		}),
	},
	{
		since: '0.1.0',
		title: 'Requests of triggers',
		reason: 'Pages as large as the service allows take fewer requests',
		nodes: /^\w+, (little|JSON|filters)$/,
		change: (then) => inRequests(then, [/"Count":2000,/g, '"Count":4000,']),
	},
];
