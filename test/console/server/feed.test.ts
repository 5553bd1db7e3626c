import * as fc from 'fast-check';
import { Feed, type RowKind } from '../../../src/console/server/feed';
import { Rows } from '../../../src/console/page/rows';
import type { ApplicationRow, ScheduleRow } from '../../../src/console/wire';

const all = () => true;

function row(name: string, state = 'RUNNING', namespace = 'default'): ApplicationRow {
  return { namespace, name, uid: name, state, created: 0, attempts: 1 };
}

function feedWith(...names: string[]): Feed {
  const feed = new Feed('f');
  for (const name of names) feed.put('applications', row(name));
  return feed;
}

test('a new client receives all rows in several messages, of which the last one is complete', () => {
  const feed = feedWith(...Array.from({ length: 1_200 }, (_, index) => `a${index}`));
  const messages = [...feed.snapshot(all)];
  const brief = messages.map(({ reset, more, applications }) => [reset, more, applications!.put!.length]);
  expect(brief).toEqual([[true, true, 500], [undefined, true, 500], [undefined, undefined, 200]]);
});

test('without rows there is still a message, which resets the page', () => {
  expect([...new Feed('f').snapshot(all)]).toEqual([{ reset: true, applications: { put: [] }, schedules: { put: [] } }]);
});

test('a client that reconnects receives each changed row once, in its current version', () => {
  const feed = feedWith('a', 'b', 'c');
  const before = feed.sequence;
  feed.put('applications', row('a', 'FAILING'));
  feed.put('applications', row('a', 'FAILED'));
  feed.drop('applications', { namespace: 'default', name: 'b' });
  feed.put('applications', row('d'));
  feed.drop('applications', { namespace: 'default', name: 'd' });
  expect(feed.between(before, feed.sequence, all)).toEqual({
    applications: { put: [row('a', 'FAILED')], drop: ['default/b', 'default/d'] },
  });
  expect(feed.between(feed.sequence, feed.sequence, all)).toEqual({});
});

test('rows of namespaces without permission are omitted, including their names', () => {
  const feed = feedWith('a');
  const before = feed.sequence;
  feed.put('applications', row('s', 'RUNNING', 'secret'));
  feed.drop('applications', { namespace: 'secret', name: 's' });
  expect(feed.between(before, feed.sequence, (_, namespace) => namespace !== 'secret')).toEqual({});
});

test('an event id is valid while later changes are kept, and only in this process', () => {
  const feed = new Feed('f', 2);
  feed.put('applications', row('a'));
  const place = feed.eventIdOf(feed.sequence);
  expect(feed.resume(place)).toBe(1);
  expect(feed.resume(place.replace('f-', 'g-'))).toBeUndefined();
  expect(feed.resume('f-99')).toBeUndefined();
  expect(feed.resume(undefined)).toBeUndefined();
  for (let index = 0; index < 10; index++) feed.put('applications', row(`b${index}`));
  expect(feed.resume(place)).toBeUndefined();
  expect(feed.between(1, feed.sequence, all)).toBeUndefined();
});

test('after any changes and interruptions, readers end with the current rows', () => {
  const change = fc.record({
    kind: fc.constantFrom<RowKind>('applications', 'schedules'), name: fc.constantFrom('a', 'b', 'c', 'd'),
    state: fc.option(fc.constantFrom('RUNNING', 'FAILED')),
  });
  fc.assert(fc.property(fc.array(
    fc.oneof(change, fc.constant('look' as const)), { maxLength: 60 },
  ), fc.integer({ min: 1, max: 8 }), (steps, remembered) => {
    const feed = new Feed('f', remembered);
    const rows = new Rows();
    const truth = { applications: new Map<string, unknown>(), schedules: new Map<string, unknown>() };
    let place: string | undefined;
    const look = () => {
      const after = feed.resume(place);
      const update = after === undefined ? undefined : feed.between(after, feed.sequence, all);
      for (const message of update ? [update] : feed.snapshot(all)) rows.apply(message);
      place = feed.eventIdOf(feed.sequence);
    };
    for (const step of steps) {
      if (step === 'look') {
        look();
        continue;
      }
      const key = `default/${step.name}`;
      if (step.state === null) {
        feed.drop(step.kind, { namespace: 'default', name: step.name });
        truth[step.kind].delete(key);
      } else {
        feed.put(step.kind, row(step.name, step.state) as ApplicationRow & ScheduleRow);
        truth[step.kind].set(key, row(step.name, step.state));
      }
    }
    look();
    expect(Object.fromEntries(rows.applications)).toEqual(Object.fromEntries(truth.applications));
    expect(Object.fromEntries(rows.schedules)).toEqual(Object.fromEntries(truth.schedules));
  }));
});

test('a namespace is dropped when it has neither rows nor kept changes', () => {
  const feed = new Feed('f', 10);
  const names = (namespace: string) => ({ namespace, name: 'a' });
  feed.put('applications', row('a', 'RUNNING', 'stays'));
  for (let number = 0; number < 1_000; number++) {
    feed.put('applications', row('a', 'RUNNING', `left-${number}`));
    feed.drop('applications', names(`left-${number}`));
    // Readers have not received the deletion yet.
    expect(feed.namespaces()).toContain(`left-${number}`);
  }
  expect(feed.namespaces()).toContain('stays');
  expect(feed.namespaces().size).toBeLessThanOrEqual(21);
});
