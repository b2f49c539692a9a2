import { getEntity, parts } from '../catalogue/entities';
import { listEnumerationOptions } from '../catalogue/enumerations';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import { findRowKinds } from '../catalogue/kinds';
import { findMemberType } from '../catalogue/members';
import { isLink, findMemberTarget, type Target } from '../catalogue/targets';
import { isBlank, parseList, type JsonObject } from '../values/checks';
import { toColumnLabel, type Cell, type Column, type Verb } from './column';
import type { IdResolver } from '../values/names';
import { parseText } from '../values/values';

/** Forms set the primary street address only; other kinds need JSON. */
const DEFAULT_ADDRESS_KIND = 'Primary';

const createTextColumn = (id: string, label: string) =>
	({ id, label, type: 'string', required: false }) satisfies Column;

/** A row with two references links its owner to the other record; only that record is selected. */
function findLink(owner: string, row: string): { member: string; target: Target } | undefined {
	const members = Object.keys(getEntity(row)?.fields ?? {});
	if (!isLink(row) || members.length !== 2) return undefined;
	return members
		.flatMap((member) => {
			const target = findMemberTarget(row, member);
			return target === undefined ? [] : [{ member, target }];
		})
		.find(({ target }) => target.entity !== owner);
}

export function getRowColumns(owner: string, name: string, verb: Verb): Column[] {
	const type = findMemberType(owner, name) ?? '';
	if (type === 'ContactInfo[]') {
		return listEnumerationOptions('ContactAddrType').map((kind) =>
			createTextColumn(`${name}.${kind.value}`, kind.name),
		);
	}
	if (type === 'Address2[]') {
		return parts.Address2.filter((part) => part !== 'TypeId').map((part) => ({
			...createTextColumn(
				`${name}.${DEFAULT_ADDRESS_KIND}.${part}`,
				toColumnLabel(`Address.${part}`, ''),
			),
			notMatchable: true,
		}));
	}
	if (findLink(owner, type.replace('[]', '')) === undefined) return [];
	const label = getMemberLabel('', name);
	// Existing links stay, so an update can only add.
	return [
		{ ...createTextColumn(name, verb === 'create' ? label : `Add ${label}`), notMatchable: true },
	];
}

/** Path of a column value inside a collection. */
interface RowPath {
	collection: string;
	owner: string;
	/** Type of the rows in the collection. */
	row: string;
	/** The rest of the path, inside the row. */
	inner: string[];
}

function findRowPath(owner: string, id: string): RowPath | undefined {
	const names = id.split('.');
	const getPath = (end: number) => names.slice(0, end).join('.');
	const end = names.findIndex((_, index) =>
		findMemberType(owner, getPath(index + 1))?.endsWith('[]'),
	);
	const rowOwner = end < 1 ? owner : (findMemberType(owner, getPath(end)) ?? '');
	const known = getRowColumns(rowOwner, names[end] ?? '', 'create');
	if (!known.some((column) => column.id === names.slice(end).join('.'))) return undefined;
	return {
		collection: getPath(end + 1),
		owner: rowOwner,
		row: (findMemberType(rowOwner, names[end]) ?? '').replace('[]', ''),
		inner: names.slice(end + 1),
	};
}

/** Each row comes with its kind or, if it is a link, with the ID of the linked record. */
function buildRows(
	{ owner, row, inner }: RowPath,
	fieldLabel: string,
	value: unknown,
	resolveId: IdResolver,
): Array<[kind: string, row: JsonObject]> {
	const link = findLink(owner, row);
	if (link !== undefined) {
		const ids = parseList(fieldLabel, value).map((one) => resolveId(fieldLabel, one, link.target));
		return ids.map((id) => [String(id), { [link.member]: id }]);
	}
	const [kind, part = 'Address'] = inner;
	return [[kind, { [findRowKinds(row)?.by ?? '']: kind, [part]: parseText(fieldLabel, value) }]];
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
	resolveId: IdResolver,
): { rows: Record<string, JsonObject[]>; others: Cell[] } {
	const found = new Map<string, Map<string, JsonObject>>();
	const others = cells.filter((cell) => {
		const rowPath = findRowPath(owner, cell.id);
		if (rowPath === undefined) return true;
		const rows = found.get(rowPath.collection) ?? new Map<string, JsonObject>();
		found.set(rowPath.collection, rows);
		for (const [kind, row] of buildRows(
			rowPath,
			`${field} > ${cell.label}`,
			cell.value,
			resolveId,
		)) {
			rows.set(kind, { ...rows.get(kind), ...row });
		}
		return false;
	});
	const rows = [...found]
		.map(([name, kinds]) => [name, [...kinds].filter(hasValue).map(([, row]) => row)] as const)
		.filter(([, some]) => some.length > 0);
	return { rows: Object.fromEntries(rows), others };
}
