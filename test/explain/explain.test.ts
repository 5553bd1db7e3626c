/* Explanations that users read for each state of an application. */
import type { SparkApplicationSpec } from '../../src/api/spark-application';
import { ApplicationState } from '../../src/api/states';
import { shortDuration, timeUntil } from '../../src/text/duration';
import { explain, type ObservedApplication } from '../../src/explain/explain';
import { remedyFor } from '../../src/explain/remedy';
import { viewOf } from '../../src/model/pod-view';
import type { WholeApplication } from '../../src/model/spark-application';

const NOW = Date.parse('2026-03-01T10:10:00Z');

function known(state: ApplicationState, { spec = {}, status = {}, message, labels, generation, ...others }: {
  spec?: Partial<SparkApplicationSpec>; status?: object; message?: string; labels?: Record<string, string>; generation?: number;
} & Partial<ObservedApplication> = {}): ObservedApplication {
  const application = {
    metadata: { name: 'pi', namespace: 'jobs', uid: '1', creationTimestamp: '2026-03-01T10:00:00Z', labels, generation },
    spec: { driver: {}, executor: { instances: 3 }, ...spec },
    status: { lastSubmissionAttemptTime: '2026-03-01T10:05:00Z', submissionAttempts: 1, executionAttempts: 1, driverInfo: {}, applicationState: { state, errorMessage: message }, ...status },
  } as unknown as WholeApplication;
  return { application, now: NOW, ...others };
}

