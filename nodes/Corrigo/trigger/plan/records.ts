import { fieldsOf, keyPropertiesOf } from '../../catalogue/entities';
import { localTime } from '../../catalogue/localTimes';
import { endsOf } from '../../catalogue/targets';
import { flagOf, type Form } from '../../form/form';
import { isSimplified, outputProperties } from '../../form/output';
import { criteriaIn } from '../../form/search';
import { identifier, ValidationError } from '../../protocol/checks';
import { allOf, notRemoved } from '../../protocol/criteria';
import type { IdOf } from '../../protocol/names';
import type { Feed } from '../feed';

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
	const own = criteriaIn(form, entity, idOf);
	const includeRemoved = flagOf('Include Removed', form.collection('options').includeRemoved);
	return {
		feed: {
			entity,
			...(time === '' ? {} : { time: dateProperty(entity, time) }),
			properties: outputProperties(form, entity),
			criteria: allOf(own, includeRemoved ? undefined : notRemoved(entity)),
			distinct: own !== undefined,
		},
		ends: isSimplified(form) ? endsOf(entity) : [],
	};
}

/** Changes are identified by time and Id, so an entity whose records share an Id has none. */
function mustHaveIds(entity: string): void {
	const key = keyPropertiesOf(entity);
	if (key === undefined || key.join() === 'Id') return;
	throw new ValidationError(
		`'Entity' is ${entity}, of which several records share an ID: changes cannot be told apart`,
		`${key.join(' and ')} tell them apart: read them with Get Many and compare.`,
	);
}

/**
 * The property as the service spells it, and its twin in UTC where there is one, as times on the clocks
 * of many zones are in no order. The service judges properties that the catalogue lacks.
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
