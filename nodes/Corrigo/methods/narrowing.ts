import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { pickerOf, type Picker } from '../catalogue/pickers';
import { targetOf } from '../catalogue/targets';
import { isKind, rowOf } from '../catalogue/views';
import { batches } from '../protocol/batches';
import { isObject, type JsonObject } from '../protocol/checks';
import { and, equal, isIn, or, type Criteria } from '../protocol/criteria';
import { queryRequest } from '../protocol/requests';
import { recordsById } from '../records/lookup';
import { allRows } from '../records/query';
import { emptyIfForbidden } from '../transport/errors';
import { send } from '../transport/send';
import { chosenId, textIn } from './choices';

/** The values that records must have by what is chosen in another parameter of the form. */
export type ParentFilter = Readonly<Record<string, unknown>>;

export async function parentFilter(
	form: ILoadOptionsFunctions,
	{ narrowedBy }: Picker,
): Promise<ParentFilter> {
	const chosen = narrowedBy && (await valueChosen(form, narrowedBy));
	return chosen === undefined ? {} : { ...narrowedBy?.where, [narrowedBy?.property ?? '']: chosen };
}

async function valueChosen(
	form: ILoadOptionsFunctions,
	{ parameter, of }: NonNullable<Picker['narrowedBy']>,
): Promise<unknown> {
	if (!isKind(parameter)) return textIn(form, parameter);
	const id = await chosenId(form, parameter);
	if (id === undefined || of === undefined) return id;
	const [row] = await send(
		form,
		queryRequest(rowOf(parameter).entity, {
			PropertySet: { Properties: ['Id', of] },
			Criteria: and(equal('Id', id)),
			Count: 1,
			FirstResultIndex: 0,
		}),
	);
	return row?.[of];
}

/** The assets in the spaces of the chosen customer; nothing where no space can be read. */
export async function treesOf(
	form: ILoadOptionsFunctions,
	{ inSpacesOf }: Picker,
): Promise<Criteria | undefined> {
	const customer = inSpacesOf === undefined ? undefined : await chosenId(form, inSpacesOf);
	if (customer === undefined) return undefined;
	const own = and(equal('CustomerId', customer), equal('IsRemoved', false));
	const spaces = await allRows(form, 'Space', own, ['Id', 'Asset.Id']).catch(emptyIfForbidden);
	const units = spaces.flatMap(({ Asset }) => (isObject(Asset) ? [Asset.Id] : []));
	if (units.length === 0) return undefined;
	return or(...batches(new Set(units)).map((some) => isIn('ParentId', some)));
}

/** The names of the owners of rows, by their Ids; none are needed where all rows have one owner. */
export async function ownersOf(
	form: ILoadOptionsFunctions,
	{ entity, owner }: Picker,
	rows: readonly JsonObject[],
	parent: ParentFilter,
): Promise<ReadonlyMap<unknown, string>> {
	if (owner === undefined || owner in parent) return new Map();
	const ids = rows.map((row) => Number(row[owner])).filter((id) => id > 0);
	const owners = pickerOf(targetOf(entity, owner)?.entity ?? '');
	if (owners === undefined || ids.length === 0) return new Map();
	const { title } = owners;
	const found = await recordsById({ caller: form }, owners.entity, ids, {
		properties: [title],
	}).catch(emptyIfForbidden);
	return new Map([...found].map(([id, row]) => [id, String(row[title])]));
}
