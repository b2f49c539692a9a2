import { createHmac } from 'node:crypto';

interface LinkSettings {
	linkKey: Buffer;
	urls: { storage: string };
}

export const signature = (storage: LinkSettings, id: number): string =>
	createHmac('sha256', storage.linkKey).update(String(id)).digest('base64url');

/** The link contains its own permission, as with signed links of storage services. */
export const downloadUrl = (storage: LinkSettings, id: number): string =>
	`${storage.urls.storage}/files/${id}?sig=${signature(storage, id)}`;
