import { entityNoun } from '../catalogue/entities';
import { targetOf, type Target } from '../catalogue/targets';
import { batches, MAX_NAMES } from '../protocol/batches';
import {
	chosen,
	isBlank,
	isLocator,
	quote,
	ValidationError,
	withArticle,
	type JsonObject,
} from '../protocol/checks';
import {
	allOf,
	and,
	containing,
	equal,
	isIn,
	notRemoved,
	or,
	type Criteria,
} from '../protocol/criteria';
import {
	isName,
	type IdOf,
	type RecordNames,
	type RecordValue,
	type RowsOf,
} from '../protocol/names';
import { KnownNames } from '../protocol/knownNames';
import { queryRequest } from '../protocol/requests';
import { mostSimilar, piecesOf } from '../protocol/similarNames';
import { idOfRecord, normalize, positiveId } from '../protocol/values';
import { numberForms, numberingsOf } from '../protocol/workOrderNumbers';
import { emptyIfForbidden, wasRefused } from '../transport/errors';
import { KeyedMutex } from '../transport/keyedMutex';
import { send } from '../transport/send';
import { lookUp, valuesAt, type Requester } from './lookup';
import { allRows } from './query';

interface Wanted {
	target: Target;
	/** All records of the target are read if there is no value. */
	value?: RecordValue;
	/** Records are suggested if their names are close to the value. */
	isSimilar?: boolean;
}

type Known = { rows: JsonObject[] } | { failure: unknown };

/** Stops the reading of a form that cannot continue without a look-up. */
class LookUpNeeded extends Error {}

const MAX_SUGGESTIONS = 10;
const MAX_SHOWN = 5;
/** Names are similar if they share a piece with a misspelled one; only the closest are shown. */
const MAX_SIMILAR = 500;
/** Numbers beyond the values of twenty queries are not looked up. */
const MAX_NUMBER_FORMS = 10_000;

const WORK_ZONES: Target = {
	entity: 'WorkZone',
	by: ['Id'],
	read: ['WoNumberPrefix', 'WoNumberDigits'],
	includeRemoved: true,
};

/** A form is read again until no look-up is missing. */
interface Missing {
	wanted: Map<string, Wanted>;
	/** Look-ups that others depend on stop the reading. */
	blocking: Set<string>;
}

/**
 * A person may give an ID, a name, a number or a record; the resolver turns each into an ID. A form
 * is read synchronously: a name that has not been looked up yet gets a placeholder, and the form is
 * read again after the look-up.
 */
export class Resolver implements RecordNames {
	readonly names = new KnownNames();
	private readonly known = new Map<string, Known>();
	private readonly mutex = new KeyedMutex();
	/** Missing look-ups are collected only while a form is read. */
	private missing?: Missing;
	private suggestions = 0;
	private readonly numberForms = new Map<string, string[]>();
	private numberFormsLeft = MAX_NUMBER_FORMS;

	readonly idOf: IdOf = (field, given, target) => {
		const value = idOfRecord(chosen(given));
		if (isBlank(value)) throw emptyField(field, target);
		const mode = isLocator(given) && given.value === value ? given.mode : '';
		const hasNameMode = ['name', 'number', 'externalNumber'].includes(mode);
		if (typeof value === 'object' || !(isName(value) || hasNameMode)) {
			return positiveId(field, value, target.hint);
		}
		const name = String(value).trim();
		const first = target.modes?.[mode] ?? target;
		for (let place: Target | undefined = first; place; place = place.otherwise) {
			const known = this.recordsNamed(place, name);
			if (known === undefined) return -this.reading.wanted.size;
			if ('failure' in known) {
				// Some Companies cannot compare the properties that are tried last.
				if (place !== first && wasRefused(known.failure)) continue;
				throw unreadable(field, name, known.failure);
			}
			const ids = new Set(known.rows.map((row) => Number(valuesAt(row, place?.id ?? 'Id')[0])));
			if (ids.size === 1) {
				const [id] = ids;
				this.names.note(entityOf(place), id, valuesAt(known.rows[0], place.by[0])[0] ?? name);
				return id;
			}
			if (ids.size > 1) throw ambiguous(field, name, place, known.rows);
		}
		throw unknownName(field, name, first, this.similarTo(first, name));
	};

	readonly rowsOf: RowsOf = (target, value) => this.requireRows({ target, value });

	/**
	 * Reads a form. Missing names are looked up together with those of the forms of all other items:
	 * one query for up to 500 names of an entity, however many items are read at a time.
	 */
	async read<T>(
		requester: Requester,
		form: () => T,
		allForms: () => Array<() => unknown> = () => [],
	): Promise<T> {
		for (;;) {
			const read = this.attempt(form);
			if ('value' in read) return read.value;
			if ('failure' in read) throw read.failure;
			await this.mutex.run('look-up', async () => {
				// The look-up of another item may have found the missing names.
				const own = this.missingIn([form]);
				if (own.length > 0)
					await this.lookUpMissing(requester, [...own, ...this.missingIn(allForms())]);
			});
		}
	}

