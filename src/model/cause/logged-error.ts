import { recordOf } from './log-lines';
import { isJavaFrame, isPy4jFrame, isPythonFrame, ownJavaFrame, ownPythonFrame } from './own-frame';

/** Exception in a log. */
export interface LoggedException {
  readonly language: 'java' | 'python' | 'text';
  /** Name of its class without packages; empty for a text without a class. */
  readonly name: string;
  /** Lines of its message. */
  readonly message: string[];
  /** Frame of the user's own code that is next to the error, such as `fail.py:5`. */
  frame?: string;
  hasFrames?: boolean;
  /** Whether the last frame is in py4j. */
  isInPy4j?: boolean;
  /** Executor in whose task it happened. */
  readonly executor?: string;
}

/** Place where a program reports an error; a higher one is more likely the end of the program. */
export enum Severity {
  WARNED, LOGGED, FATAL,
}

/** Error of a log: an exception and its causes, in this order. */
export interface LoggedError {
  readonly severity: Severity;
  readonly exceptions: LoggedException[];
}

/** Maximum number of lines of a message that are kept. */
const MAX_MESSAGE_LINES = 24;

/** Maximum number of exceptions of an error, and of errors: only the last ones matter. */
const MAX_EXCEPTIONS = 64;
const MAX_ERRORS = 256;

const HEADER = new RegExp(
  '^(Exception in thread "[^"]{0,200}" |Caused by: |: )?'
  + '((?:[a-zA-Z_$][\\w$-]{0,100}\\.){0,20}[a-zA-Z_$][\\w$]{0,200})(?::(?: (.*)|$)|$)',
);

/** Ends of class names without a prefix such as `Caused by: `. */
const ERROR_CLASS = /(?:Exception|Error|Throwable|Failure|Fault|Exit|Interrupt)$/;

const TRACEBACK = 'Traceback (most recent call last):';

/** Failure of a task in the message of a job. The exception of the task follows. */
const TASK = /\bLost task [^:]{0,80}\(TID \d+\) \([^()]{1,200} executor ([^()]{1,40})\): (.*)$/;

/** Condition of Spark's errors, which SparkSQLCLIDriver prints without a class. */
const SQL_ERROR = /^(?:Error in query: (.*)|(\[[A-Z][A-Z0-9_]{2,80}(?:\.[A-Z0-9_]{1,80}){0,3}\] .*))$/;

