/** Where the output of a command goes. */
export interface Terminal {
  /** Whether standard output is a terminal: what is drawn over itself, such as progress, is for one only. */
  readonly isTerminal: boolean;
  /** Characters in a line; undefined where there is no end of it. */
  readonly columns?: number;
  /** Whether there are colours: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`; elsewhere with `FORCE_COLOR`. */
  readonly colour: boolean;
}

/** What standard output is like. @see https://no-color.org */
export function terminalOf({ isTTY = false, columns }: { readonly isTTY?: boolean; readonly columns?: number }, environment: NodeJS.ProcessEnv): Terminal {
  const isForced = Boolean(environment.FORCE_COLOR) && environment.FORCE_COLOR !== '0';
  const isForbidden = Boolean(environment.NO_COLOR) || environment.TERM === 'dumb' || environment.FORCE_COLOR === '0';
  return { isTerminal: isTTY, columns: isTTY ? columns : undefined, colour: isForced || (isTTY && !isForbidden) };
}
