import { PassThrough } from 'node:stream';
import { LineSplitter } from '../../../src/console/page/line-splitter';
import type { ClusterView } from '../../../src/console/server/cluster-view';
import { Feed } from '../../../src/console/server/feed';
import { COALESCE, streamRows } from '../../../src/console/server/stream';
import type { Viewer } from '../../../src/console/server/viewer';
import type { Update } from '../../../src/console/wire';
import { ManualClock } from '../../kube/helpers/manual-clock';

test.each([
  ['of a few changes are one message with these rows', 10, [10], undefined],
  ['of more changes than the server keeps are all rows again', 5_001, [...Array<number>(10).fill(500), 2], true],
])('the rows %s', async (_, count, sizes, reset) => {
  const feed = new Feed();
  const put = (name: string) => feed.put('applications', { namespace: 'default', name, uid: name, state: '', created: 0, attempts: 1 });
  put('first');
  const clock = new ManualClock();
  const gone = new AbortController();
  const response = Object.assign(new PassThrough({ highWaterMark: 2 ** 24 }), { writeHead: () => {}, flushHeaders: () => {} });
  const lines = new LineSplitter();
  const received = (): Update[] => lines.push(String(response.read() ?? '')).map((line) => JSON.parse(line));
  const viewer = { session: { readOnly: false } } as Viewer;
  const ended = streamRows({ feed, isLoading: false, refusedIn: () => [], noOperator: '', troubleOf: () => undefined } as unknown as ClusterView, viewer, response as never, clock, gone.signal);
  await clock.timer((ms) => ms > COALESCE);
  // Also what is empty: the page might know something else from an earlier stream.
  expect(received()).toEqual([expect.objectContaining({ reset: true, noOperator: '', trouble: '', loading: false, unlisted: { applications: [], schedules: [] } })]);

  for (let index = 0; index < count; index++) put(`app-${index}`);
  await clock.timer((ms) => ms === COALESCE);
  await clock.advanceAsync(COALESCE);
  const updates = received();
  expect(updates.map(({ applications }) => applications!.put!.length)).toEqual(sizes);
  expect(updates[0]!.reset).toBe(reset);
  gone.abort();
  await ended;
});
