import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../api-client.ts';

export interface DriversOptions {
  readonly admin: ApiClient;
  /** How many executors each makes. */
  readonly executors: number;
  /** A part could not be played. */
  readonly onProblem: (error: Error) => void;
}

/** How long drivers take, in seconds. */
export interface Pace {
  /** From their start to their end. */
  readonly driverSeconds: number;
  /** From their start to the creation of their executors. */
  readonly startSeconds: number;
}

/**
 * Plays the drivers, whose containers do not exist: one that runs creates its executors after a while, deletes them when its time is over, and ends with success, as Spark's
 * does. What else Spark does there, such as the ConfigMap of its executors, is nothing that an operator looks at.
 */
export class Drivers {
  /** Of the drivers that are seen from now on. */
  pace: Pace = { driverSeconds: 1, startSeconds: 0 };
  private readonly options: DriversOptions;
  private readonly playing = new Set<string>();

  constructor(options: DriversOptions) {
    this.options = options;
  }

  /** Looks at a driver that was created or has changed. */
  see(driver: any): void {
    const { uid } = driver.metadata;
    if (driver.status?.phase !== 'Running' || this.playing.has(uid)) return;
    this.playing.add(uid);
    this.play(driver).catch(this.options.onProblem);
  }

  private async play(driver: any): Promise<void> {
    const { options: { admin, executors }, pace: { driverSeconds, startSeconds } } = this;
    const end = performance.now() + driverSeconds * 1000;
    const pods = `/api/v1/namespaces/${driver.metadata.namespace}/pods`;
    const made = Array.from({ length: executors }, (_, index) => executorOf(driver, index + 1));
    await sleep(startSeconds * 1000);
    for (const executor of made) await admin.json('POST', pods, executor);
    await sleep(Math.max(0, end - performance.now()));
    for (const { metadata } of made) await this.call('DELETE', `${pods}/${metadata.name}`);
    await this.call('PATCH', `${pods}/${driver.metadata.name}/status`, JSON.stringify({ status: successOf(driver.status, new Date()) }));
  }

  /** Somebody may have deleted it. */
  private async call(method: string, path: string, body?: string): Promise<void> {
    const { status, text } = await this.options.admin.call(method, path, body, 'application/strategic-merge-patch+json');
    if (status > 299 && status !== 404) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
  }
}

/** An executor as the driver creates it: BasicExecutorFeatureStep, without what only its container looks at. */
export function executorOf({ metadata, spec }: any, id: number) {
  const [container] = spec.containers;
  const application = metadata.labels['spark-app-selector'];
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
export function successOf({ containerStatuses }: any, now: Date): object {
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
