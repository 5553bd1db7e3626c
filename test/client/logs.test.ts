import { SparkApplicationType } from '../../src';
import { ApiError } from '../../src/kube/errors';
import type { LogOptions } from '../../src/kube/logs';
import { lost, World } from './world';

const PROPS = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/spark/pi.py' };

let world: World;
beforeEach(async () => {
  world = new World();
  await world.client.submit('pi', PROPS);
});
afterEach(() => world.client.close());

/** How each opening of a log went on. */
const opened: LogOptions[] = [];
beforeEach(() => { opened.length = 0; });

/** A log: pieces of text, errors that end it, and what happens in between; one after the other for each time that it is opened. */
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

/** What a driver's log begins with when the operator has started it. */
function running(submission: string): void {
  world.state('pi', 'RUNNING', { submissionID: submission, driverInfo: { podName: 'pi-driver' } });
}

async function read(options?: object): Promise<string[]> {
  const lines: string[] = [];
  for await (const each of world.client.logs('pi', options)) lines.push(each);
  return lines;
}

test('what there is now, of the container with Spark; nothing before the driver runs', async () => {
  expect(await read()).toEqual([]);
  world.driver('pi', 's1', log([line(1, 'one'), line(2, 'two')]));
  running('s1');

  expect(await read({ tailLines: 100 })).toEqual(['one', 'two']);
  expect(opened).toMatchObject([{ container: 'spark', follow: false, tailLines: 100, timestamps: true }]);
});

test('followed from before the driver runs, from one attempt to the next', async () => {
  const second = () => {
    world.driver('pi', 's2', log([line(3, 'second attempt'), () => {
      world.endDriver('pi', 'Succeeded');
      world.state('pi', 'COMPLETED');
    }], []));
    running('s2');
  };
  const first = log([line(1, 'first attempt'), () => {
    world.endDriver('pi', 'Failed');
    world.state('pi', 'FAILING');
  }], [line(1, 'first attempt'), line(2, 'its last words'), second]);
  const lines = read({ follow: true });
  await world.arrival('list sparkapplications');
  world.state('pi', 'SUBMITTED', { submissionID: 's1', driverInfo: { podName: 'pi-driver' } });
  world.driver('pi', 's1', first);
  running('s1');

  expect(await lines).toEqual(['first attempt', 'its last words', 'second attempt']);
});

test('goes on where the connection broke, in the middle of a line', async () => {
  const ends = () => {
    world.endDriver('pi', 'Succeeded');
    world.state('pi', 'COMPLETED');
  };
  world.driver('pi', 's1', log(
    [new ApiError({ verb: 'get', resource: 'pods/log' }, 400, { message: 'container "spark" in pod "pi-driver" is waiting to start: ContainerCreating' })],
    [line(1, 'one'), line(2, 'two'), line(3, 'three').slice(0, -3), lost('get')],
    [line(2, 'two'), line(3, 'three'), lost('get')],
    // The API server is stopped in order, in the middle of a line.
    [line(3, 'three'), line(4, 'four'), line(5, 'five').slice(0, -3), ends],
    [line(4, 'four'), line(5, 'five').slice(0, -1)],
  ));
  running('s1');

  expect(await read({ follow: true, tailLines: 10 })).toEqual(['one', 'two', 'three', 'four', 'five']);
  expect(opened.map(({ sinceTime, tailLines, follow }) => [sinceTime ?? tailLines, follow])).toEqual([
    [10, true], [10, true], ['2026-03-01T10:00:02Z', true], ['2026-03-01T10:00:02Z', true], ['2026-03-01T10:00:04Z', false],
  ]);
});

test('lines that two writers, or a clock that was put back, have left out of order are all read, each once', async () => {
  const [out, error, before] = [line(3, 'out'), '2026-03-01T10:00:02.999999900Z error\n', line(1, 'before')];
  world.driver('pi', 's1', log(
    [out, error, before, lost('get')],
    [out, error, () => {
      world.endDriver('pi', 'Succeeded');
      world.state('pi', 'COMPLETED');
    }],
    [out, error, '2026-03-01T10:00:02.999999950Z last\n'],
  ));
  running('s1');

  expect(await read({ follow: true })).toEqual(['out', 'error', 'before', 'last']);
});

test('ends with an application whose driver cannot be reached any more', async () => {
  world.driver('pi', 's1', log([line(1, 'one'), lost('get')], [() => world.state('pi', 'FAILED'), new ApiError({ verb: 'get', resource: 'pods/log' }, 502)]));
  running('s1');

  expect(await read({ follow: true })).toEqual(['one']);
});

test('tells who may not read it so', async () => {
  world.driver('pi', 's1', log([new ApiError({ verb: 'get', resource: 'pods/log' }, 403, { reason: 'Forbidden' })]));
  running('s1');

  await expect(read({ follow: true })).rejects.toThrow('403 Forbidden');
});
