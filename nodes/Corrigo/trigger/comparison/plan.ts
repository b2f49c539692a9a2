import { findEntityMemberType, getEntity, getKeyProperties } from '../../catalogue/entities';
import { toTitle } from '../../catalogue/enumerations/labels';
import { defineField } from '../../form/fields';
import { type Form, parsePropertyList } from '../../form/form';
import { ValidationError, quote } from '../../values/errors';
import type { IdResolver } from '../../values/references';
import type { JsonObject } from '../../values/objects';
import { buildRecordFeed, buildRowPlan, listEnds } from '../changes/records';
import type { PlanParts } from '../plan';
import { createStrategy, LOCK, toExample, type Comparison } from './comparison';
import { CHANGES, getDigest } from './snapshot';

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

/** All records are compared with their earlier versions. */
export function buildComparisonPlan(form: Form, resolveId: IdResolver): PlanParts {
	const feed = buildRecordFeed(form, resolveId);
	const chosen = form.read(changesField);
	const compared = readComparedProperties(form, feed.entity);
	const hasVersions = compared.join() === '*' && getEntity(feed.entity)?.lock === true;
	const properties = hasVersions ? [LOCK] : compared;
	const changes = chosen.length > 0 ? chosen : CHANGES;
	const readOwnVersion = hasVersions ? readVersion : getDigest;
	const comparison: Comparison = {
		feed: { ...feed, properties },
		readVersion: readOwnVersion,
		hasVersions,
		changes,
	};
	const plan = buildRowPlan(feed, listEnds(form, feed));
	return {
		...plan,
		strategy: createStrategy(comparison),
		// Versions of other properties cannot be compared.
		order: properties,
		complete: async (requester, rows) =>
			(await plan.complete(requester, rows)).map((one) => one && toExample(comparison, one)),
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
