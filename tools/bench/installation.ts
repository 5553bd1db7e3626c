import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Testing } from 'cdk8s';
// Compiled before this is loaded.
import { SparkOperator } from '../../lib/index.js';
import type { ApiAccess } from './api-client.ts';
import { NAMESPACES } from './application.ts';

/** The operator as `SparkOperator` installs it, except that its process is started by the benchmark. */
export interface Installation {
  /** The arguments that the Deployment gives to the operator. */
  readonly flags: readonly string[];
  /** As an administrator. */
  readonly admin: ApiAccess;
  /** With the rights of the operator's service account, and no others. */
  readonly serviceAccount: ApiAccess;
}

const { operator: OPERATOR, ...JOBS } = NAMESPACES;

/** Applies what `SparkOperator` synthesizes to the cluster that KUBECONFIG names. */
export function install(jobNamespaces: string[] = Object.values(JOBS)): Installation {
  const chart = Testing.chart();
  new SparkOperator(chart, 'operator', { namespace: OPERATOR, jobNamespaces, createJobNamespaces: true });
  const objects: any[] = Testing.synth(chart);
  const items = objects.filter(({ kind }) => kind !== 'Deployment');
  kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  // To wait for a condition is an error as long as there are none at all.
  for (const what of ['jsonpath={.status.conditions}', 'condition=Established']) kubectl(['wait', 'crd/sparkapplications.sparkoperator.k8s.io', `--for=${what}`, '--timeout=30s']);
  const token = kubectl(['create', 'token', 'spark-operator', '-n', OPERATOR, '--duration=3h']).trim();
  const { spec } = objects.find(({ kind }) => kind === 'Deployment');
  const admin = accessOf(process.env.KUBECONFIG!);
  return { flags: spec.template.spec.containers[0].args, admin, serviceAccount: { host: admin.host, port: admin.port, ca: admin.ca, token } };
}

/** Writes a kubeconfig of the service account, for the API server itself or for something in front of it. @returns its path */
export function kubeconfig(folder: string, name: string, { ca, token }: ApiAccess, server: string): string {
  const file = join(folder, `${name}.kubeconfig`);
  writeFileSync(file, JSON.stringify({
    'apiVersion': 'v1',
    'kind': 'Config',
    'clusters': [{ name, cluster: { server, ...(server.startsWith('https:') && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }) } }],
    'users': [{ name, user: { token } }],
    'contexts': [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  }), { mode: 0o600 });
  return file;
}

/** The local cluster's kubeconfig is JSON, with certificates in it. */
function accessOf(file: string): ApiAccess {
  const { clusters: [{ cluster }], users: [{ user }] } = JSON.parse(readFileSync(file, 'utf8'));
  const { hostname, port } = new URL(cluster.server);
  const decode = (text: string) => Buffer.from(text, 'base64').toString();
  return {
    host: hostname,
    port: Number(port),
    ca: decode(cluster['certificate-authority-data']),
    certificate: decode(user['client-certificate-data']),
    key: decode(user['client-key-data']),
  };
}

function kubectl(args: readonly string[], input = ''): string {
  return execFileSync('kubectl', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'] });
}
