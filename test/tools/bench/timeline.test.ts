import { median, spreadOf } from '../../../tools/bench/figures.ts';
import { Timeline } from '../../../tools/bench/timeline.ts';

test('an application on its whole way, by the events of two watches', () => {
  const timeline = new Timeline(['a']);
  timeline.answered('a', 100);
  timeline.driver('a', 'Pending', 130);
  timeline.application('a', { state: 'SUBMITTED' }, 150);
  timeline.driver('a', 'Running', 200);
  timeline.driver('a', 'Running', 230); // another change, such as a condition
  timeline.application('a', { state: 'RUNNING' }, 240);
  timeline.driver('a', 'Succeeded', 1000);
  timeline.application('a', { state: 'SUCCEEDING' }, 1010);
  expect(timeline.count('completed')).toBe(0);
  timeline.application('a', { state: 'COMPLETED' }, 1015);

  expect(timeline.count('completed')).toBe(1);
  expect(timeline.between('created', 'driver')).toEqual([30]);
  expect(timeline.between('driverRunning', 'running')).toEqual([40]);
  expect(timeline.between('driverEnded', 'ended')).toEqual([10]);
  expect(timeline.last('completed')).toBe(1015);
});

test('a state implies those that were not seen by themselves', () => {
  const timeline = new Timeline(['a']);
  timeline.driver('a', 'Running', 200);
  timeline.driver('a', 'Succeeded', 1000);
  timeline.application('a', { state: 'COMPLETED' }, 1300);
  expect(timeline.between('driverRunning', 'running')).toEqual([1100]);
  expect(timeline.between('driverEnded', 'ended')).toEqual([300]);
});

test('marks in the wrong order took no time, and marks that are missing do not count', () => {
  const timeline = new Timeline(['a', 'b']);
  timeline.application('a', { state: 'RUNNING' }, 190);
  timeline.driver('a', 'Running', 200);
  timeline.driver('b', 'Running', 200);
  timeline.driver('of-the-warm-up', 'Running', 200);
  expect(timeline.between('driverRunning', 'running')).toEqual([0]);
});

test('durations of the applications that were created in a span of time', () => {
  const timeline = new Timeline(['a', 'b', 'c']);
  for (const [name, at] of [['a', 10], ['b', 20], ['c', 30]] as const) {
    timeline.answered(name, at);
    timeline.driver(name, 'Pending', 2 * at);
  }
  expect(timeline.between('created', 'driver', [20, 30])).toEqual([20]);
  expect(timeline.between('created', 'driver')).toEqual([10, 20, 30]);
});

test('the states of applications that are not completed, with an error of one', () => {
  const timeline = new Timeline(['a', 'b', 'c', 'd']);
  timeline.driver('a', 'Succeeded', 1);
  timeline.application('a', { state: 'COMPLETED' }, 1);
  timeline.application('b', { state: 'FAILED', message: 'exit code 1' }, 1);
  timeline.application('c', { state: '' }, 1);
  expect(timeline.describe()).toBe('1 of 4 applications have a driver; COMPLETED: 1, FAILED: 1, New: 1, not seen: 1; b: exit code 1');
});

test('an application is whole when its status shows all executors', () => {
  const timeline = new Timeline(['a', 'b'], 2);
  const running = (executors: number) => ({ state: 'RUNNING', executors });
  timeline.application('a', running(1), 100);
  timeline.application('b', running(0), 100);
  expect([timeline.count('running'), timeline.count('whole')]).toEqual([2, 0]);
  timeline.application('a', running(2), 200);
  timeline.application('a', running(2), 300);
  expect([timeline.count('whole'), timeline.last('whole')]).toEqual([1, 200]);
});

test('percentiles by the nearest rank, and the median', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(spreadOf(hundred)).toEqual({ p50: 50, p99: 99, max: 100 });
  expect(spreadOf([7])).toEqual({ p50: 7, p99: 7, max: 7 });
  expect(spreadOf([])).toEqual({ p50: NaN, p99: NaN, max: NaN });
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
});
