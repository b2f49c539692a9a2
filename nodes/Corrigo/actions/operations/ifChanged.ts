import type { INodeExecutionData } from 'n8n-workflow';

import { entityNamed, fieldType } from '../../catalogue/entities';
import { optionTitle } from '../../form/options';
import type { Specifier } from '../../protocol/answers';
import { membersAt } from '../../protocol/before';
import { isBlank, isObject, quote, ValidationError, type JsonObject } from '../../protocol/checks';
import { columnOf } from '../../protocol/column';
import { changeOf } from '../../protocol/differences';
import { subjectOf } from '../../protocol/dryRunSummary';
import { keyOfRecord } from '../../protocol/keys';
import { oneOf, wholeNumber } from '../../protocol/values';
import { itemOf, oncePerRun, type ItemContext } from '../../run/context';
import { knownNamesIn } from '../../run/resolve';

const RULES = ['overwrite', 'fail', 'skip'] as const;

const ruleIn = ({ options: { ifChanged } }: ItemContext) =>
	ifChanged === undefined ? 'overwrite' : oneOf(optionTitle('ifChanged'), ifChanged, RULES);

/** Every rule except `overwrite` compares versions before a write. */
export const checksVersion = (context: ItemContext): boolean => ruleIn(context) !== 'overwrite';

/** Returns the version that the workflow has read, or undefined if it has read no record. */
function expectedVersion(context: ItemContext, entity: string): number | undefined {
	if (!checksVersion(context)) return undefined;
	if (!entityNamed(entity)?.lock) {
		throw new ValidationError(
			`'${optionTitle('ifChanged')}' compares versions, but ${entity} records have none`,
			'Remove the option, or choose Overwrite.',
		);
	}
	const { expectedVersion: given } = context.options;
	if (isBlank(given)) return undefined;
	return wholeNumber(optionTitle('expectedVersion'), given, 0, Number.MAX_SAFE_INTEGER);
}

/** An update always has a record to compare, so its expected version must not be empty. */
export function requireVersion(context: ItemContext, entity: string): void {
	if (expectedVersion(context, entity) !== undefined || !checksVersion(context)) return;
	throw new ValidationError(
		`'${optionTitle('expectedVersion')}' is empty`,
		'Enter the ConcurrencyId of the record as you have read it.',
	);
}

/** A record that the workflow has read is never created again if it is gone. */
export function ifMissing(context: ItemContext, entity: string): 'create' | 'error' | 'skip' {
	if (expectedVersion(context, entity) === undefined) return 'create';
	return ruleIn(context) === 'fail' ? 'error' : 'skip';
}

/** Versions that this run has written, by record and oldest first. */
const ownVersions = oncePerRun(() => new Map<string, unknown[]>());

/** Remembers a change of this run, so that it does not count as somebody else's. */
export function noteVersion(
	context: ItemContext,
	entity: string,
	{ Id, ConcurrencyId }: Specifier,
	before?: unknown,
): void {
	const all = ownVersions(context);
	const key = keyOfRecord(entity, Id);
	const own = all.get(key) ?? [before];
	all.set(key, [...(own.at(-1) === before ? own : [before]), ConcurrencyId]);
}

function isAsExpected(context: ItemContext, entity: string, record: JsonObject): boolean {
	const { Id, ConcurrencyId } = record;
	const own = ownVersions(context).get(keyOfRecord(entity, Id)) ?? [];
	const expected = expectedVersion(context, entity);
	return expected === ConcurrencyId || (own.at(-1) === ConcurrencyId && own.includes(expected));
}

/**
 * Returns an output instead of a write, or fails, if somebody else has changed the record since the
 * workflow read it. The output shows the current values of the members to write, and those of the
 * input item.
 */
export function skippedIfChanged(
	context: ItemContext,
	entity: string,
	record: JsonObject | undefined,
	members: JsonObject,
): INodeExecutionData[] | undefined {
	if (!checksVersion(context)) return undefined;
	if (record === undefined) {
		throw new ValidationError(
			`'${optionTitle('ifChanged')}' compares versions, but ${entity} records may not be read`,
			'Nothing was written.',
		);
	}
	if (isAsExpected(context, entity, record)) return undefined;
	const { Id, ConcurrencyId } = record;
	const Now = membersAt(entity, record, members);
	const ChangedSince = changesSince(context, entity, Now);
	if (ruleIn(context) === 'skip') {
		const outcome = { Outcome: 'skipped', Now, ...(ChangedSince ? { ChangedSince } : {}) };
		return [itemOf({ EntityType: entity, Id, ConcurrencyId, ...outcome })];
	}
	const now = Object.entries(Now).map(([name, value]) => {
		const since = ChangedSince?.[name];
		const was = since === undefined ? '' : ` (it was ${quote(since.From)})`;
		return `'${columnOf(entity, name, false).label}' is ${quote(value)}${was}`;
	});
	const subject = subjectOf({ entity, id: Id }, knownNamesIn(context).nameOf);
	const expected = expectedVersion(context, entity);
	const difference =
		expected === undefined
			? `'${optionTitle('expectedVersion')}' is empty, but there is ${subject}`
			: `Changed since it was read: ${subject}, to version ${String(ConcurrencyId)} from ${expected}`;
	throw new ValidationError(
		`${difference}. Nothing was written`,
		`Now ${now.join(', ')}. Read the record again, and decide by what it holds.`,
	);
}

type Since = Record<string, { From: unknown; To: unknown } | undefined>;

/** Earlier values are known only if the input item carries the record as it was read. */
function changesSince(context: ItemContext, entity: string, now: JsonObject): Since | undefined {
	const { Before } = context.caller.getInputData()[context.index].json;
	if (!isObject(Before)) return undefined;
	const changed = Object.entries(now).filter(
		([name, To]) =>
			name in Before && changeOf(fieldType(entity, name) ?? '', Before[name], To) !== undefined,
	);
	return Object.fromEntries(changed.map(([name, To]) => [name, { From: Before[name], To }]));
}
