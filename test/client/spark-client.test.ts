import { Duration } from 'cdk8s';
import { SparkApplicationType } from '../../src';
import { isForbidden, isNotFound, type SparkApplicationObject } from '../../src/client';
import { ApiError } from '../../src/kube/errors';
import { ClientFixture } from './client-fixture';

const PROPS = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///opt/spark/pi.py' };

let fixture: ClientFixture;
let pi: SparkApplicationObject;
beforeEach(async () => {
  fixture = new ClientFixture();
  pi = await fixture.client.submit('pi', PROPS);
});
afterEach(() => fixture.client.close());

/** Collects the states that a watch yields; after each the next step runs. */
async function statesSeen(sights: AsyncIterable<SparkApplicationObject>, steps: (() => void)[]): Promise<(string | undefined)[]> {
  const states: (string | undefined)[] = [];
  for await (const { status } of sights) {
    states.push(status?.applicationState?.state);
    steps.shift()?.();
  }
  return states;
}

describe('watch', () => {
  test('yields each state, across a lost watch, until the application is deleted', async () => {
    const seen = await statesSeen(fixture.client.watch('pi'), [
      () => fixture.state('pi', 'SUBMITTED'),
      () => {
        fixture.breakWatches();
        fixture.state('pi', 'RUNNING');
      },
      () => fixture.state('pi', 'COMPLETED'),
      () => fixture.delete('pi'),
    ]);
    expect(seen).toEqual([undefined, 'SUBMITTED', 'RUNNING', 'COMPLETED']);
  });

  test('yields only the newest state to a slow reader', async () => {
    const seen = await statesSeen(fixture.client.watch('pi'), [
      () => ['SUBMITTED', 'RUNNING', 'COMPLETED'].forEach((state) => fixture.state('pi', state)),
      () => fixture.delete('pi'),
    ]);
    // A reader that has read the first state might receive the next before the rest arrives.
    expect(seen[0]).toBeUndefined();
    expect(seen.at(-1)).toBe('COMPLETED');
  });

  test('yields the end of an application that ended and was deleted at once', async () => {
    const seen = await statesSeen(fixture.client.watch('pi'), [() => {
      fixture.state('pi', 'COMPLETED');
      fixture.delete('pi');
    }]);
    expect(seen).toEqual([undefined, 'COMPLETED']);
  });

  test('ends with the application, and not with its name', async () => {
    const seen: string[] = [];
    for await (const { metadata } of fixture.client.watch('pi')) {
      seen.push(metadata.uid);
      fixture.delete('pi');
      await fixture.client.submit('pi', PROPS);
    }
    expect(seen).toEqual([pi.metadata.uid]);
  });

  test('reports a missing application and a missing permission', async () => {
    const first = async (name: string) => fixture.client.watch(name).next().catch((thrown: unknown) => thrown);
    expect(isNotFound(await first('nothing'))).toBe(true);
    fixture.fail('list', new ApiError({ verb: 'list', resource: 'sparkapplications' }, 403, { reason: 'Forbidden' }));
    expect(isForbidden(await first('pi'))).toBe(true);
  });

  test('ends with its signal and with the client', async () => {
    const abortion = new AbortController();
    const sights = fixture.client.watch('pi', { signal: abortion.signal });
    await sights.next();
    const waiting = sights.next();
    abortion.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');

    const others = fixture.client.watch('pi');
    await others.next();
    const second = others.next();
    fixture.client.close();
    await expect(second).rejects.toThrow('the client is closed');
  });

  test('of all yields additions, changes and deletions', async () => {
    const events: string[] = [];
    const steps = [
      () => void fixture.client.submit('e', { ...PROPS, metadata: { labels: { team: 'data' } } }),
      () => fixture.state('e', 'RUNNING'), () => fixture.delete('e'),
    ];
    for await (const { type, application } of fixture.client.watchAll()) {
      events.push(`${type} ${application.metadata.name}`);
      const step = steps.shift();
      if (!step) break;
      step();
    }
    expect(events).toEqual(['added pi', 'added e', 'updated e', 'deleted e']);
  });
});

