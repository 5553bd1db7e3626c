import { randomUUID } from 'node:crypto';
import { inParallel } from '../../api-client.ts';
import { ADDRESS, copyOf, freeAddresses } from '../copies.ts';
import { Etcd, type Entry } from '../etcd.ts';
import { nodeName } from '../nodes.ts';
import { NAMESPACES, namespaceOf } from '../stage.ts';
import { Timeline } from '../timeline.ts';
import type { World } from '../world.ts';

/*
 * Most of a great population is written into etcd as copies of applications that went the whole way: for all of them the control plane of this machine would take half an
 * hour. All who watch see them come; none of them was submitted.
 */

/** What of an application is copied, besides itself: what the operator, and the cluster's controllers, look at. */
const KINDS = ['pods', 'services/specs', 'endpointslices'];
/** Where the addresses of Services are, by which nobody gets one twice. */
const ADDRESSES = '/registry/ipaddresses/';
const ANY_ADDRESS = /198\.19\.\d+\.\d+/g;
const WIDTH = 8;
const DEADLINE_SECONDS = 300;
/** So long the operator may have to do with what it has seen come. */
const IDLE_SECONDS = 60;

/** Brings the population to so many applications that run, by copies of some that do. */
export async function copyRunning(world: World, applications: number): Promise<void> {
  const { stage: { drivers }, stage, task: { executors } } = world;
  const count = applications - drivers.running.size;
  world.progress(`${count} applications that run are copied, to ${applications}`);
  const whole = [...drivers.running.values()].filter((driver) => driver.executors.size === executors);
  const timeline = new Timeline(stage.newNames(count), executors);
  drivers.pace = { executors: 0, startSeconds: 0 };
  const idsOf = await copy(world, whole.map(({ application }) => application), timeline, () => timeline.count('whole') === count && timeline.count('driverRunning') === count);
  for (const name of timeline.names) drivers.adopt(drivers.running.get(name)!, idsOf(name));
}

/** Adds so many finished applications, by copies of those that are named. */
export async function copyFinished(world: World, names: readonly string[], count: number): Promise<void> {
  const { stage } = world;
  world.progress(`${count} finished applications are copied`);
  const timeline = new Timeline(stage.newNames(count));
  await copy(world, names, timeline, () => timeline.isOver && timeline.count('driverEnded') === count);
  stage.drivers.ended += count;
}

/** @param names of applications that can be copied, at least one in each namespace @param isSeen whether all is there @returns ids of executors */
async function copy({ stage, nodes, operator }: World, names: readonly string[], timeline: Timeline, isSeen: () => boolean): Promise<(name: string) => number[]> {
  const etcd = new Etcd(WIDTH);
  const sources = new Map(await Promise.all(NAMESPACES.map(async (namespace) => {
    return [namespace, await sourceIn(etcd, namespace, names.filter((name) => namespaceOf(name) === namespace))] as const;
  })));
  const addresses = freeAddresses(await etcd.namesBelow(ADDRESSES));
  const unfollow = stage.follow(timeline);
  let pods = 0;
  await inParallel(timeline.names, WIDTH, async (name) => {
    const source = sources.get(namespaceOf(name))!;
    const copies = copyOf(source.entries, source.name, name, {
      uuid: randomUUID, node: () => nodeName(1 + pods++ % nodes.count), address: () => addresses.next().value!,
    });
    for (const entry of copies) await etcd.put(entry);
    stage.check();
  });
  await stage.until(timeline, isSeen, DEADLINE_SECONDS);
  unfollow();
  etcd.close();
  await operator.idle(IDLE_SECONDS);
  return (name) => sources.get(namespaceOf(name))!.entries.flatMap(({ key }) => Number(/-exec-(\d+)$/.exec(key)?.[1] ?? NaN)).filter((id) => !Number.isNaN(id));
}

/** One of the applications, whose Services have addresses that can be replaced by others, with all of its objects. */
async function sourceIn(etcd: Etcd, namespace: string, names: readonly string[]): Promise<{ readonly name: string; readonly entries: readonly Entry[] }> {
  for (const name of names) {
    const entries = await entriesOf(etcd, namespace, name);
    const addresses = entries.flatMap(({ value }) => value.toString('latin1').match(ANY_ADDRESS) ?? []);
    if (addresses.some((address) => !address.match(ADDRESS))) continue;
    const allocated = await Promise.all([...new Set(addresses)].map(async (address) => etcd.withPrefix(`${ADDRESSES}${address}`)));
    // After its Service: an address without one would be taken for left over.
    return { name, entries: [...entries, ...allocated.flat().filter(({ key }) => addresses.includes(key.slice(ADDRESSES.length)))] };
  }
  throw new Error(`no application in ${namespace} can be copied`);
}

/** What depends on an application comes after it. */
async function entriesOf(etcd: Etcd, namespace: string, name: string): Promise<Entry[]> {
  const prefixes = ['sparkoperator.k8s.io/sparkapplications', ...KINDS].map((kind) => `/registry/${kind}/${namespace}/${name}`);
  const entries = (await Promise.all(prefixes.map(async (prefix) => etcd.withPrefix(prefix)))).flat();
  // An executor without its driver would be taken for left over, too.
  const isExecutor = ({ key }: Entry) => /-exec-\d+$/.test(key);
  return [...entries.filter((entry) => !isExecutor(entry)), ...entries.filter(isExecutor)];
}
