import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, byName, byNumber, filledIn, fromList, shareCompany } from '../../support/company';

const company = shareCompany();

const first = (entity: string) => company.records.rows(entity)[0];
const firstId = (entity: string) => first(entity).Id;
const firstName = (entity: string) => first(entity).DisplayAs as string;
const named = (entity: string) => ({ Id: firstId(entity), DisplayAs: firstName(entity) });

/** A record as it is chosen from the list of the form. */
async function chosen(method: string, parameters: INodeParameters, id: number) {
	const { results } = await company.n8n.engine.listSearch(method, { parameters });
	const found = results.find(({ value }) => value === String(id));
	company.sandbox.forgetRequests();
	return fromList(found?.value, found?.name);
}

const ok = async (operation: string, parameters: object) =>
	(await company.n8n.succeed(operation, parameters)).items[0].json;

describe('a new work order', () => {
	const create = { resource: 'workOrder', operation: 'create', typeCategory: 'Request' };

	const form = async () =>
		company.records.newOrder({
			customer: await chosen('searchCustomers', create, firstId('Customer')),
			items: { values: [{ asset: byName('Rooftop Unit'), task: byId(firstId('Task')) }] },
			priority: byName(firstName('WoPriority')),
		});

	it('is returned with the names that the form knows, by no more requests than raw', async () => {
		const parameters = await form();
		const order = await ok('workOrder:create', parameters);
		const requests = company.requests.sent().length;
		expect(order).toMatchObject({
			Status: 'New',
			Customer: named('Customer'),
			Priority: named('WoPriority'),
			Url: company.records.pageOf(Number(order.Id)),
		});
		const read = await ok('workOrder:get', { id: byId(order.Id), output: 'simplified' });
		expect(Object.keys(order)).toEqual(Object.keys(read));

		company.sandbox.forgetRequests();
		const raw = await ok('workOrder:create', { ...parameters, output: 'raw' });
		expect(company.requests.sent()).toHaveLength(requests);
		expect((raw.CommandResult as IDataObject).Wo).toMatchObject({
			Customer: { Id: firstId('Customer') },
		});
		expect(JSON.stringify(raw)).not.toContain(firstName('Customer'));
	});

	it('is returned without the name of a choice that an expression has replaced', async () => {
		const other = company.records.rows('Customer')[1];
		const { customer } = await form();
		const stale = { ...(customer as IDataObject), value: `={{ ${other.Id} }}` };
		const order = await ok('workOrder:create', company.records.newOrder({ customer: stale }));
		expect(order.Customer).toEqual({ Id: other.Id });
	});
});

describe('an updated work order', () => {
	const update = async (fields: object, more: object = {}) =>
		await ok('workOrder:update', {
			id: byNumber(first('WorkOrder').Number),
			fields,
			...more,
		});

	it('is returned with its number, and with what was set, by name', async () => {
		const item = await update(
			filledIn({ 'Priority.Id': firstName('WoPriority'), PoNumber: 'PO-1' }),
		);
		expect(item).toEqual({
			Number: first('WorkOrder').Number,
			Id: firstId('WorkOrder'),
			Url: company.records.pageOf(firstId('WorkOrder')),
			PoNumber: 'PO-1',
			Priority: named('WoPriority'),
		});
		// The look-ups of the order and of the priority, and the update.
		expect(company.requests.sent()).toHaveLength(3);
	});

	it('is returned with the names of choices that n8n saves with the columns', async () => {
		const choice = { name: firstName('WoPriority'), value: firstId('WoPriority') };
		const schema = [{ id: 'Priority.Id', type: 'options', options: [choice] }];
		const fields = filledIn({ 'Priority.Id': choice.value }, schema);
		const item = await update(fields);
		expect(item.Priority).toEqual(named('WoPriority'));
		expect(company.requests.sent()).toHaveLength(2);
	});
});

it('a created record is returned with what was written, by name, but no password', async () => {
	const [role] = company.records.rows('Role');
	const item = await ok('employee:create', {
		fieldsJson: {
			FirstName: 'Ada',
			DisplayAs: 'Ada',
			ActorTypeId: 'Employee',
			Username: 'ada',
			Password: 'hunter2',
			Role: String(role.DisplayAs),
		},
	});
	expect(item).toEqual({
		Id: expect.any(Number) as number,
		FirstName: 'Ada',
		DisplayAs: 'Ada',
		Username: 'ada',
		ActorTypeId: 'Employee',
		Role: { Id: role.Id, DisplayAs: role.DisplayAs },
	});
});

it.each([
	['created', 'NEW'],
	['updated', 'T1000'],
])('a record from Create or Update is returned with names: %s', async (outcome, TenantCode) => {
	const zone = { WorkZone: 'Midtown Manhattan' };
	const record = { TenantCode, Name: 'N', DisplayAs: 'N', Dba: 'N', TaxExempt: true, ...zone };
	const form = { matchOn: 'TenantCode', fieldsJson: record };
	const item = await ok('customer:upsert', form);
	const names = { DisplayAs: 'N', WorkZone: { Id: 11, DisplayAs: 'Midtown Manhattan' } };
	expect(item).toMatchObject({ ...names, Outcome: outcome });
	expect(await ok('customer:upsert', form)).toMatchObject({ ...names, Outcome: 'unchanged' });
});

it('a command returns the names that it was given for the IDs in its record', async () => {
	const item = await ok('invoice:changeApStatus', {
		id: byId(firstId('WorkOrder')),
		apStatus: byName('Authorized'),
	});
	const { Id } = company.records.find('ApInvoiceStatus', { DisplayAs: 'Authorized' });
	expect(item).toMatchObject({ ApStatusId: Id, ApStatus: { Id, DisplayAs: 'Authorized' } });
	// The look-up of the name, and the command.
	expect(company.requests.sent()).toHaveLength(2);
});
