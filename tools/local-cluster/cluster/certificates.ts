import type { KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fresh, type Identity, issueAuthority, issueCertificate, newKeys, type Subject } from '../../../src/kube/x509/x509.ts';
import type { ClusterPaths } from '../paths.ts';
import { API_SERVICE_ADDRESS, NODE_ADDRESS, NODE_NAME } from './addresses.ts';
import { kubeconfig } from './kubeconfig.ts';

/** A certificate and its key, in PEM. */
export interface PemPair {
  readonly certificate: string;
  readonly key: string;
}

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

/** The clients of the API server that have a kubeconfig. `admin` can do everything. */
const CLIENTS: Record<string, Subject> = {
  'admin': { organization: 'system:masters', commonName: 'admin' },
  'kube-controller-manager': { commonName: 'system:kube-controller-manager' },
  'kube-scheduler': { commonName: 'system:kube-scheduler' },
  'kube-proxy': { commonName: 'system:kube-proxy' },
  'kubelet': { organization: 'system:nodes', commonName: `system:node:${NODE_NAME}` },
};

/** Makes a CA for ten years. */
export function newAuthority(name: string): Identity {
  return issueAuthority(name, fresh());
}

/** Makes a certificate for ten years, for a server as well as a client. */
export function issuePem(authority: Identity, subject: Subject, hosts: readonly string[] = []): PemPair {
  const { certificate, key } = issueCertificate(authority, subject, hosts, fresh(), ['server', 'client']);
  return { certificate: certificate.toString(), key: keyPem(key) };
}

/** Valid from an hour ago, in case that another clock is behind. */
function fresh(): Fresh {
  return { ...newKeys(), notBefore: Date.now() - HOUR, notAfter: Date.now() + 10 * YEAR };
}

/** Kubernetes cannot read the service account key as PKCS8. */
function keyPem(key: KeyObject): string {
  return key.export({ type: 'sec1', format: 'pem' }).toString();
}

export function clientKubeconfig(paths: ClusterPaths, client: string): string {
  return client === 'admin' ? paths.kubeconfig : join(paths.config, `${client}.kubeconfig`);
}

/** Writes the cluster's keys, certificates and kubeconfigs, once in its life. */
export function writeCertificates(paths: ClusterPaths): void {
  if (existsSync(paths.kubeconfig)) return;
  mkdirSync(paths.pki, { recursive: true, mode: 0o700 });
  mkdirSync(paths.config, { recursive: true });
  const write = (file: string, text: string) => writeFileSync(join(paths.pki, file), text, { mode: 0o600 });

  const authority = newAuthority(`cdk8s-spark-operator cluster ${paths.name}`);
  const caCertificate = authority.certificate.toString();
  write('ca.crt', caCertificate);
  write('ca.key', keyPem(authority.key));
  write('service-accounts.key', keyPem(newKeys().keys.privateKey));

  const apiServer = issuePem(authority, { commonName: 'kube-apiserver' }, [
    'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local',
    '127.0.0.1', API_SERVICE_ADDRESS, NODE_ADDRESS,
  ]);
  write('apiserver.crt', apiServer.certificate);
  write('apiserver.key', apiServer.key);

  // `admin` comes last: its kubeconfig marks that everything is there.
  for (const client of Object.keys(CLIENTS).reverse()) {
    const names = client === 'kubelet' ? [NODE_NAME, '127.0.0.1', NODE_ADDRESS] : [];
    const issued = issuePem(authority, CLIENTS[client]!, names);
    write(`${client}.crt`, issued.certificate);
    write(`${client}.key`, issued.key);
    const config = kubeconfig(client, { authority: caCertificate, ...issued });
    writeFileSync(clientKubeconfig(paths, client), config, { mode: 0o600 });
  }
}
