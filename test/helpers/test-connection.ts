import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Connection } from '../../src/kube/connection';

/**
 * A connection to the cluster of the tests, with the client certificate of the kubeconfig that KUBECONFIG names.
 *
 * The operator's own way to a connection cannot be loaded by jest; a test of its bundle covers it.
 *
 * @param headers to add to each request, `impersonate-user` for example
 */
export function testConnection(headers: Record<string, string> = {}): Connection {
  if (!process.env.KUBECONFIG || !process.env.TEST_CLUSTER) throw new Error('no test cluster: run `npm run test:api`');
  const config = parse(readFileSync(process.env.KUBECONFIG, 'utf8'));
  const { context } = named(config.contexts, config['current-context']);
  const { cluster } = named(config.clusters, context.cluster);
  const { user } = named(config.users, context.user);
  const pem = (from: Record<string, string>, field: string) => {
    const data = from[`${field}-data`];
    return data ? Buffer.from(data, 'base64') : readFileSync(from[field]!);
  };
  const tls = {
    ca: pem(cluster, 'certificate-authority'),
    cert: pem(user, 'client-certificate'),
    key: pem(user, 'client-key'),
  };
  return { server: cluster.server, credentials: async () => ({ headers, tls }) };
}

function named(entries: { name: string }[], name: string): any {
  const found = entries.find((entry) => entry.name === name);
  if (!found) throw new Error(`the kubeconfig has no ${name}`);
  return found;
}
