import type { ContenderKind } from './case';
import type { Expressions } from './engine';

export interface Result {
	case: string;
	title: string;
	latencyMs: number;
	kind: ContenderKind;
	variant?: string;
	wallMs: number;
	cpuMs: number;
	/** Results of earlier versions lack it. */
	threadMs?: number;
	/** Longest time that the process computed without a turn of its event loop. */
	stillMs: number;
	requests: number;
	mostAtOnce: number;
	peakBytes?: number;
	rowsBytes?: number;
}

export interface Results {
	node: string;
	n8nCore: string;
	n8nNodesBase: string;
	expressions: Expressions;
	cpus: number;
	/** Load average of the machine before and after: a busy machine distorts the figures. */
	load: number;
	loadAfter: number;
	results: Result[];
}

const EVALUATORS: Record<Expressions, string> = {
	vm: 'expressions in an isolated VM',
	legacy: 'expressions in the older evaluator',
};

export const describeConditions = (run: Omit<Results, 'results'>): string =>
	`Node.js ${run.node}, n8n-core ${run.n8nCore}, n8n-nodes-base ${run.n8nNodesBase}, ${EVALUATORS[run.expressions]}, ${run.cpus} cores, load average ${run.load.toFixed(1)} before and ${run.loadAfter.toFixed(1)} after`;

const NAMES: Record<ContenderKind, string> = {
	node: 'Corrigo',
	smallest: 'smallest node',
	stock: 'HTTP Request',
	baseline: 'bare Node.js',
};

export const contenderName = ({ kind, variant }: Pick<Result, 'kind' | 'variant'>): string =>
	variant ? `${NAMES[kind]}, ${variant}` : NAMES[kind];

/** The result of another contender with the same variant, or else its only result. */
function findComparable(
	result: Result,
	other: ContenderKind,
	results: readonly Result[],
): Result | undefined {
	const others = results.filter(
		({ kind, case: name, latencyMs }) =>
			kind === other && name === result.case && latencyMs === result.latencyMs,
	);
	return others.find(({ variant }) => variant === result.variant) ?? others[0];
}

export const getFactor = (
	result: Result,
	other: ContenderKind,
	results: readonly Result[],
): string => {
	const measure = findComparable(result, other, results);
	return measure ? (result.wallMs / measure.wallMs).toFixed(2) : '';
};

/** For fewer bytes, the rest of the process outweighs the rows. */
export const MIN_ROWS_BYTES = 10 * 1024 * 1024;

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);

const COLUMNS = [
	['', 24],
	['wall ms', 9],
	['× bare', 9],
	['× small', 9],
	['CPU ms', 9],
	['thread', 9],
	['still ms', 9],
	['requests', 9],
	['at once', 9],
	['peak MB', 9],
	['rows MB', 9],
	['peak/rows', 10],
] as const;

const line = (cells: string[]) =>
	cells
		.map((cell, index) => (index === 0 ? cell.padEnd(24) : cell.padStart(COLUMNS[index][1])))
		.join('');

function buildRow(result: Result, results: readonly Result[]): string {
	const { wallMs, cpuMs, threadMs, stillMs, requests, mostAtOnce, peakBytes, rowsBytes } = result;
	const memory =
		peakBytes === undefined || rowsBytes === undefined
			? ['', '', '']
			: [
					megabytes(peakBytes),
					megabytes(rowsBytes),
					rowsBytes < MIN_ROWS_BYTES ? '' : (peakBytes / rowsBytes).toFixed(2),
				];
	return line([
		`  ${contenderName(result)}`,
		wallMs.toFixed(0),
		getFactor(result, 'baseline', results),
		getFactor(result, 'smallest', results),
		cpuMs.toFixed(0),
		threadMs?.toFixed(0) ?? '',
		stillMs.toFixed(0),
		String(requests),
		String(mostAtOnce),
		...memory,
	]);
}

/** Formats the results of one case by latency. */
export function formatTable(results: readonly Result[]): string {
	const lines: string[] = [];
	for (const latencyMs of new Set(results.map((result) => result.latencyMs))) {
		const some = results.filter((result) => result.latencyMs === latencyMs);
		lines.push(
			`${some[0].title}, ${latencyMs} ms per request`,
			line(COLUMNS.map(([title]) => title)),
			...some.map((result) => buildRow(result, some)),
			'',
		);
	}
	return lines.join('\n');
}
