/** Keeps a processor busy; pauses now and then so that the process notices a disconnect. */
const SPIN_MS = 50;

function spin(): void {
	const end = performance.now() + SPIN_MS;
	while (performance.now() < end);
	setImmediate(spin);
}

process.once('disconnect', () => process.exit());
spin();
