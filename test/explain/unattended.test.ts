/* Explanations without an operator: what the status does not have. */
import { explain, type ObservedApplication } from '../../src/explain/explain';
import { viewOf } from '../../src/model/pod-view';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

const running = (others: Partial<ObservedApplication>): ObservedApplication => ({
  application: {
    metadata: {
      name: 'pi', namespace: 'jobs', uid: '1', generation: 1, creationTimestamp: ago(60),
      managedFields: [{ manager: 'kubectl', time: ago(60) }, { manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: ago(53) }],
    },
    spec: { driver: {}, executor: { instances: 2 } },
    status: { applicationState: { state: 'RUNNING' }, driverInfo: { podName: 'pi-driver' }, executorState: { a: 'RUNNING', b: 'RUNNING' }, observedGeneration: 1 },
  } as unknown as ObservedApplication['application'],
  now: NOW, ...others,
});

const stopped = { isActive: false, evidence: 'the Lease ops/lock was last renewed 53m ago' };
const driver = (status: object) => viewOf({ metadata: { name: 'pi-driver' }, spec: { containers: [] }, status } as never);
const ended = (exitCode: number) => driver({ phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses: [{ name: 'x', state: { terminated: { exitCode } } }] });

const NONE = 'No operator handles the namespace jobs: the Lease ops/lock was last renewed 53m ago. Its status has been RUNNING for 53m';

test.each<[string, Partial<ObservedApplication>, string]>([
  ['the driver was deleted', { operator: stopped, isDriverGone: true }, `${NONE}; the pod of its driver does not exist any more`],
  ['the driver still runs', { operator: stopped, driver: driver({ phase: 'Running' }) }, `${NONE}; its driver runs`],
  [
    'the driver fits on no node', { operator: stopped, driver: driver({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] }) },
    `${NONE}; its driver has not started: Unschedulable: no node has enough CPU`,
  ],
  [
    'an executor fits on no node', {
      operator: stopped, driver: driver({ phase: 'Running' }),
      executors: [driver({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] })],
    }, `${NONE}; its driver runs; 0 of 2 executors run, 1 waits: Unschedulable: no node has enough CPU`,
  ],
  ['the driver has ended', { operator: stopped, driver: ended(0) }, `${NONE}; its driver has ended with exit code 0`],
  ['the driver has failed', { operator: stopped, driver: ended(3) }, `${NONE}; its driver has failed with exit code 3`],
  ['pods cannot be read', { operator: stopped }, NONE],
  ['the Lease cannot be read', { isDriverGone: true }, 'The pod pi-driver of its driver does not exist any more. Its status is 53m old, and no operator has recorded that: check whether one handles the namespace jobs'],
])('%s', (_, others, sentence) => {
  expect(explain(running(others))).toMatchObject({ sentence, remedy: 'sparkctl doctor -n jobs' });
});

test('the time is that of the state, not of the last write of the status', () => {
  const { application } = running({});
  const conditions = [{ type: 'Running', status: 'True', lastTransitionTime: ago(55) }];
  const known = { ...application, status: { ...application.status!, conditions } } as typeof application;
  expect(explain(running({ application: known, operator: stopped })).sentence).toMatch(/Its status has been RUNNING for 55m$/);
});

test.each([
  ['FAILED', { 'sparkoperator.k8s.io/rerun-at': ago(1) }, '; a rerun was requested since'], ['COMPLETED', {}, '; its specification has changed since'],
  ['SUSPENDED', {}, '; it was resumed since'],
])('%s, and another run was requested (%j)', (state, annotations, rest) => {
  const { metadata, spec, status } = running({}).application;
  const application = {
    metadata: { ...metadata, generation: 2 }, spec: { ...spec, driver: { annotations } },
    status: { ...status!, applicationState: { state }, lastSubmissionAttemptTime: ago(55) },
  } as unknown as ObservedApplication['application'];
  expect(explain(running({ application, operator: stopped })).sentence).toMatch(new RegExp(`Its status has been ${state} for 55m${rest}$`));
});

test('the cause of a failure stays after a rerun was requested', () => {
  const { metadata, spec, status } = running({}).application;
  const application = {
    metadata: { ...metadata, generation: 2 }, spec: { ...spec, driver: { annotations: { 'sparkoperator.k8s.io/rerun-at': ago(1) } } },
    status: { ...status!, applicationState: { state: 'FAILED', errorMessage: "KeyError: 'b' (etl.py:8)." }, lastSubmissionAttemptTime: ago(55) },
  } as unknown as ObservedApplication['application'];
  expect(explain(running({ application, operator: stopped })).sentence).toMatch(
    /Its status has been FAILED for 55m: KeyError: 'b' \(etl.py:8\); a rerun was requested since$/,
  );
});

test('with an active operator the status is explained', () => {
  expect(explain(running({ operator: { isActive: true, evidence: '' } })).sentence).toBe('The driver runs; 2 of 2 executors run');
});

test('a finished application needs no operator', () => {
  const { application } = running({});
  const completed = { ...application, status: { ...application.status!, applicationState: { state: 'COMPLETED' } } } as typeof application;
  expect(explain({ application: completed, operator: stopped, now: NOW }).headline).toBe('completed');
});
