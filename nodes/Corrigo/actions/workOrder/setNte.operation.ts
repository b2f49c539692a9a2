import { subjects } from '../../form/subjects';
import { createFieldBuilder, getFormFields, readShownMembers } from '../../operations/members';
import { readSubjectId } from '../../operations/subject';
import { orderIdField } from '../../operations/write/command';
import { buildMemberUpdate } from '../../operations/write/write';
import { ValidationError } from '../../values/errors';
import { MONEY, TEXT } from '../../operations/specimens';

const vendorNte = createFieldBuilder('WorkOrder').money(
	'VendorNte',
	'vendorNte',
	'Not-to-exceed (NTE) amount of the vendor',
);
const customerNte = createFieldBuilder('WorkOrderCost').money(
	'CustomerNte',
	'customerNte',
	'Not-to-exceed (NTE) amount of the customer',
);

/** The limits belong to the order and to its costs, and one update of the order sets both. */
export const setNte = buildMemberUpdate({
	subject: subjects.workOrder,
	name: 'Set Cost Limits (NTE)',
	value: 'setNte',
	action: 'Set cost limits of work order',
	description: 'Set the NTE (not-to-exceed amount) of the vendor, the customer, or both',
	output: () => ({
		...{ Number: TEXT, Id: 1 },
		...{ VendorNte: MONEY, WorkOrderCost: { CustomerNte: MONEY }, Url: TEXT },
	}),
	fields: [orderIdField, ...getFormFields([vendorNte, customerNte])],
	read: (context) => {
		const order = readShownMembers(context, [vendorNte], 'update');
		const costs = readShownMembers(context, [customerNte], 'update');
		// The limits are read first, so that no name is looked up if they are empty.
		if (Object.keys({ ...order, ...costs }).length === 0) {
			throw new ValidationError(
				"'Vendor NTE' and 'Customer NTE' are empty",
				'Add an amount to one of them.',
			);
		}
		const nested = Object.keys(costs).length > 0 ? { WorkOrderCost: costs } : {};
		return { id: readSubjectId(subjects.workOrder, context), members: { ...order, ...nested } };
	},
});
