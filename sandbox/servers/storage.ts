import type { RecordedRequest } from '../runtime/journal';
import type { World } from '../runtime/world';
import type { Row } from '../store/store';
import { Answer } from './http';
import { signature } from './links';
import { commit, ServiceServer } from './server';

const reject = (status: number, code: string, message: string): Answer => {
	const text = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
	const xml = `<?xml version="1.0" encoding="utf-8"?>${text}`;
	return new Answer(status, xml, { 'content-type': 'application/xml' });
};

/** Serves files; the link is the permission, and an additional Authorization header is rejected. */
export class Storage extends ServiceServer {
	constructor(world: World) {
		super(world, 'storage');
		this.add(['GET'], '/files/:id', (record, { id }) => this.download(record, Number(id)));
	}

	private download(record: RecordedRequest, id: number): Answer {
		const { world } = this;
		if (record.headers.authorization !== undefined) {
			return reject(400, 'InvalidArgument', 'Only one authentication mechanism is allowed.');
		}
		if (record.query.sig !== signature(world, id)) {
			return reject(403, 'AuthenticationFailed', 'Signature is not valid.');
		}
		const document = world.store.get('Document', id);
		const blob = world.store.get('Blob', (document?.Blob as Row | undefined)?.Id ?? 0);
		if (!document || !blob) return reject(404, 'BlobNotFound', 'There is no such file.');
		const bytes = Buffer.from(String(blob.Body), 'base64');
		return commit(record, new Answer(200, bytes, { 'content-type': String(document.MimeType) }));
	}
}
