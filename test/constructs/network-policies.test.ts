/*
 * Traffic that the NetworkPolicies of job namespaces allow. The cluster of the tests enforces none,
 * so helpers/network-policy.ts evaluates them.
 */
import { Testing } from 'cdk8s';
import { NetworkPeer, NetworkPort, SparkJobNamespace, type SparkJobNamespaceProps } from '../../src';
import { isAllowed, type End, type PolicyPod } from '../helpers/network-policy';

function policies(props: Partial<SparkJobNamespaceProps> = {}): any[] {
  const chart = Testing.chart();
  for (const name of ['team-a', 'team-b']) new SparkJobNamespace(chart, name, { name, ...props });
  return Testing.synth(chart).filter(({ kind }) => kind === 'NetworkPolicy');
}

let address = 0;
const pod = (namespace: string, labels: { [key: string]: string } = {}): PolicyPod => ({
  namespace, name: `pod-${address}`, ip: `10.1.0.${++address}`, nodeIp: '192.168.0.1', labels,
});
const sparkPod = (namespace: string, role: string) => pod(namespace, { 'spark-role': role, 'spark-app-selector': `spark-${namespace}` });

const DRIVER = sparkPod('team-a', 'driver');
const EXECUTOR = sparkPod('team-a', 'executor');
const ANOTHER_EXECUTOR = sparkPod('team-a', 'executor');
const CONNECT = sparkPod('team-a', 'connect-server');
const FOREIGN_DRIVER = sparkPod('team-b', 'driver');
const FOREIGN_EXECUTOR = sparkPod('team-b', 'executor');
const BYSTANDER = pod('team-a', { app: 'notebook' });
const DNS = pod('kube-system', { 'k8s-app': 'kube-dns' });
const INGRESS_CONTROLLER = pod('ingress', { app: 'controller' });
const PROMETHEUS = pod('monitoring', { app: 'prometheus' });
const API_SERVER = '172.16.0.1';
const OBJECT_STORE = '203.0.113.10';
const NODE_CACHE = '169.254.20.10';
const CLOUD_METADATA = '169.254.169.254';

const NAMESPACES = { 'team-a': {}, 'team-b': {}, 'kube-system': {}, 'ingress': {}, 'monitoring': { purpose: 'monitoring' } };
const reaches = (from: End, to: End, port: number, props?: Partial<SparkJobNamespaceProps>, protocol: 'TCP' | 'UDP' = 'TCP') => (
  isAllowed({ from, to, port, protocol }, { policies: policies(props), namespaces: NAMESPACES })
);

/** 7078 is the driver's RPC port, 7079 its block manager; executors listen on random ports. */
test.each<[string, End, End, number]>([
  ['an executor, the driver', EXECUTOR, DRIVER, 7078],
  ['an executor, the block manager of the driver', EXECUTOR, DRIVER, 7079],
  ['an executor, the block manager of another one', EXECUTOR, ANOTHER_EXECUTOR, 41873],
  ['the driver, an executor', DRIVER, EXECUTOR, 38011],
  ['an executor, a Spark Connect server', EXECUTOR, CONNECT, 7078],
  ['the driver, the API server', DRIVER, API_SERVER, 6443],
  ['the driver, the API server of a managed cluster', DRIVER, API_SERVER, 443],
  ['a Spark Connect server, the API server', CONNECT, API_SERVER, 6443],
  ['the driver, an object store', DRIVER, OBJECT_STORE, 443],
  ['an executor, an object store', EXECUTOR, OBJECT_STORE, 443],
  ['an executor, an object store by IPv6', EXECUTOR, '2001:db8::10', 443],
])('reaches: %s', (_, from, to, port) => {
  expect(reaches(from, to, port)).toBe(true);
});

test.each<[string, End]>([
  ['the driver', DRIVER], ['an executor', EXECUTOR], ['any other pod', BYSTANDER],
])('%s resolves names, at the DNS of the cluster and nowhere else', (_, from) => {
  for (const server of [DNS, NODE_CACHE]) {
    expect(reaches(from, server, 53, {}, 'UDP')).toBe(true);
    expect(reaches(from, server, 53)).toBe(true);
  }
  expect(reaches(from, '203.0.113.53', 53, {}, 'UDP')).toBe(false);
});

test.each<[string, End, End, number]>([
  ['an executor, the driver of another team', EXECUTOR, FOREIGN_DRIVER, 7078],
  ['an executor, an executor of another team', EXECUTOR, FOREIGN_EXECUTOR, 41873],
  ['an executor, a pod of another team that serves HTTPS', EXECUTOR, FOREIGN_EXECUTOR, 443],
  ['another pod of the namespace, the driver', BYSTANDER, DRIVER, 7078],
  ['the driver, another pod of the namespace', DRIVER, BYSTANDER, 8888],
  ['an executor, the API server, which it does not need', EXECUTOR, API_SERVER, 6443],
  ['an executor, a database', EXECUTOR, '203.0.113.20', 5432],
  ["the driver, the cloud's metadata with the node's credentials", DRIVER, CLOUD_METADATA, 80],
  ['another pod of the namespace, the world', BYSTANDER, OBJECT_STORE, 443],
  ['an ingress controller, the web UI', INGRESS_CONTROLLER, DRIVER, 4040],
  ['Prometheus, metrics', PROMETHEUS, EXECUTOR, 8090],
  ['the world, the driver', '203.0.113.66', DRIVER, 7078],
])('does not reach: %s', (_, from, to, port) => {
  expect(reaches(from, to, port)).toBe(false);
});

