import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialType } from 'n8n-workflow';

import type { NodeClass } from '../test/support/nodes';

const load = createRequire(__filename);
const loadClass = (...path: string[]) =>
	Object.values(load(join(__dirname, '..', 'dist', ...path)) as Record<string, unknown>)[0];

/**
 * The package is measured as users install it. Run from its sources, it would be slower, because the
 * loader gives each function its name whenever the function is created.
 */
export const loadNode = (name: string) =>
	loadClass('nodes', 'Corrigo', `${name}.node.js`) as NodeClass;

export const loadCredential = () =>
	loadClass('credentials', 'CorrigoApi.credentials.js') as new () => ICredentialType;
