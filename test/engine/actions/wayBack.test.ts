/**
 * What an update has changed, *Restore Values* puts back, member by member. Held constant: one member is
 * written at a time; nobody else writes; references lead to the second record of their entity.
 */
import type { INodeExecutionData } from 'n8n-workflow';

import { getMemberTypes, isReference } from '../../../nodes/Corrigo/catalogue/entities';
import { findMemberTarget } from '../../../nodes/Corrigo/catalogue/targets';
import { type Column, listColumns } from '../../../nodes/Corrigo/columns/columns';
import { byId, byName, filledIn, jsonOf, shareCompany, some } from '../../support/company';
import { readContent } from '../../support/content';
import { UPDATABLE_ENTITIES } from '../../support/updatable';
import { SPELLED } from '../../values/spelled';

const company = shareCompany({ workOrders: 6 });
const { n8n, records } = company;

const restore = async (items: INodeExecutionData[], entity: string) => {
	const form = { entity: byName(entity), before: '={{ $json.Before }}' };
	return await n8n.run('record:restoreValues', form, { items });
};

/** Collections of the records of an entity, by the entity of the rows and the member with the owner. */
const ROWS: Record<string, Array<[string, string]>> = {
	Contact: [['ContactInfo', 'ActorId']],
	Customer: [['Address2', 'ActorId']],
	Employee: [
		['ContactInfo', 'ActorId'],
		['LinkUserAndTeam', 'UserId'],
	],
};

/** The record as Corrigo shows it, and its rows as they are stored. */
async function readState(entity: string, id: number): Promise<string> {
	const references = Object.entries(getMemberTypes(entity))
		.filter(([, type]) => isReference(type))
		.map(([name]) => `${name}.Id`);
	const form = { entity: byName(entity), id: byId(id), properties: ['*', ...references].join() };
	const [record] = jsonOf((await n8n.succeed('record:get', form)).items);
	const rows = [
		...(ROWS[entity] ?? []),
		['CustomField2', 'ObjectId'],
		['AssetAttribute', 'AssetId'],
	]
		.flatMap(([name, owner]) => records.children(name, owner, id))
		.map((row) => JSON.stringify(readContent(row)))
		.sort();
	return JSON.stringify([readContent(record), rows]);
}

/** Another value than the stored one, if the column has any. */
function choose({ id, type, options, isReference }: Column, entity: string): unknown {
	if (isReference) {
		const target = findMemberTarget(entity, id);
		return target === undefined ? undefined : records.ids(target.entity)[1];
	}
	if (type === 'options') return options?.[1]?.value;
	if (type === 'boolean') return true;
	if (type === 'dateTime') return '2026-03-01T10:00:00';
	if (type === 'number') return 7;
	return type === 'string' ? 'seven' : undefined;
}

it.each(UPDATABLE_ENTITIES)('each member of %s that an update has written', async (entity) => {
	// The first locations are templates.
	const id = records.ids(entity).at(entity === 'Location' ? -1 : 0) ?? 0;
	const columns = listColumns(entity, 'update').filter(({ id: path }) => path !== 'ParentId');
	let count = 0;
	for (const column of columns) {
		const value = choose(column, entity);
		const [member, part] = column.id.split('.');
		if (value === undefined || part === 'CurrencyTypeId') continue;
		const amount = part === 'Value' ? { [`${member}.CurrencyTypeId`]: 'EUR' } : {};
		const before = await readState(entity, id);
		const run = await n8n.run('record:update', {
			...{ entity: byName(entity), id: byId(id), options: { returnBefore: true } },
			fields: filledIn({ [column.id]: value, ...amount }),
		});
		// Rules of the sandbox refuse some changes.
		if (run.error !== undefined || (await readState(entity, id)) === before) continue;
		const restored = await restore(run.items, entity);
		expect([column.id, restored.error?.message]).toEqual([column.id, undefined]);
		expect([column.id, await readState(entity, id)]).toEqual([column.id, before]);
		expect(jsonOf(restored.items)).toEqual([some({ Outcome: 'updated', NotRestored: [] })]);
		count += 1;
	}
	expect(count).toBeGreaterThan(0);
});

