/** Classes of causes, few enough for a label of a metric. */
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** All classes. `Other` is for texts of other operators and of later versions. */
export const FAILURE_CLASSES = [
  'OOMKilled', 'OutOfMemoryError', 'Evicted', 'Killed', 'ImagePull', 'Unschedulable', 'Forbidden', 'Quota', 'Deadline', 'DriverLost',
  'Exception', 'ExitCode', 'Submission', 'Other',
] as const;

/** Patterns of error messages of a status, by precedence. */
const PATTERNS: readonly (readonly [pattern: RegExp, name: FailureClass])[] = [
  [/\bOOMKilled\b|exceeded its memory limit/, 'OOMKilled'],
  [/OutOfMemoryError|exit code 52\b/, 'OutOfMemoryError'],
  [/(?:^|; )(?:Evicted|Preempting|NodeShutdown|Terminated)\b/, 'Evicted'],
  [/\b(?:ErrImage|ImagePull|InvalidImageName|ImageInspectError|RegistryUnavailable)/, 'ImagePull'],
  [/\bUnschedulable\b|nodes are available/, 'Unschedulable'],
  [/exceeded quota/, 'Quota'],
  [/has no permission to|\bforbidden\b/, 'Forbidden'],
  [/activeDeadlineSeconds|DeadlineExceeded/, 'Deadline'],
  [/driver pod not found|unreachable|NodeLost/, 'DriverLost'],
  [/its pod was deleted|(?:terminated|killed) by SIG/, 'Killed'],
  [/\b[A-Z]\w*(?:Exception|Error|Interrupt|Exit)(?:: | \()|; DeadlineExceeded: \d|(?:^|; )\[[A-Z_]+[.\]]/, 'Exception'],
  [/Maven package|Failed to load class|spark\.driver\.maxResultSize|\bexecutor \w+ (?:was|ended)|; Error in /, 'Exception'],
  [/\bExitCode: \d|\bexit code \d/, 'ExitCode'],
  [/spark-submit|cannot be created|could not be created/, 'Submission'],
];

/** Cause of a container that is an exception of the program, which can quote any text. */
const OF_PROGRAM = /^driver container failed with [^;]*; (?:[A-Z]\w*(?:Exception|Error|Interrupt|Failure)(?:: | \()|DeadlineExceeded: \d)/;

/** Classes of causes outside the program. */
const OF_PLATFORM = new Set<FailureClass>(['ImagePull', 'Unschedulable', 'Deadline', 'DriverLost']);

/**
 * Returns the class of the cause of a failed attempt.
 *
 * @param message error message of the status
 */
export function failureClass(message: string | undefined): FailureClass {
  const isOfProgram = OF_PROGRAM.test(message ?? '');
  return PATTERNS.find(([pattern, name]) => !(isOfProgram && OF_PLATFORM.has(name)) && pattern.test(message ?? ''))?.[1] ?? 'Other';
}
