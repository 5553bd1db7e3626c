import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import type { ReconcileContext, ReconcileResult } from '../../kube/controller';
import { isNotFound } from '../../kube/errors';
import { referenceTo, type EventRecorder } from '../../kube/events';
import type { Logger } from '../../kube/logger';
import { type KubeObject, type ObjectMeta } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import type { Store } from '../../kube/store';
import type { StatusWriter } from '../../model/status-writers';
import { seconds } from '../../text/times';
import { warning, type UserEvent } from '../user-event';
import { Contention } from './contention';
import { DroppedFields } from './dropped-fields';
import { StatusCoalescer, type CoalescedChanges } from './status-coalescer';
import { UnansweredWrites } from './unanswered-writes';
import { writeStatus } from './write-status';

/** Object whose status the operator writes. */
export interface StatusOwner<S extends object> extends KubeObject {
  readonly metadata: ObjectMeta & { readonly namespace: string; readonly uid: string };
  readonly status?: S;
  /** See `statusWriters`. */
  readonly statusWriters?: readonly StatusWriter[];
}

/**
 * One round of a reconcile. The status is written first, then the events are recorded, then the
 * action follows.
 */
export interface RoundDecision<S, A> {
  /** The new status; absent if nothing changed. */
  readonly status?: S;
  readonly action?: A;
  readonly events: readonly UserEvent[];
  /** Whether to decide again at once, without an action. @default false */
  readonly again?: boolean;
  /** Milliseconds until the next reconcile. @default - only after a change */
  readonly requeueAfter?: number;
}

/** Result of an action. Its events are recorded afterwards. */
export type ActionResult<T, R> = { readonly events?: readonly UserEvent[] } & (
  /** The next round follows, with the result, and with the object if the action has read it. */
  | { readonly result: R; readonly object?: T }
  /** The reconcile ends. */
  | { readonly requeueAfter: number }
  /** The API server does not find the object, or has deleted it. */
  | { readonly gone: true }
);

/** Context of a round. */
export interface Round {
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly logger: Logger;
  readonly signal?: AbortSignal;
  /** Fields of the status that the API server drops. */
  readonly dropped: ReadonlySet<string>;
  /** Whether a write of this reconcile has shown that for the first time. */
  readonly isDropNew: boolean;
}

/** Objects of the owner that were reconciled, with the result for the status. */
export interface Converged<S> {
  readonly status?: S;
  readonly retryAfter?: number;
}

/** A decision, completed before its status is written. */
export interface Completed<S, A> extends Converged<S> {
  /** The action, in place of the decision's. @default - the decision's */
  readonly action?: A;
}

/** Functions of a kind. */
export interface KindHandler<T extends StatusOwner<S>, S extends object, O, D extends RoundDecision<S, A>, A, R> {
  readonly resource: Resource<any>;
  readonly store: Store<T>;
  /** Projects an answer of the API server. */
  readonly transform: (answer: any, previous: T) => T;
  /**
   * Consequence of fields of the status that the API server drops; the rest of a sentence for the
   * log.
   */
  readonly withoutFields: string;
  /** Changes of the status that can wait for others. @default - none */
  readonly coalesced?: CoalescedChanges<S>;
  /** Whether all rounds of a reconcile use the time of its start. @default false */
  readonly hasOneTime?: boolean;
  /** Returns the result that an earlier reconcile left. @default - none */
  readonly begin?: (object: T, key: string) => R | undefined;
  readonly observe: (object: T, result: R | undefined, round: Round) => Promise<O> | O;
  /** Pure. */
  readonly decide: (observation: O, round: Round) => D;
  /**
   * Completes the status before it is written, such as with the addresses of owned objects.
   * @default - it is complete
   */
  readonly complete?: (object: T, decision: D, observation: O, round: Round) => Promise<Completed<S, A> | undefined>;
  /** `isWritten`: whether the intent was written in this round. */
  readonly perform: (object: T, action: A, observation: O, round: Round, isWritten: boolean) => Promise<ActionResult<T, R>>;
  /** Runs if nothing is left to do in this reconcile. @default - nothing */
  readonly rest?: (object: T, decision: D, result: R | undefined, round: Round) => Promise<Converged<S> | undefined> | undefined;
  /** Logs and counts. It also runs later, for a write whose answer was lost. */
  readonly onDecided?: (before: T, after: T, decision: D, observation: O, logger: Logger) => void;
  /** Forgets a deleted object. */
  readonly forget: (key: string) => void;
}

/** Dependencies of the loop. */
export interface LoopDependencies {
  readonly client: Pick<KubeClient, 'updateStatus'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly clock: Clock;
  /**
   * Field manager of this operator, by which the loop detects other operators that manage the same
   * objects.
   */
  readonly writer: string;
}

/** Maximum number of rounds, more than the longest path through the states. */
const MAX_ROUNDS = 20;

/**
 * Milliseconds after which to reconcile an object again that the API server did not find. Usually
 * it is deleted, and the watch has reported that by then. But the API server also does not find
 * objects for a moment when their CRD is applied again.
 */
const NOT_FOUND = 1_000;

/**
 * Reconciles objects of one kind: observes, decides, writes the status, records events and acts;
 * again while there is something to do. Only the loop writes the status.
 */
export class ReconcileLoop<T extends StatusOwner<S>, S extends object, O, D extends RoundDecision<S, A>, A, R> {
  private readonly dropped: DroppedFields;
  private readonly coalescer?: StatusCoalescer<S>;
  private readonly unanswered: UnansweredWrites<T>;
  private readonly contention: Contention;

