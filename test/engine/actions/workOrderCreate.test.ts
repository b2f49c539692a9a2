import { getCommand } from '../../../nodes/Corrigo/catalogue/commands';
import {
	byId,
	errorsOf,
	filledIn,
	getId,
	itemsOf,
	jsonOf,
	rejection,
	shareCompany,
	some,
} from '../../support/company';

const company = shareCompany();
const { n8n, records, requests } = company;

const { anything } = expect;
const firstId = (entity: string) => records.rows(entity)[0].Id;

const create = async (more: object = {}, ...inputs: unknown[]) =>
	await n8n.run('workOrder:create', records.newOrder(more), {
		items: inputs.length > 0 ? itemsOf(...inputs) : undefined,
		onError: 'continueErrorOutput',
	});

const customFields = (value: object, schema?: object[]) => ({
	customFields: filledIn(value, schema),
});

const orderCount = () => company.sandbox.store.count('WorkOrder');

const references = () => ['WoPriority', 'Specialty', 'WorkZone', 'Employee'].map(firstId);

function everything() {
	const [priority, specialty, zone, employee] = references();
	return {
		typeCategory: 'Basic',
		subType: byId(21),
		customer: byId(''),
		computeSchedule: true,
		priority: byId(priority),
		notes: {
			values: [
				{ body: 'Key at the desk', type: 'Private' },
				{ body: 'Ring', type: 'Public' },
			],
		},
		additionalFields: {
			access: 'Appointment',
			acknowledgeBy: '2026-02-01T09:00:00',
			actionDate: '2026-02-01T08:00:00Z',
			actionReasonId: 7,
			comment: 'by phone',
			computeAssignment: false,
			contactAddress: '+1 555 0100',
			contactName: 'Nathan',
			due: '2026-02-03',
			duration: 90,
			emergencyDisabled: true,
			employee: byId(employee),
			externalNumber: 'T-1',
			isWarranty: true,
			keepUnassigned: false,
			onSiteBy: '2026-02-02T09:00:00+01:00',
			otherProperties: { TaskRefinement: 'north side', 'Address.Street': '1 Main St' },
			poNumber: '00042',
			scheduledStart: '2026-02-02T10:00:00',
			skipBillToLogic: true,
			skipProcedures: true,
			specialty: byId(specialty),
			vendorNte: { money: { value: '250.5', currency: 'USD' } },
			workPlan: '{ "Level": 1 }',
			workZone: byId(zone),
		},
	};
}

const withoutCustomer = (otherProperties: object) => ({
	...{ typeCategory: 'Basic', customer: byId(''), additionalFields: { otherProperties } },
});

