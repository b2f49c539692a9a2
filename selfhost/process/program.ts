/** What has been opened so far, for whoever ends the process to close: the last first. */
export const opened: Array<() => Promise<void>> = [];

export async function closeAll() {
	for (let close = opened.pop(); close; close = opened.pop()) await close();
}

let interrupted = false;

/** A terminal sends the signal to npm as well, which passes it on: it may come more than once. */
export function closeOnSignals(exitCode: number) {
	const interrupt = async () => {
		if (interrupted) return;
		interrupted = true;
		await closeAll();
		process.exit(exitCode);
	};
	process.on('SIGINT', () => void interrupt());
	process.on('SIGTERM', () => void interrupt());
}

/** Runs a program to its end, or to the signal that ends it; what it has opened is closed then. */
export async function runProgram(work: () => Promise<boolean>, { whenInterrupted = 1 } = {}) {
	closeOnSignals(whenInterrupted);
	try {
		process.exitCode = (await work()) ? 0 : 1;
	} catch (error) {
		if (interrupted) return;
		console.error(`\n${error instanceof Error ? error.message : String(error)}`);
		process.exitCode = 1;
	}
	await closeAll();
}
