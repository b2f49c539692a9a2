import type { INodeExecutionData } from 'n8n-workflow';

import { entityField } from '../../form/fields';
import {
	isObject,
	parseJsonObject,
	quote,
	toRows,
	ValidationError,
	type JsonObject,
	parseId,
} from '../../values/checks';
import {
	carriesCustomFields,
	getCarriedMembers,
	type CustomValue,
} from '../../compare/customFields';
import { buildRestoration } from './restoration';
import { getRecordKey } from '../../compare/keys';
import { toWritable } from '../../columns/writable';
import { toItem, type ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { getKnownNames } from '../../run/resolve';
import { updateRecord } from '../../operations/write/fields';
import { createRecordReader, updateCurrent } from '../../operations/write/stored';
import { requireSupport } from '../../operations/subject';
import { createOutputBuilder, toSpecifier, updateFields } from '../../operations/write/writeOutput';

const FIELD = 'Before';
const ADVICE = "Take it from the output of an operation with the option 'Return Before'.";

/** Earlier write to a record, with the values that it replaced. */
interface EarlierWrite {
	entity: string;
	id: number;
	before: JsonObject;
	written: JsonObject;
}

function readEarlierWrite(context: ItemContext): EarlierWrite {
	const entity = requireSupport(context.entity(), 'update');
	const input = parseJsonObject(FIELD, context.param('before', ''));
	const { EntityType, Id, Written } = input;
	const id = parseId(`${FIELD} > Id`, Id, ADVICE);
	if (EntityType !== entity) {
		throw new ValidationError(
			`'${FIELD}' is a record of ${quote(EntityType)}, but 'Entity' is ${entity}`,
			ADVICE,
		);
	}
	if (!isObject(Written) || Object.keys(Written).length === 0) {
		throw new ValidationError(`'${FIELD}' does not say what was written`, ADVICE);
	}
	const { omitted } = toWritable(entity, 'update', Written);
	const isInRow = (path: string) => Array.isArray(Written[path.split('.')[0]]);
	refuse('lacks what was written', ...Object.keys(Written).filter((name) => !(name in input)));
	refuse('has what cannot be written', ...omitted.filter((path) => !isInRow(path)));
	return {
		...{ entity, id, written: Written },
		before: toWritable(entity, 'update', input).members,
	};
}

function refuse(problem: string, ...names: string[]): void {
	if (names.length > 0) {
		throw new ValidationError(`'${FIELD}' ${problem}: ${names.join(', ')}`, ADVICE);
	}
}

const readStored = createRecordReader(
	(context) => {
		const { entity, id, before, written } = readEarlierWrite(context);
		// The earlier value of an emptied reference shows which properties to read.
		const members = Object.entries(written).map(([name, value]) => [name, value ?? before[name]]);
		return { entity, id, members: Object.fromEntries(members) as JsonObject };
	},
	() => true,
);

async function restore(
	context: ItemContext,
	{ entity, before, written }: EarlierWrite,
	now: JsonObject,
): Promise<INodeExecutionData[]> {
	const buildOutput = createOutputBuilder(context, entity);
	const { value, changed, left: NotRestored } = buildRestoration(entity, before, written, now);
	const specifier = toSpecifier(entity, now);
	if (changed.length === 0) {
		const [{ json }] = await buildOutput(specifier, value, now);
		return [toItem({ ...json, Outcome: 'unchanged', NotRestored })];
	}
	const members = getCarriedMembers(entity, value);
	const custom = carriesCustomFields(entity) ? [] : toCustomValues(value.CustomFields);
	const rows = toRows(now.CustomFields);
	const update = { field: FIELD, members, custom, stored: rows, record: now };
	const [{ json }] = await buildOutput(
		await updateRecord(context, entity, specifier, update),
		value,
	);
	const { getName: findName } = getKnownNames(context);
	const Changed = changed.map((path) => {
		const [, descriptor] = /^CustomFields\.(\d+)$/.exec(path) ?? [];
		return findName('CustomFieldDescriptor', descriptor) ?? path;
	});
	return [toItem({ ...json, Outcome: 'updated', Changed, NotRestored })];
}

const toCustomValues = (rows: unknown): CustomValue[] =>
	toRows(rows).map(({ Descriptor, Value, PerformDeletion }) => {
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
		const { entity, id } = readEarlierWrite(context);
		return await Promise.resolve(getRecordKey(entity, id));
	},
	check: (context) => void readEarlierWrite(context),
	each: async (context) => {
		const earlierWrite = readEarlierWrite(context);
		const read = async () => await readStored(context);
		const record = await read();
		if (record === undefined) {
			throw new ValidationError(
				`${earlierWrite.entity} records may not be read, so nothing was written`,
			);
		}
		return await updateCurrent(
			record,
			read,
			async (now) => await restore(context, earlierWrite, now),
		);
	},
};
