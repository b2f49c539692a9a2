import { buildReferenceField, subjects } from '../../form/subjects';
import { buildChanges, buildUpdateRequest } from '../../wire/requests';
import { ValidationError, type JsonObject } from '../../values/checks';
import type { ItemContext } from '../../run/context';
import { resolveForm } from '../../run/resolve';
import { getFormFields, createFieldBuilder, readShownMembers } from '../../operations/members';
import type { Operation } from '../../run/operation';
import { createRecordReader } from '../../operations/write/stored';
import { resolveSubjectId, createKeyReader, readSubjectId } from '../../operations/subject';
import { createOutputBuilder, updateFields } from '../../operations/write/writeOutput';

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

function readLimits(context: ItemContext): JsonObject {
	const costs = readShownMembers(context, [customerNte]);
	return {
		...readShownMembers(context, [vendorNte]),
		...(Object.keys(costs).length > 0 ? { WorkOrderCost: costs } : {}),
	};
}

const readStored = createRecordReader((context) => ({
	entity: 'WorkOrder',
	id: readSubjectId(subjects.workOrder, context),
	members: readLimits(context),
}));

/** The limits belong to the order and to its costs, and one update of the order sets both. */
export const setNte: Operation = {
	name: 'Set NTE',
	value: 'setNte',
	action: 'Set the cost limits of a work order',
	description: 'Set the NTE (not-to-exceed amount) of the vendor, the customer, or both',
	address: 'PUT /base',
	fields: [
		buildReferenceField('workOrder', 'id', { required: true }),
		...getFormFields([vendorNte, customerNte]),
		...updateFields,
	],
	changes: createKeyReader(subjects.workOrder),
	each: async (context) => {
		const buildOutput = createOutputBuilder(context, 'WorkOrder');
		const members = await resolveForm(context, readLimits);
		if (Object.keys(members).length === 0) {
			throw new ValidationError(
				"'Vendor NTE' and 'Customer NTE' are empty",
				'Add an amount to one of them.',
			);
		}
		const changes = buildChanges(
			'NTE',
			await resolveSubjectId(subjects.workOrder, context),
			members,
		);
		const record = await readStored(context);
		const request = buildUpdateRequest('WorkOrder', changes, context.getRequestId(), record);
		return await buildOutput(await context.send(request), members);
	},
};
