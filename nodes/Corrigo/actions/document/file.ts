import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { ValidationError } from '../../protocol/checks';
import type { ItemContext } from '../../run/context';

/** Where a file goes to that an operation puts out. */
export const fileField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
	placeholder: 'e.g. data',
};

export function fileFieldOf(context: ItemContext): string {
	const field = context.text(fileField.name);
	if (field === '') throw new ValidationError(`'${fileField.displayName}' is empty`);
	return field;
}

/** A name and no path, without characters that hide the end of it: it may become the name of a file. */
export function plainFileName(name: string): string {
	const [last] = name.split(/[\\/]/).slice(-1);
	const plain = last.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '').trim();
	return /^\.*$/.test(plain) ? 'document' : plain;
}

interface File {
	id: unknown;
	name: string;
	body: Buffer;
	/** Left out or empty, n8n finds it out by the content and the name. */
	mimeType?: string;
}

export async function fileItem(
	context: ItemContext,
	field: string,
	{ id, name, body, mimeType }: File,
): Promise<INodeExecutionData> {
	const plain = plainFileName(name);
	const file = await context.caller.helpers.prepareBinaryData(body, plain, mimeType);
	return {
		json: { Id: id as number, FileName: plain, MimeType: file.mimeType, FileSize: body.length },
		binary: { [field]: file },
	};
}
