import type { INodeExecutionData } from 'n8n-workflow';

import { findEntityMemberType, getEntity } from '../../catalogue/entities';
import { getNoun } from '../../catalogue/views';
import { buildColumn } from '../../columns/columns';
import { getStoredMembers, findChange } from '../../compare/differences';
import { type OperationForm, optionFields } from '../../form/options';
import { toItem, type ItemContext } from '../../run/context';
import { describeReference } from '../../run/preview/texts';
import { getErrorCode } from '../../transport/errors';
import { createEmptyError, quote, ValidationError } from '../../values/errors';
import { type JsonObject, isObject } from '../../values/objects';
import { isBlank, parseInteger } from '../../values/input';

const CHANGED_SINCE_READ = 'ERROR_CODE_6';

/** Updates a record; if somebody else has changed it in the meantime, reads it and tries again. */
export async function updateCurrent<T, Read extends JsonObject | undefined>(
	record: Read,
	reload: () => Promise<JsonObject | undefined>,
	update: (record: JsonObject | Read) => Promise<T>,
): Promise<T> {
	return await update(record).catch(async (failure: unknown) => {
		if (getErrorCode(failure) !== CHANGED_SINCE_READ) throw failure;
		const now = await reload();
		// Corrigo sends this code for other reasons, too.
		if (now === undefined || now.ConcurrencyId === record?.ConcurrencyId) throw failure;
		return await update(now);
	});
}

const readRule = (form: OperationForm) => form.option('ifChanged') ?? 'overwrite';

/** Every rule except `overwrite` compares versions before a write. */
export const checksVersion = (form: OperationForm): boolean => readRule(form) !== 'overwrite';

/** Returns the version that the workflow has read, or undefined if it has read no record. */
function readExpectedVersion(form: OperationForm, entity: string): number | undefined {
	if (!checksVersion(form)) return undefined;
	if (!getEntity(entity)?.lock) {
		throw new ValidationError(
			`'${optionFields.ifChanged.displayName}' compares versions, but ${getNoun(entity)} records have none`,
			undefined,
			{ forAuthor: 'Remove the option, or choose Overwrite.' },
		);
	}
	const { expectedVersion: input } = form.options;
	if (isBlank(input)) return undefined;
	return parseInteger(optionFields.expectedVersion.displayName, input, 0, Number.MAX_SAFE_INTEGER);
}

/** An update always has a record to compare, so its expected version must not be empty. */
export function requireVersion(form: OperationForm, entity: string): void {
	if (readExpectedVersion(form, entity) !== undefined || !checksVersion(form)) return;
	throw createEmptyError(
		optionFields.expectedVersion.displayName,
		'Enter the ConcurrencyId that the record had when you read it.',
	);
}

/**
 * Says what to do without a record. One that the workflow has read is never created again if it is
 * gone; the option `updateOnly` takes precedence.
 */
export function readMissingRule(form: OperationForm, entity: string): 'create' | 'error' | 'skip' {
	const rule = readRule(form) === 'fail' ? 'error' : 'skip';
	const missing = readExpectedVersion(form, entity) === undefined ? 'create' : rule;
	return form.option('updateOnly') ?? missing;
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
			`'${optionFields.ifChanged.displayName}' compares versions, but ${getNoun(entity)} records may not be read`,
			'Nothing was written.',
		);
	}
	const { Id, ConcurrencyId } = record;
	const expected = readExpectedVersion(context, entity);
	const isAsExpected =
		expected === ConcurrencyId ||
		context.run.versions.isOwnChange(entity, Id, expected, ConcurrencyId);
	if (isAsExpected) return undefined;
	const Now = getStoredMembers(entity, record, members);
	const ChangedSince = listMemberChanges(context.inputFields, entity, Now);
	if (readRule(context) === 'skip') {
		const outcome = { Outcome: 'skipped', Now, ...(ChangedSince ? { ChangedSince } : {}) };
		context.noteSubject(entity, Id);
		return [toItem({ Id, ConcurrencyId, ...outcome })];
	}
	const now = Object.entries(Now).map(([name, value]) => {
		const since = ChangedSince?.[name];
		const was = since === undefined ? '' : ` (it was ${quote(since.From, name)})`;
		return `'${buildColumn(entity, name).label}' is ${quote(value, name)}${was}`;
	});
	const subject = describeReference({ entity, id: Id }, context.run.names.getName);
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
	inputFields: JsonObject | undefined,
	entity: string,
	now: JsonObject,
): MemberChanges | undefined {
	const Before = inputFields?.Before;
	if (!isObject(Before)) return undefined;
	const changed = Object.entries(now).filter(
		([name, To]) =>
			name in Before &&
			findChange(findEntityMemberType(entity, name) ?? '', Before[name], To) !== undefined,
	);
	return Object.fromEntries(changed.map(([name, To]) => [name, { From: Before[name], To }]));
}
