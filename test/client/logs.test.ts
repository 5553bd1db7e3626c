import { Duration } from 'cdk8s';
import { SparkApplicationType } from '../../src';
import { ApiError } from '../../src/kube/errors';
import type { LogOptions } from '../../src/kube/logs';
import { lost, ClientFixture } from './client-fixture';

const PROPS = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/spark/pi.py' };

let fixture: ClientFixture;
beforeEach(async () => {
  fixture = new ClientFixture();
  await fixture.client.submit('pi', PROPS);
});
afterEach(() => fixture.client.close());

/** Options of each opened log. */
const opened: LogOptions[] = [];
beforeEach(() => { opened.length = 0; });

/**
 * Creates a log from chunks of text, errors that end it, and steps in between; one list for each
 * time that it is opened.
 */
function log(...times: readonly (string | Error | (() => void))[][]) {
  const rest = [...times];
  return async function* opening(options: LogOptions): AsyncGenerator<Buffer> {
    opened.push(options);
    for (const part of rest.length > 1 ? rest.shift()! : rest[0]!) {
      if (part instanceof Error) throw part;
      if (typeof part === 'string') yield Buffer.from(part);
      else part();
    }
  };
}

const line = (second: number, text: string) => `2026-03-01T10:00:0${second}.000000000Z ${text}\n`;

/** State of an application whose driver the operator has created. */
function running(submission: string): void {
  fixture.state('pi', 'RUNNING', { submissionID: submission, driverInfo: { podName: 'pi-driver' } });
}

async function read(options?: object): Promise<string[]> {
  const lines: string[] = [];
  for await (const each of fixture.client.logs('pi', options)) lines.push(each);
  return lines;
}

test("the current log is that of Spark's container; empty before the driver runs", async () => {
  expect(await read()).toEqual([]);
  fixture.driver('pi', 's1', log([line(1, 'one'), line(2, 'two')]));
  running('s1');

  expect(await read({ tailLines: 100 })).toEqual(['one', 'two']);
  expect(opened).toMatchObject([{ container: 'spark', follow: false, tailLines: 100, timestamps: true }]);
});

test('a followed log starts before the driver runs and covers all attempts', async () => {
  const second = () => {
    fixture.driver('pi', 's2', log([line(3, 'second attempt'), () => {
      fixture.endDriver('pi', 'Succeeded');
      fixture.state('pi', 'COMPLETED');
    }], []));
    running('s2');
  };
  const first = log([line(1, 'first attempt'), () => {
    fixture.endDriver('pi', 'Failed');
    fixture.state('pi', 'FAILING');
  }], [line(1, 'first attempt'), line(2, 'its last words'), second]);
  const lines = read({ follow: true });
  await fixture.arrival('list sparkapplications');
  fixture.state('pi', 'SUBMITTED', { submissionID: 's1', driverInfo: { podName: 'pi-driver' } });
  fixture.driver('pi', 's1', first);
  running('s1');

  expect(await lines).toEqual(['first attempt', 'its last words', 'second attempt']);
});

test('it resumes after a lost connection, in the middle of a line', async () => {
  const ends = () => {
    fixture.endDriver('pi', 'Succeeded');
    fixture.state('pi', 'COMPLETED');
  };
  fixture.driver('pi', 's1', log(
    [new ApiError({ verb: 'get', resource: 'pods/log' }, 400, {
      message: 'container "spark" in pod "pi-driver" is waiting to start: ContainerCreating',
    })],
    [line(1, 'one'), line(2, 'two'), line(3, 'three').slice(0, -3), lost('get')],
    [line(2, 'two'), line(3, 'three'), lost('get')],
    // The API server shuts down cleanly, in the middle of a line.
    [line(3, 'three'), line(4, 'four'), line(5, 'five').slice(0, -3), ends],
    [line(4, 'four'), line(5, 'five').slice(0, -1)],
  ));
  running('s1');

  expect(await read({ follow: true, tailLines: 10 })).toEqual(['one', 'two', 'three', 'four', 'five']);
  expect(opened.map(({ sinceTime, tailLines, follow }) => [sinceTime ?? tailLines, follow])).toEqual([
    [10, true], [10, true], ['2026-03-01T10:00:02Z', true], ['2026-03-01T10:00:02Z', true], ['2026-03-01T10:00:04Z', false],
  ]);
});

