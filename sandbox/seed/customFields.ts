import type { Store, Values } from '../store/store';
import { FIRST_ID } from './lookups';

/** People and the service write one value in several ways; each record has one of them. */
const vary = (n: number, ...spellings: readonly string[]): string =>
	spellings[n % spellings.length];

const link = (address: string): string => `<a href="${address}">${address}</a>`;

/** Choices that only their punctuation tells apart. */
const CHOICES = ['< 5 t', '> 5 t', 'A', 'A-', 'A+', '10-20', '1020', '25 %', 'N/A', '-'];

interface CustomField {
	Name: string;
	Type: string;
	value: (n: number) => string;
	options?: readonly string[];
	isRemoved?: true;
}

const WORK_ORDER_FIELDS: readonly CustomField[] = [
	{ Name: 'Cost Center', Type: 'String', value: (n) => `CC-${n % 40}` },
	{
		Name: 'Floor',
		Type: 'Integer',
		value: (n) => vary(n, `${n % 30}`, `${n % 30}.0`, ` ${n % 30} `),
	},
	{
		Name: 'Estimate',
		Type: 'Decimal',
		value: (n) => vary(n, (n / 8).toFixed(2), `${n / 8}`, `${(n / 8).toFixed(4)} `),
	},
	{
		Name: 'Approved Budget',
		Type: 'Money',
		value: (n) => vary(n, `${n}.50`, `${n}.5`, `${n}.5000`),
	},
	{
		Name: 'After Hours?',
		Type: 'Boolean',
		value: (n) => vary(n, String(n % 2 === 0), n % 2 === 0 ? 'True' : 'False'),
	},
	{
		Name: 'Inspection Date',
		Type: 'Date',
		value: (n) => `2025-0${1 + (n % 9)}-15${vary(n, '', 'T00:00:00', ' 00:00:00')}`,
	},
	{
		Name: 'Ticket Link',
		Type: 'Url',
		value: (n) => {
			const address = `https://example.org/t/${n}`;
			return vary(n, link(address), address);
		},
	},
];

/** Names that are hard to tell from others, types that are rare, and a field that was given up. */
const OTHER_WORK_ORDER_FIELDS: readonly CustomField[] = [
	{ Name: 'Load', Type: 'String', options: CHOICES, value: (n) => vary(n, ...CHOICES) },
	{ Name: 'PoNumber', Type: 'String', value: (n) => `own ${n}` },
	{ Name: 'Zone', Type: 'String', value: (n) => `first ${n}` },
	{ Name: 'Zone', Type: 'Integer', value: (n) => `${n}` },
	{ Name: '1', Type: 'String', value: (n) => `one ${n} ` },
	{ Name: 'Call Back', Type: 'Phone', value: (n) => vary(n, `+1 555 0${n}`, `1-555-0${n}`) },
	{ Name: 'Opens At', Type: 'Time', value: (n) => vary(n, '07:30', '7:30', '07:30:00') },
	{ Name: 'Remarks', Type: 'Text', value: (n) => `line 1\nline ${n}` },
	{ Name: 'Carrier', Type: 'StringAutocomplete', value: (n) => vary(n, 'ACME', 'Acme ', 'acme') },
	{ Name: 'Old Code', Type: 'String', value: (n) => `old ${n}`, isRemoved: true },
];

const OTHER_OWNERS = ['CommLease', 'LeaseUser', 'Employee'];

/** The more recent fields have the Ids after those of the other owners. */
const numberFields = () => [
	...WORK_ORDER_FIELDS.map((field, index) => ({ ...field, Id: FIRST_ID.descriptor + index })),
	...OTHER_WORK_ORDER_FIELDS.map((field, index) => ({
		...field,
		Id: FIRST_ID.descriptor + WORK_ORDER_FIELDS.length + OTHER_OWNERS.length + index,
	})),
];

export function seedCustomFieldDescriptors(store: Store): void {
	for (const { Id, Name, Type, options = [], isRemoved = false } of numberFields()) {
		const removed = isRemoved ? { IsRemoved: true } : {};
		const own = { Id, ActorTypeId: 'WO', Name, Type, Length: 256, ...removed };
		store.insert('CustomFieldDescriptor', own);
		for (const [Idx, Value] of options.entries()) {
			store.insert('CustomFieldOption', { ParentId: Id, Idx, Value });
		}
	}
	for (const [index, ActorTypeId] of OTHER_OWNERS.entries()) {
		store.insert('CustomFieldDescriptor', {
			Id: FIRST_ID.descriptor + WORK_ORDER_FIELDS.length + index,
			ActorTypeId,
			Name: 'External Key',
			Type: 'String',
			Length: 64,
		});
	}
}

