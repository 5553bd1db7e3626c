import { withoutSecrets } from '../../text/redaction';
import { beginningOf } from '../../text/shorten';
import { errorsIn, Severity, type LoggedError, type LoggedException } from './logged-error';
import { isLikelyCut, linesOf } from './log-lines';
import { rewritten } from './rewritten';

/** Maximum length of a cause, in characters. */
export const MAX_CAUSE = 300;

/** Length of a message that is searched for secrets; the margin keeps a secret at the cut whole. */
const MAX_REDACTED = 4 * MAX_CAUSE;

/**
 * Returns the cause of a failure by the end of a log, in one line: the last relevant exception of
 * Python, Java, Scala, R or SQL, and the user's own frame, such as
 * `ValueError: no such country (report.py:12)`.
 *
 * @param log the complete log or its end
 * @param isCut whether the first line might be incomplete @default - by the length of the text
 * @returns undefined if the log has no error
 */
export function causeInLog(log: string, isCut = isLikelyCut(log)): string | undefined {
  const lines = linesOf(log, isCut);
  const errors = errorsIn(lines);
  const causes = errors.map((error, index) => causeOf(withQuery(error, errors.slice(0, index))));
  const best = (condition: (cause: Cause) => boolean) => causes.findLast(condition);
  const relevant = causes.filter(({ isNoise }) => !isNoise);
  const last = [Severity.FATAL, Severity.LOGGED, Severity.WARNED]
    .map((severity) => relevant.findLast((cause) => cause.severity === severity))
    .find((cause) => cause !== undefined);
  const isNoiseLast = best(({ severity }) => severity === Severity.FATAL)?.isNoise ?? last?.severity !== Severity.FATAL;
  // After a lack of memory, the driver reports lost connections, results and executors.
  const full = causes.findLastIndex(({ text }) => text.startsWith('OutOfMemoryError'));
  const isHandled = causes.slice(full + 1).some(({ severity, isNoise, text }) => (
    severity === Severity.LOGGED && !isNoise && !/^executor \w{1,20} /.test(text)
  ));
  const outOfMemory = isNoiseLast && !isHandled ? causes[full] : undefined;
  const cause = outOfMemory ?? last ?? best(({ severity, text }) => severity > Severity.WARNED && text !== '');
  return cause && withEarlier(cause.text, lines);
}

/** Causes that an earlier line of the log explains, with the pattern and the words of that line. */
const EARLIER: readonly (readonly [cause: RegExp, line: RegExp, text: (match: string) => string])[] = [
  [
    // Spark reports a missing jar, but continues without it.
    /^Failed to load class |^(?:ClassNotFoundException|NoClassDefFoundError)\b/,
    /WARN DependencyUtils: Local jar (\S{1,200}) does not exist/, (jar) => `the jar ${jar} does not exist`,
  ],
  [/^Maven package /, /^\s{0,8}Host (\S{1,253}) not found\. url=/, (host) => `the host ${host} of a repository is unknown`],
];

/** Returns a cause with its own cause, if that is in an earlier line. */
function withEarlier(text: string, lines: readonly string[]): string {
  for (const [cause, pattern, words] of EARLIER) {
    const found = cause.test(text) ? lines.map((line) => pattern.exec(line)?.[1]).find((each) => each !== undefined) : undefined;
    if (found !== undefined) return bounded(`${text.replace(/\.$/, '')}: ${words(found)}`);
  }
  return text;
}

/** Cause that one error of a log states. */
interface Cause {
  readonly severity: Severity;
  readonly text: string;
  /** Whether it is only a consequence of another error, if there is one. */
  readonly isNoise: boolean;
}

/** Errors that follow from an earlier one, or that a regular end has as well. */
const NOISE = new RegExp([
  'Could not find (?:AppClient|CoarseGrainedScheduler|BlockManager|HeartbeatReceiver|MapOutputTracker)', 'RpcEnv already stopped',
  'stopped SparkContext', 'SparkContext (?:was|has been|is) (?:shut ?down|stopped)', 'RejectedExecutionException', 'RECEIVED SIGNAL',
  'InterruptedException', 'ClosedChannelException', 'TaskResultLost', 'result lost from block manager', 'SystemExit',
  'client has been closed', 'aborting job$', '^Utils: Uncaught exception in thread shutdown', 'Exception while sending command',
  'Answer from Java side is empty', 'Py4JNetworkError', 'Error sending result', 'Failed to send RPC', 'Connection reset by peer',
  'Exception in task ', 'SparkUserAppException', '^VertxException: Thread blocked',
  'Spark context stopped while waiting for backend',
].join('|'));

/** Python's errors when the JVM has ended. */
const JVM_ENDED = /^(?:Py4JNetworkError|ConnectionRefusedError|ConnectionResetError|BrokenPipeError|EOFError)\b/;

