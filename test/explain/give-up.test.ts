/* When the operator gives up on a driver. */
import { giveUpText, waitsForUser, type AwaitedDriver } from '../../src/explain/give-up';
import { viewOf } from '../../src/model/pod-view';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const within = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

const waiting = (state: string, errorMessage: string | undefined, status: object = {}, driver?: AwaitedDriver['driver']): AwaitedDriver => ({
  application: {
    metadata: { name: 'pi', namespace: 'jobs', uid: '1' }, spec: {}, status: { applicationState: { state, errorMessage }, driverInfo: {}, ...status },
  } as unknown as AwaitedDriver['application'],
  ...(driver && { driver }),
});

const pod = (status: object) => viewOf({ metadata: { name: 'p' }, spec: { containers: [] }, status: { phase: 'Pending', ...status } } as never);
const noImage = pod({ containerStatuses: [{ name: 'x', state: { waiting: { reason: 'ImagePullBackOff' } } }] });
const noRoom = pod({ conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] });

const IMAGE = 'driver does not start: ImagePullBackOff: Back-off pulling image "x"';
const NODE = 'driver does not start: Unschedulable: 0/1 nodes are available';
const ACCOUNT = 'driver cannot be created yet: serviceaccount "x" not found';
const LIMITED = { startDeadlineTime: within(180) };

test.each<[string, AwaitedDriver, string | undefined]>([
  ['an image', waiting('SUBMITTED', IMAGE, LIMITED, noImage), 'the operator gives up in 3m (--driver-start-timeout)'],
  ['an image, by the status', waiting('SUBMITTED', IMAGE, LIMITED), 'the operator gives up in 3m (--driver-start-timeout)'],
  ['an image, nearly over', waiting('SUBMITTED', IMAGE, { startDeadlineTime: within(-2) }), 'the operator gives up soon (--driver-start-timeout)'],
  ['an image, with an earlier deadline', waiting('SUBMITTED', IMAGE, { ...LIMITED, deadlineTime: within(60) }), 'its activeDeadlineSeconds end in 1m'],
  ['an image, with a later deadline', waiting('SUBMITTED', IMAGE, { ...LIMITED, deadlineTime: within(600) }), 'the operator gives up in 3m (--driver-start-timeout)'],
  ['an image, which the operator has not seen yet', waiting('SUBMITTED', undefined, {}, noImage), undefined],
  ['an image, which the operator has not seen yet, with a deadline', waiting('SUBMITTED', undefined, { deadlineTime: within(600) }, noImage), undefined],
  ['a node', waiting('SUBMITTED', undefined, {}, noRoom), 'the operator waits without a limit'],
  ['a node, after an image', waiting('SUBMITTED', IMAGE, LIMITED, noRoom), 'the operator waits without a limit'],
  ['a node, by the status', waiting('SUBMITTED', NODE), 'the operator waits without a limit'],
  ['a node, with a deadline', waiting('SUBMITTED', NODE, { deadlineTime: within(600) }), 'its activeDeadlineSeconds end in 10m'],
  ['a node, with a past deadline', waiting('SUBMITTED', NODE, { deadlineTime: within(-1) }), 'its activeDeadlineSeconds end now'],
  ['an account', waiting('', ACCOUNT, LIMITED), 'the operator gives up in 3m (--driver-start-timeout)'],
  ['a quota', waiting('', 'driver cannot be created yet: pods "x" is forbidden: exceeded quota: compute'), undefined],
  ['an account, under an older CRD', waiting('', ACCOUNT), undefined],
  ['an image, under an older CRD', waiting('SUBMITTED', IMAGE), undefined],
  ['an image, under an older CRD, with a later deadline', waiting('SUBMITTED', IMAGE, { deadlineTime: within(600) }), undefined],
  ['a claim, under an older CRD', waiting('SUBMITTED', 'driver does not start: Unschedulable: persistentvolumeclaim "data" not found'), undefined],
  ['nothing that is known', waiting('SUBMITTED', undefined), undefined],
  ['a running driver', waiting('RUNNING', undefined, LIMITED), undefined],
])('a driver that waits for %s', (_, given, text) => {
  expect(giveUpText(given, NOW)).toBe(text);
});

test.each<[AwaitedDriver, boolean]>([
  [waiting('SUBMITTED', IMAGE, LIMITED), true], [waiting('SUBMITTED', undefined, {}, noImage), true], [waiting('', ACCOUNT, LIMITED), true],
  [waiting('SUBMITTED', NODE), false], [waiting('SUBMITTED', undefined), false], [waiting('RUNNING', undefined), false],
])('whether a driver needs user action: %#', (given, expected) => {
  expect(waitsForUser(given)).toBe(expected);
});
