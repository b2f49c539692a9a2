import { attachments } from '../attachments';

export const documentOwner = attachments({
	noun: 'document',
	types: [
		'Asset',
		'CommLease',
		'CommLeaseSpace',
		'Employee',
		'LeaseUser',
		'Org',
		'Property',
		'Provider',
		'WO',
	],
	defaultType: 'WO',
	defaultSearch: 'WO',
});
