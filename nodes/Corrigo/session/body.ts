import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { parseAnswer } from '../values/json';

export const MEGABYTE = 1024 * 1024;

/**
 * Reads the content of an answer, or nothing if it is larger. The declared length may be wrong, and
 * compressed content is counted while it is unpacked, so the rest is not read.
 */
export async function readBody(
	{ body }: IN8nHttpFullResponse,
	maxBytes: number,
): Promise<Buffer | undefined> {
	const content = body as unknown as NodeJS.ReadableStream & { destroy: () => void };
	const chunks: Buffer[] = [];
	let size = 0;
	// Iteration costs more than events, and most answers are small.
	return await new Promise((resolve, reject) => {
		content.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (size <= maxBytes) return chunks.push(chunk);
			chunks.length = 0;
			content.destroy();
			return resolve(undefined);
		});
		content.on('end', () => resolve(Buffer.concat(chunks)));
		content.on('error', reject);
		content.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
	});
}

/** Text that is not JSON stays text. */
export function parseBody(body: Buffer): unknown {
	const text = body.toString('utf8').replace(/^\uFEFF/, '');
	try {
		return parseAnswer(text);
	} catch {
		return text;
	}
}
