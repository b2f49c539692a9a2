import { createHmac } from 'node:crypto';

/** What signs the links, and where they lead. */
interface LinkSettings {
	linkKey: Buffer;
	urls: { storage: string };
}

export const signature = (storage: LinkSettings, id: number): string =>
	createHmac('sha256', storage.linkKey).update(String(id)).digest('base64url');

/** A link that carries its own permission, as storage services hand them out. */
export const downloadUrl = (storage: LinkSettings, id: number): string =>
	`${storage.urls.storage}/files/${id}?sig=${signature(storage, id)}`;
