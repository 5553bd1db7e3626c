import type { OperatorPresence } from '../model/operator-presence';
import type { PodView } from '../model/pod-view';
import type { Room } from './room';

/** Facts about the surroundings of an application or a Spark Connect server. */
export interface ObservedPods {
  /** The executors' Pods, if they were read. @default - only the status is used */
  readonly executors?: readonly PodView[];
  /** Those of them that are pending, if only these were read. @default - those of `executors` */
  readonly waiting?: readonly PodView[];
  /** Pod for which no node has room, to explain it with numbers. @default - none, or unknown */
  readonly room?: Room;
  /** Whether an operator runs that can handle it. @default - unknown */
  readonly operator?: OperatorPresence;
  /** Milliseconds since 1970. */
  readonly now: number;
}
