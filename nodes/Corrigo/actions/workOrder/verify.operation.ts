import { inputsFor } from '../operations/members';
import { commandOperation } from '../operations/command';

const command = inputsFor('VerifyWorkCommand');

export const verify = commandOperation({
	value: 'verify',
	action: 'Verify a completed work order',
	description: 'Rate the work of a completed work order',
	command: 'VerifyWorkCommand',
	members: [
		command.field('WoRatingId', 'rating', 'How well the work was done', {
			required: true,
			default: 'Positive',
		}),
		command.field('Comment', 'comment', 'What there is to say about the work', {
			typeOptions: { rows: 2 },
		}),
	],
	// The contract has it in every call.
	body: (context) => ({ Comment: context.text('comment') }),
});
