/**
 * A value of a custom field or an attribute is found, compared and put back, whichever of its spellings
 * is stored. Held constant: one key, one record with the value; a definition of each type has no choices.
 */
import type { IDataObject } from 'n8n-workflow';

import { activate } from '../../support/activeTrigger';
import { byId, byName, getId, jsonOf, shareCompany, where } from '../../support/company';
import { SPELLED } from '../../values/spelled';

const { n8n, records, requests } = shareCompany({ workOrders: 5 });

type Type = keyof typeof SPELLED;
const TYPES = Object.keys(SPELLED) as Type[];

/** Entities with values of each kind: with the record, as separate records, and attributes. */
const OWNERS = {
	'custom fields of contacts': ['contact', 'Contact', 'LeaseUser'],
	'custom fields of assets': ['asset', 'Location', 'Asset'],
	'attributes of assets': ['asset', 'Location', undefined],
} as const;

type Owner = keyof typeof OWNERS;

function define(owner: Owner, Type: Type) {
	const [, , kind] = OWNERS[owner];
	if (kind !== undefined) {
		const id = records.addField(kind, 'Own', { Type });
		return { id, list: 'CustomFields', path: `CustomFields.${id}` };
	}
	const { Id } = records.insert('AttributeDescriptor', { Name: 'Own', Type, IsHistory: false });
	for (const { Id: ModelId } of records.rows('Model')) {
		records.insert('LinkModelAndAttribute', { ModelId, AttributeDescriptorId: Id });
	}
	return { id: Id, list: 'Attributes', path: `Attributes.${Id}` };
}

/** Gives a record a stored text, and returns the row. */
function store(owner: Owner, descriptor: number, record: number, Value: string) {
	const [, , ObjectTypeId] = OWNERS[owner];
	const row = { Descriptor: { Id: descriptor }, Value, CurrencyTypeId: 'USD' };
	return ObjectTypeId === undefined
		? records.insert('AssetAttribute', { ...row, AssetId: record })
		: records.insert('CustomField2', { ...row, ObjectId: record, ObjectTypeId });
}

const cases = (Object.keys(OWNERS) as Owner[]).flatMap((owner) =>
	TYPES.map((type) => [owner, type] as const),
);

it.each(cases)('%s of the type %s are a key in any spelling', async (owner, type) => {
	const [resource, entity] = OWNERS[owner];
	const { input, texts, other } = SPELLED[type];
	const { id, list, path } = define(owner, type);
	const [record, another] = records.rows(entity).map(({ Id }) => Id);
	store(owner, id, another, other);
	const row = store(owner, id, record, texts[0]);
	const upsert = async (value: unknown) => {
		const form = {
			fieldsJson: { [list]: { Own: value } },
			matchOn: path,
			options: { updateOnly: 'error' },
		};
		return jsonOf((await n8n.succeed(`${resource}:upsert`, form)).items)[0];
	};
	for (const text of texts) {
		records.change(list === 'Attributes' ? 'AssetAttribute' : 'CustomField2', row.Id, {
			Value: text,
		});
		for (const given of [input, ...texts.filter((one) => !one.startsWith('<'))]) {
			const found = await upsert(given);
			expect([text, given, found.Outcome, found.Id]).toEqual([text, given, 'unchanged', record]);
		}
	}
	expect((await upsert(type === 'Boolean' ? false : other)).Id).toBe(another);
	expect(requests.writes()).toEqual([]);
});