	private attempt<T>(form: () => T): Captured<T> | { missing: Missing } {
		const missing: Missing = { wanted: new Map(), blocking: new Set() };
		this.missing = missing;
		const read = capture(form);
		this.missing = undefined;
		// A failure may be due to placeholders, so it counts only without them.
		return missing.wanted.size > 0 ? { missing } : read;
	}

	private get reading(): Missing {
		if (this.missing === undefined) throw new TypeError('Names are looked up for forms alone');
		return this.missing;
	}

	/** Failures are ignored, because an item with an invalid form reports that in its own turn. */
	private missingIn(forms: Array<() => unknown>): Missing[] {
		return forms.flatMap((form) => {
			const read = this.attempt(form);
			return 'missing' in read ? [read.missing] : [];
		});
	}

	/**
	 * Look-ups that others depend on run first and alone, so that the dependent look-ups of all items can
	 * share one query afterwards.
	 */
	private async lookUpMissing(requester: Requester, all: Missing[]): Promise<void> {
		const wanted = new Map(all.flatMap((one) => [...one.wanted]));
		const blocking = all.flatMap((one) => [...one.blocking].map((key) => one.wanted.get(key)));
		const keys = new Set(blocking.flatMap((one) => (one ? [queryKey(one)] : [])));
		const now = [...wanted.values()].filter((one) => keys.size === 0 || keys.has(queryKey(one)));
		const values = ({ value }: Wanted) => [value];
		for (const some of batches(now, { key: queryKey, values, maxValues: MAX_NAMES })) {
			const [{ isSimilar, value }] = some;
			if (isSimilar) await this.lookUpSimilar(requester, some);
			else if (value === undefined) await this.readTable(requester, some[0]);
			else await this.lookUpNames(requester, some);
		}
	}

	private async lookUpNames(requester: Requester, some: Wanted[]): Promise<void> {
		const [{ target }] = some;
		const { entity, by, id = 'Id', read = [], within } = target;
		const scopes = new Set(some.flatMap((one) => one.target.within?.values ?? []));
		const properties = [id, ...read, ...(within ? [within.property] : [])];
		const where = whereOf(target, [...scopes]);
		const values = some.map(({ value }) => value);
		const found = await lookUp(requester, { entity, by, properties, where }, values).catch(
			(failure: unknown) => ({ failure }),
		);
		for (const one of some) {
			const rows =
				'failure' in found
					? found
					: { rows: (found.get(normalize(one.value)) ?? []).filter((row) => isWithin(one, row)) };
			this.known.set(keyOf(one), rows);
		}
	}

	private async readTable({ caller, sendOptions }: Requester, table: Wanted): Promise<void> {
		const { entity, by, read = [] } = table.target;
		const where = whereOf(table.target, []);
		const known = await allRows(caller, entity, where, [...by, ...read], sendOptions).then(
			(rows) => ({ rows }),
			(failure: unknown) => ({ failure }),
		);
		this.known.set(keyOf(table), known);
	}

	private async lookUpSimilar({ caller, sendOptions }: Requester, some: Wanted[]): Promise<void> {
		for (const one of some) {
			const { entity, by, id = 'Id', within } = one.target;
			const name = String(one.value);
			const request = queryRequest(entity, {
				PropertySet: { Properties: [...new Set([id, ...by])] },
				Criteria: allOf(
					or(...[name, ...piecesOf(name)].map((piece) => containing(by[0], piece))),
					whereOf(one.target, within?.values ?? []),
				),
				Orders: [{ PropertyName: by[0], OrderType: 'Ascending' }],
				Count: MAX_SIMILAR,
				FirstResultIndex: 0,
			});
			this.suggestions += 1;
			const rows =
				this.suggestions > MAX_SUGGESTIONS
					? []
					: await send(caller, request, sendOptions).catch(emptyIfForbidden);
			const similar = mostSimilar(name, rows, (row) => String(valuesAt(row, by[0])[0] ?? ''));
			this.known.set(keyOf(one), { rows: similar.slice(0, MAX_SHOWN) });
		}
	}

	/** The result is undefined if a look-up is missing. */
	private recordsNamed(target: Target, name: string): Known | undefined {
		const names = target.isShortNumber ? this.fullNumbersOf(name) : [name];
		const known = names.map((value) => this.lookedUp({ target, value }));
		if (known.includes(undefined)) return undefined;
		return (
			known.find((one) => one !== undefined && 'failure' in one) ?? {
				rows: known.flatMap((one) => (one && 'rows' in one ? one.rows : [])).sort(byId),
			}
		);
	}

	/** A short number may match many full numbers. If there are too many, none is looked up. */
	private fullNumbersOf(name: string): string[] {
		if (!/\d/.test(name)) return [];
		const zones = this.known.get(keyOf({ target: WORK_ZONES }));
		// A service user who may not read the work zones has to write numbers in full.
		const isForbidden = zones && 'failure' in zones && wasRefused(zones.failure);
		const rows = isForbidden ? [] : this.requireRows({ target: WORK_ZONES });
		const known = this.numberForms.get(name);
		if (known !== undefined) return known;
		const forms = numberForms(name, numberingsOf(rows));
		this.numberFormsLeft -= forms.length;
		this.numberForms.set(name, this.numberFormsLeft < 0 ? [] : forms);
		return this.numberForms.get(name) ?? [];
	}

