import type { INodeProperties } from 'n8n-workflow';

import { getKeyProperties, getMemberTypes } from '../../catalogue/entities';
import { getNamedMembers } from '../../catalogue/summaries';
import { getRecordTarget } from '../../catalogue/targets';
import { findLocalMember } from '../../catalogue/times';
import { buildPropertyField, buildToggle, defineField, entityField } from '../../form/fields';
import {
	readConditionChecks,
	readConditions,
	buildFilterChecks,
	buildFilterCriteria,
	mayRepeatRows,
	readFilters,
} from '../../form/filters';
import { isSimplified, readOutputProperties, type Form } from '../../form/form';
import { optionsField } from '../../form/options';
import { buildReferenceField } from '../../form/subjects';
import { addMemberNames, loadAttributeNamer, showAttributes } from '../../records/names';
import type { Requester } from '../../records/query';
import { ValidationError, quote } from '../../values/errors';
import type { JsonObject } from '../../values/objects';
import type { FilterContext, IdResolver, RecordNames } from '../../values/references';
import { parseIdentifier } from '../../values/input';
import { excludeRemoved, joinCriteria } from '../../wire/criteria';
import type { Feed } from '../../feed/feed';
import type { PlanParts } from '../plan';
import { startFromField } from '../fields';
import { toResult } from '../service';
import { changes } from './changes';

type Own = Pick<INodeProperties, 'description' | 'displayName' | 'name'>;

