import { RestartPolicyType } from '../../../../../src/api/restart-policy';
import type { AttemptRecord } from '../../../../../src/api/spark-application-status';
import { ApplicationState, AttemptResult, isTerminal } from '../../../../../src/api/states';
import type { ApiServer, Change, Stored } from './api-server';
import { isDocumented, isReachable } from './documented';
import { exitCodeOf, hasEnded, hasSucceeded, isDriver, submissionOf } from './nodes';
import { LATE } from './operator-process';
import { PODS, SPARK_APPLICATIONS } from '../../../../../src/model/resources';
import { isUnconfirmed, stateOf } from '../../../../../src/model/spark-application';

/** Record of a driver. */
export interface DriverRecord {
  readonly uid: string;
  readonly application: string;
  readonly submission: string;
  readonly image: string;
  end: 'none' | 'succeeded' | 'failed' | 'gone';
  /** Exit codes that its container had. */
  readonly exitCodes: Set<number>;
  /** Name of the client that removed its pod, or asked for it first. */
  removedBy?: string;
}

/** Counts of an application since the last change of its specification, or its last suspension. */
interface Since {
  attempts: number;
  runs: number;
  hash?: string;
  /** The submission that had a run. */
  ran?: string;
  /** The specification when the last attempt began. */
  content?: string;
}

/** Client behind a name. */
export interface Actor {
  readonly leads: boolean;
  /** The uid of the application that it reconciles. */
  readonly application?: string;
}

/** Dependencies of the ledger. */
export interface Around {
  readonly server: ApiServer;
  /** Returns the actor of a name; undefined for all but processes of the operator. */
  readonly actor: (name: string) => Actor | undefined;
  readonly maxExecutors: number;
  /** Returns the operator's time; Infinity if its clock has ever been wrong. */
  readonly now: () => number;
  /** Called for each transition. */
  readonly taken: (from: string, to: string) => void;
}

const BEGINNING: readonly string[] = [ApplicationState.NEW, ApplicationState.PENDING_RERUN, ApplicationState.RESUMING];
const HELD: readonly string[] = [ApplicationState.SUSPENDING, ApplicationState.SUSPENDED];
/** States after an invalidation: an application can be suspended while it is invalidated. */
const INVALIDATED: readonly string[] = [ApplicationState.INVALIDATING, ...HELD];
const AT_REST: readonly string[] = [ApplicationState.COMPLETED, ApplicationState.FAILED, ApplicationState.SUSPENDED];
/** States after the end of the latest attempt. */
const OVER: readonly string[] = [
  ApplicationState.SUCCEEDING, ApplicationState.FAILING, ApplicationState.SUBMISSION_FAILED,
  ...INVALIDATED, ...AT_REST,
];
/** States of a driver that exists, or existed. */
const DRIVEN: readonly string[] = [
  ApplicationState.RUNNING, ApplicationState.UNKNOWN, ApplicationState.SUCCEEDING, ApplicationState.COMPLETED,
];
const FOLLOWING: readonly string[] = [
  ApplicationState.SUBMITTED, ApplicationState.RUNNING, ApplicationState.UNKNOWN, ApplicationState.SUCCEEDING, ApplicationState.COMPLETED,
];

/** Checks each change that the server makes, and throws if it breaks a rule. */
export class Ledger {
  /** Drivers in the order of their creation. */
  readonly drivers: DriverRecord[] = [];
  /** Drivers that a process created while it did not lead, or while another wrote. */
  readonly intruders = new Set<string>();
  /** Intruders whose application had already ended: no process waits for them. */
  private readonly latecomers = new Set<string>();
  /** Whether calls were rejected in a way that can end an attempt, or a Pod blocked an attempt. */
  hadFailures = false;
  /**
   * Whether an attempt may leave other objects than drivers behind. A process that did not lead
   * wrote, or a late call created one after the operator gave it up. Or the operator may lack the
   * permission to delete it.
   */
  mayLeave = false;
  /**
   * Whether a driver may lack an object that it needs to start. A process that did not lead deleted
   * it, or a late call did, or such a process's driver existed at that time.
   */
  lacksConfigMap = false;
  private readonly since = new Map<string, Since>();

  constructor(private readonly around: Around) {}

  /** Returns the drivers of an application, in the order of their creation. */
  of(application: string): DriverRecord[] {
    return this.drivers.filter((record) => record.application === application);
  }

