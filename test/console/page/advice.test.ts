/* Advice of the console: links to its own tabs instead of commands. */
import { adviceParts } from '../../../src/console/page/advice';
import { bytesText, coresText } from '../../../src/console/page/usage';

test.each<[string, readonly unknown[]]>([
  ['sparkctl log pi -n jobs', [{ text: 'see the error in the log', href: '#/applications/jobs/pi/logs?jump=error' }]],
  ['correct it; `sparkctl describe pi` shows it', ['correct it; ', { text: 'the overview', href: '#/applications/default/pi' }, ' shows it']],
  ['sparkctl resume pi -n jobs', ['press “Resume”']],
  ['check spec.image: `sparkctl doctor` shows more', ['check spec.image: ', { code: 'sparkctl doctor' }, ' shows more']],
  ['kubectl get workloads -n jobs', ['run ', { code: 'kubectl get workloads -n jobs' }]],
  ['sparkctl doctor -n jobs', ['run ', { code: 'sparkctl doctor -n jobs' }]],
])('%s', (advice, parts) => {
  expect(adviceParts(advice, { namespace: 'default', hasError: true, canChange: true })).toEqual(parts);
});

test('a log without an error has a link to its end', () => {
  expect(adviceParts('sparkctl log pi', { namespace: 'jobs', hasError: false, canChange: true })).toEqual([{ text: 'see the end of the log', href: '#/applications/jobs/pi/logs' }]);
});

test('a user who cannot press the button reads the command', () => {
  expect(adviceParts('`sparkctl resume pi -n jobs`', { namespace: 'jobs', hasError: false, canChange: false })).toEqual(['run ', { code: 'sparkctl resume pi -n jobs' }]);
});

test('amounts of CPU and memory', () => {
  expect([0.004, 0.25, 1.93, 12.4].map(coresText)).toEqual(['0', '0.25', '1.93', '12']);
  expect([0, 5 * 1024, 300 * 2 ** 20, 1.5 * 2 ** 30, 32 * 2 ** 30].map(bytesText)).toEqual(['0', '5Ki', '300Mi', '1.5Gi', '32Gi']);
});
