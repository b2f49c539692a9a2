import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { nodeFields, resources } from '../../nodes/Corrigo/actions/resources';
import { MAX_CHECK_REQUESTS } from '../../nodes/Corrigo/actions/company/probe';
import { Performance } from '../../nodes/Corrigo/actions/workOrder/performance/groups';
import { summarizeOrder } from '../../nodes/Corrigo/actions/workOrder/performance/summary';
import { MAX_FILE_MB } from '../../nodes/Corrigo/actions/document/file';
import { findResultingStatus } from '../../nodes/Corrigo/catalogue/statusActions';
import { optionFields } from '../../nodes/Corrigo/form/options';
import { MAX_RECORD_AGE_MS } from '../../nodes/Corrigo/run/loadTogether';
import { MAX_ANSWER_BYTES } from '../../nodes/Corrigo/transport/send';
import { MAX_SNAPSHOT_LENGTH } from '../../nodes/Corrigo/trigger/comparison/comparison';
import { MAX_MESSAGE_LENGTH } from '../../nodes/Corrigo/values/lines';
import { MAX_WAITING } from '../../nodes/Corrigo/webhook/coalescingQueue';
import { MAX_REPEATS, MAX_WAIT_MS } from '../../nodes/Corrigo/wire/answers';
import { MAX_NAMES, MAX_VALUES } from '../../nodes/Corrigo/wire/criteria';
import { devDependencies, homepage, scripts } from '../../package.json';
import { TRANSITIONS } from '../../sandbox/commands/workOrderActions';
import { dependencies } from '../../selfhost/package.json';

const root = join(__dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const filesBelow = (folder: string): string[] =>
	readdirSync(join(root, folder), { withFileTypes: true })
		.filter(({ name }) => name !== 'node_modules')
		.flatMap((entry) => {
			const path = join(folder, entry.name);
			return entry.isDirectory() ? filesBelow(path) : path;
		});

const pages = ['docs', 'examples', 'contract', 'sandbox', 'test/compat']
	.flatMap(filesBelow)
	.filter((file) => file.endsWith('.md'));
const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...pages];

const programs = ['bench', 'scripts', 'selfhost', 'test']
	.flatMap(filesBelow)
	.concat('jest.config.js')
	.filter((file) => /\.(?:ts|js|mjs)$/.test(file))
	.map(read)
	.join('\n');

/** The names by which GitHub links to the headings of a document. */
const anchorsOf = (document: string) =>
	[...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replace(/ /g, '-'),
	);

function leadsNowhere(path: string, anchor: string | undefined): boolean {
	if (!existsSync(join(root, path))) return true;
	return anchor !== undefined && !anchorsOf(path).includes(anchor);
}

