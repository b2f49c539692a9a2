/** What a test draws, such as a number of generated cases: enough for an answer in minutes, or with `FULL=1` all. */
export const cases = <T>(few: T, all: T): T => (process.env.FULL ? all : few);
