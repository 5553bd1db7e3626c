/* The few words behind the state in lists. */
import { ApplicationState } from '../../src/api/states';
import type { ObservedApplication } from '../../src/explain/explain';
import { obstacleWords } from '../../src/explain/obstacle-words';
import { reasonText, shortReason } from '../../src/explain/short-reason';
import { viewOf } from '../../src/model/pod-view';
import type { WholeApplication } from '../../src/model/spark-application';

const NOW = Date.parse('2026-03-01T10:10:00Z');
const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

const REFUSED = 'KubernetesClientException: Failure executing: POST at: https://kubernetes/api/v1/namespaces/jobs/pods. Message: pods "x-exec-1" is forbidden: exceeded quota: tiny, requested: pods=1, used: pods=1, limited: pods=1. Received status: Status(code=403).';

function known(state: string, { message, spec = {}, status = {}, metadata = {}, ...others }: {
  message?: string; spec?: object; status?: object | null; metadata?: object;
} & Partial<ObservedApplication> = {}): ObservedApplication {
  const application = {
    metadata: { name: 'pi', namespace: 'jobs', uid: '1', generation: 1, creationTimestamp: ago(600), ...metadata },
    spec: { driver: {}, executor: { instances: 2 }, ...spec },
    ...(status && { status: { lastSubmissionAttemptTime: ago(300), driverInfo: {}, applicationState: { state, errorMessage: message }, observedGeneration: 1, ...status } }),
  } as unknown as WholeApplication;
  return { application, now: NOW, ...others };
}

