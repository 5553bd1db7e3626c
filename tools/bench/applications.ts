import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel, type ApiClient } from './api-client.ts';
import type { Context } from './context.ts';
import type { Timeline } from './timeline.ts';

/** A node without a kubelet. */
export const NODE = 'bench-nowhere';

/** Calls at the same time: enough to keep the API server busy. */
const CREATORS = 8;

/** Label of driver Pods with the name of their application. */
export const APPLICATION_LABEL = 'sparkoperator.k8s.io/app-name';

/** Label of driver Pods that have ended when they are created: no kubelet is played for them. */
export const ENDED_LABEL = 'bench.example.org/ended';

export interface ApplicationRef {
  readonly namespace: string;
  readonly name: string;
}

/** An application that was created. */
export interface CreatedApplication extends ApplicationRef {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Returns names of one length, so that all applications have the same number of bytes. */
export function newNames(prefix: string, first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${String(first + index).padStart(6, '0')}`);
}

/**
 * Returns an application of medium size, as people write them. Its driver has a node already: waiting for a
 * scheduler would show in status and events, which is work after the submission.
 */
export function application({ namespace, name }: ApplicationRef, { node = NODE, executors = 4 } = {}): any {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace, labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'bench' } },
    spec: {
      type: 'Python',
      mode: 'cluster',
      sparkVersion: '4.1.1',
      image: 'example.org/spark:4.1.1',
      imagePullPolicy: 'IfNotPresent',
      mainApplicationFile: 'local:///opt/spark/applications/etl.py',
      arguments: ['--day', '2026-03-01', '--input', 's3a://raw/events', '--output', 's3a://clean/events'],
      sparkConf: {
        'spark.sql.shuffle.partitions': '200',
        'spark.sql.adaptive.enabled': 'true',
        'spark.eventLog.enabled': 'true',
        'spark.eventLog.dir': 's3a://history/logs',
        'spark.hadoop.fs.s3a.endpoint': 'https://s3.example.org',
      },
      driver: {
        cores: 1, memory: '2g', serviceAccount: 'spark', labels: { team: 'data' },
        // Nodes without a kubelet have a taint.
        template: { spec: { nodeName: node, tolerations: [{ operator: 'Exists' }], containers: [] } },
      },
      executor: { instances: executors, cores: 2, memory: '4g', labels: { team: 'data' } },
    },
  };
}

/** Returns the path of a namespace's applications, or of a single one. */
export function applicationsPath(namespace: string, kind = 'sparkapplications'): string {
  return `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${namespace}/${kind}`;
}

/** Creates the node that drivers are on. */
export async function createNode(context: Context): Promise<void> {
  await context.admin.json('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } });
}

async function create(client: ApiClient, body: any, timeline?: Timeline): Promise<CreatedApplication> {
  const { metadata: { namespace, name } } = body;
  const { metadata: { uid, resourceVersion } } = await client.json('POST', applicationsPath(namespace), body);
  timeline?.answered(name, performance.now());
  return { namespace, name, uid, resourceVersion };
}

/** Creates applications as fast as the API server takes them. */
export async function createAll(client: ApiClient, bodies: readonly any[], timeline?: Timeline): Promise<CreatedApplication[]> {
  const created: CreatedApplication[] = [];
  await inParallel(bodies, CREATORS, async (body) => void created.push(await create(client, body, timeline)));
  return created;
}

/** Creates applications at a rate, however long the answers take. Ends early with `signal`. */
export async function createAtRate(
  context: Context, client: ApiClient, bodies: readonly any[], perSecond: number, timeline: Timeline, signal?: AbortSignal,
): Promise<void> {
  const began = performance.now();
  const creations: Promise<void>[] = [];
  for (const [index, body] of bodies.entries()) {
    await sleep(Math.max(0, began + index * 1000 / perSecond - performance.now()));
    if (signal?.aborted) break;
    creations.push(create(client, body, timeline).then(() => undefined, context.fail));
  }
  await Promise.all(creations);
}

/** Watches driver Pods of all namespaces. */
export async function watchDrivers(context: Context, onDriver: (pod: any, at: number) => void): Promise<void> {
  await context.watch({
    path: '/api/v1/pods', labelSelector: 'spark-role=driver',
    onChange: ({ type, object, at }) => void (type === 'DELETED' || onDriver(object, at)),
  });
}
