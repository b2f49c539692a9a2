/** Histories of a Company and a trigger: what happens between requests, and polls that fail or overlap. */
import fc from 'fast-check';

class Broken extends Error {}

/** One poll of a history. */
export interface Round<Step> {
	/** The steps before each of its requests; steps that are left over happen afterwards. */
	steps: Step[][];
	/** The request that fails. */
	failAt: number;
	/** The number of pages that there is time for. */
	pages: number;
	/** Whether n8n restarts afterwards, and whether it was killed. */
	restart: boolean;
	kills: boolean;
	/** The request before which the workflow is published again, or afterwards if there are fewer. */
	publishAt: number;
	/** Whether n8n has stored by then what the last poll has left. */
	isSaved: boolean;
	/** The request before which a second poll begins. */
	overlapAt: number;
}

export const roundsOf = <Step>(step: fc.Arbitrary<Step>): fc.Arbitrary<Array<Round<Step>>> =>
	fc.array(
		fc.record({
			steps: fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 4 }),
			failAt: fc.integer({ min: -4, max: 4 }),
			pages: fc.integer({ min: 1, max: 4 }),
			restart: fc.boolean(),
			kills: fc.boolean(),
			publishAt: fc.integer({ min: -6, max: 4 }),
			isSaved: fc.boolean(),
			overlapAt: fc.integer({ min: -4, max: 3 }),
		}),
		{ minLength: 1, maxLength: 6 },
	);

/** A method of what a trigger reads from, and what it is given. */
export interface Step<Name extends string> {
	do: Name;
	with: number[];
}

export const step = <Name extends string>(
	name: Name,
	...given: Array<fc.Arbitrary<number>>
): fc.Arbitrary<Step<Name>> => fc.tuple(...given).map((values) => ({ do: name, with: values }));

export const happen = <Name extends string>(
	target: Record<Name, (...given: number[]) => void>,
	{ do: name, with: values }: Step<Name>,
) => target[name](...values);

interface Trigger {
	/** Calls `between` before each request. */
	poll(between: () => Promise<void>, pages: number): Promise<void>;
	restart(kills: boolean): void;
	publish?(isSaved: boolean): void;
	readonly delivered: readonly unknown[];
}

/** A poll during which nothing happens. */
export const CALM = {
	...{ steps: [], failAt: -1, pages: Infinity, overlapAt: -1 },
	...{ restart: false, kills: false, publishAt: -1, isSaved: true },
};

export function player<Step>(
	trigger: Trigger,
	happen: (step: Step) => void,
	afterPoll: () => void = () => {},
) {
	async function play(round: Round<Step>, isOverlapping = false): Promise<void> {
		const { steps, failAt, pages, overlapAt, publishAt, isSaved } = round;
		const waiting = [...steps];
		let request = 0;
		const between = async () => {
			waiting.shift()?.forEach(happen);
			if (request === publishAt) trigger.publish?.(isSaved);
			if (request === overlapAt && !isOverlapping) await play({ ...CALM, pages }, true);
			request += 1;
			if (request === failAt) throw new Broken();
		};
		await trigger.poll(between, pages).catch((error: unknown) => {
			if (!(error instanceof Broken)) throw error;
		});
		afterPoll();
		waiting.flat().forEach(happen);
		if (request <= publishAt) trigger.publish?.(isSaved);
	}
	return {
		async play(rounds: Array<Round<Step>>): Promise<void> {
			for (const round of rounds) {
				await play(round);
				if (round.restart) trigger.restart(round.kills);
			}
		},
		/** Polls until a poll delivers nothing. */
		async settle(): Promise<void> {
			let before = -1;
			while (before < trigger.delivered.length) {
				before = trigger.delivered.length;
				await play(CALM);
			}
		},
	};
}
