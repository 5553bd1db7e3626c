import { shortDuration } from '../../text/duration';

/** Kubernetes' reason and message of a pod that does not start. */
const [UNSCHEDULABLE, PULL] = [/\bUnschedulable: (\d+\/\d+ nodes are available: .*)/s, /\b(?:ErrImagePull|ImagePullBackOff): (.*)/s];

/** The kubelet's words before the reason why it cannot mount a volume. */
const MOUNT = /\b(FailedMount: )MountVolume\.SetUp failed for volume "[^"]{1,253}" : (?=\S)/;

/**
 * The API server's words about a pod without its service account, with the operator's advice, which
 * the remedy repeats.
 */
const ACCOUNT = /\berror looking up service account (\S+): serviceaccount "[^"]*" not found(?: \(create it [^()]*\))?/;

/** The API server's words before the reason why it does not create a pod. */
const NO_POD = /\bthe API server does not create Pod (\S+): pods "\1" is forbidden: (?=\S)/;

/**
 * The operator's last words about a driver or server that did not start in time, also in the form
 * of older versions.
 */
export const GAVE_UP = / \((?:the operator gave up after \w+|waited \d+ s for it|activeDeadlineSeconds are over(?:: \d+)?)\)\s*$/;

/** Returns why the operator gave up on a driver or server, and after how many milliseconds. */
export function gaveUp(reason: string, after: number): string {
  return `${reason} (the operator gave up after ${shortDuration(after)})`;
}

/**
 * Returns why a driver did not start before its deadline.
 *
 * @param seconds `activeDeadlineSeconds` of the specification @default - a default of the cluster
 */
export function pastDeadline(reason: string, seconds: number | undefined): string {
  return `${reason} (activeDeadlineSeconds are over${seconds === undefined ? '' : `: ${seconds}`})`;
}

/** The scheduler's text about other pods that it might evict. */
const PREEMPTION = /\.? (?:no new claims to deallocate|preemption: |No preemption victims found).*$/s;

/** The scheduler's reasons other than amounts (plugins nodeaffinity and tainttoleration). */
const [SELECTOR, TAINT] = [/^node\(s\) didn't match Pod's node affinity\/selector$/, /^node\(s\) had untolerated taint /];

/**
 * Returns the reason why a pod is not created or does not start with Kubernetes' message in fewer
 * words, such as `Unschedulable: no node has enough memory`.
 *
 * @param text reason and message joined by `: `, also within the operator's words
 */
export function obstacleText(text: string): string {
  const end = GAVE_UP.exec(text)?.[0] ?? '';
  const body = text.slice(0, text.length - end.length);
  for (const [pattern, shorten] of [[UNSCHEDULABLE, schedulerText], [PULL, pullText]] as const) {
    const [, message] = pattern.exec(body) ?? [];
    if (message !== undefined) return `${body.slice(0, body.length - message.length)}${shorten(message)}${end}`;
  }
  return text.replace(MOUNT, '$1').replace(NO_POD, '').replace(ACCOUNT, 'ServiceAccount $1 not found');
}

/**
 * Returns why no node is suitable, such as `no node has enough CPU`; undefined if the message has
 * several kinds of reasons.
 */
export function schedulerReason(message: string): string | undefined {
  const [, nodes, reasons] = /\b0\/(\d+) nodes are available: (.*)/s.exec(message.replace(PREEMPTION, '')) ?? [];
  if (reasons === undefined) return undefined;
  const parts = [...reasons.matchAll(/(\d+) ([^,]+?)\.?\s*(?:,|$)/g)];
  // A node that lacks two resources is in two parts.
  if (!parts.some(([, count]) => count === nodes)) return undefined;
  const words = parts.map(([, , part]) => part!);
  const [first] = words;
  if (words.length === 1 && SELECTOR.test(first!)) return 'no node fits its selector or affinity';
  if (words.length === 1 && TAINT.test(first!)) return first!.replace(TAINT, 'all nodes have the untolerated taint ');
  const names = words.map((part) => /^Insufficient (\S+)$/.exec(part)?.[1]);
  if (names.some((name) => name === undefined)) return undefined;
  const shown = names.map((name) => (name === 'cpu' ? 'CPU' : name));
  return `no node has enough ${shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`}`;
}

function schedulerText(message: string): string {
  return schedulerReason(message) ?? message.replace(PREEMPTION, '');
}

function pullText(message: string): string {
  const image = /\bimage "([^"]{1,300})"/.exec(message)?.[1];
  if (image === undefined) return message;
  const host = /\b(?:Head|Get|Post) \\?"https?:\/\/([^/"\\]{1,253})/.exec(message)?.[1];
  const registry = host === undefined ? 'the registry' : `the registry ${host}`;
  if (/\bdial tcp: lookup |no such host/.test(message)) return `${registry} of the image ${image} cannot be resolved`;
  if (/\bdial tcp |i\/o timeout|connection refused/.test(message)) return `${registry} of the image ${image} does not answer`;
  if (/pull access denied|authorization failed|\b40[13] |unauthorized|denied/i.test(message)) {
    return `${registry} denies access to the image ${image}, or does not have it`;
  }
  return /: not found|manifest unknown/.test(message) ? `${registry} does not have the image ${image}` : message;
}
