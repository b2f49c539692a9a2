import type { INodeExecutionData } from 'n8n-workflow';

import { entityField } from '../../form/fields';
import {
	isObject,
	jsonObject,
	quote,
	rowsIn,
	ValidationError,
	type JsonObject,
} from '../../protocol/checks';
import {
	carriesCustomFields,
	membersOfRecord,
	type CustomValue,
} from '../../protocol/customFields';
import { restoration } from '../../protocol/restoration';
import { keyOfRecord } from '../../protocol/keys';
import { positiveId } from '../../protocol/values';
import { writableMembers } from '../../protocol/writable';
import { itemOf, type ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { knownNamesIn } from '../../run/resolve';
import { updateRecord } from '../operations/fields';
import { storedRecords, updateCurrent } from '../operations/stored';
import { mustSupport } from '../operations/subject';
import { outputOfWrite, specifierIn, updateFields } from '../operations/writeOutput';

const FIELD = 'Before';
const HINT = "Take it from the output of an operation with the option 'Return Before'.";

/** Earlier write to a record, with the values that it replaced. */
interface Changed {
	entity: string;
	id: number;
	before: JsonObject;
	written: JsonObject;
}

function changedIn(context: ItemContext): Changed {
	const entity = mustSupport(context.entity(), 'update');
	const given = jsonObject(FIELD, context.param('before', ''));
	const { EntityType, Id, Written } = given;
	const id = positiveId(`${FIELD} > Id`, Id, HINT);
	if (EntityType !== entity) {
		throw new ValidationError(
			`'${FIELD}' is a record of ${quote(EntityType)}, but 'Entity' is ${entity}`,
			HINT,
		);
	}
	if (!isObject(Written) || Object.keys(Written).length === 0) {
		throw new ValidationError(`'${FIELD}' does not say what was written`, HINT);
	}
	const { omitted } = writableMembers(entity, 'update', Written);
	const isInRow = (path: string) => Array.isArray(Written[path.split('.')[0]]);
	refuse('lacks what was written', ...Object.keys(Written).filter((name) => !(name in given)));
	refuse('has what cannot be written', ...omitted.filter((path) => !isInRow(path)));
	return {
		...{ entity, id, written: Written },
		before: writableMembers(entity, 'update', given).members,
	};
}

function refuse(problem: string, ...names: string[]): void {
	if (names.length > 0) {
		throw new ValidationError(`'${FIELD}' ${problem}: ${names.join(', ')}`, HINT);
	}
}

const stored = storedRecords(
	(context) => {
		const { entity, id, before, written } = changedIn(context);
		// The earlier value of an emptied reference shows which properties to read.
		const members = Object.entries(written).map(([name, value]) => [name, value ?? before[name]]);
		return { entity, id, members: Object.fromEntries(members) as JsonObject };
	},
	() => true,
);

async function restore(
	context: ItemContext,
	{ entity, before, written }: Changed,
	now: JsonObject,
): Promise<INodeExecutionData[]> {
	const output = outputOfWrite(context, entity);
	const { value, changed, left: NotRestored } = restoration(entity, before, written, now);
	const specifier = specifierIn(entity, now);
	if (changed.length === 0) {
		const [{ json }] = await output(specifier, value, now);
		return [itemOf({ ...json, Outcome: 'unchanged', NotRestored })];
	}
	const members = membersOfRecord(entity, value);
	const custom = carriesCustomFields(entity) ? [] : customValues(value.CustomFields);
	const rows = rowsIn(now.CustomFields);
	const update = { field: FIELD, members, custom, stored: rows, record: now };
	const [{ json }] = await output(await updateRecord(context, entity, specifier, update), value);
	const { nameOf } = knownNamesIn(context);
	const Changed = changed.map((path) => {
		const [, descriptor] = /^CustomFields\.(\d+)$/.exec(path) ?? [];
		return nameOf('CustomFieldDescriptor', descriptor) ?? path;
	});
	return [itemOf({ ...json, Outcome: 'updated', Changed, NotRestored })];
}

const customValues = (rows: unknown): CustomValue[] =>
	rowsIn(rows).map(({ Descriptor, Value, PerformDeletion }) => {
		const descriptor = Number((Descriptor as JsonObject).Id);
		const value = PerformDeletion === true ? '' : String(Value);
		return { descriptor, label: `CustomFields.${descriptor}`, value };
	});

export const restoreValues: Operation = {
	name: 'Restore Values',
	value: 'restoreValues',
	action: 'Restore values of a record',
	description: 'Put back what an operation has changed, unless it was changed again since',
	address: 'PUT /base',
	fields: [
		entityField,
		{
			displayName: FIELD,
			name: 'before',
			type: 'json',
			required: true,
			default: '={{ $json.Before }}',
			description:
				"Record as it was, from the output of an operation with the option 'Return Before'",
		},
		...updateFields,
	],
	changes: async (context) => {
		const { entity, id } = changedIn(context);
		return await Promise.resolve(keyOfRecord(entity, id));
	},
	check: async (context) => {
		changedIn(context);
		await Promise.resolve();
	},
	each: async (context) => {
		const changed = changedIn(context);
		const read = async () => await stored(context);
		const record = await read();
		if (record === undefined) {
			throw new ValidationError(
				`${changed.entity} records may not be read, so nothing was written`,
			);
		}
		return await updateCurrent(record, read, async (now) => await restore(context, changed, now));
	},
};