it.each(['CustomField2', 'AssetAttribute'])(
	'the value of a record of the entity %s is a key by its type',
	async (entity) => {
		const isAttribute = entity === 'AssetAttribute';
		const owner = isAttribute ? 'attributes of assets' : 'custom fields of assets';
		const { id } = define(owner, 'Decimal');
		const [{ Id: AssetId }] = records.rows('Location');
		const row = store(owner, id, AssetId, '7.0');
		const own = isAttribute ? { AssetId } : { ObjectId: AssetId, ObjectTypeId: 'Asset' };
		for (const matchOn of ['Value', `${Object.keys(own)[0]}, Descriptor.Id, Value`]) {
			for (const Value of [7, '7.00']) {
				const fieldsJson = { ...own, Descriptor: { Id: id }, Value } as IDataObject;
				const form = { entity: byName(entity), fieldsJson, matchOn };
				const [found] = jsonOf((await n8n.succeed('record:upsert', form)).items);
				expect([matchOn, Value, found.Outcome, found.Id]).toEqual([
					...[matchOn, Value, 'unchanged', row.Id],
				]);
			}
		}
		expect(requests.writes()).toEqual([]);
	},
);

it.each(['custom fields of contacts', 'attributes of assets'] as const)(
	'%s are stored in one form as records of their own, unless they are written as they are stored',
	async (owner) => {
		for (const type of TYPES.filter((one) => one !== 'Url')) {
			const { input, texts } = SPELLED[type];
			const { id, list } = define(owner, type);
			const entity = list === 'Attributes' ? 'AssetAttribute' : 'CustomField2';
			const row = store(owner, id, records.ids(OWNERS[owner][1])[0], texts[0]);
			for (const stored of texts) {
				for (const Value of [input, ...texts]) {
					records.change(entity, row.Id, { Value: stored });
					const form = { entity: byName(entity), id: byId(row.Id), fieldsJson: { Value } };
					await n8n.succeed('record:update', form);
					const text = Value === stored ? stored : String(input);
					expect([stored, Value, records.get(entity, row.Id).Value]).toEqual([stored, Value, text]);
				}
			}
		}
	},
);

it('a number that is a choice is written as the list of choices spells it', async () => {
	const { id } = define('custom fields of contacts', 'Decimal');
	for (const [Idx, Value] of ['1.50', '2.5'].entries()) {
		records.insert('CustomFieldOption', { ParentId: id, Idx, Value });
	}
	const [{ Id }] = records.rows('Contact');
	for (const Own of [1.5, '1.50']) {
		const form = { id: byId(Id), fieldsJson: { CustomFields: { Own } } as IDataObject };
		await n8n.succeed('contact:update', form);
		expect(records.find('CustomField2', { ObjectId: Id }).Value).toBe('1.50');
	}
});

it.each(cases)(
	'%s of the type %s that are stored in another spelling are unchanged',
	async (owner, type) => {
		const [resource, entity] = OWNERS[owner];
		const { input, texts } = SPELLED[type];
		const { id, list } = define(owner, type);
		const [{ Id }] = records.rows(entity);
		for (const text of texts) {
			const row = store(owner, id, Id, text);
			const form = {
				id: byId(Id),
				fieldsJson: { [list]: { Own: input } },
				options: { dryRun: 'always' },
			};
			const [dry] = jsonOf((await n8n.succeed(`${resource}:update`, form)).items);
			expect([text, dry.WouldChange]).toEqual([text, {}]);
			records.change(list === 'Attributes' ? 'AssetAttribute' : 'CustomField2', row.Id, {
				[list === 'Attributes' ? 'AssetId' : 'ObjectId']: 0,
			});
		}
	},
);

const ORDERED: Type[] = ['Date', 'Decimal', 'Integer', 'Money', 'Time'];

/** Orders with the value, with one that is more, and without any. */
function storeOrders(type: Type) {
	const { texts, other } = SPELLED[type];
	const id = records.addField('WO', 'Own', { Type: type });
	const [less, more, none] = records.ids('WorkOrder');
	const insert = (ObjectId: number, Value: string) =>
		records.insert('CustomField2', {
			...{ Descriptor: { Id: id }, ObjectTypeId: 'WO', ObjectId, Value },
		});
	insert(less, texts[1] ?? texts[0]);
	insert(more, other);
	return { property: `CustomFields.${id}`, less, more, none };
}

