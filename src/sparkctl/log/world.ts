import type { Selection } from './selection';
import type { Sinks } from './sink';
import type { KubeClient } from '../../kube/client';
import type { LogOptions } from '../../kube/logs';

/** Which logs, and which part of them. */
export interface LogRequest {
  readonly selection: Selection;
  readonly part: Pick<LogOptions, 'previous' | 'tailLines' | 'sinceTime' | 'timestamps'>;
}

/** What the reading of logs needs of the world. */
export interface LogDependencies {
  readonly client: KubeClient;
  readonly sinks: Sinks;
  /** Tells the user something that is not of a log. */
  readonly print: (message: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}
