import type { ApiError, NetworkError } from '../../../src/kube/errors';

/** The thing that the tests of the client ask for. */
export const REF = { namespace: 'default', name: 'pi' };

/** The error that a call rejects with. */
export async function failure(call: Promise<unknown>): Promise<ApiError & NetworkError> {
  return call.then(() => { throw new Error('it did not fail'); }, (error) => error);
}
