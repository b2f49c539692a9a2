/**
 * A subtitle can use the values of parameters but not their labels, so an expression maps each
 * value to its label.
 */
export const buildLabelExpression = (
	parameter: string,
	choices: ReadonlyArray<{ name: string; value: string }>,
): string => {
	const labels = Object.fromEntries(choices.map(({ name, value }) => [value, name]));
	return `(${JSON.stringify(labels)})[$parameter["${parameter}"]]`;
};
