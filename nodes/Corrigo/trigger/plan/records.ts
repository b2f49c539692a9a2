import {
	getEntity,
	getMemberTypes,
	findEntityMemberType,
	getKeyProperties,
} from '../../catalogue/entities';
import { findLocalMember } from '../../catalogue/times';
import { getNamedMembers } from '../../catalogue/summaries';
import { toTitle } from '../../catalogue/enumerations/labels';
import { buildPropertyField, buildToggle, defineField, entityField } from '../../form/fields';
import { type Form, isSimplified, readOutputProperties } from '../../form/form';
import { readConditions } from '../../form/filters';
import { optionsField } from '../../form/options';
import { ValidationError, quote } from '../../values/errors';
import type { JsonObject } from '../../values/objects';
import { parseIdentifier, parsePropertyList } from '../../values/paths';
import type { IdResolver } from '../../values/references';
import { joinCriteria, excludeRemoved } from '../../wire/criteria';
import type { Feed } from '../changes/feed';
import { CHANGES, getDigest, type ChangeName } from '../comparison/snapshot';
import { startFromField } from './common';

export const dateField = buildPropertyField('searchDates', {
	displayName: 'Date Field',
	name: 'dateProperty',
	description:
		'Field with the UTC time of creation or change. Leave empty to detect new records by their ID.',
});

export const changesField = defineField({
	displayName: 'Changes',
	name: 'changes',
	type: 'multiOptions',
	options: CHANGES.map((value) => ({ name: toTitle(value), value })),
	default: [],
	description:
		'Changes that trigger the workflow. Leave empty for all. Deleted records have only their entity and ID.',
});

export const comparedField = defineField({
	displayName: 'Compare Field Names or IDs',
	name: 'compare',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getProperties', loadOptionsDependsOn: ['entity.value'] },
	default: [],
	description:
		'Fields whose edits count. Leave empty for all but rows such as addresses and custom fields. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

export const includeRemovedField = defineField({
	name: 'includeRemoved',
	...buildToggle(
		'Include Removed',
		'Whether to include deleted records that can be restored. Applies to Record Added or Changed only.',
	),
});

/** The changes are records themselves. */
export interface RecordPlan {
	type: 'records';
	feed: Feed;
	/** Identifies the order of the feed in stored states. */
	order: string | readonly string[];
	/** Members with the IDs of other records, whose names are added next to them. */
	ends: readonly string[];
}

export function buildRecordPlan(
	form: Form,
	resolveId: IdResolver,
	since: string | undefined,
): RecordPlan {
	const entity = readEntity(form);
	const isTimed = !form.isEmpty(dateField);
	if (since !== undefined && !isTimed) {
		throw new ValidationError(
			`'${startFromField.displayName}' is Given Time, which needs a '${dateField.displayName}'`,
			`Fill in '${dateField.displayName}', or start from now.`,
		);
	}
	const includeRemoved = form.readAdded(optionsField, includeRemovedField) ?? false;
	const { feed, ends } = buildRecordFeed(form, entity, resolveId, includeRemoved);
	const timed = isTimed ? { ...feed, time: resolveDateProperty(form, entity) } : feed;
	return { type: 'records', feed: timed, order: timed.time ?? 'Id', ends };
}

/** Builds a feed of the records that pass the conditions of the form, by rising ID. */
function buildRecordFeed(
	form: Form,
	entity: string,
	resolveId: IdResolver,
	includeRemoved = false,
): Pick<RecordPlan, 'feed' | 'ends'> {
	const own = readConditions(form, entity, resolveId);
	return {
		feed: {
			entity,
			properties: readOutputProperties(form, entity),
			criteria: joinCriteria(own, includeRemoved ? undefined : excludeRemoved(entity)),
			distinct: own !== undefined,
		},
		ends: isSimplified(form) ? getNamedMembers(entity) : [],
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
		throw new ValidationError(`'${dateField.displayName}' is "${field}", which holds no date`);
	}
	return findLocalMember(entity, field)?.utc ?? field;
}

/** Says how the records of an entity are compared with their known versions. */
export interface Comparison {
	/** Reads all records with the properties that determine a version. */
	feed: Feed;
	readVersion: (row: JsonObject) => number;
	/** True if Corrigo counts the versions of a record. */
	hasVersions: boolean;
	/** The changes that trigger the workflow. */
	changes: readonly ChangeName[];
}

/** All records are compared with their earlier versions. */
export interface ComparisonPlan extends Pick<RecordPlan, 'feed' | 'order' | 'ends'> {
	type: 'comparison';
	comparison: Comparison;
}

export function buildComparisonPlan(form: Form, resolveId: IdResolver): ComparisonPlan {
	const entity = readEntity(form);
	const { feed, ends } = buildRecordFeed(form, entity, resolveId);
	const chosen = form.read(changesField);
	const compared = readComparedProperties(form, entity);
	const hasVersions = compared.join() === '*' && getEntity(entity)?.lock === true;
	return {
		type: 'comparison',
		feed,
		// Versions of other properties cannot be compared.
		order: hasVersions ? ['ConcurrencyId'] : compared,
		ends,
		comparison: {
			feed: { ...feed, properties: hasVersions ? ['ConcurrencyId'] : compared },
			readVersion: hasVersions ? readVersion : getDigest,
			hasVersions,
			changes: chosen.length > 0 ? chosen : CHANGES,
		},
	};
}

/** The paths are sorted because their order does not change the comparison. */
function readComparedProperties(form: Form, entity: string): string[] {
	const paths = parsePropertyList(comparedField.displayName, entity, form.read(comparedField));
	const unknown = paths.find((path) => {
		const member = path.replace(/\.?\*$/, '');
		return member !== '' && findEntityMemberType(entity, member) === undefined;
	});
	// Corrigo judges the properties of entities without a published model.
	if (getKeyProperties(entity) !== undefined && unknown !== undefined) {
		throw new ValidationError(
			`'${comparedField.displayName}' has ${quote(unknown)}, which ${entity} does not have`,
			'Choose fields from the list, or leave the field empty to compare all.',
		);
	}
	return paths.sort();
}

/** Corrigo counts versions from 0, but a snapshot uses 0 for unknown records. */
function readVersion({ ConcurrencyId: version }: JsonObject): number {
	if (Number.isSafeInteger(version) && Number(version) >= 0) return Number(version) + 1;
	throw new ValidationError(
		'Corrigo sent a record without a ConcurrencyId, so edits cannot be seen',
		`Choose the fields to compare under '${comparedField.displayName}'.`,
	);
}
