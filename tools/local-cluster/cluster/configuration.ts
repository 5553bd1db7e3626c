import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Snapshotter } from '../images/prepared.ts';
import type { ClusterPaths } from '../paths.ts';
import { PAUSE_IMAGE } from '../versions.ts';
import { NODE_ADDRESS, POD_NETWORK } from './addresses.ts';
import { clientKubeconfig } from './certificates.ts';

/** The files of configuration that the programs are started with. Where they take YAML they get JSON, which is YAML. */

const FILES = {
  'audit': 'audit-policy.yaml',
  'cni': 'cni/10-pods.conflist',
  'containerd': 'containerd.toml',
  'coredns': 'Corefile',
  'kube-proxy': 'kube-proxy.yaml',
  'kubelet': 'kubelet.yaml',
  'resolv': 'resolv.conf',
} as const;

export function configFile(paths: ClusterPaths, file: keyof typeof FILES): string {
  return join(paths.config, FILES[file]);
}

/** Files that the control plane reads. */
export function writeConfiguration(paths: ClusterPaths): void {
  write(paths, 'audit', json(auditPolicy()));
}

/** Files that the programs of a node read. */
export function writeNodeConfiguration(paths: ClusterPaths, snapshotter: Snapshotter): void {
  mkdirSync(join(paths.config, 'cni'), { recursive: true });
  write(paths, 'cni', json(podNetwork()));
  write(paths, 'containerd', containerdToml(paths, snapshotter));
  write(paths, 'coredns', corefile(paths));
  write(paths, 'kube-proxy', json(kubeProxy(paths)));
  write(paths, 'kubelet', json(kubelet(paths)));
  write(paths, 'resolv', `nameserver ${NODE_ADDRESS}\n`);
}

function write(paths: ClusterPaths, file: keyof typeof FILES, text: string): void {
  writeFileSync(configFile(paths, file), text);
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2);
}

/** One entry for each request, with who, what and the answer, but without the objects. */
export function auditPolicy(): object {
  return {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata' }],
  };
}

export function podNetwork(): object {
  return {
    cniVersion: '1.0.0',
    name: 'pods',
    plugins: [
      {
        type: 'bridge',
        bridge: 'cni0',
        isGateway: true,
        ipMasq: false,
        hairpinMode: true, // a pod can reach itself through its service
        ipam: { type: 'host-local', ranges: [[{ subnet: POD_NETWORK }]], routes: [{ dst: '0.0.0.0/0' }] },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
}

export function containerdToml(paths: ClusterPaths, snapshotter: Snapshotter): string {
  // The default addresses and folders in /run are the cluster's own, see sandbox/init.sh. Without
  // restrict_oom_score_adj every pod fails on machines whose root has no CAP_SYS_RESOURCE.
  return `version = 2
root = ${JSON.stringify(paths.containerd)}
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.tracing.processor.v1.otlp"]

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  disable_apparmor = true
  restrict_oom_score_adj = true

  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "${snapshotter}"

  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = ${JSON.stringify(join(paths.config, 'cni'))}
`;
}

export function kubelet(paths: ClusterPaths): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    cgroupDriver: 'cgroupfs',
    cgroupRoot: paths.cgroup,
    failCgroupV1: false,
    failSwapOn: false,
    enforceNodeAllocatable: [],
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: join(paths.pki, 'ca.crt') },
    },
    authorization: { mode: 'Webhook' },
    clusterDNS: [NODE_ADDRESS],
    clusterDomain: 'cluster.local',
    resolvConf: configFile(paths, 'resolv'),
    tlsCertFile: join(paths.pki, 'kubelet.crt'),
    tlsPrivateKeyFile: join(paths.pki, 'kubelet.key'),
    podLogsDir: paths.podLogs,
    volumePluginDir: '/var/lib/kubelet/volume-plugins',
    // A disk that is nearly full is common on a developer's machine. Evicted pods would only be confusing.
    evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '0%', 'nodefs.inodesFree': '0%', 'imagefs.available': '0%' },
    imageGCHighThresholdPercent: 100, // images are not pulled again, so they must never be collected
    registryPullQPS: 0,
    eventRecordQPS: 0,
    kubeAPIQPS: 200,
    kubeAPIBurst: 400,
    maxPods: 200,
  };
}

export function kubeProxy(paths: ClusterPaths): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: clientKubeconfig(paths, 'kube-proxy') },
    clusterCIDR: POD_NETWORK,
    mode: 'iptables',
    conntrack: { maxPerCore: 0 }, // leave the machine's limit alone
  };
}

export function corefile(paths: ClusterPaths): string {
  return `.:53 {
  bind ${NODE_ADDRESS}
  errors
  ready
  kubernetes cluster.local {
    kubeconfig ${clientKubeconfig(paths, 'admin')}
    pods insecure
  }
  cache 5
}
`;
}
