/** Something else that the machine has to do: it looks up now and then, to see whether it is to end. */
const SPELL_MS = 50;

function spin(): void {
	const end = performance.now() + SPELL_MS;
	while (performance.now() < end);
	setImmediate(spin);
}

process.once('disconnect', () => process.exit());
spin();