  /**
   * Records a change.
   *
   * @throws if the change breaks a rule
   */
  see(change: Change): void {
    if (change.by === LATE || this.around.actor(change.by)?.leads === false) this.mayLeave = true;
    if (change.plural === 'configmaps' && change.type === 'DELETED'
      && (change.by === LATE || this.around.actor(change.by)?.leads === false || this.intruders.size > 0)) {
      this.lacksConfigMap = true;
    }
    if (change.plural === 'pods') this.seePod(change);
    if (change.plural === 'sparkapplications' && change.type === 'DELETED' && (change.by === LATE || this.around.actor(change.by))) {
      this.seeApplicationDeletion(change, change.by === LATE ? Infinity : this.around.now());
    }
    if (change.plural === 'sparkapplications' && change.type === 'ADDED' && this.around.server.all(PODS).length > 0) {
      this.hadFailures = true;
    }
    if (change.plural === 'sparkapplications' && change.type === 'MODIFIED' && (change.by === LATE || this.around.actor(change.by))) {
      this.seeStatus(change);
    }
  }

  /** Records the states that a process reports. */
  seeTransition(from: string, passed: readonly string[]): void {
    passed.reduce((before, after) => {
      this.around.taken(before, after);
      if (!isDocumented(before, after)) throw new Error(`the transition from ${before || 'new'} to ${after} is not documented`);
      return after;
    }, from);
  }

  private seePod({ type, object, before, by }: Change): void {
    const actor = this.around.actor(by);
    const byOperator = actor !== undefined || by === LATE;
    if (byOperator && type !== 'ADDED') this.seeDeletion(before!, by, actor);
    if (!isDriver(object)) return;
    if (type === 'ADDED') this.seeCreation(object, actor);
    const record = this.drivers.find(({ uid }) => uid === object.metadata.uid)!;
    if (type === 'DELETED') {
      if (record.end === 'none') record.end = 'gone';
      record.removedBy ??= by;
    } else {
      const exitCode = exitCodeOf(object);
      if (exitCode !== undefined) record.exitCodes.add(exitCode);
      if (hasEnded(object) && record.end === 'none') record.end = hasSucceeded(object) ? 'succeeded' : 'failed';
      if (object.metadata.deletionTimestamp) record.removedBy ??= by;
    }
  }

  private seeCreation(pod: Stored, actor: Actor | undefined): void {
    const application = pod.metadata.ownerReferences![0]!.uid;
    const submission = submissionOf(pod)!;
    // It blocks an application of the same name.
    if (!this.around.server.exists(application)) this.hadFailures = true;
    if (actor?.leads && this.writers.get(application) !== 'another') {
      this.seeCreationByLeader(pod, application, submission);
    } else {
      // No fencing stops a call that was sent before the lead was lost, or before another process
      // wrote. The check at the end requires that its driver is gone.
      this.intruders.add(pod.metadata.uid);
      if (AT_REST.includes(this.stateOf(application))) this.latecomers.add(pod.metadata.uid);
      this.hadFailures = true;
    }
    this.drivers.push({ uid: pod.metadata.uid, application, submission, image: pod.spec.containers[0].image, end: 'none', exitCodes: new Set() });
  }

  private seeCreationByLeader(pod: Stored, application: string, submission: string): void {
    const others = this.alive(application).filter(({ metadata }) => metadata.uid !== pod.metadata.uid);
    if (others.length > 0) throw new Error(`two drivers are alive: ${[...others, pod].map(({ metadata }) => metadata.name).join(' and ')}`);
    const current = this.around.server.all(SPARK_APPLICATIONS).find(({ metadata }) => metadata.uid === application);
    if (current && (current.status?.submissionID !== submission || !(BEGINNING.includes(stateOf(current)) || isUnconfirmed(current)))) {
      throw new Error(`a driver was created of submission ${submission}, which is not the one in the status`);
    }
    const twin = this.drivers.find(({ uid, ...record }) => (
      record.submission === submission && !this.intruders.has(uid)
        && (record.removedBy === undefined || this.around.actor(record.removedBy))
    ));
    // The operator creates a driver again if it cannot start because its ConfigMap was deleted.
    if (twin && !this.lacksConfigMap) throw new Error(`submission ${submission} has made a second driver, after one that has ${twin.end}`);
  }

  private stateOf(application: string): string {
    return stateOf(this.around.server.all(SPARK_APPLICATIONS).find(({ metadata }) => metadata.uid === application) ?? {});
  }

  /** Returns the drivers of an application that have not ended, without intruders. */
  private alive(application: string): Stored[] {
    return this.around.server.all(PODS).filter((pod) => (
      isDriver(pod) && !hasEnded(pod) && !this.intruders.has(pod.metadata.uid) && pod.metadata.ownerReferences![0]!.uid === application
    ));
  }

