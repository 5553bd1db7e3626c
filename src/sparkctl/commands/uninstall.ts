import { CLUSTER_OPTIONS } from '../cluster';
import { command } from '../command';
import { CommandError } from '../errors';
import { UsageError } from '../../text/usage-error';
import { askOnTerminal, confirm } from '../setup/confirm';
import { definitionsIn, objectsText, type Definition } from '../setup/definitions';
import { reasonToKeep, type NamespaceScope } from '../setup/foreign-objects';
import { installationIn, type Installation } from '../setup/installation';
import { DEFAULT_LOCK, installationKey, OPERATOR_NAME } from '../../model/installation';
import { CUSTOM_RESOURCE_DEFINITIONS, DEPLOYMENTS, OPERATOR_SELECTOR, resourceOf } from '../setup/kinds';
import { NAMESPACES } from '../../model/resources';
import { titleOf } from '../output/title';
import { operatorLeases } from '../setup/leases';
import { installedObjects } from '../setup/installed-objects';
import { namespacedKinds } from '../setup/namespaced-kinds';
import { timeoutIn } from '../setup/options';
import { removeObject } from '../setup/remove';
import { reporter, type Report } from '../setup/report';
import { reachOf, runningIn } from '../setup/running';
import { untilGone } from '../setup/until';
import type { KubeClient } from '../../kube/client';
import type { KubeObject } from '../../kube/objects';
import { isDnsLabel } from '../../rules/names';
import type { Deployment } from '../setup/objects';

/** Maximum number of running applications that are named; the rest is counted. */
const MAX_RUNNING = 10;

/** API group of the CRDs, which the user types to confirm. */
const GROUP = 'sparkoperator.k8s.io';

/** `sparkctl uninstall`. */
export default command({
  usage: '[options]',
  description: [
    'Removes the objects that `sparkctl install` has created: first the webhook, then the operator, then its permissions.',
    'It keeps CRDs and applications, namespaces with other objects, and all that other tools have installed.',
  ].join('\n'),
  options: {
    'namespace': { short: 'n', value: 'NAME', default: 'spark-operator', help: "the operator's namespace" },
    'name': { value: 'NAME', default: OPERATOR_NAME, help: "the operator's name, if it was installed with --name" },
    'crds': { help: 'also remove the CRDs, and with them all SparkApplications, schedules and Spark Connect servers of the cluster' },
    'yes': { help: 'do not ask to confirm --crds' },
    'force': { help: 'remove the operator even if applications run: they continue without an operator, and lose their permissions' },
    'dry-run': { help: 'only print what would be removed' },
    'timeout': { value: 'DURATION', default: '2m', help: 'maximum time to wait for removed objects, such as 90s or 5m' },
    'context': CLUSTER_OPTIONS.context,
    'kubeconfig': CLUSTER_OPTIONS.kubeconfig,
  },
  examples: [
    ['sparkctl uninstall', 'remove the operator, and keep all applications'],
    ['sparkctl uninstall --dry-run', 'print what would be removed and kept'],
    ['sparkctl uninstall --crds --yes', 'remove everything, including all applications'],
  ],
  exitCodes: { 1: 'applications run, it was not confirmed, or an object could not be removed' },
  async run(values, words, context) {
    const { namespace } = values;
    const installation = installationKey(namespace, values.name);
    if (words.length > 0) throw new UsageError(`uninstall takes no ${words[0]}; write --namespace=${words[0]} for the operator there`);
    if (!isDnsLabel(namespace)) throw new UsageError(`--namespace=${namespace}: write the name of a namespace`);
    const timeout = timeoutIn(values.timeout);
    const { connect, signal, io } = context;
    const { client } = await connect({ namespace, context: values.context, kubeconfig: values.kubeconfig });
    const { own: objects, adopted } = await installedObjects(client, installation, signal);
    const definitions = await definitionsIn(client, signal);
    if (objects.length === 0 && !(values.crds && definitions.length > 0)) {
      throw new CommandError(await nothingText(client, namespace, values.name, signal));
    }
    const operator = operatorIn(objects);
    const refuse = async () => {
      if (!values.force) await refuseRunning(client, values.crds ? undefined : reachOf(operator, objects), signal);
    };
    if (!values['dry-run']) await refuse();
    if (values.crds && !values['dry-run'] && !values.yes) await confirm(crdsText(definitions), GROUP, askOnTerminal, signal);

    const report = reporter(context, values['dry-run']);
    const removal: Removal = { client, installation, timeout, isDryRun: values['dry-run'], report, signal };
    for (const object of objects.filter(({ kind }) => kind !== NAMESPACES.kind)) await removeOne(removal, object);
    for (const lease of await operatorLeases(client, namespace, operator?.lease, signal)) await removeOne(removal, lease);
    await removeNamespaces(removal, objects.filter(({ kind }) => kind === NAMESPACES.kind), operator?.lease ?? DEFAULT_LOCK);
    for (const object of adopted) report('kept', object, 'it existed before the installation');
    for (const { object, objects: count, kind } of definitions) {
      if (values.crds) await removeOne(removal, object);
      else report('kept', object, count > 0 ? `with ${count} ${kind}${count === 1 ? '' : 's'}; --crds removes them` : '--crds removes it');
    }
    if (values.crds && !values['dry-run']) {
      for (const { object } of definitions) {
        await untilGone(client, { resource: CUSTOM_RESOURCE_DEFINITIONS, ref: { name: object.metadata.name } }, timeout, signal);
      }
    }
    // Last, so that a dry run prints what would be removed in any case.
    if (values['dry-run']) await refuse();
    if (operator && definitions.length > 0 && !values.crds) io.stderr('New applications wait until an operator is installed again.\n');
    return 0;
  },
});