/** Each row of the field holds one record. */
function defineRecordList(
	type: 'apStatus' | 'employee',
	row: 'Status' | 'Employee',
	{ displayName, name, description }: Own,
) {
	const recordField = buildReferenceField(type, row.toLowerCase(), { required: true });
	const field = defineField({
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${row.toLowerCase()}`,
		default: {},
		options: [{ displayName: row, name: 'values', values: [recordField] }],
		description,
	});
	const readIds = (form: Form, resolveId: IdResolver): number[] =>
		form
			.readRows(field)
			.map((one) => resolveId(displayName, one.getInput(recordField), getRecordTarget(type)));
	return { field, readIds };
}

export const apStatuses = defineRecordList('apStatus', 'Status', {
	displayName: 'AP Statuses',
	name: 'apStatuses',
	description: 'AP (accounts payable) statuses that trigger the workflow. Leave empty for all.',
});

export const ignoreApiField = defineField({
	name: 'ignoreApi',
	...buildToggle(
		'Ignore API Changes',
		'Whether to ignore changes by integrations, including this workflow, which prevents endless loops. Does not apply to documents.',
	),
});

export const ignoredEmployees = defineRecordList('employee', 'Employee', {
	displayName: 'Ignore Changes By',
	name: 'ignoreChangesBy',
	description:
		'Employees whose changes do not trigger the workflow. Add the service user of the credential to prevent endless loops. For a document, only the last change counts.',
});

/** Returns whether changes by some authors are ignored. */
export const ignoresAuthors = (form: Form): boolean =>
	form.read(ignoreApiField) || form.readRows(ignoredEmployees.field).length > 0;

/**
 * The work orders that pass the filters of the form; changes of others are ignored. Simplified
 * orders show the time of their change.
 */
export function buildOrderFeed(form: Form, context: FilterContext, time?: string): Feed {
	const own = readConditions(form, 'WorkOrder', context);
	const filters = readFilters(form, 'WorkOrder');
	return {
		entity: 'WorkOrder',
		properties: [
			...readOutputProperties(form, 'WorkOrder'),
			...(time !== undefined && isSimplified(form) ? [time] : []),
		],
		criteria: joinCriteria(buildFilterCriteria(filters, context), own),
		checks: [
			...buildFilterChecks('WorkOrder', filters, context),
			...readConditionChecks(form, 'WorkOrder', context),
		],
		...((own !== undefined || mayRepeatRows('WorkOrder', filters)) && { distinct: true }),
	};
}

export const dateField = buildPropertyField(
	'searchDates',
	{
		displayName: 'Date Field',
		name: 'dateProperty',
		description:
			'Field with the UTC time of creation or change. Leave empty to detect new records by their ID.',
	},
	'LastActionDateUtc',
);

export const includeRemovedField = defineField({
	name: 'includeRemoved',
	...buildToggle(
		'Include Removed',
		'Whether to include deleted records that can be restored. Applies to Record Added or Changed (by Date or ID) only.',
	),
});

/** The changes are the rows themselves. */
export const buildRowPlan = (form: Form, feed: Feed): PlanParts => ({
	strategy: changes,
	feed,
	sequence: { entity: feed.entity, order: feed.time ?? 'Id' },
	related: [],
	complete: async (requester, rows) => {
		const shown = isSimplified(form) ? await nameRows(requester, feed, rows) : rows;
		return shown.map((row) => toResult(feed, row, row, Number(row.Id)));
	},
});

/** Names the records that rows refer to, and the attributes of assets. */
async function nameRows(requester: Requester, { entity }: Feed, rows: JsonObject[]) {
	const named = await addMemberNames(requester, entity, rows, getNamedMembers(entity));
	return await showAttributes(entity, named, async () => await loadAttributeNamer(requester));
}

/** The names of dates that move with each change, such as LastActionDateUtc, UpdatedDate, EditedDate. */
const CHANGE_DATE = /last|update|edit|modified|change/i;

export function buildRecordPlan(form: Form, names: RecordNames, since?: string): PlanParts {
	const isTimed = !form.isEmpty(dateField);
	if (since !== undefined && !isTimed) {
		throw new ValidationError(
			`'${startFromField.displayName}' is Given Time, which needs a '${dateField.displayName}'`,
			`Fill in '${dateField.displayName}', or start from now.`,
		);
	}
	const includeRemoved = form.readAdded(optionsField, includeRemovedField) ?? false;
	const feed = buildRecordFeed(form, names, includeRemoved);
	const time = isTimed ? resolveDateProperty(form, feed.entity) : undefined;
	const followsChanges = time !== undefined && CHANGE_DATE.test(time);
	return buildRowPlan(form, { ...feed, time, followsChanges });
}

/** Builds a feed of the records that pass the conditions of the form, by rising ID. */
export function buildRecordFeed(form: Form, names: RecordNames, includeRemoved = false): Feed {
	const entity = readEntity(form);
	const own = readConditions(form, entity, names);
	return {
		entity,
		properties: readOutputProperties(form, entity),
		criteria: joinCriteria(own, includeRemoved ? undefined : excludeRemoved(entity)),
		checks: readConditionChecks(form, entity, names),
		distinct: own !== undefined,
	};
}

/** Changes are identified by time and ID, so entities whose records share an ID are refused. */
function readEntity(form: Form): string {
	const entity = form.entity();
	const key = getKeyProperties(entity);
	if (key === undefined || key.join() === 'Id') return entity;
	throw new ValidationError(
		`'${entityField.displayName}' is ${entity}, of which several records share an ID: changes cannot be told apart`,
		`${key.join(' and ')} tell them apart: read them with Get Many and compare.`,
	);
}

/**
 * Returns the property in Corrigo's spelling, or its UTC counterpart, because local times of
 * different zones have no common order. Corrigo judges properties that are not in the catalogue.
 */
function resolveDateProperty(form: Form, entity: string): string {
	const name = parseIdentifier(dateField.displayName, form.read(dateField));
	const known = Object.entries(getMemberTypes(entity)).find(
		([field]) => field.toLowerCase() === name.toLowerCase(),
	);
	if (known === undefined) return name;
	const [field, type] = known;
	if (type !== 'datetime') {
		throw new ValidationError(`'${dateField.displayName}' is ${quote(field)}, which holds no date`);
	}
	return findLocalMember(entity, field)?.utc ?? field;
}
