/** The form of the node: defaults, options, fields of each operation, properties to return. */
import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import { getSummary } from '../../../nodes/Corrigo/catalogue/summaries';
import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { byId, byName, shareCompany } from '../../support/company';

const company = shareCompany();
const { n8n, records, requests } = company;

const { description } = new Corrigo();

const asked = () =>
	requests.sent().map(({ query, body }) => {
		const { QueryExpression } = (body ?? {}) as {
			QueryExpression?: { PropertySet: { Properties: string[] } };
		};
		return QueryExpression?.PropertySet.Properties.join() ?? query.properties;
	});

/** Fields in a collection look at those around it by paths that begin with a slash. */
const isDisplayed = (field: INodeProperties, form: INodeParameters) =>
	NodeHelpers.displayParameter({}, field, { typeVersion: 1 }, description, form);

const listOptions = (fields: INodeProperties[], name = 'options') =>
	(fields.find((field) => field.name === name)?.options ?? []) as INodeProperties[];

it('reads return the summary by default, and whole records where their entity has none', async () => {
	for (const parameters of [
		{ resource: 'workOrder', operation: 'getMany', limit: 1 },
		{ resource: 'workOrder', operation: 'get', id: byId(records.rows('WorkOrder')[0].Id) },
		{ resource: 'record', operation: 'getMany', limit: 1, entity: byName('Customer') },
		// An entity without a summary.
		{ resource: 'record', operation: 'getMany', limit: 1, entity: byName('WoPriority') },
	]) {
		expect((await n8n.engine.run({ parameters })).error).toBeUndefined();
	}
	const [order, customer] = ['WorkOrder', 'Customer'].map((entity) => getSummary(entity).join());
	expect(asked()).toEqual([order, order, customer, '*']);
});

it('an operation that the node does not have is named before anything is sent', async () => {
	const parameters = { resource: 'workOrder', operation: 'shred' };
	const { error } = await n8n.engine.run({ parameters });
	expect(error?.message).toBe('The operation "shred" of the resource "workOrder" is not known');
	expect(requests.sent()).toEqual([]);
});

it('the form shows a status after a payment as an example of its name, and a number as one of its ID', () => {
	const payment = description.properties.find(
		({ name, displayOptions }) =>
			name === 'apStatus' && displayOptions?.show?.operation?.includes('submitPayment'),
	);
	const examples = payment?.modes?.map(({ name, placeholder }) => [name, placeholder]);
	expect(examples).toEqual([
		['list', undefined],
		['id', 'e.g. 1234'],
		['name', 'e.g. Paid'],
	]);
});

it('offers each operation its own options, each once, in order of their titles', () => {
	const options = listOptions(description.properties);
	const advanced = listOptions(options, 'advanced');
	for (const { value: resource, operations } of resources) {
		for (const { value: operation, fields } of operations) {
			const form = { resource, operation, return: 'records', output: 'simplified' };
			const own = listOptions(fields);
			for (const [list, wanted] of [
				[options, own],
				[advanced, listOptions(own, 'advanced')],
			]) {
				// Another option of the same collection hides this one.
				const shown = list
					.filter((one) => one.name !== 'expectedVersion' && isDisplayed(one, form))
					.map(({ name }) => name);
				const names = wanted.map(({ name }) => name).filter((name) => name !== 'expectedVersion');
				expect([form, shown]).toEqual([form, names]);
			}
		}
	}
});

it('the form shows each operation its own fields, in order', () => {
	for (const { value: resource, operations } of resources) {
		for (const { value: operation, fields } of operations) {
			const form = { resource, operation };
			const here = ({ name, displayOptions: { show = {} } = {} }: INodeProperties) =>
				!['resource', 'operation'].includes(name) &&
				(show.resource?.includes(resource) ?? true) &&
				(show.operation?.includes(operation) ?? true);
			const shown = description.properties.filter(here).map(({ name, type }) => [name, type]);
			expect([form, shown]).toEqual([form, fields.map(({ name, type }) => [name, type])]);
		}
	}
});

describe('the properties to return', () => {
	const offered = async (parameters: INodeParameters) =>
		(await n8n.engine.loadOptions('getProperties', { parameters })).map(({ value }) => value);

	it('are offered without a request, with collections and references', async () => {
		const found = await offered({ resource: 'workOrder', operation: 'getMany' });
		expect(found).toEqual(
			expect.arrayContaining(['*', 'Number', 'Customer.DisplayAs', 'Items.*', 'VendorNte']),
		);
		expect(found).not.toContain('Customer');
		expect(requests.sent()).toEqual([]);
		const record = { resource: 'record', operation: 'get', entity: byName('Employee') };
		expect(await offered(record)).not.toContain('Password');
	});

	it.each(['workOrder', 'customer', 'invoice'])(
		'are all known to the service: %s',
		async (resource) => {
			const properties = await offered({ resource, operation: 'getMany' });
			await n8n.succeed(`${resource}:getMany`, { limit: 1, properties });
			expect(properties.length).toBeGreaterThan(30);
		},
	);

	it('may be a text of an expression, or a text that was typed', async () => {
		for (const properties of ['Number, StatusId', "={{ ['Number', 'StatusId'] }}"]) {
			await n8n.run('workOrder:getMany', { limit: 1, properties });
		}
		expect(asked()).toEqual(['Id,Number,StatusId', 'Id,Number,StatusId']);
	});
});
