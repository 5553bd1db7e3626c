import { ApplicationState, isTerminal } from '../../../../../src/api/states';
import { PODS, SPARK_APPLICATIONS } from '../../../../../src/model/resources';
import { stateOf } from '../../../../../src/model/spark-application';
import type { Settings } from '../../../../../src/operator/kinds/spark-application/decision';
import { ApiServer, type Stored } from './api-server';
import { Ledger } from './ledger';
import { ModelClock } from './model-clock';
import { Nodes } from './nodes';
import { OperatorProcess, type Fault, type Watched } from './operator-process';

export const APPLICATION = { namespace: 'jobs', name: 'pi' };
export const SETTINGS: Settings = {
  driverStartTimeout: 300_000, sparkSubmitTimeout: 300_000, maxTrackedExecutors: 2, defaultTimeToLive: 0,
};

/** Faults that can end an attempt. */
const FAILING: readonly Fault[] = ['error before', 'error after', 'forbidden', 'over quota', 'invalid'];

/** More calls than one reconcile and its immediate consequences can need. */
export const MANY_CALLS = 200;

/** Calls whose disturbance matters most. */
export const TARGETS = [
  'create pods',
  'create services',
  'delete pods',
  'get pods',
  'update sparkapplications',
  'get sparkapplications',
  'delete sparkapplications',
  'delete configmaps',
] as const;
export type Target = typeof TARGETS[number];

/** Call to disturb, and its fault. */
export interface Aim {
  readonly fault?: Fault;
  /** The first call of this kind, or the one of this number. @default 0 */
  readonly at?: Target | number;
  /** Index of the simultaneous call that is answered first. @default 0 */
  readonly which?: number;
}

/** Number of changes that the caches of a process do not show. */
export type Behind = Partial<Record<Watched, number>>;

/** Cluster with one application: the server, its nodes, and the processes of the operator. */
export class World {
  readonly clock = new ModelClock();
  readonly server = new ApiServer(this.clock);
  readonly nodes = new Nodes(this.server, this.clock);
  readonly ledger = new Ledger({
    server: this.server,
    actor: (name) => this.actor(name),
    maxExecutors: SETTINGS.maxTrackedExecutors,
    now: () => (this.clock.wasWrong ? Infinity : this.clock.now()),
    taken: (from, to) => this.taken(from, to),
  });
  /** Calls that reach the server after their process gave them up. */
  readonly late: (() => void)[] = [];
  /** The process that leads. */
  leader: OperatorProcess;
  /** A process that led before, and was paused. */
  paused?: OperatorProcess;
  private violation?: Error;
  private readonly processes = new Map<string, OperatorProcess>();
  private ids = 0;

  /** @param taken called for each transition */
  constructor(private readonly taken: (from: string, to: string) => void = () => undefined) {
    this.server.onChange = (change) => this.note(() => this.ledger.see(change));
    this.leader = this.start();
  }

  get application(): Stored | undefined {
    return this.server.find(SPARK_APPLICATIONS, APPLICATION);
  }

  get state(): ApplicationState {
    return stateOf(this.application ?? {});
  }

  /**
   * Starts a process of the operator, which knows what the server holds, except the last changes,
   * and remembers nothing.
   */
  private start(behind?: Behind): OperatorProcess {
    const process = new OperatorProcess(`operator ${this.processes.size + 1}`, {
      server: this.server,
      clock: this.clock,
      settings: SETTINGS,
      newId: () => `00000000-0000-4000-8000-${String(++this.ids).padStart(12, '0')}`,
      late: this.late,
      onTransition: (before, passed) => this.note(() => this.ledger.seeTransition(stateOf(before), passed)),
    }, behind);
    this.processes.set(process.name, process);
    return process;
  }

  /** Pauses the leader, and lets another process take over. */
  failOver(behind?: Behind): void {
    this.paused?.die(false);
    this.paused = this.leader;
    this.leader = this.start(behind);
  }

  /** Kills the leader, in the middle of a call if there is one, and starts it anew. */
  restart(callHappens: boolean, behind?: Behind): void {
    this.leader.die(callHappens);
    this.leader = this.start(behind);
  }

  /** Lets a process make this number of calls, one of them with the fault. */
  async work(process: OperatorProcess, calls: number, { fault, at = 0, which = 0 }: Aim = {}): Promise<void> {
    let fails = fault !== undefined;
    for (let call = 0; call < calls; call++) {
      if (!await this.goOn(process)) return;
      const aimed = typeof at === 'string' ? process.waiting.indexOf(at) : which;
      const hits = fails && (typeof at === 'string' ? aimed >= 0 : call === at);
      if (hits) {
        fails = false;
        if (FAILING.includes(fault!)) this.ledger.hadFailures = true;
        if (fault === 'forbidden' || fault === 'over quota') this.ledger.mayLeave = true;
      }
      await process.answer(Math.max(aimed, 0), hits ? fault : undefined);
      this.check();
    }
  }

  /** Lets a process work until it is about to make a call, so that others can act before. */
  async workUntil(process: OperatorProcess, call: Target): Promise<void> {
    for (let calls = 0; calls < MANY_CALLS && await this.goOn(process) && !process.waiting.includes(call); calls++) {
      await process.answer(0);
      this.check();
    }
  }

  private async goOn(process: OperatorProcess): Promise<boolean> {
    if (process === this.leader) process.watch();
    const waits = await process.goOn();
    this.check();
    return waits;
  }

  /** Checks rules that hold at any time, other than the ledger's. */
  check(): void {
    if (this.violation) throw this.violation;
    const { application, dueIn, waiting, mistake } = this.leader;
    if (mistake) throw mistake;
    // Its watch will report changes that it does not see yet.
    if (!application || application.metadata.resourceVersion !== this.application?.metadata.resourceVersion || dueIn !== undefined
      || waiting.length > 0) {
      return;
    }
    const state = stateOf(application);
    const mayRest = isTerminal(state) || state === ApplicationState.SUSPENDED;
    if (!mayRest) throw new Error(`an application that is ${state || 'new'} waits without a time for its next reconcile`);
    const finished = isTerminal(state) && application.spec.timeToLiveSeconds !== undefined && application.status?.terminationTime;
    if (finished) throw new Error('no process deletes the application when its time to live is over');
  }

  /** Returns the pods of the application, including those of a previous one of the name. */
  pods(uid?: string): Stored[] {
    return this.server.all(PODS).filter(({ metadata }) => (
      metadata.ownerReferences?.some((owner) => owner.kind === SPARK_APPLICATIONS.kind && (!uid || owner.uid === uid))
    ));
  }

  /** Keeps a violation: the process would take the error for an answer of the server. */
  private note(see: () => void): void {
    try {
      see();
    } catch (error) {
      this.violation ??= error as Error;
    }
  }

  private actor(name: string) {
    const process = this.processes.get(name);
    // Two processes that work at the same time are treated like paused ones.
    return process && { leads: process === this.leader, application: process.actsFor };
  }
}
