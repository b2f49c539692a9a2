const TEN = BigInt(10);
const TWO = BigInt(2);

/** Returns the number as it is written: `units` divided by ten to the power of `scale`. */
function toDecimal(value: number) {
	const [digits, exponent] = value.toExponential().split('e');
	const [whole, fraction = ''] = digits.split('.');
	return { units: BigInt(whole + fraction), scale: fraction.length - Number(exponent) };
}

/** Multiplies without the errors of binary fractions; half a cent is rounded away from zero. */
export function multiplyToCents(one: number, other: number): bigint {
	const [a, b] = [toDecimal(one), toDecimal(other)];
	const units = a.units * b.units;
	const surplus = a.scale + b.scale - 2;
	if (surplus <= 0) return units * TEN ** BigInt(-surplus);
	const cent = TEN ** BigInt(surplus);
	return (units + (units < 0 ? -cent : cent) / TWO) / cent;
}

/** Adds without the errors of binary fractions. */
export function sumDecimals(values: readonly number[]): number {
	const all = values.map(toDecimal);
	const scale = Math.max(0, ...all.map((one) => one.scale));
	const units = all.reduce(
		(sum, one) => sum + one.units * TEN ** BigInt(scale - one.scale),
		BigInt(0),
	);
	return Number(`${units}e${-scale}`);
}

export const fromCents = (cents: bigint): number => Number(`${cents}e-2`);

/** Writes a number as people and databases do: JavaScript writes small ones with an exponent. */
export function formatDecimal(value: number): string {
	const [digits, zeros] = String(Math.abs(value)).split('e-');
	if (zeros === undefined) return String(value);
	return `${value < 0 ? '-' : ''}0.${'0'.repeat(Number(zeros) - 1)}${digits.replace('.', '')}`;
}
