import { defineRows, type RowSource, type Target, type Way } from '../catalogue/targets';
import { parseOrderUrl } from '../catalogue/pages';
import {
	type Criteria,
	MAX_NAMES,
	batches,
	joinCriteria,
	and,
	containsText,
	equal,
	isIn,
	excludeRemoved,
	or,
} from '../wire/criteria';
import { KeyedMutex, letOthersRun } from '../transport/concurrency';
import {
	addArticle,
	createEmptyError,
	extendLabel,
	formatNames,
	quote,
	ValidationError,
} from '../values/errors';
import {
	type IdResolver,
	type RecordNames,
	type RecordValue,
	type RecordFinder,
	isName,
	parseId,
	toIdOrName,
} from '../values/references';
import { type JsonObject, isLocator, collectValues } from '../values/objects';
import { isBlank, normalize } from '../values/input';
import { findMostSimilar, getPieces } from '../values/spellings';
import { KnownNames, readWebOrigin } from './names';
import { buildQueryRequest } from '../wire/requests';
import { expandNumber, getNumberings } from './numberings';
import { emptyIfForbidden, wasRefused } from '../transport/errors';
import { send } from '../transport/send';
import { lookUp, type Requester, loadAllRows } from './query';

/** Records to look up; the result is missing until that has happened. */
interface NameQuery {
	readonly source: RowSource;
	/**
	 * Rows have the value or, in a search for similar names, one that is close to it. An address
	 * leads to the row with its ID. All rows are read whatever the value is.
	 */
	readonly kind: 'value' | 'similar' | 'address' | 'all';
	readonly value: RecordValue;
	/** Look-ups with equal keys share a query. */
	readonly queryKey: string;
	/** Represents the ID of the record until the result arrives. */
	readonly placeholder: number;
	result?: Captured<JsonObject[]>;
}

/** Look-ups that a form needs and that are still missing. */
interface Missing {
	readonly lookUps: Set<NameQuery>;
	/** Look-ups that others depend on stop the reading. */
	readonly blocking: Set<NameQuery>;
}

type Captured<T> = { value: T } | { failure: unknown };

/** A form and, once nothing is missing, what was read from it. */
export interface NamedForm<T> {
	readonly build: () => T;
	result?: Captured<T>;
}

/** Stops the reading of a form that cannot continue without a look-up. */
class LookUpNeeded extends Error {}

const MAX_SUGGESTIONS = 10;
const MAX_SHOWN = 5;

/** Names are similar if they share a piece with a misspelled one; only the closest are shown. */
const MAX_SIMILAR = 500;

/** Numbers beyond the values of twenty queries are not looked up. */
const MAX_NUMBER_FORMS = 10_000;

const WORK_ZONES = defineRows('WorkZone', 'Id', ['WoNumberPrefix', 'WoNumberDigits']);

/**
 * A person may give an ID, a name, a number or a record; the resolver turns each into an ID. A form
 * is read again until nothing is missing: see docs/internals/names.md.
 */
export class Resolver implements RecordNames {
	readonly names = new KnownNames();

	constructor(
		/** Errors show names and IDs of other records, but not to customers. */
		readonly mayShowOthers: () => boolean = () => true,
	) {}

	private readonly lookUps = new Map<string, NameQuery>();
	private readonly mutex = new KeyedMutex();
	/** Missing look-ups are collected only while a form is read. */
	private missing?: Missing;
	/** Checks of the form that is read, which wait until nothing else is wrong. */
	private lastChecks: Array<() => void> = [];
	/** Most forms miss none, so they share this. */
	private nothingMissing = createMissing();
	private suggestions = 0;
	private readonly numberForms = new Map<string, string[]>();
	private numberFormsLeft = MAX_NUMBER_FORMS;

