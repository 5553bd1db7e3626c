/* Remedies in the messages of failed calls. */
import { ApiError } from '../../src/kube/errors';
import { problemText } from '../../src/sparkctl/problem';

test('a cluster without the CRDs, which answers a list with plain text', () => {
  const error = new ApiError({ verb: 'list', resource: 'sparkapplications', namespace: 'default' }, 404, {});
  expect(problemText(error)).toMatch(/^list sparkapplications default\/\*: 404 NotFound; .*`sparkctl install` installs them$/);
});
