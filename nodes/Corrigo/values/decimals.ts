const TEN = BigInt(10);
const TWO = BigInt(2);

/** Returns the number as it is written: `units` divided by ten to the power of `scale`. */
function toDecimal(value: number) {
	const [digits, exponent] = value.toExponential().split('e');
	const [whole, fraction = ''] = digits.split('.');
	return { units: BigInt(whole + fraction), scale: fraction.length - Number(exponent) };
}

/** Multiplies without the errors of binary fractions, and rounds half of the last digit away from zero. */
export function multiplyDecimals(one: number, other: number, digits: number): number {
	const [a, b] = [toDecimal(one), toDecimal(other)];
	const units = a.units * b.units;
	const scale = a.scale + b.scale;
	if (scale <= digits) return Number(`${units}e${-scale}`);
	const unit = TEN ** BigInt(scale - digits);
	return Number(`${(units + (units < 0 ? -unit : unit) / TWO) / unit}e${-digits}`);
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

/** Writes a number as people and databases do: JavaScript writes small ones with an exponent. */
export function formatDecimal(value: number): string {
	const [digits, zeros] = String(Math.abs(value)).split('e-');
	if (zeros === undefined) return String(value);
	return `${value < 0 ? '-' : ''}0.${'0'.repeat(Number(zeros) - 1)}${digits.replace('.', '')}`;
}
