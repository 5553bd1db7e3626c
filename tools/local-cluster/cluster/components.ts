import { join } from 'node:path';
import type { ClusterPaths } from '../paths.ts';
import { API_PORT, NODE_ADDRESS, NODE_NAME, SERVICE_NETWORK } from './addresses.ts';
import { clientKubeconfig } from './certificates.ts';
import { configFile } from './configuration.ts';

/** A program of the cluster. */
export interface Component {
  readonly name: string;
  readonly command: readonly string[];
}

export interface ComponentOptions {
  readonly audit: boolean;
  /** Whether there are to be tens of thousands of pods, so that the limits of the control plane's own programs must not be what is found. Then there is no kube-scheduler, either. @default false */
  readonly scale?: boolean;
}

const ETCD = 'http://127.0.0.1:2379';
const ETCD_PEERS = 'http://127.0.0.1:2380';

/** Programs that must run before the API server answers. */
export function storeAndApi(paths: ClusterPaths, options: ComponentOptions): Component[] {
  const pki = (file: string) => join(paths.pki, file);
  return [
    component(paths, 'etcd', {
      'data-dir': paths.etcd,
      'unsafe-no-fsync': true, // the cluster does not outlive the machine anyway
      'listen-client-urls': ETCD,
      'advertise-client-urls': ETCD,
      'listen-peer-urls': ETCD_PEERS,
      'initial-advertise-peer-urls': ETCD_PEERS,
      'initial-cluster': `default=${ETCD_PEERS}`,
      'log-level': 'warn',
      ...(options.scale && { 'quota-backend-bytes': 8 * 1024 ** 3 }),
    }),
    component(paths, 'kube-apiserver', {
      'etcd-servers': ETCD,
      'service-cluster-ip-range': SERVICE_NETWORK,
      'secure-port': API_PORT,
      'bind-address': '0.0.0.0',
      'advertise-address': NODE_ADDRESS,
      'allow-privileged': true,
      'authorization-mode': 'Node,RBAC',
      'tls-cert-file': pki('apiserver.crt'),
      'tls-private-key-file': pki('apiserver.key'),
      'client-ca-file': pki('ca.crt'),
      'kubelet-client-certificate': pki('admin.crt'),
      'kubelet-client-key': pki('admin.key'),
      // Node names resolve nowhere, so that logs and exec need the address.
      'kubelet-preferred-address-types': 'InternalIP',
      'service-account-key-file': pki('service-accounts.key'),
      'service-account-signing-key-file': pki('service-accounts.key'),
      'service-account-issuer': 'https://kubernetes.default.svc',
      ...(options.scale && { 'max-requests-inflight': 2000, 'max-mutating-requests-inflight': 1000 }),
      ...(options.audit ? { 'audit-policy-file': configFile(paths, 'audit'), 'audit-log-path': paths.auditLog } : {}),
    }),
  ];
}

/**
 * Just those that namespaces need. The others would follow all pods, and some do something for each application: the ends of its Services, whether its owner is there. That is
 * the same for each submitter, and would take processors away from what is measured.
 */
const SCALE = ['namespace', 'serviceaccount', 'root-ca-certificate-publisher'].map((name) => `${name}-controller`).join(',');

/**
 * All but the one that checks the types in expressions of ValidatingAdmissionPolicies. It compiles each variable for each expression and kind: that takes most of the time of the
 * controller manager where many are installed, and writes only warnings.
 */
const CONTROLLERS = '*,-validatingadmissionpolicy-status-controller';

export function controllers(paths: ClusterPaths, { scale }: Pick<ComponentOptions, 'scale'> = {}): Component[] {
  const clients = (name: string) => ({
    'kubeconfig': clientKubeconfig(paths, name),
    'authentication-kubeconfig': clientKubeconfig(paths, name),
    'authorization-kubeconfig': clientKubeconfig(paths, name),
    'leader-elect': false,
    // The defaults are meant for large clusters, and make a small one wait for itself.
    'kube-api-qps': scale ? 5000 : 500,
    'kube-api-burst': scale ? 10_000 : 1000,
  });
  return [
    component(paths, 'kube-controller-manager', {
      ...clients('kube-controller-manager'),
      'use-service-account-credentials': true,
      'service-account-private-key-file': join(paths.pki, 'service-accounts.key'),
      'root-ca-file': join(paths.pki, 'ca.crt'),
      'cluster-signing-cert-file': join(paths.pki, 'ca.crt'),
      'cluster-signing-key-file': join(paths.pki, 'ca.key'),
      'controllers': scale ? SCALE : CONTROLLERS,
    }),
    // It would follow all pods, too: a caller that asks for so many binds them.
    ...(scale ? [] : [component(paths, 'kube-scheduler', clients('kube-scheduler'))]),
  ];
}

/** The container runtime, which images are loaded into. */
export function runtime(paths: ClusterPaths): Component {
  return { name: 'containerd', command: ['containerd', '--config', configFile(paths, 'containerd')] };
}

export function node(paths: ClusterPaths): Component[] {
  return [
    component(paths, 'kubelet', {
      'config': configFile(paths, 'kubelet'),
      'kubeconfig': clientKubeconfig(paths, 'kubelet'),
      'hostname-override': NODE_NAME,
      'node-ip': NODE_ADDRESS,
    }),
    component(paths, 'kube-proxy', { 'config': configFile(paths, 'kube-proxy'), 'hostname-override': NODE_NAME }),
    { name: 'coredns', command: [join(paths.bin, 'coredns'), '-conf', configFile(paths, 'coredns')] },
  ];
}

function component(paths: ClusterPaths, name: string, flags: Record<string, string | number | boolean>): Component {
  return { name, command: [join(paths.bin, name), ...Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)] };
}
