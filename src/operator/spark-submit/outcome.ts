import { beginningOf } from '../../text/shorten';
import { isTooLargeForWebhook, SMALLER, webhookFailure } from '../admission/webhook-failure';
import { withoutSecrets } from '../../text/redaction';
import type { ProcessEnd } from './process';

/** What became of a run of spark-submit. */
export type SparkSubmitOutcome =
  /** The driver's Pod and what it needs are there. */
  | { readonly kind: 'submitted' }
  /** There is a Pod of the driver's name already. It can be that of an earlier try: the caller looks at it. */
  | { readonly kind: 'already-exists' }
  | SparkSubmitFailure;

/** spark-submit failed. */
export interface SparkSubmitFailure {
  readonly kind: 'failed';
  /** For users: `failed to run spark-submit: …`, one sentence without stack trace and secrets. */
  readonly message: string;
  /**
   * Whether trying again can help. `final`: it would be so again; `lasting`: somebody has to do something first; `passing`: it may
   * pass by itself, as a quota that is used up.
   */
  readonly retry: 'final' | 'lasting' | 'passing';
  /**
   * Whether spark-submit was ended in the middle: it can have left a driver whose Service and ConfigMap are missing, which never
   * starts. The driver has to be deleted before the next try.
   */
  readonly interrupted: boolean;
  /** The operator's own webhook could not be called. @default false */
  readonly byWebhook?: boolean;
}

/** In characters. */
const MAX_MESSAGE = 1_000;

/** Builds a failure. */
export function failure(reason: string, retry: SparkSubmitFailure['retry'], interrupted = false): SparkSubmitFailure {
  const clean = withoutSecrets(reason);
  const short = clean.length <= MAX_MESSAGE ? clean : `${beginningOf(clean, MAX_MESSAGE)}…`;
  return { kind: 'failed', message: `failed to run spark-submit: ${short}`, retry, interrupted };
}

/** Tells from the end of spark-submit, and from what it printed, what became of it. */
export function outcomeOf(end: ProcessEnd, timeout: number): SparkSubmitOutcome {
  if (end.timedOut) {
    return failure(`it was ended because it took longer than ${Math.round(timeout / 1000)} s${lastWords(end)}`, 'lasting', true);
  }
  if (end.signal !== null) {
    const hint = end.signal === 'SIGKILL' ? ', possibly because the operator has too little memory' : '';
    return failure(`it was ended by ${end.signal}${hint}`, 'lasting', true);
  }
  if (end.code === 0) {
    return { kind: 'submitted' };
  }
  const text = end.stderr.join('\n');
  return refusalOf(text) ?? exceptionOf(end.stderr) ?? failure(complaintOf(end) ?? `it ended with exit code ${end.code}`, 'lasting');
}

/** What fabric8's KubernetesClientException says: the request, the API server's message, and its Status. */
const REFUSAL = /Failure executing: ([A-Z]+) at: (\S+)\. Message: ([\s\S]*?)(?:\. Received status: Status\(|$)/;

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
    return failure(`the API server does not create a Pod: it is too large for the operator's webhook for pods, through which it has to go; ${SMALLER}`, 'final');
  }
  return failure(`the API server answered ${status || 'no'} to ${method} of ${resourceOf(url)}: ${message.replace(/\s+/g, ' ')}`, retryOf(status, message));
}

function resourceOf(url: string): string {
  return /\/namespaces\/[^/]+\/([^/?]+)/.exec(url)?.[1] ?? 'an object';
}

/** As for what the operator creates itself. */
function retryOf(status: number, message: string): SparkSubmitFailure['retry'] {
  switch (status) {
    case 400: case 413: case 422: return 'final'; // the object is wrong, and will be
    case 403: return /exceeded quota/.test(message) ? 'passing' : 'lasting'; // rights, service accounts, admission: they may come
    case 409: case 429: case 502: case 503: case 504: return 'passing';
    default: return 'lasting'; // such as 500: somebody else's admission webhook that is out of reach
  }
}

/** Exceptions that say that the application is written wrong, or asks for what the operator's image does not have. */
const FINAL = /\b(SparkException|IllegalArgumentException|ClassNotFoundException|NoClassDefFoundError|NoSuchFileException|FileNotFoundException|UnsupportedFileSystemException)\b/;
/** The network, or a storage that is out of reach. */
const OUT_OF_REACH = /\b(ConnectException|UnknownHostException|SocketTimeoutException|SocketException|NoRouteToHostException|SSLException|Connection refused)\b/;

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

/** The exception and its causes; a message can have several lines. */
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

/** An exception without the packages of its class, and without a class that says nothing. */
function sentence(exception: string): string {
  return exception
    .replace(/\b(?:[a-z_]\w*\.)+([A-Z][\w$]*(?:Exception|Error)\b)/g, '$1')
    .replace(/^(?:(?:Spark|IllegalArgument|Runtime|KubernetesClient|IO)Exception: )+(?=.)/, '')
    .replace(/^requirement failed: /, '');
}

/** What spark-submit's scripts and its parser of options print: `Error: …`, or a last line. */
function complaintOf({ stderr, stdout }: ProcessEnd): string | undefined {
  const error = stderr.find(line => /^(Error|ERROR):? /.test(line));
  return error ?? stderr.at(-1) ?? stdout.at(-1);
}

function lastWords({ stderr }: ProcessEnd): string {
  const last = stderr.at(-1);
  return last === undefined ? '' : `; its last words: ${last}`;
}
