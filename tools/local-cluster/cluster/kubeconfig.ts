import { API_URL } from './addresses.ts';

export interface KubeconfigOptions {
  readonly user: string;
  /** PEM. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** A kubeconfig that refers to no other file. It is JSON, which is YAML too. */
export function kubeconfig(options: KubeconfigOptions): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return JSON.stringify({
    'apiVersion': 'v1',
    'kind': 'Config',
    'clusters': [{ name: 'local', cluster: { 'server': API_URL, 'certificate-authority-data': base64(options.authority) } }],
    'users': [{
      name: options.user,
      user: { 'client-certificate-data': base64(options.certificate), 'client-key-data': base64(options.key) },
    }],
    'contexts': [{ name: 'local', context: { cluster: 'local', user: options.user } }],
    'current-context': 'local',
  }, undefined, 2);
}
