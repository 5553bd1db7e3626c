import { ApiError, NetworkError } from '../../../src/kube/errors';
import { UnansweredWrites } from '../../../src/operator/runtime/unanswered-writes';

interface Thing {
  readonly metadata: { readonly namespace: string; readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly status?: { readonly state: string; readonly reason?: string };
}

const CALL = { verb: 'update', resource: 'things' };
const thing = (resourceVersion: string, state?: string, uid = 'u'): Thing => ({
  metadata: { namespace: 'jobs', name: 'pi', uid, resourceVersion }, ...state !== undefined && { status: { state } },
});

/**
 * Returns the reports after a write of `RUNNING` that follows resource version 1 and has this
 * outcome, once each of these objects has been observed.
 */
async function reportedOf(outcome: Error | Thing, ...seen: readonly Thing[]): Promise<string[]> {
  const writes = new UnansweredWrites<Thing>();
  const reported: string[] = [];
  const write = outcome instanceof Error ? Promise.reject<Thing>(outcome) : Promise.resolve(outcome);
  const answer = writes.answer(thing('1'), { state: 'RUNNING', reason: undefined }, ({ metadata }) => reported.push(metadata.resourceVersion), write);
  if (outcome instanceof Error) await expect(answer).rejects.toBe(outcome);
  else expect(await answer).toBe(outcome);
  seen.forEach((each) => writes.settle(each));
  return reported;
}

const LOST = new NetworkError(CALL, 'TIMEOUT', 'no answer');

test.each<[what: string, outcome: Error | Thing, seen: Thing[], reported: string[]]>([
  ['that was done is reported, once', LOST, [thing('2', 'RUNNING'), thing('2', 'RUNNING'), thing('3', 'RUNNING')], ['2']],
  ['that was done, and an edit after it', LOST, [thing('3', 'RUNNING')], ['3']],
  ['that comes later than the next look', LOST, [thing('1'), thing('1'), thing('2', 'RUNNING')], ['2']],
  ['that an overloaded API server says it cannot do, and has done', new ApiError(CALL, 504), [thing('2', 'RUNNING')], ['2']],
  ['that was not done is not', LOST, [thing('2', 'SUBMITTED'), thing('3', 'RUNNING')], []],
  ['that came to a refusal is not', new ApiError(CALL, 409), [thing('2', 'RUNNING')], []],
  ['that was not sent is not', new NetworkError(CALL, 'ECONNREFUSED', 'connect ECONNREFUSED'), [thing('2', 'RUNNING')], []],
  ['that the API server had no time for is not', new ApiError(CALL, 429), [thing('2', 'RUNNING')], []],
  ['that was answered is left to the caller', thing('2', 'RUNNING'), [thing('2', 'RUNNING')], []],
  ['to an object that is another one by now is not', LOST, [thing('2', 'RUNNING', 'another')], []],
])('a write %s', async (_, outcome, seen, reported) => {
  expect(await reportedOf(outcome, ...seen)).toEqual(reported);
});

test('of two writes that follow the same version, the one that was done is reported; none if a third is answered', async () => {
  const lose = async (writes: UnansweredWrites<Thing>, reported: string[]) => {
    for (const state of ['RUNNING', 'FAILED']) await writes.answer(thing('1'), { state }, () => reported.push(state), Promise.reject(LOST)).catch(() => undefined);
  };
  for (const state of ['RUNNING', 'FAILED']) {
    const [writes, reported] = [new UnansweredWrites<Thing>(), [] as string[]];
    await lose(writes, reported);
    writes.settle(thing('2', state));
    expect(reported).toEqual([state]);
  }
  const [writes, reported] = [new UnansweredWrites<Thing>(), [] as string[]];
  await lose(writes, reported);
  await writes.answer(thing('1'), { state: 'RUNNING' }, () => reported.push('late'), Promise.resolve());
  writes.settle(thing('2', 'RUNNING'));
  expect(reported).toEqual([]);
});

test('many writes to an API server that has gone away after the first one do not let that be forgotten', async () => {
  const writes = new UnansweredWrites<Thing>();
  const reported: string[] = [];
  const write = (state: string, error: Error) => writes.answer(thing('1'), { state }, () => reported.push(state), Promise.reject(error)).catch(() => undefined);
  await write('RUNNING', LOST);
  for (let retry = 1; retry <= 20; retry++) await write(`retry ${retry}`, retry % 2 === 0 ? LOST : new NetworkError(CALL, 'ECONNREFUSED', 'connect ECONNREFUSED'));
  writes.settle(thing('2', 'RUNNING'));
  expect(reported).toEqual(['RUNNING']);
});

test('of an object that is gone nothing is remembered', async () => {
  const writes = new UnansweredWrites<Thing>();
  const tell = jest.fn();
  await writes.answer(thing('1'), { state: 'RUNNING' }, tell, Promise.reject(LOST)).catch(() => undefined);
  writes.forget('jobs/pi');
  writes.settle(thing('2', 'RUNNING'));
  expect(tell).not.toHaveBeenCalled();
});
