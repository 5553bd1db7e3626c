export {
  ApiError, NetworkError, isAlreadyExists, isApiError, isConflict, isForbidden, isInvalid, isNetworkError, isNotFound, isTimeout,
  isTransient, isUnauthorized,
} from '../kube/errors';
export * from '../model/actions/annotations';
export * from './errors';
export * from './result';
export { SparkClient } from './spark-client';
export type * from './types';
