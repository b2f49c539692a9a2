import {
	contenderName,
	describeConditions,
	getFactor,
	MIN_ROWS_BYTES,
	type Result,
	type Results,
} from './report';
import figures from './results.json';

/** The results of the comparison with others, and those of growing work. */
const [comparison, growth] = figures as [Results, Results];

/** The latency that the page shows, about that of a service across the country. */
const LATENCY_MS = 50;

const WIDTH = 860;
const LABELS = 190;
const BARS = 400;
const ROW = 22;
const GAP = 44;

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const time = (ms: number) => (ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`);

const count = (number: number, noun: string) =>
	`${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

function groupResults(results: readonly Result[], latency: number): Result[][] {
	const shown = results.filter(({ latencyMs }) => latencyMs === latency);
	return [...new Set(shown.map((result) => result.case))].map((name) =>
		shown.filter((result) => result.case === name),
	);
}

/** Draws the bars of one case, on its own scale. */
function drawGroup(group: readonly Result[], top: number): string {
	const slowest = Math.max(...group.map(({ wallMs }) => wallMs));
	const bars = group.map((result, index) => {
		const y = top + 12 + index * ROW;
		const length = Math.max(2, (result.wallMs / slowest) * BARS);
		const facts = [
			time(result.wallMs),
			count(result.requests, 'request'),
			`${result.mostAtOnce.toLocaleString('en')} at once`,
		];
		return [
			`<text x="${LABELS - 10}" y="${y + 12}" text-anchor="end">${escaped(contenderName(result))}</text>`,
			`<rect class="${result.kind}" x="${LABELS}" y="${y}" width="${length.toFixed(1)}" height="16" rx="2"/>`,
			`<text class="facts" x="${(LABELS + length + 8).toFixed(1)}" y="${y + 12}">${facts.join(' · ')}</text>`,
		].join('\n');
	});
	return [`<text class="title" x="0" y="${top}">${escaped(group[0].title)}</text>`, ...bars].join(
		'\n',
	);
}

/** The published results as an SVG image. */
export function performanceChart(): string {
	let top = 20;
	const drawn = groupResults(comparison.results, LATENCY_MS).map((group) => {
		const at = top;
		top += GAP + group.length * ROW;
		return drawGroup(group, at);
	});
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top - GAP + 20}" font-family="system-ui, sans-serif" font-size="12" role="img">
<title>Wall time, requests and connections at once, at ${LATENCY_MS} ms per request</title>
<style>
text { fill: #1f2328 } .facts { fill: #59636e } .title { font-weight: 600; font-size: 14px }
.node { fill: #0a7d5a } .smallest { fill: #4c7bd9 } .stock { fill: #c2571a } .baseline { fill: #8c959f }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .facts { fill: #9198a1 } .node { fill: #2fb58a } .stock { fill: #e07b3e } }
</style>
${drawn.join('\n')}
</svg>
`;
}

/** One row for each case, with the fastest way of the Corrigo node, which is its default. */
function buildRow(group: readonly Result[]): string {
	const [result] = group;
	const { title, wallMs, requests, peakBytes = 0, rowsBytes = 0 } = result;
	const cells = [
		title,
		time(wallMs),
		requests.toLocaleString('en'),
		getFactor(result, 'baseline', group),
		getFactor(result, 'stock', group),
		rowsBytes < MIN_ROWS_BYTES ? '' : (peakBytes / rowsBytes).toFixed(2),
	];
	return `| ${cells.join(' | ')} |`;
}

/** The published results of the Corrigo node as a Markdown table. */
export function performanceTable(): string {
	const { results, ...run } = comparison;
	return [
		'| Work | Time | Requests | × bare | × HTTP Request | Memory ÷ rows |',
		'| --- | ---: | ---: | ---: | ---: | ---: |',
		...groupResults(results, LATENCY_MS).map(buildRow),
		'',
		`${describeConditions(run)}.`,
		'',
	].join('\n');
}

/** The smaller and the larger work of a case in one row. */
export function growthTable(): string {
	const { results, ...run } = growth;
	return [
		'| Work | Items | CPU time | Requests | Longest block |',
		'| --- | ---: | ---: | ---: | ---: |',
		...groupResults(results, 0).map((group) => {
			const show = (cell: (result: Result) => string) => group.map(cell).join(' / ');
			const cells = [
				group[0].title,
				show(({ variant = '' }) => variant),
				show(({ cpuMs }) => time(cpuMs)),
				show(({ requests }) => requests.toLocaleString('en')),
				show(({ stillMs }) => time(stillMs)),
			];
			return `| ${cells.join(' | ')} |`;
		}),
		'',
		`${describeConditions(run)}.`,
		'',
	].join('\n');
}