	readonly resolveId: IdResolver = (field, input, target) => {
		const value = toIdOrName(field, input, target);
		if (isBlank(value)) throw createEmptyReferenceError(field, target);
		const mode = isLocator(input) && input.value === value ? input.mode : '';
		const hasNameMode = ['name', 'number', 'externalNumber'].includes(mode);
		const isAddress = typeof value === 'string' && parseOrderUrl(value.trim()) !== undefined;
		const ways = target.modes[isAddress ? 'address' : mode] ?? target.ways;
		const [first] = ways;
		if (first === undefined || typeof value === 'object' || !(isName(value) || hasNameMode)) {
			return parseId(field, value, target.ways[0]?.advice);
		}
		const name = String(value).trim();
		// Another value of the same mode would be another name.
		const giveId = hasNameMode ? "choose 'By ID' and give the ID" : 'give the ID';
		let isReadable = false;
		for (const way of ways) {
			const known = this.findRecords(target, way, name);
			if ('placeholder' in known) return known.placeholder;
			if ('failure' in known) {
				if (!wasRefused(known.failure)) throw known.failure;
				if (isReadable) continue;
				// A service user who may not read the records can still name them by their IDs.
				const words = this.mayShowOthers() ? `: ${(known.failure as Error).message}` : '';
				throw new ValidationError(
					`'${field}' is ${quote(name)}, which cannot be looked up${words}`,
					`Instead, ${giveId}.`,
				);
			}
			isReadable = true;
			const [row] = known.value;
			const ids = new Set(known.value.map((one) => Number(collectValues(one, target.rows.id)[0])));
			if (ids.size === 1) {
				// Placeholders are negative, and a dry run takes 0 for a new record.
				const id = parseId(extendLabel(field, name), [...ids][0]);
				this.names.note(target.entity, id, collectValues(row, way.shown)[0]);
				return id;
			}
			if (ids.size > 1) {
				const rows = this.mayShowOthers() ? `: ${describeRows(target, way.by, known.value)}` : '';
				throw new ValidationError(
					`'${field}': more than one ${describe(target, way, name)}${rows}`,
					`To say which one is meant, ${giveId}.`,
				);
			}
		}
		const similar = isAddress || !this.mayShowOthers() ? [] : this.findSimilar(target, first, name);
		throw createUnknownError(field, name, target, first, similar, giveId);
	};

	readonly findRows: RecordFinder = (source, value) =>
		this.requireRows(this.findLookUp('value', source, value));

	/** Stops the reading of a form until an ID is known, because it is compared with others. */
	readonly requireKnown = (id: number): number => {
		this.refusePlaceholders([id]);
		return id;
	};

	/** Checks something once all names of the form are known, and nothing else in it is refused. */
	readonly checkLast = (check: () => void): void => {
		this.lastChecks.push(check);
	};

	/** A resolver that is kept keeps the names; it reads data again when a form needs it. */
	forgetData(): void {
		this.forget(({ source }) => source.isData === true);
	}

	/** After a failure, names are kept that have led to one record; others may do so the next time. */
	forgetUnknown(): void {
		this.forget(
			({ source, result = {} }) =>
				source.isData === true || !('value' in result) || result.value.length !== 1,
		);
	}

	private forget(isForgotten: (one: NameQuery) => boolean): void {
		for (const one of this.lookUps.values()) if (isForgotten(one)) one.result = undefined;
	}

	/**
	 * Reads a form. Missing names are looked up together with those of the forms of all other items:
	 * one query for up to 499 names of an entity, however many items are read at a time.
	 */
	async resolveForm<T>(
		requester: Requester,
		form: NamedForm<T>,
		getAllForms: () => Array<NamedForm<unknown>> = () => [],
	): Promise<T> {
		const result = this.attempt(form);
		if (!('lookUps' in result)) return takeValue(result);
		return await this.mutex.run('look-up', async () => {
			for (;;) {
				// The look-up of another item may have found the missing names.
				const own = this.attempt(form);
				if (!('lookUps' in own)) return takeValue(own);
				const all = [own];
				for (const other of getAllForms()) {
					if (other === form) continue;
					await letOthersRun();
					const result = this.attempt(other);
					if ('lookUps' in result) all.push(result);
				}
				await this.lookUpMissing(requester, all);
			}
		});
	}

	/** A form that is wrong whatever its names lead to is refused before they are looked up. */
	private attempt<T>(form: NamedForm<T>): Captured<T> | Missing {
		if (form.result !== undefined) return form.result;
		const missing = this.nothingMissing;
		this.missing = missing;
		this.lastChecks = [];
		const result = capture(() => {
			const value = form.build();
			if (missing.lookUps.size === 0) for (const check of this.lastChecks) check();
			return value;
		});
		this.missing = undefined;
		const isWrong = 'failure' in result && result.failure instanceof ValidationError;
		if (missing.lookUps.size > 0) this.nothingMissing = createMissing();
		if (missing.lookUps.size > 0 && !isWrong) return missing;
		form.result = result;
		return result;
	}

	private get reading(): Missing {
		if (this.missing === undefined) throw new TypeError('Names are looked up for forms alone');
		return this.missing;
	}