/** Returns the failure of a streaming query with the exceptions that Spark has logged for it. */
function withQuery(error: LoggedError, before: readonly LoggedError[]): LoggedError {
  if (error.exceptions.at(-1)!.name !== 'StreamingQueryException') return error;
  const logged = before.findLast(({ exceptions: [first] }) => first!.message[0]!.endsWith('terminated with error'));
  return logged ? { ...error, exceptions: [...error.exceptions, ...logged.exceptions.slice(1)] } : error;
}

function causeOf({ severity, exceptions }: LoggedError): Cause {
  const chosen = rootOf(exceptions);
  const text = textOf(chosen, exceptions);
  const isJvmEnded = exceptions.some(({ isInPy4j }) => isInPy4j) && JVM_ENDED.test(text);
  // The end of a log can begin within a chain; its last exception explains nothing alone.
  if (/^[\w$]*$/.test(text)) return { severity, text: '', isNoise: true };
  return { severity, text, isNoise: isJvmEnded || NOISE.test(text) || NOISE.test(messageOf(chosen)) };
}

/** Exceptions that only pass on another one, by their class or message. */
const WRAPPER = new RegExp([
  '^Py4JJavaError\\b', '^(?:InvocationTarget|UndeclaredThrowable|Execution|Completion|UncheckedExecution)Exception\\b',
  'Job aborted due to stage failure', 'Exception thrown in awaitResult', '^SparkException: Job aborted', '^StreamingQueryException\\b',
  'Task failed while writing rows', '\\[TASK_WRITE_FAILED\\]', '\\[FAILED_EXECUTE_UDF\\]', 'Failed to execute user defined function',
  '^PythonException(?:$|: An exception was thrown from|: \\[)',
].join('|'));

/** Exceptions that explain little without the one that they caused. */
const VAGUE = /^[\w$]+$|Connection refused\)?$|Connection reset$|timed? ?out$|: null$|Broken pipe$|: error=\d|: Identifier doesn't match/i;

/** Returns the most informative exception of a chain: the last, unless another one contains it. */
function rootOf(exceptions: readonly LoggedException[]): LoggedException {
  const relevant = exceptions.filter((exception, index) => !isWrapper(exception, index < exceptions.length - 1));
  let root = relevant.at(-1) ?? exceptions.at(-1)!;
  for (const outer of relevant.slice(0, -1).reverse()) {
    const [text, of] = [headline(outer), messageOf(root)];
    if (outer.language === 'text' && outer.name === '') break;
    if (!(of.length > 8 && text.includes(of)) && !VAGUE.test(headline(root))) break;
    if (text.length > headline(root).length) root = outer;
  }
  return root;
}

function isWrapper(exception: LoggedException, hasCause: boolean): boolean {
  const text = headline(exception);
  // The text of a record comes before its exception.
  if (exception.language === 'text' && exception.name === '' && hasCause) return true;
  return hasCause && WRAPPER.test(text);
}

/** Returns the class and the message of an exception, of which a long one is cut. */
function headline(exception: LoggedException): string {
  const message = messageOf(exception);
  return [exception.name, message].filter(Boolean).join(': ');
}

/**
 * Beginnings of what follows an error in its own message, such as the plan of a query. The cost of
 * a repeated space would grow with the square of the length.
 */
const END_OF_MESSAGE = new RegExp([
  ' ?;? ?SQLSTATE: \\w{5}', ' ?== SQL', ' ?=== Streaming Query ===', ' ?Serialization stack:',
  ' ?(?:Driver|JVM) stacktrace:',
  ';? ?\'?(?:Project|Aggregate|Filter|Sort|Join|GlobalLimit|InsertInto\\w*|CreateTable\\w*) \\[', ',? Request ID: ', '; Request ID: ',
].join('|'));

/** Beginning of the message of a streaming query, whose ids differ with each run. */
const QUERY = /^(?:\[STREAM_FAILED\] )?Query (?:\w{1,100} )?\[id = [^\]]{1,200}\] terminated with exception: /;

