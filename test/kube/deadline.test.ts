import { getEventListeners } from 'node:events';
import { ManualClock } from './helpers/manual-clock';
import { Deadline } from '../../src/kube/deadline';

const LATE = new Error('late');
const STOPPING = new Error('stopping');

let clock: ManualClock;
let parent: AbortController;
let deadline: Deadline;
/** Reasons with which the listener was called. */
let told: unknown[];

beforeEach(() => {
  clock = new ManualClock();
  parent = new AbortController();
  deadline = new Deadline(clock, parent.signal);
  told = [];
  deadline.onAbort((reason) => told.push(reason));
});

test('expires once, when its time is over', () => {
  deadline.set(100, () => LATE);
  clock.advance(99);
  expect(deadline.aborted).toBe(false);
  deadline.throwIfAborted();
  clock.advance(1);
  parent.abort(STOPPING);
  expect(told).toEqual([LATE]);
  expect(deadline.reason).toBe(LATE);
  expect(() => deadline.throwIfAborted()).toThrow(LATE);
});

test('is aborted with its parent, for the same reason', () => {
  deadline.set(100, () => LATE);
  parent.abort(STOPPING);
  clock.advance(100);
  expect(told).toEqual([STOPPING]);
});

test('is aborted at once if the parent is already, also with a falsy reason', () => {
  const late = new Deadline(clock, AbortSignal.abort(''));
  expect(late.aborted).toBe(true);
  late.onAbort((reason) => told.push(reason));
  expect(told).toEqual(['']);
});

test('can be set again', () => {
  deadline.set(100, () => LATE);
  clock.advance(99);
  deadline.set(100, () => LATE);
  clock.advance(99);
  expect(told).toEqual([]);
});

test('calls only the last listener', () => {
  const others: unknown[] = [];
  deadline.onAbort((reason) => others.push(reason));
  parent.abort(STOPPING);
  expect([told, others]).toEqual([[], [STOPPING]]);
});

test('leaves no timer and no listener once it is cleared', () => {
  deadline.set(100, () => LATE);
  deadline.clear();
  expect(clock.pending).toBe(0);
  expect(getEventListeners(parent.signal, 'abort')).toEqual([]);
  parent.abort(STOPPING);
  expect(told).toEqual([]);
});
