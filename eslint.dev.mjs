// What is not published (tests, sandbox, tooling) runs in plain Node: the rules that keep
// published code away from timers, processes and sockets do not apply to it, all others do.
import { config } from '@n8n/node-cli/eslint';

export default [
	...config,
	{
		files: ['**/*.ts'],
		rules: {
			'@n8n/community-nodes/no-dangerous-functions': 'off',
			'@n8n/community-nodes/no-restricted-globals': 'off',
			'@n8n/community-nodes/no-restricted-imports': 'off',
			'@n8n/community-nodes/require-node-api-error': 'off',
			// The compiler checks it, in each folder with the packages of that folder.
			'import-x/no-unresolved': 'off',
			'no-console': 'off',
		},
	},
];
