/** Whether this is the full run (`npm run test:differential -- --full`), and not a sample. */
export const FULL = process.env.DIFFERENTIAL === 'full';

/** Seed of the generated cases: always the same, unless FAST_CHECK_SEED sets another one. */
export const SEED = Number(process.env.FAST_CHECK_SEED ?? 20260117);

/** Prints the seed: with it a failure can be repeated. */
export function announceSeed(): void {
  process.stderr.write(`FAST_CHECK_SEED=${SEED}\n`);
}
