import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type * as constructs from '../../src/index.ts';
import { kubeconfig as kubeconfigOf, readKubeconfig } from '../local-cluster/cluster/kubeconfig.ts';
import type { ApiAccess } from './api-client.ts';

/** Namespace of the operator. */
export const OPERATOR_NAMESPACE = 'bench-operator';

/** The operator as `SparkOperator` installs it, except that the benchmark starts its process. */
export interface Installation {
  /** Arguments of the operator's container. */
  readonly flags: readonly string[];
  /** Access as an administrator. */
  readonly admin: ApiAccess;
  /** Access with the rights of the operator's service account only. */
  readonly serviceAccount: ApiAccess;
}

/** Returns the objects that the constructs of a compiled checkout synthesize. */
export function synthesize(checkout: string, props: constructs.SparkOperatorProps): any[] {
  const load = createRequire(join(checkout, 'package.json'));
  const { Testing } = load('cdk8s') as typeof import('cdk8s');
  const { SparkOperator } = load(join(checkout, 'lib/index.js')) as typeof constructs;
  const chart = Testing.chart();
  new SparkOperator(chart, 'operator', { namespace: OPERATOR_NAMESPACE, ...props });
  return Testing.synth(chart);
}

/** Installs the operator of a checkout in the cluster that KUBECONFIG names. */
export function install(checkout: string, jobNamespaces: readonly string[]): Installation {
  const objects = synthesize(checkout, { jobNamespaces: [...jobNamespaces], createJobNamespaces: true });
  const items = objects.filter(({ kind }) => kind !== 'Deployment');
  kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  for (const kind of ['sparkapplications', 'scheduledsparkapplications']) {
    // Waiting for a condition fails while there are no conditions at all.
    for (const what of ['jsonpath={.status.conditions}', 'condition=Established']) {
      kubectl(['wait', `crd/${kind}.sparkoperator.k8s.io`, `--for=${what}`, '--timeout=30s']);
    }
  }
  const token = kubectl(['create', 'token', 'spark-operator', '-n', OPERATOR_NAMESPACE, '--duration=3h']).trim();
  const { spec } = objects.find(({ kind }) => kind === 'Deployment');
  const admin = accessOf(process.env.KUBECONFIG!);
  const { host, port, ca } = admin;
  return { flags: spec.template.spec.containers[0].args, admin, serviceAccount: { host, port, ca, token } };
}

/** Flags and variables of Node, as the operator's image has them. */
export function nodeFlags(checkout: string): { readonly flags: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const dockerfile = readFileSync(join(checkout, 'Dockerfile'), 'utf8');
  const [, flags] = /^ENTRYPOINT \["node", (.*), "\S+"\]$/m.exec(dockerfile)!;
  const variables = [...dockerfile.matchAll(/^ENV (MALLOC\w+|NODE\w+)=(\S+)$/gm)].map(([, name, value]) => [name!, value!] as const);
  return { flags: JSON.parse(`[${flags}]`), env: Object.fromEntries(variables) };
}

/** Replaces flags that are given in two places, the later ones by `own`. */
export function withFlags(flags: readonly string[], own: Readonly<Record<string, string | number>>): string[] {
  const kept = flags.filter((flag) => !(flag.slice(2).split('=', 1)[0]! in own));
  return [...kept, ...Object.entries(own).map(([flag, value]) => `--${flag}=${value}`)];
}

/** Writes a kubeconfig for a server, which can be a proxy in front of the API server. Returns its path. */
export function kubeconfig(folder: string, { ca, token }: Pick<ApiAccess, 'ca' | 'token'>, server: string): string {
  const file = join(folder, `${new URL(server).port}.kubeconfig`);
  const authority = server.startsWith('https:') ? ca : undefined;
  writeFileSync(file, kubeconfigOf('bench', { server, authority, token }), { mode: 0o600 });
  return file;
}

/** Returns a free port of the loopback interface. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns the access that a kubeconfig describes. */
export function accessOf(file: string): ApiAccess {
  const { server, authority: ca, certificate, key } = readKubeconfig(file);
  const { hostname: host, port } = new URL(server);
  return { host, port: Number(port), ca, certificate, key };
}

function kubectl(args: readonly string[], input = ''): string {
  return execFileSync('kubectl', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'] });
}
