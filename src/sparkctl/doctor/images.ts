import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, valueOf, type Reading } from './reading';
import type { PodEvent } from './resources';
import { titleOf, type Titled } from '../output/title';
import { SERVER_ROLE } from '../../api/connect-server';
import { LABEL_APP_NAME, LABEL_CONNECT_NAME, LABEL_SPARK_ROLE } from '../../api/labels';
import { remedyFor } from '../../explain/remedy';
import { shortDuration } from '../../text/duration';
import type { KubeObject } from '../../kube/objects';
import { obstacleText } from '../../model/cause/obstacle-text';
import { isImageReason, reasonWithMessage } from '../../model/obstacle';
import { PODS, SPARK_APPLICATIONS, SPARK_CONNECTS } from '../../model/resources';
import { inWordsOfConnect } from '../../plan/connect/as-application';

const findings = findingsOf('Images');

/** Pod; only the fields that are read. */
export interface WaitingPod extends KubeObject {
  readonly status?: {
    readonly startTime?: string;
    readonly initContainerStatuses?: readonly WaitingContainer[];
    readonly containerStatuses?: readonly WaitingContainer[];
  };
}

interface WaitingContainer {
  readonly image?: string;
  readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
}

/** Pod that waits for an image. */
interface WaitingImage {
  readonly pod: WaitingPod;
  readonly image: string;
  /** Those of the container. */
  readonly reason: string;
  readonly message?: string;
}

/** Maximum number of images that are named; the rest is counted. */
const MAX_IMAGES = 5;

/**
 * Finds images for which pods of a namespace wait now. Events only add the details: they outlive
 * their pods, and problems that are gone.
 *
 * @param pods pending pods
 * @param events warnings about pods
 * @param now milliseconds since 1970
 */
export function imageFindings(
  namespace: string, pods: Reading<readonly WaitingPod[]>, events: Reading<readonly PodEvent[]>, now: number,
): Finding[] {
  if (isUnreadable(pods)) return [unreadable(findings, `the pods of ${namespace}, which show failed image pulls`, pods)];
  const images = new Map<string, WaitingImage[]>();
  for (const pod of valueOf(pods) ?? []) {
    const waiting = waitingImage(pod);
    if (!waiting) continue;
    // The operator gives up on applications, so these are not in one finding with servers.
    const isServer = ownerOf(namespace, pod.metadata.labels)?.kind === SPARK_CONNECTS.kind;
    const key = `${isServer} ${waiting.image}`;
    images.set(key, [...images.get(key) ?? [], waiting]);
  }
  if (images.size === 0) return [findings.ok(`no pod in ${namespace} waits for an image`)];
  const found = [...images.values()].slice(0, MAX_IMAGES).map((waiting) => imageFinding(namespace, waiting, valueOf(events) ?? [], now));
  const more = images.size - found.length;
  return more > 0 ? [...found, findings.error(`and ${more} more images`, `kubectl get pods -n ${namespace}`)] : found;
}

function imageFinding(namespace: string, waiting: readonly WaitingImage[], events: readonly PodEvent[], now: number): Finding {
  const { pod: { metadata: { name, labels } }, reason, message } = waiting.at(-1)!;
  const begins = waiting.map(({ pod: { status, metadata } }) => Date.parse(status?.startTime ?? metadata.creationTimestamp ?? ''));
  const wait = shortDuration(now - Math.min(...begins.filter(Number.isFinite), now));
  const [first, ...others] = new Set(waiting.map(({ pod: { metadata } }) => (
    titleOf({ kind: 'pod', metadata: { namespace, name: metadata.name }, ...ownerOf(namespace, metadata.labels) })
  )));
  const who = others.length === 0
    ? `${first} has waited for an image for` : `${first} and ${others.length} more have waited for an image for up to`;
  const why = reasonWithMessage({ reason, message: detailOf(waiting, events) ?? message }).trim();
  const owner = ownerOf(namespace, labels);
  const advice = owner && remedyFor(why);
  const remedy = advice !== undefined && owner?.kind === SPARK_CONNECTS.kind ? inWordsOfConnect(advice) : advice;
  const finding = findings.about({ kind: PODS.kind, namespace, name }).error(
    `${who} ${wait}: ${obstacleText(why)}`, remedy ?? `kubectl describe pod -n ${namespace} ${name}`,
  );
  const named = (ofRole: string, label: string) => waiting.flatMap(({ pod: { metadata } }) => {
    const { [LABEL_SPARK_ROLE]: role, [label]: ownName } = metadata.labels ?? {};
    return role === ofRole && ownName !== undefined ? [`${namespace}/${ownName}`] : [];
  });
  const [applications, connects] = [named('driver', LABEL_APP_NAME), named(SERVER_ROLE, LABEL_CONNECT_NAME)];
  return { ...finding, ...(applications.length > 0 && { applications }), ...(connects.length > 0 && { connects }) };
}

/** Returns the application or server that has a pod; undefined for other pods. */
function ownerOf(namespace: string, labels: WaitingPod['metadata']['labels'] = {}): Titled | undefined {
  const [server, application] = [labels[LABEL_CONNECT_NAME], labels[LABEL_APP_NAME]];
  if (server !== undefined) return { kind: SPARK_CONNECTS.kind, metadata: { namespace, name: server } };
  return application === undefined ? undefined : { kind: SPARK_APPLICATIONS.kind, metadata: { namespace, name: application } };
}

function waitingImage(pod: WaitingPod): WaitingImage | undefined {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  for (const { image = 'an image', state } of [...initContainerStatuses, ...containerStatuses]) {
    const { reason, message } = state?.waiting ?? {};
    if (reason !== undefined && isImageReason(reason)) return { pod, image, reason, message };
  }
  return undefined;
}

/** Returns the newest event with the registry's answer about the pods, by their uids. */
function detailOf(waiting: readonly WaitingImage[], events: readonly PodEvent[]): string | undefined {
  const uids = new Set(waiting.map(({ pod }) => pod.metadata.uid));
  const { image } = waiting[0]!;
  const own = events.filter(({ reason, message, involvedObject }) => (
    reason === 'Failed' && uids.has(involvedObject?.uid) && message?.includes(`"${image}"`)
  ));
  return own.sort((a, b) => timeOf(a) - timeOf(b)).at(-1)?.message;
}

function timeOf({ series, lastTimestamp, eventTime, metadata }: PodEvent): number {
  return Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
}
