import { isObject, type EntityType, type ObjectField, type ScalarField } from '../schema';
import type { Row, Store, Values } from '../store/store';
import {
	requireField,
	referencedRow,
	collectionRows,
	failNotScalar,
	objectField,
	getTarget,
} from './paths';
import { getDefault } from './values';

/** A list of property paths as a tree. */
export interface Selection {
	star: boolean;
	scalars: Set<string>;
	objects: Map<string, Selection>;
}

export const emptySelection = (): Selection => ({
	star: false,
	scalars: new Set(),
	objects: new Map(),
});

const WRITE_ONLY: ReadonlySet<string> = new Set(['Employee.Password']);

export function select(type: EntityType, paths: readonly string[]): Selection {
	const root = emptySelection();
	for (const path of paths.map((text) => text.trim()).filter(Boolean)) {
		addPath(root, type, path);
	}
	return root;
}

/** A path ends in a scalar or a star; only money may be named as a whole. */
function addPath(root: Selection, start: EntityType, path: string): void {
	const segments = path.split('.');
	const last = segments.pop() ?? '';
	let type = start;
	let selection = root;
	for (const segment of segments) {
		const field = objectField(type, segment);
		type = getTarget(field);
		selection = childSelection(selection, field.name);
	}
	if (last === '*') {
		selection.star = true;
		return;
	}
	const field = requireField(type, last);
	if (!isObject(field)) selection.scalars.add(field.name);
	else if (field.entity === 'MoneyValue') childSelection(selection, field.name).star = true;
	else failNotScalar(path);
}

function childSelection(selection: Selection, name: string): Selection {
	const known = selection.objects.get(name) ?? emptySelection();
	selection.objects.set(name, known);
	return known;
}

/** The rows to return by the name of their collection; collections without an entry are returned in full. */
type ChildFilter = ReadonlyMap<string, ReadonlySet<Row | undefined>>;

type Step = readonly [name: string, read: (row: Row, matching?: ChildFilter) => unknown];

/** Projects rows onto a selection. The plan for a selection is made once and used for all rows. */
export class Projector {
	private plans = new WeakMap<Selection, Step[]>();
	private plannedShowEmpty = false;

	constructor(private readonly world: { store: Store; settings: { showEmpty: boolean } }) {}

	project(type: EntityType, row: Row, selection: Selection, matching?: ChildFilter): Values {
		const data: Values = {};
		for (const [name, read] of this.plan(type, selection)) {
			const value = read(row, matching);
			if (value !== undefined) data[name] = value;
		}
		return data;
	}

	private get store(): Store {
		return this.world.store;
	}

	private get showEmpty(): boolean {
		return this.world.settings.showEmpty;
	}

	private plan(type: EntityType, selection: Selection): Step[] {
		if (this.plannedShowEmpty !== this.showEmpty) this.plans = new WeakMap();
		this.plannedShowEmpty = this.showEmpty;
		let steps = this.plans.get(selection);
		if (!steps) {
			steps = type.fields.flatMap((field): Step[] => {
				const read = isObject(field)
					? this.object(type, field, selection.star, selection.objects.get(field.name))
					: this.scalar(type, field, selection);
				return read ? [[field.name, read]] : [];
			});
			this.plans.set(selection, steps);
		}
		return steps;
	}

	private scalar(
		type: EntityType,
		field: ScalarField,
		{ star, scalars }: Selection,
	): Step[1] | undefined {
		const isSelected = scalars.has(field.name) || (star && (!field.hidden || this.showEmpty));
		if (!isSelected) return undefined;
		if (WRITE_ONLY.has(`${type.name}.${field.name}`)) return () => '';
		const empty = this.showEmpty && field.kind === 'string' ? '' : getDefault(field);
		const { storedAs = field.name } = field;
		if (field.kind === 'datetime') return (row) => this.store.displayed(row, storedAs);
		return (row) => row[storedAs] ?? empty;
	}

	private object(
		type: EntityType,
		field: ObjectField,
		star: boolean,
		deeper: Selection | undefined,
	): Step[1] | undefined {
		if (field.kind === 'collection') return this.collection(type, field, star, deeper);
		if (!star && !deeper) return undefined;
		if (field.entity === 'MoneyValue') {
			return (row) => money(row[field.name], star ? undefined : deeper);
		}
		const wanted = star ? withKey(field, deeper) : (deeper ?? emptySelection());
		const target = getTarget(field);
		return (row) => {
			const referred = referencedRow(this.store, row, field);
			return referred && this.project(target, referred, wanted);
		};
	}

	private collection(
		type: EntityType,
		field: ObjectField,
		star: boolean,
		deeper: Selection | undefined,
	): Step[1] | undefined {
		const empty = this.showEmpty ? [] : undefined;
		if (!deeper) return star && empty ? () => empty : undefined;
		const target = getTarget(field);
		return (row, matching) => {
			const shown = matching?.get(field.name);
			const children = collectionRows(this.store, type, row, field).filter(
				(child) => shown?.has(child) ?? true,
			);
			if (children.length === 0) return empty;
			return children.map((child) => this.project(target, child, deeper));
		};
	}
}

/** References are returned with their Id, those to an actor also with its kind. */
function withKey({ entity }: ObjectField, selection: Selection | undefined): Selection {
	const { star, scalars, objects } = selection ?? emptySelection();
	const key = entity === 'Actor' ? ['Id', 'TypeId'] : ['Id'];
	return { star, scalars: new Set([...scalars, ...key]), objects };
}

function money(value: unknown, selection: Selection | undefined): unknown {
	if (!value || !selection || selection.star) return value;
	return Object.fromEntries(Object.entries(value).filter(([name]) => selection.scalars.has(name)));
}
