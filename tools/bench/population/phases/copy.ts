import { randomUUID } from 'node:crypto';
import { inParallel } from '../../api-client.ts';
import { copyOf } from '../copies.ts';
import { Etcd, type Entry } from '../etcd.ts';
import { nodeName } from '../nodes.ts';
import { NAMESPACES, namespaceOf } from '../stage.ts';
import { Timeline } from '../timeline.ts';
import type { World } from '../world.ts';

/** What of an application is copied, besides itself: what the operator, and the cluster's controllers, look at. */
const KINDS = ['pods', 'services/specs', 'endpointslices'];
const WIDTH = 8;
const DEADLINE_SECONDS = 300;

/**
 * Brings the population to so many applications that run by writing copies of some that do into etcd, as the control plane of this machine would take a quarter of an hour for
 * what each of them takes. All who watch see them come; none of them was submitted.
 */
export async function copy(world: World, applications: number): Promise<void> {
  const { stage, nodes, task: { executors } } = world;
  const { drivers } = stage;
  const count = applications - drivers.running.size;
  world.progress(`${count} applications that run are copied, to ${applications}`);
  const etcd = new Etcd(WIDTH);
  const sources = new Map<string, { readonly name: string; readonly entries: readonly Entry[] }>();
  for (const namespace of NAMESPACES) {
    const driver = [...drivers.running.values()].find((running) => running.namespace === namespace && running.executors.size === executors && running.lastId === executors)!;
    const prefixes = [`/registry/sparkoperator.k8s.io/sparkapplications/${namespace}/${driver.application}`, ...KINDS.map((kind) => `/registry/${kind}/${namespace}/${driver.application}`)];
    sources.set(namespace, { name: driver.application, entries: (await Promise.all(prefixes.map(async (prefix) => etcd.withPrefix(prefix)))).flat() });
  }
  const timeline = new Timeline(stage.newNames(count), executors);
  const unfollow = stage.follow(timeline);
  drivers.pace = { executors: 0, startSeconds: 0 };
  let pods = 0;
  await inParallel(timeline.names, WIDTH, async (name) => {
    const source = sources.get(namespaceOf(name))!;
    const copies = copyOf(source.entries, source.name, name, randomUUID, () => nodeName(1 + pods++ % nodes.count));
    for (const entry of copies) await etcd.put(entry);
    stage.check();
  });
  await stage.until(timeline, () => timeline.count('whole') === count && timeline.count('driverRunning') === count, DEADLINE_SECONDS);
  for (const name of timeline.names) drivers.adopt(drivers.running.get(name)!, executors);
  unfollow();
  etcd.close();
  await world.operator.idle(60);
}
