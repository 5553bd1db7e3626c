import { RAW_PODS, sparkPodOf } from './pods';
import { backoff } from '../../kube/backoff';
import type { KubeClient } from '../../kube/client';
import { type Clock, type Random, sleep } from '../../kube/clock';
import { isNotFound, isTransient, toError } from '../../kube/errors';
import { followLog, type LogOptions } from '../../kube/logs';
import type { Ref } from '../../kube/objects';
import { ResumedLog } from '../../kube/resumed-log';

/** Milliseconds before a log is read on, the first time and after many failures. */
const PAUSE = { min: 200, max: 10_000 };

/** What a log is followed with. */
export interface FollowOptions extends Pick<LogOptions, 'tailLines' | 'sinceTime' | 'timestamps' | 'signal'> {
  readonly client: Pick<KubeClient, 'bytes' | 'get'>;
  /** Told when the connection was lost and is sought again: once until there is more of the log. */
  readonly onLost: (error: Error) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** A container of which the log is followed. */
export interface FollowedContainer {
  readonly ref: Ref;
  /** Of the pod: another one of its name has another log. */
  readonly uid: string;
  readonly container: string;
}

/**
 * The log of a container until it has ended, or its pod is gone: each byte once, over lost connections. What the API server refuses for good, such as a missing right, is thrown.
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
      // While it ran, the end of the stream may have been that of the kubelet.
      if (state === 'ended') return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (signal?.aborted || !isTransient(error)) throw error;
      if (failures === 0) onLost(toError(error));
    }
    await sleep(clock, backoff(failures, PAUSE.min, PAUSE.max, random), signal);
  }
}

/** What has not been read yet. */
async function* readOn({ ref, container }: FollowedContainer, log: ResumedLog, options: FollowOptions): AsyncGenerator<Buffer, void, undefined> {
  const { client, tailLines, sinceTime, signal } = options;
  const { from } = log;
  log.begin();
  const part = from ? { sinceTime: from } : { tailLines, sinceTime };
  for await (const chunk of followLog(client, ref, { ...part, container, follow: true, timestamps: true, signal })) {
    const { buffer, byteOffset, length } = log.take(chunk);
    if (length > 0) yield Buffer.from(buffer, byteOffset, length);
  }
}

/** A live read: the next attempt has a pod of the same name, which must not be taken for this one. */
async function stateOf({ ref, uid }: FollowedContainer, { client, signal }: FollowOptions): Promise<'running' | 'ended' | 'gone'> {
  const pod = sparkPodOf(await client.get(RAW_PODS, ref, { signal }));
  if (pod.metadata.uid !== uid) return 'gone';
  return pod.terminated ? 'ended' : 'running';
}
