import { createHmac, randomBytes } from 'node:crypto';

import { optionFields } from '../../form/options';
import { createEmptyError, quote, ValidationError } from '../../values/errors';
import { isObject, remember, stableStringify } from '../../values/objects';
import { isBlank } from '../../values/input';
import { getContent, omit, REQUESTS, type Write } from '../writes';

/** Planned writes of an item, and the current state of the records that they concern. */
export interface PlannedWrites {
	/** The credential alone leads to this secret. Companies have different ones, as their IDs may be equal. */
	secret: string;
	writes: readonly Write[];
	records: readonly RecordState[];
}

export interface RecordState {
	/** Name in messages, such as: work order CHL0000271. */
	name: string;
	/** State that differs as soon as somebody changes the record. */
	state: unknown;
	/** Fields to name in a message if they have changed. */
	fields: ReadonlyArray<{ label: string; value: unknown }>;
}

const SALT_BYTES = 6;
const DIGEST_LENGTH = 12;
/** Digests of fields only tell which one has changed, so they may be short. */
const FIELD_DIGEST_LENGTH = 2;
const KEY_PATTERN = /^[\w-]{8}(\.[\w-]{12,})+$/;

const CREDENTIAL = 'the credential or its Company';

/** The version in an update is compared as the state of its record, so it is left out here. */
const getComparedContent = (write: Write): unknown => {
	const { body } = write;
	const isUpdate = write.dryRun.plannedWrite.does === 'update' && isObject(body);
	return getContent(
		isUpdate ? { ...write, body: { ...body, Entity: omit('ConcurrencyId', body.Entity) } } : write,
	);
};

/** Nobody makes a key without a dry run, not even a model that runs code of its own. */
export const deriveSecret = (clientSecret: string, company: string): string =>
	createHmac('sha256', clientSecret)
		.update(JSON.stringify(['Confirmation Key', company]))
		.digest('base64url');

function buildDigests({ secret, writes, records }: PlannedWrites, salt: string): string[] {
	const digest = (value: unknown, length = DIGEST_LENGTH) =>
		createHmac('sha256', secret)
			.update(salt + stableStringify(value))
			.digest('base64url')
			.slice(0, length);
	return [
		digest(CREDENTIAL),
		digest(writes.map(getComparedContent)),
		...records.map(({ state, fields }) =>
			[digest(state), ...fields.map((field) => digest(field, FIELD_DIGEST_LENGTH))].join(''),
		),
	];
}

/**
 * The key consists of a random salt and digests of the credential, the requests and each record. The
 * salt makes keys of equal items differ.
 */
export function createConfirmationKey(planned: PlannedWrites): string {
	const salt = randomBytes(SALT_BYTES).toString('base64url');
	return [salt, ...buildDigests(planned, salt)].join('.');
}

export function parseConfirmationKey(value: unknown): string {
	const title = optionFields.confirmationKey.displayName;
	const advice = 'Take the ConfirmationKey from the output of a dry run of this item.';
	const key = typeof value === 'string' ? value.trim() : value;
	if (isBlank(key)) throw createEmptyError(title, advice);
	if (typeof key === 'string' && KEY_PATTERN.test(key)) return key;
	throw new ValidationError(`'${title}' is not a key that a dry run has returned`, advice);
}

/** Lists the parts that have changed since the key was created. */
export function listChangedParts(key: string, planned: PlannedWrites): string[] {
	const [salt, ...then] = key.split('.');
	const now = buildDigests(planned, salt);
	if (now[0] !== then[0]) return [CREDENTIAL];
	if (now.length !== then.length) return [REQUESTS];
	const names = [CREDENTIAL, REQUESTS].concat(
		planned.records.map((record, index) => describeChange(record, then[index + 2], now[index + 2])),
	);
	return names.filter((_, index) => now[index] !== then[index]);
}

/** Returns, for example: work order CHL0000271 ('Status' is now "Paused"). */
function describeChange({ name, fields }: RecordState, then: string, now: string): string {
	const getDigest = (part: string, index: number) =>
		part.slice(DIGEST_LENGTH).slice(FIELD_DIGEST_LENGTH * index, FIELD_DIGEST_LENGTH * (index + 1));
	const changed = fields.filter((_, index) => getDigest(then, index) !== getDigest(now, index));
	if (then.length !== now.length || changed.length === 0) return name;
	return `${name} (${changed.map(({ label, value }) => `'${label}' is now ${quote(value)}`).join(', ')})`;
}

export const createNotConfirmableError = (): ValidationError =>
	new ValidationError(
		'No key can confirm this command: which record it changes is not known. Nothing was written',
		'Use an operation in its place.',
		{ forAuthor: `Or remove '${optionFields.confirmationKey.displayName}'.` },
	);

const MAX_KEYS = 10_000;

/** An approval may be delivered twice, so a key works only once. */
export class UsedKeys {
	private readonly keys = new Map<string, true>();

	/** A used key is said to be so, whatever else has changed since. */
	refuseUsed(key: string): void {
		if (this.keys.has(key)) {
			throw new ValidationError(
				'This key was already used. Nothing was written',
				`A '${optionFields.confirmationKey.displayName}' can be used once. Look in Corrigo for what it has written.`,
			);
		}
	}

	claim(key: string): void {
		this.refuseUsed(key);
		remember(this.keys, key, true, MAX_KEYS);
	}

	release(key: string): void {
		this.keys.delete(key);
	}
}
