import type { Store } from '../store/store';
import { FIRST_ID } from './lookups';

const WORK_ORDER_FIELDS = [
	{ Name: 'Cost Center', Type: 'String', value: (n: number) => `CC-${n % 40}` },
	{ Name: 'Floor', Type: 'Integer', value: (n: number) => String(n % 30) },
	{ Name: 'Estimate', Type: 'Decimal', value: (n: number) => (n / 8).toFixed(2) },
	{ Name: 'Approved Budget', Type: 'Money', value: (n: number) => `${n}.50` },
	{ Name: 'After Hours?', Type: 'Boolean', value: (n: number) => String(n % 2 === 0) },
	{ Name: 'Inspection Date', Type: 'Date', value: (n: number) => `2025-0${1 + (n % 9)}-15` },
	{
		Name: 'Ticket Link',
		Type: 'Url',
		value: (n: number) => `<a href="https://example.org/t/${n}">https://example.org/t/${n}</a>`,
	},
] as const;

export function seedCustomFieldDescriptors(store: Store): void {
	for (const [index, { Name, Type }] of WORK_ORDER_FIELDS.entries()) {
		store.insert('CustomFieldDescriptor', {
			Id: FIRST_ID.descriptor + index,
			ActorTypeId: 'WO',
			Name,
			Type,
			Length: 256,
		});
	}
	const others = ['CommLease', 'LeaseUser', 'Employee'];
	for (const [index, ActorTypeId] of others.entries()) {
		store.insert('CustomFieldDescriptor', {
			Id: FIRST_ID.descriptor + WORK_ORDER_FIELDS.length + index,
			ActorTypeId,
			Name: 'External Key',
			Type: 'String',
			Length: 64,
		});
	}
}

/** Each order gets two custom fields; their types vary from order to order. */
export function seedCustomFields(store: Store, order: number, index: number): void {
	for (const step of [0, 1]) {
		const at = (index + step) % WORK_ORDER_FIELDS.length;
		const { Type, value } = WORK_ORDER_FIELDS[at];
		store.insert('CustomField2', {
			Descriptor: { Id: FIRST_ID.descriptor + at },
			ObjectId: order,
			ObjectTypeId: 'WO',
			Value: value(index),
			CurrencyTypeId: Type === 'Money' ? 'USD' : undefined,
		});
	}
}

interface Attribute {
	Name: string;
	Type: string;
	/** A history has several values, the oldest first. */
	values: (asset: number) => string[];
	options?: readonly string[];
}

const CRITICALITIES = ['High', 'Medium', 'Low'];

const ATTRIBUTES: readonly Attribute[] = [
	{ Name: 'Manufacturer', Type: 'String', values: (asset) => [`Maker ${asset % 5}`] },
	{ Name: 'Installed', Type: 'Date', values: (asset) => [`201${asset % 10}-05-01`] },
	{
		Name: 'Criticality',
		Type: 'String',
		options: CRITICALITIES,
		values: (asset) => [CRITICALITIES[asset % 3]],
	},
	{
		Name: 'Replacement Cost',
		Type: 'Money',
		values: (asset) => [`${1000 + (asset % 9) * 250}.50`],
	},
	{ Name: 'Rented', Type: 'Boolean', values: () => [] },
	{
		Name: 'Run Hours',
		Type: 'Decimal',
		values: (asset) => [`${asset % 100}`, `${100 + (asset % 100)}.5`],
	},
	{ Name: 'Run Hours Limit', Type: 'Decimal', values: () => ['200'] },
];

export function seedAttributeDescriptors(store: Store): void {
	for (const [index, { Name, Type, options = [], values }] of ATTRIBUTES.entries()) {
		const Id = FIRST_ID.attribute + index;
		store.insert('AttributeDescriptor', { Id, Name, Type, IsHistory: values(0).length > 1 });
		for (const [Idx, Value] of options.entries()) {
			store.insert('AttributeOption', { ParentId: Id, Idx, Value });
		}
	}
}

export function seedAttributes(store: Store, AssetId: number, TopAssetId: number): void {
	for (const [index, { Type, values }] of ATTRIBUTES.entries()) {
		for (const Value of values(AssetId)) {
			store.insert('AssetAttribute', {
				Descriptor: { Id: FIRST_ID.attribute + index },
				AssetId,
				TopAssetId,
				Value,
				CurrencyTypeId: Type === 'Money' ? 'USD' : undefined,
			});
		}
	}
}

export function seedCustomerField(store: Store, customer: number): void {
	const [descriptor] = store.children('CustomFieldDescriptor', 'ActorTypeId', 'CommLease');
	store.insert('CustomField2', {
		Descriptor: { Id: descriptor.Id },
		ObjectId: customer,
		ObjectTypeId: 'CommLease',
		Value: `K-${customer}`,
	});
}
