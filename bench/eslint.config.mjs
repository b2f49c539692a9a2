import dev from '../eslint.dev.mjs';

export default [
	...dev,
	// Each contender runs in a process of its own.
	{ files: ['**/*.ts'], rules: { '@n8n/community-nodes/no-dangerous-functions': 'off' } },
];