  private seeDeletion(pod: Stored, by: string, actor: Actor | undefined): void {
    const controller = pod.metadata.ownerReferences?.find((owner) => owner.controller);
    if (!isDriver(pod) || controller?.kind !== SPARK_APPLICATIONS.kind) {
      throw new Error(`${by} has deleted Pod ${pod.metadata.name}, which belongs to another owner`);
    }
    if (actor?.application && actor.application !== controller.uid) {
      throw new Error(`${by} has deleted Pod ${pod.metadata.name} of another application of the name`);
    }
    const current = this.around.server.all(SPARK_APPLICATIONS).find(({ metadata }) => metadata.uid === controller.uid);
    const state = stateOf(current ?? {});
    if (current && current.status?.submissionID === submissionOf(pod) && FOLLOWING.includes(state)
      && !this.latecomers.has(pod.metadata.uid)) {
      throw new Error(`${by} has deleted the driver of an application that is ${state}`);
    }
  }

  /** Last writer of each application's status: the process that led then, or another. */
  private readonly writers = new Map<string, 'leader' | 'another'>();

  private seeStatus({ object, before, by }: Change): void {
    this.writers.set(object.metadata.uid, this.around.actor(by)?.leads ? 'leader' : 'another');
    const [from, to] = [before, object].map((application) => stateOf(application!));
    if (from !== to && !isReachable(from!, to!)) throw new Error(`no documented way leads from ${from || 'new'} to ${to}`);
    const { status, metadata } = object;
    const executors = Object.keys(status.executorState ?? {}).length;
    if (executors > this.around.maxExecutors) throw new Error(`${executors} executors are recorded`);
    this.seeHistory(object);
    const since = this.since.get(metadata.uid) ?? { attempts: 0, runs: 0 };
    this.since.set(metadata.uid, since);
    if (to === ApplicationState.INVALIDATING && from !== to && contentOf(object.spec) === since.content) {
      throw new Error('an application whose specification has not changed is run again');
    }
    if (AT_REST.includes(to!) && from !== to && this.around.actor(by)?.leads) this.seeRest(object);
    const isReset = [INVALIDATED, HELD].some((states) => states.includes(from!) && !states.includes(to!));
    if (isReset) Object.assign(since, { attempts: 0, runs: 0, hash: undefined });
    if (status.submissionID !== undefined && status.submissionID !== before!.status?.submissionID) this.seeAttempt(object, since, from!);
    const runsBefore = isReset ? 0 : before!.status?.executionAttempts ?? 0;
    if (status.executionAttempts > runsBefore) this.seeRun(object, since);
    if ((status.executionAttempts ?? 0) < runsBefore && status.submissionID === before!.status?.submissionID) this.seeWithdrawal(object, since, by);
    if (DRIVEN.includes(to!) && !this.drivers.some(({ submission }) => submission === status.submissionID)) {
      throw new Error(`the status reports a driver that is ${to} and never existed`);
    }
    if (to === ApplicationState.FAILED && from !== to) this.seeFailure(object, since);
  }

  /** Submissions that each application has begun, in order. */
  private readonly begun = new Map<string, string[]>();

  /** Checks that the history has each attempt once, and ended each but the active one. */
  private seeHistory({ metadata: { uid }, status }: Stored): void {
    const begun = this.begun.get(uid) ?? [];
    this.begun.set(uid, begun);
    const { submissionID, lastSubmissionAttemptTime, attemptHistory = [], omittedAttempts = 0 } = status;
    const state = stateOf({ status });
    if (submissionID !== undefined && lastSubmissionAttemptTime !== undefined && submissionID !== begun.at(-1)) begun.push(submissionID);
    const recorded = attemptHistory.map((record: AttemptRecord) => `${record.number} ${record.submissionID}`);
    const happened = begun.map((id, index) => `${index + 1} ${id}`);
    const listed = [...happened.slice(0, 1), ...happened.slice(1).slice(omittedAttempts)];
    if (recorded.join() !== listed.join()) throw new Error(`attempts ${happened.join(', ')} are recorded as ${recorded.join(', ')}`);
    const active = lastSubmissionAttemptTime === undefined || OVER.includes(state) ? undefined : submissionID;
    for (const record of attemptHistory as AttemptRecord[]) {
      const isActive = record.submissionID === active;
      if (isActive !== (record.result === undefined)) throw new Error(`attempt ${record.number} is ${record.result ?? 'active'} in state ${state}`);
      this.seeRecord(record);
    }
  }

  /** Checks that a record says what happened to its driver. */
  private seeRecord({ number, submissionID, result, exitCode, endTime, submissionTime }: AttemptRecord): void {
    const drivers = this.drivers.filter(({ submission }) => submission === submissionID);
    if (result !== undefined && endTime === undefined) throw new Error(`attempt ${number} has ended at an unknown time`);
    if (result === AttemptResult.COMPLETED && !drivers.some(({ end }) => end === 'succeeded')) {
      throw new Error(`attempt ${number} is recorded as completed, and no driver of it succeeded`);
    }
    if (exitCode !== undefined && !drivers.some(({ exitCodes }) => exitCodes.has(exitCode))) {
      throw new Error(`attempt ${number} of ${submissionTime} has exit code ${exitCode}, which no driver of it had`);
    }
  }

