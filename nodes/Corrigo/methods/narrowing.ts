import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Picker } from '../form/references';
import { batches } from '../protocol/batches';
import { isObject, type JsonObject } from '../protocol/checks';
import { and, equal, isIn, or, type Criteria } from '../protocol/criteria';
import { MAX_PAGE } from '../protocol/paging';
import { queryRequest } from '../protocol/requests';
import { emptyIfForbidden } from '../transport/errors';
import { send } from '../transport/send';
import { chosenId, textIn } from './choices';

/** What is chosen before, in another parameter of the form, leaves fewer to choose from. */
export async function chosenBefore(
	form: ILoadOptionsFunctions,
	{ within }: Picker,
): Promise<Readonly<Record<string, unknown>>> {
	const wanted = within && (await wantedWithin(form, within));
	return wanted === undefined ? {} : { ...within?.and, [within?.property ?? '']: wanted };
}

async function wantedWithin(
	form: ILoadOptionsFunctions,
	{ parameter, of, member }: NonNullable<Picker['within']>,
): Promise<unknown> {
	if (member) return textIn(form, parameter);
	const id = await chosenId(form, parameter);
	if (id === undefined || of === undefined) return id;
	const [row] = await send(
		form,
		queryRequest(of.entity, {
			PropertySet: { Properties: ['Id', of.property] },
			Criteria: and(equal('Id', id)),
			Count: 1,
			FirstResultIndex: 0,
		}),
	);
	return row?.[of.property];
}

/** The assets in the spaces of the chosen customer; nothing where it has none that can be read. */
export async function treesOf(
	form: ILoadOptionsFunctions,
	{ inSpacesOf }: Picker,
): Promise<Criteria | undefined> {
	const customer = inSpacesOf === undefined ? undefined : await chosenId(form, inSpacesOf);
	if (customer === undefined) return undefined;
	const spaces = await send(
		form,
		queryRequest('Space', {
			PropertySet: { Properties: ['Id', 'Asset.Id'] },
			Criteria: and(equal('CustomerId', customer), equal('IsRemoved', false)),
			Count: MAX_PAGE,
			FirstResultIndex: 0,
		}),
	).catch(emptyIfForbidden);
	const units = spaces.flatMap(({ Asset }) => (isObject(Asset) ? [Asset.Id] : []));
	if (units.length === 0) return undefined;
	return or(...batches(new Set(units)).map((some) => isIn('ParentId', some)));
}

/** The names of those that rows belong to, by their Ids. All of one owner need no telling. */
export async function ownersOf(
	form: ILoadOptionsFunctions,
	{ owner, within }: Picker,
	rows: readonly JsonObject[],
): Promise<ReadonlyMap<unknown, string>> {
	const ids = owner === undefined ? [] : [...new Set(rows.map((row) => row[owner.property]))];
	const known = ids.filter((id) => Number(id) > 0);
	if (owner === undefined || known.length === 0) return new Map();
	const isGiven = within?.property === owner.property && (await chosenId(form, within.parameter));
	if (isGiven) return new Map();
	const found = await send(
		form,
		queryRequest(owner.entity, {
			PropertySet: { Properties: ['Id', owner.title] },
			Criteria: and(isIn('Id', known)),
			Count: known.length,
			FirstResultIndex: 0,
		}),
	).catch(emptyIfForbidden);
	return new Map(found.map((row) => [row.Id, String(row[owner.title])]));
}
