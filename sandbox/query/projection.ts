import { isObject, type EntityType, type ObjectField } from '../schema';
import type { Row, Store, Values } from '../store/store';
import { exposed, follow, followAll, notScalar, objectField, targetOf } from './paths';
import { defaultOf } from './values';

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

/** Passwords can be set, never read. */
const WRITE_ONLY: ReadonlySet<string> = new Set(['Employee.Password']);

export interface SelectionRules {
	/** An update names money as a whole; so does a read. Everything else must end in a scalar. */
	bare: (field: ObjectField) => boolean;
}

const READ: SelectionRules = { bare: (field) => field.entity === 'MoneyValue' };

export function select(type: EntityType, paths: readonly string[], rules = READ): Selection {
	const root = emptySelection();
	for (const path of paths.map((text) => text.trim()).filter(Boolean)) {
		addPath(root, type, path, rules);
	}
	return root;
}

function addPath(root: Selection, start: EntityType, path: string, rules: SelectionRules): void {
	const segments = path.split('.');
	const last = segments.pop() ?? '';
	let type = start;
	let selection = root;
	for (const segment of segments) {
		const field = objectField(type, segment);
		type = targetOf(field);
		selection = inner(selection, field.name);
	}
	if (last === '*') {
		selection.star = true;
		return;
	}
	const field = exposed(type, last);
	if (!isObject(field)) selection.scalars.add(field.name);
	else if (rules.bare(field)) inner(selection, field.name).star = true;
	else notScalar(path);
}

function inner(selection: Selection, name: string): Selection {
	const known = selection.objects.get(name) ?? emptySelection();
	selection.objects.set(name, known);
	return known;
}

export class Projector {
	constructor(private readonly world: { store: Store; settings: { showEmpty: boolean } }) {}

	private get store(): Store {
		return this.world.store;
	}

	/** Answers of some versions also carry what is empty. */
	private get showEmpty(): boolean {
		return this.world.settings.showEmpty;
	}

	project(type: EntityType, row: Row, selection: Selection): Values {
		const data: Values = {};
		for (const field of type.fields) {
			const deeper = selection.objects.get(field.name);
			const value = isObject(field)
				? this.object(type, row, field, selection.star, deeper)
				: this.scalar(type, row, field, selection);
			if (value !== undefined) data[field.name] = value;
		}
		return data;
	}

	private scalar(
		type: EntityType,
		row: Row,
		field: Exclude<EntityType['fields'][number], ObjectField>,
		{ star, scalars }: Selection,
	): unknown {
		const asked = scalars.has(field.name) || (star && (!field.hidden || this.showEmpty));
		if (!asked) return undefined;
		if (WRITE_ONLY.has(`${type.name}.${field.name}`)) return '';
		const empty = this.showEmpty && field.kind === 'string' ? '' : undefined;
		return row[field.name] ?? defaultOf(field) ?? empty;
	}

	private object(
		type: EntityType,
		row: Row,
		field: ObjectField,
		star: boolean,
		deeper: Selection | undefined,
	): unknown {
		if (!star && !deeper) return undefined;
		const target = targetOf(field);
		if (field.kind === 'collection') {
			const children = deeper ? followAll(this.store, type, row, field) : [];
			if (children.length === 0) return this.showEmpty ? [] : undefined;
			return children.map((child) => this.project(target, child, deeper ?? emptySelection()));
		}
		if (field.entity === 'MoneyValue') return money(row[field.name], star ? undefined : deeper);
		const referred = follow(this.store, row, field);
		if (!referred) return undefined;
		const wanted = star ? withId(deeper) : deeper;
		return wanted && this.project(target, referred, wanted);
	}
}

function withId(selection: Selection | undefined): Selection {
	const { star, scalars, objects } = selection ?? emptySelection();
	return { star, scalars: new Set([...scalars, 'Id']), objects };
}

function money(value: unknown, selection: Selection | undefined): unknown {
	if (!value || !selection || selection.star) return value;
	return Object.fromEntries(Object.entries(value).filter(([name]) => selection.scalars.has(name)));
}
