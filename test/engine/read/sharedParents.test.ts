/**
 * *Get Many* with a record in each item to which the rows belong takes as many requests for many items
 * as for one, in every resource, with every kind of record, and in every output. Held constant: fewer
 * than 500 items, no limit, and no filters, as these may differ from item to item. *Tree of* of assets is
 * left out: a row of one tree may be a row of another, so each tree takes a request of its own.
 */
import type { INodeProperties } from 'n8n-workflow';

import { entities } from '../../../nodes/Corrigo/catalogue/entities';
import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { eachId, itemsOf, jsonOf, shareCompany } from '../../support/company';

const company = shareCompany({ workOrders: 30 });
const { n8n, records, requests } = company;

const isOfGetMany = ({ displayOptions, type }: INodeProperties) =>
	type === 'resourceLocator' && displayOptions?.show?.operation?.includes('getMany');

/** Fields for a record, each with the resource and the kind of record for which it is shown. */
const PARENTS = new Corrigo().description.properties
	.filter((field) => isOfGetMany(field) && !['entity', 'treeOf'].includes(field.name))
	.flatMap(({ name, displayOptions: { show = {} } = {} }) =>
		(show.resource ?? []).flatMap((resource) =>
			(show.actorTypeId ?? ['WO']).map((kind) => ({
				...{ resource: String(resource), field: name, kind: String(kind) },
				form: 'actorTypeId' in show ? { actorTypeId: kind } : {},
			})),
		),
	);

const OUTPUTS = [
	{ output: 'simplified' },
	{ output: 'selected', properties: '*' },
	{ output: 'raw' },
	{ return: 'count' },
] as const;

const listOwners = (kind: string) => {
	const owner = entities.find(
		({ name, actorTypes = [] }) =>
			actorTypes.some((type) => type === kind) && records.rows(name).length > 0,
	);
	const ids = records.ids(kind === 'WO' ? 'WorkOrder' : (owner?.name ?? ''));
	return ids.slice(-4);
};

it('the resources are those whose rows belong to a record', () => {
	expect([...new Set(PARENTS.map(({ resource }) => resource))].sort()).toEqual(
		['cost', 'customerNote', 'document', 'note'].sort(),
	);
});

it.each(PARENTS)('$resource of $kind', async ({ resource, field, kind, form }) => {
	const owners = listOwners(kind);
	expect(owners.length).toBeGreaterThan(1);
	for (const output of OUTPUTS) {
		const search = async (ids: readonly number[]) => {
			company.sandbox.forgetRequests();
			const all = { returnAll: true, ...form, [field]: eachId, ...output };
			const { items } = await n8n.succeed(`${resource}:getMany`, all, { items: itemsOf(...ids) });
			return jsonOf(items);
		};
		const rows = await search(owners);
		// Names take one more query for each table.
		const queries = requests.queries();
		expect([output, queries]).toEqual([output, [...new Set(queries)]]);
		expect(requests.sent()).toHaveLength(queries.length);
		const alone = [];
		for (const id of owners) alone.push(...(await search([id])));
		expect(rows).toEqual(alone);
	}
});
