import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiServer } from '../../helpers/api-server';
import { FaultProxy } from '../../helpers/fault-proxy';
import type { Installation } from '../../helpers/installation';
import { OperatorProcess } from '../../helpers/operator-process';

/** As short as it may be, so that another one takes over at once. */
const SHORT_LEASE = ['--leader-election', '--leader-election-lease-duration=1s', '--leader-election-renew-deadline=800ms', '--leader-election-retry-period=250ms'];
/** Of those that must not lose a Lease because the machine is busy. */
export const LONGER_LEASE = ['--leader-election', '--leader-election-lease-duration=3s', '--leader-election-renew-deadline=2400ms', '--leader-election-retry-period=400ms'];

/** Of those that lead until they are stopped, however slow the machine is. One that is killed holds it for a minute. */
export const LASTING_LEASE = ['--leader-election', '--leader-election-lease-duration=60s', '--leader-election-renew-deadline=50s', '--leader-election-retry-period=400ms'];

/** Operators are started by the hundred. */
const COMPILE_CACHE = join(__dirname, '../../../node_modules/.cache/operator-in-tests');

/**
 * One namespace, one Lease in it, and operators at work there, each behind a proxy of its own. Lanes do not touch each other, so that what
 * mostly waits can be tested side by side.
 */
export class Lane {
  private readonly folder = mkdtempSync(join(tmpdir(), 'lane-'));
  private readonly ends: (() => Promise<unknown>)[] = [];

  private constructor(public readonly namespace: string, private readonly installation: Installation) {}

  /** @param namespace one of the job namespaces of the installation */
  static async open(api: ApiServer, installation: Installation, namespace: string): Promise<Lane> {
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
    // The rights that SparkOperator gives are for a Lease in the operator's own namespace, where there is one for all lanes.
    await api.must('POST', `${rbac}/roles`, { metadata: { name: 'lease' }, rules: [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'list', 'watch', 'update', 'delete'] }] });
    await api.must('POST', `${rbac}/rolebindings`, {
      metadata: { name: 'lease' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'lease' },
      subjects: [{ kind: 'ServiceAccount', name: 'spark-operator', namespace: installation.namespace }],
    });
    return new Lane(namespace, installation);
  }

  /** A lane over the whole installation, with its rights and no others. */
  static over(installation: Installation): Lane {
    return new Lane(installation.jobs, installation);
  }

  /** Starts an operator as the pods of an installation start it, if need be behind a proxy. */
  startAs(
    { args, namespace, kubeconfig }: Pick<Installation, 'args' | 'namespace' | 'kubeconfig'>,
    { proxy, environment = {}, flags = [] }: { readonly proxy?: FaultProxy; readonly environment?: Record<string, string>; readonly flags?: readonly string[] } = {},
  ): OperatorProcess {
    const file = proxy ? this.file(`kubeconfig-${this.ends.length}`, proxy.kubeconfig()) : kubeconfig;
    // Those of the pods are taken: operators run side by side here.
    const others = args.filter((arg) => !/^--(metrics-bind|health-probe|webhook-port)/.test(arg));
    const ownPort = args.some((arg) => arg.startsWith('--webhook-port')) ? ['--webhook-port=0'] : [];
    const operator = new OperatorProcess([...others, `--kubeconfig=${file}`, ...ownPort, ...LONGER_LEASE, `--leader-election-lock-namespace=${namespace}`, ...flags], {
      POD_NAMESPACE: namespace, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment,
    });
    this.ends.unshift(() => operator.stop('SIGKILL'));
    return operator;
  }

  /** A new proxy to the API server. */
  async proxy(): Promise<FaultProxy> {
    const proxy = await FaultProxy.start(this.installation.kubeconfig);
    this.ends.push(() => proxy.close());
    return proxy;
  }

  /**
   * Starts an operator behind a proxy.
   *
   * @param user its credentials in place of those of the installation
   */
  start(proxy: FaultProxy, options: { readonly flags?: readonly string[]; readonly environment?: Record<string, string>; readonly user?: object } = {}): OperatorProcess {
    const file = join(this.folder, `kubeconfig-${this.ends.length}`);
    writeFileSync(file, proxy.kubeconfig(options.user), { mode: 0o600 });
    const operator = new OperatorProcess([
      `--kubeconfig=${file}`, `--namespaces=${this.namespace}`, ...SHORT_LEASE, `--leader-election-lock-namespace=${this.namespace}`, ...(options.flags ?? []),
    ], { ...options.environment, NODE_COMPILE_CACHE: COMPILE_CACHE });
    this.ends.unshift(() => operator.stop('SIGKILL'));
    return operator;
  }

  /** A file of the lane. */
  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** Ends what runs, with a crash. */
  async reset(): Promise<void> {
    for (const end of this.ends.splice(0)) await end();
  }

  /** Ends everything. */
  async close(): Promise<void> {
    await this.reset();
    rmSync(this.folder, { recursive: true });
  }
}
