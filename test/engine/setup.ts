import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import 'reflect-metadata';

// n8n reads its settings when it is first loaded, so they must be set before that.
process.env.N8N_USER_FOLDER = join(tmpdir(), `n8n-engine-${randomUUID()}`);
process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
// n8n logs every failing run. Its logger is silenced but the console is not, so that a test can
// still print.
process.env.N8N_LOG_LEVEL = 'silent';

// The language-model client inside n8n-core 2.0 requires this package, an ES module that jest can
// not load before Node 24.9. Only calls to a language model would use it.
jest.mock('p-retry', () => ({}));

// n8n-core 2.0 holds the process open with a timer for SSH tunnels; newer versions release it too.
const { setInterval: startTimer } = globalThis;
globalThis.setInterval = ((...timer: Parameters<typeof startTimer>) =>
	startTimer(...timer).unref()) as typeof startTimer;
