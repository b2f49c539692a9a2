import type { IDataObject } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import { DEFAULT_PARTS } from '../../../nodes/Corrigo/actions/workOrder/read/getDetails.operation';
import { findResourceSubject } from '../../../nodes/Corrigo/form/subjects';
import { previews, type Schema } from '../../../scripts/schema';
import {
	byId,
	byName,
	byNumber,
	fromList,
	getId,
	jsonOf,
	shareCompany,
} from '../../support/company';

const { n8n, records } = shareCompany({ workOrders: 60 });

const previewOf = (operation: string) =>
	JSON.parse(previews().get(`${operation.replace(':', '/')}.json`) ?? '') as Schema;

/** Paths at which a value does not match the preview. */
function differences(schema: Schema | undefined, value: unknown, path: string): string[] {
	if (schema === undefined) return [`${path} is not in the preview`];
	if (value === null) return [];
	if (schema.type === 'array') {
		return Array.isArray(value)
			? value.flatMap((one) => differences(schema.items, one, `${path}[]`))
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

/** Members of the preview that no value has. */
function unused(schema: Schema, values: unknown[]): string[] {
	if (schema.type === 'array') return unused(schema.items, values.flat());
	if (schema.type !== 'object') return [];
	const objects = values.filter((one) => typeof one === 'object' && one !== null) as IDataObject[];
	return Object.entries(schema.properties).flatMap(([name, inner]) => {
		const having = objects.filter((one) => name in one);
		if (having.length === 0) return [name];
		return unused(
			inner,
			having.map((one) => one[name]),
		).map((one) => `${name}.${one}`);
	});
}

async function expectPreviewed(operation: string, parameters: object, absent?: string[]) {
	const run = await n8n.succeed(operation, parameters);
	expect(run.items.length).toBeGreaterThan(0);
	const schema = previewOf(operation);
	const wrong = run.items.flatMap(({ json }) => differences(schema, json, operation));
	expect([...new Set(wrong)]).toEqual([]);
	if (absent !== undefined) expect(unused(schema, jsonOf(run.items))).toEqual(absent);
	return run.items;
}

const searched = resources
	.map(({ value, operations }) => ({ resource: value, verbs: operations.map((one) => one.value) }))
	.filter(({ resource, verbs }) => verbs.includes('getMany') && resource !== 'record');

/** Members that no record of the sandbox has. */
const MISSING: Readonly<Record<string, object>> = {
	Employee: { JobTitle: 'Plumber', Organization: { Id: 1 } },
	ProviderCoi: { Comment: 'x' },
	Space: { EndDate: '2030-01-01T00:00:00', Instructions: 'x' },
	TimeCardItem: { WorkOrder: { Id: 50_001 }, Comment: 'x' },
};

// Promise: Output previews show exactly the fields of the output
describe.each(searched)('the preview of $resource', ({ resource, verbs }) => {
	it('is what its reads return, and nothing else', async () => {
		const { entity = '' } = findResourceSubject(resource) ?? {};
		if (MISSING[entity]) records.change(entity, records.rows(entity)[0].Id, MISSING[entity]);
		if (entity === 'Document') {
			const [asset, customer] = [
				records.get('Location', readAsset() as number),
				records.rows('Customer')[0],
			];
			const [first, second] = records.ids(entity);
			records.change(entity, first, { ActorTypeId: 'Asset', ActorId: asset.Id });
			records.change(entity, second, { ActorTypeId: 'CommLease', ActorId: customer.Id });
		}
		const form = resource === 'document' ? { actorTypeId: 'any' } : {};
		const output = { output: 'simplified', limit: 500 };
		// Corrigo returns no parents of assets.
		const absent = resource === 'asset' ? ['Parent'] : [];
		const [first] = await expectPreviewed(`${resource}:getMany`, { ...form, ...output }, absent);
		if (!verbs.includes('get')) return;
		await expectPreviewed(`${resource}:get`, { id: byId(first.json.Id), ...output });
		expect(previewOf(`${resource}:get`)).toEqual(previewOf(`${resource}:getMany`));
	});
});

const readAsset = () => records.rows('AssetAttribute')[0].AssetId;
const firstOrder = () => records.rows('WorkOrder')[0].Id;

const numbered = () => byNumber(records.rows('WorkOrder')[0].Number);
const getName = (entity: string) => records.rows(entity)[0].DisplayAs;

const person = () => ({
	...{ DisplayAs: 'New', FirstName: 'A', LastName: 'New', Number: 'C-0', TypeId: 'Primary' },
	CustomerId: getName('Customer'),
});

const assigned = (status: string) => {
	const order = records.rows('WorkOrder').find((one) => one.StatusId === status && one.Employee);
	return { id: byNumber(order?.Number) };
};

const findReason = (action: string) =>
	byId(records.find('WoActionReasonLookup', { ActionId: action, Hide: false }).Id);

const taskPriority = () =>
	records.get('WoPriority', getId(records.rows('Task')[0].Priority)).DisplayAs;

const quoted = () => ({
	id: byNumber(records.get('WorkOrder', Number(records.rows('WoQuote')[0].WoId)).Number),
});

const purchase = () => ({ id: byName(records.rows('ReplenishmentOrder')[0].Number) });

// The last column has the members that an item need not have.
it.each<[string, () => object, string[]?]>([
	[
		'asset:addReading',
		() => ({
			id: fromList(readAsset(), 'Pump (Equipment)'),
			attribute: byName('Run Hours'),
			value: '7',
		}),
		[],
	],
	['asset:getReadings', () => ({ id: byId(readAsset()), attribute: byName('Run Hours') })],
	['company:checkAccess', () => ({}), ['howToFix']],
	['company:discover', () => ({}), []],
	['contact:create', () => ({ fieldsJson: person() }), []],
	['contact:delete', () => ({ id: byId(records.rows('Contact')[0].Id) }), []],
	['contact:upsert', () => ({ matchOn: 'Number', fieldsJson: person() }), []],
	['contact:restore', () => ({ id: byId(records.rows('Contact')[0].Id) }), []],
	['note:create', () => ({ workOrder: numbered(), body: 'x', type: 'Public' }), []],
	[
		'workOrder:getDetails',
		() => ({
			id: byId(firstOrder()),
			options: {
				include: DEFAULT_PARTS.filter((name) => name !== 'items' && name !== 'customFields'),
			},
		}),
	],
	['workOrder:getChanges', () => ({ from: '2000-01-01', output: 'simplified' }), []],
	['workOrder:getHistory', () => ({ id: byId(firstOrder()) })],
	['workOrder:getPerformance', () => ({ when: 'after', time: '2000-01-01' }), []],
	['workOrder:getEstimates', () => ({ id: byId(records.rows('WoQuote')[0].WoId) })],
	[
		'workOrder:getProcedures',
		() => ({
			id: byId(records.rows('WoProcedure')[0].WorkOrderId),
			options: { stepDocuments: true },
		}),
	],
	['workOrder:getQuotes', () => ({ id: byId(records.rows('WoQuote')[0].WoId) })],
	['customerNote:create', () => ({ actorId: byId(101), text: 'x' })],
	['cost:create', () => ({ workOrder: numbered(), category: 'Labor' })],
	[
		'invoice:changeApStatus',
		() => ({ id: byId(firstOrder()), apStatus: byName('Paid') }),
		['Number', 'VendorInvoiceDate'],
	],
	['workOrder:addFlag', () => ({ id: numbered(), flags: { values: [{ flag: byId(50) }] } }), []],
	['workOrder:clearFlags', () => ({ id: numbered(), flags: { values: [{ flag: byId(50) }] } }), []],
	['workOrder:pickUp', () => ({ id: byNumber(records.orderIn('New').Number) }), ['Employee']],
	['workOrder:start', () => assigned('Open'), []],
	['workOrder:pause', () => assigned('InProgress'), []],
	['workOrder:hold', () => ({ ...assigned('InProgress'), reason: findReason('OnHold') }), []],
	['workOrder:complete', () => assigned('InProgress'), []],
	['workOrder:cancel', () => ({ ...assigned('Open'), reason: findReason('Cancel') }), []],
	['workOrder:reopen', () => ({ id: byNumber(records.orderIn('Cancelled').Number) }), ['Employee']],
	['workOrder:copy', () => assigned('Completed'), ['Employee']],
	['workOrder:verify', () => assigned('Completed'), []],
	['workOrder:decideEstimate', () => ({ ...quoted(), decision: 'request', reason: 'x' }), []],
	['workOrder:decideQuote', () => ({ ...quoted(), decision: 'request', reason: 'x' }), []],
	[
		'workOrder:assign',
		() => ({ id: numbered(), assignees: { values: [{ employee: byName('tech1') }] } }),
		[],
	],
	['purchaseOrder:markExported', purchase, []],
	['purchaseOrder:receive', purchase, []],
	[
		'workOrder:create',
		() =>
			records.newOrder({
				customer: byName(getName('Customer')),
				// The task of the first item decides about the priority.
				additionalFields: { employee: byName('tech1'), priority: byName(taskPriority()) },
			}),
		[],
	],
	[
		'workOrder:setNte',
		() => ({ id: numbered(), vendorNte: { money: { value: 5, currency: 'USD' } } }),
	],
	['workOrder:update', () => ({ id: numbered(), fieldsJson: { TaskRefinement: 'x' } })],
	['workOrder:suggestAssignees', () => ({ workOrder: byId(firstOrder()) }), ['JobTitle']],
	['workOrder:previewSchedule', () => records.newOrder(), []],
	['space:create', () => ({ customer: byName(getName('Customer')), unitName: 'Suite 999' })],
])('the preview of %s is what it returns', async (operation, parametersFor, ...[absent]) => {
	await expectPreviewed(operation, parametersFor(), absent);
});
