import { consoleLine } from '../../src/text/console-line';

test.each<[string, object, string]>([
  ['fields', { level: 'warn', time: '2026-03-01T12:00:00.000Z', namespace: 'jobs', err: { stack: 'a\nb' }, msg: 'it failed' }, '2026-03-01T12:00:00.000Z\tWARN\tit failed\t{"namespace":"jobs","err":{"stack":"a\\nb"}}\n'],
  ['no fields', { level: 'info', time: 't', msg: 'started' }, 't\tINFO\tstarted\n'],
  ['a message of several lines, with control characters', { level: 'info', time: 't', msg: 'a\nb\t\u001b[2J' }, 't\tINFO\ta\\nb\\u0009\\u001b[2J\n'],
  ['no message', { level: 'fatal', time: 't', a: 1 }, 't\tFATAL\t\t{"a":1}\n'],
])('an entry with %s is one line', (_, entry, line) => {
  expect(consoleLine(JSON.stringify(entry))).toBe(line);
});
