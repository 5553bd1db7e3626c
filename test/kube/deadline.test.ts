import { getEventListeners } from 'node:events';
import { ManualClock } from './helpers/manual-clock';
import { Deadline } from '../../src/kube/deadline';

const LATE = new Error('late');
const STOPPING = new Error('stopping');

let clock: ManualClock;
let parent: AbortController;
let deadline: Deadline;
/** Why the deadline came, each time that it told. */
let told: unknown[];

beforeEach(() => {
  clock = new ManualClock();
  parent = new AbortController();
  deadline = new Deadline(clock, parent.signal);
  told = [];
  deadline.onAbort((reason) => told.push(reason));
});

test('comes when time is over, once', () => {
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

test('comes when the parent is aborted, for its reason', () => {
  deadline.set(100, () => LATE);
  parent.abort(STOPPING);
  clock.advance(100);
  expect(told).toEqual([STOPPING]);
});

test('has come already if the parent was aborted before, also without a reason that is true', () => {
  const late = new Deadline(clock, AbortSignal.abort(''));
  expect(late.aborted).toBe(true);
  late.onAbort((reason) => told.push(reason));
  expect(told).toEqual(['']);
});

test('can be set anew', () => {
  deadline.set(100, () => LATE);
  clock.advance(99);
  deadline.set(100, () => LATE);
  clock.advance(99);
  expect(told).toEqual([]);
});

test('tells the last listener only', () => {
  const others: unknown[] = [];
  deadline.onAbort((reason) => others.push(reason));
  parent.abort(STOPPING);
  expect([told, others]).toEqual([[], [STOPPING]]);
});

test('leaves nothing behind once it is cleared', () => {
  deadline.set(100, () => LATE);
  deadline.clear();
  expect(clock.pending).toBe(0);
  expect(getEventListeners(parent.signal, 'abort')).toEqual([]);
  parent.abort(STOPPING);
  expect(told).toEqual([]);
});
