import { randomBytes } from 'node:crypto';
import { reportDelay } from '../action/delay';
import { codeAfter, WAIT_FAILURE, WAIT_OPTIONS, waitingIn, type Waiting } from '../action/waiting';
import { CLUSTER_OPTIONS, type Cluster } from '../cluster';
import { command, type Context } from '../command';
import type { Values } from '../options';
import { fromSchedule } from '../create/from-schedule';
import { localFileAdvice, withMissingFiles } from '../create/local-file-advice';
import { overridden, overridesIn } from '../create/override';
import { UPLOAD_OPTIONS, uploadPlaceIn } from '../create/upload-options';
import { uploader, type PlannedUploads } from '../create/uploads';
import { CommandError } from '../errors';
import { UsageError } from '../../text/usage-error';
import { filesOf, readKinds, reportFindings, type KnownManifest } from '../manifests/checked';
import { reportElsewhere } from '../manifests/elsewhere';
import { reportRepeated } from '../manifests/repeated';
import { FILE_OPTION } from '../manifests/file-option';
import { type ManifestObject } from '../manifests/read';
import { printMessage } from '../output/wrapped-output';
import { titleOf } from '../output/title';
import { Report } from '../manifests/report';
import { printedObject, sentObject, type SentObject } from '../manifests/send';
import { objectsText, OUTPUT_OPTION } from '../output/objects';
import { printable } from '../../text/printable';
import { problemText } from '../problem';
import { SPARK_APPLICATION } from '../../api/spark-application';
import { follow, WAIT_EXIT_CODES } from '../wait/follow';
import { remove } from '../../model/actions/actions';
import { ApiError, isAlreadyExists, isNotFound } from '../../kube/errors';
import { SPARK_APPLICATIONS } from '../../model/resources';
import { specSchema } from '../../rules/schemas';
import type { WholeApplication } from '../../model/spark-application';

const OPTIONS = {
  ...FILE_OPTION,
  ...CLUSTER_OPTIONS,
  'from': { value: 'schedule/NAME', help: 'instead of FILE: create one application from the template of this schedule' },
  'override': {
    value: 'FIELD=VALUE,…',
    help: 'replace fields of the specification, such as executor.instances=3 or sparkConf.spark.ui.enabled=false; \\, is a comma in a value',
  },
  ...UPLOAD_OPTIONS,
  'delete-if-exists': { help: 'delete an application of the same name first, and wait until it is gone' },
  'dry-run': {
    value: 'WHERE', choices: ['none', 'client'], default: 'none',
    help: 'client: print the objects that would be created, and send nothing; one of',
  },
  ...WAIT_OPTIONS,
  'output': OUTPUT_OPTION,
} as const;

type CreateValues = Values<typeof OPTIONS>;

/** `sparkctl create`. */
export default command({
  usage: 'FILE… | [NAME] --from=schedule/NAME [options]',
  description: [
    'Creates SparkApplications from manifests, or one from a schedule. They are checked first; an existing one is an',
    'error. Local files that a manifest names (mainApplicationFile and deps, without a scheme or with file:) are uploaded',
    'before: to an S3 server, to Google Cloud Storage, or to a volume that driver and executors then mount. The path',
    'depends on the content, so an existing file is not sent again. If an upload fails, nothing is created. Credentials',
    'are those of the command lines of AWS (the variables AWS_*, or profiles in ~/.aws) and of Google Cloud (Application',
    'Default Credentials).',
  ].join('\n'),
  options: OPTIONS,
  examples: [
    ['sparkctl create pi.yaml --wait', 'run an application; the exit code shows its outcome'],
    ['sparkctl create etl.yaml --upload-to=s3://jobs/etl', 'run a local program'],
    ['sparkctl create etl.yaml --upload-to=pvc://programs', 'the same without an S3 server'],
    [
      'sparkctl create backfill --from=schedule/nightly --override=arguments[0]=2026-03-01',
      'run the template of a schedule once, with another argument',
    ],
  ],
  exitCodes: { ...WAIT_EXIT_CODES, 1: `not all applications were created; ${WAIT_FAILURE}` },
  run,
});

async function run(values: CreateValues, words: readonly string[], context: Context): Promise<number> {
  const waiting = waitingIn(values);
  const place = uploadPlaceIn(values);
  const overrides = overridesIn(values.override);
  let connected: Promise<Cluster> | undefined;
  const connect = () => (connected ??= context.connect(values));
  if (values.from !== undefined && values.filename !== undefined) throw new UsageError('--from replaces FILE; omit one of them');
  const { io } = context;
  const report = new Report(io);
  const manifests = values.from === undefined
    ? await readKinds(filesOf(words), ['application'], io, report)
    : [await ofSchedule(values.from, words, await connect(), context.signal)];
  const upload = place
    && uploader({ place, region: values['upload-region'], endpoint: values['upload-endpoint'], connect, suffix }, context);

  const wanted: Wanted[] = [];
  for (const manifest of manifests) {
    const object = { ...manifest.object, spec: overridden(manifest.object.spec, overrides, specSchema(SPARK_APPLICATION)) };
    const uploads = isObject(object.spec) ? await upload?.(object.spec, namespaceOf(object)) : undefined;
    wanted.push({ manifest: { ...manifest, object: { ...object, spec: uploads?.spec ?? object.spec } }, uploads });
  }
  for (const each of wanted) check(each, values, report);
  reportRepeated(manifests, values.namespace, report, 'error');
  if (report.errors > 0) {
    io.stderr('Nothing was uploaded or created.\n');
    return 1;
  }
  if (values['dry-run'] === 'client') {
    const objects = wanted.map(({ manifest }) => printedObject(manifest, values.namespace));
    io.stdout(objectsText(values.output ?? 'yaml', SPARK_APPLICATIONS, objects, wanted.length > 1));
    return 0;
  }
  return createAll(wanted, values, await connect(), context, { report, waiting });
}

