import { entities } from '../catalogue/entities';
import { enumerationOptions, isEnumerationName } from '../catalogue/enumerations';
import { memberLabel } from '../catalogue/enumerations/labels';
import { memberType } from '../catalogue/members';
import { isShort, targetOf, type Target } from '../catalogue/targets';
import { timeZones } from '../catalogue/timeZones';
import { isTimeZone } from './timeZones';

/** One thing of a record, or of a command, that a form can set. */
export interface Column {
	/** Path of the property. */
	id: string;
	label: string;
	/** Lists and objects are JSON. */
	type: 'array' | 'boolean' | 'dateTime' | 'number' | 'object' | 'options' | 'string';
	required: boolean;
	options?: Array<{ name: string; value: number | string }>;
	/** Takes a name, a number or an ID of another record. */
	isReference?: true;
	/** The records it can refer to, where they are few enough to choose from. */
	table?: Target;
	/** No one value of a record, so no record is recognised by it. */
	notMatchable?: true;
}

/** A value given for a column. */
export interface Cell {
	id: string;
	label: string;
	value: unknown;
	type?: string;
}

export type Verb = 'create' | 'update' | 'upsert';

const PRIMITIVES: Readonly<Record<string, Column['type']>> = {
	boolean: 'boolean',
	datetime: 'dateTime',
	integer: 'number',
	number: 'number',
	string: 'string',
};

/** Whether it is one value, not an object or a list. */
export const isScalar = (type: string): boolean => type in PRIMITIVES || isEnumerationName(type);

const entityNames = entities.map(({ name, label }) => ({ name: label, value: name }));

const zones = Object.entries(timeZones)
	.map(([index, name = '']) => ({ name, value: Number(index) }))
	.sort((a, b) => (a.name < b.name ? -1 : 1));

/** Of one value of an entity, a command, or what stands inside them. */
export function columnOf(owner: string, path: string, required: boolean): Column {
	const type = memberType(owner, path) ?? '';
	const base = { id: path, label: labelOf(path, type), required };
	if (isEnumerationName(type))
		return { ...base, type: 'options', options: enumerationOptions(type) };
	if (isTimeZone(path, type)) return { ...base, type: 'options', options: zones };
	if (path === 'EntityType') return { ...base, type: 'options', options: entityNames };
	const target = targetOf(owner, path);
	if (target === undefined || target.by.length === 0) return { ...base, type: PRIMITIVES[type] };
	return {
		...base,
		label: base.label.replace(/ ID$/, ''),
		type: 'string',
		isReference: true,
		...(isShort(target) ? { table: target } : {}),
	};
}

/** `DtDue`, `Customer.Id`, `VendorNte.Value` and `Info.TagId` as a person reads them. */
export function labelOf(path: string, type: string): string {
	const words = path
		.replace(/^Dt(?=[A-Z])/, '')
		.replace(/^Info\./, '')
		.replace(/\bDisplayAs$/, 'DisplayName')
		.replace(/\.Value$/, '')
		.replace('.CurrencyTypeId', 'Currency')
		.replace('.AddrTypeId', 'TypeId')
		.replace('Address.Address', 'Address')
		// The contract spells one member so.
		.replace(/Orderid$/, 'OrderId')
		.replace('.', '');
	const name = isEnumerationName(type) ? words.replace(/I[dD]$/, '') : words;
	return memberLabel('', name).replace(/\b(Dba|Mime|Po|Zip)\b/g, (short) => short.toUpperCase());
}
