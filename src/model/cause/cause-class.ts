import { POD_DELETED } from '../last-driver';

/** Groups of causes, few enough for a label of a metric. */
export type CauseGroup = (typeof CAUSE_GROUPS)[number];

/** All groups. `Other` is for texts of other operators and of later versions. */
export const CAUSE_GROUPS = [
  'OOMKilled', 'OutOfMemoryError', 'Evicted', 'Killed', 'ImagePull', 'Unschedulable', 'Forbidden', 'Quota', 'Deadline', 'DriverLost',
  'Exception', 'ExitCode', 'Submission', 'Other',
] as const;

/** Cause of a failure: in a word or two, such as `AnalysisException`, and its group. */
export interface CauseClass {
  /** @default - unknown */
  readonly words?: string;
  readonly group: CauseGroup;
}

/** Start of a reason in a message of the operator. */
const START = '(?:^|does not start: |; )';

/** Class names of Java's and Python's exceptions. */
const EXCEPTION_NAME = '[A-Z]\\w*(?:Exception|Error|Interrupt|Failure|Exit|Exceeded)';

type Rule = readonly [pattern: RegExp, group: CauseGroup, words?: string];

/** Causes that end a container, or an exception of the program, which can quote any text. */
const OF_PROGRAM: readonly Rule[] = [
  [/ExitCode: \d+, Reason: (OOMKilled)\b/i, 'OOMKilled', '$1'],
  [/\bexecutor \w+ was killed [^;]*\(OOMKilled\)/, 'OOMKilled', 'executor OOMKilled'],
  [/\bexecutor \w+ ended with [^;]*killed by SIG/, 'Killed', 'executor killed'],
  [/(?:^|; )the driver did not reach the API server/, 'Exception', 'API server out of reach'],
  [/(?:^|; )a Python worker crashed/, 'Exception', 'Python worker crashed'],
  [/has no permission to (\w+ \S+)/, 'Forbidden', 'cannot $1'],
  [/(?:^|; )\[([A-Z][A-Z_]+)[.\]]/, 'Exception', '$1'],
  [/the host \S+ of a repository is unknown/, 'Exception', 'repository host unknown'],
  [/Maven package \S+ was not found/, 'Exception', 'Maven package not found'],
  [/(?:^|; )python[\d.]*: can't open file /, 'Exception', 'file not found'],
  [/Failed to load class/, 'Exception', 'class not found'],
  [/Reason: Error; (?:java\.lang\.)?(OutOfMemoryError)\b/, 'OutOfMemoryError', '$1'],
  [new RegExp(`Reason: Error; (?:[\\w$]+\\.)*(?!Py4J)(${EXCEPTION_NAME})(?:: | \\()`), 'Exception', '$1'],
];

/** Causes around the program, in the words of Kubernetes and the operator. */
const OF_PLATFORM: readonly Rule[] = [
  [/\bOOMKilled\b|exceeded its memory limit/, 'OOMKilled', 'OOMKilled'],
  [/exceeded quota/, 'Quota', 'quota exceeded'],
  [new RegExp(`${START}(Evicted|Preempting|NodeShutdown|Terminated)\\b`), 'Evicted', '$1'],
  [/\b((?:ErrImage|ImagePull|InvalidImageName|ImageInspectError|RegistryUnavailable)\w*)/, 'ImagePull', '$1'],
  [/\bUnschedulable\b|nodes are available/, 'Unschedulable', 'Unschedulable'],
  [/\bforbidden\b/, 'Forbidden', 'forbidden'],
  [/does not start: ([A-Z]\w+)(?:: | \(|$)/, 'Submission', '$1'],
  [/longer than activeDeadlineSeconds|DeadlineExceeded/, 'Deadline', 'DeadlineExceeded'],
  [/\b(driver|server) pod (?:not found|is unknown)/, 'DriverLost', '$1 lost'],
  [/unreachable|NodeLost/, 'DriverLost', 'driver lost'],
  [new RegExp(POD_DELETED), 'Killed', 'pod deleted'],
  [/(?:terminated|killed) by (SIG\w+)/, 'Killed', '$1'],
  [/ExitCode: \d+, Reason: (?!(?:Error|Completed|Unknown)\b)(\w+)/i, 'ExitCode', '$1'],
];

/** Causes of messages without an exception. */
const OTHERS: readonly Rule[] = [
  [/spark\.driver\.maxResultSize/, 'Exception', 'result too large'],
  [/\bexecutor \w+ (?:was|ended)/, 'Exception', 'executor lost'],
  [/(?:^|; )Error in /, 'Exception', 'R error'],
  [/\bexit ?code:? (52)\b/i, 'OutOfMemoryError', 'exit code $1'],
  [/\bexit ?code:? (\d+)/i, 'ExitCode', 'exit code $1'],
  [/spark-submit|cannot be created|could not be created/, 'Submission'],
];

/** Class names of exceptions, with or without their package. */
const EXCEPTION = /(?:[A-Za-z_$][\w$]*\.)*([A-Z]\w*(?:Exception|Error|Interrupt))\b/g;

/** Exceptions that only report that another one was thrown. */
const WRAPPERS = new Set(['Py4JJavaError', 'Py4JError', 'SparkException', 'SparkUserAppException', 'InvocationTargetException', 'ExecutionException']);

/**
 * Maximum length of a message that is searched, in characters: the cost grows with its square. The
 * operator's messages are shorter.
 */
const MAX_SEARCHED = 4_096;

/**
 * Returns the class of a failure's cause, for lists and metrics.
 *
 * @param message error message of the status
 */
export function causeClass(message = ''): CauseClass {
  const text = message.slice(0, MAX_SEARCHED);
  return byRules(OF_PROGRAM, text) ?? byRules(OF_PLATFORM, text) ?? exceptionIn(text) ?? byRules(OTHERS, text) ?? { group: 'Other' };
}

function byRules(rules: readonly Rule[], text: string): CauseClass | undefined {
  for (const [pattern, group, words] of rules) {
    const match = pattern.exec(text);
    if (match) return { group, ...(words !== undefined && { words: words.replace('$1', match[1] ?? '') }) };
  }
  return undefined;
}

/** Returns the class of the last exception that is the cause of others. */
function exceptionIn(text: string): CauseClass | undefined {
  const names = [...text.matchAll(EXCEPTION)].map(([, name]) => name!).filter((name) => name !== 'Error');
  const words = names.findLast((name) => !WRAPPERS.has(name)) ?? names.at(-1);
  return words === undefined ? undefined : { group: words === 'OutOfMemoryError' ? words : 'Exception', words };
}
