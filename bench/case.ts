import type { BenchContext } from './context';
import type { Service } from './service';

/** The Corrigo node, the smallest node, the HTTP Request node, and bare Node.js as the baseline. */
export type ContenderKind = 'node' | 'smallest' | 'stock' | 'baseline';

export interface Contender {
	kind: ContenderKind;
	/** Distinguishes several ways of one contender. */
	variant?: string;
	/** Number of results, if it differs from that of the case. */
	results?: number;
	/** Runs before each measurement and does not count. */
	prepare?: (context: BenchContext) => Promise<void>;
	work: (context: BenchContext) => Promise<unknown[]>;
	/** Extracts the row from a result. */
	rows?: (item: unknown) => unknown;
}

export interface Case {
	name: string;
	/** Cases that `--case` selects together. */
	group?: string;
	title: string;
	/** Number of results that each contender must return. */
	results: (service: Service) => number;
	/** Number of timed runs at each latency. */
	runs: number;
	/** Replaces the latencies of the command line. */
	latencyMs?: number;
	contenders: Contender[];
	/** Limit of the heap in MB. */
	heapMb?: number;
	/** Number of records that the sandbox must have, where a hundred are not enough. */
	workOrders?: number;
	customers?: number;
}
