import { getNamedMembers, summaries } from '../../nodes/Corrigo/catalogue/summaries';
import { subjects, type Subject } from '../../nodes/Corrigo/form/subjects';
import { findSibling, listSummaryMembers } from '../../nodes/Corrigo/records/names';

const MAX_FIELDS = 10;

it.each(Object.values<Subject>(subjects).flatMap(({ entity }) => entity ?? []))(
	'simplified %s records begin with what people know them by, and have at most ten fields',
	(entity) => {
		const fields = new Set(summaries[entity].map((path) => path.split('.')[0]));
		for (const end of getNamedMembers(entity)) fields.add(findSibling(entity, end)?.name ?? end);
		if (entity === 'WorkOrderCost') fields.add('WorkOrderNumber').add('Vendor').add('VendorNte');
		const [first] = [...(listSummaryMembers(entity) ?? [])].filter((name) => name !== '');
		expect(['Actor', 'Id', 'Number', 'Title', 'WorkOrder']).toContain(first);
		expect([...fields].length).toBeLessThanOrEqual(MAX_FIELDS);
	},
);
