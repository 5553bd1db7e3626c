/**
 * Message of Spark about a lost executor (ExecutorLostFailure, TaskSchedulerImpl,
 * ExecutorPodsLifecycleManager).
 */
export const LOST_EXECUTOR = new RegExp(
  '(?:ExecutorLostFailure \\(executor (\\w{1,20}) [^)]{1,200}\\)(?: Reason:)?|Lost executor (\\w{1,20}) on [^\\s:]{1,253}:)\\s?(.{0,2000})',
);

/** Exit codes of Spark's executors (org.apache.spark.executor.ExecutorExitCode). */
const OF_EXECUTORS: Readonly<Record<number, string>> = {
  50: 'an uncaught exception',
  51: 'an uncaught exception',
  52: 'out of memory: a Java OutOfMemoryError',
  53: 'it could not create a local directory',
  56: 'it could not send heartbeats to the driver',
  57: 'a task did not stop after it was killed',
  58: 'it could not register its blocks with the driver',
};

/**
 * Exit codes of spark-submit and of Spark's driver (SparkExitCode). Programs of users can use them
 * for something else.
 */
const OF_DRIVERS: Readonly<Record<number, string>> = {
  11: 'too many executors failed: spark.executor.maxNumFailures',
  52: 'out of memory: a Java OutOfMemoryError',
  101: 'the main class was not found',
};

/** Exit codes of shells and of processes that a signal ended. */
const OF_ALL: Readonly<Record<number, string>> = {
  126: 'the command is not executable',
  127: 'the command was not found',
  130: 'terminated by SIGINT',
  134: 'aborted by SIGABRT',
  137: 'killed by SIGKILL',
  139: 'crashed by SIGSEGV',
  143: 'terminated by SIGTERM',
};

/** Role of a container for the meaning of its exit code. */
export type ExitRole = 'driver' | 'server' | 'executor' | 'submitter' | 'init';

/** Returns the meaning of an exit code, such as `terminated by SIGTERM`. */
export function exitMeaning(exitCode: number, role: ExitRole): string | undefined {
  const spark = role === 'executor' ? OF_EXECUTORS : role === 'init' ? {} : OF_DRIVERS;
  return spark[exitCode] ?? OF_ALL[exitCode];
}

/** Whether a text is the meaning of an exit code that programs of users can use, too. */
export function isMeaningOfDriver(text: string): boolean {
  return Object.values(OF_DRIVERS).includes(text);
}

/** Whether the exit code of a driver has a meaning only if the program wrote nothing itself. */
export function isAmbiguous(exitCode: number): boolean {
  return OF_DRIVERS[exitCode] !== undefined;
}

/** Exit codes above this one mean that a signal ended the process. */
const SIGNALED = 128;

/** Whether a container was ended from outside: its previous output is not the cause. */
export function wasKilled(exitCode: number, reason: string | undefined): boolean {
  return reason === 'OOMKilled' || [130, 137, 143].includes(exitCode) || (exitCode > SIGNALED && reason === 'Evicted');
}

/** Returns why Spark lost an executor. The parameters are those of `LOST_EXECUTOR`. */
export function lostExecutor(_: string, inTask: string | undefined, inLog: string | undefined, text = ''): string {
  const executor = `executor ${inTask ?? inLog}`;
  const code = Number(/exit(?:ed with)?(?: exit)? code:? (\d{1,3})/i.exec(text)?.[1]);
  if (/OOMKilled/.test(text) || (code === 137 && /possible container OOM/.test(text))) {
    return /OOMKilled/.test(text)
      ? `${executor} was killed with exit code 137 (OOMKilled): its container exceeded its memory limit`
      : `${executor} was killed with exit code 137: its container might have exceeded its memory limit`;
  }
  if (Number.isInteger(code)) {
    const meaning = exitMeaning(code, 'executor');
    return `${executor} ended with exit code ${code}${meaning ? ` (${meaning})` : ''}`;
  }
  const sentence = /^[^.]{1,200}(?=\.|$)/.exec(text.trim())?.[0];
  return sentence ? `${executor} was lost: ${sentence}` : `${executor} was lost`;
}
