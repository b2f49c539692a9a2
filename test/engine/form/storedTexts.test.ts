/** The editor stores what lists and columns show in the node, where n8n would evaluate an expression. */
import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import {
	entities,
	findEntityMemberType,
	toRowType,
} from '../../../nodes/Corrigo/catalogue/entities';
import { listSearch, loadOptions } from '../../../nodes/Corrigo/methods/listSearch';
import { resourceMapping } from '../../../nodes/Corrigo/methods/resourceMapping';
import { isObject, mapMembers } from '../../../nodes/Corrigo/values/objects';
import { byId, byName, filledIn, fromList, shareCompany } from '../../support/company';

const company = shareCompany();
const { n8n, records } = company;

const toExpression = (text: string) => `={{ '${text}' + $json.secret }}`;

const isText = (entity: string, member: string) =>
	findEntityMemberType(entity, member) === 'string' && !/(^|\.)(Type|Format)$/.test(member);

/** Somebody who may write to Corrigo names everything so. */
function rename(value: unknown, entity: string, member: string): unknown {
	const type = findEntityMemberType(entity, member) ?? '';
	if (typeof value === 'string')
		return isText(entity, member) || member === 'DisplayAs' ? toExpression(value) : value;
	if (Array.isArray(value)) return value.map((one) => rename(one, entity, member));
	return isObject(value)
		? mapMembers(value, (name, one) => rename(one, toRowType(type), name))
		: value;
}

const renameAll = () => {
	for (const { name } of entities) {
		for (const row of records.rows(name)) {
			for (const [member, value] of Object.entries(row)) row[member] = rename(value, name, member);
		}
	}
};

function listExpressions(value: unknown, path = ''): string[] {
	// An expression that is nothing but a text gives this text.
	const isLiteral = /^=\{\{ "(\\u[0-9a-f]{4}|[a-z\d ])*" \}\}$/i;
	if (typeof value === 'string')
		return value.startsWith('=') && !isLiteral.test(value) ? [`${path}: ${value}`] : [];
	return typeof value === 'object' && value !== null
		? Object.entries(value).flatMap(([name, one]) => listExpressions(one, `${path}.${name}`))
		: [];
}

const forms: INodeParameters[] = resources.flatMap(({ value, operations }) =>
	operations
		.filter(({ fields }) => fields.some(({ type }) => type === 'resourceMapper'))
		.map((operation) => ({ resource: value, operation: operation.value })),
);

// Promise: What an item, a model or a program says is never evaluated
describe('a text of Corrigo that looks like an expression is a text in', () => {
	beforeEach(renameAll);

	it('every list', async () => {
		let shown = 0;
		for (const [name, parameters] of Object.keys(listSearch).flatMap((method) =>
			['customer', 'workOrder', 'asset'].map((resource): [string, INodeParameters] => [
				method,
				{ resource, operation: 'getMany' },
			]),
		)) {
			const { results } = await n8n.engine.listSearch(name, { parameters });
			shown += JSON.stringify(results).split('$json.secret').length - 1;
			expect([name, listExpressions(results)]).toEqual([name, []]);
		}
		expect(shown).toBeGreaterThan(100);
	});

	it('every list of values but the times of this package', async () => {
		const [{ Id: descriptor }] = records
			.rows('CustomFieldOption')
			.map(({ ParentId }) => ({ Id: ParentId }));
		let shown = 0;
		for (const property of [
			'Customer.Id',
			'Contact.Id',
			'WorkZone.Id',
			'CreatedDateUtc',
			`CustomFields.${String(descriptor)}`,
		]) {
			const spec = {
				path: 'parameters.conditions.values[0].value',
				parameters: {
					...{ resource: 'workOrder', operation: 'getMany', searchBy: 'conditions' },
					conditions: {
						values: [{ property: fromList(property, property), operator: 'Equal', value: '' }],
					},
				} as INodeParameters,
			};
			const { results } = await n8n.engine.listSearch('searchValues', spec);
			const values = await n8n.engine.loadOptions('getValues', spec);
			const isTime = property === 'CreatedDateUtc';
			shown += JSON.stringify(results).split('$json.secret').length - 1;
			expect(
				listExpressions([results, values]).filter((one) => !isTime || !/\$(now|today)/.test(one)),
			).toEqual([]);
		}
		expect(shown).toBeGreaterThan(2);
	});

	it('every column and option', async () => {
		let shown = 0;
		for (const parameters of forms) {
			const spec = {
				parameters: { ...parameters, entity: byName('WorkOrder') },
				path: 'parameters.fields',
			};
			for (const method of Object.keys(resourceMapping)) {
				const { fields } = await n8n.engine.mappingColumns(method, spec);
				shown += JSON.stringify(fields).split('$json.secret').length - 1;
				expect([parameters, listExpressions(fields)]).toEqual([parameters, []]);
			}
			for (const method of Object.keys(loadOptions)) {
				expect(listExpressions(await n8n.engine.loadOptions(method, spec))).toEqual([]);
			}
		}
		expect(shown).toBeGreaterThan(100);
	});

	it('and is found and written as it is', async () => {
		const options = records.rows('CustomFieldOption');
		const isOfOrder = (id: unknown) =>
			records.get('CustomFieldDescriptor', Number(id)).ActorTypeId === 'WO';
		const option = options.find(({ ParentId }) => isOfOrder(ParentId));
		const id = `CustomFields.${String(option?.ParentId)}`;
		const { fields } = await n8n.engine.mappingColumns('getColumns', {
			parameters: { resource: 'workOrder', operation: 'update' },
			path: 'parameters.fields',
		});
		const column = fields.find((one) => one.id === id);
		const chosen = column?.options?.find(({ name }) => name.trim() === option?.Value)?.value;
		const [order] = records.ids('WorkOrder');
		const run = await n8n.succeed(
			'workOrder:update',
			{ id: byId(order), fields: filledIn({ [id]: chosen }, [column ?? {}]) },
			{ items: [{ json: { secret: 'S3CRET' } }] },
		);
		expect(JSON.stringify(run.items)).not.toContain('S3CRET');
		const sent = company.requests.writes().map(({ body }) => body);
		expect(JSON.stringify(sent)).toContain(JSON.stringify(option?.Value));
	});
});

it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
	'a mode of the name %s is no mode',
	async (mode) => {
		const { error } = await n8n.run('customer:get', { id: { __rl: true, mode, value: 'abc' } });
		expect(error?.message).toMatch(/no customer/i);
	},
);
