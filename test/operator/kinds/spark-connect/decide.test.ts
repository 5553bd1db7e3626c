/* The state machine of a SparkConnect, one step each. */
import fc from 'fast-check';
import { SparkConnectState } from '../../../../src/api/spark-connect-status';
import type { PodView } from '../../../../src/model/pod-view';
import { decide } from '../../../../src/operator/kinds/spark-connect/decide';
import type { Observation, Server } from '../../../../src/operator/kinds/spark-connect/decision';
import type { SparkConnect } from '../../../../src/model/spark-connect';
import { revisionOf } from '../../../../src/plan/connect/revision';
import { SPEC } from './operator';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const BEGIN = '2026-03-01T11:00:00Z';

const connectOf = (spec: object, status: object | undefined, generation = 1) => ({
  metadata: { name: 'nb', namespace: 'jobs', uid: 'connect', generation }, spec: { ...SPEC, ...spec }, status,
}) as SparkConnect;
const podOf = (more: Partial<PodView> = {}, metadata: object = {}): PodView => ({
  metadata: {
    name: 'nb-server', namespace: 'jobs', uid: 'pod', labels: {
      'sparkoperator.k8s.io/revision': revisionOf(connectOf({}, undefined)),
    }, ...metadata,
  }, phase: 'Running', startTime: BEGIN, podIP: '10.0.0.7', isReady: false, ...more,
});
const ours = (more?: Partial<PodView>, metadata?: object): Server => ({ kind: 'ours', pod: podOf(more, metadata) });
const earlier = (more?: Partial<PodView>, metadata?: object): Server => ({ kind: 'earlier', pod: podOf(more, metadata) });
const leaving = (uid: string, kind = 'SparkConnect'): Server => ({
  kind: 'leaving', pod: podOf({}, {
    deletionTimestamp: '2026-03-01T11:57:00Z', ownerReferences: [
      { apiVersion: 'sparkoperator.k8s.io/v1alpha1', kind, name: 'nb', uid, controller: true },
    ],
  }),
});
const ABSENT: Server = { kind: 'absent' };
const READY = { isReady: true };
const ENDED = { phase: 'Failed', terminated: { exitCode: 1, reason: 'Error', finishedAt: '2026-03-01T11:59:59Z' } };
const LEAVING = { deletionTimestamp: '2026-03-01T12:00:10Z' };
const STUCK = { phase: 'Pending', obstacle: { reason: 'ImagePullBackOff', message: 'no', passes: false } };

const withServer = (state: string, more: object = {}) => ({
  state, server: { podName: 'nb-server', podIp: '10.0.0.7' }, observedGeneration: 1, startTime: BEGIN, ...more,
});
const without = (state: string, more: object = {}) => ({ state, server: {}, observedGeneration: 1, startTime: BEGIN, ...more });
const because = (reason: string) => ({
  conditions: [{ type: 'ServerPodReady', status: 'False', reason, message: '', lastTransitionTime: BEGIN }],
});
const LATE = { startDeadlineTime: '2026-03-01T12:00:00Z' };
const WAITING = { restarts: 1, lastTerminationTime: '2026-03-01T11:59:59Z' };

interface Case {
  readonly spec?: object;
  readonly status?: object;
  readonly generation?: number;
  readonly server: Server;
  readonly more?: Partial<Observation>;
  /** The outcome: the state, the action, the reasons of events. */
  readonly comes: readonly [state: string | undefined, action?: string, ...events: string[]];
}

