import type { ApiError, NetworkError } from '../../../src/kube/errors';

/** The thing that the client's tests request. */
export const REF = { namespace: 'default', name: 'pi' };

/** Returns the error with which a call rejects. */
export async function failure(call: Promise<unknown>): Promise<ApiError & NetworkError> {
  return call.then(() => { throw new Error('it did not fail'); }, (error) => error);
}
