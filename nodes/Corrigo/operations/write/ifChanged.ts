import type { INodeExecutionData } from 'n8n-workflow';

import { getEntity, findEntityMemberType } from '../../catalogue/entities';
import { optionFields } from '../../form/options';
import { type Specifier, getRecordKey } from '../../wire/answers';
import { getStoredMembers, findChange } from '../../compare/differences';
import {
	isBlank,
	isObject,
	quote,
	ValidationError,
	type JsonObject,
	parseInteger,
} from '../../values/checks';
import { buildColumn } from '../../columns/columns';
import { describeSubject } from '../../run/preview/dryRunSummary';
import { toItem, oncePerRun, type ItemContext } from '../../run/context';
import { getKnownNames } from '../../run/resolve';

const readRule = (context: ItemContext) => context.option('ifChanged') ?? 'overwrite';

/** Every rule except `overwrite` compares versions before a write. */
export const checksVersion = (context: ItemContext): boolean => readRule(context) !== 'overwrite';

/** Returns the version that the workflow has read, or undefined if it has read no record. */
function readExpectedVersion(context: ItemContext, entity: string): number | undefined {
	if (!checksVersion(context)) return undefined;
	if (!getEntity(entity)?.lock) {
		throw new ValidationError(
			`'${optionFields.ifChanged.displayName}' compares versions, but ${entity} records have none`,
			'Remove the option, or choose Overwrite.',
		);
	}
	const { expectedVersion: input } = context.options;
	if (isBlank(input)) return undefined;
	return parseInteger(optionFields.expectedVersion.displayName, input, 0, Number.MAX_SAFE_INTEGER);
}

/** An update always has a record to compare, so its expected version must not be empty. */
export function requireVersion(context: ItemContext, entity: string): void {
	if (readExpectedVersion(context, entity) !== undefined || !checksVersion(context)) return;
	throw new ValidationError(
		`'${optionFields.expectedVersion.displayName}' is empty`,
		'Enter the ConcurrencyId of the record as you have read it.',
	);
}

/** A record that the workflow has read is never created again if it is gone. */
export function getMissingRule(context: ItemContext, entity: string): 'create' | 'error' | 'skip' {
	if (readExpectedVersion(context, entity) === undefined) return 'create';
	return readRule(context) === 'fail' ? 'error' : 'skip';
}

/** Versions that this run has written, by record and oldest first. */
const getOwnVersions = oncePerRun(() => new Map<string, unknown[]>());

/** Remembers a change of this run, so that it does not count as somebody else's. */
export function noteVersion(
	context: ItemContext,
	entity: string,
	{ Id, ConcurrencyId }: Specifier,
	before?: unknown,
): void {
	const all = getOwnVersions(context);
	const key = getRecordKey(entity, Id);
	const own = all.get(key) ?? [before];
	all.set(key, [...(own.at(-1) === before ? own : [before]), ConcurrencyId]);
}

function isAsExpected(context: ItemContext, entity: string, record: JsonObject): boolean {
	const { Id, ConcurrencyId } = record;
	const own = getOwnVersions(context).get(getRecordKey(entity, Id)) ?? [];
	const expected = readExpectedVersion(context, entity);
	return expected === ConcurrencyId || (own.at(-1) === ConcurrencyId && own.includes(expected));
}

/**
 * Returns an output instead of a write, or fails, if somebody else has changed the record since the
 * workflow read it. The output shows the current values of the members to write, and those of the
 * input item.
 */
export function skipIfChanged(
	context: ItemContext,
	entity: string,
	record: JsonObject | undefined,
	members: JsonObject,
): INodeExecutionData[] | undefined {
	if (!checksVersion(context)) return undefined;
	if (record === undefined) {
		throw new ValidationError(
			`'${optionFields.ifChanged.displayName}' compares versions, but ${entity} records may not be read`,
			'Nothing was written.',
		);
	}
	if (isAsExpected(context, entity, record)) return undefined;
	const { Id, ConcurrencyId } = record;
	const Now = getStoredMembers(entity, record, members);
	const ChangedSince = listMemberChanges(context, entity, Now);
	if (readRule(context) === 'skip') {
		const outcome = { Outcome: 'skipped', Now, ...(ChangedSince ? { ChangedSince } : {}) };
		return [toItem({ EntityType: entity, Id, ConcurrencyId, ...outcome })];
	}
	const now = Object.entries(Now).map(([name, value]) => {
		const since = ChangedSince?.[name];
		const was = since === undefined ? '' : ` (it was ${quote(since.From)})`;
		return `'${buildColumn(entity, name, false).label}' is ${quote(value)}${was}`;
	});
	const subject = describeSubject({ entity, id: Id }, getKnownNames(context).getName);
	const expected = readExpectedVersion(context, entity);
	const difference =
		expected === undefined
			? `'${optionFields.expectedVersion.displayName}' is empty, but there is ${subject}`
			: `Changed since it was read: ${subject}, to version ${String(ConcurrencyId)} from ${expected}`;
	throw new ValidationError(
		`${difference}. Nothing was written`,
		`Now ${now.join(', ')}. Read the record again, and decide by what it holds.`,
	);
}

type MemberChanges = Record<string, { From: unknown; To: unknown } | undefined>;

/** Earlier values are known only if the input item carries the record as it was read. */
function listMemberChanges(
	context: ItemContext,
	entity: string,
	now: JsonObject,
): MemberChanges | undefined {
	const { Before } = context.caller.getInputData()[context.index].json;
	if (!isObject(Before)) return undefined;
	const changed = Object.entries(now).filter(
		([name, To]) =>
			name in Before &&
			findChange(findEntityMemberType(entity, name) ?? '', Before[name], To) !== undefined,
	);
	return Object.fromEntries(changed.map(([name, To]) => [name, { From: Before[name], To }]));
}
