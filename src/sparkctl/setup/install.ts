import type { Context } from '../command';
import { CommandError } from '../errors';
import { printMessage } from '../output/wrapped-output';
import { titleOf } from '../output/title';
import type { KubeClient } from '../../kube/client';
import type { KubeObject } from '../../kube/objects';
import { printable } from '../../text/printable';
import { applyObject, preflight, type ApplyOptions } from './apply';
import { installedObjects, orphans } from './installed-objects';
import { DEPLOYMENTS } from './kinds';
import { timeoutIn, type InstallValues } from './options';
import { refusalText } from './refusals';
import { removeObject } from './remove';
import { reporter } from './report';
import type { Synthesized } from './synthesized';
import { untilAvailable, untilEstablished } from './until';

/** Options that control how objects are installed. */
export type InstallControls = Pick<
  InstallValues, 'dry-run' | 'force-conflicts' | 'prune' | 'no-wait' | 'timeout' | 'context' | 'kubeconfig'
>;

/**
 * Installs an operator, or prints what an installation would change.
 *
 * @returns the exit code
 * @throws {CommandError} if the cluster rejects an object, or the operator is not available in time
 */
export async function install(synthesized: Synthesized, values: InstallControls, context: Context): Promise<number> {
  const { io, connect, signal } = context;
  const timeout = timeoutIn(values.timeout);
  const { namespace, installation, crds, objects } = synthesized;
  const all = [...crds, ...objects];
  if (values['dry-run'] === 'client') {
    for (const object of all) printMessage(context, printable(`${titleOf(object)} (client dry run)`));
    return 0;
  }
  const { client } = await connect({ namespace, context: values.context, kubeconfig: values.kubeconfig });
  const options = { installation, force: values['force-conflicts'], signal };
  const results = await preflight(client, all, options);
  const refused = results.flatMap((each) => ('refusal' in each ? [each] : []));
  if (refused.length > 0) throw new CommandError(refusalText(refused));
  const left = orphans((await installedObjects(client, installation, signal)).own, objects);
  if (values['dry-run'] === 'server') {
    const report = reporter(context, true);
    for (const each of results) if ('outcome' in each) report(each.outcome, each.object, 'stays' in each ? each.stays : undefined);
    for (const object of left) report(values.prune ? 'removed' : 'kept', object, values.prune ? undefined : EARLIER_INSTALLATION);
    const unchecked = results.flatMap((each) => ('isUnchecked' in each ? [each.object] : []));
    if (unchecked.length > 0) io.stderr(printable(`${uncheckedText(unchecked)}\n`));
    return 0;
  }
  await applyAll(client, synthesized, { ...options, dryRun: false }, timeout, context);
  await settleOrphans(client, left, values.prune, context);
  if (!values['no-wait']) await awaitDeployments(client, objects, timeout, context);
  return 0;
}

const EARLIER_INSTALLATION = 'of an earlier installation; --prune removes it';

/** Describes objects that a dry run cannot validate, as their namespaces do not exist. */
function uncheckedText(objects: readonly KubeObject[]): string {
  const namespaces = [...new Set(objects.map(({ metadata }) => metadata.namespace))];
  const [them, their] = objects.length === 1 ? ['1 object', 'its'] : [`${objects.length} objects`, 'their'];
  const names = namespaces.length === 1 ? `namespace exists: ${namespaces[0]}` : `namespaces exist: ${namespaces.join(', ')}`;
  return `The cluster can validate ${them} only once ${their} ${names}`;
}

/** Applies all objects. The API server accepts objects of a kind only once it serves the CRD. */
async function applyAll(
  client: KubeClient, { crds, objects }: Synthesized, options: ApplyOptions, timeout: number, context: Context,
): Promise<void> {
  const report = reporter(context);
  const apply = async (object: KubeObject) => {
    const { outcome, stays } = await applyObject(client, object, options);
    report(outcome, object, stays);
  };
  for (const crd of crds) await apply(crd);
  for (const crd of crds) await untilEstablished(client, crd.metadata.name, timeout, options.signal);
  for (const object of objects) await apply(object);
}

async function settleOrphans(client: KubeClient, left: readonly KubeObject[], isPruned: boolean, context: Context): Promise<void> {
  const report = reporter(context);
  for (const object of left) {
    if (isPruned) await removeObject(client, object, context.signal);
    report(isPruned ? 'removed' : 'kept', object, isPruned ? undefined : EARLIER_INSTALLATION);
  }
}

async function awaitDeployments(
  client: KubeClient, objects: readonly KubeObject[], timeout: number, { io, terminal, signal }: Context,
): Promise<void> {
  for (const { kind, metadata } of objects) {
    if (kind !== DEPLOYMENTS.kind) continue;
    io.stderr(`waiting for Deployment ${metadata.namespace}/${metadata.name} …\n`);
    await untilAvailable(client, metadata, timeout, signal);
    printMessage({ io, terminal }, `available  Deployment ${metadata.namespace}/${metadata.name}`);
  }
}
