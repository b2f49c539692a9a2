/** What nodes of version 2 start with, and that nodes of version 1 keep what they were saved with. */
import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { resources } from '../../nodes/Corrigo/actions/registry';
import { summaries } from '../../nodes/Corrigo/catalogue/summaries';
import { Corrigo } from '../../nodes/Corrigo/Corrigo.node';
import { byId, byName, sharedDesk } from './desk';

const desk = sharedDesk();

const { description } = new Corrigo();

/** As n8n completes what it has saved, which is all but the defaults. */
const started = (typeVersion: number, parameters: INodeParameters) =>
	NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		{ typeVersion },
		description,
	);

const asked = () =>
	desk.sent().map(({ query, body }) => {
		const { QueryExpression } = (body ?? {}) as {
			QueryExpression?: { PropertySet: { Properties: string[] } };
		};
		return QueryExpression?.PropertySet.Properties.join() ?? query.properties;
	});

it.each([
	[1, '*'],
	[2, summaries.WorkOrder.join()],
])('of version %d: reads return %s', async (typeVersion, properties) => {
	const [{ Id }] = desk.sandbox.store.rows('WorkOrder');
	for (const more of [
		{ operation: 'getMany', limit: 1 },
		{ operation: 'get', id: byId(Id) },
	]) {
		const parameters = { resource: 'workOrder', ...more } as INodeParameters;
		const run = await desk.engine.run({ parameters, typeVersion });
		expect(run.error).toBeUndefined();
	}
	expect(asked()).toEqual([properties, properties]);
});

it.each([
	[1, 'delete'],
	[2, 'upload'],
])('of version %d: a document starts with %s', (typeVersion, operation) => {
	expect(started(typeVersion, { resource: 'document' })).toMatchObject({ operation });
});

it('of version 1: properties are a text; of version 2: a choice of several', () => {
	const form = { resource: 'record', operation: 'getMany' };
	expect([1, 2].map((version) => started(version, form)?.properties)).toEqual(['*', ['*']]);
});

it('offers the options that can work, and those of before in version 1', () => {
	const offered = (typeVersion: number, resource: string) => {
		const form = { resource, operation: 'getMany' };
		const shown = (property: INodeProperties) =>
			NodeHelpers.displayParameter(form, property, { typeVersion }, description);
		return description.properties
			.filter((property) => property.name === 'options' && shown(property))
			.flatMap(({ options }) => (options as INodeProperties[]).filter(shown))
			.map(({ name }) => name)
			.filter((name) => ['flattenCustomFields', 'includeRemoved'].includes(name));
	};
	expect([1, 2].map((version) => offered(version, 'asset'))).toEqual([
		['flattenCustomFields', 'includeRemoved'],
		[],
	]);
	expect(offered(2, 'customer')).toEqual(['flattenCustomFields', 'includeRemoved']);
	expect(offered(2, 'workOrder')).toEqual(['flattenCustomFields']);
	expect(offered(2, 'record')).toEqual(['flattenCustomFields', 'includeRemoved']);
});

it('shows every operation its own fields, in their order, and stays below 400 KB', () => {
	for (const { value: resource, operations } of resources) {
		for (const { value: operation, fields } of operations) {
			const form = { resource, operation };
			const here = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
				show.resource?.includes(resource) && show.operation?.includes(operation);
			const shown = description.properties.filter(here).map(({ name, type }) => [name, type]);
			expect([form, shown]).toEqual([form, fields.map(({ name, type }) => [name, type])]);
		}
	}
	expect(JSON.stringify(description).length).toBeLessThan(400_000);
});

describe('the properties to return', () => {
	const offered = async (parameters: INodeParameters) =>
		(await desk.engine.loadOptions('getProperties', { parameters })).map(({ value }) => value);

	it('are offered without a request, with collections and references', async () => {
		const found = await offered({ resource: 'workOrder', operation: 'getMany' });
		expect(found).toEqual(
			expect.arrayContaining(['*', 'Number', 'Customer.DisplayAs', 'Items.*', 'VendorNte']),
		);
		expect(found).not.toContain('Customer');
		expect(desk.sent()).toEqual([]);
		const record = { resource: 'record', operation: 'get', entity: byName('Employee') };
		expect(await offered(record)).not.toContain('Password');
	});

	it.each(['workOrder', 'customer', 'invoice'])(
		'are all known to the service: %s',
		async (resource) => {
			const properties = await offered({ resource, operation: 'getMany' });
			const run = await desk.run(`${resource}:getMany`, {
				limit: 1,
				propertySet: 'selected',
				properties: properties as string[],
			});
			expect(run.error).toBeUndefined();
			expect(properties.length).toBeGreaterThan(30);
		},
	);

	it('may be a text of an expression, or a text that was typed', async () => {
		for (const properties of ['Number, StatusId', "={{ ['Number', 'StatusId'] }}"]) {
			await desk.run('workOrder:getMany', { limit: 1, propertySet: 'selected', properties });
		}
		expect(asked()).toEqual(['Id,Number,StatusId', 'Id,Number,StatusId']);
	});
});
