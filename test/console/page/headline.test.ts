/* Explanation of a state, with its cause first. */
import { headlineOf } from '../../../src/console/page/headline';

test.each<[clauses: [string, ...string[]], headline: string, text: string | undefined]>([
  [["KeyError: 'b' (etl.py:8)", 'It failed after 34s'], "KeyError: 'b' (etl.py:8)", 'It failed after 34s.'],
  [['the driver ended with exit code 1; last output: row 7', 'It failed'], 'The driver ended with exit code 1; last output: row 7', 'It failed.'],
  [["python3: can't open file 'a.py'", 'It failed'], "python3: can't open file 'a.py'", 'It failed.'],
  [['It completed after 31s'], 'It completed after 31s', undefined],
  [['ImagePullBackOff', 'The driver has waited for 36s', 'the operator gives up in 3m'], 'ImagePullBackOff', 'The driver has waited for 36s. The operator gives up in 3m.'],
  [['The driver runs', '2 executors run'], 'The driver runs', '2 executors run.'],
])('%j', (clauses, headline, text) => {
  expect(headlineOf({ clauses })).toEqual({ headline, ...(text !== undefined && { text }) });
});
