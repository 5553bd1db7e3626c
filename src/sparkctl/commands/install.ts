import { command, type Context } from '../command';
import { CommandError, fileProblem } from '../errors';
import { UsageError } from '../../text/usage-error';
import { STDIN } from '../manifests/read';
import { printable } from '../../text/printable';
import { yamlText } from '../../text/yaml';
import { applyObject, preflight, type ApplyOptions } from '../setup/apply';
import { bundledCrds } from '../setup/bundled';
import { DEPLOYMENTS, titleOf } from '../setup/kinds';
import { labelled } from '../setup/labels';
import { installedObjects, orphans } from '../setup/leftovers';
import { givenProps, INSTALL_OPTIONS, timeoutIn, type InstallValues } from '../setup/options';
import { refusalText } from '../setup/refusals';
import { removeObject } from '../setup/remove';
import { reporter } from '../setup/report';
import { untilAvailable, untilEstablished } from '../setup/until';
import type { KubeClient } from '../../kube/client';
import type { KubeObject } from '../../kube/objects';
import type { Synthesized } from '../setup/synthesized';

/** `sparkctl install`. */
export const install = command({
  usage: '[options]',
  description: [
    'Installs the operator: what the construct SparkOperator synthesizes, applied on the side of the server. The CRDs',
    'come first. Applied again it changes what is different, and nothing else. All is asked of the cluster before',
    'anything is changed: what is refused, or managed by others, is told and nothing is done.',
  ].join('\n'),
  options: INSTALL_OPTIONS,
  examples: [
    ['sparkctl install --job-namespace team-a,team-b --create-job-namespaces', 'an operator for two namespaces'],
    ['sparkctl install --job-namespace jobs --replicas 2 --webhook', 'one that bridges the loss of a node, and refuses mistakes at once'],
    ['sparkctl install --values operator.yaml --dry-run=server', 'what a change of the settings would change'],
    ['sparkctl install --job-namespace jobs --print > operator.yaml', 'the manifests, for a repository'],
  ],
  exitCodes: { 1: 'something was refused, or the operator is not available in time' },
  run,
});

async function run(values: InstallValues, words: readonly string[], context: Context): Promise<number> {
  if (words.length > 0) throw new UsageError(`install takes no ${words[0]}; what is installed is said by options`);
  const { io, connect, signal } = context;
  const timeout = timeoutIn(values.timeout);
  const synthesized = await synthesizedFor(values, context);
  const { namespace: installation, crds, objects } = synthesized;
  const all = [...crds, ...objects];
  if (values.print) {
    io.stdout([...crds, ...objects.map((object) => labelled(object, installation))].map(yamlText).join('---\n'));
    return 0;
  }
  if (values['dry-run'] === 'client') {
    for (const object of all) io.stdout(printable(`${titleOf(object)} (client dry run)\n`));
    return 0;
  }
  const { client } = await connect({ namespace: installation, context: values.context, kubeconfig: values.kubeconfig });
  const options = { installation, force: values['force-conflicts'], signal };
  const foreseen = await preflight(client, all, options);
  const refused = foreseen.flatMap((each) => ('refusal' in each ? [each] : []));
  if (refused.length > 0) throw new CommandError(refusalText(refused));
  const left = orphans((await installedObjects(client, installation, signal)).own, objects);
  if (values['dry-run'] === 'server') {
    const tell = reporter(context, '(server dry run)');
    for (const each of foreseen) if ('outcome' in each) tell(each.outcome, each.object, 'isUnchecked' in each ? 'the cluster can only look at it when its namespace is there' : each.stays);
    for (const object of left) tell(values.prune ? 'removed' : 'kept', object, values.prune ? undefined : OF_EARLIER);
    return 0;
  }
  await applyAll(client, synthesized, { ...options, dryRun: false }, timeout, context);
  await settleOrphans(client, left, values.prune, context);
  if (!values['no-wait']) await awaitDeployments(client, objects, timeout, context);
  return 0;
}

const OF_EARLIER = 'of an earlier installation; --prune removes it';

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

/** The API server takes objects of a kind only once it serves the CRD. */
async function applyAll(client: KubeClient, { crds, objects }: Synthesized, options: ApplyOptions, timeout: number, context: Context): Promise<void> {
  const tell = reporter(context);
  const apply = async (object: KubeObject) => {
    const { outcome, stays } = await applyObject(client, object, options);
    tell(outcome, object, stays);
  };
  for (const crd of crds) await apply(crd);
  for (const crd of crds) await untilEstablished(client, crd.metadata.name, timeout, options.signal);
  for (const object of objects) await apply(object);
}

async function settleOrphans(client: KubeClient, left: readonly KubeObject[], isPruned: boolean, context: Context): Promise<void> {
  const tell = reporter(context);
  for (const object of left) {
    if (isPruned) await removeObject(client, object, context.signal);
    tell(isPruned ? 'removed' : 'kept', object, isPruned ? undefined : OF_EARLIER);
  }
}

async function awaitDeployments(client: KubeClient, objects: readonly KubeObject[], timeout: number, { io, signal }: Context): Promise<void> {
  for (const { kind, metadata } of objects) {
    if (kind !== DEPLOYMENTS.kind) continue;
    io.stderr(`waiting for Deployment ${metadata.namespace}/${metadata.name} …\n`);
    await untilAvailable(client, metadata, timeout, signal);
    io.stdout(`available  Deployment ${metadata.namespace}/${metadata.name}\n`);
  }
}
