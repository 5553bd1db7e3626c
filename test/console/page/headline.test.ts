/* Explanation of a state, with its cause first. */
import { headlineOf } from '../../../src/console/page/headline';
import type { ApplicationRow } from '../../../src/console/wire';

const row = (attention = false): ApplicationRow => ({
  namespace: 'jobs', name: 'pi', uid: 'pi', state: 'RUNNING', created: 0, attempts: 1, ...(attention && { attention: true }),
});

test.each<[sentence: string, headline: string, text: string | undefined]>([
  ["It failed after 34s: KeyError: 'b' (etl.py:8)", "KeyError: 'b' (etl.py:8)", 'It failed after 34s.'],
  ['It failed: the driver ended with exit code 1; last output: row 7', 'The driver ended with exit code 1; last output: row 7', 'It failed.'],
  ['Attempt 1 of 3 failed: ValueError: no rows; it is tried again in 10s', 'ValueError: no rows', 'Attempt 1 of 3 failed. It is tried again in 10s.'],
  ["It failed: python3: can't open file 'a.py'", "python3: can't open file 'a.py'", 'It failed.'],
  ['The driver has waited for 36s: Unschedulable: no node has enough CPU', 'Unschedulable: no node has enough CPU', 'The driver has waited for 36s.'],
  ['The driver has waited for 2s, and has no node yet', 'The driver has waited for 2s, and has no node yet', undefined],
  ['It completed after 31s', 'It completed after 31s', undefined],
  ['No operator handles the namespace jobs: the Lease ops/lock was last renewed 5m ago', 'No operator handles the namespace jobs', 'The Lease ops/lock was last renewed 5m ago.'],
  ['The driver runs; 2 executors run', 'The driver runs', '2 executors run.'],
])('%s', (sentence, headline, text) => {
  expect(headlineOf({ row: row(), sentence })).toEqual({ headline, ...(text !== undefined && { text }) });
});

test('executors that do not start are the cause', () => {
  expect(headlineOf({ row: row(true), sentence: 'The driver runs; 0 of 1 executor runs, 1 waits: Unschedulable: no node has enough CPU' })).toEqual({
    headline: '0 of 1 executor runs, 1 waits: Unschedulable: no node has enough CPU', text: 'The driver runs.',
  });
});

test('the end of the wait is a sentence of its own', () => {
  expect(headlineOf({ row: row(), sentence: 'The driver has waited for 36s: ImagePullBackOff', giveUp: 'the operator gives up in about 3m' }))
    .toEqual({ headline: 'ImagePullBackOff', text: 'The driver has waited for 36s. The operator gives up in about 3m.' });
});
