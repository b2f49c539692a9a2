import { tmpdir } from 'node:os';
import { join } from 'node:path';

import 'reflect-metadata';

// n8n reads its settings when it is first loaded, so they must be in place before.
process.env.N8N_USER_FOLDER = join(tmpdir(), `n8n-bench-${process.pid}`);
process.env.N8N_ENCRYPTION_KEY = 'bench';
process.env.N8N_LOG_LEVEL = 'silent';

// The engine of the tests cleans up behind itself in a hook that only their runner has.
Object.assign(globalThis, { afterAll: (cleanUp: () => void) => process.once('exit', cleanUp) });
