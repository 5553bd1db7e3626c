import { setTimeout as sleep } from 'node:timers/promises';
import { callUnlessGone, inParallel, MERGE_PATCH, type ApiClient } from '../api-client.ts';
import { APPLICATION_LABEL, ENDED_LABEL } from '../applications.ts';

/** A pod starts so many milliseconds after it got a node, and at most so many later: its image is on the node. */
const [START, JITTER] = [500, 1000];
const CONDITIONS = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'];
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

export interface DriversOptions {
  /** Its sockets bound the number of concurrent calls. */
  readonly client: ApiClient;
  /** Returns the node for the next pod. */
  readonly nextNode: () => string;
  /** The API server answered a change of a driver's phase. */
  readonly onPhase: (application: string, phase: 'Running' | 'Succeeded') => void;
  /** The API server answered that an executor runs. */
  readonly onExecutor?: (application: string, executor: string) => void;
  readonly onProblem: (error: Error) => void;
  /** From 0 to less than 1. @default Math.random */
  readonly random?: () => number;
}

/** Behaviour of drivers. */
export interface Pace {
  readonly executors: number;
  /** Seconds from its start to its end. @default - it runs until `end` */
  readonly driverSeconds?: number;
  /** Seconds from its start to the creation of its executors. @default 0 */
  readonly startSeconds?: number;
}

/** A driver that runs. */
export interface Driver {
  readonly application: string;
  readonly pod: DriverPod;
  readonly executors: Set<string>;
  /** Id of the last executor. */
  lastId: number;
  isEnding: boolean;
}

/** The parts of a driver Pod that its executors and its end need; thousands are kept. */
export interface DriverPod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly serviceAccountName: string;
    readonly containers: readonly [{ readonly image: string; readonly imagePullPolicy: string }];
  };
  readonly status: { readonly containerStatuses: readonly any[] };
}

/** The parts of a pod that a kubelet reports. */
export interface RunnablePod {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
}

/**
 * Plays drivers, and the kubelets of all pods: containers do not exist. A pod runs after a moment. A driver then
 * creates its executors, deletes them at its end, at once as a lost node would, and succeeds.
 */
export class Drivers {
  /** For the drivers that are seen from now on. */
  pace: Pace = { executors: 0 };
  /** Running drivers by application. */
  readonly running = new Map<string, Driver>();
  /** Number of drivers that have ended. */
  ended = 0;
  private readonly options: DriversOptions;
  private readonly started = new Set<string>();
  private readonly playing = new Set<string>();
  private addresses = 0;

  constructor(options: DriversOptions) {
    this.options = options;
  }

  /** Handles a driver that was created or changed. */
  see(pod: any): void {
    const { metadata: { uid, labels }, status } = pod;
    if (labels[ENDED_LABEL] !== undefined) return;
    if (!this.started.has(uid)) {
      this.started.add(uid);
      this.run(pod, () => this.options.onPhase(labels[APPLICATION_LABEL], 'Running'));
    }
    if (status?.phase !== 'Running' || this.playing.has(uid)) return;
    this.playing.add(uid);
    const driver = driverOf(pod);
    this.running.set(driver.application, driver);
    this.play(driver, this.pace).catch(this.options.onProblem);
  }

  /** Lets a driver create one more executor. */
  async addExecutor(driver: Driver): Promise<void> {
    const { client, nextNode, onExecutor } = this.options;
    const executor = executorOf(driver.pod, ++driver.lastId, nextNode());
    const { name } = executor.metadata;
    await client.json('POST', podsOf(driver), executor);
    driver.executors.add(name);
    this.run(executor, () => onExecutor?.(driver.application, name));
  }

  /** Deletes an executor. */
  async loseExecutor(driver: Driver, name: string): Promise<void> {
    driver.executors.delete(name);
    await callUnlessGone(this.options.client, 'DELETE', `${podsOf(driver)}/${name}?gracePeriodSeconds=0`);
  }

  /** Lets a driver end with success, after its executors. */
  async end(driver: Driver): Promise<void> {
    driver.isEnding = true;
    this.running.delete(driver.application);
    await inParallel([...driver.executors], driver.executors.size, async (name) => this.loseExecutor(driver, name));
    const status = successOf(driver.pod.status, new Date());
    await callUnlessGone(this.options.client, 'PATCH', `${podsOf(driver)}/${driver.pod.metadata.name}/status`, { status }, STRATEGIC_PATCH);
    this.ended++;
    this.options.onPhase(driver.application, 'Succeeded');
  }