const find = async (form: object) =>
	jsonOf((await n8n.succeed('workOrder:getMany', { returnAll: true, ...form })).items)
		.map(({ Id }) => Id)
		.sort();

const json = (PropertyName: string, Operator: string, Values: unknown[]) => ({
	criteriaJson: {
		FilterOperator: 'Or',
		Filters: [{ Conditions: [{ PropertyName, Operator, Values }] }],
	},
});

it.each(TYPES)('a condition on a custom field of the type %s compares values', async (type) => {
	const { input, texts, other } = SPELLED[type];
	const { property, less, more } = storeOrders(type);
	for (const value of [input, texts.at(-1)?.startsWith('<') ? input : texts.at(-1)]) {
		expect(await find(where(property, value))).toEqual([less]);
		expect(await find(json(property, 'Equal', [value]))).toEqual([less]);
		expect(await find(where(property, value, 'NotEqual'))).toEqual([more]);
		expect(await find(json(property, 'NotEqual', [value]))).toEqual([more]);
		expect(await find(where(property, `${String(value).trim()},${other}`, 'In'))).toEqual(
			[less, more].sort(),
		);
	}
	const any = { ...where(property, input), match: 'any' };
	expect(await find(any)).toEqual([less]);
	const [counted] = jsonOf(
		(await n8n.succeed('workOrder:getMany', { ...where(property, input), return: 'count' })).items,
	);
	expect(counted).toMatchObject({ Count: 1 });
});

it.each(ORDERED)('a custom field of the type %s has the order of its values', async (type) => {
	const { input, other } = SPELLED[type];
	const { property, less, more, none } = storeOrders(type);
	const compare = async (operator: string, value: unknown) => {
		const found = await find(where(property, value, operator));
		expect(await find(json(property, operator, [value]))).toEqual(found);
		return found;
	};
	expect(await compare('GreaterThan', input)).toEqual([more]);
	expect(await compare('GreaterOrEqual', input)).toEqual([less, more].sort());
	expect(await compare('LessThan', other)).toEqual([less]);
	expect(await compare('LessOrEqual', input)).toEqual([less]);
	expect(await find(json(property, 'Between', [input, other]))).toEqual([less, more].sort());
	expect(await find(json(property, 'Null', []))).toContain(none);
	expect(await find(where(property, '', 'Null'))).not.toContain(less);
	const like = await n8n.run('workOrder:getMany', where(property, '%1%', 'Like'));
	expect(like.error?.message).toContain('(Like) cannot compare a custom field');
});

it.each(TYPES)('a row without a text is empty: %s', async (type) => {
	const { property, less, none } = storeOrders(type);
	const { input } = SPELLED[type];
	const Descriptor = { Id: Number(property.split('.')[1]) };
	for (const Value of ['', undefined]) {
		records.insert('CustomField2', { Descriptor, ObjectId: none, ObjectTypeId: 'WO', Value });
		for (const form of [where(property, '', 'Null'), json(property, 'Null', [])]) {
			expect(await find(form)).toContain(none);
			expect(await find(form)).not.toContain(less);
		}
		for (const operator of ['NotNull', 'NotEqual']) {
			const values = operator === 'NotNull' ? [] : [input];
			for (const form of [where(property, input, operator), json(property, operator, values)]) {
				expect(await find(form)).not.toContain(none);
			}
		}
	}
});

it.each(Object.keys(OWNERS) as Owner[])(
	'what people see of a link stays if its address is written back: %s',
	async (owner) => {
		const [resource, entity] = OWNERS[owner];
		const { id, list } = define(owner, 'Url');
		const [record] = records.ids(entity);
		const stored = '<a href="https://example.org/m">Manual</a>';
		const row = store(owner, id, record, stored);
		const table = list === 'Attributes' ? 'AssetAttribute' : 'CustomField2';
		const write = async (Own: string) => {
			await n8n.succeed(`${resource}:update`, {
				id: byId(record),
				fieldsJson: { [list]: { Own } },
			});
			return records.get(table, row.Id).Value;
		};
		expect(await write('https://example.org/m')).toBe(stored);
		expect(await write('https://example.org/n')).not.toContain('Manual');
	},
);

