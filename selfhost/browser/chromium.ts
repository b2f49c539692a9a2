import { existsSync } from 'node:fs';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of the system: none is downloaded. */
export function chromiumBinary(): string {
	const named = process.env.CHROMIUM_PATH;
	const binary = [named, ...USUAL_PLACES].find((path) => path && existsSync(path));
	if (binary) return binary;
	throw new Error(
		'The tests through the editor need Chromium: install it (Debian: apt-get install chromium), ' +
			'or name one by CHROMIUM_PATH.',
	);
}
