import { historyUrl } from '../../../src/console/server/history-server';

const application = (status: object, sparkConf?: Record<string, string>): any => ({ spec: { sparkConf }, status: { sparkApplicationId: 'spark-1', ...status } });
const STARTED = { number: 1, driverStartTime: '2026-03-01T12:00:00Z' };

test.each([
  ['a driver that started', application({ attemptHistory: [STARTED] }), true],
  ['a status of another operator', application({}), true],
  ['a driver that never started: its id is known from the submission on', application({ attemptHistory: [{ number: 1 }] }), false],
  ['a second attempt that has not started', application({ attemptHistory: [STARTED, { number: 2 }] }), true],
  ['no id', application({ sparkApplicationId: undefined, attemptHistory: [STARTED] }), false],
  ['no event log', application({ attemptHistory: [STARTED] }, { 'spark.eventLog.enabled': ' FALSE ' }), false],
])('the link to the History Server: %s', (_, given, isThere) => {
  expect(historyUrl('https://history.example.org', given)).toBe(isThere ? 'https://history.example.org/history/spark-1/' : undefined);
});