describe('the members of a new work order', () => {
	it('are all that the documentation lists, sent under the names of the service', async () => {
		const [priority, specialty, zone, employee] = references();
		records.change('WorkZone', zone, { TimeZone: 35 });
		await create(everything());
		expect(requests.commands()).toEqual([
			{
				WorkOrder: {
					TypeCategory: 1,
					SubType: { Id: 21 },
					Items: [{ Asset: anything(), Task: anything() }],
					Access: 'Appointment',
					ContactName: 'Nathan',
					ContactAddress: { Address: '+1 555 0100', AddrTypeId: 'Contact' },
					DtAcknowledgeBy: '2026-02-01T09:00:00',
					DtDue: '2026-02-03T00:00:00',
					DtOnSiteBy: '2026-02-02T03:00:00',
					DtScheduledStart: '2026-02-02T10:00:00',
					Duration: 90,
					IsWarranty: true,
					PoNumber: '00042',
					Priority: { Id: priority },
					Specialty: { Id: specialty },
					VendorNte: { Value: 250.5, CurrencyTypeId: 'USD' },
					WorkZone: { Id: zone },
					Notes: [
						{ Body: 'Key at the desk', NoteTypeId: 'Private' },
						{ Body: 'Ring', NoteTypeId: 'Public' },
					],
					TaskRefinement: 'north side',
					Address: { Street: '1 Main St' },
				},
				ComputeSchedule: true,
				ActionDate: '2026-02-01T03:00:00',
				ActionReasonId: 7,
				Comment: 'by phone',
				ComputeAssignment: false,
				EmergencyDisabled: true,
				EmployeeId: employee,
				ExternalNumber: 'T-1',
				KeepUnassigned: false,
				SkipBillToLogic: true,
				SkipProcedures: true,
				WpTree: { Level: 1 },
			},
		]);
		const documented = Object.keys(getCommand('WoCreateCommand')?.fields ?? {});
		expect(Object.keys(requests.commands()[0]).sort()).toEqual(documented.sort());
	});

	describe('include custom fields', () => {
		const columns = async () =>
			await n8n.engine.mappingColumns('getOrderFields', {
				parameters: { resource: 'workOrder', operation: 'create' },
				path: 'parameters.customFields',
			});
		const kept = (Id: unknown) =>
			records
				.children('CustomField2', 'ObjectId', Number(Id))
				.map(({ Descriptor, Value }) => [getId(Descriptor), Value]);
		const add = (Name: string, Type: string) => records.addField('WO', Name, { Type });

		it('chosen from those of work orders, by name and with the type of their values, by one request', async () => {
			const id = add('Zyzzyva', 'Boolean');
			const { fields } = await columns();
			expect(requests.paths()).toEqual(['POST query/CustomFieldDescriptor']);
			const known = records
				.rows('CustomFieldDescriptor')
				.filter(({ ActorTypeId, IsRemoved }) => ActorTypeId === 'WO' && IsRemoved !== true);
			expect(fields.map(({ displayName }) => displayName)).toEqual(
				known.map(({ Id, Name }) => (Name === 'Zone' ? `Zone (ID ${Id})` : String(Name))).sort(),
			);
			const own = { id: `CustomFields.${id}`, displayName: 'Zyzzyva', type: 'boolean' };
			expect(fields).toContainEqual(some({ ...own, required: false }));
		});

		it('and none where they may not be read', async () => {
			company.sandbox.set({ unreadable: ['CustomFieldDescriptor'] });
			expect(await columns()).toEqual({
				fields: [],
				emptyFieldsNotice:
					'No custom fields were found. They appear here if your Company has some for work orders, and the credential may read them.',
			});
		});

		it('and sent in the format of the service unless they are empty; a number needs one look-up', async () => {
			const [urgent, day, amount, text] = ['Boolean', 'Date', 'Decimal', 'String'].map((type) =>
				add(type, type),
			);
			const { fields } = await columns();
			company.sandbox.forgetRequests();
			const value = {
				'CustomFields.701': '={{ $json.x }}',
				[`CustomFields.${urgent}`]: false,
				[`CustomFields.${day}`]: '2026-01-31T23:30:00',
				[`CustomFields.${amount}`]: 12,
				[`CustomFields.${text}`]: "={{ '' }}",
				'CustomFields.702': null,
			};
			const run = await create(customFields(value, fields), 'CC-9');
			expect(run.errorItems).toEqual([]);
			expect(requests.queries()).toEqual(['CustomFieldDescriptor']);
			expect(requests.commands()).toHaveLength(1);
			expect(kept(run.items[0].json.Id)).toEqual([
				[701, 'CC-9'],
				[urgent, 'false'],
				[day, '2026-01-31'],
				[amount, '12'],
			]);
		});

		it('or named by a model or program, with one look-up for all items', async () => {
			const value = { 'cost center': '={{ $json.x }}', '702': '3' };
			const run = await create(customFields(value), 'CC-1', 'CC-2', 'CC-3');
			expect(run.errorItems).toEqual([]);
			expect(requests.queries()).toEqual(['CustomFieldDescriptor']);
			expect(run.items.map(({ json }) => Object.fromEntries(kept(json.Id)))).toEqual(
				['CC-1', 'CC-2', 'CC-3'].map((code) => ({ 701: code, 702: '3' })),
			);
		});

		it.each([
			[{ Nothing: 'x' }, /'Custom Fields > Nothing': no custom field is named "Nothing"/],
			[{ 'CustomFields.701': { a: 1 } }, /'CustomFields.701' must be a text/],
		])('and %j is rejected before anything is written', async (value, message) => {
			const run = await create(customFields(value));
			expect(run.errorItems[0].json.error).toMatch(message);
			expect(requests.sent().every(({ path }) => path.includes('/query/'))).toBe(true);
		});
	});

	it.each([
		[{ items: {} }, "'Items' is empty"],
		[{ notes: { values: [{ body: ' ', type: 'Public' }] } }, "'Notes > Text' is empty"],
		[customFields({ '': 'x' }), "'Custom Field' is empty"],
		[
			{ additionalFields: { otherProperties: { TaskRefinment: 'x' } } },
			'\'Other Fields (JSON)\' has "TaskRefinment", which is not a field of a work order',
		],
		[
			{ additionalFields: { otherProperties: { Items: [] } } },
			'\'Other Fields (JSON)\' has "Items", which the form sets as well',
		],
		[
			withoutCustomer({ Customer: { Id: 101 } }),
			"'Other Fields (JSON)' has Customer, which has a field of its own",
		],
		[
			withoutCustomer({ 'customer.id': 101 }),
			"'Other Fields (JSON)' has Customer, which has a field of its own",
		],
		[{ additionalFields: { workPlan: '[' } }, /'Work Plan \(JSON\)' is not valid JSON/],
	])('are checked before anything is sent: %j', async (more, message) => {
		expect(errorsOf(await create(more))).toEqual([
			typeof message === 'string' ? message : expect.stringMatching(message),
		]);
		expect(company.sandbox.requests).toEqual([]);
	});
});

