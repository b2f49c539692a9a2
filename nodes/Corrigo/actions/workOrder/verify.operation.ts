import { enumerations } from '../../catalogue/enumerations';
import { choices, reference } from '../../descriptions/fields';
import { oneOf } from '../../protocol/checks';
import { commandOperation } from '../command/typed';

export const verify = commandOperation({
	name: 'Verify',
	value: 'verify',
	action: 'Verify a completed work order',
	description: 'Rate the work of a completed work order',
	command: 'VerifyWorkCommand',
	fields: [
		reference('Work Order', 'id', { required: true }),
		{
			displayName: 'Rating',
			name: 'rating',
			type: 'options',
			options: choices('WoRating'),
			default: 'Positive',
		},
		{
			displayName: 'Comment',
			name: 'comment',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
		},
	],
	body: (call) => ({
		WorkOrderId: call.id('Work Order'),
		WoRatingId: oneOf('Rating', call.param('rating', 'Positive'), enumerations.WoRating),
		Comment: call.text('comment'),
	}),
});
