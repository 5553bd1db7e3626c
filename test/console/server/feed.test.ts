import * as fc from 'fast-check';
import { Feed, type IsVisible, type RowId, type RowKind } from '../../../src/console/server/feed';
import { Rows } from '../../../src/console/page/rows';
import type { ApplicationRow, ScheduleRow } from '../../../src/console/wire';

const all = () => true;

function row(name: string, state = 'RUNNING', namespace = 'default'): ApplicationRow {
  return { namespace, name, uid: name, state, created: 0, attempts: 1 };
}

function feedWith(...names: string[]): Feed {
  const feed = new Feed();
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
  expect([...new Feed().snapshot(all)]).toEqual([{ reset: true }]);
});

test('a reader receives each changed row once, in its current version', () => {
  const feed = feedWith('a', 'b', 'c');
  const changed = new Set<RowId>();
  feed.onChange((id) => changed.add(id!));
  feed.put('applications', row('a', 'FAILING'));
  feed.put('applications', row('a', 'FAILED'));
  feed.drop('applications', { namespace: 'default', name: 'b' });
  feed.put('applications', row('d'));
  feed.drop('applications', { namespace: 'default', name: 'd' });
  feed.drop('applications', { namespace: 'default', name: 'never-there' });
  expect(feed.changesOf(changed, all)).toEqual({
    applications: { put: [row('a', 'FAILED')], drop: ['default/b', 'default/d'] },
  });
  expect(feed.changesOf([], all)).toEqual({});
});

test('rows of namespaces without permission are omitted, including their names', () => {
  const feed = feedWith('a');
  const changed = new Set<RowId>();
  feed.onChange((id) => changed.add(id!));
  feed.put('applications', row('s', 'RUNNING', 'secret'));
  feed.drop('applications', { namespace: 'secret', name: 's' });
  feed.put('applications', row('t', 'RUNNING', 'secret'));
  expect(changed.size).toBe(2);
  const sees: IsVisible = (_, namespace) => namespace !== 'secret';
  expect(feed.changesOf(changed, sees)).toEqual({});
  expect([...feed.snapshot(sees)]).toEqual([{ reset: true, applications: { put: [row('a')] } }]);
});

test('after any changes, readers end with the current rows', () => {
  const change = fc.record({
    kind: fc.constantFrom<RowKind>('applications', 'schedules'), name: fc.constantFrom('a', 'b', 'c', 'd'),
    state: fc.option(fc.constantFrom('RUNNING', 'FAILED')),
  });
  fc.assert(fc.property(fc.array(
    fc.oneof(change, fc.constantFrom('look' as const, 'reconnect' as const)), { maxLength: 60 },
  ), (steps) => {
    const feed = new Feed();
    const rows = new Rows();
    const truth = { applications: new Map<string, unknown>(), schedules: new Map<string, unknown>() };
    let changed: Set<RowId> | undefined;
    feed.onChange((id) => changed?.add(id!));
    const look = () => {
      for (const message of changed ? [feed.changesOf(changed, all)] : feed.snapshot(all)) rows.apply(message);
      changed = new Set();
    };
    for (const step of steps) {
      if (typeof step === 'string') {
        if (step === 'reconnect') changed = undefined;
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

test('namespaces are those of the rows', () => {
  const feed = feedWith('a');
  feed.put('schedules', { ...row('b', '', 'other'), schedule: '@daily' });
  expect([...feed.namespaces()]).toEqual(['default', 'other']);
  feed.drop('schedules', { namespace: 'other', name: 'b' });
  expect([...feed.namespaces()]).toEqual(['default']);
});
