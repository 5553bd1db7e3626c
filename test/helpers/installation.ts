import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Testing } from 'cdk8s';
import { parse, stringify } from 'yaml';
import { canCall } from './api-server';
import { apply, kubectl, tokenOf } from './kubectl';
import { SparkOperator, type SparkOperatorProps } from '../../src';

/** The operator as `SparkOperator` installs it, in namespaces of its own. */
export interface Installation {
  readonly namespace: string;
  readonly jobs: string;
  /** The applied objects. */
  readonly objects: readonly any[];
  /** The arguments of the operator. */
  readonly args: readonly string[];
  /** A kubeconfig with the rights of the operator's service account, and no others. */
  readonly kubeconfig: string;
  /** The same of a webhook with pods of its own, if there is one. */
  readonly webhook?: Pick<Installation, 'namespace' | 'args' | 'kubeconfig'>;
  /** The same of the console. */
  readonly console?: Pick<Installation, 'namespace' | 'args' | 'kubeconfig'>;
  /** Removes the namespaces, what has none, and the kubeconfig; the CRDs stay, as other tests need them. */
  remove(): Promise<void>;
}

/**
 * Applies what `SparkOperator` synthesizes. `name` keeps test files that run side by side apart. If it fails, nothing stays but the CRDs.
 *
 * @param more adds to the chart of the operator; the namespace of jobs is `<name>-jobs`
 */
export async function install(name: string, props: SparkOperatorProps = {}, more?: (operator: SparkOperator) => void): Promise<Installation> {
  const namespace = `${name}-operator`;
  const jobs = `${name}-jobs`;
  const folder = mkdtempSync(join(tmpdir(), 'operator-kubeconfig-'));
  const objects: any[] = [];
  const remove = async () => {
    rmSync(folder, { recursive: true });
    // Cluster-wide objects outlive the namespaces; their names end in the operator's.
    const clusterWide = objects.filter(({ kind, metadata }) => metadata.namespace === undefined && kind !== 'Namespace');
    await Promise.all([[namespace, jobs].map((each) => `namespace/${each}`), clusterWide.map(({ kind, metadata }) => `${kind}/${metadata.name}`)]
      .filter((names) => names.length > 0).map((names) => kubectl(['delete', ...names, '--ignore-not-found', '--wait=false'])));
  };
  try {
    const chart = Testing.chart();
    // The CRDs are there: see definitions.ts.
    const operator = new SparkOperator(chart, 'operator', { namespace, jobNamespaces: [jobs], createJobNamespaces: true, installCrds: false, ...props });
    more?.(operator);
    objects.push(...Testing.synth(chart));
    await apply(objects);

    const pods = await Promise.all(objects.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.namespace === namespace).map(async ({ metadata, spec: { template: { spec } } }) => {
      const kubeconfig = join(folder, metadata.name);
      writeFileSync(kubeconfig, await kubeconfigOf(namespace, spec.serviceAccountName), { mode: 0o600 });
      const [{ name: container, args }] = spec.containers;
      return [container as string, { namespace, args: args as string[], kubeconfig }] as const;
    }));
    const { operator: operatorPods, webhook, console } = Object.fromEntries(pods);
    return { ...operatorPods!, jobs, objects, ...(webhook && { webhook }), ...(console && { console }), remove };
  } catch (error) {
    // The problem comes first: it can also be the reason that nothing can be removed.
    await remove().catch(() => {});
    throw error;
  }
}

/** A kubeconfig with the rights of a service account, and no others. */
export async function kubeconfigOf(namespace: string, account: string): Promise<string> {
  const token = await tokenOf(namespace, account);
  // That of a local cluster refers to no other file.
  const config = parse(canCall() ? readFileSync(process.env.KUBECONFIG!, 'utf8') : await kubectl(['config', 'view', '--raw', '--minify', '--flatten']));
  return stringify({ ...config, users: [{ name: config.users[0].name, user: { token } }] });
}
