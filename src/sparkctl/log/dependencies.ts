import type { Selection } from './selection';
import type { Sinks } from './sink';
import type { KubeClient } from '../../kube/client';
import type { LogOptions } from '../../kube/logs';

/** Logs to print, and the part of each. */
export interface LogRequest {
  readonly selection: Selection;
  readonly part: Pick<LogOptions, 'previous' | 'tailLines' | 'sinceTime' | 'timestamps'>;
}

/** Dependencies of reading logs. */
export interface LogDependencies {
  readonly client: KubeClient;
  readonly sinks: Sinks;
  /** Prints a message that is not part of a log. */
  readonly print: (message: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}
