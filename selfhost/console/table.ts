/** Formats rows below their headings, each column as wide as its widest cell. */
export function table(headings: string[], rows: string[][]): string {
	const lines = [headings, headings.map((heading) => '-'.repeat(heading.length)), ...rows];
	const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
	return lines
		.map((line) =>
			line
				.map((cell, column) => cell.padEnd(widths[column]))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}