  private async play(driver: Driver, { executors, driverSeconds, startSeconds = 0 }: Pace): Promise<void> {
    const end = performance.now() + (driverSeconds ?? 0) * 1000;
    await sleep(startSeconds * 1000);
    for (let index = 0; index < executors && !driver.isEnding; index++) await this.addExecutor(driver);
    if (driverSeconds === undefined) return;
    await sleep(Math.max(0, end - performance.now()));
    await this.end(driver);
  }

  private run(pod: RunnablePod, then: () => void): void {
    const { client, onProblem, random = Math.random } = this.options;
    const { namespace, name } = pod.metadata;
    setTimeout(() => {
      const status = runningStatus(pod, this.nextAddress(), new Date());
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/status`;
      callUnlessGone(client, 'PATCH', path, { status }, MERGE_PATCH).then(then).catch(onProblem);
    }, START + random() * JITTER);
  }

  private nextAddress(): string {
    const number = ++this.addresses;
    return `10.${[65_536, 256, 1].map((unit) => Math.floor(number / unit) % 256).join('.')}`;
  }
}

function podsOf({ pod }: Driver): string {
  return `/api/v1/namespaces/${pod.metadata.namespace}/pods`;
}

function driverOf({ metadata, spec, status: { containerStatuses } }: any): Driver {
  const { name, namespace, uid, labels } = metadata;
  const { serviceAccountName, containers: [{ image, imagePullPolicy }] } = spec;
  const pod: DriverPod = {
    metadata: { name, namespace, uid, labels },
    spec: { serviceAccountName, containers: [{ image, imagePullPolicy }] },
    status: { containerStatuses },
  };
  return { application: labels[APPLICATION_LABEL], pod, executors: new Set(), lastId: 0, isEnding: false };
}

/** Returns an executor as the driver creates it: BasicExecutorFeatureStep, without settings for its container only. */
export function executorOf({ metadata, spec }: DriverPod, id: number, nodeName: string) {
  const [container] = spec.containers;
  const name = `${metadata.name.replace(/-driver$/, '')}-${metadata.uid.slice(0, 8)}-exec-${id}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: metadata.namespace,
      labels: { ...metadata.labels, 'spark-role': 'executor', 'spark-exec-id': String(id), 'spark-exec-resourceprofile-id': '0' },
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
          { name: 'SPARK_APPLICATION_ID', value: metadata.labels['spark-app-selector'] }, { name: 'SPARK_EXECUTOR_ID', value: String(id) },
          { name: 'SPARK_EXECUTOR_CORES', value: '2' }, { name: 'SPARK_EXECUTOR_MEMORY', value: '4096m' },
          { name: 'SPARK_EXECUTOR_POD_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
        ],
        ports: [{ name: 'blockmanager', containerPort: 7079, protocol: 'TCP' }],
        resources: { requests: { cpu: '2', memory: '4505Mi' }, limits: { memory: '4505Mi' } },
      }],
    },
  };
}

/** Returns the status that a kubelet reports when all containers run. */
export function runningStatus({ spec: { containers } }: RunnablePod, podIP: string, now: Date): object {
  const startedAt = secondsOf(now);
  return {
    phase: 'Running',
    startTime: startedAt,
    podIP,
    podIPs: [{ ip: podIP }],
    // Patches replace both lists as a whole.
    conditions: CONDITIONS.map((type) => ({ type, status: 'True', lastTransitionTime: startedAt })),
    containerStatuses: containers.map(({ name, image }) => (
      { name, image, imageID: '', ready: true, started: true, restartCount: 0, state: { running: { startedAt } } }
    )),
  };
}

/** Returns the status that a kubelet reports when all containers have succeeded. */
export function successOf({ containerStatuses }: DriverPod['status'], now: Date): object {
  const finishedAt = secondsOf(now);
  const notReady = { status: 'False', reason: 'PodCompleted', lastTransitionTime: finishedAt };
  return {
    phase: 'Succeeded',
    conditions: [{ type: 'Ready', ...notReady }, { type: 'ContainersReady', ...notReady }],
    containerStatuses: containerStatuses.map(({ state, ...kept }: any) => ({
      ...kept,
      ready: false,
      started: false,
      state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: state?.running?.startedAt ?? finishedAt, finishedAt } },
    })),
  };
}

function secondsOf(time: Date): string {
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
