import dev from '../eslint.dev.mjs';

export default [
	...dev,
	// This folder is an installation, not a package to publish, and its work is to run one.
	{ ignores: ['package.json', '.data/'] },
	{ files: ['**/*.ts'], rules: { '@n8n/community-nodes/no-dangerous-functions': 'off' } },
];