/** Each order gets two of the common custom fields, and one of the others; they vary from order to order. */
export function seedCustomFields(store: Store, order: number, index: number): void {
	const all = numberFields();
	const others = all.slice(WORK_ORDER_FIELDS.length);
	const own = [0, 1].map((step) => all[(index + step) % WORK_ORDER_FIELDS.length]);
	// An amount may be stored without its currency.
	for (const { Id, Type, value } of [...own, others[(index / 3) % others.length]]) {
		store.insert('CustomField2', {
			Descriptor: { Id },
			ObjectId: order,
			ObjectTypeId: 'WO',
			Value: value(index),
			CurrencyTypeId:
				Type === 'Money' && index % 2 === 0 ? vary(index / 2, 'USD', 'EUR') : undefined,
		});
	}
}

interface Attribute {
	Name: string;
	Type: string;
	/** A history has several values, the oldest first. */
	values: (asset: number) => string[];
	options?: readonly string[];
	isHistory?: true;
	isRemoved?: true;
}

/** Every model has all attributes but this one. */
const NO_MODEL_HAS = 'Quiet From';

const CRITICALITIES = ['High', 'Medium', 'Low'];

const ATTRIBUTES: readonly Attribute[] = [
	{ Name: 'Manufacturer', Type: 'String', values: (asset) => [`Maker ${asset % 5}`] },
	{
		Name: 'Installed',
		Type: 'Date',
		values: (asset) => [`201${asset % 10}-05-01${vary(asset, '', 'T00:00:00')}`],
	},
	{
		Name: 'Criticality',
		Type: 'String',
		options: CRITICALITIES,
		values: (asset) => [CRITICALITIES[asset % 3]],
	},
	{
		Name: 'Replacement Cost',
		Type: 'Money',
		values: (asset) => [`${1000 + (asset % 9) * 250}.5${vary(asset, '0', '')}`],
	},
	{ Name: 'Rented', Type: 'Boolean', values: () => [] },
	{
		Name: 'Run Hours',
		Type: 'Decimal',
		isHistory: true,
		values: (asset) => [`${asset % 100}`, `${100 + (asset % 100)}.5`],
	},
	{
		Name: 'Run Hours Limit',
		Type: 'Decimal',
		values: (asset) => [vary(asset, '200', '200.0', '200.00')],
	},
	{ Name: 'Load', Type: 'String', options: CHOICES, values: (asset) => [vary(asset, ...CHOICES)] },
	{ Name: 'Floor', Type: 'Integer', values: (asset) => [vary(asset, '7', '7.0')] },
	{ Name: '1', Type: 'String', values: () => [] },
	{
		Name: 'Manual',
		Type: 'Url',
		values: (asset) => [vary(asset, link('https://example.org/m'), 'https://example.org/m')],
	},
	{ Name: 'Hotline', Type: 'Phone', values: () => [] },
	{ Name: 'Quiet From', Type: 'Time', values: () => [] },
	{ Name: 'Remarks', Type: 'Text', values: () => [] },
	{ Name: 'Brand', Type: 'StringAutocomplete', options: ['Acme'], values: () => [] },
	{ Name: 'Starts', Type: 'Integer', isHistory: true, values: () => [] },
	{ Name: 'Old Tag', Type: 'String', isRemoved: true, values: (asset) => [`T-${asset}`] },
];

export function seedAttributeDescriptors(store: Store): void {
	for (const [index, attribute] of ATTRIBUTES.entries()) {
		const { Name, Type, options = [], isHistory: IsHistory = false, isRemoved = false } = attribute;
		const Id = FIRST_ID.attribute + index;
		const removed = isRemoved ? { IsRemoved: true } : {};
		store.insert('AttributeDescriptor', { Id, Name, Type, IsHistory, ...removed });
		for (const [Idx, Value] of options.entries()) {
			store.insert('AttributeOption', { ParentId: Id, Idx, Value });
		}
	}
}

export const linkAttributes = (model: number): Values[] =>
	ATTRIBUTES.flatMap(({ Name }, index) =>
		Name === NO_MODEL_HAS
			? []
			: [{ ModelId: model, AttributeDescriptorId: FIRST_ID.attribute + index }],
	);

export function seedAttributes(store: Store, AssetId: number, TopAssetId: number): void {
	for (const [index, { Type, values }] of ATTRIBUTES.entries()) {
		for (const Value of values(AssetId)) {
			store.insert('AssetAttribute', {
				Descriptor: { Id: FIRST_ID.attribute + index },
				AssetId,
				TopAssetId,
				Value,
				CurrencyTypeId: Type === 'Money' && AssetId % 4 !== 0 ? 'USD' : undefined,
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
