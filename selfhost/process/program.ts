/** Closes everything that the process has opened, in reverse order, when it ends. */
export const cleanups: Array<() => Promise<void>> = [];

export async function cleanUp() {
	for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
}

let interrupted = false;

/** A terminal sends the signal to npm as well, which passes it on: it may come more than once. */
export function cleanUpOnSignals(exitCode: number) {
	const interrupt = async () => {
		if (interrupted) return;
		interrupted = true;
		await cleanUp();
		process.exit(exitCode);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void interrupt());
}

/** Runs a program until it ends or a signal ends it, and cleans up. */
export async function runProgram(work: () => Promise<boolean>, { interruptedExitCode = 1 } = {}) {
	cleanUpOnSignals(interruptedExitCode);
	try {
		process.exitCode = (await work()) ? 0 : 1;
	} catch (error) {
		if (interrupted) return;
		console.error(`\n${error instanceof Error ? error.message : String(error)}`);
		process.exitCode = 1;
	}
	await cleanUp();
}