describe('wait', () => {
  test('resolves at the end, after a retry', async () => {
    const result = fixture.client.wait(pi);
    await fixture.arrival('list sparkapplications');
    for (const state of ['SUBMITTED', 'RUNNING', 'FAILING', 'PENDING_RERUN', 'RUNNING']) fixture.state('pi', state);
    fixture.state('pi', 'COMPLETED', { executionAttempts: 2, submissionAttempts: 2 });

    expect(await result).toMatchObject({ outcome: 'completed', attempts: 2 });
  });

  test('resolves to a failure as a result', async () => {
    fixture.status('pi', {
      applicationState: { state: 'FAILED', errorMessage: 'driver container failed with ExitCode: 1, Reason: Error; the input is missing' },
    });

    expect(await fixture.client.wait('pi')).toMatchObject({
      outcome: 'failed', exitCode: 1, reason: expect.stringContaining('the input is missing'),
    });
  });

  test('resolves when an application ended and was deleted at once', async () => {
    const result = fixture.client.wait('pi');
    await fixture.arrival('list sparkapplications');
    fixture.state('pi', 'COMPLETED');
    fixture.delete('pi');

    expect(await result).toMatchObject({ outcome: 'completed' });
  });

  test('resolves when it runs, or when a function returns true', async () => {
    fixture.state('pi', 'RUNNING');
    expect(await fixture.client.wait('pi', { until: 'running' })).toMatchObject({ outcome: 'reached' });
    fixture.state('pi', 'SUSPENDED');
    expect(await fixture.client.wait('pi', {
      until: ({ status }) => status?.applicationState?.state === 'SUSPENDED',
    })).toMatchObject({ outcome: 'reached' });
  });

  test('resolves when it runs, however briefly', async () => {
    const result = fixture.client.wait('pi', { until: 'running' });
    await fixture.arrival('list sparkapplications');
    fixture.state('pi', 'RUNNING');
    fixture.state('pi', 'COMPLETED');

    expect(await result).toMatchObject({ outcome: 'reached', application: { status: { applicationState: { state: 'RUNNING' } } } });
  });

  test('resolves when the time is over', async () => {
    const result = fixture.client.wait('pi', { timeout: Duration.hours(1) });
    await fixture.arrival('list sparkapplications');
    fixture.state('pi', 'RUNNING');
    for await (const { status } of fixture.client.watch('pi')) if (status) break;
    fixture.timeIsOver();

    expect(await result).toMatchObject({ outcome: 'timed out', application: { metadata: { name: 'pi' } } });
  });

  test('resolves when it is deleted, or was before', async () => {
    const result = fixture.client.wait('pi');
    await fixture.arrival('list sparkapplications');
    fixture.state('pi', 'RUNNING');
    fixture.delete('pi');

    expect(await result).toMatchObject({ outcome: 'deleted', application: { metadata: { name: 'pi' } } });
    expect(await fixture.client.wait(pi)).toEqual({ outcome: 'deleted' });
    await fixture.client.submit('pi', PROPS);
    expect(await fixture.client.wait(pi)).toEqual({ outcome: 'deleted' });
  });

  test('waits for the end of the new run after a rerun', async () => {
    fixture.state('pi', 'COMPLETED', { executionAttempts: 1 });
    const result = fixture.client.wait(await fixture.client.rerun('pi'));
    await fixture.arrival('list sparkapplications');
    fixture.state('pi', 'RUNNING', { executionAttempts: 1 });
    fixture.status('pi', { applicationState: { state: 'FAILED', errorMessage: 'second' } });

    expect(await result).toMatchObject({ outcome: 'failed', reason: 'second' });
  });
});

describe('actions on an application', () => {
  test('suspend, resume, rerun', async () => {
    expect((await fixture.client.suspend('pi')).spec.suspend).toBe(true);
    expect((await fixture.client.resume(pi)).spec.suspend).toBe(false);
    const { spec } = await fixture.client.rerun({ name: 'pi', namespace: 'jobs' });
    expect(spec.driver).toMatchObject({
      serviceAccount: 'spark', annotations: { 'sparkoperator.k8s.io/rerun-at': '2026-03-01T10:00:00.000Z' },
    });
  });

  test.each(['request lost', 'answer lost'] as const)('%s: the action is still done', async (fault) => {
    fixture.fail('patch', fault);
    expect((await fixture.client.suspend('pi')).spec.suspend).toBe(true);
    fixture.fail('delete', fault);
    await fixture.client.cancel('pi');
    expect(fixture.application('pi')).toBeUndefined();
  });

  test('cancel deletes, or suspends with keep; a deleted application is no error', async () => {
    await fixture.client.cancel('pi', { keep: true });
    expect(fixture.application('pi')?.spec.suspend).toBe(true);
    await fixture.client.cancel('pi');
    await fixture.client.cancel('pi');
    expect(fixture.application('pi')).toBeUndefined();
  });

  test('actions affect the application that the client returned, and not another one of its name', async () => {
    fixture.delete('pi');
    const other = await fixture.client.submit('pi', PROPS);
    await fixture.client.cancel(pi);
    await fixture.client.cancel(pi, { keep: true });

    expect(fixture.application('pi')).toMatchObject({ metadata: { uid: other.metadata.uid } });
    expect(fixture.application('pi')?.spec.suspend).toBeUndefined();
    expect(isNotFound(await fixture.client.get(pi).catch((thrown: unknown) => thrown))).toBe(true);
  });
});

test('list selects by labels and namespace', async () => {
  await fixture.client.submit({ name: 'e', labels: { team: 'data' } }, PROPS);
  await fixture.client.submit({ name: 'other', namespace: 'elsewhere' }, PROPS);
  const names = async (selection?: object) => (await fixture.client.list(selection)).map(({ metadata }) => metadata.name);

  expect(await names()).toEqual(['pi', 'e']);
  expect(await names({ labelSelector: 'team=data' })).toEqual(['e']);
  expect(await names({ allNamespaces: true })).toEqual(['pi', 'e', 'other']);
});
