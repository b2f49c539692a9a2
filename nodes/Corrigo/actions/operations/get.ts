import { optionsOn } from '../../form/options';
import { outputFields } from '../../form/output';
import { getRequest } from '../../protocol/requests';
import { recordsById } from '../../records/lookup';
import { itemOf, type ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { readTogether, type Wanted } from '../../run/readTogether';
import { isForCustomers } from './audience';
import { propertyPaths, shaperOf, shownRecords } from './properties';
import type { Subject } from '../../form/subjects';
import { entityOf, idFields, idOf } from './subject';

interface WantedRecord extends Wanted {
	entity: string;
	properties: string[];
}

export const getOperation = (subject: Subject): Operation => ({
	name: 'Get',
	value: 'get',
	action: `Get ${subject.one}`,
	description: `Retrieve ${subject.one}`,
	address: 'GET /base',
	fields: [
		...idFields(subject),
		...outputFields,
		optionsOn(
			subject.entity,
			'audience',
			'combineItems',
			'flattenCustomFields',
			'parallelRequests',
			'timeout',
		),
	],
	all: async (contexts) =>
		await readTogether(contexts, {
			label: subject.label,
			wanted: async (context) => await wantedBy(subject, context),
			key: ({ context, entity, properties }) =>
				context.isOn('combineItems', true)
					? JSON.stringify([entity, isForCustomers(context), properties])
					: undefined,
			together: async (ids, [{ context, entity, properties }]) => {
				const found = await recordsById(context, entity, ids, { properties });
				const records = await shownRecords(context, entity, [...found.values()]);
				return new Map(records.map((record) => [Number(record.Id), record]));
			},
			alone: async ({ context, entity, id, properties }) => {
				const record = await context.send(getRequest(entity, id, properties));
				return record === null ? undefined : (await shownRecords(context, entity, [record]))[0];
			},
			items: (record, { context, entity, properties }) => [
				itemOf({ ...shaperOf(entity, context, properties)(record) }),
			],
		}),
});

async function wantedBy(subject: Subject, context: ItemContext): Promise<WantedRecord> {
	const entity = entityOf(subject, context);
	const properties = propertyPaths(entity, context);
	return { context, entity, properties, id: await idOf(subject, context) };
}
