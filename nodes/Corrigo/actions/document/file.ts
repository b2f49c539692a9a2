import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { ValidationError } from '../../values/checks';
import type { ItemContext } from '../../run/context';

export const fileField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
	placeholder: 'e.g. data',
};

export function readFileField(context: ItemContext): string {
	const field = context.text(fileField.name);
	if (field === '') throw new ValidationError(`'${fileField.displayName}' is empty`);
	return field;
}

/** The name may be used on a disk, so paths and characters that hide its end are removed. */
export function sanitizeFileName(name: string): string {
	const [last] = name.split(/[\\/]/).slice(-1);
	const plain = last.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '').trim();
	return /^\.*$/.test(plain) ? 'document' : plain;
}

export interface DecodedFile {
	body: Buffer;
	/** Empty unless the text is a data URL with a type. */
	mimeType: string;
}

/**
 * Decodes base64 and data URLs, which Code nodes build. Other text is refused, because n8n would
 * decode it to other bytes.
 */
export function decodeBase64(text: string): DecodedFile | undefined {
	const [head = '', mimeType = ''] = /^\s*data:([^,;]*)[^,]{0,200};base64,/i.exec(text) ?? [];
	const encoded = text.slice(head.length).replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/');
	const body = Buffer.from(encoded, 'base64');
	return body.toString('base64') === encoded ? { body, mimeType } : undefined;
}

interface OutputFile {
	id: unknown;
	name: string;
	body: Buffer;
	/** n8n detects a missing or empty type from the content and the name. */
	mimeType?: string;
}

export async function buildFileItem(
	context: ItemContext,
	field: string,
	{ id, name, body, mimeType }: OutputFile,
): Promise<INodeExecutionData> {
	const plain = sanitizeFileName(name);
	const file = await context.caller.helpers.prepareBinaryData(body, plain, mimeType);
	return {
		json: { Id: id as number, FileName: plain, MimeType: file.mimeType, FileSize: body.length },
		binary: { [field]: file },
	};
}
