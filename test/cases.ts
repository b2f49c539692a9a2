/** Returns what a test draws, such as a number of generated cases: a few for a quick answer, or all with `FULL=1`. */
export const cases = <T>(few: T, all: T): T => (process.env.FULL ? all : few);

/** Returns a number of histories to play. `HISTORIES` replaces it, and `SEED` draws others. */
export const countHistories = (few: number, all: number): number =>
	Number(process.env.HISTORIES ?? cases(few, all));
