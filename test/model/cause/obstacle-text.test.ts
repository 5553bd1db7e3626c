/* Kubernetes' messages about pods that do not start, in fewer words. */
import { obstacleText, schedulerReason } from '../../../src/model/cause/obstacle-text';

const PREEMPTION = '. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';
const pull = (end: string) => 'ImagePullBackOff: Back-off pulling image "example.org/etl/x:9": ErrImagePull: failed to pull and unpack image "example.org/etl/x:9": '
  + `failed to resolve reference "example.org/etl/x:9": ${end}`;
const REFUSED = 'the API server does not create Pod pi-driver: pods "pi-driver" is forbidden: ';
const HEAD = 'failed to do request: Head "https://example.org/v2/etl/x/manifests/9": ';

test.each([
  [`Unschedulable: 0/1 nodes are available: 1 Insufficient memory${PREEMPTION}`, 'Unschedulable: no node has enough memory'],
  ['driver does not start: Unschedulable: 0/2 nodes are available: 1 Insufficient memory, 2 Insufficient cpu.', 'driver does not start: Unschedulable: no node has enough memory and CPU'],
  [`Unschedulable: 0/3 nodes are available: 1 Insufficient memory, 2 node(s) had untolerated taint {a: b}${PREEMPTION}`,
    'Unschedulable: 0/3 nodes are available: 1 Insufficient memory, 2 node(s) had untolerated taint {a: b}'],
  [pull(`${HEAD}dial tcp: lookup example.org on 10.255.255.53:53: read udp 198.19.255.1:45043->10.255.255.53:53: i/o timeout`),
    'ImagePullBackOff: the registry example.org of the image example.org/etl/x:9 cannot be resolved'],
  [`driver does not start: ${pull(`${HEAD}dial tcp: lookup example.org: no such host`)} (the operator gave up after 5m)`,
    'driver does not start: ImagePullBackOff: the registry example.org of the image example.org/etl/x:9 cannot be resolved (the operator gave up after 5m)'],
  [pull(`${HEAD}dial tcp 10.1.2.3:443: connect: connection refused`), 'ImagePullBackOff: the registry example.org of the image example.org/etl/x:9 does not answer'],
  [pull('example.org/etl/x:9: not found'), 'ImagePullBackOff: the registry does not have the image example.org/etl/x:9'],
  [pull('pull access denied, repository does not exist or may require authorization'), 'ImagePullBackOff: the registry denies access to the image example.org/etl/x:9, or does not have it'],
  ['ImagePullBackOff: Back-off pulling image "x"', 'ImagePullBackOff: Back-off pulling image "x"'],
  ['FailedMount: configmap "settings" not found', 'FailedMount: configmap "settings" not found'],
  [`${REFUSED}error looking up service account jobs/etl: serviceaccount "etl" not found (create it with the permissions of a driver, or name another account) (the operator gave up after 5m)`,
    'ServiceAccount jobs/etl not found (the operator gave up after 5m)'],
  [`driver cannot be created yet: ${REFUSED}exceeded quota: compute, requested: pods=1, used: pods=4, limited: pods=4`,
    'driver cannot be created yet: exceeded quota: compute, requested: pods=1, used: pods=4, limited: pods=4'],
  ['the API server does not create Service pi-svc: services "pi-svc" is forbidden: no', 'the API server does not create Service pi-svc: services "pi-svc" is forbidden: no'],
])('%s', (text, expected) => expect(obstacleText(text)).toBe(expected));

test.each([
  ['1 Insufficient cpu, 1 node(s) had untolerated taint {a: b}.', undefined],
  ['2 Insufficient nvidia.com/gpu.', 'no node has enough nvidia.com/gpu'],
  ["2 node(s) didn't match Pod's node affinity/selector. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.", 'no node fits its selector or affinity'],
  ["1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint {a: b}.", undefined],
  ['2 node(s) had untolerated taint {gpu: yes}.', 'all nodes have the untolerated taint {gpu: yes}'],
])('nodes that are unsuitable for one reason: %s', (reasons, expected) => {
  expect(schedulerReason(`0/2 nodes are available: ${reasons}`)).toBe(expected);
});
