import fc from 'fast-check';
import { BackoffType, RestartPolicyType } from '../../../../../src/api/restart-policy';
import { LABEL_APP_NAME, LABEL_LAUNCHED_BY, LABEL_SPARK_ROLE } from '../../../../../src/api/labels';
import { PODS, SPARK_APPLICATIONS } from '../../../../../src/model/resources';
import { FAULTS, type Fault, type Watched } from './operator-process';
import { POD_CHANGES, type PodChange } from './nodes';
import { APPLICATION, MANY_CALLS, TARGETS, type Behind, type Target, type World } from './world';

/** Step of a sequence. */
export type Action =
  | { readonly do: 'work'; readonly calls: number; readonly fault?: Fault; readonly at: Target | number; readonly which: number }
  | { readonly do: 'work until'; readonly call: Target }
  | { readonly do: 'settle' }
  | { readonly do: 'create'; readonly spec: object }
  | { readonly do: 'edit'; readonly spec: object }
  | { readonly do: 'suspend'; readonly suspend: boolean }
  | { readonly do: 'delete' | 'collect garbage' | 'foreign pod' | 'no foreign pod' | 'late call' }
  | { readonly do: 'fail over'; readonly behind: Behind }
  | { readonly do: 'pod'; readonly which: number; readonly changes: readonly PodChange[] }
  | { readonly do: 'executors'; readonly count: number; readonly change: 'Running' | 'Failed' | 'Succeeded' | 'go' }
  | { readonly do: 'lag'; readonly applications: number; readonly pods: number }
  | { readonly do: 'advance'; readonly seconds: number }
  | { readonly do: 'set clock'; readonly seconds: number }
  | { readonly do: 'take over'; readonly behind: Behind; readonly catchesUp: readonly Watched[]; readonly changes: readonly PodChange[] }
  | { readonly do: 'restart'; readonly callHappens: boolean; readonly behind: Behind }
  | { readonly do: 'wake'; readonly calls: number; readonly catchesUp: readonly Watched[]; readonly leads: boolean };

/** Whole sequence. */
export interface Sequence {
  readonly spec: object;
  readonly actions: readonly Action[];
  /** How drivers end without further disturbance; those after the last fate succeed. */
  readonly fates: readonly PodChange[];
}

const POD_NAMES = ['other-driver', undefined];

const content = fc.record({
  image: fc.constantFrom('image:1', 'image:2', 'image:3'),
  driver: fc.constantFrom<object>({}, {}, ...POD_NAMES.map((podName) => ({ podName }))),
  mainApplicationFile: fc.oneof(
    { weight: 20, arbitrary: fc.constant('local:///pi.py') }, { weight: 1, arbitrary: fc.constant('/not/a/uri.py') },
  ),
});
const restartPolicy = fc.oneof(
  fc.constant({}),
  fc.record({
    type: fc.constantFrom(...Object.values(RestartPolicyType), RestartPolicyType.ON_FAILURE),
    onFailureRetries: fc.constantFrom(undefined, 0, 1, 2),
    onSubmissionFailureRetries: fc.constantFrom(undefined, 0, 1, 2),
    onFailureRetryInterval: fc.constantFrom(undefined, 20),
    backoff: fc.constantFrom(
      undefined, undefined, { type: BackoffType.EXPONENTIAL }, { type: BackoffType.EXPONENTIAL, maxInterval: 30, resetAfter: 60 },
    ),
  }),
);
const timeToLiveSeconds = fc.constantFrom(undefined, undefined, undefined, 0, 60, 3600);
const how = fc.record({
  restartPolicy,
  timeToLiveSeconds,
  activeDeadlineSeconds: fc.constantFrom(undefined, undefined, 90),
  suspend: fc.constantFrom(undefined, undefined, undefined, true),
});
const created = fc.tuple(content, how).map((parts) => Object.assign({}, ...parts) as object);

