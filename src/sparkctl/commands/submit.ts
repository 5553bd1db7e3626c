import { randomBytes } from 'node:crypto';
import type { Cluster } from '../cluster';
import { reportDelay } from '../action/delay';
import { command, type Context } from '../command';
import { interruptionOr } from '../errors';
import { localFileAdvice, withMissingFiles } from '../create/local-file-advice';
import { uploadPlaceIn } from '../create/upload-options';
import { uploader, type PlannedUploads } from '../create/uploads';
import { followLogs } from '../log/follow';
import { sinksOf } from '../log/sink';
import { subjectOf, titleOfSubject } from '../log/subject';
import { reportFindings, type KnownManifest } from '../manifests/checked';
import { Report } from '../manifests/report';
import { sentObject } from '../manifests/send';
import { objectsText } from '../output/objects';
import { printMessage } from '../output/wrapped-output';
import { titleOf } from '../output/title';
import { submittedApplication } from '../submit/application';
import { hasOption, lastOf, submitLine, type SubmitLine } from '../submit/command-line';
import { driverExitCode } from '../submit/exit-code';
import { checkMaster } from '../submit/master';
import { withoutPatterns } from '../submit/local-patterns';
import { applicationName } from '../submit/names';
import { originOf } from '../submit/origins';
import { SUBMIT_OPTIONS } from '../submit/options';
import { podTemplatesOf } from '../submit/pod-templates';
import { propertiesFiles } from '../submit/properties-files';
import { requestOf, type SubmitRequest } from '../submit/request';
import { sparkVersionOf } from '../submit/spark-version';
import { typescriptProgram } from '../submit/typescript';
import { verboseText } from '../submit/verbose';
import { uploadPlace, type UploadPlace } from '../upload/place';
import { timeoutOf } from '../wait/timeout';
import { waitFor } from '../wait/wait';
import { UsageError } from '../../text/usage-error';
import { printable } from '../../text/printable';
import { ignoring, isNotFound } from '../../kube/errors';
import type { NamespacedRef } from '../../model/actions/actions';
import { SPARK_APPLICATIONS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';

/** `sparkctl submit`. */
export default command({
  usage: '[options] APPLICATION [ARGUMENT…]',
  description: [
    'Submits an application with the arguments of spark-submit: creates a SparkApplication, shows its progress, and returns',
    'the exit code of the driver. All words after the application are its arguments. The driver always runs in the cluster.',
    '',
    'Spark properties have the precedence of spark-submit: options, --conf, --properties-file or spark-defaults.conf, and',
    'variables such as SPARK_EXECUTOR_MEMORY. The image is spark.kubernetes.container.image, the namespace',
    'spark.kubernetes.namespace. Local files are uploaded first, as by sparkctl create.',
  ].join('\n'),
  options: SUBMIT_OPTIONS,
  parse(args) {
    const { isHelp } = submitLine(args);
    return { values: { help: isHelp }, positionals: args };
  },
  examples: [
    [
      'sparkctl submit --conf spark.kubernetes.container.image=apache/spark:4.1.1 --upload-to=s3://jobs etl.py 2026-03-01',
      'run a local program with an argument',
    ],
    [
      'sparkctl submit --master k8s://https://example.org:6443 --deploy-mode cluster --class org.example.Etl local:///opt/etl.jar',
      'a command line of spark-submit, unchanged',
    ],
    [
      'sparkctl submit --conf spark.kubernetes.container.image=apache/spark:4.1.1 --dry-run=typescript local:///opt/etl.py > app.ts',
      'make a program with cdk8s of it',
    ],
  ],
  exitCodes: {
    1: 'the application was not created or did not run; every other code is the exit code of the driver, which can also be 2, 3 or 4',
    3: 'the timeout has passed before the end',
    4: 'the application was deleted meanwhile',
    130: 'Ctrl-C ended the command, and the application continues; or the driver ended with it',
  },
  run: (_, words, context) => run(submitLine(words), context),
});

async function run(line: SubmitLine, context: Context): Promise<number> {
  const { io } = context;
  if (hasOption(line, 'version')) {
    io.stdout(`${context.version}\n`);
    return 0;
  }
  const waiting = waitingIn(line);
  const request = withoutPatterns(requestOf(line, await propertiesFiles(line, process.env, io), process.env));
  const isWaiting = !hasOption(line, 'no-wait') && request.properties.get('spark.kubernetes.submission.waitAppCompletion')?.value !== 'false';
  const place = placeOf(line, request);
  const cluster = clusterOf(line, request, context);
  const submission = await submissionOf(line, request, io);
  if (hasOption(line, 'verbose')) io.stderr(printable(verboseText(request)));

  const report = new Report(io);
  for (const note of [...request.notes, ...submission.notes, ...environmentNotes()]) io.stderr(printable(`sparkctl submit: ${note}\n`));
  const { namespace } = submission.object.metadata as { readonly namespace?: string };
  const upload = place && uploader({
    place, region: lastOf(line, 'upload-region'), endpoint: lastOf(line, 'upload-endpoint'), connect: cluster, suffix,
  }, context);
  const uploads = await upload?.(submission.object.spec as object, namespace);
  const manifest: KnownManifest = {
    kind: 'application',
    object: { ...submission.object, spec: uploads?.spec ?? submission.object.spec },
    source: { place: (field = '') => ({ file: originOf(submission.origins, field) }) },
  };
  check(manifest, { uploads, hasPlace: place !== undefined }, report);
  if (report.errors > 0) {
    io.stderr('Nothing was uploaded or created.\n');
    return 1;
  }
  const format = lastOf(line, 'dry-run');
  if (format !== undefined) {
    io.stdout(format === 'typescript' ? typescriptProgram(manifest.object) : objectsText('yaml', SPARK_APPLICATIONS, [manifest.object as never], false));
    return 0;
  }
  const created = await create(manifest, uploads, request, await cluster(), context);
  await reportDelay((await cluster()).client, [created], context);
  return isWaiting ? await waited(created, waiting, await cluster(), context) : 0;
}

/** Returns random letters and digits. */
function suffix(): string {
  return randomBytes(4).toString('hex');
}

/** How the command waits. */
interface Waiting {
  /** Milliseconds. @default - unlimited */
  readonly timeout?: number;
  /** Whether it prints the driver's log. */
  readonly follows: boolean;
}

function waitingIn(line: SubmitLine): Waiting {
  const timeout = timeoutOf(lastOf(line, 'timeout'));
  const follows = hasOption(line, 'follow');
  if (hasOption(line, 'no-wait') && (follows || timeout !== undefined)) {
    throw new UsageError(`--no-wait excludes --${follows ? 'follow' : 'timeout'}; omit one of them`);
  }
  return { timeout, follows };
}

const UPLOAD_PATH = 'spark.kubernetes.file.upload.path';

/** Returns the destination of uploads: that of the option, else that of spark-submit. */
function placeOf(line: SubmitLine, { properties }: SubmitRequest): UploadPlace | undefined {
  const [to, endpoint, region] = (['upload-to', 'upload-endpoint', 'upload-region'] as const).map((name) => lastOf(line, name));
  const setting = properties.get(UPLOAD_PATH);
  if (to === undefined && setting && /^(s3a?|gs):/.test(setting.value)) return uploadPlace(setting.value, `${setting.origin} `);
  return uploadPlaceIn({ 'upload-to': to, 'upload-endpoint': endpoint, 'upload-region': region });
}

/** Returns a function that connects to the cluster once, and checks the master. */
function clusterOf(line: SubmitLine, { properties }: SubmitRequest, { connect }: Context): () => Promise<Cluster> {
  let connected: Promise<Cluster> | undefined;
  const begin = async () => {
    const cluster = await connect({
      namespace: lastOf(line, 'namespace') || properties.get('spark.kubernetes.namespace')?.value || undefined,
      context: lastOf(line, 'context') || properties.get('spark.kubernetes.context')?.value || undefined,
      kubeconfig: lastOf(line, 'kubeconfig') || undefined,
    });
    const master = properties.get('spark.master');
    if (master) checkMaster(master, cluster);
    return cluster;
  };
  return () => (connected ??= begin());
}

async function submissionOf(line: SubmitLine, request: SubmitRequest, io: Context['io']) {
  const { properties } = request;
  const given = properties.get('spark.kubernetes.namespace');
  const namespace = lastOf(line, 'namespace') || given?.value || undefined;
  if (given && given.value !== namespace) {
    throw new UsageError(`${given.origin} ${given.value}: it is not ${namespace}, the value of --namespace; omit one of them`);
  }
  const image = (properties.get('spark.kubernetes.driver.container.image') ?? properties.get('spark.kubernetes.container.image'))?.value;
  return submittedApplication(request, {
    name: applicationName(lastOf(line, 'application'), request.name, suffix()),
    namespace,
    sparkVersion: await sparkVersionOf(lastOf(line, 'spark-version'), image, process.env, io),
    templates: await podTemplatesOf(request, io),
  });
}

function environmentNotes(): string[] {
  return process.env.HADOOP_CONF_DIR
    ? ['HADOOP_CONF_DIR has no effect: name a ConfigMap with these files in --conf spark.kubernetes.hadoop.configMapName']
    : [];
}

function check(
  manifest: KnownManifest, { uploads, hasPlace }: { readonly uploads?: PlannedUploads; readonly hasPlace: boolean }, report: Report,
): void {
  const { object, source } = manifest;
  const findings = reportFindings(manifest, report, (found) => withMissingFiles(found, object.spec));
  const advice = hasPlace ? undefined : localFileAdvice(findings);
  if (advice !== undefined) report.note(source.place('spec.mainApplicationFile'), advice);
  if (uploads?.advice !== undefined) report.warning(source.place('spec.hadoopConf'), `${titleOf(object)}: ${uploads.advice}`);
}

async function create(
  manifest: KnownManifest, uploads: PlannedUploads | undefined, { name: given }: SubmitRequest, { client, namespace }: Cluster,
  { io, terminal, signal }: Context,
): Promise<WholeApplication> {
  await uploads?.send();
  const object = sentObject(manifest, namespace);
  const created = await client.create(SPARK_APPLICATIONS, object as WholeApplication, { signal });
  const { name } = created.metadata;
  printMessage({ io, terminal }, `${printable(titleOf(object))} created`);
  if (name !== given) io.stderr(printable(`The name of the application is ${name}, also as spark.app.name.\n`));
  return created;
}

async function waited(
  { metadata: { namespace, name, uid } }: WholeApplication, { timeout, follows }: Waiting, { client }: Cluster, context: Context,
): Promise<number> {
  const { io, terminal, now, signal } = context;
  const start = now();
  const exitCode = async (code: number) => (code === 1 ? driverExitCode(client, { namespace, name }, signal) : code);
  if (follows) {
    const late = timeout === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    const subject = await subjectOf(client, { kind: 'application', resource: SPARK_APPLICATIONS, ref: { namespace, name } }, signal);
    const ended = await followLogs(subject, { selection: { hasMain: true }, part: {} }, {
      client, sinks: sinksOf(io, terminal), print: (message) => io.stderr(printable(`sparkctl submit: ${message}\n`)), now, signal: late,
    }).catch((error: unknown) => {
      if (signal.aborted || !late.aborted) throw interruptionOr(error, signal, titleOfSubject(subject));
      return undefined;
    });
    // The last message about the log is the outcome, unless another application has the name since.
    if (ended !== undefined && await isStill(client, { namespace, name }, uid, signal)) return exitCode(ended);
  }
  const left = timeout === undefined ? undefined : Math.max(1, timeout - (now() - start));
  return exitCode(await waitFor(client, [{ namespace, name, uid }], context, { timeout: left, quiet: follows }));
}

async function isStill(
  client: Cluster['client'], ref: NamespacedRef, uid: string | undefined, signal: AbortSignal,
): Promise<boolean> {
  const found = await client.get(SPARK_APPLICATIONS, ref, { signal }).catch(ignoring(isNotFound));
  return found?.metadata.uid === uid;
}