	private similarTo(target: Target, value: string): JsonObject[] {
		const wanted = { target, value, isSimilar: true };
		const known = this.lookedUp(wanted);
		if (known === undefined) throw new LookUpNeeded();
		return 'rows' in known ? known.rows : [];
	}

	private requireRows(wanted: Wanted): JsonObject[] {
		const known = this.lookedUp(wanted);
		if (known === undefined) {
			this.reading.blocking.add(keyOf(wanted));
			throw new LookUpNeeded();
		}
		if ('failure' in known) throw known.failure;
		return known.rows;
	}

	private lookedUp(wanted: Wanted): Known | undefined {
		this.refusePlaceholders(wanted);
		const key = keyOf(wanted);
		const known = this.known.get(key);
		if (known === undefined) this.reading.wanted.set(key, wanted);
		return known;
	}

	/** A look-up that needs the ID of another record waits until that one is looked up. */
	private refusePlaceholders({ target, value }: Wanted): void {
		const placeholder = [value, ...(target.within?.values ?? [])].find(isPlaceholder);
		if (placeholder === undefined) return;
		this.reading.blocking.add([...this.reading.wanted.keys()][-placeholder - 1]);
		throw new LookUpNeeded();
	}
}

type Captured<T> = { value: T } | { failure: unknown };

function capture<T>(work: () => T): Captured<T> {
	try {
		return { value: work() };
	} catch (failure) {
		return { failure };
	}
}

const isPlaceholder = (value: unknown): value is number => typeof value === 'number' && value < 0;

/** Look-ups with equal keys share a query. */
function queryKey({ target, value, isSimilar = false }: Wanted): string {
	const { entity, by, id, read, where, within } = target;
	const isTable = value === undefined;
	return JSON.stringify([entity, by, id, read, where, within?.property, isSimilar, isTable]);
}

const keyOf = (wanted: Wanted): string =>
	JSON.stringify([queryKey(wanted), wanted.target.within?.values, normalize(wanted.value)]);

function whereOf(
	{ entity, where = {}, within, includeRemoved }: Target,
	values: readonly unknown[],
): Criteria | undefined {
	const conditions = [
		...Object.entries(where).map(([property, value]) => equal(property, value)),
		...(within ? [isIn(within.property, values)] : []),
	];
	return allOf(
		includeRemoved ? undefined : notRemoved(entity),
		conditions.length > 0 ? and(...conditions) : undefined,
	);
}

const isWithin = ({ target: { within } }: Wanted, row: JsonObject) =>
	within === undefined || within.values.includes(valuesAt(row, within.property)[0]);

/** Rows that only lead to a record belong to another entity than the record. */
const entityOf = ({ entity, id = 'Id' }: Target): string =>
	(id === 'Id' ? undefined : targetOf(entity, id)?.entity) ?? entity;

const byId = (a: JsonObject, b: JsonObject) => Number(a.Id) - Number(b.Id);

const nounOf = ({ entity, called }: Target) => called ?? entityNoun(entity);

/** The result is, for example: customer is named "Contoso" */
const describe = (target: Target, name: string): string =>
	`${nounOf(target)} ${target.verb ?? 'is named'} ${quote(name)}`;

function emptyField(field: string, target: Target): ValidationError {
	const label = field.split(' > ').at(-1) ?? field;
	return new ValidationError(`'${label}' is empty`, `Choose ${withArticle(nounOf(target))}.`);
}

const listRows = ({ by, id = 'Id' }: Target, rows: readonly JsonObject[]) =>
	rows
		.slice(0, MAX_SHOWN)
		.map((row) => {
			const names = new Set(by.flatMap((path) => valuesAt(row, path)).filter(Boolean));
			return `${[...names].join(', ')} (ID ${String(valuesAt(row, id)[0])})`;
		})
		.join('; ') + (rows.length > MAX_SHOWN ? '; …' : '');

const ambiguous = (field: string, name: string, target: Target, rows: JsonObject[]) =>
	new ValidationError(
		`'${field}': more than one ${describe(target, name)}: ${listRows(target, rows)}`,
		'Give the ID of the one that is meant.',
	);

const unknownName = (field: string, name: string, target: Target, similar: JsonObject[]) =>
	new ValidationError(
		`'${field}': no ${describe(target, name)}`,
		similar.length > 0
			? `There are: ${listRows(target, similar)}.`
			: (target.hint ?? 'Check the name, or give the ID.'),
	);

/** A service user who may not read the records can still name them by their IDs. */
function unreadable(field: string, name: string, failure: unknown): unknown {
	if (!wasRefused(failure)) return failure;
	return new ValidationError(
		`'${field}' is ${quote(name)}, which cannot be looked up: ${(failure as Error).message}`,
		'Give the ID.',
	);
}
