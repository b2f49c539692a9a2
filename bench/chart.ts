import {
	contenderName,
	describeConditions,
	factorOf,
	MIN_ROWS_BYTES,
	type Result,
	type Results,
} from './report';
import figures from './results.json';

/** The results on each Node.js; n8n's own comes last, first on a quiet machine, then on a busy one. */
const published = figures as Results[];
const [ofN8n] = published.filter(({ busy }) => !busy).slice(-1);

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

function groupsOf(results: readonly Result[]): Result[][] {
	const shown = results.filter(({ latencyMs }) => latencyMs === LATENCY_MS);
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
	const drawn = groupsOf(ofN8n.results).map((group) => {
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

function rowOf(result: Result, results: readonly Result[]): string {
	const { title, wallMs, cpuMs, requests, mostAtOnce, peakBytes = 0, rowsBytes = 0 } = result;
	const cells = [
		title,
		contenderName(result),
		time(wallMs),
		factorOf(result, 'baseline', results),
		factorOf(result, 'smallest', results),
		time(cpuMs),
		requests.toLocaleString('en'),
		mostAtOnce.toLocaleString('en'),
		rowsBytes < MIN_ROWS_BYTES ? '' : (peakBytes / rowsBytes).toFixed(2),
	];
	return `| ${cells.join(' | ')} |`;
}

/** The published results as Markdown tables. */
export function performanceTable(): string {
	return published.map(tableOf).join('\n');
}

function tableOf({ results, ...run }: Results): string {
	return [
		`${describeConditions(run)}, n8n-core ${run.n8nCore}, n8n-nodes-base ${run.n8nNodesBase}, ${run.cpus} cores, load average ${run.load.toFixed(1)} before and ${run.loadAfter.toFixed(1)} after.`,
		'',
		'| Work | Done by | Wall time | × bare | × smallest | CPU | Requests | At once | Peak memory ÷ rows |',
		'| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
		...groupsOf(results).flatMap((group) => group.map((result) => rowOf(result, group))),
		'',
	].join('\n');
}
