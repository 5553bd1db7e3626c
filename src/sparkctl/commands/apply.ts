import { CLUSTER_OPTIONS, type Cluster } from '../cluster';
import { command, type Context } from '../command';
import { conflictText } from '../conflicts';
import type { Values } from '../options';
import { UsageError } from '../../text/usage-error';
import { filesOf, readKinds, reportFindings, type KnownManifest } from '../manifests/checked';
import { reportElsewhere } from '../manifests/elsewhere';
import { reportRepeated } from '../manifests/repeated';
import { FILE_OPTION } from '../manifests/file-option';
import { titleOf } from '../output/title';
import { Report } from '../manifests/report';
import { applied, type Change } from '../manifests/send';
import { objectsText, OUTPUT_OPTION } from '../output/objects';
import { printable } from '../../text/printable';
import { problemText } from '../problem';
import { KINDS } from '../target';
import { WAIT_EXIT_CODES } from '../wait/follow';
import { TIMEOUT_OPTION, timeoutOf } from '../wait/timeout';
import { waitFor } from '../wait/wait';
import { ApiError } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';

const OPTIONS = {
  ...FILE_OPTION,
  ...CLUSTER_OPTIONS,
  'dry-run': {
    value: 'WHERE', choices: ['none', 'client', 'server'], default: 'none',
    help: 'client: only check the files; server: also validate them in the cluster, without changes; one of',
  },
  'force-conflicts': { help: 'take over fields of other managers, such as kubectl or a controller' },
  'wait': { help: 'wait until the applications have ended' },
  'timeout': TIMEOUT_OPTION,
  'output': OUTPUT_OPTION,
} as const;

/** `sparkctl apply`. */
export default command({
  usage: 'FILE… [options]',
  description: [
    'Applies SparkApplications, ScheduledSparkApplications and SparkConnects by server-side apply. All files are checked',
    'first: if one has an error, nothing is sent. An application whose specification changes is run again. A FILE can hold',
    'several documents; - is the standard input. Documents of other kinds are skipped.',
  ].join('\n'),
  options: OPTIONS,
  examples: [
    ['sparkctl apply jobs/*.yaml -n etl', 'all manifests of a folder'],
    ['sparkctl apply pi.yaml --dry-run=server', 'what would change, and whether the cluster would accept it'],
    ['sparkctl apply pi.yaml --wait --timeout=30m', 'run it; the exit code shows the outcome'],
  ],
  exitCodes: {
    ...WAIT_EXIT_CODES, 1: 'a file has an error, or the cluster rejects an object; with --wait also: an application has failed',
  },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], context: Context): Promise<number> {
  const files = filesOf(words);
  const timeout = timeoutOf(values.timeout);
  if (timeout !== undefined && !values.wait) throw new UsageError('--timeout needs --wait; add it');
  if (values.wait && values['dry-run'] !== 'none') {
    throw new UsageError(`--wait: with --dry-run=${values['dry-run']} nothing runs; omit one of them`);
  }
  const { io } = context;
  const report = new Report(io);
  const manifests = await readKinds(files, ['application', 'schedule', 'connect'], io, report);
  for (const manifest of manifests) {
    reportFindings(manifest, report);
    reportElsewhere(manifest, values.namespace, report);
  }
  reportRepeated(manifests, values.namespace, report);
  if (report.errors > 0) {
    io.stderr('Nothing was sent to the cluster.\n');
    return 1;
  }
  if (values['dry-run'] === 'client') {
    for (const manifest of manifests) io.stdout(`${printable(titleOf(manifest.object))} checked (client dry run)\n`);
    return 0;
  }
  return send(manifests, values, report, context, timeout);
}

async function send(
  manifests: readonly KnownManifest[], values: Values<typeof OPTIONS>, report: Report, context: Context, timeout: number | undefined,
): Promise<number> {
  const { connect, io, signal } = context;
  const cluster = await connect(values);
  const sent: { readonly manifest: KnownManifest; readonly object: KubeObject }[] = [];
  for (const manifest of manifests) {
    const result = await sentOne(manifest, cluster, values, report, signal);
    if (!result) continue;
    sent.push({ manifest, object: result.object });
    if (values.output === undefined) {
      io.stdout(`${lineOf(manifest, result.object, result.change)}${values['dry-run'] === 'server' ? ' (server dry run)' : ''}\n`);
    }
  }
  if (values.output !== undefined) {
    // The server's responses contain their kind.
    const isList = values.output !== 'name' && sent.length > 1;
    if (isList) io.stdout(objectsText(values.output, KINDS.application, sent.map(({ object }) => object), true));
    else for (const { manifest, object } of sent) io.stdout(objectsText(values.output, KINDS[manifest.kind], [object], false));
  }
  const applications = sent
    .filter(({ manifest }) => manifest.kind === 'application')
    .map(({ object: { metadata: { namespace, name, uid, generation } } }) => ({ namespace: namespace!, name, uid, generation }));
  const waited = values.wait && applications.length > 0
    ? await waitFor(cluster.client, applications, context, { timeout, quiet: values.output !== undefined })
    : 0;
  return report.errors > 0 ? 1 : waited;
}

function lineOf({ kind }: KnownManifest, { metadata }: KubeObject, change: Change): string {
  return `${printable(titleOf({ kind: KINDS[kind].kind, metadata }))} ${change}`;
}

/**
 * Applies one object; undefined once the reason of a failure has been reported. The others are
 * still applied.
 */
async function sentOne(manifest: KnownManifest, cluster: Cluster, values: Values<typeof OPTIONS>, report: Report, signal: AbortSignal) {
  try {
    return await applied(manifest, cluster, { dryRun: values['dry-run'] === 'server', force: values['force-conflicts'], signal });
  } catch (error) {
    // An error that does not depend on this object would also affect the others.
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    report.error(manifest.source.place(), `${titleOf(manifest.object)}: ${conflictText(error) ?? problemText(error)!}`);
    return undefined;
  }
}