test('drivers can reach any destination on the ports of the API server: for Cilium, ranges of addresses do not include the nodes of the cluster', () => {
  const policy = policies().find(({ metadata }) => metadata.name === 'spark-api-server');
  expect(policy.spec.egress).toEqual([{ ports: [{ protocol: 'TCP', port: 443 }, { protocol: 'TCP', port: 6443 }] }]);
});

test('named peers can open the web UI and metrics, at their ports', () => {
  const network = {
    webUiFrom: [
      NetworkPeer.namespace('ingress'),
    ], metricsFrom: [NetworkPeer.pods({ namespaceLabels: { purpose: 'monitoring' }, labels: { app: 'prometheus' } })],
  };
  expect(reaches(INGRESS_CONTROLLER, DRIVER, 4040, { network })).toBe(true);
  expect(reaches(INGRESS_CONTROLLER, DRIVER, 7078, { network })).toBe(false);
  expect(reaches(INGRESS_CONTROLLER, EXECUTOR, 4040, { network })).toBe(false);
  for (const to of [DRIVER, EXECUTOR]) expect(reaches(PROMETHEUS, to, 8090, { network })).toBe(true);
  expect(reaches(PROMETHEUS, DRIVER, 4040, { network })).toBe(true);
  expect(reaches(pod('monitoring', { app: 'grafana' }), DRIVER, 8090, { network })).toBe(false);
});

test('egress replaces HTTPS to all destinations', () => {
  const network = {
    egress: [{
      peers: [
        NetworkPeer.addresses('203.0.113.0/24', ['203.0.113.128/25']),
      ], ports: [NetworkPort.tcp(443), NetworkPort.tcpRange(9000, 9010)],
    }],
  };
  expect(reaches(EXECUTOR, OBJECT_STORE, 9005, { network })).toBe(true);
  expect(reaches(EXECUTOR, '203.0.113.200', 443, { network })).toBe(false);
  expect(reaches(EXECUTOR, '198.51.100.1', 443, { network })).toBe(false);
  expect(reaches(EXECUTOR, OBJECT_STORE, 443, { network: { egress: [] } })).toBe(false);
  expect(reaches(EXECUTOR, DRIVER, 7078, { network: { egress: [] } })).toBe(true);
});

test('egress restricts drivers on the ports of the API server only if its addresses are set', () => {
  const egress = [{ peers: [NetworkPeer.addresses('203.0.113.0/24')], ports: [NetworkPort.tcp(443)] }];
  const apiServer = { peers: [NetworkPeer.addresses(`${API_SERVER}/32`)], ports: [NetworkPort.tcp(6443)] };
  expect(reaches(DRIVER, '198.51.100.1', 443, { network: { egress } })).toBe(true);
  expect(reaches(EXECUTOR, '198.51.100.1', 443, { network: { egress } })).toBe(false);
  expect(reaches(DRIVER, '198.51.100.1', 443, { network: { egress, apiServer } })).toBe(false);
});

test('addresses of DNS and the API server can be set', () => {
  const network = {
    dns: { peers: [NetworkPeer.namespace('openshift-dns')], ports: [NetworkPort.udp(5353), NetworkPort.tcp(5353)] },
    apiServer: { peers: [NetworkPeer.addresses(`${API_SERVER}/32`)], ports: [NetworkPort.tcp(6443)] },
  };
  expect(reaches(EXECUTOR, pod('openshift-dns'), 5353, { network }, 'UDP')).toBe(true);
  expect(reaches(EXECUTOR, DNS, 53, { network }, 'UDP')).toBe(false);
  expect(reaches(DRIVER, API_SERVER, 6443, { network })).toBe(true);
  expect(reaches(DRIVER, '172.16.0.2', 6443, { network })).toBe(false);
});

test('further peers can be allowed, such as clients of Spark Connect', () => {
  const network = { ingress: [{ peers: [NetworkPeer.namespace('notebooks')], ports: [NetworkPort.tcp(15002)] }] };
  expect(reaches(pod('notebooks'), CONNECT, 15002, { network })).toBe(true);
  expect(reaches(pod('notebooks'), CONNECT, 7078, { network })).toBe(false);
  expect(reaches(pod('monitoring'), CONNECT, 15002, { network })).toBe(false);
});

test("Spark's own policy for executors, from 4.2 on, takes nothing away that they need", () => {
  const own = {
    kind: 'NetworkPolicy', metadata: { namespace: 'team-a' }, spec: {
      podSelector: {
        matchLabels: { 'spark-role': 'executor' },
      }, ingress: [{ from: [{ podSelector: { matchLabels: { 'spark-app-selector': 'spark-team-a' } } }] }],
    },
  };
  for (const from of [DRIVER, ANOTHER_EXECUTOR]) {
    expect(isAllowed({ from, to: EXECUTOR, port: 40001 }, { policies: [...policies(), own], namespaces: NAMESPACES })).toBe(true);
  }
});
