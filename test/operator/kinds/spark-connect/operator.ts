import { OPERATOR_CLIENT } from '../../../../src/model/installation';
import type { CurrentDefaults } from '../../../../src/plan/defaults/layer';
import { viewOf, type PodView } from '../../../../src/model/pod-view';
import type { KubeClient } from '../../../../src/kube/client';
import { silentLogger } from '../../../../src/kube/logger';
import { Store } from '../../../../src/kube/store';
import type { OwnedSettings } from '../../../../src/operator/owned/settings';
import { PODS, SPARK_CONNECTS } from '../../../../src/model/resources';
import { ConnectObjects } from '../../../../src/operator/kinds/spark-connect/connect-objects';
import { BY_CONNECT, connectKeyOf, type SparkConnect } from '../../../../src/model/spark-connect';
import { SparkConnectReconciler } from '../../../../src/operator/kinds/spark-connect/reconciler';
import { SessionWatch } from '../../../../src/operator/kinds/spark-connect/session-watch';
import { transform } from '../../../../src/operator/kinds/spark-connect/transform';
import { ManualClock } from '../../../kube/helpers/manual-clock';
import { Api } from './api';
import { page } from './page';

export const KEY = 'jobs/nb';
export const BEGIN = Date.parse('2026-03-01T10:00:00Z');
const REF = { namespace: 'jobs', name: 'nb' };
const POD = { namespace: 'jobs', name: 'nb-server' };

/** A valid specification. */
export const SPEC = { sparkVersion: '4.1.1', image: 'apache/spark:4.1.1', server: {}, executor: {} };

/** Settings of the cluster that a test chooses. */
export interface Parts {
  readonly settings?: Partial<OwnedSettings>;
  readonly defaults?: () => CurrentDefaults;
}

/** A cluster with one SparkConnect, and an operator that can be replaced. */
export class World {
  readonly clock = new ManualClock(BEGIN);
  readonly api = new Api(() => this.clock.now());
  /** Reasons and notes of the events, in order. */
  readonly events: { readonly reason: string; readonly note: string }[] = [];
  /** The states that metrics receive. */
  readonly written: string[] = [];
  /** Numbers of open and of all sessions in the web UI; undefined: it does not answer. */
  sessions?: { readonly online: number; readonly begun?: number };
  /** Milliseconds by which the machine's clock was set forward. */
  jump = 0;
  /** Whether another pass was requested since the last one began. */
  private isWoken = false;
  objects!: ConnectObjects;
  private reconciler!: SparkConnectReconciler;
  private connects!: Store<SparkConnect>;
  private pods!: Store<PodView>;

  constructor(spec: object = {}, private readonly parts: Parts = {}) {
    this.api.put(SPARK_CONNECTS, {
      apiVersion: 'sparkoperator.k8s.io/v1alpha1', kind: 'SparkConnect',
      metadata: { ...REF, uid: 'connect', generation: 1, creationTimestamp: '2026-03-01T10:00:00Z' }, spec: { ...SPEC, ...spec },
    });
    const { clock } = this;
    clock.now = () => ManualClock.prototype.now.call(clock) + this.jump;
    this.newOperator();
  }

  /** Starts another process, without memory. */
  newOperator(): void {
    const { api, clock } = this;
    this.connects = new Store<SparkConnect>();
    this.pods = new Store<PodView>({ indexes: { [BY_CONNECT]: connectKeyOf } });
    const client = api as unknown as KubeClient;
    const settings: OwnedSettings = { uiService: true, driverPodDisruptionBudget: false, ingress: {}, ...this.parts.settings };
    this.reconciler = new SparkConnectReconciler({
      client, connects: this.connects, pods: this.pods, clock,
      events: { record: (_, { reason, note }) => void this.events.push({ reason, note }) },
      objects: this.objects = new ConnectObjects({ client, settings, clock }),
      sessions: new SessionWatch(clock, () => { this.isWoken = true; }, async () => {
        if (!this.sessions) throw new Error('connect ECONNREFUSED');
        return page(this.sessions.online, this.sessions.begun);
      }),
      ...(this.parts.defaults && { defaults: { current: this.parts.defaults } }),
      onWritten: (before, after) => void this.written.push(`${before.status?.state ?? 'new'} to ${after.status!.state}`),
      submission: { mode: 'auto', sparkUser: 'spark' },
      startTimeout: 300_000,
      writer: OPERATOR_CLIENT,
    });
  }