test('lines out of order, because of two writers or a clock change, are all read once', async () => {
  const [out, error, before] = [line(3, 'out'), '2026-03-01T10:00:02.999999900Z error\n', line(1, 'before')];
  fixture.driver('pi', 's1', log(
    [out, error, before, lost('get')],
    [out, error, () => {
      fixture.endDriver('pi', 'Succeeded');
      fixture.state('pi', 'COMPLETED');
    }],
    [out, error, '2026-03-01T10:00:02.999999950Z last\n'],
  ));
  running('s1');

  expect(await read({ follow: true })).toEqual(['out', 'error', 'before', 'last']);
});

test('it ends with an application whose driver is unreachable', async () => {
  fixture.driver('pi', 's1', log([line(1, 'one'), lost('get')], [
    () => fixture.state('pi', 'FAILED'), new ApiError({ verb: 'get', resource: 'pods/log' }, 502),
  ]));
  running('s1');

  expect(await read({ follow: true })).toEqual(['one']);
});

test('a missing permission is reported', async () => {
  fixture.driver('pi', 's1', log([new ApiError({ verb: 'get', resource: 'pods/log' }, 403, { reason: 'Forbidden' })]));
  running('s1');

  await expect(read({ follow: true })).rejects.toThrow('403 Forbidden');
});

test('a failure has the cause in the log of the driver', async () => {
  const traceback = 'Traceback (most recent call last):\n  File "/opt/job.py", line 3, in <module>\nValueError: no rows\n';
  fixture.driver('pi', 's1', log([traceback]), 'Failed');
  const message = 'driver container failed with ExitCode: 1, Reason: Error; last output: row 7';
  fixture.state('pi', 'FAILED', {
    applicationState: { state: 'FAILED', errorMessage: message }, submissionID: 's1', driverInfo: { podName: 'pi-driver' },
  });
  expect(await fixture.client.wait('pi')).toMatchObject({ outcome: 'failed', reason: message, cause: 'ValueError: no rows (job.py:3)', exitCode: 1 });
  expect(opened).toMatchObject([{ container: 'spark', follow: false, tailLines: 2_000 }]);
});

test('a failure has the cause in the status, if the log cannot be read', async () => {
  fixture.driver('pi', 's1', log([new ApiError({ verb: 'get', resource: 'pods/log' }, 403, { message: 'forbidden' })]), 'Failed');
  fixture.state('pi', 'FAILED', {
    applicationState: { state: 'FAILED', errorMessage: 'driver container failed with ExitCode: 1, Reason: Error; ValueError: no rows (job.py:3)' },
    submissionID: 's1', driverInfo: { podName: 'pi-driver' },
  });
  expect(await fixture.client.wait('pi')).toMatchObject({ outcome: 'failed', cause: 'ValueError: no rows (job.py:3)' });
});

test('the log is read within what is left of the timeout', async () => {
  fixture.driver('pi', 's1', async function* hangs({ signal }) {
    await new Promise((_, reject) => { signal!.addEventListener('abort', () => reject(signal!.reason as Error)); });
  } as (options: LogOptions) => AsyncGenerator<Buffer>, 'Failed');
  fixture.state('pi', 'FAILED', {
    applicationState: { state: 'FAILED', errorMessage: 'driver container failed with ExitCode: 1, Reason: Error; ValueError: no rows (job.py:3)' },
    submissionID: 's1', driverInfo: { podName: 'pi-driver' },
  });
  const [begin, hour] = [Date.now(), 3_600_000];
  const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(hour - 50);
  const result = await fixture.client.wait('pi', { timeout: Duration.millis(hour) }).finally(() => clock.mockRestore());
  expect(result).toMatchObject({ outcome: 'failed', cause: 'ValueError: no rows (job.py:3)' });
  expect(Date.now() - begin).toBeLessThan(3_000);
});
