import { CLUSTER_OPTIONS } from '../cluster';
import { command, type Context } from '../command';
import type { Options, Values } from '../options';
import { CommandError } from '../errors';
import { UsageError } from '../../text/usage-error';
import { askOnTerminal, confirm } from '../setup/confirm';
import { definitionsIn, objectsText, type Definition } from '../setup/definitions';
import { inhabitantOf, type Household } from '../setup/inhabited';
import { installationIn, OPERATOR_SELECTOR, type Installation } from '../setup/installation';
import { DEFAULT_LOCK } from '../../model/installation';
import { CUSTOM_RESOURCE_DEFINITIONS, DEPLOYMENTS, NAMESPACES, resourceOf, titleOf } from '../setup/kinds';
import { operatorLeases } from '../setup/leases';
import { installedObjects } from '../setup/leftovers';
import { namespacedKinds } from '../setup/namespaced-kinds';
import { timeoutIn } from '../setup/options';
import { removeObject } from '../setup/remove';
import { reporter, type Report } from '../setup/report';
import { reachOf, runningIn } from '../setup/running';
import { untilGone } from '../setup/until';
import type { KubeClient } from '../../kube/client';
import type { KubeObject } from '../../kube/objects';
import { isNamespace } from '../../flags/values';
import type { Deployment } from '../setup/objects';

const OPTIONS = {
  'namespace': { short: 'n', value: 'NAME', default: 'spark-operator', help: "the operator's namespace" },
  'crds': { help: 'remove the CRDs, too, and with them all SparkApplications, schedules and Spark Connect servers of the cluster' },
  'yes': { help: 'do not ask whether --crds is meant' },
  'force': { help: 'go on although applications run: they go on without anybody who looks after them, and lose their rights' },
  'dry-run': { help: 'only say what would be removed' },
  'timeout': { value: 'DURATION', default: '2m', help: 'how long to wait for what is removed, such as 90s or 5m' },
  'context': CLUSTER_OPTIONS.context,
  'kubeconfig': CLUSTER_OPTIONS.kubeconfig,
} as const satisfies Options;

/** What is named of what runs; of more it is said how many. */
const MAX_RUNNING = 10;

/** The group of the CRDs: what has to be typed. */
const GROUP = 'sparkoperator.k8s.io';

/** `sparkctl uninstall`. */
export const uninstall = command({
  usage: '[options]',
  description: [
    'Removes what `sparkctl install` has made: first the webhook, then the operator, then its rights. It leaves CRDs',
    'and applications, namespaces in which somebody keeps something, and all that others have installed.',
  ].join('\n'),
  options: OPTIONS,
  examples: [
    ['sparkctl uninstall', 'the operator, and nothing of its users'],
    ['sparkctl uninstall --dry-run', 'what would go, and what would stay'],
    ['sparkctl uninstall --crds --yes', 'all of it, with all applications'],
  ],
  exitCodes: { 1: 'applications run, it was not confirmed, or something could not be removed' },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], context: Context): Promise<number> {
  const { namespace } = values;
  if (words.length > 0) throw new UsageError(`uninstall takes no ${words[0]}; write --namespace=${words[0]} for the operator there`);
  if (!isNamespace(namespace)) throw new UsageError(`--namespace=${namespace}: write the name of a namespace`);
  const timeout = timeoutIn(values.timeout);
  const { connect, signal, io } = context;
  const { client } = await connect({ namespace, context: values.context, kubeconfig: values.kubeconfig });
  const { own: objects, adopted } = await installedObjects(client, namespace, signal);
  const definitions = await definitionsIn(client, signal);
  if (objects.length === 0 && !(values.crds && definitions.length > 0)) throw new CommandError(await nothingText(client, namespace, signal));
  const installation = operatorIn(objects);
  if (!values.force) await refuseRunning(client, values.crds ? undefined : reachOf(installation, objects), signal);
  if (values.crds && !values['dry-run'] && !values.yes) await confirm(crdsText(definitions), GROUP, askOnTerminal, signal);

  const report = reporter(context, values['dry-run'] ? '(dry run)' : '');
  const removal: Removal = { client, namespace, timeout, isDryRun: values['dry-run'], tell: report, signal };
  for (const object of objects.filter(({ kind }) => kind !== NAMESPACES.kind)) await removeOne(removal, object);
  for (const lease of await operatorLeases(client, namespace, installation?.lease, signal)) await removeOne(removal, lease);
  await removeNamespaces(removal, objects.filter(({ kind }) => kind === NAMESPACES.kind), installation?.lease ?? DEFAULT_LOCK);
  for (const object of adopted) report('kept', object, 'it was there before the installation');
  for (const { object, objects: count, kind } of definitions) {
    if (values.crds) await removeOne(removal, object);
    else report('kept', object, count > 0 ? `with ${count} ${kind}${count === 1 ? '' : 's'}; --crds removes them` : '--crds removes it');
  }
  if (values.crds && !values['dry-run']) {
    for (const { object } of definitions) await untilGone(client, { resource: CUSTOM_RESOURCE_DEFINITIONS, ref: { name: object.metadata.name } }, timeout, signal);
  }
  if (installation && definitions.length > 0 && !values.crds) io.stderr('Applications that are applied from now on wait until there is an operator again.\n');
  return 0;
}

