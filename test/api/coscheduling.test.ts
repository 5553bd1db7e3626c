/* The real coscheduling plugin in a real kube-scheduler: a driver is placed when there is room for its executors, too, and not before. There is no kubelet: nodes are objects, and a pod has begun when it has one. */
import { ApiServer } from '../helpers/api-server';
import { Coscheduler } from './helpers/coscheduler';
import { define, exclusively, undefine, WAIT_FOR_OTHERS } from './helpers/definition';
import { Lane } from './helpers/lane';
import { podGroupDefinition } from './helpers/pod-groups';
import { install, type Installation } from '../helpers/installation';

const SCHEDULER = 'gang-for-test';
const COSCHEDULING = podGroupDefinition('scheduling.x-k8s.io');
const program = process.env.COSCHEDULER!;

/** Pods of other test files are not to be placed here. */
const TAINT = { key: 'cdk8s-spark-operator.test/coscheduling', effect: 'NoSchedule' };
const TOLERATIONS = [{ operator: 'Exists' }];

const api = new ApiServer();
let installation: Installation;
let lane: Lane;
let jobs: string;

beforeAll(async () => {
  installation = await install('gang', { batchScheduling: { kubeSchedulers: [SCHEDULER], defaultScheduler: SCHEDULER } });
  jobs = installation.jobs;
  lane = Lane.over(installation);
  await lane.startAs(installation).ready();
});

afterAll(async () => {
  await lane?.close();
  await installation?.remove();
  api.close();
});

/**
 * Adds a node, and does the work when the scheduler knows its room: it watches nodes and pods apart, and the plugin does not try a
 * pod that it held back again for a new node.
 */
async function withNode(name: string, scheduler: Coscheduler, work: () => Promise<void>): Promise<void> {
  const amounts = { cpu: '4', memory: '8Gi', pods: '20' };
  await api.must('POST', '/api/v1/nodes', { metadata: { name, labels: { node: name } }, spec: { taints: [TAINT] } });
  try {
    await api.must('PATCH', `/api/v1/nodes/${name}/status`, {
      status: { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True', reason: 'Test', lastHeartbeatTime: new Date().toISOString(), lastTransitionTime: new Date().toISOString() }] },
    }, 'application/merge-patch+json');
    await createPod(`first-${name}`, {}, { nodeSelector: { node: name } });
    await nodeOf(`first-${name}`, scheduler);
    await work();
  } finally {
    await api.must('DELETE', `/api/v1/nodes/${name}`);
  }
}

/** An application whose pods ask for 1 core and 1433 MiB each. */
function create(name: string, executors: number): Promise<any> {
  return api.must('POST', `/apis/sparkoperator.k8s.io/v1beta2/namespaces/${jobs}/sparkapplications`, {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name },
    spec: {
      type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py',
      driver: { serviceAccount: 'spark', tolerations: TOLERATIONS }, executor: { instances: executors, tolerations: TOLERATIONS },
    },
  });
}

function createPod(name: string, labels: object, spec: object): Promise<any> {
  const container = { name: 'spark-kubernetes-executor', image: 'example.org/spark:1' };
  return api.must('POST', `/api/v1/namespaces/${jobs}/pods`, {
    metadata: { name, labels }, spec: { schedulerName: SCHEDULER, tolerations: TOLERATIONS, containers: [container], ...spec },
  });
}

const pod = async (name: string) => (await api.call('GET', `/api/v1/namespaces/${jobs}/pods/${name}`)).body;

async function until<T>(name: string, look: (pod: any) => T | undefined, scheduler: Coscheduler, seconds = 90): Promise<T> {
  for (const end = Date.now() + seconds * 1000; ;) {
    const now = await pod(name);
    const found = look(now);
    if (found !== undefined) return found;
    if (Date.now() > end) {
      throw new Error(`not so after ${seconds} s: ${look}; ${name} is ${JSON.stringify(now.status ?? now)}, and the scheduler says\n${scheduler.tail()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const nodeOf = (name: string, scheduler: Coscheduler) => until(name, ({ spec }) => spec?.nodeName as string | undefined, scheduler);

test('a driver that has room by itself waits until its executors have, too; the executors of one that runs do not wait for it', async () => {
  await exclusively(api, COSCHEDULING.metadata.name, async () => {
    await define(api, COSCHEDULING);
    const scheduler = await Coscheduler.start(program, SCHEDULER);
    try {
      await withNode('gang-1', scheduler, async () => {
        await create('fits', 2);
        expect(await nodeOf('fits-driver', scheduler)).toBe('gang-1');
        // The node would have room for its four pods, if it were empty.
        await create('large', 3);
        await until('large-driver', ({ status }) => status?.conditions?.find(({ type, reason, message }: any) => type === 'PodScheduled' && reason === 'Unschedulable' && /resource gap/.test(message)), scheduler);

        // The executors of the first one, as Spark's driver makes them.
        const { metadata: { labels } } = await pod('fits-driver');
        for (const name of ['fits-exec-1', 'fits-exec-2']) {
          await createPod(name, { 'spark-role': 'executor', 'scheduling.x-k8s.io/pod-group': labels['scheduling.x-k8s.io/pod-group'] }, {
            containers: [{ name: 'spark-kubernetes-executor', image: 'example.org/spark:1', resources: { requests: { cpu: '1', memory: '1433Mi' } } }],
          });
          expect(await nodeOf(name, scheduler)).toBe('gang-1');
        }
        expect((await pod('large-driver')).spec.nodeName).toBeUndefined();

        await withNode('gang-2', scheduler, async () => {
          // The plugin retries pods that it held back when another pod gets a place, such as the first of the new node; otherwise after five minutes.
          expect(await nodeOf('large-driver', scheduler)).toMatch(/^gang-[12]$/);
        });
      });
    } finally {
      await scheduler.stop();
      await undefine(api, COSCHEDULING);
    }
  });
}, 240_000 + WAIT_FOR_OTHERS);

test('nothing is reserved: two applications that begin one after the other are let in for the same room', async () => {
  await exclusively(api, COSCHEDULING.metadata.name, async () => {
    await define(api, COSCHEDULING);
    const scheduler = await Coscheduler.start(program, SCHEDULER);
    try {
      await withNode('gang-3', scheduler, async () => {
        // Three of four cores each.
        for (const name of ['one', 'two']) {
          await create(name, 2);
          expect(await nodeOf(`${name}-driver`, scheduler)).toBe('gang-3');
        }
      });
    } finally {
      await scheduler.stop();
      await undefine(api, COSCHEDULING);
    }
  });
}, 240_000 + WAIT_FOR_OTHERS);
