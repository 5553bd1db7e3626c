import { Duration } from 'cdk8s';
import { SparkApplicationType } from '../../src';
import { isForbidden, isNotFound, type SparkApplicationObject } from '../../src/client';
import { ApiError } from '../../src/kube/errors';
import { World } from './world';

const PROPS = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/spark/pi.py' };

let world: World;
let pi: SparkApplicationObject;
beforeEach(async () => {
  world = new World();
  pi = await world.client.submit('pi', PROPS);
});
afterEach(() => world.client.close());

/** The states that a watch tells of; after each the next step is done. */
async function statesSeen(sights: AsyncIterable<SparkApplicationObject>, steps: (() => void)[]): Promise<(string | undefined)[]> {
  const states: (string | undefined)[] = [];
  for await (const { status } of sights) {
    states.push(status?.applicationState?.state);
    steps.shift()?.();
  }
  return states;
}

describe('watch', () => {
  test('tells each state, over a lost watch, until the application is deleted', async () => {
    const seen = await statesSeen(world.client.watch('pi'), [
      () => world.state('pi', 'SUBMITTED'),
      () => {
        world.breakWatches();
        world.state('pi', 'RUNNING');
      },
      () => world.state('pi', 'COMPLETED'),
      () => world.delete('pi'),
    ]);
    expect(seen).toEqual([undefined, 'SUBMITTED', 'RUNNING', 'COMPLETED']);
  });

  test('spares who is slow what is past', async () => {
    const seen = await statesSeen(world.client.watch('pi'), [
      () => ['SUBMITTED', 'RUNNING', 'COMPLETED'].forEach((state) => world.state('pi', state)),
      () => world.delete('pi'),
    ]);
    // Who has read the first state may be told of the next before the rest is there.
    expect(seen[0]).toBeUndefined();
    expect(seen.at(-1)).toBe('COMPLETED');
  });

  test('tells the end of what ended and was deleted at once', async () => {
    const seen = await statesSeen(world.client.watch('pi'), [() => {
      world.state('pi', 'COMPLETED');
      world.delete('pi');
    }]);
    expect(seen).toEqual([undefined, 'COMPLETED']);
  });

  test('ends with the application, not with its name', async () => {
    const seen: string[] = [];
    for await (const { metadata } of world.client.watch('pi')) {
      seen.push(metadata.uid);
      world.delete('pi');
      await world.client.submit('pi', PROPS);
    }
    expect(seen).toEqual([pi.metadata.uid]);
  });

  test('of an application that is not there, or may not be looked at, says so', async () => {
    const first = async (name: string) => world.client.watch(name).next().catch((thrown: unknown) => thrown);
    expect(isNotFound(await first('nothing'))).toBe(true);
    world.fail('list', new ApiError({ verb: 'list', resource: 'sparkapplications' }, 403, { reason: 'Forbidden' }));
    expect(isForbidden(await first('pi'))).toBe(true);
  });

  test('can be ended by a signal, and ends with the client', async () => {
    const abortion = new AbortController();
    const sights = world.client.watch('pi', { signal: abortion.signal });
    await sights.next();
    const waiting = sights.next();
    abortion.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');

    const others = world.client.watch('pi');
    await others.next();
    const second = others.next();
    world.client.close();
    await expect(second).rejects.toThrow('the client is closed');
  });

  test('of all tells what comes, changes and goes', async () => {
    const events: string[] = [];
    const steps = [() => void world.client.submit('e', { ...PROPS, metadata: { labels: { team: 'data' } } }), () => world.state('e', 'RUNNING'), () => world.delete('e')];
    for await (const { type, application } of world.client.watchAll()) {
      events.push(`${type} ${application.metadata.name}`);
      const step = steps.shift();
      if (!step) break;
      step();
    }
    expect(events).toEqual(['added pi', 'added e', 'updated e', 'deleted e']);
  });
});

