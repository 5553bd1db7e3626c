/* When the operator gives up on a driver. */
import { giveUpText, type WaitingDriver } from '../../src/explain/give-up';
import { viewOf } from '../../src/model/pod-view';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

const waiting = (state: string, errorMessage: string | undefined, { status = {}, ...others }: { status?: object } & Partial<WaitingDriver> = {}): WaitingDriver => ({
  application: {
    metadata: { name: 'pi', namespace: 'jobs', uid: '1' }, spec: {},
    status: { applicationState: { state, errorMessage }, lastSubmissionAttemptTime: ago(120), driverInfo: {}, ...status },
  } as unknown as WaitingDriver['application'],
  startTimeout: 300_000, now: NOW, ...others,
});

const pod = (status: object) => viewOf({ metadata: { name: 'p' }, spec: { containers: [] }, status: { phase: 'Pending', ...status } } as never);
const noImage = (startedAgo: number) => pod({ startTime: ago(startedAgo), containerStatuses: [{ name: 'x', state: { waiting: { reason: 'ImagePullBackOff' } } }] });
const noRoom = pod({ conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] });

const IMAGE = 'driver does not start: ImagePullBackOff: Back-off pulling image "x"';

test.each<[string, WaitingDriver, string | undefined]>([
  ['an image', waiting('SUBMITTED', IMAGE), 'the operator gives up in about 3m (--driver-start-timeout=5m)'],
  ['an image, after a long wait for a node', waiting('SUBMITTED', IMAGE, { driver: noImage(60) }), 'the operator gives up in about 4m (--driver-start-timeout=5m)'],
  ['an image, with a longer timeout', waiting('SUBMITTED', IMAGE, { startTimeout: 3_600_000 }), 'the operator gives up in about 58m (--driver-start-timeout=1h)'],
  ['an image, after a restart of the operator', waiting('SUBMITTED', IMAGE, { operatorSince: NOW - 20_000 }), 'the operator gives up in about 4m40s (--driver-start-timeout=5m)'],
  ['an image, nearly over', waiting('SUBMITTED', IMAGE, { status: { lastSubmissionAttemptTime: ago(400) } }), 'the operator gives up soon (--driver-start-timeout=5m)'],
  ['a node', waiting('SUBMITTED', undefined, { driver: noRoom }), 'the operator waits without a limit'],
  ['a node, by the status', waiting('SUBMITTED', 'driver does not start: Unschedulable: 0/1 nodes are available'), 'the operator waits without a limit'],
  ['a node, with a deadline', waiting('SUBMITTED', undefined, { driver: noRoom, status: { deadlineTime: ago(-600) } }), 'its activeDeadlineSeconds end in 10m'],
  ['a missing claim', waiting('SUBMITTED', 'driver does not start: Unschedulable: persistentvolumeclaim "data" not found'), 'the operator gives up in about 3m (--driver-start-timeout=5m)'],
  ['a missing ConfigMap', waiting('SUBMITTED', 'driver does not start: FailedMount: configmap "c" not found'), 'the operator gives up in about 3m (--driver-start-timeout=5m)'],
  ['an account', waiting('', 'driver cannot be created yet: serviceaccount "x" not found'), 'the operator gives up in about 3m (--driver-start-timeout=5m)'],
  ['a quota', waiting('', 'driver cannot be created yet: pods "x" is forbidden: exceeded quota: compute'), 'the operator waits without a limit'],
  ['usable defaults', waiting('', 'driver cannot be created yet: ConfigMap ops/spark-operator-defaults cannot be used: defaults.yaml: is not YAML'), 'the operator waits without a limit'],
  ['defaults that cannot be read', waiting('', 'driver cannot be created yet: ConfigMap ops/spark-operator-defaults, which can hold defaults and limits, cannot be read: 403'), 'the operator waits without a limit'],
  ['another ConfigMap of its name', waiting('', 'driver cannot be created yet: a ConfigMap pi-conf exists that this submission did not create; delete it'), 'the operator gives up in about 3m (--driver-start-timeout=5m)'],
  ['an overloaded API server', waiting('', 'driver cannot be created yet: failed to run spark-submit: the API server answered 429 to POST of pods: too many requests'), 'the operator waits without a limit'],
  ['nothing that is known', waiting('SUBMITTED', undefined), undefined],
  ['a running driver', waiting('RUNNING', undefined), undefined],
])('a driver that waits for %s', (_, given, text) => {
  expect(giveUpText(given)).toBe(text);
});