/** Report, and the options of --wait. */
interface Reporting {
  readonly report: Report;
  readonly waiting: Waiting | undefined;
}

interface Wanted {
  readonly manifest: KnownManifest;
  readonly uploads?: PlannedUploads;
}

/** Returns random letters and digits. */
function suffix(): string {
  return randomBytes(4).toString('hex');
}

async function ofSchedule(from: string, words: readonly string[], cluster: Cluster, signal: AbortSignal): Promise<KnownManifest> {
  if (words.length > 1) throw new UsageError(`--from=${from}: it creates one application, with one NAME, not ${words.length}`);
  if (words.some((word) => /\.(?:ya?ml|json)$/i.test(word))) {
    throw new UsageError(`--from=${from}: ${words[0]} is a file, and --from replaces FILE; write a NAME, or omit one of them`);
  }
  const place = { file: from };
  // The object has no position in a file.
  return { kind: 'application', object: await fromSchedule(cluster, from, words[0], suffix(), signal), source: { place: () => place } };
}

/** Returns the namespace that an application names. */
function namespaceOf({ metadata }: ManifestObject): string | undefined {
  const own = (metadata as { readonly namespace?: unknown } | undefined)?.namespace;
  return typeof own === 'string' && own !== '' ? own : undefined;
}

function check({ manifest, uploads }: Wanted, { namespace, ...values }: CreateValues, report: Report): void {
  const { object, source } = manifest;
  const findings = reportFindings(manifest, report, (found) => withMissingFiles(found, object.spec));
  const advice = values['upload-to'] === undefined ? localFileAdvice(findings) : undefined;
  if (advice !== undefined) report.note(source.place(), `${titleOf(object)}: ${advice}`);
  if (uploads?.advice !== undefined) report.warning(source.place('spec.hadoopConf'), `${titleOf(object)}: ${uploads.advice}`);
  reportElsewhere(manifest, namespace, report);
}

async function createAll(
  wanted: readonly Wanted[], values: CreateValues, cluster: Cluster, context: Context, { report, waiting }: Reporting,
): Promise<number> {
  const { io, signal } = context;
  const { client } = cluster;
  const objects = wanted.map(({ manifest }) => ({ manifest, object: sentObject(manifest, cluster.namespace) }));
  for (const { object: { metadata } } of objects) {
    if (values['delete-if-exists']) break;
    const found = await client.get(SPARK_APPLICATIONS, metadata, { signal }).catch(ifThere);
    if (found) throw existing(metadata);
  }
  for (const { uploads } of wanted) await uploads?.send();
  const created: WholeApplication[] = [];
  try {
    for (const { manifest, object } of objects) {
      const application = await createdOne(object, manifest, values, cluster, context, report);
      if (!application) continue;
      created.push(application);
      if (values.output === undefined) printMessage(context, `${printable(titleOf(object))} created`);
    }
  } finally {
    // Also after an error: the user needs the created objects to clean up.
    if (values.output !== undefined && created.length > 0) {
      io.stdout(objectsText(values.output, SPARK_APPLICATIONS, created, objects.length > 1));
    }
  }
  await reportDelay(client, created, context);
  return codeAfter(waiting, created, report.errors > 0 ? 1 : 0, { ...context, client, quiet: values.output !== undefined });
}

/**
 * Creates one application; undefined once the reason of a failure has been reported. The others are
 * still created.
 */
async function createdOne(
  object: SentObject, { object: written, source }: KnownManifest, values: CreateValues, cluster: Cluster, context: Context, report: Report,
): Promise<WholeApplication | undefined> {
  try {
    if (values['delete-if-exists']) await removeExisting(cluster, object, context);
    return await cluster.client.create(SPARK_APPLICATIONS, object as WholeApplication, { signal: context.signal });
  } catch (error) {
    // An error that does not depend on this object would also affect the others.
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    const problem = isAlreadyExists(error) ? existing(object.metadata) : error;
    report.error(source.place(), `${titleOf(written)}: ${problemText(problem)}`);
    return undefined;
  }
}

function existing({ namespace, name }: SentObject['metadata']): CommandError {
  return new CommandError(
    `${titleOf({ kind: SPARK_APPLICATION.kind, metadata: { namespace, name } })} already exists; `
      + 'choose another name, change it with `sparkctl apply`, or use --delete-if-exists',
  );
}

/**
 * Deletes an application of the same name and waits until it is gone. Its driver is deleted in the
 * background; the operator waits for that before it creates the new one.
 */
async function removeExisting({ client }: Cluster, { metadata }: SentObject, { io, signal }: Context): Promise<void> {
  const { namespace, name } = metadata;
  const found = await client.get(SPARK_APPLICATIONS, metadata, { signal }).catch(ifThere);
  if (!found) return;
  const { uid } = found.metadata;
  await remove(client, { namespace, name }, { preconditions: { uid }, signal }).catch(ifThere);
  await follow(client, { namespace, name }, { uid, untilDeleted: true, signal });
  io.stderr(`${printable(titleOf({ kind: SPARK_APPLICATION.kind, metadata: { namespace, name } }))} deleted\n`);
}

function ifThere(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
