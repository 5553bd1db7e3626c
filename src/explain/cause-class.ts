/**
 * Maximum length of a message that is searched, in characters: the cost grows with its square. The
 * operator's messages are shorter.
 */
const MAX_SEARCHED = 4_096;

/** The operator's text about the end of a container: exit code and Kubernetes' reason. */
const END = /ExitCode: (\d+), Reason: (\w+)/i;

/** Reasons of ended containers that are no cause. */
const NO_CAUSE = new Set(['Error', 'Completed', 'Unknown']);

/** Class names of Java's and Python's exceptions, with or without their package. */
const EXCEPTION = /(?:[A-Za-z_$][\w$]*\.)*([A-Z]\w*(?:Exception|Error|Interrupt))\b/g;

/** Exceptions that only report that another one was thrown. */
const WRAPPERS = new Set(['Py4JJavaError', 'Py4JError', 'SparkException', 'SparkUserAppException', 'InvocationTargetException', 'ExecutionException']);

/** Causes in one line, with their class. */
const OTHERS: readonly (readonly [cause: RegExp, name: string])[] = [
  [/\bexecutor \w+ was killed [^;]*\(OOMKilled\)/, 'executor OOMKilled'],
  [/has no permission to (\w+ \S+)/, 'cannot $1'],
  [/(?:^|; )\[([A-Z][A-Z_]+)[.\]]/, '$1'],
  [/Maven package \S+ was not found/, 'Maven package not found'],
  [/Failed to load class/, 'class not found'],
  // The exception of a cause in one line, which can quote others.
  [/Reason: Error; ([A-Z]\w*(?:Exception|Error|Interrupt))(?:: | \()/, '$1'],
];

/** Reasons that Kubernetes or the operator put in front of a message. */
const REASON = /(?:^|does not start: |; )(Evicted|OOMKilled|DeadlineExceeded|NodeLost|Preempting|NodeShutdown|Terminated|[A-Z][A-Za-z]+(?:BackOff|Error|Pull|Name|Killed))\b/;

/**
 * Returns the class of a failure's cause in a word or two, such as `OOMKilled`, `exit code 1` or
 * `AnalysisException`.
 *
 * @param message error message of the status
 * @returns undefined if it is unknown
 */
export function causeClass(message: string | undefined): string | undefined {
  return message ? classIn(message.slice(0, MAX_SEARCHED)) : undefined;
}

function classIn(message: string): string | undefined {
  const [, code, reason = ''] = END.exec(message) ?? [];
  if (code !== undefined && !NO_CAUSE.has(reason)) return reason;
  for (const [cause, name] of OTHERS) {
    const match = cause.exec(message);
    if (match) return name.replace('$1', match[1] ?? '');
  }
  if (/\bOOMKilled\b/.test(message)) return 'OOMKilled';
  const [, ofKubernetes] = REASON.exec(message) ?? [];
  if (ofKubernetes !== undefined && code === undefined) return ofKubernetes;
  const exceptions = [...message.matchAll(EXCEPTION)].map(([, name]) => name!);
  const exception = exceptions.findLast((name) => !WRAPPERS.has(name) && name !== 'Error') ?? exceptions.at(-1);
  if (exception !== undefined && exception !== 'Error') return exception;
  if (code !== undefined) return `exit code ${code}`;
  const [, other] = /exit code (\d+)/i.exec(message) ?? [];
  return /deadline/i.test(message) ? 'DeadlineExceeded' : other === undefined ? undefined : `exit code ${other}`;
}
