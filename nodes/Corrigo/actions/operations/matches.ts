import { entityNamed, fieldType } from '../../catalogue/entities';
import type { Subject } from '../../form/subjects';
import { batches } from '../../protocol/batches';
import { nested } from '../../protocol/changes';
import { isObject, ValidationError, quote, type JsonObject } from '../../protocol/checks';
import { allOf, and, isIn, keptOnly, type Condition } from '../../protocol/criteria';
import {
	carriesCustomFields,
	CUSTOM_ROW_PATHS,
	customRows,
	newCustomFields,
} from '../../protocol/customFields';
import { comparedPathsOf } from '../../protocol/differences';
import {
	comparableKey,
	keyColumn,
	keyConditions,
	keysOf,
	keyValue,
	withoutKeys,
	type KeyColumn,
} from '../../protocol/keys';
import { firstZoned } from '../../protocol/localTimes';
import { NOT_CREATED } from '../../protocol/requests';
import { apiError } from '../../transport/errors';
import { allRows } from '../../records/query';
import { oncePerRun, type ItemContext, type RunContext } from '../../run/context';
import { allNamed } from '../../run/resolve';
import { givenFields, isPasted, type Given } from './fields';
import { sharedLookUp } from '../../once/recoverLostCreate';
import { equalsIgnoringAccents } from '../../records/lookup';
import { entityOf } from './subject';
import { zoneOfRecord } from './zones';

/** What an item wants its record to be, and how that is recognised. */
export interface Wanted {
	entity: string;
	given: Given;
	columns: readonly KeyColumn[];
	/** The values in these columns, as they were given. */
	values: readonly unknown[];
	/** The same for all items that mean one record. */
	key: string;
	/** All that a new record gets. */
	all: JsonObject;
	/** What is compared with one that is there, and written where it differs. */
	members: JsonObject;
	/** What has to be read for that. */
	paths: readonly string[];
	/** Custom fields that have to be read apart from the record. */
	apart: readonly number[];
}

/** The records of each key, as far as there are any. */
type Found = Map<string, JsonObject[]>;

/** The records that the items of a run are about: looked up together, and known after they were written. */
export class Matches {
	static readonly of = oncePerRun(async ({ run }, subject: Subject) => {
		await allNamed(run, (context) => wantedBy(context, subject));
		return new Matches(run, subject);
	});

	private readonly wanted = new Map<ItemContext, Wanted | { failure: unknown }>();
	private readonly lookUps = new Map<
		Wanted,
		(context: ItemContext, toWrite: boolean) => Promise<Found>
	>();
	/** Records that were written by this run, by their keys: they are read anew. */
	private readonly written = new Map<string, (context: ItemContext) => Promise<JsonObject[]>>();

	private constructor(run: RunContext, subject: Subject) {
		const all: Wanted[] = [];
		for (const context of run.contexts) {
			const wanted = attempt(() => wantedBy(context, subject));
			this.wanted.set(context, wanted);
			if (!('failure' in wanted)) all.push(wanted);
		}
		for (const some of batches(all, { values: ({ key }) => [key], key: togetherWith })) {
			const lookUp = sharedLookUp(async (context) => await recordsOf(context, some));
			for (const one of some) this.lookUps.set(one, lookUp);
		}
	}

	/** What is wrong with an item is said when its turn comes. */
	wantedBy(context: ItemContext): Wanted {
		const wanted = this.wanted.get(context);
		if (wanted === undefined || 'failure' in wanted) throw wanted?.failure;
		return wanted;
	}

	/** The one record with the key of an item; asked for anew if it is to be written, and was read long ago. */
	async recordFor(context: ItemContext, toWrite = false): Promise<JsonObject | undefined> {
		const wanted = this.wantedBy(context);
		const written = this.written.get(this.placeOf(context));
		const rows = written
			? await written(context)
			: ((await this.lookUps.get(wanted)?.(context, toWrite))?.get(wanted.key) ?? []);
		if (rows.length < 2) return rows[0];
		const ids = rows.map(({ Id }) => String(Id));
		throw new ValidationError(
			`There are ${rows.length} ${wanted.entity} records with ${shown(wanted)}: ${ids.slice(0, MAX_SHOWN).join(', ')}${ids.length > MAX_SHOWN ? ', …' : ''}`,
			'Nothing was written. Match on more, or make them one in Corrigo.',
		);
	}

