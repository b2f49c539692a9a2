import { inputsFor, formFields } from '../operations/members';
import { commandOperation } from '../operations/command';

const command = inputsFor('VerifyWorkCommand');
const comment = command.field('Comment', 'comment', 'Comment', {
	typeOptions: { rows: 2 },
	description: 'What there is to say about the work',
});

export const verify = commandOperation({
	name: 'Verify',
	value: 'verify',
	action: 'Verify a completed work order',
	description: 'Rate the work of a completed work order',
	command: 'VerifyWorkCommand',
	members: [
		command.field('WoRatingId', 'rating', 'Rating', {
			required: true,
			default: 'Positive',
			description: 'How well the work was done',
		}),
	],
	fields: formFields([comment]),
	// The contract has it in every call.
	body: (context) => ({ Comment: context.text('comment') }),
});
