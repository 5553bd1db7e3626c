import { MemoryTrim } from '../../src/operator/memory-trim';
import { ManualClock } from '../kube/helpers/manual-clock';
import { MemoryLogger } from '../kube/helpers/memory-logger';

/** Looks at a process that has so many MiB at each look, and so many left after each collection. */
async function looked(readings: readonly number[], left: readonly number[]): Promise<string[]> {
  const clock = new ManualClock();
  const lines: string[] = [];
  const logger = Object.assign(new MemoryLogger(), { info: ({ before, after }: any) => { lines.push(`${before} -> ${after}`); } });
  const remaining = [...left];
  let now = readings[0]!;
  const trim = new MemoryTrim({ rss: () => now * 1024 * 1024, collect: () => { now = remaining.shift()!; }, logger, clock });
  for (const reading of readings.slice(1)) {
    now = reading;
    await clock.advance(5_000);
  }
  trim.stop();
  await clock.advance(60_000);
  return lines;
}

test('when a burst is over, what it needed is given back, once', async () => {
  expect(await looked([75, 160, 245, 246, 175, 176, 180], [174])).toEqual(['246 -> 174']);
});

test('as long as the process grows it needs what it has', async () => {
  expect(await looked([75, 90, 110, 140, 170, 200], [])).toEqual([]);
});

test('a small difference is not worth the interruption', async () => {
  expect(await looked([75, 100, 101, 105, 106, 106], [])).toEqual([]);
  expect(await looked([400, 450, 470, 478, 479, 479], [])).toEqual([]);
});

test('what stays after a collection is what there is', async () => {
  expect(await looked([75, 150, 150, 150, 150, 182, 182], [149, 150])).toEqual(['150 -> 149', '182 -> 150']);
});

test('what has become less by itself is where it begins anew', async () => {
  expect(await looked([200, 100, 133, 133], [100])).toEqual(['133 -> 100']);
});
