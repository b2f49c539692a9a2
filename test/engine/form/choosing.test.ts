/**
 * Conditions, sort, groups and date properties chosen from lists only, as in the editor: the choices
 * on offer, the number of requests for them, and the requests that the node sends.
 */
import type { INodeParameters } from 'n8n-workflow';

import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import type { Row } from '../../../sandbox';
import {
	asText,
	connectEngine,
	fromList,
	idsOf,
	jsonOf,
	shareCompany,
} from '../../support/company';

const company = shareCompany();
const { n8n, records, requests } = company;

const ofOrders = { resource: 'workOrder', operation: 'getMany' };

async function properties(method: string, filter = '', parameters: INodeParameters = ofOrders) {
	const path = 'parameters.conditions.values[0].property';
	const { results } = await n8n.engine.listSearch(method, { parameters, path, filter });
	return results.map(({ name, value }) => ({ name, value: String(value) }));
}

const listPaths = async (...given: Parameters<typeof properties>) =>
	(await properties(...given)).map(({ value }) => value);

const buildForm = (property: unknown, operator = 'Equal') => ({
	parameters: {
		...ofOrders,
		searchBy: 'conditions',
		conditions: { values: [{ property, operator }] },
	} as INodeParameters,
	path: 'parameters.conditions.values[0].value',
});

async function values(property: unknown, filter?: string) {
	return (await n8n.engine.listSearch('searchValues', { ...buildForm(property), filter })).results;
}

const several = async (property: unknown) =>
	await n8n.engine.loadOptions('getValues', buildForm(property, 'In'));

const find = async (...conditions: object[]) => {
	const form = { returnAll: true, properties: 'Id', conditions: { values: conditions } };
	return idsOf(jsonOf((await n8n.succeed('workOrder:getMany', form)).items));
};

describe('the list of properties', () => {
	it('has the properties of the entity and of referenced ones, by label and name, without a request', async () => {
		const labels = (await properties('searchCompared')).map(({ name }) => name);
		expect(labels).toEqual(
			expect.arrayContaining([
				'Due, local time (DtDue)',
				'Due Date UTC, across time zones (DueDateUtc)',
				'Status (StatusId)',
				'Customer > Display Name (Customer.DisplayAs)',
				'Items > Comment (Items.Comment)',
			]),
		);
		expect(requests.sent()).toEqual([]);
	});

	it('is that of the entity chosen in the form', async () => {
		const of = async (parameters: INodeParameters) =>
			await listPaths('searchCompared', '', parameters);
		expect(await of({ resource: 'asset', operation: 'getMany' })).toContain('Info.TagId');
		const record = { resource: 'record', operation: 'getMany' };
		expect(await of({ ...record, entity: fromList('wonote') })).toContain('Body');
		expect(await of({ ...record, entity: fromList('NoSuchThing') })).toEqual([]);
		expect(await of(record)).toEqual([]);
	});

	it('is that of work orders in the trigger, or of the entity of a record', async () => {
		const engine = connectEngine(company.sandbox, { corrigoTrigger: CorrigoTrigger });
		const of = async (parameters: INodeParameters) =>
			(await engine.listSearch('searchDates', { parameters })).results.map(({ value }) => value);
		expect(await of({ event: 'noteAdded' })).toContain('DueDateUtc');
		const entity = fromList('Document');
		const dates = ['UpdatedDate', 'EndDate', 'StartDate'];
		expect(await of({ event: 'record', entity })).toEqual(dates);
		expect(await of({ event: 'recordEdited', entity })).toEqual(dates);
	});

	it('offers nothing that the service rejects', async () => {
		const sort = (await listPaths('searchSorted')).map((path) => ({ property: fromList(path) }));
		const conditions = (await listPaths('searchCompared'))
			.filter((path) => /^(Items|Assignments|\w+$)/.test(path))
			.map((path) => ({ property: fromList(path), operator: 'NotNull' }));
		await n8n.succeed('workOrder:getMany', {
			limit: 1,
			properties: 'Id',
			sort: { values: sort },
			conditions: { values: conditions },
		});
	});
});

describe('custom fields of the Company', () => {
	const costCenter = () =>
		records.find('CustomFieldDescriptor', { Name: 'Cost Center', ActorTypeId: 'WO' });

	it('are found by name, with one request', async () => {
		expect(await properties('searchCompared', 'cost center')).toContainEqual({
			name: 'Cost Center (Custom Field)',
			value: `CustomFields.${costCenter().Id}`,
		});
		expect(requests.paths()).toEqual(['POST query/CustomFieldDescriptor']);
		expect(await properties('searchSorted', 'cost center')).toEqual([]);
	});

	it('come first if their names begin with what is typed', async () => {
		const findFirst = async (filter: string) =>
			(await properties('searchCompared', filter))[0].name;
		expect(await findFirst('floor')).toBe('Floor (Custom Field)');
		expect(await findFirst('number')).toBe('Number');
		expect(await findFirst('date')).toMatch(/^Due Date/);
	});

	it('are left out for a service user who may not read them', async () => {
		company.sandbox.set({ unreadable: ['CustomFieldDescriptor'] });
		expect(await listPaths('searchCompared', 'due')).toContain('DtDue');
	});

	it('have a list of values where they have options', async () => {
		const { Id } = costCenter();
		for (const [Idx, Value] of ['North', 'South'].entries()) {
			records.insert('CustomFieldOption', { ParentId: Id, Idx, Value });
		}
		const found = await values(fromList(`CustomFields.${Id}`));
		expect(found.map(({ name }) => name)).toEqual(['North', 'South']);
		expect(requests.sent()).toHaveLength(1);
	});
});

