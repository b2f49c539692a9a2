import { createHmac } from 'node:crypto';

import type { World } from '../runtime/world';

export const signature = (world: World, id: number): string =>
	createHmac('sha256', world.linkKey).update(String(id)).digest('base64url');

/** A link that carries its own permission, as storage services hand them out. */
export const downloadUrl = (world: World, id: number): string =>
	`${world.urls.storage}/files/${id}?sig=${signature(world, id)}`;
