/* The reason of a state in the list: in a few words, and what the message says beyond them. */
import { reasonText } from '../../../src/console/page/reason';
import { widthOf } from '../../../src/console/page/text-width';
import type { ApplicationRow } from '../../../src/console/wire';

const NOW = { hasOperator: true, now: 0 };

function row(shortReason?: string, reason?: string, more: Partial<ApplicationRow> = {}): ApplicationRow {
  return {
    namespace: 'jobs', name: 'pi', uid: 'pi', state: 'FAILED', created: 0, attempts: 1,
    ...(shortReason !== undefined && { shortReason }), ...(reason !== undefined && { reason }), ...more,
  };
}

test.each<[short: string | undefined, message: string | undefined, rest: string | undefined]>([
  ['ConnectException', 'ConnectException: Connection refused: db:5432 (Orders.java:2)', 'Connection refused: db:5432 (Orders.java:2)'],
  ['ImagePullBackOff', 'ImagePullBackOff: the registry of the image a cannot be resolved', 'the registry of the image a cannot be resolved'],
  ['class not found', 'Failed to load class com.example.Order.', 'Failed to load class com.example.Order.'],
  ['exit code 1', 'exit code 137: killed by SIGKILL', 'exit code 137: killed by SIGKILL'],
  [undefined, 'no reason is known', 'no reason is known'],
  ['no operator', undefined, undefined],
  // Nothing new.
  ['exit code 1', 'the driver ended with exit code 1', undefined],
  ['pod deleted', 'its pod was deleted', undefined],
  ['no node has enough CPU', 'Unschedulable: no node has enough CPU', undefined],
  ['missing ConfigMap no-such-config', 'FailedMount: configmap "no-such-config" not found (waited 300 s for it)', undefined],
  ['FailedMount', 'FailedMount', undefined],
])('%j and %j: the rest is %j', (short, message, rest) => {
  expect(reasonText(row(short, message), NOW)).toEqual({ ...(short !== undefined && { short }), ...(rest !== undefined && { rest }) });
});

test('a reason has the first line of the message, and the time of the next attempt', () => {
  expect(reasonText(row('exit code 1', 'two\nlines', { retryAt: 4_500 }), NOW)).toEqual({ short: 'exit code 1', wait: '(again in 5s)', rest: 'two' });
  expect(reasonText(row(undefined, undefined, { retryAt: 0 }), NOW)).toEqual({ wait: '(again soon)' });
});

test('a column is as wide as its longest text', () => {
  expect([widthOf([]), widthOf(['pi', 'etl-daily', 'etl'])]).toEqual([0, 72]);
});
