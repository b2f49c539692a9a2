import { createHash } from 'node:crypto';

import { isFileContent } from '../catalogue/members';
import { ValidationError } from '../values/errors';
import { filterMembers, isObject, mapMembers, stableStringify } from '../values/objects';
import { listSecrets } from '../values/secrets';
import { getRecordKey, type Specifier } from '../wire/answers';
import { NOT_CREATED, type WriteRequest } from '../wire/requests';

export type Write = WriteRequest<unknown>;

/** Writes that a confirmation key allows an item, or the reason why the item must not start. */
export type Approval = { writes: readonly Write[] } | { refusal: unknown };

/** The writes of one item, in order. */
export class ItemWrites {
	private readonly skippedWrites: Write[] = [];
	private readonly keptWrites: Write[] = [];
	private mayHaveWritten = false;
	/** A write without an answer yet. */
	underWay?: Write;
	/** The record that the item is about, once it is known. */
	subject?: { entity: string; id: unknown };
	/** Secrets, and links to files, that the item has sent. */
	readonly secrets: string[] = [];

	constructor(
		/** Without a confirmation key, an item may write anything. */
		private readonly approval?: Approval,
	) {}

	/** Something was or may have been written for the item, so it must not run again. */
	get mayHaveRun(): boolean {
		return this.mayHaveWritten;
	}

	/** Writes that a dry run has skipped. */
	get skipped(): readonly Write[] {
		return this.skippedWrites;
	}

	/** Writes that were sent, if the output shows the record as it was before. */
	get kept(): readonly Write[] {
		return this.keptWrites;
	}

	noteSkipped(write: Write): void {
		this.skippedWrites.push(summarizeFiles(write));
	}

	noteRun(...kept: readonly Write[]): void {
		this.mayHaveWritten = true;
		this.keptWrites.push(...kept);
	}

	requireApproval(): void {
		if (this.approval !== undefined && 'refusal' in this.approval) throw this.approval.refusal;
	}

	/** A key allows what was planned, also after an earlier item of the run has changed the record. */
	requirePlanned(write: Write, versions: OwnVersions): void {
		this.requireApproval();
		this.secrets.push(...listSecrets(write.body));
		if (this.approval === undefined || !('writes' in this.approval)) return;
		const { plannedWrite } = write.dryRun;
		const entity = 'entity' in plannedWrite ? plannedWrite.entity : '';
		const isOwn: IsOwnChange = (...change) => versions.isOwnChange(entity, ...change);
		const summarized = summarizeFiles(write);
		if (this.approval.writes.some((one) => isPlanned(one, summarized, isOwn))) return;
		throw createNotConfirmedError(
			undefined,
			this.mayHaveRun ? 'The rest was not written' : undefined,
		);
	}
}

/** Versions that a run has written, by record and oldest first. */
export class OwnVersions {
	private readonly versions = new Map<string, unknown[]>();

	/** Remembers a change of this run, so that it does not count as somebody else's. */
	note(entity: string, { Id, ConcurrencyId }: Specifier, before?: unknown): void {
		const key = getRecordKey(entity, Id);
		const own = this.versions.get(key) ?? [before];
		this.versions.set(key, [...(own.at(-1) === before ? own : [before]), ConcurrencyId]);
	}

	/** Tells whether this run alone has changed a record from one version to another. */
	isOwnChange(entity: string, id: unknown, from: unknown, to: unknown): boolean {
		const own = this.versions.get(getRecordKey(entity, id)) ?? [];
		return own.at(-1) === to && own.includes(from);
	}
}

export const REQUESTS = 'what would be sent';

export function createNotConfirmedError(
	changed: readonly string[] = [REQUESTS],
	left = 'Nothing was written',
): ValidationError {
	const message = `Changed since the dry run: ${changed.join(', ')}. ${left}`;
	return new ValidationError(message, 'Repeat the dry run, and let its output be approved.');
}

export const omit = (name: string, value: unknown) =>
	isObject(value) ? { ...value, [name]: undefined } : value;

/**
 * Each request has a RequestId of its own, so it is left out of comparisons. A command may be sent
 * under its long or its short name, whichever the host knows.
 */
export const getContent = ({ method, path, query, headers, body }: Write): unknown[] => [
	...[method, path.replace(/(\/cmd\/\w+)Command$/, '$1'), query, headers],
	omit('RequestId', body),
];

/** Files may be large, so a dry run keeps their sizes and digests instead of their content. */
export const summarizeFiles = <T>(value: T): T => replaceFiles(value) as T;

function replaceFiles(value: unknown, owner = ''): unknown {
	if (Array.isArray(value)) return value.map((one) => replaceFiles(one, owner));
	if (!isObject(value)) return value;
	return mapMembers(value, (name, one) =>
		isFileContent(owner, name) && typeof one === 'string'
			? summarizeFile(one)
			: replaceFiles(one, name),
	);
}

const summarizeFile = (body: string) =>
	`${Buffer.byteLength(body, 'base64')} bytes, SHA-256 ${createHash('sha256').update(body).digest('base64url')}`;

/** Tells whether the run alone has changed a record from one version to another. */
type IsOwnChange = (id: unknown, from: unknown, to: unknown) => boolean;

/** A planned write still matches after the run has created or changed records that it refers to. */
function isPlanned(planned: Write, write: Write, isOwnChange: IsOwnChange): boolean {
	const content = getContent(planned);
	const sent = restorePlanned(content, getContent(write), isOwnChange);
	return stableStringify(content) === stableStringify(sent);
}

function restorePlanned(
	planned: unknown,
	sent: unknown,
	isOwnChange: IsOwnChange,
	{ name = '', isOfOwn = false }: { name?: string; isOfOwn?: boolean } = {},
): unknown {
	if (planned === NOT_CREATED && name.endsWith('Id') && Number.isInteger(sent)) return planned;
	if (Array.isArray(planned) && Array.isArray(sent)) {
		return sent.map((one, index) => restorePlanned(planned[index], one, isOwnChange, { isOfOwn }));
	}
	if (!isObject(planned) || !isObject(sent)) return sent;
	const { Id, ConcurrencyId } = planned;
	const isOwn = Id === NOT_CREATED || isOwnChange(Id, ConcurrencyId, sent.ConcurrencyId);
	// Corrigo has completed a row that an earlier item has added to the record.
	const isAdded = isOfOwn && Id === undefined && sent.Id !== undefined;
	const members = isAdded ? filterMembers(sent, (key) => planned[key] !== undefined) : sent;
	return mapMembers(members, (key, one) =>
		key === 'ConcurrencyId' && isOwn
			? ConcurrencyId
			: restorePlanned(planned[key], one, isOwnChange, { name: key, isOfOwn: isOfOwn || isOwn }),
	);
}
