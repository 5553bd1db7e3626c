import { ToolError, formatError } from '../../../tools/local-cluster/errors.ts';
import { formatDuration, terminalProgress } from '../../../tools/local-cluster/progress.ts';

let written: string;
const output = (isTTY: boolean) => ({ isTTY, columns: 40, write: (text: string) => { written += text; } });

beforeEach(() => {
  written = '';
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

async function lasting<T>(milliseconds: number, result: () => T): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return result();
}

test('what is quick is not worth a line', async () => {
  for (const isTTY of [true, false]) {
    const step = terminalProgress(output(isTTY)).step('winking', () => lasting(50, () => 1));
    await jest.advanceTimersByTimeAsync(100);
    expect(await step).toBe(1);
  }
  expect(written).toBe('');
});

test('a log gets a line at the beginning and one at the end, and signs of life in between', async () => {
  const step = terminalProgress(output(false)).step('building', () => lasting(65_000, () => undefined));
  await jest.advanceTimersByTimeAsync(70_000);
  await step;
  expect(written.split('\n')).toEqual([
    'building …', 'building … still running after 30.0 s', 'building … still running after 1 min 0 s', 'building: done in 1 min 5 s', '',
  ]);
});

test('a terminal gets one line that is redrawn, and keeps what took long', async () => {
  const step = terminalProgress(output(true)).step('building', () => lasting(1500, () => undefined));
  await jest.advanceTimersByTimeAsync(500);
  expect(written.split('\r\u001b[K').at(-1)).toMatch(/^building 0\.\d s$/);
  await jest.advanceTimersByTimeAsync(2000);
  await step;
  expect(written).toMatch(/\r\u001b\[Kbuilding: 1\.5 s\n$/);
});

test('a failure ends the step, and is passed on', async () => {
  const step = terminalProgress(output(true)).step('building', () => lasting(200, () => { throw new Error('no'); }));
  step.catch(() => {});
  await jest.advanceTimersByTimeAsync(300);
  await expect(step).rejects.toThrow('no');
  expect(jest.getTimerCount()).toBe(0);
});

test.each([[900, '0.9 s'], [59_949, '59.9 s'], [61_000, '1 min 1 s'], [3_600_000, '60 min 0 s']])('%d ms are %s', (duration, text) => {
  expect(formatDuration(duration)).toBe(text);
});

test('an error that the user can act on has no stack trace, unless it is asked for', () => {
  const error = new ToolError('it failed', 'do this');
  expect(formatError(error)).toBe('it failed\ndo this');
  expect(formatError(error, true)).toContain('progress.test');
  expect(formatError(new TypeError('a bug'))).toContain('progress.test');
});