describe('Skip if External Number Exists', () => {
	const skip = (externalNumber: unknown) => ({
		additionalFields: { externalNumber },
		preventDuplicates: { skipIfExternalNumberExists: true },
	});

	it('finds many numbers in any case by one query, and creates an order for the first item of each number that has none', async () => {
		const before = orderCount();
		const numbers = ['EXT-0', ' New-A ', 'B', 'NEW-a', 'EXT-20', 'B'];
		const run = await create(skip('={{ $json.x }}'), ...numbers);
		expect(requests.lookUps()).toHaveLength(1);
		expect(requests.lookUps()[0].body).toMatchObject({
			QueryExpression: {
				PropertySet: { Properties: ['*', 'LastAction.XNumber'] },
				Criteria: { Conditions: [{ Values: ['EXT-0', 'NEW-a', 'B', 'EXT-20'] }] },
			},
		});
		expect(requests.commands().map(({ ExternalNumber }) => ExternalNumber)).toEqual(['New-A', 'B']);
		expect(orderCount()).toBe(before + 2);
		const output = jsonOf(run.items);
		const existing = some({ AlreadyExisted: true });
		const created = some({ AlreadyExisted: false, Status: 'New' });
		expect(output).toEqual([existing, created, created, existing, existing, existing]);
		expect(output[0].Id).toBe(records.rows('WorkOrder')[0].Id);
		expect([output[3].Id, output[5].Id]).toEqual([output[1].Id, output[2].Id]);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(
			numbers.map((_, item) => ({ item })),
		);
	});

	it('accepts a number in other letters if the service treats it as equal', async () => {
		const Data = { Id: 7, LastAction: { XNumber: 'TICKET-Ä ' } };
		requests.fault(rejection('/query/', { Entities: [{ Data }] }, { status: 200 }));
		const run = await create(skip('ticket-ä'));
		expect(jsonOf(run.items)).toEqual([{ AlreadyExisted: true, Id: 7, Url: records.pageOf(7) }]);
	});

	it('returns the oldest order that has the number, where there are several', async () => {
		const [first, second] = records.rows('WorkOrder');
		for (const { Id } of [second, first]) records.change('WoLastAction', Id, { XNumber: 'Twice' });
		const run = await create(skip('Twice'));
		expect(jsonOf(run.items)).toEqual([some({ Id: first.Id })]);
	});

	it('requires a number, and looks up nothing for an item without a valid one', async () => {
		const run = await create(skip('={{ $json.x }}'), '', 'EXT-0', { number: 1 });
		expect(errorsOf(run)).toEqual([
			"'External Number' is empty: its expression gives nothing",
			expect.stringContaining("'External Number' must be a text"),
		]);
		expect(run.items).toHaveLength(1);
		expect(JSON.stringify(requests.lookUps()[0].body)).toContain('"Values":["EXT-0"]');
		expect(errorsOf(await create(skip('')))).toEqual([
			"'External Number' is empty, but 'Skip if External Number Exists' needs it",
		]);
		expect(requests.commands()).toEqual([]);
	});

	it('marks existing orders in the raw output', async () => {
		const run = await create({ ...skip('EXT-10'), output: 'raw' });
		expect(jsonOf(run.items)).toEqual([{ CommandResult: { Wo: some({ AlreadyExisted: true }) } }]);
	});
});
