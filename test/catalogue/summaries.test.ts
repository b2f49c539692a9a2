import { getNamedMembers, summaries } from '../../nodes/Corrigo/catalogue/summaries';
import { subjects, type Subject } from '../../nodes/Corrigo/form/subjects';
import { findSibling } from '../../nodes/Corrigo/records/names';

const MAX_FIELDS = 10;

it.each(Object.values<Subject>(subjects).flatMap(({ entity }) => entity ?? []))(
	'simplified %s records have a number or an ID first and at most ten fields',
	(entity) => {
		const fields = new Set(summaries[entity].map((path) => path.split('.')[0]));
		for (const end of getNamedMembers(entity)) fields.add(findSibling(entity, end)?.name ?? end);
		if (entity === 'WorkOrderCost') fields.add('WorkOrderNumber').add('Vendor').add('VendorNte');
		expect(['Id', 'Number']).toContain([...fields][0]);
		expect([...fields].length).toBeLessThanOrEqual(MAX_FIELDS);
	},
);
