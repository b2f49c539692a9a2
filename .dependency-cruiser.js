/** The walls of the house: imports run one way, catalogue <- protocol <- transport <- what uses them. */
const CORRIGO = '^nodes/Corrigo';
const within = (...folders) => `${CORRIGO}/(${folders.join('|')})/`;

/** `folder` may import itself and `allowed` of this package, nothing else of it. */
const wall = (folder, ...allowed) => ({
	name: `${folder}-imports`,
	severity: 'error',
	from: { path: within(folder) },
	to: { path: '^(nodes|credentials)/', pathNot: within(folder, ...allowed) },
});

const pure = (folder) => ({
	name: `${folder}-is-pure`,
	comment: 'No n8n and no I/O: only its own words and those of the folders below.',
	severity: 'error',
	from: { path: within(folder) },
	to: { pathNot: '^nodes/' },
});

module.exports = {
	forbidden: [
		{ name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
		pure('catalogue'),
		pure('protocol'),
		wall('catalogue'),
		wall('protocol', 'catalogue'),
		wall('transport', 'catalogue', 'protocol'),
		wall('descriptions', 'catalogue', 'protocol'),
		wall('actions', 'catalogue', 'protocol', 'transport', 'descriptions'),
		wall('methods', 'catalogue', 'protocol', 'transport', 'descriptions'),
		wall('trigger', 'catalogue', 'protocol', 'transport', 'descriptions'),
		wall('webhook', 'catalogue', 'protocol', 'transport', 'descriptions', 'trigger'),
		{
			name: 'credential-imports',
			severity: 'error',
			from: { path: '^credentials/' },
			to: { path: '^nodes/', pathNot: within('catalogue', 'transport') },
		},
		{
			name: 'nothing-but-the-host-at-run-time',
			comment: 'The published package has no dependency: n8n brings n8n-workflow.',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: {
				pathNot: ['^(nodes|credentials)/', 'node_modules/n8n-workflow/', '^(node:)?crypto$'],
				dependencyTypesNot: ['type-only'],
			},
		},
		{
			name: 'sandbox-judges-for-itself',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: '^(nodes|credentials)/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsConfig: { fileName: 'tsconfig.dev.json' },
		tsPreCompilationDeps: true,
	},
};
