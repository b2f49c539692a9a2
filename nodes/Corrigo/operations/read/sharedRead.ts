import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { buildOptions, type OptionName } from '../../form/options';
import type { Subject } from '../../form/subjects';
import { resolveForm, type ItemContext, type ResolvingForm } from '../../run/context';
import type { Operation } from '../../run/operation';
import { loadTogether } from '../../run/loadTogether';
import { addUtcZones } from '../../values/times';
import { readSubjectId } from '../subject';

interface SharedRead<Settings, Found>
	extends Pick<Operation, 'value' | 'action' | 'description' | 'address' | 'output'> {
	fields?: INodeProperties[];
	options?: OptionName[];
	ownOptions?: INodeProperties[];
	/** Items with the same settings are read together. */
	readSettings: (form: ResolvingForm) => Settings;
	/** The result has the Ids of records as its keys, and omits records that do not exist. */
	load: (context: ItemContext, ids: number[], settings: Settings) => Promise<Map<number, Found>>;
	toItems: (found: Found) => INodeExecutionData[];
}

/** Builds an operation that reads about the records of all items of a run with few requests. */
export const buildSharedRead = <Settings, Found>(
	subject: Subject,
	{ readSettings, load, toItems, ...form }: SharedRead<Settings, Found>,
): Operation => {
	const { fields = [], ownOptions, options = [], ...texts } = form;
	return {
		...texts,
		fields: [
			subject.idField,
			...fields,
			buildOptions([...options, 'parallelRequests', 'timeout'], subject.entity, ownOptions),
		],
		reads: true,
		all: async (contexts) =>
			await loadTogether(contexts, {
				label: subject.label,
				prepare: (context) =>
					resolveForm(context, (form) => ({
						context,
						id: readSubjectId(subject, form),
						settings: readSettings(form),
					})),
				key: ({ settings }) => JSON.stringify(settings),
				loadMany: (ids, [{ context, settings }]) => load(context, ids, settings),
				toItems: (found) => {
					const items = toItems(found);
					for (const { json } of items) addUtcZones(json);
					return items;
				},
			}),
	};
};