const pod = (status: object, created = 10) => viewOf({
  metadata: { name: 'p', creationTimestamp: ago(created) }, spec: { containers: [] }, status: { phase: 'Pending', ...status },
} as never);
const unschedulable = pod({ conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/2 nodes are available: 2 Insufficient cpu.' }] });
const noImage = pod({ containerStatuses: [{ name: 'spark-kubernetes-executor', state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off' } } }] });

const RETRIED = { restartPolicy: { type: 'OnFailure', onFailureRetries: 3, onFailureRetryInterval: 330 } };
const STOPPED = { isActive: false, evidence: 'the Lease ops/lock was last renewed 53m ago' };

/** Status of an application whose executors were OOMKilled. */
const KILLED = { executorState: { a: 'FAILED' }, attemptHistory: [{ executors: { failed: 4, failures: [{ reason: 'Error', exitCode: 1, count: 1 }, { reason: 'OOMKilled', exitCode: 137, count: 3 }] } }] };

test.each<[string, ObservedApplication, string | undefined, boolean]>([
  ['image', known('SUBMITTED', { message: 'driver does not start: ImagePullBackOff: Back-off pulling image "x"' }), 'ImagePullBackOff', true],
  ['an exception that only the log has', known('FAILED', {
    message: 'driver container failed with ExitCode: 1, Reason: Error', driverLog: 'RuntimeError: the input table is missing\n\tat io.netty.Frame(Frame.java:3)\n',
    status: { terminationTime: ago(60), submissionAttempts: 1 },
  }), 'RuntimeError', true],
  ['no room for the driver', known('SUBMITTED', { driver: unschedulable }), 'no node has enough CPU', true],
  ['ConfigMap', known('SUBMITTED', { message: 'driver does not start: FailedMount: MountVolume.SetUp failed for volume "c" : configmap "settings" not found' }), 'missing ConfigMap settings', true],
  ['account', known('', { message: 'driver cannot be created yet: the API server does not create Pod pi-driver: pods "pi-driver" is forbidden: error looking up service account jobs/me: serviceaccount "me" not found' }), 'missing ServiceAccount me', true],
  ['quota', known('', { message: 'driver cannot be created yet: pods "pi-driver" is forbidden: exceeded quota: compute, requested: cpu=2' }), 'quota compute exceeded', true],
  ['a node prepares it', known('SUBMITTED', { message: 'driver does not start: ContainerCreating: its node has been preparing it', status: { lastSubmissionAttemptTime: ago(70) } }), 'ContainerCreating', false],
  ['a node prepares it for long', known('SUBMITTED', { message: 'driver does not start: ContainerCreating: its node has been preparing it' }), 'ContainerCreating', true],
  ['submitted just now', known('SUBMITTED'), undefined, false],
  ['one executor has no room', known('RUNNING', { executors: [unschedulable] }), '1 executor unschedulable', true],
  ['executors without image', known('RUNNING', { executors: [noImage, noImage, unschedulable] }), '2 executors: ImagePullBackOff', true],
  ['executors that start', known('RUNNING', { executors: [pod({})] }), '1 executor pending', false],
  ['executors that start slowly', known('RUNNING', { executors: [pod({}, 200)] }), '1 executor pending', true],
  ['executors by the status', known('RUNNING', { status: { executorState: { a: 'PENDING', b: 'PENDING' } } }), '2 executors pending', false],
  ['executors that have not started for long, by the status', known('RUNNING', { status: { executorState: { a: 'PENDING', b: 'PENDING' }, conditions: [{ type: 'Running', status: 'True', lastTransitionTime: ago(400) }] } }), '2 executors pending', true],
  ['no executor for long', known('RUNNING', { status: { conditions: [{ type: 'Running', status: 'True', lastTransitionTime: ago(400) }] } }), 'no executors', true],
  ['executors that a quota refuses', known('RUNNING', { driverLog: REFUSED, status: { conditions: [{ type: 'Running', status: 'True', lastTransitionTime: ago(40) }] } }), 'executors: quota tiny exceeded', true],
  ['no executor with dynamic allocation by a property', known('RUNNING', { spec: { executor: {}, sparkConf: { 'spark.dynamicAllocation.enabled': 'true' } }, status: { conditions: [{ type: 'Running', status: 'True', lastTransitionTime: ago(400) }] } }), undefined, false],
  ['executors that fail again and again', known('RUNNING', { executors: [pod({})], status: KILLED }), 'executors OOMKilled', true],
  ['an executor that failed, among others', known('RUNNING', { status: { ...KILLED, executorState: { a: 'RUNNING', b: 'FAILED' } } }), undefined, false],
  ['no executor at the moment, with dynamic allocation', known('RUNNING', { spec: { executor: {}, dynamicAllocation: { enabled: true } }, status: { ...KILLED, executorState: { a: 'FAILED', b: 'UNKNOWN' } } }), undefined, false],
  ['too many executors failed', known('FAILED', { message: 'driver container failed with ExitCode: 11, Reason: Error; Max number of executor failures (3) reached', status: { ...KILLED, terminationTime: ago(60) } }), 'executors OOMKilled', true],
  ['all is well', known('RUNNING', { status: { executorState: { a: 'RUNNING' } } }), undefined, false],
  ['deleted driver', known('RUNNING', { isDriverGone: true }), 'driver is gone', true],
  ['no operator', known('RUNNING', { operator: STOPPED }), 'no operator', true],
  ['no operator yet', known('', { status: null, metadata: { creationTimestamp: ago(61) } }), 'not reconciled', true],
  ['an operator with a long queue', known('', { status: null, metadata: { creationTimestamp: ago(11) }, operator: { isActive: true, evidence: '' } }), undefined, false],
  ['a change that no operator has seen', known('RUNNING', { metadata: { generation: 2, managedFields: [{ manager: 'kubectl', time: ago(90) }] } }), 'not reconciled', true],
  ['a recent change', known('RUNNING', { metadata: { generation: 2, managedFields: [{ manager: 'kubectl', time: ago(9) }] }, status: { executorState: { a: 'RUNNING' } } }), undefined, false],
  ['retried', known('FAILING', { message: 'driver container failed with ExitCode: 1, Reason: Error', spec: RETRIED, status: { executionAttempts: 1 } }), 'exit code 1, retries in 30s', true],
  ['failed', known('FAILED', { message: 'driver container failed with ExitCode: 137, Reason: OOMKilled', status: { terminationTime: ago(60) } }), 'OOMKilled', true],
  ['without its ConfigMap', known('FAILED', { message: 'driver does not start: FailedMount: MountVolume.SetUp failed for volume "v" : configmap "settings" not found (the operator gave up after 5m)', status: { terminationTime: ago(60) } }), 'missing ConfigMap settings', true],
  ['without its account', known('FAILED', { message: 'the API server does not create Pod x: pods "x" is forbidden: error looking up service account jobs/absent: serviceaccount "absent" not found (the operator gave up after 5m)', status: { terminationTime: ago(60) } }), 'missing ServiceAccount absent', true],
  ['not admitted', known('FAILED', { message: 'the API server does not create Pod x: Pod "x" is invalid: spec.dnsConfig.nameservers[0]: Invalid value: "nowhere"', status: { terminationTime: ago(60) } }), undefined, true],
  ['failed long ago', known('FAILED', { message: 'driver container failed with ExitCode: 1, Reason: Error', status: { terminationTime: ago(90_000) } }), 'exit code 1', false],
  ['unreachable node', known('UNKNOWN', { message: 'the state of the driver pod is unknown; its node n might be unreachable' }), 'node is unreachable', true],
  ['queued', known('SUSPENDED', { spec: { suspend: true }, metadata: { labels: { 'kueue.x-k8s.io/queue-name': 'team-a' } }, operator: STOPPED }), 'waits in queue team-a', false],
  ['suspended', known('SUSPENDED', { spec: { suspend: true } }), undefined, false],
  ['run again', known('COMPLETED', { metadata: { generation: 2 } }), 'is about to run again', false],
  ['run again without an operator', known('COMPLETED', { metadata: { generation: 2 }, operator: STOPPED }), 'no operator', true],
  ['a rerun without an operator', known('FAILED', { spec: { driver: { annotations: { 'sparkoperator.k8s.io/rerun-at': ago(20) } } }, metadata: { generation: 2 }, operator: STOPPED }), 'no operator, rerun requested', true],
  ['resumed without an operator', known('SUSPENDED', { metadata: { generation: 2 }, operator: STOPPED }), 'no operator, resume requested', true],
  ['deleted driver without an operator', known('RUNNING', { isDriverGone: true, operator: STOPPED }), 'no operator, driver is gone', true],
  ['a suspension without an operator', known('RUNNING', { spec: { suspend: true }, metadata: { generation: 2 }, operator: STOPPED }), 'no operator, suspension requested', true],
  ['executors without room, and no operator', known('RUNNING', { executors: [unschedulable], operator: STOPPED }), 'no operator, 1 executor unschedulable', true],
  ['no image, and no operator', known('SUBMITTED', { message: 'driver does not start: ImagePullBackOff: Back-off', operator: STOPPED }), 'no operator, ImagePullBackOff', true],
  ['no node with its label', known('SUBMITTED', { message: "driver does not start: Unschedulable: 0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector." }), 'no node fits its selector or affinity', true],
  ['completed', known('COMPLETED', { operator: STOPPED }), undefined, false],
])('%s', (_, observed, text, needsAttention) => {
  const reason = shortReason(observed);
  expect({ text: reasonText(reason, NOW), needsAttention: reason.needsAttention }).toEqual({ text, needsAttention });
});

test('a state of a later version is no error', () => {
  for (const state of [...Object.values(ApplicationState), 'NAPPING']) expect(() => shortReason(known(state))).not.toThrow();
});

test.each([
  ['driver does not start: CreateContainerConfigError: secret "jobs/keys" not found', 'missing Secret keys'],
  ["CreateContainerConfigError: couldn't find key user in Secret jobs/keys", 'missing key user in Secret keys'],
  ['Unschedulable: persistentvolumeclaim "data" not found', 'missing PersistentVolumeClaim data'],
  ["Unschedulable: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.", 'no node fits its selector or affinity'],
  ['driver does not start: Unschedulable: 0/1 nodes are available: 1 node(s) had untolerated taint {gpu: yes}.', 'untolerated taint {gpu: yes}'],
  ['driver cannot be created yet: pods is forbidden: User "x" cannot create resource "pods" in API group ""', 'cannot create pods'],
  ['driver cannot be created yet: admission webhook "policy.example.org" denied the request: no', 'denied by a webhook'],
  ['driver pod pi-driver is still being deleted after more than 60 s', 'its pod is not deleted yet'],
  ['x'.repeat(100), `${'x'.repeat(39)}…`],
])('obstacle: %j', (message, expected) => {
  expect(obstacleWords(message)).toBe(expected);
});
