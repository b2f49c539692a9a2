/** Returns what a test draws, such as a number of generated cases: a few for a quick answer, or all with `FULL=1`. */
export const cases = <T>(few: T, all: T): T => (process.env.FULL ? all : few);
