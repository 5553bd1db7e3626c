/* Advice for pods that fit on no node, with numbers. */
import { lacksRoom, roomAdvice } from '../../src/explain/room';
import type { Node } from '../../src/model/nodes';

const node = (cpu: string, memory: string, { ready = true, spec = {}, labels = {} }: { ready?: boolean; spec?: object; labels?: Record<string, string> } = {}): Node => ({
  metadata: { name: 'n', labels }, spec, status: { allocatable: { cpu, memory, pods: '110' }, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

const pod = (cpu: string, memory: string, others: object = {}): any => ({
  containers: [{ name: 'spark', resources: { requests: { cpu, memory } } }], ...others,
});

const CONTROL_PLANE = node('64', '256Gi', { spec: { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] } });

test.each<[string, object, Node[] | undefined, string]>([
  ['larger than each node', pod('4', '16Gi'), [node('2', '7970148Ki'), node('1', '4Gi')],
    'ask for less in spec.driver, or give the cluster larger nodes: the driver asks for 4 CPUs and 16Gi; the largest node offers 2 CPUs and 7.6Gi'],
  ['with a sidecar', pod('4', '16Gi', { initContainers: [{ name: 's', restartPolicy: 'Always', resources: { requests: { cpu: '500m', memory: '512Mi' } } }] }), undefined,
    'ask for less in spec.driver, or give the cluster more nodes: the driver asks for 4.5 CPUs and 16.5Gi'],
  ['no larger than a node', pod('1', '1408Mi'), [node('2', '8Gi')],
    'wait until other pods end, ask for less in spec.driver, or give the cluster more nodes: the driver asks for 1 CPU and 1.4Gi; '
    + 'the largest node offers 2 CPUs and 8Gi, a part of which other pods use'],
  ['nodes that do not take it', pod('4', '16Gi'), [CONTROL_PLANE, node('64', '256Gi', { spec: { unschedulable: true } }), node('64', '256Gi', { ready: false }), node('2', '8Gi')],
    'the largest node offers 2 CPUs and 8Gi'],
  ['parts of a CPU', pod('1950m', '896Mi'), [node('2', '8Gi')], 'the driver asks for 1.95 CPUs and 896Mi'],
  ['a tolerated taint', pod('80', '16Gi', { tolerations: [{ operator: 'Exists' }] }), [CONTROL_PLANE, node('2', '8Gi')], 'the largest node offers 64 CPUs and 256Gi'],
  ['a node selector', pod('4', '16Gi', { nodeSelector: { pool: 'small' } }), [node('64', '256Gi'), node('2', '8Gi', { labels: { pool: 'small' } })], 'the largest node offers 2 CPUs and 8Gi'],
  ['a node selector of no node', pod('4', '16Gi', { nodeSelector: { pool: 'small' } }), [node('64', '256Gi')], 'no ready node takes the driver'],
  ['GPUs', { containers: [{ name: 'spark', resources: { limits: { 'cpu': '1', 'nvidia.com/gpu': '2' } } }] }, [node('2', '8Gi')],
    'the driver asks for 1 CPU and 2 nvidia.com/gpu; the largest node offers 2 CPUs and 0 nvidia.com/gpu'],
])('%s', (_, spec, nodes, advice) => {
  expect(roomAdvice({ role: 'driver', pod: spec as any, nodes })).toContain(advice);
});

test('only messages about amounts need numbers', () => {
  expect(lacksRoom('0/3 nodes are available: 3 Insufficient memory.')).toBe(true);
  expect(lacksRoom("0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.")).toBe(false);
  expect(lacksRoom(undefined)).toBe(false);
});
