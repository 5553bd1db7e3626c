/* Why pods do not start, or how they ended, for tables of pods. */
import { podReason } from '../../src/explain/pod-reason';
import { viewOf } from '../../src/model/pod-view';

const pod = (role: string, status: object) => viewOf({
  metadata: { name: 'p', labels: { 'spark-role': role } },
  spec: { containers: [{ name: 'spark-kubernetes-driver', resources: { limits: { memory: '896Mi' } } }] },
  status,
} as never);
const ended = (role: string, terminated: object, others: object = {}) => pod(role, {
  phase: 'Failed', containerStatuses: [{ name: 'spark-kubernetes-driver', state: { terminated } }], ...others,
});

test.each([
  [ended('driver', { exitCode: 137, reason: 'OOMKilled' }), 'OOMKilled, exit code 137: it exceeded its memory limit of 896Mi'],
  [ended('executor', { exitCode: 52, reason: 'Error' }), 'exit code 52: out of memory: a Java OutOfMemoryError'],
  [ended('driver', { exitCode: 52, reason: 'Error' }), 'exit code 52'],
  [ended('driver', { exitCode: 137, reason: 'Error' }, { reason: 'Evicted', message: 'low on memory' }), 'exit code 137: Evicted: low on memory'],
  [ended('driver', { exitCode: 0, reason: 'Completed' }), 'Completed'],
  [pod('executor', { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: x' }] }), 'Unschedulable: no node has enough CPU'],
  [pod('driver', { phase: 'Running' }), ''],
])('%#', (view, text) => expect(podReason(view)).toBe(text));
