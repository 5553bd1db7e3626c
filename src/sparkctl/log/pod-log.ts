import { RAW_PODS, sparkPodOf } from './pods';
import { backoff } from '../../kube/backoff';
import type { KubeClient } from '../../kube/client';
import { type Clock, type Random, sleep } from '../../kube/clock';
import { isNotFound, isTransient, toError } from '../../kube/errors';
import { followLog, type LogOptions } from '../../kube/logs';
import type { Ref } from '../../kube/objects';
import { ResumedLog } from '../../kube/resumed-log';

/** Milliseconds before a lost stream is reopened: minimum and maximum of the backoff. */
const PAUSE = { min: 200, max: 10_000 };

/** Options and dependencies for following a log. */
export interface FollowOptions extends Pick<LogOptions, 'tailLines' | 'sinceTime' | 'timestamps' | 'signal'> {
  readonly client: Pick<KubeClient, 'bytes' | 'get'>;
  /** Called when the connection is lost; not again until more of the log has been read. */
  readonly onLost: (error: Error) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** Container whose log is followed. */
export interface FollowedContainer {
  readonly ref: Ref;
  /** Uid of the pod: another pod of the same name has another log. */
  readonly uid: string;
  readonly container: string;
}

/**
 * Yields the log of a container until it has ended or its pod is deleted. It yields each byte once,
 * also when connections are lost. Permanent errors of the API server, such as a missing permission,
 * are thrown.
 */
export async function* followToEnd(container: FollowedContainer, options: FollowOptions): AsyncGenerator<Buffer, void, undefined> {
  const { clock, random, signal, onLost } = options;
  const log = new ResumedLog(options.timestamps);
  for (let failures = 0; ; failures++) {
    try {
      const state = await stateOf(container, options);
      if (state === 'gone') return;
      for await (const bytes of readOn(container, log, options)) {
        failures = 0;
        yield bytes;
      }
      // If the container ran, the kubelet could have ended the stream.
      if (state === 'ended') return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (signal?.aborted || !isTransient(error)) throw error;
      if (failures === 0) onLost(toError(error));
    }
    await sleep(clock, backoff(failures, PAUSE.min, PAUSE.max, random), signal);
  }
}

/** Yields the part of the log that has not been read yet. */
async function* readOn(
  { ref, container }: FollowedContainer, log: ResumedLog, options: FollowOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const { client, tailLines, sinceTime, signal } = options;
  const { from } = log;
  log.begin();
  const part = from ? { sinceTime: from } : { tailLines, sinceTime };
  for await (const chunk of followLog(client, ref, { ...part, container, follow: true, timestamps: true, signal })) {
    const { buffer, byteOffset, length } = log.take(chunk);
    if (length > 0) yield Buffer.from(buffer, byteOffset, length);
  }
}

/**
 * Reads the state of the container from the API server. The uid distinguishes this pod from that of
 * the next attempt, which has the same name.
 */
async function stateOf({ ref, uid }: FollowedContainer, { client, signal }: FollowOptions): Promise<'running' | 'ended' | 'gone'> {
  const pod = sparkPodOf(await client.get(RAW_PODS, ref, { signal }));
  if (pod.metadata.uid !== uid) return 'gone';
  return pod.terminated ? 'ended' : 'running';
}
