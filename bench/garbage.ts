/** Requires `--expose-gc`, with which contenders start. */
export function collectGarbage(): void {
	if (globalThis.gc === undefined) throw new Error('Start Node.js with --expose-gc');
	globalThis.gc();
}