const USUAL: readonly PodChange[] = ['schedule', 'run', 'succeed', 'fail', 'go'];
const podChanges = fc.oneof(
  { weight: 2, arbitrary: fc.constant<PodChange[]>(['schedule', 'run']) },
  { weight: 1, arbitrary: fc.constant<PodChange[]>(['schedule', 'run', 'fail']) },
  { weight: 1, arbitrary: fc.constant<PodChange[]>(['schedule', 'run', 'succeed']) },
  { weight: 1, arbitrary: fc.constant<PodChange[]>(['schedule', 'run', 'unknown']) },
  { weight: 1, arbitrary: fc.constant<PodChange[]>(['known again', 'succeed']) },
  { weight: 3, arbitrary: fc.constantFrom(...USUAL).map((change) => [change]) },
  { weight: 3, arbitrary: fc.constantFrom(...POD_CHANGES).map((change) => [change]) },
);

const behind = fc.record({ sparkapplications: fc.constantFrom(0, 0, 1, 2), pods: fc.constantFrom(0, 0, 1, 2, 3) });
const caughtUp = fc.constantFrom<Watched[]>([], ['pods'], ['sparkapplications'], ['sparkapplications', 'pods']);

const actions: fc.Arbitrary<Action>[] = [
  fc.record({
    do: fc.constant('work' as const),
    calls: fc.integer({ min: 1, max: 8 }),
    fault: fc.constantFrom(...FAULTS),
    at: fc.nat(7),
    which: fc.nat(3),
  }),
  fc.record({
    do: fc.constant('work' as const),
    calls: fc.integer({ min: 1, max: 16 }),
    fault: fc.constantFrom(...FAULTS),
    at: fc.constantFrom(...TARGETS),
    which: fc.nat(3),
  }),
  fc.record({ do: fc.constant('work until' as const), call: fc.constantFrom(...TARGETS) }),
  fc.record({ do: fc.constant('work' as const), calls: fc.integer({ min: 1, max: 8 }), at: fc.constant(0), which: fc.nat(3) }),
  fc.constant({ do: 'settle' }),
  fc.record({ do: fc.constant('pod' as const), which: fc.nat(2), changes: podChanges }),
  fc.record({ do: fc.constant('advance' as const), seconds: fc.constantFrom(1, 10, 10, 60, 130, 400, 4000) }),
  fc.record({ do: fc.constant('edit' as const), spec: content }),
  fc.record({ do: fc.constant('suspend' as const), suspend: fc.boolean() }),
  fc.record({ do: fc.constant('restart' as const), callHappens: fc.boolean(), behind }),
  fc.record({ do: fc.constant('lag' as const), applications: fc.nat(3), pods: fc.nat(3) }),
  fc.record({ do: fc.constant('wake' as const), calls: fc.integer({ min: 1, max: 12 }), catchesUp: caughtUp, leads: fc.boolean() }),
  fc.record({ do: fc.constant('fail over' as const), behind }),
  fc.record({ do: fc.constant('take over' as const), behind, catchesUp: caughtUp, changes: podChanges }),
  fc.record({ do: fc.constant('edit' as const), spec: fc.record({ timeToLiveSeconds }) }),
  fc.record({
    do: fc.constant('executors' as const),
    count: fc.integer({ min: 1, max: 4 }),
    change: fc.constantFrom('Running', 'Failed', 'Succeeded', 'go'),
  }),
  fc.record({ do: fc.constant('create' as const), spec: created }),
  fc.constantFrom<Action>(
    { do: 'delete' }, { do: 'collect garbage' }, { do: 'foreign pod' }, { do: 'no foreign pod' }, { do: 'late call' },
  ),
  fc.record({ do: fc.constant('set clock' as const), seconds: fc.constantFrom(0, 0, -3600, 3600, -90, 90) }),
];
const WEIGHTS = [5, 4, 5, 3, 14, 14, 6, 3, 3, 2, 2, 3, 2, 2, 1, 2, 1, 3, 1];

export const sequences: fc.Arbitrary<Sequence> = fc.record({
  spec: created,
  actions: fc.array(
    fc.oneof(...actions.map((arbitrary, index) => ({ weight: WEIGHTS[index]!, arbitrary }))), { maxLength: 40, size: 'max' },
  ),
  fates: fc.array(
    fc.constantFrom<PodChange>('succeed', 'fail', 'evict', 'succeed beside a sidecar', 'fail beside a sidecar', 'delete'), { maxLength: 3 },
  ),
});

