import { entityNamed, parts } from '../catalogue/entities';
import { enumerationOptions } from '../catalogue/enumerations';
import { memberLabel } from '../catalogue/enumerations/labels';
import { kindsOf } from '../catalogue/kinds';
import { memberType } from '../catalogue/members';
import { isLink, targetOf, type Target } from '../catalogue/targets';
import { isBlank, parseList, type JsonObject } from './checks';
import { labelOf, type Cell, type Column, type Verb } from './column';
import type { IdOf } from './names';
import { plainText } from './values';

/** Forms set the primary street address only; other kinds need JSON. */
const DEFAULT_ADDRESS_KIND = 'Primary';

const textColumn = (id: string, label: string) =>
	({ id, label, type: 'string', required: false }) satisfies Column;

/** A row with two references links its owner to the other record; only that record is selected. */
function linkOf(owner: string, row: string): { member: string; target: Target } | undefined {
	const members = Object.keys(entityNamed(row)?.fields ?? {});
	if (!isLink(row) || members.length !== 2) return undefined;
	return members
		.flatMap((member) => {
			const target = targetOf(row, member);
			return target === undefined ? [] : [{ member, target }];
		})
		.find(({ target }) => target.entity !== owner);
}

export function rowColumns(owner: string, name: string, verb: Verb): Column[] {
	const type = memberType(owner, name) ?? '';
	if (type === 'ContactInfo[]') {
		return enumerationOptions('ContactAddrType').map((kind) =>
			textColumn(`${name}.${kind.value}`, kind.name),
		);
	}
	if (type === 'Address2[]') {
		return parts.Address2.filter((part) => part !== 'TypeId').map((part) => ({
			...textColumn(`${name}.${DEFAULT_ADDRESS_KIND}.${part}`, labelOf(`Address.${part}`, '')),
			notMatchable: true,
		}));
	}
	if (linkOf(owner, type.replace('[]', '')) === undefined) return [];
	const label = memberLabel('', name);
	// Existing links stay, so an update can only add.
	return [{ ...textColumn(name, verb === 'create' ? label : `Add ${label}`), notMatchable: true }];
}

/** Path of a column value inside a collection. */
interface Place {
	collection: string;
	owner: string;
	/** Type of the rows in the collection. */
	row: string;
	/** The rest of the path, inside the row. */
	inner: string[];
}

function placeOf(owner: string, id: string): Place | undefined {
	const names = id.split('.');
	const pathTo = (end: number) => names.slice(0, end).join('.');
	const end = names.findIndex((_, index) => memberType(owner, pathTo(index + 1))?.endsWith('[]'));
	const rowOwner = end < 1 ? owner : (memberType(owner, pathTo(end)) ?? '');
	const known = rowColumns(rowOwner, names[end] ?? '', 'create');
	if (!known.some((column) => column.id === names.slice(end).join('.'))) return undefined;
	return {
		collection: pathTo(end + 1),
		owner: rowOwner,
		row: (memberType(rowOwner, names[end]) ?? '').replace('[]', ''),
		inner: names.slice(end + 1),
	};
}

/** Each row comes with its kind or, if it is a link, with the ID of the linked record. */
function rowsOf(
	{ owner, row, inner }: Place,
	fieldLabel: string,
	value: unknown,
	idOf: IdOf,
): Array<[kind: string, row: JsonObject]> {
	const link = linkOf(owner, row);
	if (link !== undefined) {
		const ids = parseList(fieldLabel, value).map((one) => idOf(fieldLabel, one, link.target));
		return ids.map((id) => [String(id), { [link.member]: id }]);
	}
	const [kind, part = 'Address'] = inner;
	return [[kind, { [kindsOf(row)?.by ?? '']: kind, [part]: plainText(fieldLabel, value) }]];
}

const hasValue = ([kind, row]: [string, JsonObject]): boolean =>
	Object.values(row).some((value) => !isBlank(value) && value !== kind);

/**
 * Converts cells of row columns to rows and returns the other cells. Empty cells change nothing.
 */
export function splitRows(
	owner: string,
	field: string,
	cells: readonly Cell[],
	idOf: IdOf,
): { rows: Record<string, JsonObject[]>; others: Cell[] } {
	const found = new Map<string, Map<string, JsonObject>>();
	const others = cells.filter((cell) => {
		const place = placeOf(owner, cell.id);
		if (place === undefined) return true;
		const rows = found.get(place.collection) ?? new Map<string, JsonObject>();
		found.set(place.collection, rows);
		for (const [kind, row] of rowsOf(place, `${field} > ${cell.label}`, cell.value, idOf)) {
			rows.set(kind, { ...rows.get(kind), ...row });
		}
		return false;
	});
	const rows = [...found]
		.map(([name, kinds]) => [name, [...kinds].filter(hasValue).map(([, row]) => row)] as const)
		.filter(([, some]) => some.length > 0);
	return { rows: Object.fromEntries(rows), others };
}
