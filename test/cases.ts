/** How many generated cases a test draws: enough for an answer in minutes, or with `FULL=1` all of them. */
export const cases = (few: number, all: number): number => (process.env.FULL ? all : few);
