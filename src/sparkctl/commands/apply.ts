import { reportDelay } from '../action/delay';
import { codeAfter, WAIT_FAILURE, WAIT_OPTIONS, waitingIn, type Waiting } from '../action/waiting';
import { CLUSTER_OPTIONS, type Cluster } from '../cluster';
import { command, type Context } from '../command';
import type { Values } from '../options';
import { UsageError } from '../../text/usage-error';
import { filesOf, readKinds, reportFindings, type KnownManifest } from '../manifests/checked';
import { reportElsewhere } from '../manifests/elsewhere';
import { reportRepeated } from '../manifests/repeated';
import { FILE_OPTION } from '../manifests/file-option';
import { printMessage } from '../output/wrapped-output';
import { titleOf } from '../output/title';
import { reportRejection } from '../manifests/rejection';
import { Report } from '../manifests/report';
import { applied, printedObject, type Change } from '../manifests/send';
import { objectsText, OUTPUT_OPTION, type Format } from '../output/objects';
import { printable } from '../../text/printable';
import { KINDS } from '../target';
import { WAIT_EXIT_CODES } from '../wait/follow';
import { ApiError } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import type { WholeApplication } from '../../model/spark-application';

const OPTIONS = {
  ...FILE_OPTION,
  ...CLUSTER_OPTIONS,
  'dry-run': {
    value: 'WHERE', choices: ['none', 'client', 'server'], default: 'none',
    help: 'client: only check the files; server: also validate them in the cluster, without changes; one of',
  },
  'force-conflicts': { help: 'take over fields of other managers, such as kubectl or a controller' },
  ...WAIT_OPTIONS,
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
    ...WAIT_EXIT_CODES, 1: `a file has an error, or the cluster rejects an object; ${WAIT_FAILURE}`,
  },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], context: Context): Promise<number> {
  const files = filesOf(words);
  const waiting = waitingIn(values);
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
    if (values.output === undefined) {
      for (const manifest of manifests) printMessage(context, `${printable(titleOf(manifest.object))} checked (client dry run)`);
    } else {
      const objects = manifests.map((manifest) => ({ manifest, object: printedObject(manifest, values.namespace) }));
      printObjects(objects, values.output, io);
    }
    return 0;
  }
  return send(manifests, values, report, context, waiting);
}

/** Manifest and the object of its request or response. */
interface Sent {
  readonly manifest: KnownManifest;
  readonly object: KubeObject;
}

async function send(
  manifests: readonly KnownManifest[], values: Values<typeof OPTIONS>, report: Report, context: Context, waiting: Waiting | undefined,
): Promise<number> {
  const { connect, io, signal } = context;
  const cluster = await connect(values);
  const sent: Sent[] = [];
  const changed: WholeApplication[] = [];
  for (const manifest of manifests) {
    const result = await sentOne(manifest, cluster, values, report, signal);
    if (!result) continue;
    sent.push({ manifest, object: result.object });
    if (manifest.kind === 'application' && result.change !== 'unchanged') changed.push(result.object as WholeApplication);
    if (values.output === undefined) {
      const end = values['dry-run'] === 'server' ? ' (server dry run)' : '';
      printMessage(context, `${lineOf(manifest, result.object, result.change)}${end}`);
    }
  }
  if (values.output !== undefined) printObjects(sent, values.output, io);
  const applications = sent.filter(({ manifest }) => manifest.kind === 'application').map(({ object }) => object as WholeApplication);
  if (values['dry-run'] === 'none') await reportDelay(cluster.client, changed, context);
  return codeAfter(waiting, applications, report.errors > 0 ? 1 : 0, {
    ...context, client: cluster.client, quiet: values.output !== undefined,
  });
}

/** Prints objects for scripts. */
function printObjects(objects: readonly Sent[], format: Format, io: Context['io']): void {
  // Manifests and the server's responses contain their kind.
  const isList = format !== 'name' && objects.length > 1;
  if (isList) io.stdout(objectsText(format, KINDS.application, objects.map(({ object }) => object), true));
  else for (const { manifest, object } of objects) io.stdout(objectsText(format, KINDS[manifest.kind], [object], false));
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
    reportRejection(error, manifest, report);
    return undefined;
  }
}
