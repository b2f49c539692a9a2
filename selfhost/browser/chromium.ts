import { existsSync } from 'node:fs';

const DEFAULT_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser that the machine has: none is downloaded. */
export function chromiumBinary(): string {
	const paths = [process.env.CHROMIUM_PATH, ...DEFAULT_PATHS];
	const binary = paths.find((path) => path && existsSync(path));
	if (binary) return binary;
	throw new Error(
		'The tests in the editor need Chromium. Install it (Debian: apt-get install chromium), ' +
			'or set CHROMIUM_PATH.',
	);
}
