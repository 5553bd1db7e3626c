import { setTimeout as sleep } from 'node:timers/promises';
import { callUnlessGone, inParallel, type ApiClient } from '../api-client.ts';
import type { Kubelets } from './kubelets.ts';
import { nodeName as nameOfNode } from './nodes.ts';

export interface DriversOptions {
  /** Its sockets bound how many calls are under way: a server with too much to do does nothing well. */
  readonly client: ApiClient;
  /** How many nodes executors are spread over. They are created with one, so that only drivers are scheduled. */
  readonly nodes: number;
  /** Those of these nodes. */
  readonly kubelets: Pick<Kubelets, 'run' | 'remove'>;
  /** A driver has ended: the API server has taken its status. */
  readonly onEnded?: (driver: Driver) => void;
  /** A part could not be played. */
  readonly onProblem: (error: Error) => void;
}

/** How a driver goes on, in seconds. */
export interface Pace {
  /** How many executors it makes. */
  readonly executors: number;
  /** From its start to its end. @default - it runs until it is told to end */
  readonly driverSeconds?: number;
  /** From its start to the creation of its executors. */
  readonly startSeconds: number;
  /** Whether its executors end without a time of grace when its time is over. @default false */
  readonly atOnce?: boolean;
}

/** A driver that runs. */
export interface Driver {
  readonly application: string;
  readonly namespace: string;
  readonly name: string;
  /** What of it goes into executors and into its end. */
  readonly part: DriverPart;
  /** Those that exist. */
  readonly executors: Set<string>;
  /** The id of the last executor. */
  lastId: number;
  /** Whether it was told to end. */
  isEnding: boolean;
}

/** What is read of a driver Pod; thousands of them are kept. */
export interface DriverPart {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly serviceAccountName: string; readonly containers: readonly [{ readonly image: string; readonly imagePullPolicy: string }] };
  readonly status: { readonly containerStatuses: readonly any[] };
}

/** Label of executors that came into a population later. */
export const LATE_LABEL = 'bench/late';

/**
 * Plays the drivers, whose containers do not exist: one that runs creates its executors after a while, deletes them when its time is over, and ends with success, as Spark's
 * does. What else Spark does there, such as the ConfigMap of its executors, is nothing that an operator looks at.
 */
export class Drivers {
  /** Of the drivers that are seen from now on. */
  pace: Pace = { executors: 0, driverSeconds: 1, startSeconds: 0 };
  /** Those that run, by application. */
  readonly running = new Map<string, Driver>();
  /** Drivers that have ended. */
  ended = 0;
  private readonly options: DriversOptions;
  private readonly playing = new Set<string>();
  private made = 0;

  constructor(options: DriversOptions) {
    this.options = options;
  }

  /** Looks at a driver that was created or has changed. */
  see(pod: any): void {
    const { uid } = pod.metadata;
    if (pod.status?.phase !== 'Running' || this.playing.has(uid)) return;
    this.playing.add(uid);
    const driver = driverOf(pod);
    this.running.set(driver.application, driver);
    this.play(driver, this.pace).catch(this.options.onProblem);
  }

  /** Lets a driver create one more executor. @returns its name */
  async addExecutor(driver: Driver, isLate = false): Promise<string> {
    const { client, nodes, kubelets } = this.options;
    const executor = executorOf(driver.part, ++driver.lastId, nameOfNode(1 + this.made++ % nodes), isLate);
    await client.json('POST', podsOf(driver), executor);
    kubelets.run(executor);
    driver.executors.add(executor.metadata.name);
    return executor.metadata.name;
  }

  /** Takes an executor away at once, as a node that is lost does, after which nothing is left of it. */
  async loseExecutor(driver: Driver, name: string): Promise<void> {
    driver.executors.delete(name);
    await callUnlessGone(this.options.client, 'DELETE', `${podsOf(driver)}/${name}?gracePeriodSeconds=0`);
  }