	/**
	 * Look-ups that others depend on run first and alone, so that the dependent look-ups of all items can
	 * share one query afterwards.
	 */
	private async lookUpMissing(requester: Requester, all: Missing[]): Promise<void> {
		const wanted = [...new Set(all.flatMap(({ lookUps }) => [...lookUps]))];
		const first = new Set(all.flatMap(({ blocking }) => [...blocking].map(getQueryKey)));
		const now = first.size === 0 ? wanted : wanted.filter((one) => first.has(one.queryKey));
		const values = ({ value }: NameQuery) => [value];
		for (const some of batches(now, { key: getQueryKey, values, maxValues: MAX_NAMES })) {
			const [one] = some;
			const { entity, by, read = [] } = one.source;
			if (one.kind === 'similar') await this.lookUpSimilar(requester, some);
			else if (one.kind === 'all') {
				one.result = await settle(loadAllRows(requester, entity, undefined, [...by, ...read]));
			} else await lookUpNames(requester, some);
		}
	}

	private async lookUpSimilar(
		{ caller, sendOptions }: Requester,
		some: NameQuery[],
	): Promise<void> {
		for (const one of some) {
			const { entity, by, read = [], within } = one.source;
			const name = String(one.value);
			const request = buildQueryRequest(entity, {
				PropertySet: { Properties: [...new Set([...read, ...by])] },
				Criteria: joinCriteria(
					or(...[name, ...getPieces(name)].map((piece) => containsText(by[0], piece))),
					buildWhere(one.source, within?.values ?? []),
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
			one.result = { value: similar.slice(0, MAX_SHOWN) };
		}
	}

	private findRecords(
		target: Target,
		way: Way,
		name: string,
	): Captured<JsonObject[]> | { placeholder: number } {
		const found = this.findByProperties(target, way, way.by, name);
		return way.ifRefused.length > 0 && 'failure' in found && wasRefused(found.failure)
			? this.findByProperties(target, way, way.ifRefused, name)
			: found;
	}

	private findByProperties(
		target: Target,
		{ kind, shown }: Way,
		by: readonly string[],
		name: string,
	): Captured<JsonObject[]> | { placeholder: number } {
		const source = buildSource(target, by, shown);
		const names = kind === 'shortNumber' ? this.getFullNumbers(name) : [name];
		const lookUps = names.map((value) =>
			this.findLookUp(kind === 'address' ? 'address' : 'value', source, value),
		);
		const missing = lookUps.find(({ result }) => result === undefined);
		if (missing !== undefined) return missing;
		return capture(() =>
			lookUps.flatMap((one) => this.requireRows(one)).sort((a, b) => Number(a.Id) - Number(b.Id)),
		);
	}

	/** A short number may match many full numbers. If there are too many, none is looked up. */
	private getFullNumbers(name: string): string[] {
		if (!/\d/.test(name)) return [];
		const zones = this.findLookUp('all', WORK_ZONES, '');
		// A service user who may not read the work zones has to write numbers in full.
		const { result = {} } = zones;
		const isForbidden = 'failure' in result && wasRefused(result.failure);
		const rows = isForbidden ? [] : this.requireRows(zones);
		const known = this.numberForms.get(name);
		if (known !== undefined) return known;
		const forms = expandNumber(name, getNumberings(rows));
		this.numberFormsLeft -= forms.length;
		this.numberForms.set(name, this.numberFormsLeft < 0 ? [] : forms);
		return this.numberForms.get(name) ?? [];
	}

	private findSimilar(target: Target, { by, ifRefused }: Way, name: string): JsonObject[] {
		const source = buildSource(target, ifRefused.length > 0 ? ifRefused : by);
		const { result } = this.findLookUp('similar', source, name);
		if (result === undefined) throw new LookUpNeeded();
		return 'value' in result ? result.value : [];
	}

	private requireRows(lookUp: NameQuery): JsonObject[] {
		const { result } = lookUp;
		if (result === undefined) {
			this.reading.blocking.add(lookUp);
			throw new LookUpNeeded();
		}
		return takeValue(result);
	}

	private findLookUp(kind: NameQuery['kind'], source: RowSource, value: RecordValue): NameQuery {
		const { within, ...others } = source;
		this.refusePlaceholders([value, ...(within?.values ?? [])]);
		const queryKey = JSON.stringify([kind, others, within?.property]);
		const key = JSON.stringify([queryKey, within?.values, normalize(value)]);
		const placeholder = -1 - this.lookUps.size;
		const found = this.lookUps.get(key) ?? { source, kind, value, queryKey, placeholder };
		this.lookUps.set(key, found);
		if (found.result === undefined) this.reading.lookUps.add(found);
		return found;
	}

	/** A look-up that needs the ID of another record waits until that one is looked up. */
	private refusePlaceholders(values: readonly unknown[]): void {
		const placeholder = values.find((value) => typeof value === 'number' && value < 0);
		if (placeholder === undefined) return;
		const { lookUps, blocking } = this.reading;
		for (const one of lookUps) if (one.placeholder === placeholder) blocking.add(one);
		throw new LookUpNeeded();
	}
}

const createMissing = (): Missing => ({ lookUps: new Set(), blocking: new Set() });

function capture<T>(work: () => T): Captured<T> {
	try {
		return { value: work() };
	} catch (failure) {
		return { failure };
	}
}

function takeValue<T>(result: Captured<T>): T {
	if ('failure' in result) throw result.failure;
	return result.value;
}

const settle = async <T>(work: Promise<T>): Promise<Captured<T>> =>
	await work.then(
		(value) => ({ value }),
		(failure: unknown) => ({ failure }),
	);

const getQueryKey = ({ queryKey }: NameQuery) => queryKey;

/** Rows that only lead to a record belong to another entity than the record. */
const buildSource = (
	{ rows, where, within, includeRemoved }: Target,
	by: readonly string[],
	...shown: string[]
) => ({
	entity: rows.entity,
	by,
	read: [rows.id, ...shown],
	where,
	within,
	includeRemoved,
});

async function lookUpNames(requester: Requester, some: NameQuery[]): Promise<void> {
	const [{ source, kind }] = some;
	const { entity, by, read = [], within } = source;
	const scopes = new Set(some.flatMap((one) => one.source.within?.values ?? []));
	const properties = [...read, ...(within ? [within.property] : [])];
	const where = buildWhere(source, [...scopes]);
	const isAddress = kind === 'address';
	const pages = some.map(({ value }) => (isAddress ? parseOrderUrl(String(value)) : undefined));
	const values = some.map(({ value }, index) => pages[index]?.id ?? value);
	const names = { entity, by, properties, where };
	const found = await settle(lookUp(requester, names, values));
	// A session is open by now, so the host is known.
	const origin = isAddress && (await readWebOrigin(requester.caller));
	for (const [index, one] of some.entries()) {
		// The same ID means another order at another Company.
		const isElsewhere = pages[index]?.origin !== (origin || undefined);
		const all = 'value' in found && !isElsewhere ? found.value : undefined;
		const rows = all?.get(normalize(values[index])) ?? [];
		one.result = 'failure' in found ? found : { value: rows.filter((row) => isInScope(one, row)) };
	}
}

function buildWhere(
	{ entity, where = {}, within, includeRemoved }: RowSource,
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

const isInScope = ({ source: { within } }: NameQuery, row: JsonObject) =>
	within === undefined || within.values.includes(collectValues(row, within.property)[0]);

/** The result is, for example: customer is named "Contoso" */
const describe = ({ noun }: Target, { verb }: Way, name: string): string =>
	`${noun} ${verb} ${quote(name)}`;

function createEmptyReferenceError(field: string, { noun }: Target): ValidationError {
	const label = field.split(' > ').at(-1) ?? field;
	return createEmptyError(label, `Choose ${addArticle(noun)}.`);
}

const describeRows = (target: Target, by: readonly string[], rows: readonly JsonObject[]) =>
	rows
		.slice(0, MAX_SHOWN)
		.map((row) => {
			const names = new Set(by.flatMap((path) => collectValues(row, path)).filter(Boolean));
			return `${formatNames([...names])} (ID ${String(collectValues(row, target.rows.id)[0])})`;
		})
		.join('; ') + (rows.length > MAX_SHOWN ? '; …' : '');

const createUnknownError = (
	field: string,
	name: string,
	target: Target,
	way: Way,
	similar: JsonObject[],
	giveId: string,
) => {
	const advice =
		similar.length > 0
			? `Similar: ${describeRows(target, way.by, similar)}.`
			: (way.advice ?? `Check the name, or ${giveId}.`);
	// Elsewhere, digits alone are an ID.
	const isId = /^\d+$/.test(name) && !advice.includes('By ID');
	return new ValidationError(
		`'${field}': no ${describe(target, way, name)}`,
		isId ? `${advice} If ${name} is an ID, choose 'By ID'.` : advice,
	);
};
