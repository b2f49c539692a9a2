const CORRIGO = '^nodes/Corrigo';
const within = (...folders) => `${CORRIGO}/(${folders.join('|')})/`;

/** Imports run one way: a folder imports itself and the folders listed for it, nothing else of this package. */
const LAYERS = {
	catalogue: [],
	protocol: ['catalogue'],
	form: ['catalogue', 'protocol'],
	session: ['catalogue', 'protocol'],
	transport: ['catalogue', 'protocol', 'session'],
	records: ['catalogue', 'protocol', 'transport'],
	run: ['catalogue', 'protocol', 'form', 'transport', 'records'],
	once: ['catalogue', 'protocol', 'form', 'transport', 'records', 'run'],
	trigger: ['catalogue', 'protocol', 'form', 'session', 'transport', 'records'],
	actions: [
		...['catalogue', 'protocol', 'form', 'session', 'transport', 'records', 'run', 'once'],
		'trigger',
	],
	methods: ['catalogue', 'protocol', 'form', 'transport', 'records'],
	webhook: ['catalogue', 'protocol', 'form', 'transport', 'records', 'trigger'],
};

const walls = Object.entries(LAYERS).map(([folder, allowed]) => ({
	name: `${folder}-imports`,
	severity: 'error',
	from: { path: within(folder) },
	to: { path: '^(nodes|credentials)/', pathNot: within(folder, ...allowed) },
}));

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
		...walls,
		{
			name: 'generic-operations-know-no-resource',
			severity: 'error',
			from: { path: '^nodes/Corrigo/actions/(operations/|[^/]+\\.ts$)', pathNot: 'registry\\.ts$' },
			to: { path: '^nodes/Corrigo/actions/(?!operations/)[^/]+/' },
		},
		{
			name: 'credential-imports',
			severity: 'error',
			from: { path: '^credentials/' },
			to: { path: '^nodes/', pathNot: within('catalogue', 'session') },
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