  /** Updates the caches with all objects, and runs the reconciler. */
  async pass(): Promise<{ requeueAfter?: number } | void> {
    this.see();
    this.isWoken = false;
    try {
      return await this.reconciler.reconcile(KEY, { logger: silentLogger });
    } finally {
      // Waits for background work.
      await new Promise(setImmediate);
    }
  }

  /** Runs passes until there is nothing to do for a while. */
  async settle(): Promise<void> {
    for (let round = 0; round < 10; round++) {
      const before = this.api.made.length;
      await this.pass();
      if (!this.isWoken && !this.api.made.slice(before).some((call) => !/^(get|list)/.test(call))) return;
    }
    throw new Error('does not settle');
  }

  /** Does the same after some milliseconds. */
  async after(time: number): Promise<void> {
    await this.clock.advance(time);
    await this.settle();
  }

  /** Does the same in steps, because the sessions are read often. */
  async goesOn(time: number, step = 1_000): Promise<void> {
    for (let gone = 0; gone < time; gone += step) await this.after(step);
  }

  see(): void {
    const connect = this.api.find(SPARK_CONNECTS, REF);
    if (connect) this.connects.upsert(transform(connect, this.connects.get(KEY)));
    else if (this.connects.get(KEY)) this.connects.replace({ objects: [], resourceVersion: '1000000', reset: true });
    const pods: PodView[] = this.api.all(PODS).map((pod) => viewOf(pod));
    this.pods.replace({ objects: pods, resourceVersion: '1000000', reset: true });
  }

  /** Edits the specification, as the user. */
  edit(spec: object): void {
    const before = this.connect;
    this.api.put(SPARK_CONNECTS, {
      ...before, metadata: { ...before.metadata, generation: before.metadata.generation + 1 }, spec: { ...before.spec, ...spec },
    });
  }

  /** Writes the status as another operator. */
  writeAs(manager: string): void {
    const managedFields = [{ manager, operation: 'Update', subresource: 'status', time: new Date(this.clock.now()).toISOString() }];
    this.api.put(SPARK_CONNECTS, { ...this.connect, metadata: { ...this.connect.metadata, managedFields } });
  }

  /** Changes the status of the server's pod, as a node. */
  node(status: object): void {
    this.api.put(PODS, { ...this.pod, status: { ...this.pod.status, ...status } });
  }

  runs(): void {
    this.node({
      phase: 'Running', startTime: new Date(this.clock.now()).toISOString(), podIP: '10.0.0.7', conditions: [
        { type: 'Ready', status: 'False' },
      ],
    });
  }

  takesConnections(): void {
    this.runs();
    this.node({ conditions: [{ type: 'Ready', status: 'True' }] });
  }

  ends(exitCode: number, message?: string): void {
    const terminated = {
      exitCode, reason: 'Error', message, startedAt: this.pod.status.startTime,
      finishedAt: new Date(this.clock.now()).toISOString(),
    };
    this.node({
      phase: 'Failed', conditions: [
        { type: 'Ready', status: 'False' },
      ], containerStatuses: [{ name: 'spark-kubernetes-driver', state: { terminated } }],
    });
  }

  /** Makes the server accept connections. */
  async ready(): Promise<void> {
    await this.settle();
    this.takesConnections();
    await this.settle();
  }

  get connect(): any {
    return this.api.find(SPARK_CONNECTS, REF);
  }

  get status(): any {
    return this.connect.status;
  }

  get pod(): any {
    return this.api.find(PODS, POD);
  }

  /** Returns the content of a condition. */
  condition(type = 'ServerPodReady'): any {
    return this.status.conditions?.find((condition: any) => condition.type === type);
  }

  get reasons(): string[] {
    return this.events.map(({ reason }) => reason);
  }
}

/** Returns the kinds of the existing objects. */
export function kindsIn(api: Api): string[] {
  return [...api.objects.keys()].map((key) => key.split(' ')[0]!).sort();
}