	/** Whoever comes next with this key finds the record as it is then. */
	wrote(context: ItemContext, id: number): void {
		this.written.set(
			this.placeOf(context),
			async (next) => await read(next, [this.wantedBy(next)], isIn('Id', [id])),
		);
	}

	/** A rehearsal goes on as if the record were there. */
	rehearsed(context: ItemContext): void {
		const record = { ...this.wantedBy(context).all, Id: NOT_CREATED };
		this.written.set(this.placeOf(context), async () => [record]);
	}

	/** The record may come to be: no second one is made of it. */
	doubt(context: ItemContext, failure: unknown): void {
		this.written.set(this.placeOf(context), async (next) => {
			next.mayHaveWritten = true;
			throw failure;
		});
	}

	/** What a rehearsal did not make is there for rehearsals only. */
	private placeOf(context: ItemContext): string {
		return `${context.isDryRun} ${this.wantedBy(context).key}`;
	}
}

const MAX_SHOWN = 10;

export const shown = ({ columns, values }: Wanted): string =>
	columns.map(({ id }, index) => `${id} ${quote(values[index])}`).join(' and ');

function attempt<T>(work: () => T): T | { failure: unknown } {
	try {
		return work();
	} catch (failure) {
		return { failure };
	}
}

const MATCH_ON = { columns: 'Columns to Match On', json: 'Match On' };

function wantedBy(context: ItemContext, subject: Subject): Wanted {
	const entity = entityOf(subject, context);
	const given = givenFields(context, entity, 'upsert');
	const { field, custom } = given;
	const columns = matchColumns(context, entity);
	const all = nested(field, {
		...given.members,
		...given.rows,
		...(custom.length > 0 ? { CustomFields: newCustomFields(custom) } : {}),
	});
	const values = columns.map((column) => keyValue(field, column, all));
	const carries = carriesCustomFields(entity);
	return {
		entity,
		given,
		columns,
		values,
		key: keyIn(entity, columns, comparableKey(columns, values)),
		all,
		members: withoutKeys(columns, all),
		paths: [
			'Id',
			...(entityNamed(entity)?.lock ? ['ConcurrencyId'] : []),
			...(context.isOn('returnRecord') ? ['*'] : []),
			...(firstZoned(entity, all) ? zonePaths(entity) : []),
			...comparedPathsOf(entity, all).filter(
				(path) => carries || !path.startsWith('CustomFields.'),
			),
		],
		apart: carries ? [] : custom.map(({ descriptor }) => descriptor),
	};
}

function matchColumns(context: ItemContext, entity: string): KeyColumn[] {
	const mapping = context.param('fields', {});
	const [field, given] = isPasted(context)
		? [MATCH_ON.json, context.text('matchOn').split(',')]
		: [MATCH_ON.columns, isObject(mapping) ? mapping.matchingColumns : []];
	const ids = (Array.isArray(given) ? given : []).filter((id) => String(id).trim() !== '');
	if (ids.length === 0) {
		throw new ValidationError(
			`'${field}' is empty`,
			'Say by what a record is recognised, such as its TenantCode or Number.',
		);
	}
	return ids.map((id) => keyColumn(field, entity, id));
}

const zonePaths = (entity: string) => {
	const source = zoneOfRecord(entity);
	return source === undefined ? [] : [source.zone];
};

const keyIn = (entity: string, columns: readonly KeyColumn[], text: string) =>
	[entity, ...columns.map(({ id }) => id), text].join();

/** A property that may not be there is a matter of the items that have it alone. */
const togetherWith = ({ entity, columns, paths }: Wanted): string =>
	[
		entity,
		...columns.map(({ id }) => id),
		...paths.filter(
			(path) => fieldType(entity, path.replace(/\.?\*$/, '')) === undefined && path !== '*',
		),
	].join();

