import { spreadOf, Timeline } from '../../../tools/bench/population/timeline.ts';

test('an application on its whole way, by what two watches show', () => {
  const timeline = new Timeline(['a']);
  timeline.application('a', { state: '' }, 100);
  timeline.driver('a', 'Pending', 130);
  timeline.application('a', { state: 'SUBMITTED' }, 150);
  timeline.driver('a', 'Running', 200);
  timeline.driver('a', 'Running', 230); // another change, such as a condition
  timeline.application('a', { state: 'RUNNING' }, 240);
  timeline.driver('a', 'Succeeded', 1000);
  timeline.application('a', { state: 'SUCCEEDING' }, 1010);
  expect(timeline.isOver).toBe(false);
  timeline.application('a', { state: 'COMPLETED' }, 1015);

  expect(timeline.isOver).toBe(true);
  expect(timeline.problem).toBeUndefined();
  expect(timeline.between('created', 'driver')).toEqual([30]);
  expect(timeline.between('driverRunning', 'running')).toEqual([40]);
  expect(timeline.between('driverEnded', 'ended')).toEqual([10]);
  expect([timeline.last('submitted'), timeline.last('completed')]).toEqual([150, 1015]);
});

test('states that pass in one write are told by the one that is seen', () => {
  const timeline = new Timeline(['a']);
  timeline.driver('a', 'Running', 200);
  timeline.driver('a', 'Succeeded', 1000);
  timeline.application('a', { state: 'COMPLETED' }, 1300);
  expect(timeline.between('driverRunning', 'running')).toEqual([1100]);
  expect(timeline.between('driverEnded', 'ended')).toEqual([300]);
});

test('what a watch shows too early took no time, and what was not seen does not count', () => {
  const timeline = new Timeline(['a', 'b']);
  timeline.application('a', { state: 'RUNNING' }, 190);
  timeline.driver('a', 'Running', 200);
  timeline.driver('b', 'Running', 200);
  timeline.driver('of-the-warm-up', 'Running', 200);
  expect(timeline.between('driverRunning', 'running')).toEqual([0]);
});

test('what became of applications that are not completed', () => {
  const timeline = new Timeline(['a', 'b', 'c', 'd']);
  timeline.application('a', { state: 'COMPLETED' }, 1);
  timeline.application('b', { state: 'FAILED', message: 'exit code 1' }, 1);
  timeline.application('c', { state: '' }, 1);
  expect(timeline.isOver).toBe(false);
  expect(timeline.problem).toBe('only 1 of 4 applications are COMPLETED (COMPLETED: 1, FAILED: 1, New: 1, not seen: 1); one that is not is b: exit code 1');
});

test('an application is whole when its status tells of all executors', () => {
  const timeline = new Timeline(['a', 'b'], 2);
  const running = (count: number) => ({ state: 'RUNNING', executors: { running: count, completed: 0 } });
  timeline.application('a', running(1), 100);
  timeline.application('b', running(0), 100);
  expect([timeline.count('running'), timeline.count('whole')]).toEqual([2, 0]);
  timeline.application('a', running(2), 200);
  timeline.application('a', running(2), 300);
  expect([timeline.count('whole'), timeline.last('whole')]).toEqual([1, 200]);
  timeline.application('a', { state: 'COMPLETED', executors: { running: 0, completed: 2 } }, 400);
  expect([timeline.executorsCompleted, timeline.isOver]).toEqual([2, false]);
});

test('an application that failed has come to its end', () => {
  const timeline = new Timeline(['a']);
  timeline.application('a', { state: 'FAILED' }, 1);
  expect(timeline.isOver).toBe(true);
  expect(timeline.problem).toMatch(/^only 0 of 1 applications are COMPLETED/);
});

test('how far applications are, for those who wait', () => {
  const timeline = new Timeline(['a', 'b', 'c'], 1);
  expect(timeline.progress).toBe('none created, of 3');
  timeline.answered('a', 1);
  timeline.answered('b', 2);
  timeline.driver('a', 'Pending', 3);
  timeline.application('a', { state: 'RUNNING' }, 4);
  expect(timeline.progress).toBe('2 created, 1 with a driver, 1 RUNNING, of 3');
});

test('percentiles by the nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(spreadOf(hundred)).toEqual({ p50: 50, p99: 99, max: 100 });
  expect(spreadOf([7])).toEqual({ p50: 7, p99: 7, max: 7 });
  expect(spreadOf([])).toEqual({ p50: NaN, p99: NaN, max: NaN });
});
