/** Whether this is the full run (`npm run test:differential -- --full`), and not a sample. */
export const FULL = process.env.DIFFERENTIAL === 'full';

/** What decides which cases are generated: always the same, unless FAST_CHECK_SEED says otherwise. */
export const SEED = Number(process.env.FAST_CHECK_SEED ?? 20260117);

/** Prints the seed: with it a failure can be repeated. */
export function announceSeed(): void {
  process.stderr.write(`FAST_CHECK_SEED=${SEED}\n`);
}
