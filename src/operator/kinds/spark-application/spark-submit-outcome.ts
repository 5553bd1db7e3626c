import { beginningOf } from '../../../text/shorten';
import { isTooLargeForWebhook, SMALLER, webhookFailure } from '../../admission/webhook-failure';
import type { SubmissionFailure } from '../../driver/submission-failure';
import { rewritten } from '../../../model/cause/rewritten';
import type { PodView } from '../../../model/pod-view';
import { SUBMITTER_MEMORY } from '../../../plan/spark-submit/submitter';
import { withoutSecrets } from '../../../text/redaction';
import { seconds } from '../../../text/times';

/** Outcome of a Pod that ran spark-submit. */
export type SparkSubmitOutcome =
  /** spark-submit has created the driver's Pod and its resources. */
  | { readonly kind: 'submitted' }
  /** A Pod with the driver's name exists, possibly from a previous attempt. */
  | { readonly kind: 'already-exists' }
  | SparkSubmitFailure;

/** Failure of spark-submit. */
export interface SparkSubmitFailure {
  readonly kind: 'failed';
  /**
   * Message for users: `failed to run spark-submit: …`, one sentence without stack trace and
   * secrets.
   */
  readonly message: string;
  /** Whether a retry can help, as for other submissions. */
  readonly retry: SubmissionFailure['kind'];
  /**
   * Whether spark-submit was terminated: it can leave a driver without its Service and ConfigMap,
   * which never starts. The driver has to be deleted before the next attempt.
   */
  readonly interrupted: boolean;
  /** Whether the API server could not call the operator's webhook. @default false */
  readonly byWebhook?: boolean;
}

/** Start of the message of a failed submission, by which alerts for kubeflow's operator find it. */
const PREFIX = 'failed to run spark-submit: ';

/** Returns the reason of a failed submission with the start that alerts look for. */
export function asSubmissionError(reason: string): string {
  return reason.startsWith(PREFIX) ? reason : `${PREFIX}${reason}`;
}

/** Maximum length of a message, in characters. */
const MAX_MESSAGE = 1_000;

function failure(reason: string, retry: SparkSubmitFailure['retry'], interrupted = false): SparkSubmitFailure {
  const clean = withoutSecrets(rewritten(reason) ?? reason);
  const short = clean.length <= MAX_MESSAGE ? clean : `${beginningOf(clean, MAX_MESSAGE)}…`;
  return { kind: 'failed', message: asSubmissionError(short), retry, interrupted };
}

/** Exit codes above this one mean that a signal ended the process. */
const SIGNALED = 128;

/**
 * Returns the outcome of spark-submit, from the Pod that ran it. Pure.
 *
 * @param pod a Pod that has ended
 * @param timeout deadline of the Pod, in milliseconds
 */
export function outcomeOf({ reason = '', terminated }: PodView, timeout: number): SparkSubmitOutcome {
  const text = terminated?.message?.replace(/^…/, '') ?? '';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (terminated?.exitCode === 0) return { kind: 'submitted' };
  if (reason.startsWith('DeadlineExceeded')) {
    const last = lines.at(-1);
    return failure(`it took longer than ${seconds(timeout)}${last === undefined ? '' : `; its last line: ${last}`}`, 'lasting', true);
  }
  if (!terminated) return failure(`its Pod was terminated: ${reason || 'without a reason in its status'}`, 'lasting', true);
  if (terminated.reason === 'OOMKilled') {
    return failure(`it was terminated: OOMKilled; its limit is the driver's, at most ${SUBMITTER_MEMORY}`, 'lasting', true);
  }
  if (terminated.exitCode > SIGNALED) {
    return failure(`it was terminated: ${reason || `signal ${terminated.exitCode - SIGNALED}`}`, 'lasting', true);
  }
  return refusalOf(text) ?? exceptionOf(lines) ?? failure(
    complaintOf(lines) ?? `it ended with exit code ${terminated.exitCode}`, 'lasting',
  );
}

/**
 * Text of fabric8's KubernetesClientException: the request, the API server's message, and its
 * Status. The redaction of a query removes the period after it.
 */
