import { trimMemory } from '../../src/operator/memory-trim';
import { ManualClock } from '../kube/helpers/manual-clock';
import { MemoryLogger } from '../kube/helpers/memory-logger';

/** Returns the collections of a process with these MiB at its start and at each check, and these after each collection. */
async function collections([start, ...readings]: readonly number[], left: readonly number[]): Promise<string[]> {
  const clock = new ManualClock();
  const lines: string[] = [];
  const logger = Object.assign(new MemoryLogger(), { info: ({ before, after }: any) => { lines.push(`${before} -> ${after}`); } });
  const remaining = [...left];
  let now = start!;
  const stop = trimMemory({ rss: () => now * 1024 * 1024, collect: () => { now = remaining.shift()!; }, logger, clock });
  for (const [index, reading] of readings.entries()) {
    now = reading;
    await clock.advance(index === 0 ? 30_000 : 300_000);
  }
  stop();
  await clock.advance(600_000);
  return lines;
}

test('after the caches are filled, and after each burst, memory is returned', async () => {
  expect(await collections([75, 245, 174, 260, 180], [174, 176])).toEqual(['245 -> 174', '260 -> 176']);
});

test('a small growth does not justify an interruption', async () => {
  expect(await collections([75, 106, 106], [])).toEqual([]);
  expect(await collections([400, 450, 499, 499], [])).toEqual([]);
});

test('growth is measured from the least memory since the last collection', async () => {
  expect(await collections([200, 100, 133], [100])).toEqual(['133 -> 100']);
});

test('an error while reading the memory ends nothing', async () => {
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  let readings = 0;
  const stop = trimMemory({
    rss: () => {
      if (++readings === 2) throw new Error('EMFILE');
      return 1e8;
    },
    collect: () => {},
    logger,
    clock,
  });
  await clock.advance(30_000);
  await clock.advance(300_000);
  stop();
  expect(readings).toBe(3);
  expect(logger.lines).toEqual(['warn the memory of the process cannot be read; trying again']);
});
