import type { INodeParameters } from 'n8n-workflow';

import { INTERNAL_TYPES, getInternalParts } from '../../nodes/Corrigo/catalogue/audience';
import { findEntityMemberType } from '../../nodes/Corrigo/catalogue/entities';
import { outputFields } from '../../nodes/Corrigo/form/form';
import { resources } from '../../nodes/Corrigo/actions/registry';
import type { Row } from '../../sandbox';
import { byId, jsonOf, sharedDesk } from './desk';

const desk = sharedDesk({ workOrders: 40 });

const STAFF = 'Someone of the staff';
const PRIVATE = 'Not for customers';
const AMOUNT = 4242.42;
/** Of an order in CorrigoPro, the network of vendors. */
const WON_ID = 987_654_321;
const HIDDEN = [STAFF, PRIVATE, String(AMOUNT), String(WON_ID)];

/** Whatever customers may not see has a value that is found in the output if it is there. */
beforeEach(() => {
	const { store } = desk.sandbox;
	for (const { Id } of desk.rows('Employee')) {
		desk.change('Employee', Id, { DisplayAs: STAFF, FirstName: STAFF, LastName: STAFF });
	}
	const money = { CurrencyTypeId: 'USD', Value: AMOUNT };
	const [employee] = desk.rows('Employee');
	const author = { Id: employee.Id, TypeId: 'Employee', DisplayAs: STAFF };
	for (const { Id, WorkOrderCost: cost } of desk.rows('WorkOrder')) {
		desk.change('WorkOrder', Id, {
			VendorNte: money,
			Employee: { Id: employee.Id },
			WonId: WON_ID,
		});
		store.insert('WoAssignment', { WorkOrderId: Id, EmployeeId: employee.Id, IsPrimary: true });
		if (cost === undefined) desk.change('WorkOrderCost', Id, { CustomerNte: money });
		store.insert('WoNote', { WorkOrderId: Id, NoteTypeId: 'Private', Body: PRIVATE });
		store.insert('WoNote', {
			WorkOrderId: Id,
			NoteTypeId: 'Public',
			Body: 'For all',
			CreatedBy: author,
		});
		for (const IsPublic of [true, false]) {
			const Title = IsPublic ? 'For all' : PRIVATE;
			store.insert('Document', {
				ActorTypeId: 'WO',
				ActorId: Id,
				IsPublic,
				Title,
				UpdatedBy: author,
			});
		}
	}
	for (const { Id } of desk.rows('WoActionLog'))
		desk.change('WoActionLog', Id, { Comment: PRIVATE });
});

const audience = { options: { audience: 'customer' } } as unknown as INodeParameters;

/** Every read that has an audience, with every kind of output. */
const reads = resources.flatMap(({ value: resource, operations }) =>
	operations
		.filter(({ fields }) =>
			fields.some(({ name, options = [] }) =>
				name === 'options' ? options.some((one) => one.name === 'audience') : false,
			),
		)
		.flatMap(({ value, fields }) => {
			const hasOutput = fields.some(({ name }) => name === outputFields[0].name);
			const outputs = hasOutput ? ['simplified', 'raw', 'selected'] : [undefined];
			return outputs.map((output) => ({ resource, operation: value, output }));
		}),
);

const SELECTED: Record<string, string> = {
	customer: '*, Contract.*, Notes.*',
	document: 'Title, UpdatedBy.DisplayAs',
	note: 'Body, CreatedBy.DisplayAs',
	workOrder: '*, Notes.*, Documents.*, Employee.*, Assignments.*, WorkOrderCost.*, Owner.DisplayAs',
};

const ENTITIES: Record<string, string> = {
	customer: 'Customer',
	document: 'Document',
	note: 'WoNote',
	workOrder: 'WorkOrder',
};

const isShown = ({ IsPublic, NoteTypeId }: Row) => IsPublic !== false && NoteTypeId !== 'Private';

const form = ({ resource, operation, output }: (typeof reads)[number]) =>
	({
		...(operation === 'getMany'
			? { returnAll: true, ...(resource === 'document' ? { actorTypeId: 'any' } : {}) }
			: { id: byId(desk.rows(ENTITIES[resource]).filter(isShown).at(-1)?.Id) }),
		...(output === undefined ? {} : { output }),
		...(output === 'selected' ? { properties: SELECTED[resource].split(', ') } : {}),
	}) as INodeParameters;

it('the option is there for the records that customers may see, and for no others', () => {
	expect([...new Set(reads.map(({ resource, operation }) => `${resource}:${operation}`))]).toEqual([
		...['customer:get', 'customer:getMany', 'document:get', 'document:getMany'],
		...['note:get', 'note:getMany'],
		...['workOrder:get', 'workOrder:getDetails', 'workOrder:getHistory', 'workOrder:getMany'],
	]);
});

describe.each(reads)('$resource:$operation, output $output', (read) => {
	const run = async (parameters: INodeParameters) =>
		await desk.run(`${read.resource}:${read.operation}`, { ...form(read), ...parameters });

	it('returns no costs, staff or private text to customers', async () => {
		const { error, items } = await run(audience);
		expect(error).toBeUndefined();
		expect(items.length).toBeGreaterThan(0);
		const text = JSON.stringify(jsonOf(items));
		for (const hidden of HIDDEN) expect(text).not.toContain(hidden);
		expect(namesIn(ENTITIES[read.resource], jsonOf(items))).toEqual([]);
	});

	if (read.output !== undefined && read.output !== 'selected') return;

	it('returns everything otherwise', async () => {
		const [all, internal] = [
			await run({}),
			await run({ options: { audience: 'internal' } } as unknown as INodeParameters),
		];
		expect(jsonOf(internal.items)).toEqual(jsonOf(all.items));
		const hasHidden = HIDDEN.some((hidden) => JSON.stringify(jsonOf(all.items)).includes(hidden));
		// Customers themselves have nothing of the kind, except in what they refer to.
		expect(hasHidden || read.resource === 'customer').toBe(true);
	});
});

/** The members in the output that the lists of the catalogue name. */
function namesIn(owner: string, value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap((one) => namesIn(owner, one));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => {
		const type = (findEntityMemberType(owner, name) ?? '').replace('[]', '');
		const isListed =
			INTERNAL_TYPES.includes(type) || (getInternalParts(owner).members ?? []).includes(name);
		return isListed ? [`${owner}.${name}`] : namesIn(type, inner);
	});
}

it.each([
	['note', 'WoNote', { NoteTypeId: 'Private' }],
	['document', 'Document', { IsPublic: false }],
])('a private %s does not exist for customers', async (resource, entity, hidden) => {
	const [{ Id }] = desk.rows(entity);
	desk.change(entity, Id, hidden);
	const { error } = await desk.run(`${resource}:get`, { id: byId(Id), ...audience });
	expect(error?.message).toMatch(/There is no|not found|does not exist/i);
	const { items } = await desk.run(`${resource}:getMany`, {
		returnAll: true,
		...(resource === 'document' ? { actorTypeId: 'any' } : {}),
		...audience,
	});
	const all = desk.rows(entity).filter(isShown);
	expect(jsonOf(items).map((item) => item.Id)).toEqual(all.map((row) => row.Id));
});

it('an audience that is not known is refused before anything is sent', async () => {
	const options = { audience: 'everybody' };
	const { error } = await desk.run('workOrder:getMany', { options });
	expect(error?.message).toMatch(/'Audience' must be one of customer, internal/);
	expect(desk.sent()).toEqual([]);
});
