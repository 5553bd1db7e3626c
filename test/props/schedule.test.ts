import { Duration } from 'cdk8s';
import { Schedule, type ScheduleOptions } from '../../src';

test.each<[options: ScheduleOptions, expression: string]>([
  [{ minute: '15' }, '15 * * * *'],
  [{ minute: '0-59/10' }, '0-59/10 * * * *'],
  [{ hour: '3' }, '0 3 * * *'],
  [{ hour: '9-17', weekDay: 'mon-fri' }, '0 9-17 * * mon-fri'],
  [{ weekDay: '0' }, '0 0 * * 0'],
  [{ day: '1' }, '0 0 1 * *'],
  [{ month: 'jan,jul' }, '0 0 1 jan,jul *'],
  [{ month: 'dec', weekDay: 'mon' }, '0 0 * dec mon'],
  [{ minute: '30', hour: '4', day: '1,15', month: '*', weekDay: '*' }, '30 4 1,15 * *'],
])('at %j is %s', (options, expression) => {
  expect(Schedule.at(options)._toExpression()).toBe(expression);
});

test("an interval has Go's form", () => {
  expect(Schedule.every(Duration.minutes(90))._toExpression()).toBe('@every 1h30m');
  expect(Schedule.every(Duration.seconds(90))._toExpression()).toBe('@every 1m30s');
  expect(Schedule.every(Duration.days(2))._toExpression()).toBe('@every 48h');
});

test('expressions are kept unchanged', () => {
  expect(Schedule.cron('0 3 * * MON-fri')._toExpression()).toBe('0 3 * * MON-fri');
  expect(Schedule.expression('TZ=Asia/Kolkata @daily')._toExpression()).toBe('TZ=Asia/Kolkata @daily');
});

test.each<[name: string, make: () => Schedule, message: string]>([
  ['an hour that does not exist', () => Schedule.cron('0 25 * * *'), 'Schedule.cron: expression = "0 25 * * *" has "25" for the hour'],
  [
    'Sunday in the notation of other crons', () => Schedule.at({ weekDay: '7' }),
    'Schedule.at: weekDay = "7" has "7" for the day of the week',
  ],
  ['two values in one field', () => Schedule.at({ hour: '3 4' }), 'Schedule.at: hour = "3 4" must be one field of cron, without blanks'],
  ['nothing', () => Schedule.at({}), 'Schedule.at: options are empty: set at least one field, such as hour'],
  ['a day that does not exist', () => Schedule.at({ day: '30', month: 'feb' }), 'never has a run'],
  [
    'a descriptor for fields', () => Schedule.cron('@daily'),
    'Schedule.cron: expression = "@daily" does not have five fields: use Schedule.expression(…)',
  ],
  ['no time at all', () => Schedule.every(Duration.seconds(0)), 'Schedule.every: interval = "0 s" must be whole seconds, at least 1'],
  ['half a second', () => Schedule.every(Duration.millis(500)), 'Schedule.every: interval = "500 ms" must be whole seconds, at least 1'],
  [
    'an unknown descriptor', () => Schedule.expression('@dayly'),
    'Schedule.expression: expression = "@dayly" has the unknown descriptor @dayly',
  ],
])('%s is rejected at once', (_, make, message) => {
  expect(make).toThrow(message);
});
