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
  expect(await looked([400, 450, 480, 490, 499, 499], [])).toEqual([]);
});

test('what stays after a collection is what there is, and when much stays, it is looked at less often', async () => {
  const minutes = (count: number, reading: number) => Array<number>(12 * count).fill(reading);
  expect(await looked([75, 150, 150, 150, ...minutes(2, 190), 191, ...minutes(4, 240), ...minutes(1, 300)], [149, 188, 235, 240])).toEqual(['150 -> 149', '190 -> 188', '240 -> 235']);
});

test('bursts that leave nothing behind are looked at once a minute', async () => {
  const minute = [...Array<number>(11).fill(174), 230, 230];
  expect(await looked([75, 250, 250, ...minute, ...minute, ...minute], [174, 174, 174, 174, 174])).toEqual(['250 -> 174', '230 -> 174', '230 -> 174', '230 -> 174']);
});

test('that the memory cannot be read ends nothing', async () => {
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  let readings = 0;
  const trim = new MemoryTrim({
    rss: () => {
      if (++readings === 2) throw new Error('EMFILE');
      return readings * 1e8;
    },
    collect: () => {},
    logger,
    clock,
  });
  await clock.advance(15_000);
  trim.stop();
  expect(readings).toBe(4);
  expect(logger.lines).toEqual(['warn how much memory there is cannot be read; trying on']);
});

test('what has become less by itself is where it begins anew', async () => {
  expect(await looked([200, 100, 133, 133], [100])).toEqual(['133 -> 100']);
});