/** What removing needs. */
interface Removal {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly timeout: number;
  readonly isDryRun: boolean;
  readonly tell: Report;
  readonly signal: AbortSignal;
}

async function removeOne({ client, timeout, isDryRun, tell, signal }: Removal, object: KubeObject): Promise<void> {
  if (!isDryRun) {
    await removeObject(client, object, signal);
    // What works gives its Lease back before its rights are gone.
    if (object.kind === DEPLOYMENTS.kind) await untilGone(client, { resource: DEPLOYMENTS, ref: object.metadata }, timeout, signal);
  }
  tell('removed', object);
}

async function removeNamespaces(removal: Removal, objects: readonly KubeObject[], lock: string): Promise<void> {
  if (objects.length === 0) return;
  const household: Household = { installation: removal.namespace, lock, ...await namespacedKinds(removal.client, removal.signal) };
  for (const object of objects) await removeNamespace(removal, object, household);
}

async function removeNamespace({ client, timeout, isDryRun, tell, signal }: Removal, object: KubeObject, household: Household): Promise<void> {
  const { name } = object.metadata;
  const inhabitant = await inhabitantOf(client, name, household, signal);
  if (inhabitant !== undefined) return tell('kept', object, `${inhabitant}; kubectl delete namespace ${name} removes all of it`);
  if (!isDryRun) {
    await removeObject(client, object, signal);
    await untilGone(client, { resource: resourceOf(object), ref: { name } }, timeout, signal);
  }
  return tell('removed', object);
}

function operatorIn(objects: readonly KubeObject[]): Installation | undefined {
  return objects.filter(({ kind }) => kind === DEPLOYMENTS.kind).map((object) => installationIn(object as Deployment)).find((found) => found !== undefined);
}

async function refuseRunning(client: KubeClient, namespaces: readonly string[] | undefined, signal: AbortSignal): Promise<void> {
  const running = await runningIn(client, namespaces, signal);
  if (running.length === 0) return;
  const more = running.length - MAX_RUNNING;
  throw new CommandError([
    'applications run, which would lose the operator and the rights of their drivers; nothing was removed:',
    ...running.slice(0, MAX_RUNNING).map((title) => `  ${title}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    'Wait until they have ended, suspend them with `sparkctl suspend`, or add --force',
  ].join('\n'));
}

function crdsText(definitions: readonly Definition[]): string {
  const objects = objectsText(definitions);
  return `With the CRDs ${objects === undefined ? 'all SparkApplications, schedules and Spark Connect servers of the cluster go, of which there are none' : `${objects} of the whole cluster are deleted`}`;
}

async function nothingText(client: KubeClient, namespace: string, signal: AbortSignal): Promise<string> {
  const { items } = await client.listPage(DEPLOYMENTS, { labelSelector: OPERATOR_SELECTOR, signal });
  const [other] = items;
  const nothing = `sparkctl has installed nothing for an operator in the namespace ${namespace}`;
  if (!other) return `${nothing}, and there is no operator in the cluster`;
  const byWhom = other.metadata.labels?.['app.kubernetes.io/managed-by'];
  const there = `there is the ${titleOf({ ...other, kind: DEPLOYMENTS.kind })}${byWhom === undefined || byWhom === 'sparkctl' ? '' : `, installed by ${byWhom}`}`;
  return byWhom === 'sparkctl' ? `${nothing}; ${there}: add --namespace=${other.metadata.namespace}` : `${nothing}; ${there}: remove it with what has installed it`;
}
