const CORRIGO = '^nodes/Corrigo';
const within = (...folders) => `${CORRIGO}/(${folders.join('|')})/`;

/** Imports run one way: a folder imports itself and the folders listed for it, nothing else of this package. */
const DATA = ['catalogue', 'values', 'wire'];
const PURE = [...DATA, 'columns', 'compare'];
const READING = [...PURE, 'transport', 'records', 'form'];
const LAYERS = {
	catalogue: [],
	values: ['catalogue'],
	wire: ['catalogue', 'values'],
	columns: DATA,
	compare: [...DATA, 'columns'],
	session: DATA,
	transport: [...DATA, 'session'],
	records: [...PURE, 'session', 'transport'],
	feed: [...DATA, 'records'],
	form: PURE,
	methods: [...READING, 'trigger'],
	run: [...READING, 'session'],
	trigger: [...READING, 'feed', 'session'],
	operations: [...READING, 'run'],
	webhook: [...READING, 'feed', 'trigger'],
	actions: [...READING, 'session', 'run', 'feed', 'trigger', 'operations'],
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
		...PURE.map(pure),
		...walls,
		{
			name: 'shared-actions-know-no-resource',
			severity: 'error',
			from: { path: '^nodes/Corrigo/actions/[^/]+\\.ts$', pathNot: 'resources\\.ts$' },
			to: { path: '^nodes/Corrigo/actions/[^/]+/' },
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
		{
			name: 'sandbox-base-knows-no-command',
			severity: 'error',
			from: { path: '^sandbox/base/' },
			to: { path: '^sandbox/commands/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsConfig: { fileName: 'tsconfig.dev.json' },
		tsPreCompilationDeps: true,
	},
};
