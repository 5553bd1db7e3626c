import { followToEnd } from './pod-log';
import { labelOf, numbered, podsNow, type SparkPod } from './pods';
import { isCombined, isSelected } from './selection';
import { titleOfSubject, type SubjectState, type Subject } from './subject';
import { sentenceOf, waitingForExecutor, whyNoLog } from './messages';
import type { LogRequest, LogDependencies } from './dependencies';
import { CommandError } from '../errors';
import { systemClock } from '../../kube/clock';
import { toError } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';

/** Exit codes by the outcome of an application or a server. */
const EXIT_CODES = { succeeded: 0, failed: 1 } as const;

/**
 * Milliseconds until the log stream of a deleted pod is aborted: it ends by itself unless its node
 * has died.
 */
const GRACE = 2_000;

interface Reader {
  readonly done: Promise<void>;
  /** Aborts the reader after a grace period. */
  readonly abortSoon: () => void;
}

/**
 * Readers of pod logs. They start a reader for each new pod, read each log to its end, and detect
 * when no more logs can follow.
 */
export class LogReaders {
  /** Readers by the uid of their pod. */
  private readonly active = new Map<string, Reader>();
  /** Uids of the pods whose log a reader has started. */
  private readonly started = new Set<string>();
  private failure?: Error;
  /** Last driver or server whose log a reader has started. */
  private lastMain?: SparkPod;
  private reported?: string;

  /** @param onChange called when a reader has ended */
  constructor(
    private readonly subject: Subject, private readonly request: LogRequest, private readonly dependencies: LogDependencies,
    private readonly onChange: () => void,
  ) {}

  /**
   * Compares the readers with the current pods: starts readers for new pods, and aborts those of
   * deleted pods.
   *
   * @param isFirst whether the pods existed before this command: only then the options limit the
   * part of their logs
   * @returns the exit code once no more logs can follow, else undefined
   * @throws {CommandError} if the requested logs cannot appear any more
   */
  async update(found: readonly SparkPod[], object: KubeObject | undefined, isFirst: boolean): Promise<number | undefined> {
    if (this.failure) throw this.failure;
    const pods = numbered(found, object);
    const there = new Set(pods.map(({ metadata: { uid } }) => uid));
    for (const [uid, { abortSoon: leave }] of this.active) if (!there.has(uid)) leave();
    this.startReaders(pods, object, isFirst);
    if (this.active.size > 0) return undefined;
    const { subject, request: { selection }, dependencies: { client, now, signal } } = this;
    if (!object) throw new CommandError(`${titleOfSubject(subject)} has been deleted, with its pods`);

    const main = pods.find((pod) => pod.role === subject.mainRole && subject.isCurrent(pod, object));
    const state = subject.currentState(object, main, now());
    const isPast = selection.attempt !== undefined && (this.lastMain !== undefined || (main?.attempt ?? 0) > selection.attempt);
    if (state.outcome || isPast) {
      // The informer of the pods can lag behind that of the object.
      const latest = numbered(await podsNow(client, subject.ref.namespace, subject.podSelector, signal), object);
      this.startReaders(latest, object, isFirst);
      return this.active.size > 0 ? undefined : this.end(state, latest);
    }
    await this.reportWait(state, object, main, pods);
    return undefined;
  }

  /** Prints what the logs wait for, if that has changed. */
  private async reportWait(state: SubjectState, object: KubeObject, main: SparkPod | undefined, pods: readonly SparkPod[]): Promise<void> {
    const { subject, request: { selection: { hasMain, executor } }, dependencies: { client, now, signal, print } } = this;
    const isForMain = !state.isRunning || !main;
    const executors = !isForMain && !hasMain && executor !== undefined ? waitingForExecutor(executor, pods) : undefined;
    const key = executors ?? `${state.key}\n${isForMain}`;
    if (key === this.reported) return;
    this.reported = key;
    if (executors !== undefined) {
      print(executors);
    } else if (isForMain) {
      print(`waiting for the ${subject.mainName}: ${sentenceOf(await subject.explained(state, object, client, now(), signal))}`);
    }
  }

  /** Resolves when all readers have ended. */
  async ended(): Promise<void> {
    await Promise.all([...this.active.values()].map(({ done }) => done));
  }

  private startReaders(pods: readonly SparkPod[], object: KubeObject | undefined, isFirst: boolean): void {
    const { selection, part } = this.request;
    for (const pod of pods) {
      if (this.active.size > 0 && !isCombined(selection)) return;
      const { uid } = pod.metadata;
      if (!pod.hasLog || this.started.has(uid!) || !isSelected(pod, object, selection, this.subject)) continue;
      this.started.add(uid!);
      this.announce(pod);
      this.active.set(uid!, this.reader(pod, isFirst ? part : { timestamps: part.timestamps }));
    }
  }

  /** Prints which attempt the following log belongs to, if it is not the first one. */
  private announce(pod: SparkPod): void {
    const { mainRole, mainName } = this.subject;
    if (pod.role !== mainRole) return;
    if (this.lastMain) {
      this.dependencies.print(
        `another ${mainName} of ${titleOfSubject(this.subject)} has started${pod.attempt === undefined ? '' : ` (attempt ${pod.attempt})`}; `
          + 'its log follows',
      );
    }
    this.lastMain = pod;
  }

  private reader(pod: SparkPod, part: LogRequest['part']): Reader {
    const stop = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const done = this.read(pod, part, AbortSignal.any([this.dependencies.signal, stop.signal]))
      .catch((error) => { if (!stop.signal.aborted) this.failure ??= toError(error); })
      .finally(() => {
        clearTimeout(timer);
        this.active.delete(pod.metadata.uid!);
        this.onChange();
      });
    return { done, abortSoon: () => { timer ??= setTimeout(() => stop.abort(new Error('its pod is gone')), GRACE); } };
  }

  private async read(pod: SparkPod, part: LogRequest['part'], signal: AbortSignal): Promise<void> {
    const { subject: { ref: { namespace } }, request: { selection }, dependencies: { client, sinks, print } } = this;
    const label = labelOf(pod);
    const sink = sinks(isCombined(selection) ? label : undefined);
    const container = { ref: { namespace, name: pod.metadata.name }, uid: pod.metadata.uid!, container: pod.container };
    const onLost = ({ message }: Error) => print(
      `the log of ${label} is interrupted (${message}); it continues when the connection is restored`,
    );
    try {
      for await (const bytes of followToEnd(container, { ...part, client, signal, onLost, clock: systemClock, random: Math.random })) {
        await sink.write(bytes);
      }
    } finally {
      await sink.end();
    }
  }

  private end(state: SubjectState, pods: readonly SparkPod[]): number {
    const { subject, request: { selection }, dependencies: { print } } = this;
    if (this.started.size === 0) throw new CommandError(whyNoLog(subject, selection, pods, state));
    if (state.outcome) {
      print(sentenceOf(state));
      return EXIT_CODES[state.outcome];
    }
    const exitCode = pods.find(({ metadata: { uid } }) => uid === this.lastMain?.metadata.uid)?.terminated?.exitCode;
    print(`attempt ${selection.attempt} has ended`);
    return exitCode === 0 || !selection.hasMain ? EXIT_CODES.succeeded : EXIT_CODES.failed;
  }
}
