import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AnswerCache } from '../../../tools/real-spark/answers';
import type { Submission, SubmissionAnswer } from '../../../tools/real-spark/spark-submit';

const SUBMISSION = { argv: ['--name', 'a', 'local:///a.jar'], files: { 'driver.yaml': 'kind: Pod' } };
const ANSWER = { requests: [{ method: 'POST', url: '/pods', contentType: 'application/json', body: { kind: 'Pod' } }] };

const cacheOf = (key: string) => new AnswerCache<Submission, SubmissionAnswer>(folder, key, ({ argv, files }) => [argv, Object.entries(files).sort()]);

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'answers-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('an answer is found again, also by the next process', () => {
  cacheOf('spark 4').set(SUBMISSION, ANSWER);

  expect(cacheOf('spark 4').get(SUBMISSION)).toEqual(ANSWER);
});

test.each([
  ['of another version', 'spark 5', SUBMISSION],
  ['with other arguments', 'spark 4', { ...SUBMISSION, argv: ['--name', 'a local:///a.jar'] }],
  ['with another template', 'spark 4', { ...SUBMISSION, files: { 'driver.yaml': 'kind: Pod ' } }],
  ['with the template under another name', 'spark 4', { ...SUBMISSION, files: { 'executor.yaml': 'kind: Pod' } }],
])('a submission %s is another one', (_, key, submission: Submission) => {
  cacheOf('spark 4').set(SUBMISSION, ANSWER);

  expect(cacheOf(key).get(submission)).toBeUndefined();
});

test('an answer that no test has read in a month is removed', () => {
  const cache = cacheOf('spark 4');
  cache.set(SUBMISSION, ANSWER);
  const [file] = readdirSync(folder);
  const month = 31 * 24 * 3600 * 1000;
  utimesSync(join(folder, file!), new Date(Date.now() - month), new Date(Date.now() - month));
  cache.get(SUBMISSION); // just asked for
  cache.removeUnused();
  expect(cache.get(SUBMISSION)).toEqual(ANSWER);

  cache.removeUnused(Date.now() + month);
  expect(readdirSync(folder)).toEqual([]);
});