  /**
   * Lets a driver end with success, after its executors.
   *
   * @param atOnce whether executors go without a time of grace, which spares the API server half of the work
   */
  async end(driver: Driver, atOnce = false): Promise<void> {
    driver.isEnding = true;
    this.running.delete(driver.application);
    await inParallel([...driver.executors], driver.executors.size, async (name) => {
      await callUnlessGone(this.options.client, 'DELETE', `${podsOf(driver)}/${name}${atOnce ? '?gracePeriodSeconds=0' : ''}`);
      if (!atOnce) await this.options.kubelets.remove({ namespace: driver.namespace, name });
    });
    driver.executors.clear();
    await callUnlessGone(this.options.client, 'PATCH', `${podsOf(driver)}/${driver.name}/status`, { status: successOf(driver.part.status, new Date()) }, 'application/strategic-merge-patch+json');
    this.ended++;
    this.options.onEnded?.(driver);
  }

  private async play(driver: Driver, { executors, driverSeconds, startSeconds, atOnce }: Pace): Promise<void> {
    const end = performance.now() + (driverSeconds ?? 0) * 1000;
    await sleep(startSeconds * 1000);
    for (let index = 0; index < executors && !driver.isEnding; index++) await this.addExecutor(driver);
    if (driverSeconds === undefined) return;
    await sleep(Math.max(0, end - performance.now()));
    await this.end(driver, atOnce);
  }
}

function podsOf({ namespace }: Driver): string {
  return `/api/v1/namespaces/${namespace}/pods`;
}

function driverOf({ metadata, spec, status: { containerStatuses } }: any): Driver {
  const { name, namespace, uid, labels } = metadata;
  const { serviceAccountName, containers: [{ image, imagePullPolicy }] } = spec;
  return {
    application: labels['sparkoperator.k8s.io/app-name'],
    namespace,
    name,
    part: { metadata: { name, namespace, uid, labels }, spec: { serviceAccountName, containers: [{ image, imagePullPolicy }] }, status: { containerStatuses } },
    executors: new Set(),
    lastId: 0,
    isEnding: false,
  };
}

function executorName({ name, uid }: DriverPart['metadata'], id: number): string {
  return `${name.replace(/-driver$/, '')}-${uid.slice(0, 8)}-exec-${id}`;
}

/** An executor as the driver creates it: BasicExecutorFeatureStep, without what only its container looks at. */
export function executorOf({ metadata, spec }: DriverPart, id: number, nodeName: string, isLate = false) {
  const [container] = spec.containers;
  const application = metadata.labels['spark-app-selector'];
  const name = executorName(metadata, id);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: metadata.namespace,
      labels: {
        ...metadata.labels, 'spark-role': 'executor', 'spark-exec-id': String(id), 'spark-exec-resourceprofile-id': '0', ...(isLate && { [LATE_LABEL]: 'true' }),
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: metadata.name, uid: metadata.uid, controller: true }],
    },
    spec: {
      nodeName,
      restartPolicy: 'Never',
      hostname: name,
      serviceAccountName: spec.serviceAccountName,
      containers: [{
        name: 'spark-kubernetes-executor',
        image: container.image,
        imagePullPolicy: container.imagePullPolicy,
        args: ['executor'],
        env: [
          { name: 'SPARK_APPLICATION_ID', value: application }, { name: 'SPARK_EXECUTOR_ID', value: String(id) },
          { name: 'SPARK_EXECUTOR_CORES', value: '2' }, { name: 'SPARK_EXECUTOR_MEMORY', value: '4096m' },
          { name: 'SPARK_EXECUTOR_POD_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
        ],
        ports: [{ name: 'blockmanager', containerPort: 7079, protocol: 'TCP' }],
        resources: { requests: { cpu: '2', memory: '4505Mi' }, limits: { memory: '4505Mi' } },
      }],
    },
  };
}

/** The status that a kubelet reports when all containers have ended with success. */
export function successOf({ containerStatuses }: DriverPart['status'], now: Date): object {
  const finishedAt = now.toISOString().replace(/\.\d{3}Z$/, 'Z');
  const notReady = { status: 'False', reason: 'PodCompleted', lastTransitionTime: finishedAt };
  return {
    phase: 'Succeeded',
    conditions: [{ type: 'Ready', ...notReady }, { type: 'ContainersReady', ...notReady }],
    // This list is replaced as a whole.
    containerStatuses: containerStatuses.map(({ state, ...kept }: any) => ({
      ...kept,
      ready: false,
      started: false,
      state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: state?.running?.startedAt ?? finishedAt, finishedAt } },
    })),
  };
}
