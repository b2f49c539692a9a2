import { relative } from 'node:path';

/**
 * Compares an item, and the order of its columns, with the one that the documents show, or replaces that
 * one with `SAMPLES=1`.
 */
export function checkSample<Sample>(
	samples: Map<string, Sample>,
	name: string,
	sample: Sample,
): void {
	if (process.env.SAMPLES) samples.set(name, sample);
	const test = relative('', String(expect.getState().testPath));
	const shown = `what the documents show, which SAMPLES=1 npx jest ${test} replaces`;
	const toText = (one?: Sample) => JSON.stringify(one, null, 2);
	expect({ [shown]: toText(samples.get(name)) }).toEqual({ [shown]: toText(sample) });
}
