const readSeconds = (since?: NodeJS.CpuUsage) => process.cpuUsage(since).user / 1_000_000;

/** Says how many seconds `measurePace` takes on a quiet machine. */
const QUIET = 0.1;

/** How many times slower this machine is now. */
export const measurePace = () => {
	const start = process.cpuUsage();
	const rows = Array.from({ length: 40_000 }, (_, index) => ({ name: `Row ${index * 7919}` }));
	const copies = JSON.parse(JSON.stringify(rows)) as typeof rows;
	const sorted = copies.map(({ name }) => name.toLowerCase().normalize()).sort();
	const found = new Map(sorted.map((name) => [name.replace(/\d/g, 'x'), name]));
	return found.size > 0 ? Math.max(1, readSeconds(start) / QUIET) : 1;
};

/**
 * Starts to measure the CPU time of a test about growth, and returns a function that says it in
 * seconds of a quiet machine. The time of other processes does not count, and what they slow down
 * is made up for.
 */
export const startCpuTime = () => {
	const start = process.cpuUsage();
	return () => readSeconds(start) / measurePace();
};