/** Options and dependencies of removing objects. */
interface Removal {
  readonly client: KubeClient;
  /** Key of the installation. */
  readonly installation: string;
  readonly timeout: number;
  readonly isDryRun: boolean;
  readonly report: Report;
  readonly signal: AbortSignal;
}

async function removeOne({ client, timeout, isDryRun, report, signal }: Removal, object: KubeObject): Promise<void> {
  if (!isDryRun) {
    await removeObject(client, object, signal);
    // The operator releases its Lease before its permissions are removed.
    if (object.kind === DEPLOYMENTS.kind) await untilGone(client, { resource: DEPLOYMENTS, ref: object.metadata }, timeout, signal);
  }
  report('removed', object);
}

async function removeNamespaces(removal: Removal, objects: readonly KubeObject[], lock: string): Promise<void> {
  if (objects.length === 0) return;
  const scope: NamespaceScope = { installation: removal.installation, lock, ...await namespacedKinds(removal.client, removal.signal) };
  for (const object of objects) await removeNamespace(removal, object, scope);
}

async function removeNamespace(
  { client, timeout, isDryRun, report, signal }: Removal, object: KubeObject, scope: NamespaceScope,
): Promise<void> {
  const { name } = object.metadata;
  const reason = await reasonToKeep(client, name, scope, signal);
  if (reason !== undefined) return report('kept', object, `${reason}; kubectl delete namespace ${name} removes all of it`);
  if (!isDryRun) {
    await removeObject(client, object, signal);
    await untilGone(client, { resource: resourceOf(object), ref: { name } }, timeout, signal);
  }
  return report('removed', object);
}

function operatorIn(objects: readonly KubeObject[]): Installation | undefined {
  return objects.filter(({ kind }) => kind === DEPLOYMENTS.kind).map(
    (object) => installationIn(object as Deployment),
  ).find((found) => found !== undefined);
}

async function refuseRunning(client: KubeClient, namespaces: readonly string[] | undefined, signal: AbortSignal): Promise<void> {
  const running = await runningIn(client, namespaces, signal);
  if (running.length === 0) return;
  const more = running.length - MAX_RUNNING;
  throw new CommandError([
    'running applications and servers would lose the operator and the permissions of their drivers; nothing was removed:',
    ...running.slice(0, MAX_RUNNING).map((title) => `  ${title}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    'Wait until applications have ended, or suspend them with `sparkctl suspend`; delete servers with `sparkctl delete`; or add --force',
  ].join('\n'));
}

function crdsText(definitions: readonly Definition[]): string {
  const objects = objectsText(definitions);
  return objects === undefined
    ? 'With the CRDs all SparkApplications, schedules and Spark Connect servers of the cluster are deleted; there are none'
    : `With the CRDs ${objects} of the whole cluster are deleted`;
}

async function nothingText(client: KubeClient, namespace: string, name: string, signal: AbortSignal): Promise<string> {
  const { items } = await client.listPage<Deployment>(DEPLOYMENTS, { labelSelector: OPERATOR_SELECTOR, signal });
  const [other] = items;
  const nothing = `sparkctl has installed nothing for an operator ${name === OPERATOR_NAME ? '' : `${name} `}in the namespace ${namespace}`;
  if (!other) return `${nothing}, and there is no operator in the cluster`;
  const byWhom = other.metadata.labels?.['app.kubernetes.io/managed-by'];
  const installer = byWhom === undefined || byWhom === 'sparkctl' ? '' : `, installed by ${byWhom}`;
  const there = `there is the ${titleOf({ ...other, kind: DEPLOYMENTS.kind })}${installer}`;
  const otherName = installationIn(other)?.operatorName ?? OPERATOR_NAME;
  return byWhom === 'sparkctl'
    ? `${nothing}; ${there}: add --namespace=${other.metadata.namespace}${otherName === OPERATOR_NAME ? '' : ` --name=${otherName}`}`
    : `${nothing}; ${there}: remove it with the tool that installed it`;
}