it('a choice has no order, and a list of values with a comma is an array', async () => {
	const { property, less, more } = storeOrders('String');
	const [, id] = property.split('.');
	records.insert('CustomFieldOption', { ParentId: Number(id), Idx: 1, Value: 'A-' });
	for (const form of [where(property, 'A', 'GreaterThan'), json(property, 'Between', ['A', 'B'])]) {
		const { error } = await n8n.run('workOrder:getMany', form);
		expect(error?.message).toContain('cannot compare a custom field with a list of choices');
	}
	const values = ['Paris, TX', 'Paris'];
	for (const [index, ObjectId] of [less, more].entries()) {
		const [{ Id }] = records
			.children('CustomField2', 'ObjectId', ObjectId)
			.filter(({ Descriptor }) => getId(Descriptor) === Number(id));
		records.change('CustomField2', Id, { Value: values[index] });
	}
	expect(await find(where(property, 'A%', 'Like'))).toEqual([]);
	expect(await find(where(property, '["Paris, TX"]', 'In'))).toEqual([less]);
	expect(await find(where(property, 'Paris, TX', 'In'))).toEqual([more]);
});

it('a field that was removed is compared by its type', async () => {
	const { property, less } = storeOrders('Integer');
	records.change('CustomFieldDescriptor', Number(property.split('.')[1]), { IsRemoved: true });
	const { texts } = SPELLED.Integer;
	for (const form of [where(property, texts[0]), json(property, 'Equal', [texts[0]])]) {
		expect(await find(form)).toEqual([less]);
	}
});

it('a condition on a field that does not exist is refused, as IDs differ between Companies', async () => {
	const property = 'CustomFields.999999';
	for (const form of [where(property, 'x'), json(property, 'Equal', ['x'])]) {
		const { error } = await n8n.run('workOrder:getMany', form);
		expect(error?.message).toContain(`${property}': no custom field has the ID "999999"`);
		expect(error?.description).toContain('Cost Center');
	}
});

it('texts are compared by Corrigo, without another request than that for their types', async () => {
	const { property, less } = storeOrders('String');
	expect(await find(where(property, 'A-'))).toEqual([less]);
	expect(requests.queries()).toEqual(['CustomFieldDescriptor', 'WorkOrder', 'CustomField2']);
});

it.each(['String', 'Phone', 'StringAutocomplete'])(
	'a text of the type %s is found alike by Corrigo, in JSON and as an attribute',
	async (type) => {
		const texts = ['A-', 'a-', ' A-', 'A-  ', 'A+'];
		const orders = records.ids('WorkOrder');
		const assets = records.ids('Location').slice(-texts.length);
		const { path } = define('attributes of assets', type as Type);
		const id = records.addField('WO', 'Own', { Type: type });
		for (const [at, Value] of texts.entries()) {
			store('attributes of assets', Number(path.split('.')[1]), assets[at], Value);
			records.insert('CustomField2', {
				...{ Descriptor: { Id: id }, ObjectTypeId: 'WO', ObjectId: orders[at], Value },
			});
		}
		const property = `CustomFields.${id}`;
		for (const value of texts) {
			for (const operator of ['Equal', 'NotEqual', 'LessThan', 'LessOrEqual', 'GreaterThan']) {
				const found = await find(where(property, value, operator));
				expect([operator, value, await find(json(property, operator, [value]))]).toEqual([
					...[operator, value, found],
				]);
				if (operator !== 'Equal') continue;
				const values = [{ attribute: byName('Own'), attributeValue: value }];
				const form = { returnAll: true, filters: { attributes: { values } } };
				const { items } = await n8n.succeed('asset:getMany', form);
				expect([value, jsonOf(items).map(({ Id }) => assets.indexOf(Number(Id)))]).toEqual([
					...[value, found.map((one) => orders.indexOf(Number(one)))],
				]);
			}
		}
	},
);

