import { getNamedMembers, summaries } from '../../nodes/Corrigo/catalogue/summaries';
import { subjects, type Subject } from '../../nodes/Corrigo/form/subjects';
import {
	findSibling,
	getNameProperty,
	listSummaryMembers,
} from '../../nodes/Corrigo/records/names';

const MAX_FIELDS = 10;

it.each(Object.values<Subject>(subjects).flatMap(({ entity }) => entity ?? []))(
	'simplified %s records begin with what people know them by, and have at most ten fields',
	(entity) => {
		const place = 'its row in catalogue/summaries.ts';
		expect({ [place]: summaries[entity] }).toEqual({ [place]: expect.any(Array) });
		const fields = new Set(summaries[entity].map((path) => path.split('.')[0]));
		for (const end of getNamedMembers(entity)) fields.add(findSibling(entity, end)?.name ?? end);
		if (entity === 'WorkOrderCost') fields.add('WorkOrderNumber').add('Vendor').add('VendorNte');
		const [first, second] = [...(listSummaryMembers(entity) ?? [])].filter((name) => name !== '');
		const name = getNameProperty(entity);
		if (name === undefined) expect(['Actor', 'Id', 'WorkOrder']).toContain(first);
		else expect([first, second]).toContain(name);
		expect([...fields].length).toBeLessThanOrEqual(MAX_FIELDS);
	},
);
