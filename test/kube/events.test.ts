import { ApiError, NetworkError } from '../../src/kube/errors';
import { type EventDescription, EventRecorder, type EventRecorderOptions, EVENTS, type KubeEvent, preciseTime, referenceTo, timeInName } from '../../src/kube/events';
import { ManualClock, settle } from './helpers/manual-clock';
import { MemoryLogger } from './helpers/memory-logger';
import { thing, THINGS } from './helpers/things';

const CALL = { verb: 'create', resource: 'events' };
const PI = referenceTo(THINGS, thing('pi', 7));
const SUBMITTED: EventDescription = { type: 'Normal', reason: 'Submitted', action: 'Submit', note: 'driver pi-driver was created' };

/** Creates a recorder, the events of the server, and the server's behaviour. */
function newRecorder(options: Partial<EventRecorderOptions> = {}) {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const logger = new MemoryLogger();
  const written = new Map<string, KubeEvent>();
  const calls: string[] = [];
  const faults: unknown[] = [];
  const misbehave = () => {
    const fault = faults.shift();
    if (fault instanceof Promise) return fault;
    if (fault) throw fault;
    return undefined;
  };
  const client = {
    create: async (_: unknown, event: KubeEvent) => {
      calls.push('create');
      await misbehave();
      written.set(event.metadata.name, event);
      return event;
    },
    patch: async (_: unknown, { name }: { name: string }, { body }: { body: Partial<KubeEvent> }) => {
      calls.push('patch');
      await misbehave();
      const event = { ...written.get(name)!, ...body };
      written.set(name, event);
      return event;
    },
  } as unknown as EventRecorderOptions['client'];
  const recorder = new EventRecorder({
    client, reportingController: 'operator', reportingInstance: 'operator-0', logger, clock, ...options,
  });
  return { clock, logger, recorder, calls, faults, events: () => [...written.values()] };
}