describe('the list of values', () => {
	it('has the members of an enumeration by label, without a request', async () => {
		expect(await values(fromList('StatusId'))).toEqual(
			expect.arrayContaining([{ name: 'In Progress', value: 'InProgress' }]),
		);
		expect(await values('StatusId', 'progr')).toEqual([
			{ name: 'In Progress', value: 'InProgress' },
		]);
		expect(await several(fromList('Items.Disposition.OnCreate'))).toHaveLength(2);
		expect(requests.sent()).toEqual([]);
	});

	it('has yes and no, and moments as expressions', async () => {
		expect((await values(fromList('Priority.IsEmergency'))).map(({ value }) => value)).toEqual([
			'true',
			'false',
		]);
		const moments = await values(fromList('DtDue'), 'days ago');
		expect(moments[0]).toEqual({ name: '7 Days Ago', value: '={{ $now.minus({ days: 7 }) }}' });
		expect(requests.sent()).toEqual([]);
	});

	it('searches the records that a reference can point to, with one request', async () => {
		const [{ Id, DisplayAs }] = records.rows('Customer');
		const found = await values(fromList('Customer.Id'), String(DisplayAs));
		expect(found[0]).toMatchObject({ value: String(Id) });
		expect(requests.paths()).toEqual(['POST query/Customer']);
		expect(await several('Customer.WorkZone.Id')).toHaveLength(records.rows('WorkZone').length);
		expect(requests.sent()).toHaveLength(2);
	});

	it.each([
		['contact', 'CustomerId', 'Customer'],
		['asset', 'ModelId', 'Model'],
		['invoice', 'ApStatusId', 'ApInvoiceStatus'],
		['workOrder', 'Items.Asset.Id', 'Location'],
		['workOrder', 'Assignments.EmployeeId', 'Employee'],
	])('searches records by ID where %s takes IDs of %s', async (resource, property, entity) => {
		const form = buildForm(fromList(property));
		const { results } = await n8n.engine.listSearch('searchValues', {
			...form,
			parameters: { ...form.parameters, resource },
		});
		expect(results.length).toBeGreaterThan(0);
		const known = records.rows(entity).filter(({ IsTemplate }) => IsTemplate !== true);
		for (const { value } of results) expect(known.map(({ Id }) => String(Id))).toContain(value);
		expect(requests.paths()).toEqual([`POST query/${entity}`]);
	});

	it('says what to do where no list exists', async () => {
		expect(await values('')).toEqual([{ name: "Choose a 'Field' first", value: '' }]);
		expect(await values(fromList('PoNumber'))).toEqual([
			{ name: "No list for PoNumber: choose 'By Value' and type it", value: '' },
		]);
		expect(await several(fromList('PoNumber'))).toEqual([]);
		expect(requests.sent()).toEqual([]);
	});
});

describe('a chosen value', () => {
	const listIds = (fits: (row: Row) => unknown) => records.idsWhere('WorkOrder', fits);

	it('may be one of several, combined with typed ones', async () => {
		const wanted = ['New', 'Open', 'OnHold'];
		const expected = listIds(({ StatusId }) => wanted.includes(String(StatusId)));
		const property = fromList('StatusId');
		const row = { property, operator: 'In' };
		for (const given of [
			{ values: wanted },
			{ values: ['New', 'Open'], value: asText('On Hold') },
			{ value: asText('New, Open, OnHold') },
			{ property: 'StatusId', value: 'New, Open, OnHold' },
			{ values: "={{ ['New', 'Open', 'OnHold'] }}" },
		]) {
			expect(await find({ ...row, ...given })).toEqual(expected);
		}
	});

	it('may be a range, in two fields or in one', async () => {
		const [first, second] = [records.rows('WorkOrder')[3].Id, records.rows('WorkOrder')[7].Id];
		const expected = listIds(({ Id }) => Id >= first && Id <= second);
		const row = { property: fromList('Id'), operator: 'Between' };
		expect(await find({ ...row, value: asText(first), valueTo: asText(second) })).toEqual(expected);
		expect(await find({ ...row, value: `${first}, ${second}` })).toEqual(expected);
	});
});
