import type { Who } from './cases';

export interface Result {
	case: string;
	title: string;
	latencyMs: number;
	who: Who;
	how?: string;
	wallMs: number;
	cpuMs: number;
	requests: number;
	mostAtOnce: number;
	peakBytes?: number;
	rowsBytes?: number;
}

export interface Results {
	node: string;
	n8nCore: string;
	n8nNodesBase: string;
	cpus: number;
	/** Loops that kept the processors busy with something else. */
	busy?: number;
	/** Of the machine, before and after: figures from a busy one are worth little. */
	load: number;
	loadAfter: number;
	results: Result[];
}

export const conditionsOf = ({ node, busy }: Pick<Results, 'node' | 'busy'>): string =>
	`Node.js ${node}${busy ? `, ${busy} busy loops beside it` : ''}`;

const NAMES: Record<Who, string> = {
	node: 'Corrigo',
	smallest: 'smallest node',
	stock: 'HTTP Request',
	floor: 'bare Node.js',
};

export const nameOf = ({ who, how }: Pick<Result, 'who' | 'how'>): string =>
	how ? `${NAMES[who]}, ${how}` : NAMES[who];

/** Against another contender going about it in the same way, or else in its only one. */
function beside(result: Result, other: Who, among: readonly Result[]): Result | undefined {
	const others = among.filter(
		({ who, case: name, latencyMs }) =>
			who === other && name === result.case && latencyMs === result.latencyMs,
	);
	return others.find(({ how }) => how === result.how) ?? others[0];
}

export const timesOf = (result: Result, other: Who, among: readonly Result[]): string => {
	const measure = beside(result, other, among);
	return measure ? (result.wallMs / measure.wallMs).toFixed(2) : '';
};

/** Below that, what else goes on in the process outweighs the rows. */
export const FEW_BYTES = 10 * 1024 * 1024;

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);

const COLUMNS = [
	['', 24],
	['wall ms', 9],
	['× floor', 9],
	['× small', 9],
	['CPU ms', 9],
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

function rowOf(result: Result, among: readonly Result[]): string {
	const { wallMs, cpuMs, requests, mostAtOnce, peakBytes, rowsBytes } = result;
	const memory =
		peakBytes === undefined || rowsBytes === undefined
			? ['', '', '']
			: [
					megabytes(peakBytes),
					megabytes(rowsBytes),
					rowsBytes < FEW_BYTES ? '' : (peakBytes / rowsBytes).toFixed(2),
				];
	return line([
		`  ${nameOf(result)}`,
		wallMs.toFixed(0),
		timesOf(result, 'floor', among),
		timesOf(result, 'smallest', among),
		cpuMs.toFixed(0),
		String(requests),
		String(mostAtOnce),
		...memory,
	]);
}

/** The results of one case, latency by latency. */
export function tableOf(results: readonly Result[]): string {
	const lines: string[] = [];
	for (const latencyMs of new Set(results.map((result) => result.latencyMs))) {
		const some = results.filter((result) => result.latencyMs === latencyMs);
		lines.push(
			`${some[0].title}, ${latencyMs} ms per request`,
			line(COLUMNS.map(([title]) => title)),
			...some.map((result) => rowOf(result, some)),
			'',
		);
	}
	return lines.join('\n');
}
