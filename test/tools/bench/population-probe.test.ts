import { Probe } from '../../../tools/bench/population/probe.ts';

jest.useFakeTimers({ doNotFake: ['performance'] });
afterAll(() => jest.useRealTimers());

/** An API server that answers when it is told to. */
function server() {
  const calls: string[] = [];
  const answers: (() => void)[] = [];
  return {
    calls,
    answers,
    json: async (method: string, path: string) => {
      calls.push(`${method} ${path.split('/').at(-1)}`);
      if (method === 'PATCH') await new Promise<void>((resolve) => answers.push(resolve));
      return {} as any;
    },
  };
}

test('writes on while the API server is slow, and tells how long each write took', async () => {
  const slow = server();
  const probe = await Probe.begin(slow, fail);
  jest.advanceTimersByTime(350);
  expect(slow.calls).toEqual(['POST configmaps', 'PATCH bench-probe', 'PATCH bench-probe', 'PATCH bench-probe']);
  const ended = probe.end();
  jest.advanceTimersByTime(1000);
  slow.answers.forEach((answer) => answer());
  const lasted = await ended;
  expect(lasted).toHaveLength(3);
  expect(lasted.every(({ duration, ended: at }) => duration >= 0 && at > 0)).toBe(true);
  expect(slow.calls.at(-1)).toBe('DELETE bench-probe');
});

test('a write that is refused is told of, and the others count', async () => {
  const problems: string[] = [];
  let count = 0;
  const probe = await Probe.begin({
    json: async (method) => {
      if (method === 'PATCH' && ++count === 2) throw new Error('no');
      return {} as any;
    },
  }, ({ message }) => problems.push(message));
  jest.advanceTimersByTime(300);
  expect([(await probe.end()).length, problems]).toEqual([2, ['no']]);
});

function fail(error: Error): void {
  throw error;
}
