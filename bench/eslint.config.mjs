import dev from '../eslint.dev.mjs';

export default [
	...dev,
	// Each contender runs in a separate process.
	{ files: ['**/*.ts'], rules: { '@n8n/community-nodes/no-dangerous-functions': 'off' } },
];
