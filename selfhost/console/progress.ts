const SECOND = 1000;
const SECONDS_BETWEEN_LINES = 10;

/** Says what is being done, that it still goes on, and how long it took. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
	const { stdout } = process;
	const started = Date.now();
	const seconds = () => ((Date.now() - started) / SECOND).toFixed(1);
	const show = (mark: string) =>
		stdout.isTTY ? stdout.write(`\r\x1b[2K${mark} ${title} ${seconds()} s`) : undefined;
	const beat = setInterval(
		() => (stdout.isTTY ? show('·') : console.log(`  … ${title} ${seconds()} s`)),
		stdout.isTTY ? SECOND / 5 : SECONDS_BETWEEN_LINES * SECOND,
	);
	if (!stdout.isTTY) console.log(`· ${title}`);
	try {
		const result = await work();
		if (!stdout.isTTY) console.log(`✓ ${title} ${seconds()} s`);
		show('✓');
		return result;
	} catch (error) {
		if (!stdout.isTTY) console.log(`✗ ${title} ${seconds()} s`);
		show('✗');
		throw error;
	} finally {
		clearInterval(beat);
		if (stdout.isTTY) stdout.write('\n');
	}
}