const CASES: Readonly<Record<string, Case>> = {
  'new: the status records the intent, and the server is created': { server: ABSENT, comes: ['Provisioning', 'start'] },
  'new, and refused: nothing is created': {
    server: ABSENT, more: { refusals: ['no'] }, comes: ['Failed', undefined, 'SparkConnectRefused'],
  },
  'new, and the limits cannot be read: it waits': {
    server: ABSENT, more: { undecidable: 'broken' }, comes: ['Provisioning', undefined, 'SparkConnectServerPending'],
  },
  'new, and to be suspended': { spec: { suspend: true }, server: ABSENT, comes: ['Suspended', undefined, 'SparkConnectSuspended'] },
  'provisioning without a server: it is created, or found': {
    status: without('Provisioning'), server: ABSENT, comes: [undefined, 'start'],
  },
  'provisioning, and the server was created': {
    status: without('Provisioning'), server: ours({ phase: 'Pending' }), comes: [undefined, undefined, 'SparkConnectServerStarted'],
  },
  'provisioning, and a previous pod is in the way': {
    status: without('Provisioning'), server: earlier(), comes: [undefined, 'delete-server'],
  },
  'provisioning, and a previous pod is being deleted': {
    status: without('Provisioning'), server: earlier({}, LEAVING), comes: [undefined],
  },
  'provisioning, and a previous pod stays': {
    status: without('Provisioning'), server: earlier({}, { deletionTimestamp: '2026-03-01T11:57:00Z' }),
    comes: [undefined, 'delete-server'],
  },
  'provisioning, and a foreign pod is in the way': {
    status: without('Provisioning'), server: { kind: 'foreign', pod: podOf() },
    comes: [undefined, undefined, 'SparkConnectServerPending'],
  },
  'provisioning, and the pod of a previous SparkConnect stays': {
    status: without('Provisioning'), server: leaving('before'), comes: [undefined, 'delete-server'],
  },
  'provisioning, and a foreign pod stays': {
    status: without('Provisioning'), server: leaving('other', 'StatefulSet'), comes: [undefined, undefined, 'SparkConnectServerPending'],
  },
  'provisioning, with a final failure': {
    status: without('Provisioning'), server: ABSENT, more: { failure: { reason: 'wrong', kind: 'final' } },
    comes: ['Failed', undefined, 'SparkConnectFailed'],
  },
  'provisioning, with a lasting failure': {
    status: without('Provisioning', LATE), server: ABSENT, more: { failure: { reason: 'no account', kind: 'lasting' } },
    comes: [undefined, undefined, 'SparkConnectServerPending'],
  },
  'the same with the policy Never': {
    spec: { restartPolicy: { type: 'Never' } }, status: without('Provisioning', LATE), server: ABSENT,
    more: { failure: { reason: 'no account', kind: 'lasting' } },
    comes: ['Failed', undefined, 'SparkConnectFailed'],
  },
  'provisioning, and the server starts': {
    status: withServer('Provisioning', because('ServerPodNotReady')), server: ours(), comes: [undefined],
  },
  'provisioning, and the image is missing': {
    status: withServer('Provisioning'), server: ours(STUCK), comes: [undefined, undefined, 'SparkConnectServerPending'],
  },
  'the same for too long': {
    status: withServer('Provisioning', LATE), server: ours(STUCK),
    comes: ['NotReady', undefined, 'SparkConnectServerFailed'],
  },
  'provisioning, and it takes connections': {
    status: withServer('Provisioning'), server: ours(READY), comes: ['Ready', undefined, 'SparkConnectServerReady'],
  },
  'ready, and it does not answer': {
    status: withServer('Ready'), server: ours(), comes: ['NotReady', undefined, 'SparkConnectServerNotReady'],
  },
  'the same for too long, after it answered': {
    status: withServer('NotReady', because('ServerNotAnswering')), server: ours(),
    comes: [undefined, undefined, 'SparkConnectServerFailed'],
  },
  'the same with the policy Never, after it answered': {
    spec: { restartPolicy: { type: 'Never' } }, status: withServer('NotReady', because('ServerNotAnswering')), server: ours(),
    comes: [undefined],
  },
  'not ready, and it answers again': {
    status: withServer('NotReady'), server: ours(READY), comes: ['Ready', undefined, 'SparkConnectServerReady'],
  },
  'ready, and it ends': { status: withServer('Ready'), server: ours(ENDED), comes: ['NotReady', undefined, 'SparkConnectServerFailed'] },
  'ready, and it ends, with the policy Never': {
    spec: { restartPolicy: { type: 'Never' } }, status: withServer('Ready'), server: ours(ENDED),
    comes: ['Failed', undefined, 'SparkConnectFailed'],
  },
  'ready, and it is gone': { status: withServer('Ready'), server: ABSENT, comes: ['NotReady', undefined, 'SparkConnectServerFailed'] },
  'ready, and its pod is being deleted': {
    status: withServer('Ready'), server: ours(READY, LEAVING), comes: ['NotReady', undefined, 'SparkConnectServerNotReady'],
  },
  'ready, and the node is unreachable': {
    status: withServer('Ready'), server: ours({ phase: 'Unknown' }), comes: ['NotReady', undefined, 'SparkConnectServerNotReady'],
  },
  'ready, and edited': {
    spec: { image: 'other' }, generation: 2, status: withServer('Ready'), server: ours(READY),
    comes: ['Provisioning', undefined, 'SparkConnectServerReplaced'],
  },
  'ready, and edited to an invalid specification': {
    spec: { image: 'other' }, generation: 2, status: withServer('Ready'), server: ours(READY), more: { refusals: ['no'] },
    comes: [undefined, undefined, 'SparkConnectRefused'],
  },
  'ready, and edited while the limits cannot be read': {
    spec: { image: 'other' }, generation: 2, status: withServer('Ready'), server: ours(READY), more: { undecidable: 'broken' },
    comes: [undefined],
  },
  'ready, and to be suspended': {
    spec: { suspend: true }, generation: 2, status: withServer('Ready'), server: ours(READY),
    comes: ['NotReady', undefined, 'SparkConnectSuspending'],
  },
  'waiting for the restart': { status: without('NotReady', WAITING), server: earlier(ENDED), comes: [undefined] },
  'the same, edited: at once': {
    spec: { image: 'other' }, generation: 2, status: without('NotReady', WAITING), server: earlier(ENDED), comes: [undefined],
  },
  'waiting, and the abandoned pod still runs': {
    status: without('NotReady', WAITING), server: earlier(STUCK), comes: [undefined, 'delete-server'],
  },
  'due for the restart': {
    status: without('NotReady', { ...WAITING, lastTerminationTime: BEGIN }), server: earlier(ENDED), comes: [undefined, 'delete-server'],
  },
  'suspending, and the server runs': {
    spec: { suspend: true }, status: without('NotReady', because('Suspending')), server: earlier(), comes: [undefined, 'delete-server'],
  },
  'suspending, and the server is gone': {
    spec: { suspend: true }, status: without('NotReady', because('Suspending')), server: ABSENT, comes: [undefined, 'clean-up'],
  },
  'suspending, and nothing is left': {
    spec: { suspend: true }, status: without('NotReady', because('Suspending')), server: ABSENT, more: { cleanedUp: true },
    comes: ['Suspended', undefined, 'SparkConnectSuspended'],
  },
  'suspended': { spec: { suspend: true }, status: without('Suspended'), server: ABSENT, comes: [undefined] },
  'suspended, and a creation comes late': {
    spec: { suspend: true }, status: without('Suspended'), server: ours({ phase: 'Pending' }), comes: [undefined, 'delete-server'],
  },
  'suspended, and to be resumed': {
    status: without('Suspended'), server: ABSENT, comes: ['Provisioning', undefined, 'SparkConnectResumed'],
  },
  'failed': { status: withServer('Failed', because('ServerFailed')), server: earlier(ENDED), comes: [undefined] },
  'failed, and a creation comes late': {
    status: withServer('Failed', because('ServerFailed')), server: earlier(), comes: [undefined, 'delete-server'],
  },
  'failed, and edited': {
    spec: { image: 'other' }, generation: 2, status: withServer('Failed', because('ServerFailed')), server: earlier(ENDED),
    comes: ['Provisioning', undefined, 'SparkConnectRetried'],
  },
  'refused, and still': {
    status: without('Failed', because('SpecRefused')), server: ABSENT, more: { refusals: ['no'] },
    comes: [undefined, undefined, 'SparkConnectRefused'],
  },
  'failed, and edited while the limits cannot be read': {
    spec: { image: 'other' }, generation: 2, status: without('Failed', because('ServerFailed')), server: ABSENT,
    more: { undecidable: 'broken' }, comes: ['Provisioning', undefined, 'SparkConnectRetried'],
  },
  'refused, and the limits cannot be read': {
    status: without('Failed', because('SpecRefused')), server: ABSENT, more: { undecidable: 'broken' }, comes: [undefined],
  },
  'refused, and now allowed': {
    status: without('Failed', because('SpecRefused')), server: ABSENT, comes: ['Provisioning', undefined, 'SparkConnectRetried'],
  },
  'of a later version': { status: { state: 'Hibernating' }, server: ABSENT, comes: [undefined, undefined, 'SparkConnectNotHandled'] },
};

