import { seriesOf } from '../../../tools/bench/population/series.ts';

test('each sample tells of the time since the one before', () => {
  const samples = [
    { at: 1_000, memory: 100, statusWrites: 50 }, { at: 16_000, memory: 120, statusWrites: 80 }, { at: 31_000, memory: 110, statusWrites: 80 },
  ];
  const lags = [{ ended: 900, duration: 9 }, { ended: 2_000, duration: 200 }, { ended: 16_000, duration: 300 }, { ended: 40_000, duration: 1 }];
  const probed = [{ ended: 20_000, duration: 7 }];
  expect(seriesOf(samples, lags, probed)).toEqual({ seconds: [15, 30], memory: [120, 110], lagP99: [300, null], probeP99: [null, 7], statusWrites: [2, 0] });
});

test('where nothing was looked at there is nothing', () => {
  expect(seriesOf([{ at: 0, memory: 1, statusWrites: 0 }], [], [])).toEqual({ seconds: [], memory: [], lagP99: [], probeP99: [], statusWrites: [] });
});
