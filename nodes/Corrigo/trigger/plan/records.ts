import { entityNamed, fieldsOf, fieldType, keyPropertiesOf } from '../../catalogue/entities';
import { localTime } from '../../catalogue/localTimes';
import { endsOf } from '../../catalogue/targets';
import { flagOf, type Form } from '../../form/form';
import { isSimplified, outputProperties } from '../../form/output';
import { criteriaIn } from '../../form/search';
import {
	identifier,
	propertyList,
	quote,
	ValidationError,
	type JsonObject,
} from '../../protocol/checks';
import { allOf, notRemoved } from '../../protocol/criteria';
import type { IdOf } from '../../protocol/names';
import { oneOf } from '../../protocol/values';
import type { Feed } from '../feed';
import { CHANGES, digestOf, type ChangeName } from '../snapshot';
import { listOf } from './form';

export function recordPlan(
	form: Form,
	idOf: IdOf,
	since: string | undefined,
): { feed: Feed; ends: readonly string[] } {
	const entity = form.entity();
	const time = String(form.param('dateProperty', '') ?? '').trim();
	mustHaveIds(entity);
	if (since !== undefined && time === '') {
		throw new ValidationError(
			"'Start From' is Given Time, which needs a 'Date Property'",
			"Fill in 'Date Property', or start from now.",
		);
	}
	const includeRemoved = flagOf('Include Removed', form.collection('options').includeRemoved);
	const { feed, ends } = recordsOf(form, entity, idOf, includeRemoved);
	return {
		feed: time === '' ? feed : { ...feed, time: dateProperty(entity, time) },
		ends,
	};
}

/** Builds a feed of the records that pass the conditions of the form, by rising ID. */
function recordsOf(
	form: Form,
	entity: string,
	idOf: IdOf,
	includeRemoved = false,
): { feed: Feed; ends: readonly string[] } {
	const own = criteriaIn(form, entity, idOf);
	return {
		feed: {
			entity,
			properties: outputProperties(form, entity),
			criteria: allOf(own, includeRemoved ? undefined : notRemoved(entity)),
			distinct: own !== undefined,
		},
		ends: isSimplified(form) ? endsOf(entity) : [],
	};
}

/**
 * Changes are identified by time and ID, so entities whose records share an ID are not supported.
 */
function mustHaveIds(entity: string): void {
	const key = keyPropertiesOf(entity);
	if (key === undefined || key.join() === 'Id') return;
	throw new ValidationError(
		`'Entity' is ${entity}, of which several records share an ID: changes cannot be told apart`,
		`${key.join(' and ')} tell them apart: read them with Get Many and compare.`,
	);
}

/**
 * Returns the property in Corrigo's spelling, or its UTC counterpart if there is one, because local
 * times of different zones have no common order. Corrigo judges properties that are not in the
 * catalogue.
 */
function dateProperty(entity: string, given: string): string {
	const name = identifier('Date Property', given);
	const known = Object.entries(fieldsOf(entity)).find(
		([field]) => field.toLowerCase() === name.toLowerCase(),
	);
	if (known === undefined) return name;
	const [field, type] = known;
	if (type !== 'datetime') {
		throw new ValidationError(`'Date Property' is "${field}", which holds no date`);
	}
	return localTime(entity, field)?.utc ?? field;
}

/** Says how the records of an entity are compared with their known versions. */
export interface Comparison {
	/** Reads all records with the properties that determine a version. */
	feed: Feed;
	versionOf: (row: JsonObject) => number;
	/** The changes that trigger the workflow. */
	changes: readonly ChangeName[];
}

export function comparisonPlan(
	form: Form,
	idOf: IdOf,
): { feed: Feed; ends: readonly string[]; comparison: Comparison } {
	const entity = form.entity();
	mustHaveIds(entity);
	const { feed, ends } = recordsOf(form, entity, idOf);
	const chosen = listOf(form, 'changes').map((one) => oneOf('Changes', one, CHANGES));
	const compared = comparedProperties(form, entity);
	const hasVersions = compared.includes('*') && entityNamed(entity)?.lock === true;
	return {
		feed,
		ends,
		comparison: {
			feed: { ...feed, properties: hasVersions ? ['ConcurrencyId'] : compared },
			versionOf: hasVersions ? versionOf : digestOf,
			changes: chosen.length > 0 ? chosen : CHANGES,
		},
	};
}

/** The paths are sorted because their order does not change the comparison. */
function comparedProperties(form: Form, entity: string): string[] {
	const paths = propertyList('Compare Property Names or IDs', form.param('compare', ''));
	const unknown = paths.find((path) => {
		const member = path.replace(/\.?\*$/, '');
		return member !== '' && fieldType(entity, member) === undefined;
	});
	// Corrigo judges the properties of entities without a published model.
	if (keyPropertiesOf(entity) !== undefined && unknown !== undefined) {
		throw new ValidationError(
			`'Compare Property Names or IDs' has ${quote(unknown)}, which ${entity} does not have`,
			'Choose properties from the list, or leave the field empty to compare all.',
		);
	}
	return paths.includes('*') ? ['*'] : paths.sort();
}

/** Corrigo counts versions from 0, but a snapshot uses 0 for unknown records. */
function versionOf({ ConcurrencyId: version }: JsonObject): number {
	if (Number.isSafeInteger(version) && Number(version) >= 0) return Number(version) + 1;
	throw new ValidationError(
		'Corrigo sent a record without a ConcurrencyId, so edits cannot be seen',
		"Choose the properties to compare under 'Compare Property Names or IDs'.",
	);
}