function messageOf({ message }: LoggedException): string {
  const first = message.findIndex((line) => line.trim() !== '');
  if (first < 0) return '';
  const line = spaced(message[first]!).replace(QUERY, '');
  // Some messages have their text on the next line.
  const text = /[:(]$/.test(line) || line.length < 3 ? [line, spaced(message[first + 1] ?? '')].filter(Boolean).join(' ') : line;
  const end = END_OF_MESSAGE.exec(text)?.index ?? text.length;
  const shown = (end > 0 ? text.slice(0, end) : text).trim().replace(/[\s;:,]{1,20}$/, '').replace(/\.\((?=line \d)/, '. (');
  const isOpen = end < text.length && shown.lastIndexOf('(') > shown.lastIndexOf(')');
  return isOpen ? `${shown})` : shown;
}

/** Returns the beginning of a line with single spaces: more than is searched for secrets. */
function spaced(line: string): string {
  return beginningOf(line.replace(/\s+/g, ' ').trim(), 2 * MAX_REDACTED);
}

/** Message of Spark about a worker that ended without a traceback. */
const CRASHED_WORKER = /^Python worker exited unexpectedly \(crashed\)(?!: )/;

function textOf(chosen: LoggedException, exceptions: readonly LoggedException[]): string {
  const complete = chosen.message.join(' ').replace(/\s+/g, ' ').trim();
  if (CRASHED_WORKER.test(complete)) return `a Python worker crashed${workerOwner(exceptions)}${placeOf(chosen, exceptions)}`;
  if (isApiTimeout(exceptions)) return API_TIMEOUT;
  const rewrite = rewritten(complete);
  const text = shortClasses(rewrite ?? `${headline(chosen)}${classOfRoot(chosen, exceptions)}`);
  const place = rewrite === undefined ? placeOf(chosen, exceptions) : '';
  const where = /^OutOfMemoryError/.test(text) ? memoryOwner(exceptions) : fileRead(text, exceptions);
  return `${bounded(text, MAX_CAUSE - where.length - place.length)}${where}${place}`;
}

/** Returns the class of the last exception if it has no message and the chosen one lacks it. */
function classOfRoot(chosen: LoggedException, exceptions: readonly LoggedException[]): string {
  const root = headline(exceptions.at(-1)!);
  return /^(?!EOF)[A-Z]\w+Exception$/.test(root) && !headline(chosen).includes(root) ? `: ${root}` : '';
}

/** Returns in which executor the memory ended; in a driver, the caller knows. */
function memoryOwner(exceptions: readonly LoggedException[]): string {
  const executor = exceptions.find((exception) => exception.executor !== undefined)?.executor;
  return executor === undefined || executor === 'driver' ? '' : ` in executor ${executor}`;
}

const API_TIMEOUT = 'the driver did not reach the API server in time (TimeoutException)';

/** Address of the API server in a cluster, by which a cut log is recognized. */
const API_SERVER = /\bconnection to kubernetes\.default\.svc\b/;

/** Whether a request of Spark's client for Kubernetes had no answer in time. */
function isApiTimeout(exceptions: readonly LoggedException[]): boolean {
  const last = headline(exceptions.at(-1)!);
  const isOfClient = exceptions.some(({ name }) => name === 'KubernetesClientException') || API_SERVER.test(last);
  return isOfClient && /\b\w*TimeoutException\b/.test(last);
}

/** Returns in which container a Python worker ran, if the log has it. */
function workerOwner(exceptions: readonly LoggedException[]): string {
  const isOfDriver = exceptions.some(({ executor }) => executor === 'driver');
  return isOfDriver ? ' in the driver' : memoryOwner(exceptions);
}

/** Message of Spark about the file that a task has read. */
const READ_FILE = /\[FAILED_READ_FILE[^\]]{0,60}\] Encountered error while reading file (\S{1,200}?)\.?(?: |$)/;

/** Returns the file that was read, if the cause does not name it. */
function fileRead(text: string, exceptions: readonly LoggedException[]): string {
  const file = exceptions.map((exception) => READ_FILE.exec(exception.message[0]!)?.[1]).find((found) => found !== undefined);
  return file === undefined || text.includes(file.slice(file.lastIndexOf('/') + 1)) ? '' : `, in file ${withoutSecrets(file)}`;
}

/** Returns the user's own frame: that of the exception, or of the one that it caused. */
function placeOf(chosen: LoggedException, exceptions: readonly LoggedException[]): string {
  const before = exceptions.slice(0, exceptions.indexOf(chosen) + 1).reverse();
  const frame = [...before, ...exceptions].find((exception) => exception.frame !== undefined)?.frame;
  return frame === undefined ? '' : ` (${frame})`;
}

/** Removes the packages of classes in a text. */
function shortClasses(text: string): string {
  return text
    .replace(/\b(?:[a-z_]\w{0,60}\.){1,12}(?:[A-Z]\w{0,80}\$)?([A-Z]\w{0,80}(?:Exception|Error)\b)/g, '$1')
    .replace(/^Extended(?=AnalysisException)/, '');
}

/** Returns a text without secrets in at most `most` characters, cut after a word. */
export function bounded(text: string, most = MAX_CAUSE): string {
  const clean = withoutSecrets(text, MAX_REDACTED);
  if (clean.length <= most) return clean;
  const cut = beginningOf(clean, most - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > most / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:]+$/, '')}…`;
}