/** The records that have the keys of these items, whatever else has come along. */
export async function recordsOf(context: ItemContext, wanted: readonly Wanted[]): Promise<Found> {
	const [{ entity, columns }] = wanted;
	const asked = new Set(wanted.map(({ key }) => key));
	const found: Found = new Map();
	const rows: JsonObject[] = [];
	for (const conditions of await conditionsFor(context, wanted)) {
		rows.push(...(await read(context, wanted, ...conditions)));
	}
	for (const row of rows) {
		const keys = keysOf(columns, row).map((text) => keyIn(entity, columns, text));
		const fitting = keys.flatMap((key) => whichOf(asked, key));
		if (fitting.length === 0 && columns.length === 1 && columns[0].row === undefined) {
			throw notAsked(context);
		}
		for (const key of new Set(fitting)) found.set(key, [...(found.get(key) ?? []), row]);
	}
	return found;
}

/** The service may not care for accents either. */
const whichOf = (asked: ReadonlySet<string>, key: string): string[] =>
	asked.has(key) ? [key] : [...asked].filter((one) => equalsIgnoringAccents(one, key));

/** Nothing may be created on the word of an answer that does not fit the question. */
const notAsked = (context: ItemContext) =>
	apiError(
		context.caller.getNode(),
		'Corrigo answered the look-up of records with one that was not asked for',
		'Nothing was written. Match on another property.',
	);

/** Where custom fields are no member of the record, those that have the value are found first. */
async function conditionsFor(
	context: ItemContext,
	wanted: readonly Wanted[],
): Promise<Condition[][]> {
	const [{ entity, columns }] = wanted;
	const isApart = ({ row }: KeyColumn) =>
		row?.type === 'CustomField2' && !carriesCustomFields(entity);
	const own = keyConditions(
		columns.filter((column) => !isApart(column)),
		wanted.map(({ values }) => values.filter((_, index) => !isApart(columns[index]))),
	);
	let conditions = [own];
	for (const [index, column] of columns.entries()) {
		if (!isApart(column)) continue;
		const values = new Set(wanted.map((one) => String(one.values[index])));
		const rows = await apart(
			context,
			entity,
			[Number(column.row?.kind)],
			isIn('Value', [...values]),
		);
		const ids = new Set(rows.map(({ ObjectId }) => ObjectId));
		conditions = conditions.flatMap((before) =>
			batches(ids).map((some) => [...before, isIn('Id', some)]),
		);
	}
	return conditions;
}

/** Each record once: several of its rows may have met the conditions. */
async function read(
	context: ItemContext,
	wanted: readonly Wanted[],
	...conditions: Condition[]
): Promise<JsonObject[]> {
	const [{ entity }] = wanted;
	const properties = [...new Set(wanted.flatMap(({ paths }) => paths))];
	const criteria = allOf(and(...conditions), keptOnly(entity));
	const rows = new Map<unknown, JsonObject>();
	for (const row of await allRows(
		context.caller,
		entity,
		criteria,
		properties,
		context.sendOptions,
	)) {
		rows.set(row.Id, row);
	}
	const descriptors = new Set(wanted.flatMap((one) => one.apart));
	if (descriptors.size === 0 || rows.size === 0) return [...rows.values()];
	const fields = new Map<unknown, JsonObject[]>();
	for (const some of batches(rows.keys())) {
		for (const field of await apart(context, entity, [...descriptors], isIn('ObjectId', some))) {
			fields.set(field.ObjectId, [...(fields.get(field.ObjectId) ?? []), field]);
		}
	}
	return [...rows.values()].map((row) => ({ ...row, CustomFields: fields.get(row.Id) ?? [] }));
}

const apart = async (
	context: ItemContext,
	entity: string,
	descriptors: number[],
	condition: Condition,
) =>
	await allRows(
		context.caller,
		'CustomField2',
		customRows(entity, isIn('Descriptor.Id', descriptors), condition),
		CUSTOM_ROW_PATHS,
		context.sendOptions,
	);
