import type { FastifyInstance } from 'fastify';

import type { World } from '../runtime/world';
import type { Row } from '../store/store';
import { signature } from './links';
import { commit, createServer } from './server';

const xmlError = (code: string, message: string): string =>
	`<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;

/** Serves files; the link is the permission, and an additional Authorization header is rejected. */
export function createStorage(world: World): FastifyInstance {
	const app = createServer(world, 'storage');
	app.get<{ Params: { id: string }; Querystring: { sig?: string } }>(
		'/files/:id',
		async (request, reply) => {
			void reply.type('application/xml');
			if (request.headers.authorization !== undefined) {
				return await reply
					.code(400)
					.send(xmlError('InvalidArgument', 'Only one authentication mechanism is allowed.'));
			}
			const id = Number(request.params.id);
			if (request.query.sig !== signature(world, id)) {
				return await reply
					.code(403)
					.send(xmlError('AuthenticationFailed', 'Signature is not valid.'));
			}
			const document = world.store.get('Document', id);
			const blob = world.store.get('Blob', (document?.Blob as Row | undefined)?.Id ?? 0);
			if (!document || !blob) {
				return await reply.code(404).send(xmlError('BlobNotFound', 'There is no such file.'));
			}
			return await reply
				.type(String(document.MimeType))
				.send(commit(request, Buffer.from(String(blob.Body), 'base64')));
		},
	);
	return app;
}
