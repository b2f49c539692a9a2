const TERMINAL_INTERVAL_MS = 200;
const LOG_INTERVAL_MS = 10_000;

/** Shows the title and the elapsed time of some work while it runs, and whether it succeeded. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
	const { stdout } = process;
	const started = Date.now();
	const show = (mark: string) => {
		const line = `${mark} ${title} ${((Date.now() - started) / 1000).toFixed(1)} s`;
		if (stdout.isTTY) stdout.write(`\r\x1b[2K${line}`);
		else console.log(line);
	};
	const timer = setInterval(show, stdout.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS, '·');
	show('·');
	try {
		const result = await work();
		show('✓');
		return result;
	} catch (error) {
		show('✗');
		throw error;
	} finally {
		clearInterval(timer);
		if (stdout.isTTY) stdout.write('\n');
	}
}