const BASE = { type: 'Python', sparkVersion: '4.1.1', mode: 'cluster', executor: {} };

export async function perform(world: World, action: Action): Promise<void> {
  const { server, nodes } = world;
  switch (action.do) {
    case 'work': return world.work(world.leader, action.calls, action);
    case 'work until': return world.workUntil(world.leader, action.call);
    case 'settle': return world.work(world.leader, MANY_CALLS);
    case 'create': return create(world, action.spec);
    case 'edit': return edit(world, action.spec);
    case 'suspend': return edit(world, { suspend: action.suspend });
    case 'delete':
      if (world.application) server.delete('kubectl', SPARK_APPLICATIONS, APPLICATION);
      return;
    case 'collect garbage': return void server.collectGarbage();
    case 'foreign pod': return foreignPod(world);
    case 'no foreign pod': return removeForeignPods(world);
    case 'pod': {
      for (const change of action.changes) {
        const drivers = nodes.drivers();
        if (drivers.length > 0) nodes.happen(drivers[action.which % drivers.length]!, change);
      }
      return;
    }
    case 'executors':
      for (const driver of nodes.drivers()) nodes.executors(driver, action.count, action.change);
      return;
    case 'lag': return void Object.assign(world.leader.lag, { sparkapplications: action.applications, pods: action.pods });
    case 'advance': return world.clock.advance(action.seconds * 1000);
    case 'set clock': return world.clock.set(action.seconds * 1000);
    case 'restart': return world.restart(action.callHappens, action.behind);
    case 'fail over': return world.failOver(action.behind);
    case 'take over': return takeOver(world, action);
    case 'late call': return late(world);
    case 'wake':
      if (!world.paused) return;
      world.paused.leads = action.leads;
      world.paused.watch(action.catchesUp);
      return world.work(world.paused, action.calls);
  }
}

export function create(world: World, spec: object): void {
  if (!world.application) {
    world.server.create(
      'kubectl', SPARK_APPLICATIONS, { kind: SPARK_APPLICATIONS.kind, metadata: APPLICATION, spec: { ...BASE, ...spec } },
    );
  }
}

export function edit({ server, application }: World, change: object): void {
  // Undefined fields are left out, as kubectl does.
  if (application) {
    server.update('kubectl', SPARK_APPLICATIONS, { ...application, spec: JSON.parse(JSON.stringify({ ...application.spec, ...change })) });
  }
}

/** Lets another process take over and continue, before the paused one makes its pending call. */
async function takeOver(world: World, { behind: of, catchesUp, changes }: Extract<Action, { do: 'take over' }>): Promise<void> {
  const happen = (change: PodChange) => world.nodes.drivers().forEach((pod) => world.nodes.happen(pod, change));
  world.failOver(of);
  happen('go');
  await world.work(world.leader, MANY_CALLS);
  changes.forEach(happen);
  await world.work(world.leader, MANY_CALLS);
  world.paused!.watch(catchesUp);
  await world.work(world.paused!, MANY_CALLS);
}

/** Lets a late call reach the server. */
export function late({ late: calls }: World): void {
  try {
    calls.shift()?.();
  } catch (error) {
    if ((error as Error).name !== 'ApiError') throw error;
  }
}

function foreignPod(world: World): void {
  const ref = { namespace: APPLICATION.namespace, name: world.application?.spec.driver.podName ?? 'pi-driver' };
  world.ledger.hadFailures = true;
  if (world.server.find(PODS, ref)) return;
  // A user has copied the labels.
  const labels = { [LABEL_APP_NAME]: APPLICATION.name, [LABEL_LAUNCHED_BY]: 'true', [LABEL_SPARK_ROLE]: 'driver' };
  world.server.create('kubectl', PODS, { metadata: { ...ref, labels }, spec: { nodeName: 'node', containers: [{}] } });
}

export function removeForeignPods({ server }: World): void {
  for (const { metadata } of server.all(PODS)) if (!metadata.ownerReferences) server.remove('kubectl', PODS, metadata);
}
