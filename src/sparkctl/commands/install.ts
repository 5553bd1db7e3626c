import { command, type Context } from '../command';
import { CommandError, fileProblem } from '../errors';
import { UsageError } from '../../text/usage-error';
import { STDIN } from '../manifests/read';
import { yamlText } from '../../text/yaml';
import { bundledCrds } from '../setup/bundled';
import { install } from '../setup/install';
import { labelled } from '../setup/labels';
import { givenProps, INSTALL_OPTIONS, type InstallValues } from '../setup/options';
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
  const synthesized = await synthesizedFor(values, context);
  if (!values.print) return install(synthesized, values, context);
  const { installation, crds, objects } = synthesized;
  context.io.stdout([...crds, ...objects.map((object) => labelled(object, installation))].map(yamlText).join('---\n'));
  return 0;
}

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
