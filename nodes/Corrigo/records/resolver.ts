import { getEntityNoun } from '../catalogue/entities';
import { findMemberTarget, type Target } from '../catalogue/targets';
import { batches, MAX_NAMES, KeyedMutex } from '../values/tools';
import {
	unwrapLocator,
	isBlank,
	isLocator,
	quote,
	ValidationError,
	addArticle,
	type JsonObject,
	isName,
	toRecordId,
	normalize,
	parseId,
} from '../values/checks';
import type { IdResolver, RecordNames, RecordValue, RecordFinder } from '../values/names';
import {
	joinCriteria,
	and,
	containsText,
	equal,
	isIn,
	excludeRemoved,
	or,
	type Criteria,
} from '../wire/criteria';
import { KnownNames } from './knownNames';
import { buildQueryRequest } from '../wire/requests';
import { findMostSimilar, getPieces } from './similarNames';
import { expandNumber, getNumberings } from './workOrderNumbers';
import { emptyIfForbidden, wasRefused } from '../transport/errors';
import { send } from '../transport/send';
import { lookUp, collectValues, type Requester } from './lookup';
import { loadAllRows } from './query';

interface NameLookUp {
	target: Target;
	/** All records of the target are read if there is no value. */
	value?: RecordValue;
	/** Records are suggested if their names are close to the value. */
	isSimilar?: boolean;
}

type LookUpResult = { rows: JsonObject[] } | { failure: unknown };

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
interface MissingLookUps {
	lookUps: Map<string, NameLookUp>;
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
	private readonly results = new Map<string, LookUpResult>();
	private readonly mutex = new KeyedMutex();
	/** Missing look-ups are collected only while a form is read. */
	private missing?: MissingLookUps;
	private suggestions = 0;
	private readonly numberForms = new Map<string, string[]>();
	private numberFormsLeft = MAX_NUMBER_FORMS;

	readonly resolveId: IdResolver = (field, input, target) => {
		const value = toRecordId(unwrapLocator(input));
		if (isBlank(value)) throw createEmptyError(field, target);
		const mode = isLocator(input) && input.value === value ? input.mode : '';
		const hasNameMode = ['name', 'number', 'externalNumber'].includes(mode);
		if (typeof value === 'object' || !(isName(value) || hasNameMode)) {
			return parseId(field, value, target.advice);
		}
		const name = String(value).trim();
		const first = target.modes?.[mode] ?? target;
		for (let candidate: Target | undefined = first; candidate; candidate = candidate.otherwise) {
			const known = this.findRecords(candidate, name);
			if (known === undefined) return -this.reading.lookUps.size;
			if ('failure' in known) {
				// Some Companies cannot compare the properties that are tried last.
				if (candidate !== first && wasRefused(known.failure)) continue;
				throw toUnreadableError(field, name, known.failure);
			}
			const ids = new Set(
				known.rows.map((row) => Number(collectValues(row, candidate?.id ?? 'Id')[0])),
			);
			if (ids.size === 1) {
				const [id] = ids;
				this.names.note(
					getRecordEntity(candidate),
					id,
					collectValues(known.rows[0], candidate.by[0])[0] ?? name,
				);
				return id;
			}
			if (ids.size > 1) throw createAmbiguousError(field, name, candidate, known.rows);
		}
		throw createUnknownError(field, name, first, this.findSimilar(first, name));
	};

