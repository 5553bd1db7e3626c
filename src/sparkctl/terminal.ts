/** Destination of a command's output. */
export interface Terminal {
  /**
   * Whether standard output is a terminal. Only there output that redraws itself, such as progress,
   * makes sense.
   */
  readonly isTerminal: boolean;
  /** Columns of a line; undefined if unlimited. */
  readonly columns?: number;
  /**
   * Columns of a line on standard error, which can be a terminal if standard output is none.
   *
   * @default - unlimited
   */
  readonly errorColumns?: number;
  /** Lines of the window; undefined if unlimited. */
  readonly rows?: number;
  /**
   * Whether colours are on: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`; elsewhere
   * with `FORCE_COLOR`.
   */
  readonly colour: boolean;
  /** Whether it shows characters outside ASCII. @default false */
  readonly isUnicode?: boolean;
  /** Time zone of the user: a name of the IANA database. @default - that of this machine */
  readonly timeZone?: string;
}

/** Stream that can be a terminal. */
interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/**
 * Returns the properties of standard output and standard error; their size is always the current
 * one.
 *
 * @see https://no-color.org
 */
export function terminalOf(output: OutputStream, environment: NodeJS.ProcessEnv, errors: OutputStream = {}): Terminal {
  const { isTTY = false } = output;
  const isForced = Boolean(environment.FORCE_COLOR) && environment.FORCE_COLOR !== '0';
  const isForbidden = Boolean(environment.NO_COLOR) || environment.TERM === 'dumb' || environment.FORCE_COLOR === '0';
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || '';
  return {
    isTerminal: isTTY,
    // A terminal without a size, as of some CI systems, reports 0.
    get columns() { return isTTY ? output.columns || undefined : undefined; },
    get errorColumns() { return errors.isTTY ? errors.columns || undefined : undefined; },
    get rows() { return isTTY ? output.rows || undefined : undefined; },
    colour: isForced || (isTTY && !isForbidden),
    isUnicode: isTTY && /utf-?8/i.test(locale),
  };
}
