import { createHmac } from 'node:crypto';

/** What signs the links, and where they lead. */
interface Storage {
	linkKey: Buffer;
	urls: { storage: string };
}

export const signature = (storage: Storage, id: number): string =>
	createHmac('sha256', storage.linkKey).update(String(id)).digest('base64url');

/** A link that carries its own permission, as storage services hand them out. */
export const downloadUrl = (storage: Storage, id: number): string =>
	`${storage.urls.storage}/files/${id}?sig=${signature(storage, id)}`;
