import { reference } from '../../form/references';
import { subjects } from '../../form/subjects';
import { changesOf } from '../../protocol/changes';
import { ValidationError, type JsonObject } from '../../protocol/checks';
import { updateRequest } from '../../protocol/requests';
import type { ItemContext } from '../../run/context';
import { named } from '../../run/resolve';
import { formFields, inputsFor, shownMembers } from '../operations/members';
import type { Operation } from '../../run/operation';
import { storedRecords } from '../operations/stored';
import { idOf, recordKey, subjectIn } from '../operations/subject';
import { outputOfWrite, updateFields } from '../operations/writeOutput';

const ofVendor = inputsFor('WorkOrder').money(
	'VendorNte',
	'vendorNte',
	'Not-to-exceed (NTE) amount of the vendor',
);
const ofCustomer = inputsFor('WorkOrderCost').money(
	'CustomerNte',
	'customerNte',
	'Not-to-exceed (NTE) amount of the customer',
);

function limitsIn(context: ItemContext): JsonObject {
	const costs = shownMembers(context, [ofCustomer]);
	return {
		...shownMembers(context, [ofVendor]),
		...(Object.keys(costs).length > 0 ? { WorkOrderCost: costs } : {}),
	};
}

const stored = storedRecords((context) => ({
	entity: 'WorkOrder',
	id: subjectIn(subjects.workOrder, context),
	members: limitsIn(context),
}));

/** The limits belong to the order and to its costs, and one update of the order sets both. */
export const setNte: Operation = {
	name: 'Set NTE',
	value: 'setNte',
	action: 'Set the cost limits of a work order',
	description: 'Set the NTE (not-to-exceed amount) of the vendor, the customer, or both',
	address: 'PUT /base',
	fields: [
		reference('workOrder', 'id', { required: true }),
		...formFields([ofVendor, ofCustomer]),
		...updateFields,
	],
	changes: recordKey(subjects.workOrder),
	each: async (context) => {
		const output = outputOfWrite(context, 'WorkOrder');
		const members = await named(context, limitsIn);
		if (Object.keys(members).length === 0) {
			throw new ValidationError(
				"'Vendor NTE' and 'Customer NTE' are empty",
				'Add an amount to one of them.',
			);
		}
		const changes = changesOf('NTE', await idOf(subjects.workOrder, context), members);
		const record = await stored(context);
		const request = updateRequest('WorkOrder', changes, context.requestId(), record);
		return await output(await context.send(request), members);
	},
};
