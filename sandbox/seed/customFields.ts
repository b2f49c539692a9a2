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

const ATTRIBUTES = [
	{ Name: 'Manufacturer', Type: 'String', value: (asset: number) => `Maker ${asset % 5}` },
	{ Name: 'Installed', Type: 'Date', value: (asset: number) => `201${asset % 10}-05-01` },
] as const;

export function seedAttributeDescriptors(store: Store): void {
	for (const [index, { Name, Type }] of ATTRIBUTES.entries()) {
		store.insert('AttributeDescriptor', { Id: FIRST_ID.attribute + index, Name, Type });
	}
}

export function seedAttributes(store: Store, AssetId: number, TopAssetId: number): void {
	for (const [index, { value }] of ATTRIBUTES.entries()) {
		store.insert('AssetAttribute', {
			Descriptor: { Id: FIRST_ID.attribute + index },
			AssetId,
			TopAssetId,
			Value: value(AssetId),
		});
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