const observe = ({ spec = {}, status, generation, server, more = {} }: Case): Observation => ({
  connect: connectOf(spec, status, generation), server, executors: [], refusals: [], ...more,
});
const CONTEXT = { now: NOW, startTimeout: 300_000 };

test.each(Object.entries(CASES))('%s', (_, given) => {
  const { entered, action, events } = decide(observe(given), CONTEXT);
  const [state, kind, ...reasons] = given.comes;
  expect([entered, action?.kind, ...events!.map(({ reason }) => reason)]).toEqual([state, kind, ...reasons]);
});

test('some case leaves each state, and some case enters it', () => {
  const states = Object.values(SparkConnectState);
  expect(new Set(Object.values(CASES).map(({ status }) => (status as { state?: string } | undefined)?.state ?? ''))).toEqual(
    new Set([...states, 'Hibernating']),
  );
  expect(new Set(Object.values(CASES).flatMap(({ comes: [state] }) => state ?? []))).toEqual(
    new Set(states.filter((state) => state !== SparkConnectState.NEW)),
  );
});

test('a waiting SparkConnect is requeued; only one at rest is not', () => {
  for (const [name, given] of Object.entries(CASES)) {
    const { requeueAfter, action, again, entered } = decide(observe(given), CONTEXT);
    const state = entered ?? (given.status as { state?: string } | undefined)?.state;
    const isAtRest = ['Failed', 'Suspended', 'Hibernating'].includes(state ?? '');
    if (!action && !again && !isAtRest) expect([name, requeueAfter! > 0 && requeueAfter! <= 300_000]).toEqual([name, true]);
  }
});