const linksOf = (document: string) =>
	[...read(document).matchAll(/\]\((?!https?:|mailto:)([^)#]*)(?:#([^)]+))?\)/g)].map(
		([, path, anchor]: Array<string | undefined>) => ({
			path: path ? join(dirname(document), path) : document,
			anchor,
		}),
	);

describe.each(documents)('%s', (document) => {
	it('names only npm scripts that exist', () => {
		const named = [
			...read(document).matchAll(/(?:^|`)npm (?:run (?:--silent )?)?([a-z][\w:-]*)/gm),
		].map(([, name]) => name);
		const npmCommands = ['ci', 'install', 'i', 'uninstall', 'version', 'view'];
		expect(named.filter((name) => !npmCommands.includes(name) && !(name in scripts))).toEqual([]);
	});

	it('names only files that exist', () => {
		const named = read(document).matchAll(
			/(?<![\w./>])[\w.@-]+(?:\/[\w.@-]+)+\.(?:ts|js|mjs|json|md|txt)\b/g,
		);
		const folders = ['', 'nodes/Corrigo', dirname(document)];
		expect(
			[...named].filter(([path]) =>
				folders.every((folder) => !existsSync(join(root, folder, path))),
			),
		).toEqual([]);
	});

	it('sets only variables that the programs of this repository, or n8n, read', () => {
		const named = [...read(document).matchAll(/(?<!\w)([A-Z]+(?:_[A-Z]+)*)=/g)].map(
			([, name]) => name,
		);
		const foreign = named.filter((name) => !name.startsWith('N8N_'));
		expect(foreign.filter((name) => !new RegExp(`\\b${name}\\b`).test(programs))).toEqual([]);
	});

	it('names only tasks of gulp that exist', () => {
		const [, tasks] = read('gulpfile.js').split('module.exports =');
		const named = [...read(document).matchAll(/npx gulp (\w+)/g)].map(([, name]) => name);
		expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(tasks))).toEqual([]);
	});

	it('links only to files and headings that exist', () => {
		expect(linksOf(document).filter(({ path, anchor }) => leadsNowhere(path, anchor))).toEqual([]);
	});
});

it('links of nodes, credentials and examples lead to headings that exist', () => {
	const repository = homepage.replace('#readme', '');
	const link = new RegExp(`${repository}(?:/blob/main/([\\w./-]+))?(?:#([\\w-]+))?`, 'g');
	const links = ['nodes', 'credentials', 'examples']
		.flatMap(filesBelow)
		.flatMap((file) =>
			[...read(file).matchAll(link)].map(
				([, path = 'README.md', anchor]: Array<string | undefined>) => ({ file, path, anchor }),
			),
		);

	expect(links.length).toBeGreaterThan(5);
	const broken = links.filter(
		({ path, anchor }) => anchor !== 'readme' && leadsNowhere(path, anchor),
	);
	expect(broken).toEqual([]);
});

it('the form links to the page of each resource', () => {
	const linked = nodeFields
		.filter(({ name }) => name === 'operation')
		.map(({ description = '' }) => /\/blob\/main\/([\w./-]+)"/.exec(description)?.[1] ?? 'none');

	expect(new Set(linked).size).toBe(resources.length);
	expect(linked.filter((path) => leadsNowhere(path, undefined))).toEqual([]);
});

it('every page can be reached from the README', () => {
	const reached = new Set(['README.md']);
	for (const document of reached) {
		for (const { path } of linksOf(document)) if (documents.includes(path)) reached.add(path);
	}
	expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
});

it('every picture is shown', () => {
	const shown = documents.flatMap(linksOf).map(({ path }) => path);
	expect(filesBelow('docs/images').filter((picture) => !shown.includes(picture))).toEqual([]);
});

it.each(['AP', 'Company', 'From/To status', 'NTE', 'Sub type', 'Vendor', 'Work zone'])(
	'the term %s is defined on one page',
	(term) => {
		const defines = (document: string) => read(document).includes(`\n- **${term}**: `);
		expect(documents.filter(defines)).toEqual(['docs/guide/README.md']);
	},
);

it('docs/compatibility.md has the versions that are tested', () => {
	const page = read('docs/compatibility.md');
	const oldest = devDependencies['n8n-core-oldest'].split('@').at(-1);
	for (const version of [devDependencies['n8n-core'], oldest, dependencies.n8n]) {
		expect(page).toContain(` ${version}`);
	}
});

it('docs/guide/performance-of-orders.md works its order through as the operation does', () => {
	const page = read('docs/guide/performance-of-orders.md');
	const at = (time: string) => `2026-01-15T${time.padStart(5, '0')}:00`;
	const ACTIONS: ReadonlyArray<readonly [RegExp, string]> = [
		[/is created/, 'Create'],
		[/picks it up/, 'PickUp'],
		[/pauses/, 'Stop'],
		[/checks in|starts again/, 'Start'],
		[/is completed/, 'Complete'],
		[/reopens/, 'Reopen'],
	];
	const happened = [...page.matchAll(/^\| (\d+:\d\d) \| (.+?) \|/gm)].map(([, time, text]) => ({
		time: at(time),
		text,
		TypeId: ACTIONS.find(([words]) => words.test(text))?.[1],
	}));
	const find = (words: RegExp) => happened.filter(({ text }) => words.test(text));
	const [created] = find(/is created/);
	const usd = (Value: number) => ({ Value, CurrencyTypeId: 'USD' });
	const order = {
		StatusId: 'Completed',
		CreatedDateUtc: created.time,
		AcknowledgeByUtc: at('9:30'),
		DueDateUtc: at('17:00'),
		VendorNte: usd(250),
		WorkOrderCost: { VendorInvoiceTotal: usd(280) },
		ActionLogRecords: happened
			.filter(({ TypeId }) => TypeId !== undefined)
			.map(({ time, TypeId }, Id) => ({ Id, TypeId, SystemDateUtc: time })),
		// The table of time zones has London, whose winter is UTC, as 85.
		CheckInOuts: find(/checks in/).map(({ time }) => ({ DtCheckIn: time, TimeZone: 85 })),
	};
	const performance = new Performance([]);
	performance.add(summarizeOrder(order, { by: 'created', from: at('0:00') }, [], Date.now()));
	const [, figures] = /```json\n([^]*?)\n```/.exec(page) ?? [];
	const { Group, ...shown } = JSON.parse(figures) as Record<string, unknown>;
	expect(Group).toBe('Chicago Loop');
	expect(happened).toHaveLength(9);
	const taken = happened.flatMap(({ TypeId }) => TypeId ?? []);
	const refused = taken.filter((action, index) => {
		const transition = Object.values(TRANSITIONS).find((one) => one.action === action);
		return transition?.from.includes(findResultingStatus(taken[index - 1]) ?? '') === false;
	});
	expect(refused).toEqual([]);
	expect(performance.toRows()[0]).toMatchObject(shown);
});

const format = (value: number) => value.toLocaleString('en');
const SMALL_NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five'];
const MEGABYTE = 1024 * 1024;
const { compactLimit, maxFileSize } = optionFields;

it.each([
	['README.md', `up to ${MAX_FILE_MB} MB in an upload`],
	['docs/guide/agents.md', `after ${format(compactLimit.default)} characters`],
	['docs/guide/costs-and-invoices.md', `up to ${MAX_VALUES} orders together`],
	['docs/guide/create-or-update.md', `up to ${MAX_NAMES} records up in one request`],
	['docs/guide/documents.md', `a file of up to ${MAX_FILE_MB} MB`],
	['docs/guide/documents.md', `to ${maxFileSize.default} MB unless you set it`],
	['docs/guide/in-step.md', `at most ${MAX_RECORD_AGE_MS / 1000} seconds apart`],
	['docs/guide/names-and-ids.md', `up to ${MAX_NAMES} names per request`],
	['docs/guide/no-duplicates.md', `up to ${SMALL_NUMBERS[MAX_REPEATS]} times more`],
	['docs/guide/no-duplicates.md', `${MAX_WAIT_MS / 1000} seconds at most`],
	['docs/guide/service-user.md', `at most ${MAX_CHECK_REQUESTS} requests`],
	['docs/guide/times.md', `one more request for up to ${MAX_VALUES} items`],
	['docs/guide/undo.md', `at most ${MAX_RECORD_AGE_MS / 1000} seconds before the write`],
	['docs/internals/promises.md', `at most ${MAX_CHECK_REQUESTS} requests besides logins`],
	['docs/security.md', `cut after ${format(MAX_MESSAGE_LENGTH)} characters`],
	['docs/security.md', `at most ${format(MAX_WAITING)} records wait to be read`],
	['docs/security.md', `larger than ${MAX_FILE_MB} MB`],
	['docs/security.md', `more than ${MAX_ANSWER_BYTES / MEGABYTE} MB is refused`],
	['docs/triggers.md', `more than ${MAX_SNAPSHOT_LENGTH / 1_000_000} MB is refused`],
])('%s has the number of the code: %s', (document, words) => {
	expect(read(document).replace(/\s+/g, ' ')).toContain(words);
});
