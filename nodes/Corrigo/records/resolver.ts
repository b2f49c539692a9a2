import { entityNamed } from '../catalogue/entities';
import type { Target } from '../catalogue/targets';
import { batches } from '../protocol/batches';
import { chosen, isLocator, ValidationError, quote, type JsonObject } from '../protocol/checks';
import { allOf, and, containing, equal, isIn, keptOnly, type Criteria } from '../protocol/criteria';
import { isName, type IdOf } from '../protocol/names';
import { queryRequest } from '../protocol/requests';
import { normalize, idOfRecord, positiveId } from '../protocol/values';
import { emptyIfForbidden, wasRefused } from '../transport/errors';
import { lookUp, valuesAt, type Requester } from './lookup';
import { send } from '../transport/send';
import { KeyedMutex } from '../transport/keyedMutex';

type Value = string | number | boolean;

export interface WantedName {
	target: Target;
	value: Value;
	/** Not who is called so, but who may have been meant. */
	isNear?: boolean;
}

/** What is known of one value: its records, or why they cannot be read. */
type Known = { rows: JsonObject[] } | { failure: unknown };

/** Thrown while a form is read whose names were not looked up yet. */
class NotYetKnown extends Error {
	constructor(readonly wanted: WantedName) {
		super('A name has to be looked up');
	}
}

/** A name that is not found is made out once in this many queries: whoever has more has another problem. */
const MAX_SUGGESTED = 10;
const MAX_SHOWN = 5;

/** No form refers from one record to the next more often. */
const MAX_ROUNDS = 8;

/** What forms call records by, each looked up once. */
export class KnownNames {
	private readonly known = new Map<string, Known>();
	private readonly turns = new KeyedMutex();
	private suggested = 0;
	private rounds = 0;

	/** Digits are an ID, unless the mode of the field says otherwise. */
	readonly idOf: IdOf = (field, given, target) => {
		const value = idOfRecord(chosen(given));
		const isByName = isLocator(given) && ['name', 'number'].includes(given.mode);
		if (typeof value === 'object' || !(isName(value) || (isByName && given.value === value))) {
			return positiveId(field, value);
		}
		const name = String(value ?? '').trim();
		if (name === '') throw new ValidationError(`'${field}' is empty: give a name, or choose By ID`);
		for (let where: Target | undefined = target; where !== undefined; where = where.otherwise) {
			const known = this.knownOf({ target: where, value: name });
			if ('failure' in known) throw unreadable(field, name, known.failure);
			const ids = new Set(known.rows.map((row) => Number(valuesAt(row, where?.id ?? 'Id')[0])));
			if (ids.size === 1) return [...ids][0];
			if (ids.size > 1) throw several(field, name, where, known.rows);
		}
		throw none(field, name, target, this.rowsOf(target, name, true));
	};

	/** The records that have a value where the target says. */
	rowsOf(target: Target, value: Value, isNear = false): JsonObject[] {
		const known = this.knownOf({ target, value, isNear });
		if ('failure' in known) throw known.failure;
		return known.rows;
	}

	private knownOf(wanted: WantedName): Known {
		const known = this.known.get(keyOf(wanted));
		if (known === undefined) throw new NotYetKnown(wanted);
		return known;
	}

	/**
	 * Reads a form that may name records: as soon as one is met that is not known yet, it is looked up,
	 * together with what `others` want to know, and the form is read once more.
	 */
	async read<T>(
		asker: Requester,
		form: () => T | Promise<T>,
		others: () => Promise<WantedName[]> = async () => [],
	): Promise<Awaited<T>> {
		for (;;) {
			const read = await attempt(form);
			if (!('wanted' in read)) return read.value;
			await this.learn(asker, read.wanted, others);
		}
	}

	private async learn(
		asker: Requester,
		own: WantedName,
		others: () => Promise<WantedName[]>,
	): Promise<void> {
		this.rounds += 1;
		const all = [own, ...(this.rounds > MAX_ROUNDS ? [] : await others())];
		// What one has learnt is not asked for by the next.
		await this.turns.run('look-up', async () => await this.learnAll(asker, all));
	}

	private async learnAll(asker: Requester, all: WantedName[]): Promise<void> {
		const asked = new Map(all.map((one) => [keyOf(one), one]));
		const fresh = [...asked.values()].filter((one) => !this.known.has(keyOf(one)));
		const exact = fresh.filter(({ isNear }) => !isNear);
		for (const some of batches(exact, { key: ({ target }) => placeOf(target) })) {
			await this.ask(asker, some);
		}
		for (const one of fresh.filter(({ isNear }) => isNear)) {
			this.known.set(keyOf(one), { rows: await this.nearTo(asker, one) });
		}
	}

