import { ApiClient, inParallel } from '../api-client.ts';
import { applicationsPath, ENDED_LABEL, newNames } from '../applications.ts';
import type { Context } from '../context.ts';
import { median, type Figures } from '../figures.ts';
import { measureLoad } from '../load.ts';
import type { Operator } from '../operator.ts';
import { nodesFor, startNodes } from '../population/nodes.ts';
import { NAMESPACES, Stage } from '../population/stage.ts';

const SIZES = {
  full: { warmUp: 100, applications: 300, finished: 12_000 },
  quick: { warmUp: 20, applications: 50, finished: 300 },
} as const;

/** Lifecycles of all applications in each of the two situations. The result is the median. */
const ROUNDS = 3;
const EXECUTORS = 5;
/** Calls at the same time that create finished applications. */
const CREATORS = 16;
/** Seconds that drivers run, and for all applications. */
const [DRIVER_SECONDS, PATIENCE] = [6, 300];

/** CPU time of applications without finished ones, and beside thousands of them. */
export async function finished(context: Context): Promise<Figures['finished']> {
  const sizes = SIZES[context.task.quick ? 'quick' : 'full'];
  const nodes = nodesFor(sizes.applications * (1 + EXECUTORS));
  await startNodes(context, nodes);
  const stage = await Stage.open(context, nodes);
  const lifecycle = (operator: Operator, count: number) => stage.grow(
    operator, count, { executors: EXECUTORS, driverSeconds: DRIVER_SECONDS, startSeconds: 1, until: 'completed', seconds: PATIENCE },
  );
  const measure = async (phase: string): Promise<Figures['finished']['alone']> => {
    // A new process each time: both have compiled the same code, and read all objects.
    const operator = await context.startOperator(NAMESPACES);
    await lifecycle(operator, sizes.warmUp);
    const rounds: { readonly cpu: number; readonly memory: number }[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      context.progress(`${sizes.applications} applications ${phase}, round ${round} of ${ROUNDS}`);
      const [, { cpu, memory }] = await measureLoad(context, operator, phase, () => lifecycle(operator, sizes.applications));
      rounds.push({ cpu: cpu / sizes.applications, memory: memory.median });
    }
    await operator.stop();
    return { cpu: median(rounds.map(({ cpu }) => cpu)), memory: median(rounds.map(({ memory }) => memory)) };
  };

  const alone = await measure('alone');
  const operator = await context.startOperator(NAMESPACES);
  await lifecycle(operator, 1);
  await operator.stop();
  await multiply(context, sizes.finished);
  const beside = await measure(`beside ${sizes.finished} finished`);
  return { applications: sizes.applications, finished: sizes.finished, alone, beside };
}

/** Prefix of the names of copies, which differ from those of measured applications. */
const COPY = 'ended';

/** Copies the one finished application, with its driver, as often as there have to be finished ones. */
async function multiply(context: Context, count: number): Promise<void> {
  context.progress(`creating ${count} finished applications with their drivers`);
  const { admin } = context;
  const [application] = (await admin.json('GET', '/apis/sparkoperator.k8s.io/v1beta2/sparkapplications')).items;
  const { namespace, name } = application.metadata;
  const driver = await admin.json('GET', `/api/v1/namespaces/${namespace}/pods/${application.status.driverInfo.podName}`);
  const creator = new ApiClient(context.installation.admin, CREATORS);
  await inParallel(newNames(COPY, 0, count), CREATORS, async (copy) => {
    const named = <T>(object: T): T => JSON.parse(JSON.stringify(object).replaceAll(name, copy));
    const home = NAMESPACES[Number(copy.slice(-1)) % NAMESPACES.length]!;
    const { metadata: { labels }, spec, status, kind, apiVersion } = named(application);
    const { metadata } = await creator.json('POST', applicationsPath(home), { kind, apiVersion, metadata: { name: copy, labels }, spec });
    const path = `${applicationsPath(home)}/${copy}/status`;
    await creator.json('PUT', path, { kind, apiVersion, metadata: { name: copy, resourceVersion: metadata.resourceVersion }, status });
    const pod = named(driver);
    const owner = { ...pod.metadata.ownerReferences[0], uid: metadata.uid };
    const ownLabels = { ...pod.metadata.labels, 'sparkoperator.k8s.io/app-uid': metadata.uid, [ENDED_LABEL]: 'true' };
    await creator.json('POST', `/api/v1/namespaces/${home}/pods`, {
      ...pod, status: undefined, metadata: { name: pod.metadata.name, labels: ownLabels, ownerReferences: [owner] },
    });
    await creator.json('PUT', `/api/v1/namespaces/${home}/pods/${pod.metadata.name}/status`, {
      ...pod, metadata: { name: pod.metadata.name, labels: ownLabels, ownerReferences: [owner] },
    });
  });
  creator.close();
}
