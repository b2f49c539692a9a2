import dev from '../eslint.dev.mjs';

export default [
	...dev,
	// The folder is not published, and its programs start processes and read the environment.
	{ ignores: ['package.json', '.data/'] },
	{ files: ['**/*.ts'], rules: { '@n8n/community-nodes/no-dangerous-functions': 'off' } },
];
