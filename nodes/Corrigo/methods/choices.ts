import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { getRecordTarget, type Picker } from '../catalogue/targets';
import { isRecordType, getRecordView } from '../catalogue/views';
import { ValidationError } from '../values/errors';
import { type JsonObject, unwrapLocator, isObject, readPath } from '../values/objects';
import { isBlank } from '../values/input';
import { Resolver } from '../records/resolver';
import { type Criteria, batches, and, equal, isIn, or } from '../wire/criteria';
import { buildQueryRequest } from '../wire/requests';
import { getReferencedEntity, loadReferenceNames } from '../records/names';
import { loadAllRows } from '../records/query';
import { emptyIfForbidden } from '../transport/errors';
import { send } from '../transport/send';

/**
 * A parameter in the same row or collection takes precedence over one at the top level. The record
 * that an operation is about is chosen in "id".
 */
const readChoice = (form: ILoadOptionsFunctions, parameter: string): unknown =>
	[`&${parameter}`, parameter, form.getCurrentNodeParameter('resource') === parameter ? 'id' : '']
		.filter((path) => path !== '')
		.map((path) => form.getCurrentNodeParameter(path))
		.find((input) => !isBlank(unwrapLocator(input)) && !isObject(unwrapLocator(input)));

/** An expression has no value before the workflow runs, so it counts as empty. */
export function readText(form: ILoadOptionsFunctions, parameter: string): string | undefined {
	const value = String(unwrapLocator(readChoice(form, parameter)) ?? '').trim();
	return value === '' || value.startsWith('=') ? undefined : value;
}

/** A name narrows the list only if exactly one record has it. */
async function loadChosenId(
	form: ILoadOptionsFunctions,
	parameter: string,
): Promise<number | undefined> {
	if (readText(form, parameter) === undefined || !isRecordType(parameter)) return undefined;
	const names = new Resolver();
	const target = getRecordTarget(parameter);
	const build = () => names.resolveId(parameter, readChoice(form, parameter), target);
	return await names.resolveForm({ caller: form }, { build }).catch((failure: unknown) => {
		if (!(failure instanceof ValidationError)) throw failure;
		return undefined;
	});
}

/** The choice in another parameter of the form requires records to have these values. */
export type ParentFilter = Readonly<Record<string, unknown>>;

export async function loadParentFilter(
	form: ILoadOptionsFunctions,
	{ narrowedBy = [] }: Picker,
): Promise<ParentFilter> {
	for (const one of narrowedBy) {
		const chosen = await loadChosenValue(form, one);
		if (chosen !== undefined) return { ...one.where, [one.property]: chosen };
	}
	return {};
}

async function loadChosenValue(
	form: ILoadOptionsFunctions,
	{ parameter, of }: NonNullable<Picker['narrowedBy']>[number],
): Promise<unknown> {
	if (!isRecordType(parameter)) return readText(form, parameter);
	const id = await loadChosenId(form, parameter);
	if (id === undefined || of === undefined) return id;
	const [row] = await send(
		form,
		buildQueryRequest(getRecordView(parameter).entity, {
			PropertySet: { Properties: ['Id', of] },
			Criteria: and(equal('Id', id)),
			Count: 1,
			FirstResultIndex: 0,
		}),
	);
	return readPath(row ?? {}, of);
}

/** Assets of a customer are below its spaces. The list is not narrowed if no space can be read. */
export async function loadTreeCriteria(
	form: ILoadOptionsFunctions,
	{ inSpacesOf }: Picker,
): Promise<Criteria | undefined> {
	const customer = inSpacesOf === undefined ? undefined : await loadChosenId(form, inSpacesOf);
	if (customer === undefined) return undefined;
	const own = and(equal('CustomerId', customer), equal('IsRemoved', false));
	const reading = loadAllRows({ caller: form }, 'Space', own, ['Id', 'Asset.Id']);
	const spaces = await reading.catch(emptyIfForbidden);
	const units = spaces.flatMap(({ Asset }) => (isObject(Asset) ? [Asset.Id] : []));
	if (units.length === 0) return undefined;
	return or(...batches(new Set(units)).map((some) => isIn('ParentId', some)));
}

/** An end that all rows have in common is not shown, so its names are not read. */
export async function loadEndNames(
	form: ILoadOptionsFunctions,
	{ entity, ends }: Picker,
	rows: readonly JsonObject[],
	parent: ParentFilter,
): Promise<(row: JsonObject) => string[]> {
	const shown = ends.filter((end) => !(end in parent));
	const findName = await loadReferenceNames({ caller: form }, entity, rows, shown);
	return (row) =>
		shown.flatMap((end) => findName(getReferencedEntity(entity, end, row) ?? '', row[end]) ?? []);
}