	private async ask(asker: Requester, some: WantedName[]): Promise<void> {
		const [{ target }] = some;
		const { entity, by, id = 'Id', read = [], within } = target;
		const values = new Set(some.flatMap((one) => one.target.within?.values ?? []));
		const properties = [id, ...read, ...(within ? [within.property] : [])];
		const where = whereOf(target, [...values]);
		const found = await lookUp(asker, { entity, by, properties, where }, some.map(valueOf)).catch(
			(failure: unknown) => ({ failure }),
		);
		for (const one of some) {
			if ('failure' in found) this.known.set(keyOf(one), found);
			else {
				const rows = (found.get(normalize(one.value)) ?? []).filter((row) => fits(one.target, row));
				this.known.set(keyOf(one), { rows });
			}
		}
	}

	/** What somebody may have meant who named no record. */
	private async nearTo(
		{ caller, sendOptions }: Requester,
		{ target, value }: WantedName,
	): Promise<JsonObject[]> {
		this.suggested += 1;
		if (this.suggested > MAX_SUGGESTED) return [];
		const { entity, by, id = 'Id', within } = target;
		const request = queryRequest(entity, {
			PropertySet: { Properties: [...new Set([id, ...by])] },
			Criteria: allOf(and(containing(by[0], String(value))), whereOf(target, within?.values ?? [])),
			Orders: [{ PropertyName: by[0], OrderType: 'Ascending' }],
			Count: MAX_SHOWN,
			FirstResultIndex: 0,
		});
		return await send(caller, request, sendOptions).catch(emptyIfForbidden);
	}
}

const valueOf = ({ value }: WantedName) => value;

/** What one query can ask for at a time. */
const placeOf = ({ entity, by, id, read, where, within }: Target) =>
	JSON.stringify([entity, by, id, read, where, within?.property]);

const keyOf = ({ target, value, isNear = false }: WantedName) =>
	JSON.stringify([target, normalize(value), isNear]);

function whereOf(
	{ entity, where = {}, within }: Target,
	values: readonly unknown[],
): Criteria | undefined {
	const conditions = [
		...Object.entries(where).map(([property, value]) => equal(property, value)),
		...(within ? [isIn(within.property, values)] : []),
	];
	return allOf(keptOnly(entity), conditions.length > 0 ? and(...conditions) : undefined);
}

const fits = ({ within }: Target, row: JsonObject) =>
	within === undefined || within.values.includes(valuesAt(row, within.property)[0]);

/** "customer" */
const kindOf = ({ entity, called }: Target) =>
	called ?? (entityNamed(entity)?.label ?? entity).toLowerCase();

const listed = ({ by, id = 'Id' }: Target, rows: readonly JsonObject[]) =>
	rows
		.slice(0, MAX_SHOWN)
		.map((row) => {
			const names = new Set(by.flatMap((path) => valuesAt(row, path)).filter(Boolean));
			return `${[...names].join(', ')} (ID ${String(valuesAt(row, id)[0])})`;
		})
		.join('; ') + (rows.length > MAX_SHOWN ? '; …' : '');

const several = (field: string, name: string, target: Target, rows: JsonObject[]) =>
	new ValidationError(
		`'${field}' is ${quote(name)}, and there are several of that name: ${listed(target, rows)}`,
		'Give the ID of the one that is meant.',
	);

const none = (field: string, name: string, target: Target, near: JsonObject[]) =>
	new ValidationError(
		`'${field}' is ${quote(name)}, which no ${kindOf(target)} is called`,
		near.length > 0 ? `There are: ${listed(target, near)}.` : 'Check the name, or give the ID.',
	);

/** Who may not read the records can still name them by their Ids. */
function unreadable(field: string, name: string, failure: unknown): unknown {
	if (!wasRefused(failure)) return failure;
	return new ValidationError(
		`'${field}' is ${quote(name)}, which cannot be looked up: ${(failure as Error).message}`,
		'Give the ID.',
	);
}

/** What a form comes to, or what has to be known for that. */
export const attempt = async <T>(form: () => T | Promise<T>) =>
	await Promise.resolve()
		.then(async () => ({ value: await form() }))
		.catch((failure: unknown) => {
			if (failure instanceof NotYetKnown) return { wanted: failure.wanted };
			throw failure;
		});
