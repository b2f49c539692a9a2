import { parseArgs } from 'node:util';

import { startSandbox } from './';

const { values } = parseArgs({
	options: {
		'port-base': { type: 'string' },
		'token-life': { type: 'string' },
		latency: { type: 'string' },
		'work-orders': { type: 'string' },
	},
});

function number(name: keyof typeof values): number | undefined {
	const text = values[name];
	if (text === undefined) return undefined;
	const value = Number(text);
	if (Number.isFinite(value) && value >= 0) return value;
	throw new Error(`--${name} needs a number, not "${text}"`);
}

async function main(): Promise<void> {
	const options = {
		portBase: number('port-base'),
		tokenLifeSeconds: number('token-life'),
		latencyMs: number('latency'),
		workOrders: number('work-orders'),
	};
	const given = Object.entries(options).filter(([, value]) => value !== undefined);
	const sandbox = await startSandbox({ ...Object.fromEntries(given), until: Date.now() });
	const { credentials, controlUrl, apiUrl, storageUrl } = sandbox;

	console.log(`
Corrigo sandbox, ${sandbox.store.count('WorkOrder')} work orders

  Credential
    Region            Custom
    Locator URL       ${credentials.locatorUrl}
    Token Server URL  ${credentials.tokenUrl}
    Company Name      ${credentials.companyName}
    Client ID         ${credentials.clientId}
    Client Secret     ${credentials.clientSecret}

  API                 ${apiUrl}
  Storage             ${storageUrl}
  Control             ${controlUrl}/state

Stop with Ctrl+C.
`);

	const stop = (): void => {
		void sandbox.close().then(() => process.exit(0));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
