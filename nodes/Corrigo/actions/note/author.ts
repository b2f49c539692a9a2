import type { INodeProperties } from 'n8n-workflow';

import { optionalText } from '../../form/form';
import type { ItemContext } from '../../run/context';

const AUTHOR = 'Author';

export const authorOption: INodeProperties = {
	displayName: AUTHOR,
	name: 'author',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description:
		'Put in front of the body, as in "Nathan Smith: text": Corrigo shows the service user of the credential as the author of every note',
};

export function signed(context: ItemContext, text: unknown): unknown {
	const author = optionalText(AUTHOR, context.options.author).trim();
	return author === '' ? text : `${author}: ${String(text)}`;
}
