import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { entities, getEntity } from '../../../nodes/Corrigo/catalogue/entities';
import { findMemberType } from '../../../nodes/Corrigo/catalogue/members';
import { findSibling, getNameProperty } from '../../../nodes/Corrigo/records/names';
import type { JsonObject } from '../../../nodes/Corrigo/values/objects';
import { isBlank } from '../../../nodes/Corrigo/values/input';
import { byId, byName, filledIn, jsonOf, shareCompany, some } from '../../support/company';

const company = shareCompany({ workOrders: 20, customers: 4 });
const { n8n, records, requests } = company;
const last = () => requests.bodies().at(-1)?.Entity;
const simplified = { output: 'simplified' };

describe('a record of any kind', () => {
	const holiday = { entity: byName('Holiday') };
	const place = { ActorTypeId: 'Property', ActorId: 'Chicago Loop' };
	const fair = filledIn({ DisplayAs: 'Fair', ...place });
	const ofPortfolio = (value: unknown) => ({
		conditions: {
			values: [
				{ property: byName('ActorTypeId'), operator: 'Equal', value: byName('Portfolio') },
				{ property: byName('ActorId'), operator: 'Equal', value },
			],
		},
	});

	it('is named in columns, together with its kind', async () => {
		const run = await n8n.succeed('record:create', { ...holiday, fields: fair });
		expect(last()).toEqual({ DisplayAs: 'Fair', ActorTypeId: 'Property', ActorId: 12 });
		expect(jsonOf(run.items)).toMatchObject([{ Actor: { Id: 12, DisplayAs: 'Chicago Loop' } }]);
	});

	it('is named in JSON, by the label of its kind as well, and as a provider or an employee', async () => {
		await n8n.succeed('record:create', {
			entity: byName('Responsibility'),
			fieldsJson: {
				ActorTypeId: 'Work Zone',
				ActorId: 'Chicago Loop',
				AssigneeTypeId: 'Provider',
				AssigneeId: 'Ábaco Plumbing',
				ResponsibilityType: 'Site Manager',
			},
		});
		expect(last()).toEqual({
			ActorTypeId: 'Property',
			ActorId: 12,
			AssigneeTypeId: 'Provider',
			AssigneeId: 326,
			ResponsibilityType: { Id: 1 },
		});
	});

	it.each<[string, object]>([
		['conditions', ofPortfolio(byName('East'))],
		[
			'criteria',
			{
				criteriaJson: {
					Conditions: [
						{ PropertyName: 'ActorId', Operator: 'In', Values: ['East', 2] },
						{ PropertyName: 'ActorTypeId', Operator: 'Equal', Values: ['Portfolio'] },
					],
				},
			},
		],
	])('is named in %s', async (_, search) => {
		const run = await n8n.succeed('record:getMany', { ...holiday, ...simplified, ...search });
		expect(jsonOf(run.items)).toMatchObject([
			{ DisplayAs: 'Labor Day', Actor: { Id: 1, DisplayAs: 'East' } },
		]);
	});

	it('is refused by name where its kind is not given, before anything is sent', async () => {
		const fields = filledIn({ ActorId: 'East' });
		expect(await n8n.refuse('record:create', { ...holiday, fields })).toMatchObject({
			message: expect.stringContaining(`'Actor' is "East", which cannot be looked up`),
			description: expect.stringContaining("Give 'ActorTypeId' as well"),
		});
	});

	it('is refused by name where no list has records of its kind', async () => {
		const fields = filledIn({ ActorTypeId: 'Theme', ActorId: 'East' });
		const run = await n8n.run('record:create', { ...holiday, fields });
		expect(run.error?.description).toBe('Give the ID.');
	});

	it('is chosen among the records of the kind that the form has', async () => {
		const parameters = {
			resource: 'record',
			operation: 'create',
			...holiday,
			fields: filledIn({ ActorTypeId: 'Portfolio' }),
		};
		const { fields } = await n8n.engine.mappingColumns('getColumns', { parameters });
		const column = (id: string) => fields.find((field) => field.id === id);
		expect(column('ActorId')).toMatchObject({
			displayName: 'Actor',
			options: [{ name: 'East (Primary)', value: 1 }, { value: 2 }],
		});
	});

	it('is chosen in a condition next to one on its kind', async () => {
		const { results } = await n8n.engine.listSearch('searchValues', {
			parameters: {
				resource: 'record',
				operation: 'getMany',
				...holiday,
				...ofPortfolio(''),
			} as INodeParameters,
			path: 'parameters.conditions.values[1].value',
		});
		expect(results.map(({ value }) => value)).toEqual(['1', '2']);
	});
});

