import { getKeyProperties, getMemberTypes } from '../../catalogue/entities';
import { getNamedMembers } from '../../catalogue/summaries';
import { findLocalMember } from '../../catalogue/times';
import { buildPropertyField, buildToggle, defineField, entityField } from '../../form/fields';
import { readConditionChecks, readConditions } from '../../form/filters';
import { type Form, isSimplified, readOutputProperties } from '../../form/form';
import { optionsField } from '../../form/options';
import { addMemberNames } from '../../records/names';
import { keepPassing } from '../../records/query';
import { ValidationError } from '../../values/errors';
import type { IdResolver } from '../../values/references';
import { parseIdentifier } from '../../values/scalars';
import { excludeRemoved, joinCriteria } from '../../wire/criteria';
import { toResult } from '../items';
import type { PlanParts } from '../plan';
import { startFromField } from '../settings';
import { changes } from './changes';
import type { Feed } from '../feed/feed';

export const dateField = buildPropertyField('searchDates', {
	displayName: 'Date Field',
	name: 'dateProperty',
	description:
		'Field with the UTC time of creation or change. Leave empty to detect new records by their ID.',
});

export const includeRemovedField = defineField({
	name: 'includeRemoved',
	...buildToggle(
		'Include Removed',
		'Whether to include deleted records that can be restored. Applies to Record Added or Changed (by Date or ID) only.',
	),
});

/** The changes are the rows themselves. `ends` are IDs of other records, whose names are added. */
export const buildRowPlan = (feed: Feed, ends: readonly string[] = []): PlanParts => ({
	strategy: changes,
	feed,
	order: feed.time ?? 'Id',
	related: [],
	complete: async (requester, rows) => {
		const passing = new Set(await keepPassing(requester, rows, feed.checks));
		const named = await addMemberNames(requester, feed.entity, rows, ends);
		return named.map((row, index) =>
			passing.has(rows[index]) ? toResult(feed, row, row, Number(row.Id)) : undefined,
		);
	},
});

export function buildRecordPlan(form: Form, resolveId: IdResolver, since?: string): PlanParts {
	const isTimed = !form.isEmpty(dateField);
	if (since !== undefined && !isTimed) {
		throw new ValidationError(
			`'${startFromField.displayName}' is Given Time, which needs a '${dateField.displayName}'`,
			`Fill in '${dateField.displayName}', or start from now.`,
		);
	}
	const includeRemoved = form.readAdded(optionsField, includeRemovedField) ?? false;
	const feed = buildRecordFeed(form, resolveId, includeRemoved);
	const time = isTimed ? resolveDateProperty(form, feed.entity) : undefined;
	return buildRowPlan({ ...feed, time }, listEnds(form, feed));
}

/** Builds a feed of the records that pass the conditions of the form, by rising ID. */
export function buildRecordFeed(form: Form, resolveId: IdResolver, includeRemoved = false): Feed {
	const entity = readEntity(form);
	const own = readConditions(form, entity, resolveId);
	return {
		entity,
		properties: readOutputProperties(form, entity),
		criteria: joinCriteria(own, includeRemoved ? undefined : excludeRemoved(entity)),
		checks: readConditionChecks(form, entity, resolveId),
		distinct: own !== undefined,
	};
}

export const listEnds = (form: Form, { entity }: Feed): readonly string[] =>
	isSimplified(form) ? getNamedMembers(entity) : [];

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
		throw new ValidationError(`'${dateField.displayName}' is "${field}", which holds no date`);
	}
	return findLocalMember(entity, field)?.utc ?? field;
}
