import { resources } from '../../nodes/Corrigo/actions/resources';
import { DEFAULT_PARTS } from '../../nodes/Corrigo/actions/workOrder/read/getDetails.operation';
import { previews, type Schema } from '../../scripts/schema';
import { byId, byName, sharedDesk } from './desk';

const desk = sharedDesk({ workOrders: 60 });

const previewOf = (operation: string) =>
	JSON.parse(previews().get(`${operation.replace(':', '/')}.json`) ?? '') as Schema;

/** Paths at which a value does not match the preview. */
function differences(schema: Schema | undefined, value: unknown, path: string): string[] {
	if (schema === undefined) return [`${path} is not in the preview`];
	if (value === null) return [];
	if (schema.type === 'array') {
		return Array.isArray(value)
			? value.flatMap((one, index) => differences(schema.items, one, `${path}[${index}]`))
			: [`${path} is no array`];
	}
	// An object without members has names that a Company has given.
	if (schema.type === 'object' && Object.keys(schema.properties).length === 0) return [];
	if (schema.type === 'object') {
		return typeof value === 'object'
			? Object.entries(value).flatMap(([name, inner]) =>
					differences(schema.properties[name], inner, `${path}.${name}`),
				)
			: [`${path} is no object`];
	}
	const isOfType =
		schema.type === 'integer' ? Number.isInteger(value) : typeof value === schema.type;
	return isOfType ? [] : [`${path} is no ${schema.type}`];
}

async function expectPreviewed(operation: string, parameters: object) {
	const run = await desk.succeed(operation, parameters);
	expect(run.items.length).toBeGreaterThan(0);
	const schema = previewOf(operation);
	expect(run.items.flatMap(({ json }) => differences(schema, json, operation))).toEqual([]);
	return run.items;
}

const searched = resources
	.map(({ value, operations }) => ({ resource: value, verbs: operations.map((one) => one.value) }))
	.filter(({ resource, verbs }) => verbs.includes('getMany') && resource !== 'record');

describe.each(searched)('the preview of $resource', ({ resource, verbs }) => {
	it.each(['raw', 'simplified'])('is what its reads return: %s', async (output) => {
		const form = { output, limit: 50, ...(resource === 'document' && { actorTypeId: 'any' }) };
		const [first] = await expectPreviewed(`${resource}:getMany`, form);
		if (verbs.includes('get')) {
			await expectPreviewed(`${resource}:get`, { id: byId(first.json.Id), output });
		}
	});
});

const readAsset = () => desk.rows('AssetAttribute')[0].AssetId;
const firstOrder = () => desk.rows('WorkOrder')[0].Id;

it.each<[string, () => object]>([
	[
		'asset:addReading',
		() => ({ id: byId(readAsset()), attribute: byName('Run Hours'), value: '7' }),
	],
	['asset:getReadings', () => ({ id: byId(readAsset()), attribute: byName('Run Hours') })],
	['company:checkAccess', () => ({})],
	['company:discover', () => ({})],
	['contact:create', () => ({ fieldsJson: { LastName: 'New', CustomerId: 101 } })],
	['contact:delete', () => ({ id: byId(desk.rows('Contact')[0].Id) })],
	[
		'contact:upsert',
		() => ({ matchOn: 'Number', fieldsJson: { Number: 'C-0', Comment: 'changed' } }),
	],
	['note:create', () => ({ workOrder: byId(firstOrder()), body: 'x', type: 'Public' })],
	[
		'workOrder:getDetails',
		() => ({
			id: byId(firstOrder()),
			options: {
				include: DEFAULT_PARTS.filter((name) => name !== 'items' && name !== 'customFields'),
			},
		}),
	],
	['workOrder:getChanges', () => ({ from: '2000-01-01', output: 'raw' })],
	['workOrder:getHistory', () => ({ id: byId(firstOrder()) })],
	['workOrder:getPerformance', () => ({ from: '2000-01-01' })],
	['workOrder:getEstimates', () => ({ id: byId(desk.rows('WoQuote')[0].WoId) })],
	[
		'workOrder:getProcedures',
		() => ({
			id: byId(desk.rows('WoProcedure')[0].WorkOrderId),
			options: { stepDocuments: true },
		}),
	],
	['workOrder:getQuotes', () => ({ id: byId(desk.rows('WoQuote')[0].WoId) })],
	['customerNote:create', () => ({ actorId: byId(101), text: 'x' })],
	['cost:create', () => ({ workOrder: byId(firstOrder()), category: 'Labor' })],
	['invoice:changeApStatus', () => ({ id: byId(firstOrder()), apStatus: byId(3) })],
	[
		'workOrder:addFlag',
		() => ({ id: byId(firstOrder()), flags: { values: [{ flag: byId(50) }] } }),
	],
	['workOrder:create', () => desk.newOrder()],
	['workOrder:suggestAssignees', () => ({ workOrder: byId(firstOrder()) })],
	['workOrder:previewSchedule', () => desk.newOrder()],
	['space:create', () => ({ customer: byId(101), unitName: 'Suite 999' })],
])('the preview of %s is what it returns', async (operation, parametersFor) => {
	await expectPreviewed(operation, parametersFor());
});