const pod = (status: object, spec: object = {}) => viewOf({ metadata: { name: 'p' }, spec: { containers: [], ...spec }, status } as never);
const unplaceable = pod({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector." }] });
const unschedulable = pod({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/2 nodes are available: 2 Insufficient cpu.' }] });

test('the remedy is that of the executor in the sentence, even if no node has room for another', () => {
  const mount = { reason: 'FailedMount', message: 'MountVolume.SetUp failed for volume "key" : secret "key" not found', passes: false, isFromEvents: true };
  const preparing = { ...pod({ phase: 'Pending' }), obstacle: mount };
  const room = { role: 'executor', pod: { containers: [{ name: 'main', resources: { requests: { cpu: '8' } } }] } } as never;
  const running = (executors: readonly ReturnType<typeof pod>[]) => explain(known(ApplicationState.RUNNING, { executors, room, status: { executorState: {} } }));
  expect(running([preparing, unschedulable])).toMatchObject({
    sentence: 'The driver runs; 0 of 3 executors run, 2 wait: FailedMount: secret "key" not found',
    remedy: expect.stringMatching(/^create the Secret key, .*; the kubelet checks it after two minutes at the latest$/),
  });
  expect(running([unschedulable, preparing]).remedy).toMatch(/\b8\b/);
});

test('an application that no operator handles', () => {
  const { status: _, ...application } = known(ApplicationState.NEW).application;
  expect(explain({ application, now: NOW })).toEqual({
    headline: 'no operator handles it', sentence: 'It is 10m old and not reconciled yet: no operator runs, none watches the namespace jobs, or it has a long queue', remedy: 'sparkctl doctor -n jobs',
    clauses: ['It is 10m old and not reconciled yet', 'no operator runs, none watches the namespace jobs, or it has a long queue'],
  });
  for (const age of [5_000, 59_000]) {
    const young = { application, now: NOW - 600_000 + age };
    expect(explain(young).sentence).toBe('It waits for an operator of the namespace jobs to submit it');
    expect(explain({ ...young, operator: { isActive: true, evidence: '' } }).sentence).toBe('It is about to be submitted');
  }
});

const retried = { restartPolicy: { type: 'OnFailure', onFailureRetries: 3, onFailureRetryInterval: 600 } } as Partial<SparkApplicationSpec>;

/** Specification that `sparkctl rerun` changed after the attempt began. */
const RERUN = { driver: { annotations: { 'sparkoperator.k8s.io/rerun-at': '2026-03-01T10:09:00.200Z' } } } as Partial<SparkApplicationSpec>;

/** Status of an application that has run for four minutes. */
const RUNS = { conditions: [{ type: 'Running', status: 'True', lastTransitionTime: '2026-03-01T10:06:00Z' }] };

/** The end of a driver's log, as Spark 4.1 writes it: the API server refuses one executor after the other. */
const refusalLog = (requested: string, limited: string) => [1, 2].flatMap((id) => [
  '26/03/01 10:06:10 WARN ExecutorPodsSnapshotsStoreImpl: Exception when notifying snapshot subscriber.',
  'io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: POST at: https://kubernetes.default.svc/api/v1/namespaces/jobs/pods. '
  + `Message: pods "pi-exec-${id}" is forbidden: exceeded quota: tiny, requested: ${requested}, used: requests.cpu=100m, limited: ${limited}. Received status: Status(apiVersion=v1, code=403, reason=Forbidden).`,
  '\tat io.fabric8.kubernetes.client.KubernetesClientException.copyAsCause(KubernetesClientException.java:205)',
]).join('\n');

const LOST = 'driver pod not found: it was deleted, or its node is gone';
const NO_ACCOUNT = 'the API server does not create Pod pi-driver: pods "pi-driver" is forbidden: error looking up service account jobs/me: serviceaccount "me" not found (create it with the permissions of a driver, or name another account)';

const CASES: readonly (readonly [what: string, known: ObservedApplication, sentence: string, remedy?: RegExp])[] = [
  ['waits for a node', known(ApplicationState.SUBMITTED, { driver: unschedulable }), 'The driver has waited for 5m: Unschedulable: no node has enough CPU; the operator waits without a limit', /no node has room/],
  [
    'waits for a node since its creation, before which it could not be created',
    known(ApplicationState.SUBMITTED, { driver: unschedulable, status: { conditions: [{ type: 'Submitted', status: 'True', lastTransitionTime: '2026-03-01T10:08:00Z' }] } }),
    'The driver has waited for 2m: Unschedulable: no node has enough CPU; the operator waits without a limit', /no node has room/,
  ],
  [
    'fits no node by its selector', known(ApplicationState.SUBMITTED, { driver: unplaceable }),
    'The driver has waited for 5m: Unschedulable: no node fits its selector or affinity; the operator waits without a limit', /^correct spec\.nodeSelector/,
  ],
  [
    'retries without a driver yet', known(ApplicationState.PENDING_RERUN, { message: 'driver cannot be created yet: pods "pi-driver" is forbidden: exceeded quota: tiny' }),
    'The driver cannot be created yet: pods "pi-driver" is forbidden: exceeded quota: tiny', /ResourceQuota/,
  ],
  [
    'resumes without a driver yet', known(ApplicationState.RESUMING, { message: 'driver cannot be created yet: exceeded quota: tiny' }),
    'The driver cannot be created yet: exceeded quota: tiny', /ResourceQuota/,
  ],
  [
    'waits for a ConfigMap', known(ApplicationState.SUBMITTED, { message: 'FailedMount: configmap "nocm" not found' }),
    'The driver has waited for 5m: FailedMount: configmap "nocm" not found', /^create the ConfigMap nocm, .*; the kubelet checks it after two minutes at the latest$/,
  ],
  ['is prepared', known(ApplicationState.SUBMITTED, { driver: pod({ phase: 'Pending' }, { nodeName: 'node-1' }) }), 'The driver has waited for 5m, on node node-1, which prepares it'],
  ['has an image that is not there', known(ApplicationState.SUBMITTED, { message: 'ImagePullBackOff: Back-off pulling image "x"' }), 'The driver has waited for 5m: ImagePullBackOff: Back-off pulling image "x"', /spec\.image/],
  ['runs with few executors', known(ApplicationState.RUNNING, { executors: [pod({ phase: 'Running' }), unschedulable] }), 'The driver runs; 1 of 3 executors runs, 1 waits: Unschedulable: no node has enough CPU', /no node/],
  ['runs with executors that come and go', known(ApplicationState.RUNNING, { spec: { dynamicAllocation: { enabled: true } }, status: { executorState: { a: 'RUNNING', b: 'COMPLETED' } } }), 'The driver runs; 1 executor runs'],
  ['runs with fewer executors than its quota has room for', known(ApplicationState.RUNNING, { driverLog: refusalLog('requests.cpu=100m', 'requests.cpu=150m'), status: RUNS }), 'The driver runs; 0 of 3 executors run; the API server rejects more: pods "pi-exec-2" is forbidden: exceeded quota: tiny, requested: requests.cpu=100m, used: requests.cpu=100m, limited: requests.cpu=150m', /^ask for less, or for a larger ResourceQuota; if other pods use it, /],
  ['runs with executors that its quota never has room for', known(ApplicationState.RUNNING, { driverLog: refusalLog('pods=1,requests.cpu=200m', 'pods=9,requests.cpu=150m'), status: RUNS }), 'The driver runs; 0 of 3 executors run; the API server rejects more: pods "pi-exec-2" is forbidden: exceeded quota: tiny, requested: pods=1,requests.cpu=200m, used: requests.cpu=100m, limited: pods=9,requests.cpu=150m', /^ask for less, or for a larger ResourceQuota/],
  ['has its executors, and was refused some before', known(ApplicationState.RUNNING, { driverLog: refusalLog('pods=1', 'pods=1'), status: { ...RUNS, executorState: { a: 'RUNNING', b: 'RUNNING', c: 'RUNNING' } } }), 'The driver runs; 3 of 3 executors run'],
  ['has just started, and was refused an executor', known(ApplicationState.RUNNING, { driverLog: refusalLog('pods=1', 'pods=1'), status: { conditions: [{ type: 'Running', status: 'True', lastTransitionTime: '2026-03-01T10:09:50Z' }] } }), 'The driver runs; 0 of 3 executors run'],
  ['runs, and its executors fail', known(ApplicationState.RUNNING, { status: { executorState: { a: 'PENDING', b: 'FAILED' }, attemptHistory: [{ executors: { failed: 4, failures: [{ reason: 'OOMKilled', exitCode: 137, count: 4 }] } }] } }), 'The driver runs; 0 of 3 executors run, 1 waits; 4 executors failed: OOMKilled, exit code 137', /^raise spec\.executor\.memoryOverhead/],
  ['has executors, and one failed before', known(ApplicationState.RUNNING, { status: { executorState: { a: 'RUNNING' }, attemptHistory: [{ executors: { failed: 1, failures: [{ reason: 'Evicted', count: 1 }] } }] } }), 'The driver runs; 1 of 3 executors runs; 1 executor failed: Evicted'],
  ['was ended by Spark, as executors failed', known(ApplicationState.FAILED, { message: 'driver container failed with ExitCode: 11, Reason: Error; too many executors failed: spark.executor.maxNumFailures', status: { attemptHistory: [{ executors: { failed: 5, failures: [{ reason: 'OOMKilled', exitCode: 137, count: 5 }] } }] } }), 'It failed: the driver ended with exit code 11: too many executors failed: spark.executor.maxNumFailures; 5 executors failed: OOMKilled, exit code 137', /^raise spec\.executor\.memoryOverhead/],
  ['runs with its only executor', known(ApplicationState.RUNNING, { spec: { executor: { instances: 1 } }, status: { executorState: { a: 'RUNNING' } } }), 'The driver runs; 1 of 1 executor runs'],
  ['runs with executors by a property', known(ApplicationState.RUNNING, { spec: { executor: {}, sparkConf: { 'spark.executor.instances': '3' } }, status: { executorState: { a: 'RUNNING' } } } as never), 'The driver runs; 1 of 3 executors runs'],
  ['is tried again', known(ApplicationState.FAILING, { spec: retried, message: 'exit code 1' }), 'Attempt 1 of 4 failed: exit code 1; it is tried again in 5m', /^sparkctl log pi -n jobs$/],
  ['is tried again after a failed submission', known(ApplicationState.FAILING, { spec: retried, message: 'exit code 1', status: { submissionAttempts: 2 } }), 'Attempt 2 failed: exit code 1; it is tried again in 5m', /^sparkctl log/],
  ['is tried again after an exception with a full stop', known(ApplicationState.FAILING, { spec: { restartPolicy: { type: 'Always' } } as never, message: 'driver container failed with ExitCode: 1, Reason: Error; ValueError: no rows.' }), 'Attempt 1 failed: ValueError: no rows; it is about to be tried again', /^sparkctl log/],
  ['failed', known(ApplicationState.FAILED, { message: 'driver container failed: exit code 137, OOMKilled', status: { terminationTime: '2026-03-01T10:08:00Z', submissionAttempts: 3 } }), 'It failed after 3 attempts, the last one of 3m: driver container failed: exit code 137, OOMKilled', /out of memory/],
  ['completed after a rerun', known(ApplicationState.COMPLETED, { status: { terminationTime: '2026-03-01T10:06:12Z' } }), 'It completed after 1m12s'],
  ['was changed, which no operator has seen', known(ApplicationState.COMPLETED, { generation: 2, status: { observedGeneration: 1, terminationTime: '2026-03-01T10:06:12Z' } }), 'It completed after 1m12s; its specification has changed since, which no operator has reconciled yet'],
  ['was run again, which no operator has seen', known(ApplicationState.COMPLETED, { spec: RERUN, generation: 2, status: { observedGeneration: 1 } }), 'It completed; a rerun was requested since, which no operator has reconciled yet'],
  ['failed with a full stop and was run again, which no operator has seen', known(ApplicationState.FAILED, { spec: RERUN, generation: 2, message: 'no luck.', status: { observedGeneration: 1 } }), 'It failed: no luck; a rerun was requested since, which no operator has reconciled yet', /^sparkctl log/],
  ['was edited after a rerun of the same second', known(ApplicationState.INVALIDATING, { spec: RERUN, status: { lastSubmissionAttemptTime: '2026-03-01T10:09:00Z' } }), 'Its specification was changed: the objects of the old one are being removed, then it is restarted'],
  ['is run again', known(ApplicationState.INVALIDATING, { spec: RERUN }), 'A rerun was requested: the objects of the previous run are being removed, then it starts'],
  ['is run again with another specification', known(ApplicationState.INVALIDATING), 'Its specification was changed: the objects of the old one are being removed, then it is restarted'],
  ['failed for a reason of its own', known(ApplicationState.FAILED, { message: 'exit code 1' }), 'It failed: exit code 1', /^sparkctl log pi -n jobs$/],
  ['failed with an exception', known(ApplicationState.FAILED, { message: 'driver container failed with ExitCode: 1, Reason: Error; ValueError: no rows (job.py:3)' }), 'It failed: ValueError: no rows (job.py:3)', /^sparkctl log pi -n jobs$/],
  ['failed with an exception that only the log has', known(ApplicationState.FAILED, { message: 'driver container failed with ExitCode: 1, Reason: Error; last output: row 7', driverLog: 'x\nException in thread "main" java.lang.IllegalStateException: no rows\n\tat com.acme.Job.main(Job.java:3)' }), 'It failed: IllegalStateException: no rows (Job.java:3)', /^sparkctl log/],
  ['ended without a word', known(ApplicationState.FAILED, { message: 'driver container failed with ExitCode: 3, Reason: Error; last output: row 7' }), 'It failed: the driver ended with exit code 3; last output: row 7', /^sparkctl log/],
  ['was terminated', known(ApplicationState.FAILED, { message: 'driver container failed with ExitCode: 143, Reason: Error; terminated by SIGTERM' }), 'It failed: the driver ended with exit code 143: terminated by SIGTERM', /^sparkctl log/],
  ['exceeded the memory limit of its driver', known(ApplicationState.FAILED, { message: "driver container failed with ExitCode: 137, Reason: OOMKilled; the driver's container exceeded its memory limit of 1408Mi (spec.driver.memory 1g + overhead 384m)" }), "It failed: the driver's container exceeded its memory limit of 1408Mi (spec.driver.memory 1g + overhead 384m)", /^raise spec\.driver\.memoryOverhead/],
  ['exceeded the memory limit of its driver, by an older operator', known(ApplicationState.FAILED, { message: 'driver container failed with ExitCode: 137, Reason: OOMKilled; -driver-svc.jobs.svc, 7079, None)\nrow 1\nrow 2' }), "It failed: the driver's container exceeded its memory limit", /^raise spec\.driver\.memoryOverhead/],
  ['filled the heap of its driver', known(ApplicationState.FAILED, { spec: { driver: { memory: '2g' } }, message: 'driver container failed with ExitCode: 1, Reason: Error; OutOfMemoryError: Java heap space (Job.java:3)' }), 'It failed: OutOfMemoryError: Java heap space in the driver (spec.driver.memory 2g) (Job.java:3)', /^raise spec\.driver\.memory,/],
  ['lost an executor without memory', known(ApplicationState.FAILED, { message: 'driver container failed with ExitCode: 1, Reason: Error; executor 2 was killed with exit code 137 (OOMKilled): its container exceeded its memory limit' }), 'It failed: executor 2 was killed with exit code 137 (OOMKilled): its container exceeded its memory limit', /^raise spec\.executor\.memoryOverhead/],
  ['lacks a permission', known(ApplicationState.FAILED, { message: 'driver container failed with ExitCode: 1, Reason: Error; the service account jobs/spark has no permission to create pods in namespace jobs' }), 'It failed: the service account jobs/spark has no permission to create pods in namespace jobs', /^bind a Role with all permissions of a driver to the service account jobs\/spark, which cannot create pods in namespace jobs/],
  ['was refused, without spark-submit', known(ApplicationState.FAILED, { message: 'failed to run spark-submit: the API server does not create Pod pi-driver: serviceaccount "me" not found' }), 'It failed: the API server does not create Pod pi-driver: serviceaccount "me" not found', /service account/],
  ['waits for its account', known(ApplicationState.NEW, { message: `driver cannot be created yet: ${NO_ACCOUNT}` }), 'The driver cannot be created yet: ServiceAccount jobs/me not found', /^create the service account/],
  ['had no account', known(ApplicationState.FAILED, { message: `failed to run spark-submit: ${NO_ACCOUNT} (the operator gave up after 5m)` }), 'It failed: ServiceAccount jobs/me not found (the operator gave up after 5m)', /^create the service account/],
  ['did not start in time', known(ApplicationState.FAILED, { message: 'driver does not start: Unschedulable: 0/2 nodes are available: 2 Insufficient cpu. (activeDeadlineSeconds are over: 30)' }), 'It failed: Unschedulable: no node has enough CPU (activeDeadlineSeconds are over: 30)', /no node has room/],
  ['took too long', known(ApplicationState.FAILED, { message: 'the attempt took longer than activeDeadlineSeconds allows (30 s)' }), 'It failed: the attempt took longer than activeDeadlineSeconds allows (30 s)', /^raise spec\.activeDeadlineSeconds/],
  ['lost its driver', known(ApplicationState.FAILED, { message: LOST, status: { terminationTime: '2026-03-01T10:08:00Z' } }), `It failed: ${LOST}`, /^sparkctl event pi -n jobs$/],
  ['failed, and its driver was deleted', known(ApplicationState.FAILED, { message: 'exit code 1', executors: [] }), 'It failed: exit code 1', /^sparkctl event pi -n jobs$/],
  ['failed as its pod was deleted', known(ApplicationState.FAILED, { message: 'driver container failed with ExitCode: 143, Reason: Error; its pod was deleted', driver: pod({ phase: 'Failed' }), executors: [] }), 'It failed: its pod was deleted', /^sparkctl event pi -n jobs$/],
  ['failed before its driver started', known(ApplicationState.FAILED, { message: 'x', status: { submissionID: 'a', attemptHistory: [{ submissionID: 'a', result: 'Failed', driverPodName: 'p' }] } }), 'It failed: x', /^sparkctl event pi -n jobs$/],
  ['was suspended', known(ApplicationState.SUSPENDED), 'It is suspended and has no pods', /^sparkctl resume pi -n jobs$/],
  ['waits for Kueue', known(ApplicationState.SUSPENDED, { labels: { 'kueue.x-k8s.io/queue-name': 'team-a' } }), 'It waits until Kueue admits it to its queue team-a', /workloads/],
  ['is of a later version', known('NAPPING' as ApplicationState), 'It is in state NAPPING, which a later version of the operator has written', /that version/],
];

test.each(CASES.map(([what, given, sentence, remedy]) => ({ what, given, sentence, remedy })))('an application that $what', ({ given, sentence, remedy }) => {
  const explanation = explain(given);
  expect(explanation.sentence).toBe(sentence);
  if (remedy) expect(explanation.remedy).toMatch(remedy);
  else expect(explanation.remedy).toBeUndefined();
  for (const clause of explanation.clauses) expect(sentence).toContain(clause);
  expect(explanation.clauses.join('').length).toBeGreaterThanOrEqual(sentence.length - 2 * explanation.clauses.length);
});

test.each<[what: string, given: ObservedApplication, clauses: string[]]>([
  ['failed', known(ApplicationState.FAILED, { message: 'ValueError: no rows; all empty (job.py:3)' }), ['ValueError: no rows; all empty (job.py:3)', 'It failed']],
  ['is tried again', known(ApplicationState.FAILING, { message: 'exit code 1' }), ['exit code 1', 'Attempt 1 failed']],
  ['waits for its account', known(ApplicationState.NEW, { message: `driver cannot be created yet: ${NO_ACCOUNT}` }), ['ServiceAccount jobs/me not found', 'The driver cannot be created yet']],
  ['completed', known(ApplicationState.COMPLETED), ['It completed']],
  ['runs', known(ApplicationState.RUNNING, { status: { executorState: { a: 'RUNNING', b: 'RUNNING' } } }), ['The driver runs', '2 of 3 executors run']],
  ['lacks an executor', known(ApplicationState.RUNNING, { executors: [unschedulable] }), [
    '0 of 3 executors run, 1 waits: Unschedulable: no node has enough CPU', 'The driver runs',
  ]],
  ['has a driver that is being deleted', known(ApplicationState.RUNNING, {
    driver: viewOf({ metadata: { name: 'p', deletionTimestamp: '2026-03-01T10:09:00Z' }, spec: { containers: [] }, status: { phase: 'Running' } } as never), status: { executorState: { a: 'RUNNING' } },
  }), ['The driver is being deleted', '1 of 3 executors runs']],
])('the cause of an application that %s is the first clause', (_, given, clauses) => {
  expect(explain(given).clauses).toEqual(clauses);
});

test('each state has its own explanation', () => {
  for (const state of Object.values(ApplicationState)) expect(explain(known(state)).headline).not.toBe(state);
});

test.each([
  [{ a: 'RUNNING' }, 'runs'], [{ a: 'RUNNING', b: 'PENDING' }, 'runs, and waits for more executors'], [{ a: 'PENDING', b: 'FAILED' }, 'waits for executors'],
])('executors %j: %s', (executorState, headline) => {
  expect(explain(known(ApplicationState.RUNNING, { status: { executorState } })).headline).toBe(headline);
});

test.each([[0, '0s'], [-5_000, '0s'], [59_999, '59s'], [60_000, '1m'], [192_000, '3m12s'], [3_599_000, '59m'], [5 * 3_600_000 + 59_000, '5h'], [183_600_000, '2d3h'], [Number.NaN, '0s']])('a duration: %d ms is %s', (milliseconds, text) => {
  expect(shortDuration(milliseconds)).toBe(text);
});

test('the time until an event is that of its interval at the begin', () => {
  expect([90 * 60_000 - 1, 300, 0, -5].map(timeUntil)).toEqual(['1h30m', '1s', '0s', '0s']);
});

test('some reasons have no remedy', () => {
  expect(remedyFor('something else')).toBeUndefined();
  expect(remedyFor('pods "x" is forbidden: exceeded quota: compute')).toMatch(/ResourceQuota/);
});

test.each([
  ['init container fetch failed with ExitCode: 137, Reason: OOMKilled; the init container fetch exceeded its memory limit', /^raise the memory limit of the init container fetch/],
  ["failed to run spark-submit: it was terminated: OOMKilled; its limit is the driver's, at most 1Gi", /^raise spec\.driver\.memory or spec\.driver\.memoryOverhead/],
  ['the driver ended with exit code 137: killed by SIGKILL', /^it might have run out of memory: raise spec\.driver\.memoryOverhead or spec\.driver\.memory$/],
  ['a Python worker crashed in executor 1, often at the memory limit of its container (job.py:9)', /^raise spec\.executor\.memoryOverhead/],
  ['a Python worker crashed in the driver, often at the memory limit of its container', /^raise spec\.driver\.memoryOverhead/],
  ['Maven package a:b:1 was not found', /^correct spec\.deps\.packages/],
  ['Maven package a:b:1 was not found: the host repo.example.org of a repository is unknown', /^the cluster cannot resolve repo\.example\.org: check its DNS/],
  ['the driver did not reach the API server in time (TimeoutException)', /^run it again; .*spark\.kubernetes\.driver\.requestTimeout/],
  ['executor 3 ended with exit code 137 (killed by SIGKILL)', /^it might have run out of memory: raise spec\.executor\.memoryOverhead or spec\.executor\.memory$/],
  ['the driver ended with exit code 52: out of memory: a Java OutOfMemoryError', /^raise spec\.driver\.memory, /],
  ['AmazonS3Exception: Forbidden (Service: Amazon S3; Status Code: 403; Error Code: 403 Forbidden)', /^the object store denies access/],
  ['AccessDeniedException: s3a://sales-raw/2026/11/27: getFileStatus on s3a://sales-raw/2026/11/27', /^the object store denies access/],
  ['HTTPError: HTTP Error 403: Forbidden (job.py:3)', undefined],
  ['Unschedulable: 0/1 nodes are available: 1 PodGroup not found.', /^the scheduler did not know its PodGroup yet/],
  ['Unschedulable: 0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found', /^a PersistentVolumeClaim of its namespace is not bound: `kubectl get pvc`/],
  ['Unschedulable: 0/2 nodes are available: 2 Too many pods', /^no node has room for it/],
  ['Unschedulable: 0/2 nodes are available: 2 node(s) had volume node affinity conflict', /^no node takes it: change what the message names/],
  ["CreateContainerConfigError: couldn't find key k in Secret jobs/nosec2", /^add the key k to the Secret nosec2, or correct it/],
  ['FailedMount: references non-existent config key: etl.conf', /^add the key etl\.conf to its Secret or ConfigMap, or correct it in the specification$/],
  ['FailedMount: configmap "nocm" not found', /^create the ConfigMap nocm, or correct its name in the specification$/],
  ['CreateContainerConfigError: secret "nosecret" not found', /^create the Secret nosecret, or correct its name in the specification$/],
  ['pods "x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true', /securityContext/],
  ['pods is forbidden: User "system:serviceaccount:jobs:spark" cannot create resource "pods"', /^the service account lacks a permission/],
] as const)('the remedy for: %s', (reason, remedy) => {
  if (remedy) expect(remedyFor(reason)).toMatch(remedy);
  else expect(remedyFor(reason)).toBeUndefined();
});
