/**
 * An expression for the label of a menu's value. In a subtitle, n8n knows the values of parameters
 * but not their labels.
 */
export const labelOf = (
	parameter: string,
	choices: ReadonlyArray<{ name: string; value: string }>,
): string => {
	const labels = Object.fromEntries(choices.map(({ name, value }) => [value, name]));
	return `(${JSON.stringify(labels)})[$parameter["${parameter}"]]`;
};