  constructor(private readonly handler: KindHandler<T, S, O, D, A, R>, private readonly dependencies: LoopDependencies) {
    this.dropped = new DroppedFields(handler.withoutFields);
    this.contention = new Contention(dependencies.writer);
    this.coalescer = handler.coalesced && new StatusCoalescer(handler.coalesced);
    this.unanswered = new UnansweredWrites((sent, seen) => this.dropped.isStored(sent, seen));
  }

  /** Reconciles an object. `key` is `namespace/name`. */
  async reconcile(
    key: string, { logger, signal }: Pick<ReconcileContext, 'logger'> & { readonly signal?: AbortSignal },
  ): Promise<ReconcileResult | void> {
    const { handler, contention, dependencies: { clock } } = this;
    let object = handler.store.get(key);
    if (object) this.unanswered.settle(object);
    // Kubernetes deletes the objects that it owns.
    if (!object || object.metadata.deletionTimestamp) return this.forget(key);
    const started = clock.now();
    const contended = contention.check(object, started);
    if (contended) return this.leaveAlone(object, contended, logger);
    let result = handler.begin?.(object, key);
    let isDropNew = false;
    for (let number = 0; number < MAX_ROUNDS; number++) {
      const now = handler.hasOneTime ? started : clock.now();
      const round: Round = { key, now, logger, signal, dropped: this.dropped.names(now), isDropNew };
      const observation = await handler.observe(object, result, round);
      const decision = handler.decide(observation, round);
      let { status } = decision;
      if (status && round.dropped.size > 0 && this.dropped.areEqual(status, object.status ?? {})) status = undefined;
      const held = status && !decision.action && !decision.again ? this.coalescer?.hold(key, object.status, status, now) ?? 0 : 0;
      if (held > 0) return { requeueAfter: least(decision.requeueAfter, held) };
      const completed = await handler.complete?.(object, decision, observation, round);
      status = completed?.status ?? status;
      const action = completed?.action ?? decision.action;
      const before: T = object;
      const report = (after: T) => this.report(before, after, decision, observation, logger);
      if (status) {
        const written = await this.write(before, status, report, signal);
        if (!written) return { requeueAfter: NOT_FOUND };
        object = written;
      }
      report(object);
      isDropNew = status !== undefined && this.dropped.note(status, object.status, now, logger);
      if (isDropNew) continue;
      if (!action) {
        const rested = await handler.rest?.(object, decision, result, round);
        if (rested?.status && !this.dropped.areEqual(rested.status, object.status ?? {})) {
          const written = await this.write(object, rested.status, () => undefined, signal);
          if (!written) return { requeueAfter: NOT_FOUND };
        }
        if (decision.again) {
          result = undefined;
          continue;
        }
        const left = decision.requeueAfter === undefined ? undefined : Math.max(0, decision.requeueAfter - (clock.now() - now));
        return { requeueAfter: least(left, completed?.retryAfter, rested?.retryAfter) };
      }
      const done = await handler.perform(object, action, observation, round, status !== undefined);
      this.record(object, done.events);
      if ('gone' in done) return { requeueAfter: NOT_FOUND };
      if ('requeueAfter' in done) return { requeueAfter: done.requeueAfter };
      object = done.object ?? object;
      result = done.result;
    }
    throw new Error(`${key} did not settle in ${MAX_ROUNDS} rounds`);
  }

  /** Writes a status. Returns undefined if the API server does not find the object. */
  private async write(before: T, status: S, report: (after: T) => void, signal?: AbortSignal): Promise<T | undefined> {
    const { handler: { resource, store, transform }, contention, dependencies: { client } } = this;
    const reportLate = (seen: T) => {
      contention.onWritten(seen);
      report(seen);
    };
    const answered = writeStatus(client, resource, before, status, signal).catch(undefinedIfGone);
    const answer = await this.unanswered.answer(before, status, reportLate, answered);
    if (!answer) return undefined;
    const written = transform(answer, before);
    store.upsert(written);
    contention.onWritten(written);
    return written;
  }

  private report(before: T, after: T, decision: D, observation: O, logger: Logger): void {
    this.handler.onDecided?.(before, after, decision, observation, logger);
    this.record(after, decision.events);
  }

  private record(object: T, events: readonly UserEvent[] = []): void {
    for (const event of events) this.dependencies.events.record(referenceTo(this.handler.resource, object), event);
  }

  private leaveAlone(object: T, { remaining, by }: { readonly remaining: number; readonly by?: string }, logger: Logger): ReconcileResult {
    if (by !== undefined) {
      const { kind } = this.handler.resource;
      const note = `Another operator also manages ${kind} ${object.metadata.name}: ${by} has written the status after this operator. `
        + `This one leaves it alone for ${seconds(remaining)}`;
      logger.warn({ remaining }, note);
      this.record(object, [warning(`${kind}Contended`, 'LeaveAlone', note)]);
    }
    return { requeueAfter: remaining };
  }

  private forget(key: string): void {
    this.coalescer?.forget(key);
    this.unanswered.forget(key);
    this.contention.forget(key);
    this.handler.forget(key);
  }
}

function least(...waits: readonly (number | undefined)[]): number | undefined {
  const given = waits.filter((wait) => wait !== undefined);
  return given.length > 0 ? Math.min(...given) : undefined;
}

function undefinedIfGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