/** Texts of all types are put back alike, so a few stand for them. */
const TYPES = (Object.keys(SPELLED) as Array<keyof typeof SPELLED>).filter(
	(type) => process.env.FULL !== undefined || ['Decimal', 'Money', 'Url'].includes(type),
);

/** Records with custom fields as members, with separate ones, and with attributes. */
const OWNERS = [
	['WorkOrder', 'CustomFields', 'WO'],
	['Contact', 'CustomFields', 'LeaseUser'],
	['Space', 'CustomFields', 'CommLeaseSpace'],
	['Location', 'CustomFields', 'Asset'],
	['Location', 'Attributes', undefined],
] as const;

function define(list: string, kind: string | undefined, Type: string): number {
	if (kind !== undefined) return records.addField(kind, 'Own', { Type });
	const { Id } = records.insert('AttributeDescriptor', { Name: 'Own', Type, IsHistory: false });
	for (const { Id: ModelId } of records.rows('Model')) {
		records.insert('LinkModelAndAttribute', { ModelId, AttributeDescriptorId: Id });
	}
	return Id;
}

const KEYS: Record<string, string> = {
	Contact: 'Number',
	Location: 'Name',
	Space: 'Instructions',
	WorkOrder: 'PoNumber',
};

describe.each(OWNERS)('of %s: %s', (entity, list, kind) => {
	it.each(TYPES)('a value of the type %s that was removed or replaced', async (type) => {
		const { texts, other } = SPELLED[type];
		const id = records.ids(entity).at(-1) ?? 0;
		const key = KEYS[entity];
		const keyed = `only-${entity}`;
		records.change(entity, id, { [key]: keyed });
		const descriptor = define(list, kind, type);
		const row = { Descriptor: { Id: descriptor }, CurrencyTypeId: 'EUR', Value: texts.at(-1) };
		const stored =
			kind === undefined
				? records.insert('AssetAttribute', { ...row, AssetId: id })
				: records.insert('CustomField2', { ...row, ObjectId: id, ObjectTypeId: kind });
		const path = `${list}.${descriptor}`;
		const isApart = list === 'CustomFields' && (entity === 'Space' || entity === 'Location');
		const last = () =>
			records
				.rows(kind === undefined ? 'AssetAttribute' : 'CustomField2')
				.find((one) => JSON.stringify(one.Descriptor) === JSON.stringify(row.Descriptor))?.Id ??
			stored.Id;
		const removals: Array<[object, object?]> = [
			[{ [list]: { Own: '' } }],
			[{}, { fieldsToClear: path }],
			[{ [list]: { Own: type === 'Boolean' ? false : other } }],
		];
		const rows: Array<() => object> = isApart
			? []
			: [
					() => ({ [list]: [{ Id: last(), PerformDeletion: true }] }),
					() => ({ [list]: [{ Descriptor: { Id: descriptor }, PerformDeletion: true }] }),
				];
		for (const operation of ['record:update', 'record:upsert']) {
			for (const read of [
				...removals.map(
					([one, more]) =>
						() =>
							[one, more] as const,
				),
				...rows.map((build) => () => [build(), undefined] as const),
			]) {
				const [fields, more] = read();
				const before = await readState(entity, id);
				const isUpsert = operation === 'record:upsert';
				const run = await n8n.run(operation, {
					...{ entity: byName(entity), id: byId(id), matchOn: key },
					fieldsJson: isUpsert ? { [key]: keyed, ...fields } : fields,
					options: { returnBefore: true, ...more, ...(isUpsert ? { updateOnly: 'error' } : {}) },
				});
				expect([operation, fields, run.error?.message]).toEqual([operation, fields, undefined]);
				expect(await readState(entity, id)).not.toBe(before);
				const restored = await restore(run.items, entity);
				expect(restored.error?.message).toBeUndefined();
				expect([operation, fields, more, await readState(entity, id)]).toEqual([
					...[operation, fields, more],
					before,
				]);
			}
		}
	});
});