describe('wait', () => {
  test('for an end, over a retry', async () => {
    const result = world.client.wait(pi);
    await world.arrival('list sparkapplications');
    for (const state of ['SUBMITTED', 'RUNNING', 'FAILING', 'PENDING_RERUN', 'RUNNING']) world.state('pi', state);
    world.state('pi', 'COMPLETED', { executionAttempts: 2, submissionAttempts: 2 });

    expect(await result).toMatchObject({ outcome: 'completed', attempts: 2 });
  });

  test('a failure is a result', async () => {
    world.status('pi', { applicationState: { state: 'FAILED', errorMessage: 'driver container failed with ExitCode: 1, Reason: Error; the input is missing' } });

    expect(await world.client.wait('pi')).toMatchObject({ outcome: 'failed', exitCode: 1, reason: expect.stringContaining('the input is missing') });
  });

  test('what ended and was deleted at once has ended', async () => {
    const result = world.client.wait('pi');
    await world.arrival('list sparkapplications');
    world.state('pi', 'COMPLETED');
    world.delete('pi');

    expect(await result).toMatchObject({ outcome: 'completed' });
  });

  test('until it runs, or what else is asked for', async () => {
    world.state('pi', 'RUNNING');
    expect(await world.client.wait('pi', { until: 'running' })).toMatchObject({ outcome: 'reached' });
    world.state('pi', 'SUSPENDED');
    expect(await world.client.wait('pi', { until: ({ status }) => status?.applicationState?.state === 'SUSPENDED' })).toMatchObject({ outcome: 'reached' });
  });

  test('until it runs, however short that is', async () => {
    const result = world.client.wait('pi', { until: 'running' });
    await world.arrival('list sparkapplications');
    world.state('pi', 'RUNNING');
    world.state('pi', 'COMPLETED');

    expect(await result).toMatchObject({ outcome: 'reached', application: { status: { applicationState: { state: 'RUNNING' } } } });
  });

  test('until the time is over', async () => {
    const result = world.client.wait('pi', { timeout: Duration.hours(1) });
    await world.arrival('list sparkapplications');
    world.state('pi', 'RUNNING');
    for await (const { status } of world.client.watch('pi')) if (status) break;
    world.timeIsOver();

    expect(await result).toMatchObject({ outcome: 'timed out', application: { metadata: { name: 'pi' } } });
  });

  test('one that is deleted meanwhile, or was before', async () => {
    const result = world.client.wait('pi');
    await world.arrival('list sparkapplications');
    world.state('pi', 'RUNNING');
    world.delete('pi');

    expect(await result).toMatchObject({ outcome: 'deleted', application: { metadata: { name: 'pi' } } });
    expect(await world.client.wait(pi)).toEqual({ outcome: 'deleted' });
    await world.client.submit('pi', PROPS);
    expect(await world.client.wait(pi)).toEqual({ outcome: 'deleted' });
  });

  test('after a rerun for the end of the new run', async () => {
    world.state('pi', 'COMPLETED', { executionAttempts: 1 });
    const result = world.client.wait(await world.client.rerun('pi'));
    await world.arrival('list sparkapplications');
    world.state('pi', 'RUNNING', { executionAttempts: 1 });
    world.status('pi', { applicationState: { state: 'FAILED', errorMessage: 'second' } });

    expect(await result).toMatchObject({ outcome: 'failed', reason: 'second' });
  });
});

describe('what is done to an application', () => {
  test('suspend, resume, rerun', async () => {
    expect((await world.client.suspend('pi')).spec.suspend).toBe(true);
    expect((await world.client.resume(pi)).spec.suspend).toBe(false);
    const { spec } = await world.client.rerun({ name: 'pi', namespace: 'jobs' });
    expect(spec.driver).toMatchObject({ serviceAccount: 'spark', annotations: { 'sparkoperator.k8s.io/rerun-at': '2026-03-01T10:00:00.000Z' } });
  });

  test.each(['request lost', 'answer lost'] as const)('%s: it is done all the same', async (fault) => {
    world.fail('patch', fault);
    expect((await world.client.suspend('pi')).spec.suspend).toBe(true);
    world.fail('delete', fault);
    await world.client.cancel('pi');
    expect(world.application('pi')).toBeUndefined();
  });

  test('cancel deletes, or suspends with keep; what is gone already is fine', async () => {
    await world.client.cancel('pi', { keep: true });
    expect(world.application('pi')?.spec.suspend).toBe(true);
    await world.client.cancel('pi');
    await world.client.cancel('pi');
    expect(world.application('pi')).toBeUndefined();
  });

  test('an application that the client has given is meant, not another one of its name', async () => {
    world.delete('pi');
    const other = await world.client.submit('pi', PROPS);
    await world.client.cancel(pi);
    await world.client.cancel(pi, { keep: true });

    expect(world.application('pi')).toMatchObject({ metadata: { uid: other.metadata.uid } });
    expect(world.application('pi')?.spec.suspend).toBeUndefined();
    expect(isNotFound(await world.client.get(pi).catch((thrown: unknown) => thrown))).toBe(true);
  });
});

test('list selects by labels and namespace', async () => {
  await world.client.submit({ name: 'e', labels: { team: 'data' } }, PROPS);
  await world.client.submit({ name: 'other', namespace: 'elsewhere' }, PROPS);
  const names = async (selection?: object) => (await world.client.list(selection)).map(({ metadata }) => metadata.name);

  expect(await names()).toEqual(['pi', 'e']);
  expect(await names({ labelSelector: 'team=data' })).toEqual(['e']);
  expect(await names({ allNamespaces: true })).toEqual(['pi', 'e', 'other']);
});
