import { ApiServer } from '../../helpers/api-server';

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

/** Plays drivers and executors where there is no node: what Spark's driver asks the API server for, and what kubelets write of pods. */
export class Cast {
  constructor(private readonly api: ApiServer, private readonly namespace: string) {}

  /** A pod runs. */
  async runs(pod: any): Promise<any> {
    const now = seconds();
    const conditions = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({ type, status: 'True', lastTransitionTime: now }));
    return this.setStatus(pod, {
      phase: 'Running', hostIP: '10.0.0.1', hostIPs: [{ ip: '10.0.0.1' }], podIP: '10.244.0.1', podIPs: [{ ip: '10.244.0.1' }], startTime: now, conditions,
      containerStatuses: [containerOf(pod, { ready: true, started: true, state: { running: { startedAt: now } } })],
    });
  }

  /** A pod ends. */
  async ends(pod: any, exitCode: number): Promise<any> {
    const now = seconds();
    const terminated = { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt: now, finishedAt: now };
    const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status: 'False', reason: exitCode === 0 ? 'PodCompleted' : 'PodFailed', lastTransitionTime: now }));
    return this.setStatus(pod, {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed', conditions, containerStatuses: [containerOf(pod, { ready: false, started: false, state: { terminated } })],
    });
  }

  /** A driver asks for executors, and they run. @returns their pods */
  async startExecutors(driver: any, count: number): Promise<any[]> {
    const executors = Array.from({ length: count }, (_, index) => executorOf(driver, index + 1));
    const created = await Promise.all(executors.map((executor) => this.api.must('POST', this.pods(), executor)));
    return Promise.all(created.map((executor) => this.runs(executor)));
  }

  /** A driver is done: it deletes its executors and ends. @returns its pod */
  async complete(driver: any, executors: readonly any[]): Promise<any> {
    await Promise.all(executors.map(({ metadata: { name } }) => this.api.must('DELETE', this.pods(name))));
    return this.ends(driver, 0);
  }

  /** Writes a part of the status of a pod. @returns the pod */
  setStatus({ metadata: { name } }: any, status: object): Promise<any> {
    return this.api.must('PATCH', `${this.pods(name)}/status`, { status }, 'conditions' in status ? STRATEGIC : MERGE);
  }

  private pods(name?: string): string {
    return `/api/v1/namespaces/${this.namespace}/pods${name === undefined ? '' : `/${name}`}`;
  }
}

function seconds(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

function containerOf({ spec: { containers: [{ name, image }] } }: any, state: object): object {
  return { name, image, imageID: '', restartCount: 0, ...state };
}

/** An executor as Spark's driver creates it (BasicExecutorFeatureStep), without what only its container looks at. */
function executorOf({ metadata, spec }: any, id: number): object {
  const [container] = spec.containers;
  const name = `${metadata.name.replace(/-driver$/, '')}-exec-${id}`;
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
      schedulerName: spec.schedulerName,
      containers: [{
        name: 'spark-kubernetes-executor',
        image: container.image,
        args: ['executor'],
        env: [
          { name: 'SPARK_EXECUTOR_ID', value: String(id) }, { name: 'SPARK_EXECUTOR_CORES', value: '1' }, { name: 'SPARK_EXECUTOR_MEMORY', value: '1024m' },
          { name: 'SPARK_EXECUTOR_POD_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
        ],
        ports: [{ name: 'blockmanager', containerPort: 7079, protocol: 'TCP' }],
        resources: { requests: { cpu: '1', memory: '1408Mi' }, limits: { memory: '1408Mi' } },
      }],
    },
  };
}
