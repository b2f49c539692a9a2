import { entities } from '../catalogue/entities';
import { listEnumerationOptions, isEnumerationName } from '../catalogue/enumerations';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import { findMemberType } from '../catalogue/members';
import { findTypeMember } from '../catalogue/actors';
import { hasShortList, findMemberTarget, findActorTarget, type Target } from '../catalogue/targets';
import { timeZones } from '../catalogue/timeZones';
import type { JsonObject } from '../values/checks';
import { isTimeZone } from '../values/timeZones';

/** A value of a record or command that a form can set. */
export interface Column {
	/** Path of the property. */
	id: string;
	label: string;
	/** Lists and objects are entered as JSON. */
	type: 'array' | 'boolean' | 'dateTime' | 'number' | 'object' | 'options' | 'string';
	required: boolean;
	options?: Array<{ name: string; value: number | string }>;
	/** The field accepts the name, number or ID of another record. */
	isReference?: true;
	/** Records to choose from, if there are few enough for a list. */
	table?: Target;
	/** Records can be matched only on columns with a single value. */
	notMatchable?: true;
}

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

/** Objects and lists are not scalar. */
export const isScalar = (type: string): boolean => type in PRIMITIVES || isEnumerationName(type);

const entityNames = entities.map(({ name, label }) => ({ name: label, value: name }));

const zones = Object.entries(timeZones)
	.map(([index, name = '']) => ({ name, value: Number(index) }))
	.sort((a, b) => (a.name < b.name ? -1 : 1));

export function buildColumn(
	owner: string,
	path: string,
	required: boolean,
	input: JsonObject = {},
): Column {
	const type = findMemberType(owner, path) ?? '';
	const base = { id: path, label: toColumnLabel(path, type), required };
	if (isEnumerationName(type))
		return { ...base, type: 'options', options: listEnumerationOptions(type) };
	if (isTimeZone(path, type)) return { ...base, type: 'options', options: zones };
	if (path === 'EntityType') return { ...base, type: 'options', options: entityNames };
	const typeMember = findTypeMember(owner, path);
	const target =
		typeMember === undefined
			? findMemberTarget(owner, path)
			: findActorTarget(String(input[typeMember] ?? ''));
	if (typeMember === undefined && !target?.by.length) return { ...base, type: PRIMITIVES[type] };
	return {
		...base,
		label: base.label.replace(/ ID$/, ''),
		type: 'string',
		isReference: true,
		...(target && hasShortList(target) ? { table: target } : {}),
	};
}

/** Makes paths such as `DtDue`, `Customer.Id`, `VendorNte.Value` and `Info.TagId` readable. */
export function toColumnLabel(path: string, type: string): string {
	const words = path
		.replace(/^[Dd]t(?=[A-Z])/, '')
		.replace(/^Info\./, '')
		.replace(/\bDisplayAs$/, 'DisplayName')
		.replace(/\.Value$/, '')
		.replace('.CurrencyTypeId', 'Currency')
		.replace('.AddrTypeId', 'TypeId')
		.replace('Address.Address', 'Address')
		// The contract spells one member with a lowercase i.
		.replace(/Orderid$/, 'OrderId')
		.replace('.', '');
	const name = isEnumerationName(type) ? words.replace(/I[dD]$/, '') : words;
	return getMemberLabel('', name).replace(/\b(Dba|Mime|Po|Utc|Zip)\b/g, (short) =>
		short.toUpperCase(),
	);
}
