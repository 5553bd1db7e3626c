import { followToEnd } from './pod-log';
import { labelOf, podsNow, type SparkPod } from './pods';
import { isCombined, isMeant } from './selection';
import type { Standing, Subject } from './subject';
import { sentenceOf, whyNoLog } from './words';
import type { LogRequest, LogDependencies } from './world';
import { CommandError } from '../errors';
import { systemClock } from '../../kube/clock';
import { toError } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';

/** How an application or a server has ended. */
const EXIT_CODES = { succeeded: 0, failed: 1 } as const;

/** The stream of a pod that is gone ends by itself, but not if its node has died: milliseconds until it is left. */
const GRACE = 2_000;

interface Reader {
  readonly done: Promise<void>;
  /** Ends it soon. */
  readonly leave: () => void;
}

/** Read the logs of pods as they come, each to its end, and know when there is nothing to come any more. */
export class Followers {
  /** By the uids of pods. */
  private readonly active = new Map<string, Reader>();
  /** The uids of pods of which the log was begun. */
  private readonly begun = new Set<string>();
  private failure?: Error;
  /** The last driver or server of which the log was begun. */
  private main?: SparkPod;
  private told?: string;

  /** @param onChange called when a log is through */
  constructor(private readonly subject: Subject, private readonly request: LogRequest, private readonly world: LogDependencies, private readonly onChange: () => void) {}

  /**
   * Looks at what there is now, and begins what is to be done about it.
   *
   * @param isFirst whether the pods were there before us: then only a part of their logs may be asked for
   * @returns the exit code, once there is nothing to come any more
   * @throws {CommandError} if what is asked for will never be there
   */
  async look(pods: readonly SparkPod[], object: KubeObject | undefined, isFirst: boolean): Promise<number | undefined> {
    if (this.failure) throw this.failure;
    const there = new Set(pods.map(({ metadata: { uid } }) => uid));
    for (const [uid, { leave }] of this.active) if (!there.has(uid)) leave();
    this.begin(pods, object, isFirst);
    if (this.active.size > 0) return undefined;
    const { subject, request: { selection }, world: { client, now, signal, print: tell } } = this;
    if (!object) throw new CommandError(`${subject.ref.name} has been deleted, and what belongs to it`);

    const main = pods.find((pod) => pod.role === subject.mainRole && subject.isCurrent(pod, object));
    const standing = subject.standing(object, main, now());
    const isPast = selection.attempt !== undefined && (this.main !== undefined || (main?.attempt ?? 0) > selection.attempt);
    if (standing.outcome || isPast) {
      // The last news of the pods may be on their way.
      const latest = await podsNow(client, subject.ref.namespace, subject.podSelector, signal);
      this.begin(latest, object, isFirst);
      return this.active.size > 0 ? undefined : this.end(standing, latest);
    }
    if (!standing.isRunning && standing.key !== this.told) tell(`waiting for the ${subject.mainName}: ${sentenceOf(standing)}`);
    this.told = standing.key;
    return undefined;
  }

  /** Resolves when nobody reads any more. */
  async ended(): Promise<void> {
    await Promise.all([...this.active.values()].map(({ done }) => done));
  }

  private begin(pods: readonly SparkPod[], object: KubeObject | undefined, isFirst: boolean): void {
    const { selection, part } = this.request;
    for (const pod of pods) {
      if (this.active.size > 0 && !isCombined(selection)) return;
      const { uid } = pod.metadata;
      if (!pod.hasLog || this.begun.has(uid!) || !isMeant(pod, object, selection, this.subject)) continue;
      this.begun.add(uid!);
      this.announce(pod);
      this.active.set(uid!, this.reader(pod, isFirst ? part : { timestamps: part.timestamps }));
    }
  }

  /** Where one log follows the other, it is said whose it is. */
  private announce(pod: SparkPod): void {
    const { mainRole, mainName, ref: { name } } = this.subject;
    if (pod.role !== mainRole) return;
    if (this.main) this.world.print(`another ${mainName} of ${name} has started${pod.attempt === undefined ? '' : ` (attempt ${pod.attempt})`}; its log follows`);
    this.main = pod;
  }

  private reader(pod: SparkPod, part: LogRequest['part']): Reader {
    const stop = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const done = this.read(pod, part, AbortSignal.any([this.world.signal, stop.signal]))
      .catch((error) => { if (!stop.signal.aborted) this.failure ??= toError(error); })
      .finally(() => {
        clearTimeout(timer);
        this.active.delete(pod.metadata.uid!);
        this.onChange();
      });
    return { done, leave: () => { timer ??= setTimeout(() => stop.abort(new Error('its pod is gone')), GRACE); } };
  }

  private async read(pod: SparkPod, part: LogRequest['part'], signal: AbortSignal): Promise<void> {
    const { subject: { ref: { namespace } }, request: { selection }, world: { client, sinks, print: tell } } = this;
    const label = labelOf(pod);
    const sink = sinks(isCombined(selection) ? label : undefined);
    const container = { ref: { namespace, name: pod.metadata.name }, uid: pod.metadata.uid!, container: pod.container };
    const onLost = ({ message }: Error) => tell(`the log of ${label} is interrupted (${message}); it goes on when there is a connection again`);
    try {
      for await (const bytes of followToEnd(container, { ...part, client, signal, onLost, clock: systemClock, random: Math.random })) await sink.write(bytes);
    } finally {
      await sink.end();
    }
  }

  private end(standing: Standing, pods: readonly SparkPod[]): number {
    const { subject, request: { selection }, world: { print: tell } } = this;
    if (this.begun.size === 0) throw new CommandError(whyNoLog(subject, selection, pods, standing));
    if (standing.outcome) {
      tell(sentenceOf(standing));
      return EXIT_CODES[standing.outcome];
    }
    const exitCode = pods.find(({ metadata: { uid } }) => uid === this.main?.metadata.uid)?.terminated?.exitCode;
    tell(`attempt ${selection.attempt} is over`);
    return exitCode === 0 || !selection.hasMain ? EXIT_CODES.succeeded : EXIT_CODES.failed;
  }
}
