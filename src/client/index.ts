export { ApiError, NetworkError, isAlreadyExists, isConflict, isForbidden, isInvalid, isNotFound, isTransient } from '../kube/errors';
export * from '../model/actions/annotations';
export * from './errors';
export * from './result';
export { SparkClient } from './spark-client';
export type * from './types';
