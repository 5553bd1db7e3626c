import { controllers, node, storeAndApi } from '../../../tools/local-cluster/cluster/components.ts';
import { auditPolicy, containerdToml, corefile, kubeProxy, kubelet, podNetwork } from '../../../tools/local-cluster/cluster/configuration.ts';
import { kubeconfig } from '../../../tools/local-cluster/cluster/kubeconfig.ts';
import { linkCommands } from '../../../tools/local-cluster/cluster/network.ts';
import { cacheFolder, clusterPaths } from '../../../tools/local-cluster/paths.ts';

const paths = clusterPaths('test', '/cache');

test('the state is below the cache folder, and the names on the machine are made of the name', () => {
  expect(cacheFolder({ XDG_CACHE_HOME: '/somewhere' })).toBe('/somewhere/cdk8s-spark-operator');
  expect(cacheFolder({ XDG_CACHE_HOME: 'relative' })).toMatch(/\/\.cache\/cdk8s-spark-operator$/);
  expect(paths).toMatchObject({ state: '/cache/clusters/test', netnsFile: '/run/netns/spark-test', cgroup: '/spark-test' });
});

test('a kubeconfig refers to no file', () => {
  const config = JSON.parse(kubeconfig('admin', { authority: 'CA', certificate: 'CERTIFICATE', key: 'KEY' }));
  expect(config.clusters[0].cluster).toEqual({ 'server': 'https://127.0.0.1:6443', 'certificate-authority-data': 'Q0E=' });
  expect(config.users[0].user).toEqual({ 'client-certificate-data': 'Q0VSVElGSUNBVEU=', 'client-key-data': 'S0VZ' });
  expect(config['current-context']).toBe(config.contexts[0].name);
});

test('the kubelet of each cluster has a cgroup of its own, and takes cgroups of version 1', () => {
  expect(kubelet(paths)).toMatchObject({ cgroupRoot: '/spark-test', cgroupDriver: 'cgroupfs', failCgroupV1: false });
});

test('pods are answered by the DNS server on the node, under the domain that it serves', () => {
  expect(kubelet(paths)).toMatchObject({ clusterDNS: ['198.19.255.1'], clusterDomain: 'cluster.local' });
  expect(corefile(paths)).toContain('bind 198.19.255.1');
  expect(corefile(paths)).toContain('kubernetes cluster.local {\n    kubeconfig /cache/clusters/test/admin.kubeconfig');
});

test('containerd uses the pause image and the given snapshotter, and leaves oom scores alone', () => {
  const toml = containerdToml(paths, 'native');
  expect(toml).toContain('root = "/cache/clusters/test/containerd"');
  expect(toml).toContain('sandbox_image = "spark.test/pause:1"');
  expect(toml).toContain('snapshotter = "native"');
  expect(toml).toContain('restrict_oom_score_adj = true');
  expect(toml).toContain('conf_dir = "/cache/clusters/test/config/cni"');
});

test('the pod network and the proxy agree on the addresses of pods', () => {
  expect(JSON.stringify(podNetwork())).toContain('"subnet":"198.18.0.0/17"');
  expect(kubeProxy(paths)).toMatchObject({ clusterCIDR: '198.18.0.0/17', clientConnection: { kubeconfig: '/cache/clusters/test/config/kube-proxy.kubeconfig' } });
});

test('the bridge is only added where there is none', () => {
  expect(linkCommands(false)).toContain('link add node0 type bridge\n');
  expect(linkCommands(true)).not.toContain('link add');
});

test('the API server logs requests when it is asked to', () => {
  const flags = (audit: boolean) => storeAndApi(paths, { audit }).find(({ name }) => name === 'kube-apiserver')!.command;
  expect(flags(false).join(' ')).not.toContain('audit');
  expect(flags(true)).toContain('--audit-log-path=/cache/clusters/test/logs/audit.log');
  expect(auditPolicy()).toMatchObject({ rules: [{ level: 'Metadata' }] });
});

test('for tens of thousands of pods the programs have no limits of their own', () => {
  const flags = (scale: boolean) => [...storeAndApi(paths, { audit: false, scale }), ...controllers(paths, { scale })].flatMap(({ command }) => command);
  expect(flags(true)).toEqual(expect.arrayContaining(['--quota-backend-bytes=8589934592', '--kube-api-qps=5000', '--controllers=namespace-controller,serviceaccount-controller,root-ca-certificate-publisher-controller']));
  expect(flags(false).join(' ')).not.toMatch(/quota-backend|--controllers=namespace|qps=5000/);
  expect([true, false].map((scale) => flags(scale).some((flag) => flag.endsWith('/kube-scheduler')))).toEqual([false, true]);
});

test('programs are started through their links, by which they are recognized later', () => {
  for (const { name, command } of [...storeAndApi(paths, { audit: false }), ...controllers(paths), ...node(paths)]) {
    expect(command[0]).toBe(`/cache/clusters/test/bin/${name}`);
  }
});
