import * as client from '../../src/client';

/** Returns the client as another bundle would load it, with its own classes. */
function otherCopy(): typeof client {
  let copy!: typeof client;
  jest.isolateModules(() => { copy = jest.requireActual('../../src/client'); });
  return copy;
}

const CALL = { verb: 'get', resource: 'sparkapplications', namespace: 'jobs', name: 'pi' };
const { ApiError, NetworkError, PropsError, RunNotStartedError, ConfigurationError } = otherCopy();

test.each<[keyof typeof client, Error, Error]>([
  ['isNotFound', new ApiError(CALL, 404), new ApiError(CALL, 409)],
  ['isAlreadyExists', new ApiError(CALL, 409, { reason: 'AlreadyExists' }), new ApiError(CALL, 409)],
  ['isConflict', new ApiError(CALL, 409), new ApiError(CALL, 409, { reason: 'AlreadyExists' })],
  ['isForbidden', new ApiError(CALL, 403), new ApiError(CALL, 401)],
  ['isUnauthorized', new ApiError(CALL, 401), new ApiError(CALL, 403)],
  ['isInvalid', new ApiError(CALL, 422), new ApiError(CALL, 400)],
  ['isTransient', new ApiError(CALL, 503), new ApiError(CALL, 404)],
  ['isTransient', new NetworkError(CALL, 'ECONNRESET', 'broken'), new Error('broken')],
  ['isTimeout', new NetworkError(CALL, 'TIMEOUT', 'no answer'), new NetworkError(CALL, 'ECONNRESET', 'broken')],
  ['isApiError', new ApiError(CALL, 404), new NetworkError(CALL, 'TIMEOUT', 'no answer')],
  ['isNetworkError', new NetworkError(CALL, 'TIMEOUT', 'no answer'), new ApiError(CALL, 404)],
  ['isPropsError', new PropsError('SparkApplication', 'pi', []), new Error('x')],
  ['isRunNotStarted', new RunNotStartedError('skipped', 'x'), new Error('x')],
  ['isConfigurationError', new ConfigurationError('x'), new Error('x')],
])('%s recognises an error of another copy of the client: %s', (name, error, other) => {
  const predicate = client[name] as (thrown: unknown) => boolean;
  expect([predicate(error), predicate(other), predicate(undefined), predicate('x')]).toEqual([true, false, false, false]);
  expect(error).not.toBeInstanceOf(client.ApiError);
});