  private seeRest({ metadata, status }: Stored): void {
    // A client can remove the first driver of a submission before its end is written. A cache can
    // then still show that end beside the second driver.
    if (this.drivers.filter(({ submission }) => submission === status.submissionID).length > 1) return;
    const [live] = this.alive(metadata.uid);
    if (live) throw new Error(`${status.applicationState.state} while driver ${live.metadata.name} is alive`);
  }

  /** Records that the status has the intent of another attempt. */
  private seeAttempt({ status, spec }: Stored, since: Since, from: string): void {
    const { type, onFailureRetries = 0, onSubmissionFailureRetries = 0 } = spec.restartPolicy ?? {};
    // A change between two attempts needs no removal, and is run in place of the old specification.
    if (since.hash !== undefined && since.hash !== status.specHash && from !== ApplicationState.PENDING_RERUN) {
      throw new Error('the specification was changed, and the objects of the previous one were not removed');
    }
    Object.assign(since, { attempts: since.attempts + 1, hash: status.specHash });
    const retries = type === RestartPolicyType.ON_FAILURE ? onFailureRetries + onSubmissionFailureRetries : 0;
    if (type !== RestartPolicyType.ALWAYS && since.attempts > 1 + retries) {
      throw new Error(`attempt ${since.attempts} is more than the restart policy allows`);
    }
    since.content = contentOf(spec);
  }

  /** Records the submission of a driver. */
  private seeRun({ status, spec }: Stored, since: Since): void {
    const { type, onFailureRetries = 0 } = spec.restartPolicy ?? {};
    if (!isUnconfirmed({ status }) && !this.drivers.some(({ submission }) => submission === status.submissionID)) {
      throw new Error('the status reports a submitted driver that never existed');
    }
    Object.assign(since, { runs: since.runs + 1, ran: status.submissionID });
    if (type !== RestartPolicyType.ALWAYS && since.runs > 1 + (type === RestartPolicyType.ON_FAILURE ? onFailureRetries : 0)) {
      throw new Error(`run ${since.runs} is more than the restart policy allows`);
    }
    if (status.executionAttempts !== since.runs || status.submissionAttempts !== since.attempts) {
      throw new Error(
        `the status counts ${status.submissionAttempts} attempts and ${status.executionAttempts} runs, where there were ${since.attempts} and ${since.runs}`,
      );
    }
  }

  /** Records that a submission whose status was written ahead has failed. */
  private seeWithdrawal({ metadata, status }: Stored, since: Since, by: string): void {
    const live = this.alive(metadata.uid).find((pod) => submissionOf(pod) === status.submissionID);
    // A paused process does not know of the driver that its successor has created, and none knows of
    // one that it must not read. It is adopted afterwards.
    if (live && this.around.actor(by)?.leads && !this.mayLeave) throw new Error(`the submission of driver ${live.metadata.name} is withdrawn, and it is alive`);
    Object.assign(since, { runs: since.runs - 1, ran: undefined });
  }

  /** Records that an application has failed for good. */
  private seeFailure({ status, spec }: Stored, since: Since): void {
    const { type, onFailureRetries = 0, onSubmissionFailureRetries = 0 } = spec.restartPolicy ?? {};
    const used = since.ran === status.submissionID ? since.runs > onFailureRetries : since.attempts > onSubmissionFailureRetries;
    if (type === RestartPolicyType.ALWAYS || (type === RestartPolicyType.ON_FAILURE && !used)) {
      throw new Error('failed, and the restart policy allows another attempt');
    }
  }

  /**
   * Checks the deletion of an application.
   *
   * @param now Infinity if the operator's clock was wrong
   */
  private seeApplicationDeletion({ before, by }: Change, now: number): void {
    const { spec, status, metadata } = before!;
    const isOver = isTerminal(status?.applicationState?.state) && Date.parse(status.terminationTime) + spec.timeToLiveSeconds * 1000 <= now;
    if (!isOver) throw new Error(`${by} has deleted an application before its time to live was over`);
    if (contentOf(spec) !== this.since.get(metadata.uid)?.content) {
      throw new Error(`${by} has deleted an application that is to be run again`);
    }
  }
}

/**
 * Returns the part of a specification that determines the run, without suspension and time to live.
 */
function contentOf(spec: { readonly suspend?: boolean; readonly timeToLiveSeconds?: number }): string {
  const { suspend: _, timeToLiveSeconds: __, ...content } = spec;
  return JSON.stringify(Object.entries(content).sort());
}
