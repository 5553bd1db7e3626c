/** What is to be reached: so many reviews a second, for so long, without a failure. */
export const GOAL = { rate: 500, seconds: 30, p99Ms: 50 } as const;
