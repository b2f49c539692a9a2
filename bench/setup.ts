import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import 'reflect-metadata';

// n8n reads its settings when it is loaded, so they must be set before.
const userFolder = join(tmpdir(), `n8n-bench-${process.pid}`);
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'bench';
process.env.N8N_LOG_LEVEL = 'silent';

process.once('exit', () => rmSync(userFolder, { recursive: true, force: true }));
