/** Record > Describe: a data dictionary of the Company. */
import { entities, getMemberTypes } from '../../../nodes/Corrigo/catalogue/entities';
import { byName, idsOf, itemsOf, jsonOf, shareCompany, some } from '../../support/company';

const company = shareCompany();
const { n8n, records, requests } = company;

const describeRows = async (entity: string) =>
	jsonOf((await n8n.succeed('record:describe', { entity: byName(entity) })).items);
/** Describes an entity for each item. */
const describeAll = async (...entities: string[]) =>
	await n8n.succeed(
		'record:describe',
		{ entity: byName('={{ $json.x }}') },
		{ items: itemsOf(...entities) },
	);

it('describes each field with its type, its choices and what a new record needs', async () => {
	const rows = await describeRows('Customer');
	const zones = idsOf(records.rows('WorkZone'), 'DisplayAs').sort();
	const common = { Entity: 'Customer', CustomField: false, MaxLength: null };
	expect(rows).toEqual(
		expect.arrayContaining([
			{
				...{ ...common, Name: 'TenantCode', Label: 'Tenant Code', Type: 'Text', MaxLength: 64 },
				...{ Writable: true, Required: true, Choices: null, RefersTo: null },
			},
			{
				...{ ...common, Name: 'WorkZone.Id', Label: 'Work Zone', Type: 'Record' },
				...{ Writable: true, Required: true, Choices: zones, RefersTo: 'WorkZone' },
			},
			{
				...{ ...common, Name: 'Id', Label: 'ID', Type: 'Number' },
				...{ Writable: false, Required: false, Choices: null, RefersTo: null },
			},
			some({ Name: 'TaxExempt', Type: 'Yes or No' }),
			some({ Name: 'Contacts', Type: 'List', RefersTo: 'Contact' }),
		]),
	);
	expect(new Set(rows.map((row) => Object.keys(row).join())).size).toBe(1);
});

it('describes the custom fields of the Company', async () => {
	const descriptor = records.find('CustomFieldDescriptor', { ActorTypeId: 'WO' });
	records.change('CustomFieldDescriptor', descriptor.Id, { Length: 30 });
	const { Id: ParentId } = records.find('CustomFieldDescriptor', { Name: 'Ticket Link' });
	records.insert('CustomFieldOption', { ParentId, Value: 'Second', Idx: 2 });
	records.insert('CustomFieldOption', { ParentId, Value: 'First', Idx: 1 });
	expect(await describeRows('workorder')).toEqual(
		expect.arrayContaining([
			some({
				...{ Name: `CustomFields.${descriptor.Id}`, Label: descriptor.Name, CustomField: true },
				...{ MaxLength: 30, Writable: true },
			}),
			some({ Label: 'Floor', Type: 'Number', Choices: null, MaxLength: null }),
			some({ Label: 'Ticket Link', Type: 'Choice', Choices: ['First', 'Second'] }),
			some({ Name: 'StatusId', Writable: false, Choices: expect.arrayContaining(['OnHold']) }),
			some({ Name: 'Customer.Id', Required: true, Choices: null, RefersTo: 'Customer' }),
		]),
	);
});

it('names the fields that a new record needs as the refusal of an incomplete one does', async () => {
	const needed = (await describeRows('Customer')).filter(
		(row) => row.Required && row.Type !== 'Yes or No',
	);
	const { message } = await n8n.refuse('customer:create', { fieldsJson: { TaxExempt: true } });
	for (const { Name } of needed) {
		expect(message).toContain(String(Name).replace(/\.Id$/, ''));
	}
	expect(needed.length).toBeGreaterThan(3);
});

it('describes every field of every entity, by reads of short tables and custom fields alone', async () => {
	const known = entities.filter(({ fields }) => Object.keys(fields).length > 0);
	const run = await describeAll(...known.map(({ name }) => name));
	const described = new Map(known.map(({ name }) => [name, new Set<string>()]));
	for (const { Entity, Name, CustomField } of jsonOf(run.items)) {
		if (CustomField === false) described.get(String(Entity))?.add(String(Name).split('.')[0]);
	}
	for (const [name, fields] of described) {
		const members = Object.keys(getMemberTypes(name));
		expect([...fields]).toEqual(
			members.filter((member) => !['PerformDeletion', 'IsNew'].includes(member)),
		);
	}
	expect(run.items.map(({ pairedItem }) => pairedItem)).not.toContain(undefined);
	const tables = requests.queries().filter((entity) => entity !== 'CustomFieldDescriptor');
	expect(tables.length).toBeLessThan(60);
	expect(requests.sent().every(({ path }) => path.includes('/query/'))).toBe(true);
});

it('leaves out choices that may not be read, and custom fields', async () => {
	company.sandbox.set({ unreadable: ['WorkZone', 'CustomFieldDescriptor'] });
	const rows = await describeRows('Customer');
	expect(rows).toEqual(
		expect.arrayContaining([some({ Name: 'WorkZone.Id', Choices: null, RefersTo: 'WorkZone' })]),
	);
	expect(rows.filter(({ CustomField }) => CustomField)).toEqual([]);
});

it('describes an entity by its label as by its name', async () => {
	const [byItsName, byItsLabel] = [
		await describeRows('CustomField2'),
		await describeRows(' custom field '),
	];
	expect(byItsName).not.toEqual([]);
	expect(byItsLabel).toEqual(byItsName);
});

it('asks each short table once for all items', async () => {
	await describeAll('Customer', 'Space', 'Customer');
	expect(requests.queries().filter((entity) => entity === 'WorkZone')).toHaveLength(1);
});

it.each(['Unicorn', 'PmItem', '={{ undefined }}'])(
	'refuses %s before anything is sent',
	async (entity) => {
		await n8n.refuse('record:describe', { entity: byName(entity) });
	},
);
