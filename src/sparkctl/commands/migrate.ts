import { command, type Context } from '../command';
import { CommandError, fileProblem } from '../errors';
import type { HelmRelease } from '../migrate/chart';
import { examineMigration } from '../migrate/check/examine';
import { reportJson, reportText } from '../migrate/check/print';
import { listed } from '../doctor/listed';
import { read, valueOf } from '../doctor/reading';
import { countsOf } from '../doctor/report';
import { documentOf } from '../migrate/document';
import { MIGRATE_OPTIONS, type MigrateValues } from '../migrate/options';
import { releaseInCluster, releaseInFile } from '../migrate/release';
import { migrationData, tableText } from '../migrate/report';
import { translate, type Translation } from '../migrate/translate';
import type { PropsPart } from '../migrate/values/translation';
import { bundledCrds } from '../setup/bundled';
import { install } from '../setup/install';
import { installationIn, isOtherOperator, selectionOfOther } from '../setup/installation';
import { DEPLOYMENTS, OPERATOR_SELECTOR } from '../setup/kinds';
import type { Deployment } from '../setup/objects';
import { givenProps, type GivenProps } from '../setup/options';
import { overlapOf } from '../setup/scope';
import type { Synthesized } from '../setup/synthesized';
import { printable } from '../../text/printable';
import { UsageError } from '../../text/usage-error';
import { yamlText } from '../../text/yaml';

/** `sparkctl migrate`. */
export default command({
  usage: '[options]',
  description: [
    "Migrates from kubeflow's operator: reads the values of its Helm release, prints what each of them becomes, and writes",
    'the props of SparkOperator, or installs it. Values that equal the defaults of the chart are omitted. It names each',
    'value without a counterpart, with the reason and the remedy.',
    '',
    'With --check it inspects the cluster instead: what would change or be rejected, for each SparkApplication,',
    'ScheduledSparkApplication and SparkConnect, and what happens to dashboards, RBAC, webhooks and CRDs. Then it prints',
    'the steps, namespace by namespace, and the way back.',
    '',
    'JSON has release, values (each with value and often becomes, note, loss) and props; with --check, findings and counts',
    'as those of doctor, and steps and back (lists, each entry with title, commands and often note).',
  ].join('\n'),
  options: MIGRATE_OPTIONS,
  examples: [
    ['sparkctl migrate --check', 'whether everything is ready, and the steps'],
    ['sparkctl migrate', 'what the values of the release become'],
    ['sparkctl migrate -f values.yaml --write operator.mts', 'a program with cdk8s, without a cluster'],
    ['sparkctl migrate --install --job-namespace team-a --force-conflicts', 'this operator for the first namespace'],
  ],
  exitCodes: {
    1: 'there is no release, its values make wrong props, or the installation failed; with --check: there are errors',
  },
  run,
});

async function run(values: MigrateValues, words: readonly string[], context: Context): Promise<number> {
  if (words.length > 0) throw new UsageError(`migrate takes no ${words[0]}; name a file of values by -f`);
  if (values.check && (values.install || values.write !== undefined)) {
    throw new UsageError('--check changes nothing; omit it to write or install the props');
  }
  const given = givenProps(values);
  if (values.check) return check(values, given, context);
  const format = values.write === undefined ? undefined : formatOf(values.write);
  const { io, terminal } = context;
  const translation = translate(await releaseOf(values, context));
  io.stdout(values.output === 'json' ? `${JSON.stringify(migrationData(translation), undefined, 2)}\n` : tableText(translation, terminal));
  const document = documentOf(translation, given);
  const file = { name: translation.chart.release.source, content: JSON.stringify(document) };
  const synthesized = await context.synthesizeOperator({ given: {}, file }, await bundledCrds()).catch((error: unknown) => {
    // The values are wrong, not the command line.
    throw error instanceof UsageError ? new CommandError(`the values make wrong props: ${error.message}`) : error;
  });
  if (values.write !== undefined) await write(values.write, format!, { translation, document, synthesized }, context);
  if (!values.install) return 0;
  if (values['dry-run'] === undefined) await refuseOverlap(translation.chart, synthesized, values, context);
  return install(synthesized, values, context);
}