	readonly findRows: RecordFinder = (target, value) => this.requireRows({ target, value });

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
				const own = this.collectMissing([form]);
				if (own.length > 0)
					await this.lookUpMissing(requester, [...own, ...this.collectMissing(allForms())]);
			});
		}
	}

	private attempt<T>(form: () => T): Captured<T> | { missing: MissingLookUps } {
		const missing: MissingLookUps = { lookUps: new Map(), blocking: new Set() };
		this.missing = missing;
		const read = capture(form);
		this.missing = undefined;
		// A failure may be due to placeholders, so it counts only without them.
		return missing.lookUps.size > 0 ? { missing } : read;
	}

	private get reading(): MissingLookUps {
		if (this.missing === undefined) throw new TypeError('Names are looked up for forms alone');
		return this.missing;
	}

	/** Failures are ignored, because an item with an invalid form reports that in its own turn. */
	private collectMissing(forms: Array<() => unknown>): MissingLookUps[] {
		return forms.flatMap((form) => {
			const read = this.attempt(form);
			return 'missing' in read ? [read.missing] : [];
		});
	}

	/**
	 * Look-ups that others depend on run first and alone, so that the dependent look-ups of all items can
	 * share one query afterwards.
	 */
	private async lookUpMissing(requester: Requester, all: MissingLookUps[]): Promise<void> {
		const wanted = new Map(all.flatMap((one) => [...one.lookUps]));
		const blocking = all.flatMap((one) => [...one.blocking].map((key) => one.lookUps.get(key)));
		const keys = new Set(blocking.flatMap((one) => (one ? [getQueryKey(one)] : [])));
		const now = [...wanted.values()].filter((one) => keys.size === 0 || keys.has(getQueryKey(one)));
		const getValues = ({ value }: NameLookUp) => [value];
		for (const some of batches(now, {
			key: getQueryKey,
			values: getValues,
			maxValues: MAX_NAMES,
		})) {
			const [{ isSimilar, value }] = some;
			if (isSimilar) await this.lookUpSimilar(requester, some);
			else if (value === undefined) await this.loadTable(requester, some[0]);
			else await this.lookUpNames(requester, some);
		}
	}

	private async lookUpNames(requester: Requester, some: NameLookUp[]): Promise<void> {
		const [{ target }] = some;
		const { entity, by, id = 'Id', read = [], within } = target;
		const scopes = new Set(some.flatMap((one) => one.target.within?.values ?? []));
		const properties = [id, ...read, ...(within ? [within.property] : [])];
		const where = buildWhere(target, [...scopes]);
		const values = some.map(({ value }) => value);
		const found = await lookUp(requester, { entity, by, properties, where }, values).catch(
			(failure: unknown) => ({ failure }),
		);
		for (const one of some) {
			const rows =
				'failure' in found
					? found
					: { rows: (found.get(normalize(one.value)) ?? []).filter((row) => isInScope(one, row)) };
			this.results.set(getLookUpKey(one), rows);
		}
	}

	private async loadTable({ caller, sendOptions }: Requester, table: NameLookUp): Promise<void> {
		const { entity, by, read = [] } = table.target;
		const where = buildWhere(table.target, []);
		const known = await loadAllRows(caller, entity, where, [...by, ...read], sendOptions).then(
			(rows) => ({ rows }),
			(failure: unknown) => ({ failure }),
		);
		this.results.set(getLookUpKey(table), known);
	}

	private async lookUpSimilar(
		{ caller, sendOptions }: Requester,
		some: NameLookUp[],
	): Promise<void> {
		for (const one of some) {
			const { entity, by, id = 'Id', within } = one.target;
			const name = String(one.value);
			const request = buildQueryRequest(entity, {
				PropertySet: { Properties: [...new Set([id, ...by])] },
				Criteria: joinCriteria(
					or(...[name, ...getPieces(name)].map((piece) => containsText(by[0], piece))),
					buildWhere(one.target, within?.values ?? []),
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
			const similar = findMostSimilar(name, rows, (row) =>
				String(collectValues(row, by[0])[0] ?? ''),
			);
			this.results.set(getLookUpKey(one), { rows: similar.slice(0, MAX_SHOWN) });
		}
	}

	/** The result is undefined if a look-up is missing. */
	private findRecords(target: Target, name: string): LookUpResult | undefined {
		const names = target.isShortNumber ? this.getFullNumbers(name) : [name];
		const known = names.map((value) => this.findResult({ target, value }));
		if (known.includes(undefined)) return undefined;
		return (
			known.find((one) => one !== undefined && 'failure' in one) ?? {
				rows: known.flatMap((one) => (one && 'rows' in one ? one.rows : [])).sort(compareById),
			}
		);
	}

	/** A short number may match many full numbers. If there are too many, none is looked up. */
	private getFullNumbers(name: string): string[] {
		if (!/\d/.test(name)) return [];
		const zones = this.results.get(getLookUpKey({ target: WORK_ZONES }));
		// A service user who may not read the work zones has to write numbers in full.
		const isForbidden = zones && 'failure' in zones && wasRefused(zones.failure);
		const rows = isForbidden ? [] : this.requireRows({ target: WORK_ZONES });
		const known = this.numberForms.get(name);
		if (known !== undefined) return known;
		const forms = expandNumber(name, getNumberings(rows));
		this.numberFormsLeft -= forms.length;
		this.numberForms.set(name, this.numberFormsLeft < 0 ? [] : forms);
		return this.numberForms.get(name) ?? [];
	}

	private findSimilar(target: Target, value: string): JsonObject[] {
		const wanted = { target, value, isSimilar: true };
		const known = this.findResult(wanted);
		if (known === undefined) throw new LookUpNeeded();
		return 'rows' in known ? known.rows : [];
	}

	private requireRows(wanted: NameLookUp): JsonObject[] {
		const known = this.findResult(wanted);
		if (known === undefined) {
			this.reading.blocking.add(getLookUpKey(wanted));
			throw new LookUpNeeded();
		}
		if ('failure' in known) throw known.failure;
		return known.rows;
	}

	private findResult(wanted: NameLookUp): LookUpResult | undefined {
		this.refusePlaceholders(wanted);
		const key = getLookUpKey(wanted);
		const known = this.results.get(key);
		if (known === undefined) this.reading.lookUps.set(key, wanted);
		return known;
	}

	/** A look-up that needs the ID of another record waits until that one is looked up. */
	private refusePlaceholders({ target, value }: NameLookUp): void {
		const placeholder = [value, ...(target.within?.values ?? [])].find(isPlaceholder);
		if (placeholder === undefined) return;
		this.reading.blocking.add([...this.reading.lookUps.keys()][-placeholder - 1]);
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
function getQueryKey({ target, value, isSimilar = false }: NameLookUp): string {
	const { entity, by, id, read, where, within } = target;
	const isTable = value === undefined;
	return JSON.stringify([entity, by, id, read, where, within?.property, isSimilar, isTable]);
}

const getLookUpKey = (wanted: NameLookUp): string =>
	JSON.stringify([getQueryKey(wanted), wanted.target.within?.values, normalize(wanted.value)]);

function buildWhere(
	{ entity, where = {}, within, includeRemoved }: Target,
	values: readonly unknown[],
): Criteria | undefined {
	const conditions = [
		...Object.entries(where).map(([property, value]) => equal(property, value)),
		...(within ? [isIn(within.property, values)] : []),
	];
	return joinCriteria(
		includeRemoved ? undefined : excludeRemoved(entity),
		conditions.length > 0 ? and(...conditions) : undefined,
	);
}

const isInScope = ({ target: { within } }: NameLookUp, row: JsonObject) =>
	within === undefined || within.values.includes(collectValues(row, within.property)[0]);

/** Rows that only lead to a record belong to another entity than the record. */
const getRecordEntity = ({ entity, id = 'Id' }: Target): string =>
	(id === 'Id' ? undefined : findMemberTarget(entity, id)?.entity) ?? entity;

const compareById = (a: JsonObject, b: JsonObject) => Number(a.Id) - Number(b.Id);

const getNoun = ({ entity, noun }: Target) => noun ?? getEntityNoun(entity);

/** The result is, for example: customer is named "Contoso" */
const describe = (target: Target, name: string): string =>
	`${getNoun(target)} ${target.verb ?? 'is named'} ${quote(name)}`;

function createEmptyError(field: string, target: Target): ValidationError {
	const label = field.split(' > ').at(-1) ?? field;
	return new ValidationError(`'${label}' is empty`, `Choose ${addArticle(getNoun(target))}.`);
}

const describeRows = ({ by, id = 'Id' }: Target, rows: readonly JsonObject[]) =>
	rows
		.slice(0, MAX_SHOWN)
		.map((row) => {
			const names = new Set(by.flatMap((path) => collectValues(row, path)).filter(Boolean));
			return `${[...names].join(', ')} (ID ${String(collectValues(row, id)[0])})`;
		})
		.join('; ') + (rows.length > MAX_SHOWN ? '; …' : '');

const createAmbiguousError = (field: string, name: string, target: Target, rows: JsonObject[]) =>
	new ValidationError(
		`'${field}': more than one ${describe(target, name)}: ${describeRows(target, rows)}`,
		'Give the ID of the one that is meant.',
	);

const createUnknownError = (field: string, name: string, target: Target, similar: JsonObject[]) =>
	new ValidationError(
		`'${field}': no ${describe(target, name)}`,
		similar.length > 0
			? `There are: ${describeRows(target, similar)}.`
			: (target.advice ?? 'Check the name, or give the ID.'),
	);

/** A service user who may not read the records can still name them by their IDs. */
function toUnreadableError(field: string, name: string, failure: unknown): unknown {
	if (!wasRefused(failure)) return failure;
	return new ValidationError(
		`'${field}' is ${quote(name)}, which cannot be looked up: ${(failure as Error).message}`,
		'Give the ID.',
	);
}
