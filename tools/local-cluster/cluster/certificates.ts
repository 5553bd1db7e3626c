import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterPaths } from '../paths.ts';
import { API_SERVICE_ADDRESS, NODE_ADDRESS, NODE_NAME } from './addresses.ts';
import { kubeconfig } from './kubeconfig.ts';
import { createAuthority, generateKeys, issue, privateKeyPem } from './x509.ts';
import type { Subject } from './x509.ts';

/** The clients of the API server that have a kubeconfig. `admin` may do everything. */
const CLIENTS: Record<string, Subject> = {
  'admin': { organization: 'system:masters', commonName: 'admin' },
  'kube-controller-manager': { commonName: 'system:kube-controller-manager' },
  'kube-scheduler': { commonName: 'system:kube-scheduler' },
  'kube-proxy': { commonName: 'system:kube-proxy' },
  'kubelet': { organization: 'system:nodes', commonName: `system:node:${NODE_NAME}` },
};

export function clientKubeconfig(paths: ClusterPaths, client: string): string {
  return client === 'admin' ? paths.kubeconfig : join(paths.config, `${client}.kubeconfig`);
}

/** Writes the cluster's keys, certificates and kubeconfigs, once in its life. */
export function writeCertificates(paths: ClusterPaths): void {
  if (existsSync(paths.kubeconfig)) return;
  mkdirSync(paths.pki, { recursive: true, mode: 0o700 });
  mkdirSync(paths.config, { recursive: true });
  const write = (file: string, text: string) => writeFileSync(join(paths.pki, file), text, { mode: 0o600 });

  const authority = createAuthority(`cdk8s-spark-operator cluster ${paths.name}`);
  write('ca.crt', authority.certificate);
  write('ca.key', authority.key);
  write('service-accounts.key', privateKeyPem(generateKeys()));

  const apiServer = issue(authority, { commonName: 'kube-apiserver' }, [
    'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local',
    '127.0.0.1', API_SERVICE_ADDRESS, NODE_ADDRESS,
  ]);
  write('apiserver.crt', apiServer.certificate);
  write('apiserver.key', apiServer.key);

  // `admin` comes last: its kubeconfig tells that everything is there.
  for (const client of Object.keys(CLIENTS).reverse()) {
    const names = client === 'kubelet' ? [NODE_NAME, '127.0.0.1', NODE_ADDRESS] : [];
    const issued = issue(authority, CLIENTS[client]!, names);
    write(`${client}.crt`, issued.certificate);
    write(`${client}.key`, issued.key);
    const config = kubeconfig({ user: client, authority: authority.certificate, ...issued });
    writeFileSync(clientKubeconfig(paths, client), config, { mode: 0o600 });
  }
}
