import { reference } from '../../descriptions/fields';
import { commandOperation } from '../command/typed';
import type { Resource } from '../types';

const changeApStatus = commandOperation({
	name: 'Change AP Status',
	value: 'changeApStatus',
	action: 'Change the AP status of a vendor invoice',
	description: 'Submit, authorize, dispute or export the vendor invoice of a work order',
	command: 'ApStatusChangeCommand',
	fields: [
		reference('Work Order', 'id', { required: true }),
		reference('AP Status', 'apStatus', {
			required: true,
			description: 'The new AP status. Its ID differs from Company to Company.',
		}),
	],
	body: (call) => ({
		// The contract spells it so.
		WorkOrderid: call.id('Work Order'),
		VendorInvoiceStatusId: call.id('AP Status', 'apStatus'),
	}),
});

export const invoice: Resource = {
	name: 'Invoice',
	value: 'invoice',
	description: 'Vendor invoice and costs of a work order',
	operations: [changeApStatus],
};
