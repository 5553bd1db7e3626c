/* Limits of a console in a cluster: requests, streams and hosts. */
import { isServedHost } from '../../../src/kube/origin';
import { consoleSemaphore } from '../../../src/console/server/semaphore';
import { Streams } from '../../../src/console/server/streams';
import { ManualClock } from '../../kube/helpers/manual-clock';

let clock: ManualClock;
beforeEach(() => { clock = new ManualClock(); });

test('a request beyond the limits is rejected with a retry time', async () => {
  const requests = consoleSemaphore({ limitPerKey: 1, waiting: 0, maxWait: 5_000 }, clock);
  await requests.enter('ann');
  await expect(requests.enter('ann')).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
});

describe('streams', () => {
  test('are limited for each user', () => {
    const streams = new Streams({ all: 10, ofUser: 2 });
    const leave = streams.enter('ann', fail);
    streams.enter('ann', fail);
    expect(() => streams.enter('ann', fail)).toThrow(expect.objectContaining({
      status: 429, message: 'ann has 2 open pages and logs, which is the limit; close some',
    }));
    leave();
    leave();
    streams.enter('ann', fail);
    expect(() => streams.enter('ann', fail)).toThrow();
  });

  test('are limited in total, at the expense of the user with the most', () => {
    const streams = new Streams({ all: 5, ofUser: 3 });
    const ended: string[] = [];
    for (const name of ['flood-1', 'flood-2', 'flood-3', 'bob-1', 'bob-2']) streams.enter(name.split('-')[0]!, () => ended.push(name));
    streams.enter('ann', fail);
    expect(ended).toEqual(['flood-1']);
    // Each other user has two: one more stream takes none from them.
    expect(() => streams.enter('ann', fail)).toThrow(expect.objectContaining({ status: 503 }));
    streams.enter('eve', fail);
    expect(ended).toEqual(['flood-1', 'flood-2']);
  });

  function fail(): never {
    throw new Error('this stream must not end');
  }
});

test.each<[string | undefined, boolean]>([
  ['spark.example.org', true], ['Spark.Example.org.:8443', true], ['10.1.2.3:8088', true], ['[fd00::1]:8088', true],
  ['localhost:1234', true],
  ['evil.example', false], ['spark.example.org.evil.example', false], ['127.0.0.1.evil.example:8088', false],
  ['localhost.evil.example', false], ['', false], [undefined, false],
])('the host %s is served: %s', (host, served) => {
  expect(isServedHost(host, new Set(['spark.example.org']))).toBe(served);
});