/** @throws {CommandError} if both operators would run the same applications */
async function refuseOverlap(
  { release: { name, namespace } }: Translation['chart'], { objects }: Synthesized, values: MigrateValues, { connect, signal }: Context,
): Promise<void> {
  const { client } = await connect({ namespace: undefined, context: values.context, kubeconfig: values.kubeconfig });
  const own = objects.filter(({ kind }) => kind === DEPLOYMENTS.kind).flatMap((object) => installationIn(object as Deployment) ?? []);
  const deployments = await read(listed<Deployment>(client, DEPLOYMENTS, {
    namespace, labelSelector: `${OPERATOR_SELECTOR},app.kubernetes.io/instance=${name}`,
  }, signal));
  for (const other of (valueOf(deployments) ?? []).filter(isOtherOperator)) {
    const theirs = selectionOfOther(other);
    if (theirs === undefined || other.spec.replicas === 0) continue;
    const overlap = own.map(({ selection }) => overlapOf(selection, theirs)).find(({ kind }) => kind === 'sure');
    if (overlap?.kind !== 'sure') continue;
    throw new CommandError(
      `kubeflow's operator (Deployment ${namespace}/${other.metadata.name}) still runs the applications of ${overlap.where}; nothing was `
        + 'installed, as two operators would act on them: `sparkctl migrate --check` prints the commands by which it leaves',
    );
  }
}

async function check(values: MigrateValues, given: GivenProps, { connect, io, signal, terminal }: Context): Promise<number> {
  if (values.values !== undefined) throw new UsageError('--check reads the values of the release in the cluster; omit -f');
  const { context, kubeconfig } = values;
  const { client, connection: { server } } = await connect({ namespace: undefined, context, kubeconfig });
  const report = await examineMigration({
    client, server, crds: await bundledCrds(), given, release: values.release, releaseNamespace: values['release-namespace'],
    cluster: { context, kubeconfig }, signal,
  });
  io.stdout(values.output === 'json' ? reportJson(report) : reportText(report, terminal));
  return countsOf(report.findings).error > 0 ? 1 : 0;
}

async function releaseOf(values: MigrateValues, { connect, io, signal }: Context): Promise<HelmRelease> {
  const ref = { name: values.release, namespace: values['release-namespace'] };
  if (values.values !== undefined) return releaseInFile(values.values, ref, io);
  const { client } = await connect({ namespace: undefined, context: values.context, kubeconfig: values.kubeconfig });
  return releaseInCluster(client, ref, signal);
}

interface Written {
  readonly translation: Translation;
  readonly document: PropsPart;
  readonly synthesized: Synthesized;
}

/** Form in which props are written, by the ending of the file. */
function formatOf(file: string): 'program' | 'yaml' | 'json' {
  const ending = /\.(m?ts|ya?ml|json)$/.exec(file)?.[1];
  if (ending === undefined) throw new UsageError(`--write=${file}: write the name of a file that ends in .mts, .ts, .yaml or .json`);
  return ending.endsWith('ts') ? 'program' : ending === 'json' ? 'json' : 'yaml';
}

async function write(
  file: string, format: ReturnType<typeof formatOf>, { translation, document, synthesized }: Written, { io }: Context,
): Promise<void> {
  const { chart: { release }, values } = translation;
  const comment = [
    `Written by \`sparkctl migrate\` from ${release.source} of kubeflow's chart${release.version === undefined ? '' : ` ${release.version}`}.`,
    ...values.flatMap(({ value, loss }) => (loss === undefined ? [] : [`Not migrated: ${value}: ${loss}`])),
  ].map((line) => printable(line).replaceAll('\n', ' '));
  const texts = {
    program: () => synthesized.program!(comment),
    json: () => `${JSON.stringify(document, undefined, 2)}\n`,
    yaml: () => `${comment.map((line) => `# ${line}\n`).join('')}${yamlText(document)}`,
  };
  await io.writeFile(file, texts[format]()).catch((error: unknown) => { throw new CommandError(`${file}: ${fileProblem(error)}`); });
  io.stderr(printable(`${file} written\n`));
}
