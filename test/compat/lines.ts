/** Formats JSON with each request and item on a line of its own, so that a diff shows the one that differs. */
export function inLines(value: unknown, depth = 3, indent = ''): string {
	if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
	const inner = `${indent}\t`;
	const lines = Array.isArray(value)
		? value.map((one) => inLines(one, depth - 1, inner))
		: Object.entries(value)
				.filter(([, one]) => one !== undefined)
				.map(([name, one]) => `${JSON.stringify(name)}: ${inLines(one, depth - 1, inner)}`);
	const [open, close] = Array.isArray(value) ? '[]' : '{}';
	if (lines.length === 0) return open + close;
	return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`;
}