describe('an event recorder', () => {
  test('writes an event about an object', async () => {
    const { recorder, events } = newRecorder();
    recorder.record(PI, { ...SUBMITTED, related: { kind: 'Pod', name: 'pi-driver' } });
    expect(await recorder.flush()).toBe(true);
    expect(events()).toEqual([{
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: 'default', name: expect.stringMatching(/^pi\.[0-9a-f]{18}$/) },
      involvedObject: { apiVersion: 'test.dev/v1', kind: 'Thing', namespace: 'default', name: 'pi', uid: 'uid-pi', resourceVersion: '7' },
      related: { kind: 'Pod', name: 'pi-driver' },
      type: 'Normal',
      reason: 'Submitted',
      action: 'Submit',
      message: 'driver pi-driver was created',
      count: 1,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      source: { component: 'operator' },
      reportingComponent: 'operator',
      reportingInstance: 'operator-0',
    }]);
    expect(EVENTS.group).toBe('');
  });

  test('names events in the order of their times', async () => {
    const { recorder, events, clock } = newRecorder();
    for (let i = 0; i < 300; i++) {
      recorder.record(PI, { ...SUBMITTED, note: `${i}` });
      if (i % 50 === 0) clock.advance(1);
    }
    await recorder.flush();
    const sorted = events().sort((a, b) => a.metadata.name < b.metadata.name ? -1 : 1);
    expect(sorted.map(({ message }) => Number(message))).toEqual([...Array(300).keys()]);
    expect(Math.floor(timeInName(sorted[0]!.metadata.name)!)).toBe(Date.UTC(2026, 0, 1));
    expect(timeInName('pi.17')).toBeUndefined();
    // The fraction of a second applies only within the second of the timestamp: a later count has a later one.
    const event = { metadata: { name: 'pi' }, eventTime: '2026-01-01T00:00:00.250000Z' };
    expect([0, 1_000].map((later) => preciseTime(event, Date.UTC(2026, 0, 1) + later) - Date.UTC(2026, 0, 1))).toEqual([250, 1_000]);
  });

  test('keeps the limits of names and notes', async () => {
    const { recorder, events } = newRecorder();
    recorder.record({ ...PI, name: `${'a'.repeat(233)}.${'b'.repeat(10)}` }, { ...SUBMITTED, note: '€'.repeat(1_000) });
    recorder.record({ kind: 'Node', name: 'n1' }, SUBMITTED);
    await recorder.flush();
    const [long, cluster] = events();
    expect(long!.metadata.name).toMatch(/^a{233}\.[0-9a-f]{18}$/);
    expect(Buffer.byteLength(long!.message)).toBeLessThanOrEqual(1_024);
    expect(long!.message).toBe(`${'€'.repeat(340)}…`);
    expect(cluster!.metadata.namespace).toBe('default');
  });

  test('merges equal events into one with a count, written at intervals', async () => {
    const { recorder, events, calls, clock } = newRecorder();
    recorder.record(PI, SUBMITTED);
    await settle();
    clock.advance(5_000);
    recorder.record(PI, SUBMITTED);
    await settle();
    expect(calls).toEqual(['create']);
    clock.advance(4_000);
    recorder.record(PI, SUBMITTED);
    await clock.advanceAsync(1_000);
    expect(calls).toEqual(['create', 'patch']);
    expect(events()).toMatchObject([{ count: 3, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:09Z' }]);
    recorder.record(PI, SUBMITTED);
    await recorder.flush();
    expect(events()).toMatchObject([{ count: 4 }]);
    expect(clock.pending).toBe(0);
  });

  test('writes a count that increased during a write after the interval, without a further event', async () => {
    let release!: () => void;
    const { recorder, faults, calls, clock, events } = newRecorder();
    faults.push(new Promise<void>((resolve) => { release = resolve; }));
    recorder.record(PI, SUBMITTED);
    recorder.record(PI, SUBMITTED);
    release();
    await settle();
    expect(events()).toMatchObject([{ count: 1 }]);
    await clock.advanceAsync(3_600_000);
    expect(calls).toEqual(['create', 'patch']);
    expect(events()).toMatchObject([{ count: 2 }]);
  });

  test('a dropped event is not retried', async () => {
    const { recorder, faults, calls, clock } = newRecorder();
    faults.push(new ApiError(CALL, 403));
    recorder.record(PI, SUBMITTED);
    recorder.record(PI, SUBMITTED);
    await clock.advanceAsync(3_600_000);
    expect(calls).toEqual(['create']);
  });

  test('creates a new event for a different one, and for an equal one after ten minutes', async () => {
    const { recorder, events, clock } = newRecorder();
    recorder.record(PI, SUBMITTED);
    recorder.record(PI, { ...SUBMITTED, note: 'other' });
    recorder.record({ ...PI, uid: 'other' }, SUBMITTED);
    clock.advance(600_000);
    recorder.record(PI, SUBMITTED);
    await recorder.flush();
    expect(events().length).toBe(4);
  });

  test('creates the event again when the server has expired it', async () => {
    const { recorder, faults, calls, clock, events } = newRecorder();
    recorder.record(PI, SUBMITTED);
    await settle();
    clock.advance(500_000);
    faults.push(new ApiError(CALL, 404));
    recorder.record(PI, SUBMITTED);
    const flushed = recorder.flush();
    await clock.advanceAsync(1_000);
    expect(await flushed).toBe(true);
    expect(calls).toEqual(['create', 'patch', 'create']);
    expect(events()).toMatchObject([{ count: 2 }]);
  });

  test('retries transient failures; an attempt whose answer was lost has succeeded', async () => {
    const { recorder, faults, calls, clock } = newRecorder();
    faults.push(new NetworkError(CALL, 'ECONNRESET', 'reset'), new ApiError(CALL, 409, { reason: 'AlreadyExists' }));
    recorder.record(PI, SUBMITTED);
    const flushed = recorder.flush();
    await clock.advanceAsync(1_000);
    expect(await flushed).toBe(true);
    expect(calls).toEqual(['create', 'create']);
    expect(recorder.dropped).toBe(0);
  });

  test('drops an event that cannot succeed, and warns once a minute', async () => {
    const onDropped = jest.fn();
    const { recorder, faults, logger, events } = newRecorder({ onDropped });
    faults.push(new ApiError(CALL, 403), new ApiError(CALL, 403));
    recorder.record(PI, SUBMITTED);
    recorder.record(PI, { ...SUBMITTED, note: 'other' });
    expect(await recorder.flush()).toBe(true);
    expect(recorder.dropped).toBe(2);
    expect(onDropped).toHaveBeenCalledTimes(2);
    expect(logger.lines).toEqual(['warn an event could not be written']);
    recorder.record(PI, SUBMITTED);
    await recorder.flush();
    expect(events().length).toBe(1);
  });

  test('drops an event after some attempts', async () => {
    const { recorder, faults, calls, clock } = newRecorder();
    for (let i = 0; i < 10; i++) faults.push(new ApiError(CALL, 503));
    recorder.record(PI, SUBMITTED);
    const flushed = recorder.flush(60_000);
    await clock.advanceAsync(59_000);
    expect(await flushed).toBe(true);
    expect(calls.length).toBe(4);
    expect(recorder.dropped).toBe(1);
  });

  test('drops the oldest event when too many wait', async () => {
    let release!: () => void;
    const { recorder, faults, events } = newRecorder({ capacity: 2, concurrency: 1 });
    faults.push(new Promise<void>((resolve) => { release = resolve; }));
    ['written', 'lost', 'kept', 'kept too'].forEach((note) => recorder.record(PI, { ...SUBMITTED, note }));
    expect(recorder.dropped).toBe(1);
    release();
    await recorder.flush();
    expect(events().map(({ message }) => message)).toEqual(['written', 'kept', 'kept too']);
  });

  test('writes events of namespaces in turns, and drops those of the namespace with most', async () => {
    let release!: () => void;
    const { recorder, faults, events } = newRecorder({ capacity: 100, concurrency: 1 });
    faults.push(new Promise<void>((resolve) => { release = resolve; }));
    const record = (namespace: string, note: string) => recorder.record({ ...PI, namespace }, { ...SUBMITTED, note });
    for (let index = 0; index < 1_000; index++) {
      if (index === 1) record('quiet', 'first');
      record('flooding', `flood-${index}`);
    }
    record('quiet', 'second');
    // One is being written, 100 wait.
    expect(recorder.dropped).toBe(901);
    release();
    await recorder.flush();
    expect(events().slice(0, 5).map(({ message }) => message)).toEqual(['flood-0', 'first', 'flood-902', 'second', 'flood-903']);
    expect(events()).toHaveLength(101);
  });

  test('flushes a count that increased during a write', async () => {
    let release!: () => void;
    const { recorder, faults, events } = newRecorder();
    faults.push(new Promise<void>((resolve) => { release = resolve; }));
    recorder.record(PI, SUBMITTED);
    recorder.record(PI, SUBMITTED);
    const flushed = recorder.flush();
    release();
    expect(await flushed).toBe(true);
    expect(events()).toMatchObject([{ count: 2 }]);
  });

  test('does not delay a shutdown', async () => {
    const { recorder, faults, clock } = newRecorder();
    faults.push(new Promise(() => {}));
    recorder.record(PI, SUBMITTED);
    const flushed = recorder.flush(3_000);
    await clock.advanceAsync(3_000);
    expect(await flushed).toBe(false);
  });

  test('never throws', () => {
    const { recorder } = newRecorder();
    recorder.record(undefined as never, SUBMITTED);
    recorder.record(PI, { ...SUBMITTED, note: undefined as never });
    expect(recorder.dropped).toBe(2);
  });

  test('keeps a bounded number of events', async () => {
    const { recorder } = newRecorder();
    for (let i = 0; i < 10_000; i++) {
      recorder.record(PI, { ...SUBMITTED, note: `${i}` });
      if (i % 500 === 0) await recorder.flush();
    }
    await recorder.flush();
    expect((recorder as unknown as { recent: Map<string, unknown> }).recent.size).toBe(4_096);
  });
});

test('keeps only the truncated note: events that differ beyond it are equal', async () => {
  const { recorder, events } = newRecorder();
  const note = 'x'.repeat(2_000_000);
  recorder.record(PI, { ...SUBMITTED, note: `${note}a` });
  recorder.record(PI, { ...SUBMITTED, note: `${note}b` });
  const [key] = (recorder as unknown as { recent: Map<string, unknown> }).recent.keys();
  expect(key!.length).toBeLessThan(2_000);
  await recorder.flush();
  expect(events()).toMatchObject([{ count: 2 }]);
});
