import { tmpdir } from 'node:os';
import { join } from 'node:path';

import 'reflect-metadata';

// n8n reads its settings when it is loaded, so they must be set before.
process.env.N8N_USER_FOLDER = join(tmpdir(), `n8n-bench-${process.pid}`);
process.env.N8N_ENCRYPTION_KEY = 'bench';
process.env.N8N_LOG_LEVEL = 'silent';

// The engine of the tests cleans up in a hook that only jest has.
Object.assign(globalThis, { afterAll: (cleanUp: () => void) => process.once('exit', cleanUp) });