/** Errors of programs that are no exceptions, and the part of the line with the error. */
const TEXTS: readonly RegExp[] = [
  /^(?:Terminating|Aborting) due to java\.lang\.(OutOfMemoryError: .*)$/,
  /^#\s+java\.lang\.(OutOfMemoryError: .*)$/,
  /^#\s+(There is insufficient memory for the Java Runtime Environment to continue\.)/,
  /^#\s+(SIG[A-Z]{2,8}) \(0x/,
  /^(python[\d.]{0,5}: can't open file .*)$/,
  /^(?:\/\S{1,200}: (?:line )?\d{1,6}: )(.*)$/,
  /^((?:exec|env): .*)$/,
  /^(Unrecognized (?:VM )?option:? .*|Invalid (?:initial|maximum) heap size.*|Too small \w+ heap.*)$/,
  /^Error: (?!Could not create the Java|A fatal exception has occurred)(.*)$/,
];

/** Error of R; a longer message begins on the next line. */
const R_ERROR = /^Error in (.{0,200}?) ?: ?(.*)$/;

/** Records of Spark about a job that begins or succeeds: the program has handled earlier errors. */
const PROGRESS = /^(?:Starting job: |Job \d+ (?:is )?finished)/;

/** Errors of tasks and executors, which Spark repeats elsewhere. */
const OF_TASK = /^(?:Lost (?:task|executor) |Task \d+ |Exception in task |ExecutorLostFailure )/;

/** Returns the errors of a log, in its order. */
export function errorsIn(lines: readonly string[]): LoggedError[] {
  const errors: LoggedError[] = [];
  const parser = new Parser(errors);
  for (const line of lines) parser.take(line);
  return errors.filter(({ severity, exceptions }) => (
    severity === Severity.WARNED ? exceptions.some(({ language }) => language !== 'text') : exceptions.length > 0
  ));
}

class Parser {
  /** Error to which the lines belong. */
  private current: LoggedError | undefined;
  /** Whether the lines belong to a traceback whose exception follows. */
  private isInTraceback = false;
  /** Whether frames belong to the first exception, not to the last one. */
  private isOfDriver = false;
  /** Whether the next traceback is one that Python ignores, or of a thread. */
  private isAside = false;
  /** Number of errors before the last sign of progress. */
  private settled = 0;

  constructor(private readonly errors: LoggedError[]) {}

  take(line: string): void {
    const record = recordOf(line);
    if (record) return this.takeRecord(record.level, record.text);
    if (line.endsWith(TRACEBACK)) return this.takeTraceback(line);
    if (isPythonFrame(line)) return this.takePythonFrame(line);
    if (this.isInTraceback) return this.takeInTraceback(line);
    if (isJavaFrame(line)) return this.takeJavaFrame(line);
    if (line === 'Driver stacktrace:') {
      this.isOfDriver = true;
      return undefined;
    }
    return this.takeHeader(line) || this.takeText(line) ? undefined : this.takeOther(line);
  }

  private takeRecord(level: 'lower' | 'warn' | 'error', text: string): void {
    // Threads write at the same time, so a line of the log can be within a traceback.
    if (this.isInTraceback && level === 'lower') return;
    this.close();
    if (level === 'lower') return PROGRESS.test(text) ? this.settle() : undefined;
    this.open(level === 'error' ? Severity.LOGGED : Severity.WARNED);
    this.pushSplit('text', '', text);
  }

  /** Lowers the errors before a sign of progress, and removes those of tasks and executors. */
  private settle(): void {
    const recovered = this.errors.splice(this.settled)
      .filter(({ exceptions: [first] }) => !OF_TASK.test(first?.message[0] ?? ''))
      .map((error) => ({ ...error, severity: Math.min(error.severity, Severity.LOGGED) }));
    this.errors.push(...recovered);
    this.settled = this.errors.length;
  }

  private takeTraceback(line: string): void {
    const isNested = line !== TRACEBACK;
    if (isNested && this.takeHeader(line)) {
      this.isInTraceback = true;
      return;
    }
    const last = this.last();
    // PySpark repeats the traceback of a worker in the message of its exception.
    const isOfWorker = last?.name === 'PythonException' && !(last.hasFrames && last.language === 'java');
    if (!isOfWorker) {
      this.close();
      this.open(this.isAside ? Severity.WARNED : Severity.FATAL);
    }
    this.isAside = false;
    this.isInTraceback = true;
    this.frames = {};
  }

  /** Frames of a traceback, whose exception comes last. */
  private frames: Pick<LoggedException, 'frame' | 'isInPy4j'> = {};

  private takePythonFrame(line: string): void {
    if (!this.isInTraceback) {
      // The end of a log can begin within a traceback.
      if (!this.current || this.last()?.hasFrames || this.last()?.language === 'text') {
        this.close();
        this.open(Severity.FATAL);
      }
      this.isInTraceback = true;
      this.frames = {};
    }
    this.frames = { frame: ownPythonFrame(line) ?? this.frames.frame, isInPy4j: isPy4jFrame(line) };
  }

  private takeInTraceback(line: string): void {
    if (line === '' || /^\s/.test(line)) return;
    this.isInTraceback = false;
    const [, , name, message] = HEADER.exec(line) ?? [];
    if (name === undefined) return;
    const frames = this.frames;
    this.frames = {};
    this.pushSplit('python', name, message ?? '', { ...frames, hasFrames: true });
  }

  private takeJavaFrame(line: string): void {
    const exceptions = this.current?.exceptions ?? [];
    const found = this.isOfDriver ? exceptions[0] : exceptions.findLast(({ language }) => language === 'java');
    if (!found) return;
    found.hasFrames = true;
    found.frame ??= ownJavaFrame(line);
  }

  private takeHeader(line: string): boolean {
    const [, prefix, name, message = ''] = HEADER.exec(line.replace(/^ {1,2}(?=[a-z])/, '')) ?? [];
    if (name === undefined || (prefix === undefined && !isErrorClass(name, line))) return false;
    if (prefix?.startsWith('Exception')) {
      this.close();
      this.open(/"(?:main|Driver)"/.test(prefix) ? Severity.FATAL : Severity.LOGGED);
    } else if (prefix === undefined && this.last()?.language === 'java' && this.last()!.hasFrames) {
      this.close();
    }
    if (!this.current) this.open(prefix === undefined ? Severity.LOGGED : Severity.FATAL);
    this.isOfDriver = false;
    this.pushSplit('java', name, message);
    return true;
  }

  private takeText(line: string): boolean {
    if (/^Exception (?:ignored in|in thread Thread-)/.test(line)) {
      this.isAside = true;
      return true;
    }
    const last = this.last();
    const isMessage = last !== undefined && (last.language === 'python' || (last.language === 'java' && !last.hasFrames));
    if (isMessage) return false;
    const text = textIn(line);
    if (text === undefined) return false;
    this.close();
    this.open(Severity.FATAL);
    this.push('text', '', text);
    return true;
  }

  /** Takes a further line of a message. */
  private takeOther(line: string): void {
    const last = this.last();
    if (!last) return;
    // An exception of Python has its frames before its message.
    if (last.hasFrames && last.language === 'java') {
      // Indented lines are about suppressed exceptions.
      if (/^\S/.test(line)) this.close();
    } else if (last.message.length < MAX_MESSAGE_LINES) {
      last.message.push(line);
    }
  }

  private last(): LoggedException | undefined {
    return this.current?.exceptions.at(-1);
  }

  private open(severity: Severity): void {
    this.current = { severity, exceptions: [] };
    this.errors.push(this.current);
    if (this.errors.length <= MAX_ERRORS) return;
    this.errors.shift();
    this.settled = Math.max(this.settled - 1, 0);
  }

  private close(): void {
    this.current = undefined;
    this.isInTraceback = false;
    this.isOfDriver = false;
    this.frames = {};
  }

  /** Adds an exception, and the one of a task that its message has. */
  private pushSplit(
    language: LoggedException['language'], name: string, message: string,
    others: Pick<LoggedException, 'frame' | 'isInPy4j' | 'hasFrames'> = {},
  ): void {
    const task = TASK.exec(message);
    if (!task) return this.push(language, name, message === TRACEBACK ? '' : message, others);
    this.push(language, name, message.slice(0, task.index), others);
    const [, executor, rest] = task;
    const [, , taskClass, taskMessage = ''] = HEADER.exec(rest!) ?? [];
    if (taskClass === undefined) return this.push('text', '', rest!, { executor });
    return this.push('java', taskClass, taskMessage === TRACEBACK ? '' : taskMessage, { executor });
  }

  private push(
    language: LoggedException['language'], name: string, message: string, others: Partial<LoggedException> = {},
  ): void {
    const exceptions = this.current!.exceptions;
    exceptions.push({ language, name: simpleName(name), message: [message], ...others });
    if (exceptions.length > MAX_EXCEPTIONS) exceptions.splice(1, 1);
  }
}

/** Returns an error that is no exception. */
function textIn(line: string): string | undefined {
  const [, old, sql] = SQL_ERROR.exec(line) ?? [];
  const [, call, message] = R_ERROR.exec(line) ?? [];
  if (call !== undefined) return `Error in ${call}: ${message}`.trimEnd();
  return old ?? sql ?? TEXTS.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
}

/** Whether a line without a prefix is an exception: a class of a package, or `ValueError: …`. */
function isErrorClass(name: string, line: string): boolean {
  return ERROR_CLASS.test(name) && (/^[a-z]/.test(name) ? name.includes('.') : /^(?!Error|Exception)[A-Z]\w+: \S/.test(line));
}

function simpleName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).replace(/^.*\$(?=[A-Z])/, '');
}