it('a trigger compares the value of a custom field', async () => {
	const { property } = { property: 'CustomFields.702' };
	const event = { event: 'recordEdited', entity: byName('WorkOrder') };
	const active = await activate(
		{ ...event, ...where(property, 9, 'GreaterThan') },
		{ workOrders: 4 },
	);
	expect(await active.poll()).toEqual([]);
	const [, one, other] = active.store.ids('WorkOrder');
	for (const [ObjectId, Value] of [
		[one, '10.0'],
		[other, '9.00'],
	] as const) {
		active.insert('CustomField2', {
			...{ Descriptor: { Id: 702 }, ObjectId, ObjectTypeId: 'WO', Value },
		});
	}
	expect((await active.poll()).map(({ Id, Change }) => [Id, Change])).toEqual([[one, 'added']]);
});

it.each(TYPES)('Get Changes compares the value of a custom field of the type %s', async (type) => {
	const { input, other } = SPELLED[type];
	const { property, less, more } = storeOrders(type);
	const form = { event: 'workOrderCreated', from: '2000-01-01' };
	for (const [value, id] of [
		[input, less],
		[other, more],
	]) {
		const { items } = await n8n.succeed('workOrder:getChanges', {
			...form,
			...where(property, value),
		});
		expect([value, jsonOf(items).map(({ Id }) => Id)]).toEqual([value, [id]]);
	}
});

it.each(TYPES)('If Changed takes no other spelling of the type %s for a change', async (type) => {
	const { texts, other } = SPELLED[type];
	const { id } = define('custom fields of contacts', type);
	const [{ Id }] = records.rows('Contact');
	const row = store('custom fields of contacts', id, Id, texts[0]);
	const build = (Own: unknown, options: object) => ({
		...{ id: byId(Id), fieldsJson: { CustomFields: { Own } } as IDataObject, options },
	});
	const written = build(type === 'Boolean' ? false : other, { returnBefore: true });
	const [{ Before, ConcurrencyId }] = jsonOf((await n8n.succeed('contact:update', written)).items);
	const form = build(texts[0], {
		...{ ifChanged: 'skip', expectedVersion: '={{ $json.ConcurrencyId }}' },
	});
	const since = async (Value: string) => {
		records.change('CustomField2', row.Id, { Value });
		records.change('Contact', Id, { Comment: Value });
		const items = [{ json: { ConcurrencyId: Number(ConcurrencyId ?? 1), Before } as IDataObject }];
		const [json] = jsonOf((await n8n.succeed('contact:update', form, { items })).items);
		expect(json).toMatchObject({ Outcome: 'skipped' });
		return Object.keys(json.ChangedSince as object);
	};
	for (const text of texts) expect([text, await since(text)]).toEqual([text, []]);
	expect(await since(other)).toEqual(['CustomFields']);
	expect(requests.writes()).toHaveLength(1);
});

it('a search of texts of another type than those it may have is refused', async () => {
	const { property } = storeOrders('Integer');
	for (const form of [where(property, 'many'), json(property, 'Equal', ['many'])]) {
		const { error } = await n8n.run('workOrder:getMany', form);
		expect(error?.message).toContain('must be a whole number');
	}
});

it('two records that have one value in two spellings are not told apart by it', async () => {
	const { id, path } = define('custom fields of contacts', 'Decimal');
	const [one, other] = records.rows('Contact').map(({ Id }) => Id);
	store('custom fields of contacts', id, one, '12.5');
	store('custom fields of contacts', id, other, '12.50');
	const fieldsJson = { LastName: 'X', CustomFields: { Own: 12.5 } } as IDataObject;
	const { error } = await n8n.run('contact:upsert', { fieldsJson, matchOn: path });
	expect(error?.message).toContain('There are 2 contact records');
	expect(requests.writes()).toEqual([]);
});