test('a decision on the written status writes nothing', () => {
  for (const [name, given] of Object.entries(CASES)) {
    const observation = observe(given);
    const { status, action, again } = decide(observation, CONTEXT);
    if (!status || action || again) continue;
    const next = decide({ ...observation, connect: { ...observation.connect, status } }, CONTEXT);
    expect([name, next.status, next.events]).toEqual([name, undefined, []]);
  }
});

test.each(['provisioning, with a lasting failure', 'the same with the policy Never', 'provisioning, and the image is missing'])('%s: the status has the deadline', (name) => {
  const given = CASES[name]!;
  const first = decide(observe({ ...given, status: { ...given.status, startDeadlineTime: undefined } }), CONTEXT).status;
  // A server that is started again is tried for ever.
  expect(first?.startDeadlineTime).toBe(name.endsWith('lasting failure') ? undefined : '2026-03-01T12:05:00Z');
});

test.each(['provisioning, and it takes connections', 'provisioning, and the server starts', 'the same for too long'])('%s: the deadline is gone', (name) => {
  const given = CASES[name]!;
  const { status } = decide(observe({ ...given, status: { ...given.status, ...LATE } }), CONTEXT);
  expect(status).toBeDefined();
  expect(status).not.toHaveProperty('startDeadlineTime');
});

test('an edit of a failed server keeps the time of its end; that of a server that could not be created is when it was given up', () => {
  const [ended, edited] = ['2026-03-01T11:50:00Z', { spec: { image: 'other' }, generation: 2, server: ABSENT }];
  const retried = decide(observe({ ...edited, status: { ...withServer('Failed', because('ServerFailed')), lastTerminationTime: ended }, comes: [undefined] }), CONTEXT);
  expect(retried).toMatchObject({ entered: 'Provisioning', status: { lastTerminationTime: ended } });
  const failure = { reason: 'no account', kind: 'final' } as const;
  const failed = decide(observe({ status: { ...without('Provisioning'), lastTerminationTime: ended }, server: ABSENT, more: { failure }, comes: [undefined] }), CONTEXT);
  expect(failed).toMatchObject({ entered: 'Failed', status: { lastTerminationTime: '2026-03-01T12:00:00Z' } });
});

test('each end leads to another start id, at any time', () => {
  fc.assert(fc.property(fc.constantFrom(...Object.values(CASES)), fc.option(fc.integer({
    min: -100_000, max: 100_000,
  })), (given, offset) => {
    const lastTerminationTime = offset === null ? undefined : new Date(NOW + offset * 1000).toISOString().replace('.000Z', 'Z');
    const status = given.status && { ...given.status, lastTerminationTime };
    const before = decide(observe({ ...given, status }), CONTEXT).status;
    const isOver = (given.status as any)?.server?.podName !== undefined && before !== undefined && before.server?.podName === undefined;
    // The next server of a failed one has another id since its end.
    if (!isOver || (given.status as any).state === 'Failed') return;
    expect(before.lastTerminationTime).toBeDefined();
    expect(before.lastTerminationTime).not.toBe(lastTerminationTime);
  }));
});
