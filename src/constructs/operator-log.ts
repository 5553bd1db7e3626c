/** Minimum level of log messages. */
export enum LogLevel {
  /** All messages, for debugging. */
  DEBUG = 'debug',
  /** Each change of an application. */
  INFO = 'info',
  /** Problems that might need attention. */
  WARN = 'warn',
  /** Errors. */
  ERROR = 'error',
}

/** Formats of the log. */
export enum LogEncoder {
  /** One JSON object a line, for programs. */
  JSON = 'json',
  /** Time, level, message and fields, separated by tabs, for people. */
  CONSOLE = 'console',
}