const REFUSAL = /Failure executing: ([A-Z]+) at: (\S+?)\.? Message: ([\s\S]*?)(?:\. Received status: Status\(|$)/;

function refusalOf(text: string): SparkSubmitOutcome | undefined {
  const match = REFUSAL.exec(text);
  if (!match) {
    return undefined;
  }
  const [, method, url, message] = match as unknown as [string, string, string, string];
  const status = Number(/\bcode=(\d{3})\b/.exec(text.slice(match.index))?.[1] ?? 0);
  if (status === 409 && method === 'POST' && /\/pods$/.test(url)) {
    return { kind: 'already-exists' };
  }
  const webhook = webhookFailure({ status, serverMessage: message });
  if (webhook) {
    return { ...failure(`the API server does not create a Pod: ${webhook}`, 'passing'), byWebhook: true };
  }
  if (isTooLargeForWebhook({ status, serverMessage: message })) {
    return failure(
      `the API server does not create a Pod: it is too large for the operator's webhook for pods, through which it has to go; ${SMALLER}`,
      'final',
    );
  }
  return failure(
    `the API server answered ${status || 'no'} to ${method} of ${resourceOf(url)}: ${message.replace(/\s+/g, ' ')}`,
    retryOf(status, message),
  );
}

function resourceOf(url: string): string {
  return /\/namespaces\/[^/]+\/([^/?]+)/.exec(url)?.[1] ?? 'an object';
}

/** Returns whether a retry can help, as for objects that the operator creates. */
function retryOf(status: number, message: string): SparkSubmitFailure['retry'] {
  switch (status) {
    case 400: case 413: case 422: return 'final'; // the object is wrong
    case 403: return /exceeded quota/.test(message) ? 'passing' : 'lasting'; // rights, service accounts, admission
    case 409: case 429: case 502: case 503: case 504: return 'passing';
    default: return 'lasting'; // such as 500: another admission webhook is out of reach
  }
}

/** Exceptions for a wrong specification, or for a file or class that the image does not have. */
const FINAL = anyOf(
  'SparkException', 'IllegalArgumentException', 'ClassNotFoundException', 'NoClassDefFoundError', 'NoSuchFileException',
  'FileNotFoundException', 'UnsupportedFileSystemException',
);
/** Exceptions for a network or a storage that is out of reach. */
const OUT_OF_REACH = anyOf(
  'ConnectException', 'UnknownHostException', 'SocketTimeoutException', 'SocketException', 'NoRouteToHostException', 'SSLException',
  'Connection refused',
);

/** Returns a pattern that matches one of the words. */
function anyOf(...words: readonly string[]): RegExp {
  return new RegExp(`\\b(${words.join('|')})\\b`);
}

function exceptionOf(lines: readonly string[]): SparkSubmitFailure | undefined {
  const start = lines.findLastIndex(line => line.startsWith('Exception in thread "main" '));
  if (start < 0) {
    return undefined;
  }
  const chain = chainOf(lines.slice(start));
  const [main, root] = [sentence(chain[0]!), sentence(chain.at(-1)!)];
  const all = chain.join(' ');
  if (OUT_OF_REACH.test(all)) {
    const isApiServer = /KubernetesClientException/.test(all);
    return failure(isApiServer ? `the API server is out of reach: ${root}` : joined(main, root), isApiServer ? 'passing' : 'lasting');
  }
  return failure(joined(main, root), FINAL.test(all) ? 'final' : 'lasting');
}

function joined(main: string, root: string): string {
  return main.includes(root) ? main : `${main.replace(/\.+$/, '')}: ${root}`;
}

/** Returns the exception and its causes. A message can have several lines. */
function chainOf(lines: readonly string[]): string[] {
  const chain: string[] = [];
  for (const line of lines) {
    const opening = /^(?:Exception in thread "main" |Caused by: )(.*)$/.exec(line)?.[1];
    if (opening !== undefined) {
      chain.push(opening);
    } else {
      chain.push(`${chain.pop()} ${line.trim()}`);
    }
  }
  return chain;
}

/** Returns an exception without the packages of its class, and without a general class. */
function sentence(exception: string): string {
  return exception
    .replace(/\b(?:[a-z_]\w*\.)+([A-Z][\w$]*(?:Exception|Error)\b)/g, '$1')
    .replace(/^(?:(?:Spark|IllegalArgument|Runtime|KubernetesClient|IO)Exception: )+(?=.)/, '')
    .replace(/^requirement failed: /, '');
}

/**
 * Returns the error of spark-submit's scripts and of its option parser: `Error: …`, or the last
 * line.
 */
function complaintOf(lines: readonly string[]): string | undefined {
  return lines.find((line) => /^(Error|ERROR):? /.test(line)) ?? lines.at(-1);
}
