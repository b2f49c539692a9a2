import { getSharedRows } from '../../catalogue/audience';
import { buildOptions, type OperationForm } from '../../form/options';
import { outputFields } from '../../form/form';
import { buildGetRequest } from '../../wire/requests';
import { loadRecordsById } from '../../records/query';
import { resolveForm, toItem } from '../../run/context';
import type { Operation } from '../../run/operation';
import { isMissing } from '../../transport/errors';
import { loadTogether } from '../../run/loadTogether';
import { readPropertyPaths, createShaper, prepareRecords } from '../output';
import { parseId } from '../../values/references';
import type { Subject } from '../../form/subjects';
import { getIdFields, readSubjectId } from '../subject';
import { showFound } from '../specimens';

export function buildGetOperation(subject: Subject): Operation {
	const readOutput = (form: OperationForm) => {
		const entity = form.entity(subject);
		const properties = readPropertyPaths(entity, form);
		// A name would show whether there is a record of this name that customers may not see.
		const isHidden = form.isForCustomers && getSharedRows(entity) !== undefined;
		const key = form.isOn('combineItems', true)
			? JSON.stringify([entity, form.isForCustomers, form.isOn('flattenCustomFields'), properties])
			: undefined;
		return { entity, properties, isHidden, key, shape: createShaper(entity, form, properties) };
	};
	return {
		value: 'get',
		action: `Get ${subject.noun}`,
		description: `Retrieve ${subject.one}`,
		address: 'GET /base, or POST /query for several items',
		output: () => showFound(subject.entity),
		fields: [
			...getIdFields(subject),
			...outputFields,
			buildOptions(
				['audience', 'combineItems', 'flattenCustomFields', 'parallelRequests', 'timeout'],
				subject.entity,
			),
		],
		reads: true,
		all: async (contexts) =>
			await loadTogether(contexts, {
				label: subject.label,
				prepare: (context) =>
					resolveForm(context, (form) => {
						const output = form.share(readOutput);
						const id = output.isHidden
							? parseId(subject.label, form.read(subject.idField))
							: readSubjectId(subject, form);
						return { ...output, context, id };
					}),
				key: ({ key }) => key,
				loadMany: async (ids, [{ context, entity, properties }]) => {
					const found = await loadRecordsById(context, entity, ids, { properties });
					const records = await prepareRecords(context, entity, [...found.values()]);
					return new Map(records.map((record) => [Number(record.Id), record]));
				},
				loadOne: async ({ context, entity, id, properties }) => {
					const read = context.send(buildGetRequest(entity, id, properties));
					const record = await read.catch(nullIfMissing);
					return record === null ? undefined : (await prepareRecords(context, entity, [record]))[0];
				},
				toItems: (record, { shape }) => [toItem({ ...shape(record) })],
			}),
	};
}

/** Corrigo may refuse to read a missing record, or answer without it: both end with one message. */
function nullIfMissing(failure: unknown): null {
	if (!isMissing(failure)) throw failure;
	return null;
}
