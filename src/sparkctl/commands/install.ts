import { command, type Context } from '../command';
import { CommandError, fileProblem } from '../errors';
import { UsageError } from '../../text/usage-error';
import { STDIN } from '../manifests/read';
import { printable } from '../../text/printable';
import { yamlText } from '../../text/yaml';
import { applyObject, preflight, type ApplyOptions } from '../setup/apply';
import { bundledCrds } from '../setup/bundled';
import { titleOf } from '../output/title';
import { DEPLOYMENTS } from '../setup/kinds';
import { labelled } from '../setup/labels';
import { installedObjects, orphans } from '../setup/installed-objects';
import { givenProps, INSTALL_OPTIONS, timeoutIn, type InstallValues } from '../setup/options';
import { refusalText } from '../setup/refusals';
import { removeObject } from '../setup/remove';
import { reporter } from '../setup/report';
import { untilAvailable, untilEstablished } from '../setup/until';
import type { KubeClient } from '../../kube/client';
import type { KubeObject } from '../../kube/objects';
import type { Synthesized } from '../setup/synthesized';

/** `sparkctl install`. */
export default command({
  usage: '[options]',
  description: [
    'Installs the operator: applies the objects of the construct SparkOperator by server-side apply, the CRDs first.',
    'Running it again only changes objects that differ. Before the first change, the cluster validates all objects: if',
    'it rejects one, or other managers own its fields, they are reported and nothing is changed.',
  ].join('\n'),
  options: INSTALL_OPTIONS,
  examples: [
    ['sparkctl install --job-namespace team-a,team-b --create-job-namespaces', 'an operator for two namespaces'],
    [
      'sparkctl install --job-namespace jobs --replicas 2 --webhook',
      'one that survives the loss of a node, and rejects mistakes immediately',
    ],
    ['sparkctl install --values operator.yaml --dry-run=server', 'the effect of changed settings'],
    ['sparkctl install --job-namespace jobs --print > operator.yaml', 'the manifests, for a repository'],
  ],
  exitCodes: { 1: 'the cluster rejects an object, or the operator is not available in time' },
  run,
});

async function run(values: InstallValues, words: readonly string[], context: Context): Promise<number> {
  if (words.length > 0) throw new UsageError(`install takes no ${words[0]}; use options to configure it`);
  if (values.print && values['dry-run'] !== undefined) {
    throw new UsageError('--print prints manifests, and --dry-run changes; omit one of them');
  }
  const { io, connect, signal } = context;
  const timeout = timeoutIn(values.timeout);
  const synthesized = await synthesizedFor(values, context);
  const { namespace, installation, crds, objects } = synthesized;
  const all = [...crds, ...objects];
  if (values.print) {
    io.stdout([...crds, ...objects.map((object) => labelled(object, installation))].map(yamlText).join('---\n'));
    return 0;
  }
  if (values['dry-run'] === 'client') {
    for (const object of all) io.stdout(printable(`${titleOf(object)} (client dry run)\n`));
    return 0;
  }
  const { client } = await connect({ namespace, context: values.context, kubeconfig: values.kubeconfig });
  const options = { installation, force: values['force-conflicts'], signal };
  const results = await preflight(client, all, options);
  const refused = results.flatMap((each) => ('refusal' in each ? [each] : []));
  if (refused.length > 0) throw new CommandError(refusalText(refused));
  const left = orphans((await installedObjects(client, installation, signal)).own, objects);
  if (values['dry-run'] === 'server') {
    const report = reporter(context, '(server dry run)');
    for (const each of results) {
      if ('outcome' in each) {
        const why = 'isUnchecked' in each ? 'the cluster can only validate it once its namespace exists' : each.stays;
        report(each.outcome, each.object, why);
      }
    }
    for (const object of left) report(values.prune ? 'removed' : 'kept', object, values.prune ? undefined : EARLIER_INSTALLATION);
    return 0;
  }
  await applyAll(client, synthesized, { ...options, dryRun: false }, timeout, context);
  await settleOrphans(client, left, values.prune, context);
  if (!values['no-wait']) await awaitDeployments(client, objects, timeout, context);
  return 0;
}

const EARLIER_INSTALLATION = 'of an earlier installation; --prune removes it';

async function synthesizedFor(values: InstallValues, { io, synthesizeOperator }: Context): Promise<Synthesized> {
  const given = givenProps(values);
  const file = values.values === undefined ? undefined : { name: values.values, content: await contentOf(values.values, io) };
  return synthesizeOperator({ given, file }, await bundledCrds());
}

async function contentOf(file: string, io: Context['io']): Promise<string> {
  try {
    return await (file === STDIN ? io.readStdin() : io.readFile(file));
  } catch (error) {
    throw new CommandError(`${file}: ${fileProblem(error)}`);
  }
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
  client: KubeClient, objects: readonly KubeObject[], timeout: number, { io, signal }: Context,
): Promise<void> {
  for (const { kind, metadata } of objects) {
    if (kind !== DEPLOYMENTS.kind) continue;
    io.stderr(`waiting for Deployment ${metadata.namespace}/${metadata.name} …\n`);
    await untilAvailable(client, metadata, timeout, signal);
    io.stdout(`available  Deployment ${metadata.namespace}/${metadata.name}\n`);
  }
}
