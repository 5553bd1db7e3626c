import { gunzipSync } from 'node:zlib';
import { parseDocument } from 'yaml';
import type { HelmRelease, HelmValues } from './chart';
import { CommandError, fileProblem } from '../errors';
import type { Io } from '../io';
import { STDIN } from '../manifests/read';
import { isObject } from '../../model/is-object';
import type { Secret } from '../../model/kubernetes-objects';
import { SECRETS } from '../../model/resources';
import type { KubeClient } from '../../kube/client';
import { isForbidden } from '../../kube/errors';
import { FileError } from '../../text/file-error';
import { KUBECTL_YAML } from '../../text/kubectl-yaml';

/** Name of kubeflow's chart. */
const CHART = 'spark-operator';

/** Name and namespace of a release; the defaults are those of the chart's documentation. */
export interface ReleaseRef {
  readonly name?: string;
  readonly namespace?: string;
}

/** Reads given values from a file. @param file path, or `-` for the standard input */
export async function releaseInFile(file: string, { name = CHART, namespace = CHART }: ReleaseRef, io: Io): Promise<HelmRelease> {
  const content = await (file === STDIN ? io.readStdin() : io.readFile(file)).catch((error: unknown) => {
    throw new CommandError(`${file}: ${fileProblem(error)}`);
  });
  const values = valuesIn(content, file);
  if (!isObject(values)) throw new FileError(`${file}: must be an object with values of the chart, as \`helm get values ${name}\` prints`);
  return { name, namespace, given: values, source: file };
}

function valuesIn(content: string, file: string): unknown {
  try {
    const document = parseDocument(content, KUBECTL_YAML);
    if (document.errors.length > 0) throw document.errors[0]!;
    // JSON rejects an anchor that contains itself.
    return JSON.parse(JSON.stringify(document.toJS() ?? {}));
  } catch (error) {
    throw new FileError(`${file}: invalid YAML: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** Labels of Secrets with releases of Helm 3 and 4. */
const DEPLOYED = 'owner=helm,status=deployed';

/**
 * Reads the newest deployed revision of the release of kubeflow's chart from the cluster.
 *
 * @throws {CommandError} if there is none, or several
 */
export async function releaseInCluster(
  client: Pick<KubeClient, 'list'>, { name, namespace }: ReleaseRef, signal: AbortSignal,
): Promise<HelmRelease> {
  const found = await releasesIn(client, { name, namespace }, signal);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const names = found.map((release) => `--release-namespace=${release.namespace} --release=${release.name}`);
    throw new CommandError(`there are ${found.length} releases of the chart ${CHART}; choose one: ${names.join(', or ')}`);
  }
  const where = namespace === undefined ? 'in the cluster' : `in the namespace ${namespace}`;
  throw new CommandError(
    `there is no Helm release ${name === undefined ? '' : `${name} `}of the chart ${CHART} ${where}; `
      + 'name its values by -f FILE (`helm get values RELEASE`), or use --check for an operator that was installed otherwise',
  );
}

/** Lists the releases of kubeflow's chart, each with its newest deployed revision. */
export async function releasesIn(
  client: Pick<KubeClient, 'list'>, { name, namespace }: ReleaseRef, signal: AbortSignal,
): Promise<HelmRelease[]> {
  const labelSelector = name === undefined ? DEPLOYED : `${DEPLOYED},name=${name}`;
  const newest = new Map<string, Revision>();
  const unreadable = new Map<string, CommandError>();
  try {
    for await (const secret of client.list(SECRETS, { namespace, labelSelector, fieldSelector: 'type=helm.sh/release.v1', signal })) {
      const revision = revisionIn(secret);
      if (revision instanceof CommandError) unreadable.set(`${secret.metadata.namespace}/${secret.metadata.labels?.name}`, revision);
      if (!revision || revision instanceof CommandError) continue;
      const key = `${revision.release.namespace}/${revision.release.name}`;
      if ((newest.get(key)?.number ?? -1) < revision.number) newest.set(key, revision);
    }
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw new CommandError(
      `you cannot list Secrets ${namespace === undefined ? 'of all namespaces' : `in ${namespace}`}, in which Helm keeps its releases; `
        + `add --release-namespace, or write \`helm get values ${name ?? 'RELEASE'} > values.yaml\`, and name the file by -f`,
    );
  }
  // A tenant can write such a Secret, which must not hide the release that is needed.
  const [problem] = newest.size === 0 ? unreadable.values() : [...newest.keys()].flatMap((key) => unreadable.get(key) ?? []);
  if (problem) throw problem;
  return [...newest.values()].map(({ release }) => release);
}

interface Revision {
  readonly number: number;
  readonly release: HelmRelease;
}

/** Maximum size of a release: it contains the files of the chart. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Returns the release in a Secret, or why it cannot be read; undefined for other charts. */
function revisionIn({ metadata: { name: secret, namespace = '' }, data = {} }: Secret): Revision | CommandError | undefined {
  try {
    // The API encodes the content of Secrets, and Helm has encoded it before.
    const packed = Buffer.from(Buffer.from(data.release ?? '', 'base64').toString('latin1'), 'base64');
    // Helm 2 did not compress releases.
    const isCompressed = packed[0] === 0x1f && packed[1] === 0x8b;
    const text = (isCompressed ? gunzipSync(packed, { maxOutputLength: MAX_BYTES }) : packed).toString('utf8');
    const { name, version, config, chart } = JSON.parse(text) as StoredRelease;
    if (chart.metadata.name !== CHART) return undefined;
    const source = `release ${namespace}/${name}, revision ${version}`;
    return {
      number: version,
      release: { name, namespace, given: config ?? {}, defaults: chart.values ?? {}, version: chart.metadata.version, source },
    };
  } catch (error) {
    return new CommandError(
      `Secret ${namespace}/${secret} cannot be read as a release of Helm (${(error as Error).message}); `
        + 'write `helm get values RELEASE > values.yaml`, and name the file by -f',
    );
  }
}

/** Release as Helm stores it; only the fields that are read. */
interface StoredRelease {
  readonly name: string;
  readonly version: number;
  readonly config?: HelmValues | null;
  readonly chart: { readonly metadata: { readonly name: string; readonly version?: string }; readonly values?: HelmValues };
}
