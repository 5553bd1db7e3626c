import { viewOf } from '../../../../src/model/pod-view';
import { submitterFailure } from '../../../../src/operator/kinds/spark-application/submitter-failure';

const STARTED = Date.parse('2026-03-01T10:00:00Z');
const failure = (status: object, seconds: number) => submitterFailure(viewOf({
  metadata: { name: 'pi-submit', labels: { 'spark-role': 'submitter' } }, status: { startTime: '2026-03-01T10:00:00Z', ...status },
} as never), 300_000, STARTED + seconds * 1_000);

test('a Pod that starts or runs within its deadline has no failure', () => {
  expect(failure({ phase: 'Pending' }, 5)).toBeUndefined();
  expect(failure({ phase: 'Running' }, 359)).toBeUndefined();
});

test('an obstacle to its start is reported, and needs user action unless it can disappear', () => {
  const waiting = { reason: 'ImagePullBackOff', message: 'not found' };
  expect(failure({ phase: 'Pending', containerStatuses: [{ name: 'spark-submit', state: { waiting } }] }, 5)).toEqual({
    reason: 'spark-submit does not start: ImagePullBackOff: not found', kind: 'lasting',
  });
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes' }];
  expect(failure({ phase: 'Pending', startTime: undefined, conditions }, 5)).toEqual({
    reason: 'spark-submit does not start: Unschedulable: 0/1 nodes', kind: 'passing',
  });
});

test('a Pod that still runs a minute after its deadline is reported as on an unreachable node', () => {
  expect(failure({ phase: 'Running' }, 361)).toEqual({
    reason: 'Pod pi-submit runs for longer than its deadline of 300 s; its node might be unreachable', kind: 'lasting',
  });
});
