import { readFileSync } from 'node:fs';
import { API_URL } from './addresses.ts';

/** Server and credentials of a kubeconfig; certificates and keys in PEM. */
export interface Kubeconfig {
  /** URL of the API server. */
  readonly server: string;
  /** @default - the server has no certificate */
  readonly authority?: string;
  /** @default - no certificate identifies the user */
  readonly certificate?: string;
  readonly key?: string;
  /** Bearer token. @default - none */
  readonly token?: string;
}

/** Returns a kubeconfig that refers to no other file. It is JSON, which is YAML too. */
export function kubeconfig(user: string, { server = API_URL, authority, certificate, key, token }: Partial<Kubeconfig>): string {
  const base64 = (text: string | undefined) => text && Buffer.from(text).toString('base64');
  return JSON.stringify({
    'apiVersion': 'v1',
    'kind': 'Config',
    'clusters': [{ name: 'local', cluster: { server, 'certificate-authority-data': base64(authority) } }],
    'users': [{ name: user, user: { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key), token } }],
    'contexts': [{ name: 'local', context: { cluster: 'local', user } }],
    'current-context': 'local',
  }, undefined, 2);
}

/** Reads the kubeconfig of a user whom a certificate identifies, as `kubeconfig` returns it. */
export function readKubeconfig(file: string): Required<Omit<Kubeconfig, 'token'>> {
  const { clusters: [{ cluster }], users: [{ user }] } = JSON.parse(readFileSync(file, 'utf8'));
  const decode = (text: string) => Buffer.from(text, 'base64').toString();
  return {
    server: cluster.server,
    authority: decode(cluster['certificate-authority-data']),
    certificate: decode(user['client-certificate-data']),
    key: decode(user['client-key-data']),
  };
}