describe('links between two records', () => {
	const link = { entity: byName('LinkUserAndTeam') };

	it('are returned with the names of both, with one more request for each entity', async () => {
		const run = await n8n.run('record:getMany', { ...link, ...simplified, returnAll: true });
		const rows = jsonOf(run.items);
		expect(rows).toHaveLength(company.sandbox.store.count('LinkUserAndTeam'));
		expect(rows[24]).toEqual(
			some({
				UserId: 325,
				User: { Id: 325, DisplayAs: 'Mechanical Partners, Inc.' },
				TeamId: 1,
				Team: { Id: 1, DisplayAs: 'Day Shift' },
			}),
		);
		expect(requests.queries().sort()).toEqual(['Employee', 'LinkUserAndTeam', 'Team']);
	});

	it('are returned without names that the service user may not read', async () => {
		company.sandbox.set({ unreadable: ['Team'] });
		const run = await n8n.run('record:get', { ...link, ...simplified, id: byId(25) });
		const [row] = jsonOf(run.items);
		expect(row).toMatchObject({ TeamId: 1, User: { Id: 325 } });
		expect(row).not.toHaveProperty('Team');
	});

	const list = async (entity: string, filter?: string) =>
		(
			await n8n.engine.listSearch('searchRecords', {
				parameters: { resource: 'record', operation: 'get', entity: byName(entity) },
				filter,
			})
		).results.map(({ name }) => name);

	it('are listed by the names of both, and found by a part of one of them', async () => {
		const name = 'Mechanical Partners, Inc. – Day Shift (ID 25)';
		expect(await list('LinkUserAndTeam')).toContain(name);
		expect(await list('LinkUserAndTeam', 'mechanical')).toEqual([name]);
	});

	it.each([
		['EscalationRule', /^Midtown Manhattan – \S.+ \(Notify After 120, ID 2\)$/],
		['WoAssignment', /^MTM\d{7} – .+ \(ID \d+\)$/],
		['TimeCardWeek', /2025-06-30/],
		['RoleMoneyValues', /^Technician \(USD, ID 1\)$/],
	])('and records without a name, such as %s, tell what they are about', async (entity, text) => {
		expect(await list(entity)).toContainEqual(expect.stringMatching(text));
	});
});

/** IDs that a simplified record shows without the name of the record that they belong to. */
const bareIds = (entity: string, record: IDataObject): string[] =>
	Object.entries(record).flatMap(([member, value]) => {
		if (isBlank(value) || value === 0) return [];
		const reference = getEntity(findMemberType(entity, member) ?? '');
		const sibling = findSibling(entity, member, record as JsonObject);
		const name = reference === undefined ? undefined : getNameProperty(reference.name);
		const isBare =
			reference === undefined
				? sibling !== undefined && 'target' in sibling && !(sibling.name in record)
				: name !== undefined && isBlank((value as IDataObject)[name]);
		return isBare ? [`${entity}.${member}`] : [];
	});

it('is named in simplified records of every entity', async () => {
	const bare = new Set<string>();
	const named = new Set<string>();
	for (const { name } of entities.filter((entity) => records.rows(entity.name).length > 0)) {
		const form = { entity: byName(name), ...simplified, limit: 50 };
		for (const json of jsonOf((await n8n.succeed('record:getMany', form)).items)) {
			for (const one of bareIds(name, json)) bare.add(one);
			for (const member of Object.keys(json)) named.add(`${name}.${member}`);
		}
	}
	expect([...bare]).toEqual([]);
	const expected = ['Contact.Customer', 'FinancialItem.WorkOrder', 'Location.Model', 'Task.Model'];
	expect([...named]).toEqual(expect.arrayContaining(expected));
});

it('is read once, on however many pages it is named', async () => {
	const [{ Id: CustomerId, DisplayAs }] = records.rows('Customer');
	for (const Id of records.ids('Contact')) records.change('Contact', Id, { CustomerId });
	for (let count = 0; count < 20; count++) records.insert('Contact', { CustomerId });
	const options = { advanced: { pageSize: 5, parallelRequests: 1 } };
	const form = { returnAll: true, ...simplified, options };
	const { items } = await n8n.succeed('contact:getMany', form);
	for (const { json } of items) expect(json.Customer).toEqual({ Id: CustomerId, DisplayAs });
	expect(requests.queries().filter((entity) => entity === 'Contact').length).toBeGreaterThan(4);
	expect(requests.queries().filter((entity) => entity === 'Customer')).toHaveLength(1);
});
